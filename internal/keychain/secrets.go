// Package keychain stores a shop's secrets, and the heads of its log, in the system's keychain.
package keychain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/deskhand/deskhand/shop/settings"
	"github.com/zalando/go-keyring"
)

// service is the name of the entries in the system's keychain.
const service = "deskhand"

// Secrets implements [shop.Secrets] with the system's keychain, or without one in memory until the program ends. An
// environment variable takes precedence, then a credential of systemd. A program that runs for one call, or as a
// service, gets its secrets there.
type Secrets struct {
	shop    string // absolute path of the shop, because other programs' entries share the keychain
	getenv  func(string) string
	lasting func() bool

	mu     sync.Mutex // guards memory
	memory map[string]string
}

var _ shop.Secrets = (*Secrets)(nil)

// New returns the secrets of the shop in a folder.
func New(folder string) *Secrets {
	return &Secrets{shop: absolute(folder), getenv: os.Getenv, memory: map[string]string{},
		lasting: sync.OnceValue(func() bool {
			err := Check()
			if err != nil {
				slog.Debug("there is no keychain", "cause", err)
			}
			return err == nil
		})}
}

func absolute(folder string) string {
	if path, err := filepath.Abs(folder); err == nil {
		return path
	}
	return folder
}

// Check returns an error if the system's keychain is unusable.
func Check() error {
	if _, err := keyring.Get(service, "probe"); err != nil && !errors.Is(err, keyring.ErrNotFound) {
		return err
	}
	return nil
}

// Lasting implements [shop.Secrets].
func (s *Secrets) Lasting() bool { return s.lasting() }

func (s *Secrets) user(name string) string { return name + " in " + s.shop }

// variable returns the environment variable of a secret: DESKHAND_MAIL_PASSWORD for mail.password, DESKHAND_MODEL_KEY
// for model.key followed by any endpoint.
func variable(name string) string {
	name, _, _ = strings.Cut(name, " ")
	return "DESKHAND_" + strings.ToUpper(strings.NewReplacer(".", "_", "-", "_").Replace(name))
}

// credential returns a secret that systemd passed to the service, under the first word of its name. Other users of the
// computer cannot read it, and child processes of the service do not get it in their environment.
func (s *Secrets) credential(name string) (string, error) {
	folder := s.getenv("CREDENTIALS_DIRECTORY")
	if folder == "" {
		return "", nil
	}
	name, _, _ = strings.Cut(name, " ")
	secret, err := os.ReadFile(filepath.Join(folder, filepath.Base(name)))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(secret)), problem(err)
}

// Place describes the place of a secret that Find finds, or returns "" if there is none.
func (s *Secrets) Place(ctx context.Context, name string) (string, error) {
	if s.getenv(variable(name)) != "" {
		return "in " + variable(name), nil
	}
	if secret, err := s.credential(name); secret != "" || err != nil {
		return "as the credential " + name, err
	}
	if secret, err := s.Find(ctx, name); secret == "" || err != nil {
		return "", err
	}
	if !s.Lasting() {
		return "in memory", nil
	}
	return "in the keychain", nil
}

// Find implements [shop.Secrets].
func (s *Secrets) Find(_ context.Context, name string) (string, error) {
	if secret := s.getenv(variable(name)); secret != "" {
		return secret, nil
	}
	if secret, err := s.credential(name); secret != "" || err != nil {
		return secret, err
	}
	if !s.Lasting() {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.memory[name], nil
	}
	secret, err := keyring.Get(service, s.user(name))
	if errors.Is(err, keyring.ErrNotFound) {
		return "", nil
	}
	return secret, problem(err)
}

// Keep implements [shop.Secrets].
func (s *Secrets) Keep(ctx context.Context, name, secret string) error {
	if ctx.Value(dryRun{}) != nil {
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
		return problem(keyring.Set(service, s.user(name), secret))
	}
	err := keyring.Delete(service, s.user(name))
	if errors.Is(err, keyring.ErrNotFound) {
		return nil
	}
	return problem(err)
}

// problem adds advice to the error of a keychain that refuses; nil stays nil.
func problem(err error) error {
	if err == nil {
		return nil
	}
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The system's keychain could not be used.").
		WithCause(fmt.Errorf("keychain: %w", err)).WithHint("Unlock it and try again.")
}

// dryRun marks the context of a call that will be rolled back.
type dryRun struct{}

// WithDryRun makes Keep do nothing, because a rollback does not undo changes outside the shop's file.
func WithDryRun(ctx context.Context) context.Context { return context.WithValue(ctx, dryRun{}, true) }

// ModelKey returns a function that returns the key of a model's endpoint, or "" if none is stored. A local endpoint
// needs no key, and a remote one reports a missing key.
func (s *Secrets) ModelKey(endpoint string) func() (string, error) {
	return func() (string, error) {
		return s.Find(context.Background(), settings.SecretModel(strings.TrimRight(endpoint, "/")))
	}
}
