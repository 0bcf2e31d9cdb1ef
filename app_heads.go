package main

import (
	"encoding/json"
	"errors"
	"log/slog"
	"path/filepath"

	"github.com/deskhand/deskhand/audit"
	"github.com/zalando/go-keyring"
)

// keychainHeads notes the heads of a shop's log in the system's keychain, where
// whoever can write the shop's file cannot necessarily write. Without a keychain
// nothing is noted, and doctor says so.
type keychainHeads struct{ shop string }

func headsFor(folder string) audit.Heads {
	path, err := filepath.Abs(folder)
	if err != nil {
		path = folder
	}
	return keychainHeads{path}
}

func (k keychainHeads) user(stream string) string { return "head of " + stream + " in " + k.shop }

// Save implements [audit.Heads].
func (k keychainHeads) Save(h audit.Head) error {
	raw, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := keyring.Set(keychainService, k.user(h.Stream), string(raw)); err != nil {
		slog.Debug("the head was not noted", "cause", err)
	}
	return nil
}

// Load implements [audit.Heads].
func (k keychainHeads) Load() ([]audit.Head, error) {
	var heads []audit.Head
	for _, stream := range []string{"main", "reads"} {
		raw, err := keyring.Get(keychainService, k.user(stream))
		if err != nil {
			if !errors.Is(err, keyring.ErrNotFound) {
				slog.Debug("the head was not read", "cause", err)
			}
			continue
		}
		var h audit.Head
		if err := json.Unmarshal([]byte(raw), &h); err != nil {
			return nil, err
		}
		heads = append(heads, h)
	}
	return heads, nil
}
