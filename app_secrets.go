package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/zalando/go-keyring"
)

// secrets is shop.Secrets: in the system's keychain, or where there is none in
// memory until the program ends. A program of one call, which cannot be told a
// secret beforehand, is given it in its environment; that one always counts.
type secrets struct {
	shop    string              // which shop they belong to: the keychain is everybody's
	getenv  func(string) string // the environment
	lasting func() bool

	mu     sync.Mutex // guards memory
	memory map[string]string
}

var _ shop.Secrets = (*secrets)(nil)

func secretsFor(folder string) *secrets {
	path, err := filepath.Abs(folder)
	if err != nil {
		path = folder
	}
	return &secrets{shop: path, getenv: os.Getenv, lasting: sync.OnceValue(hasKeychain), memory: map[string]string{}}
}

// hasKeychain reports whether there is a keychain to ask.
func hasKeychain() bool {
	_, err := keyring.Get(keychainService, "probe")
	if err != nil && !errors.Is(err, keyring.ErrNotFound) {
		slog.Debug("there is no keychain", "cause", err)
		return false
	}
	return true
}

// Lasting implements [shop.Secrets].
func (s *secrets) Lasting() bool { return s.lasting() }

func (s *secrets) user(name string) string { return name + " in " + s.shop }

// variable is where the environment may have a secret: mail.password in
// DESKHAND_MAIL_PASSWORD, and model.key, whatever follows, in DESKHAND_MODEL_KEY.
func variable(name string) string {
	name, _, _ = strings.Cut(name, " ")
	return "DESKHAND_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(name))
}

// Find implements [shop.Secrets].
func (s *secrets) Find(_ context.Context, name string) (string, error) {
	if secret := s.getenv(variable(name)); secret != "" {
		return secret, nil
	}
	if !s.Lasting() {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.memory[name], nil
	}
	secret, err := keyring.Get(keychainService, s.user(name))
	if errors.Is(err, keyring.ErrNotFound) {
		return "", nil
	}
	return secret, keychainProblem(err)
}

// Keep implements [shop.Secrets].
func (s *secrets) Keep(ctx context.Context, name, secret string) error {
	if ctx.Value(rehearsal{}) != nil {
		return nil
	}
	if !s.Lasting() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.memory[name] = secret; secret == "" {
			delete(s.memory, name)
		}
		return nil
	}
	if secret != "" {
		return keychainProblem(keyring.Set(keychainService, s.user(name), secret))
	}
	err := keyring.Delete(keychainService, s.user(name))
	if errors.Is(err, keyring.ErrNotFound) {
		return nil
	}
	return keychainProblem(err)
}

// keychainProblem says what a person can do about a keychain that refuses.
func keychainProblem(err error) error {
	if err == nil {
		return nil
	}
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The system's keychain could not be used.").
		WithCause(fmt.Errorf("keychain: %w", err)).WithHint("Unlock it and try again.")
}

// rehearsal marks the context of a call that is rolled back: what lies outside
// the shop's file would not be.
type rehearsal struct{}

// journal is the shop's log, which tells a call that it is only tried out.
type journal struct{ *audit.Log }

// DryRun implements [bus.Journal].
func (j journal) DryRun(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	return j.Log.DryRun(ctx, e, func(ctx context.Context, x bus.Exec) error {
		return run(context.WithValue(ctx, rehearsal{}, true), x)
	})
}
