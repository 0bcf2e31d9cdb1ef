package keychain

import (
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/deskhand/deskhand/audit"
	"github.com/zalando/go-keyring"
)

// noted implements [audit.Heads]. A program that can write the shop's file cannot necessarily write the keychain.
// Without a keychain it stores nothing, and doctor reports that.
type noted struct{ shop string }

// Heads returns the stored heads of the log of the shop in a folder.
func Heads(folder string) audit.Heads { return noted{absolute(folder)} }

func (n noted) user(stream string) string { return "head of " + stream + " in " + n.shop }

// Save implements [audit.Heads].
func (n noted) Save(h audit.Head) error {
	raw, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if err := keyring.Set(service, n.user(h.Stream), string(raw)); err != nil {
		slog.Debug("Could not note the head of the log.", "cause", err)
	}
	return nil
}

// Load implements [audit.Heads].
func (n noted) Load() ([]audit.Head, error) {
	var heads []audit.Head
	for _, stream := range []string{"main", "reads"} {
		raw, err := keyring.Get(service, n.user(stream))
		if err != nil {
			if !errors.Is(err, keyring.ErrNotFound) {
				slog.Debug("Could not read a noted head of the log.", "cause", err)
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
