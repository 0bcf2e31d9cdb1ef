package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// maxRules limits the owner's text in bytes, because each request contains it.
const maxRules = 2000

// houseRules are the owner's instructions for every model, which become part of its system prompt. They narrow its
// actions, and no decision reads them. The zero value has no rules.
type houseRules struct {
	Version int64  `json:"version"`
	Text    string `json:"text"`
}

// digest identifies the rules in records, "" for none.
func (r houseRules) digest() string {
	if r.Text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(r.Text))
	return hex.EncodeToString(sum[:8])
}

// prompt returns the paragraph about the rules for the model, "" for none.
func (r houseRules) prompt() string {
	if r.Text == "" {
		return ""
	}
	return fmt.Sprintf("\n\n[Rules of the house, version %d, by the owner. They narrow what you do. They allow nothing "+
		"that the application refuses or asks about.]\n%s\n[End of the rules.]", r.Version, r.Text)
}

// storedRules is the name of the rules among the assistant's settings.
const storedRules = "rules"

// rules reads the rules in the transaction of ctx.
func (s *Store) rules(ctx context.Context) (r houseRules, err error) {
	raw, err := stored.One(ctx, s.db, func(scan stored.Scan) (v string, err error) { return v, scan(&v) },
		`SELECT value FROM assistant_settings WHERE name = $1`, storedRules)
	if err != nil || raw == nil {
		return r, err
	}
	return r, json.Unmarshal([]byte(*raw), &r)
}

// readRules reads the rules for a turn, and whether a person reviews text of other people in it.
func (t *turnRun) readRules(ctx context.Context) (failure string) {
	if t.b.o.Switches == nil {
		return ""
	}
	err := t.b.o.Switches.db.View(ctx, func(ctx context.Context) (err error) {
		if t.rules, err = t.b.o.Switches.rules(ctx); err != nil {
			return err
		}
		review, err := t.b.o.Switches.reviewing(ctx)
		t.reviews = review.covers(t.model)
		return err
	})
	if err != nil {
		t.b.o.Logger.Error("the rules of the house cannot be read", "cause", err)
		return "The rules of the house could not be read, so the model was not asked. Try again."
	}
	return ""
}

type rulesInput struct {
	Text string `json:"text" jsonschema:"maxLength=2000"`
}

// setRules implements assistant.setRules. A new version takes effect with the next turn.
func (s *Store) setRules(ctx context.Context, call *bus.Call, in rulesInput) (houseRules, error) {
	was, err := s.rules(ctx)
	if err != nil {
		return was, err
	}
	var lines []string
	for line := range strings.Lines(in.Text) {
		lines = append(lines, strings.TrimSpace(text.Clean(line, maxRules)))
	}
	r := houseRules{Version: was.Version + 1, Text: strings.TrimSpace(strings.Join(lines, "\n"))}
	if len(r.Text) > maxRules {
		return was, bus.Errorf(bus.Validation, bus.ReasonArguments, "The rules are longer than %d bytes.", maxRules).
			WithHint("Each request carries them: say it shorter.")
	}
	if r.Text == was.Text {
		return was, nil
	}
	call.Summarize("Set version %d of the rules of the house", r.Version)
	call.Announce("assistant", bus.Textf("The rules of the house were changed."))
	raw, err := json.Marshal(r)
	if err != nil {
		return was, err
	}
	return r, stored.SetText(ctx, s.db, storedRules, string(raw))
}

func rulesCapability(s *Store, toggle bus.Capability) bus.Capability {
	toggle.Name = "assistant.setRules"
	toggle.Listing.Current = func(ctx context.Context, _ *bus.Call) (any, error) { return s.rules(ctx) }
	return bus.Define(toggle, s.setRules)
}
