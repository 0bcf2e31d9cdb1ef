package policy

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// Wording supplies the application's names for sentences about grants, whose constraints hold ids and minor units. Each
// function may be nil. A transaction of the journal is in its context.
type Wording struct {
	// Name returns the name of the record whose id is in a field or fact such as "folderId"; "" if the id is unknown or
	// the value is no id.
	Name func(ctx context.Context, field, id string) (string, error)
	// Currency returns the currency of amounts without one.
	Currency func(ctx context.Context) (string, error)
	// Zone returns the time zone of the people who read the sentences; nil: UTC.
	Zone func(ctx context.Context) (*time.Location, error)
}

// phrasing builds one sentence about the terms of a grant.
type phrasing struct {
	ctx      context.Context
	w        Wording
	c        *bus.Capability
	x        *Provenance // names from results of the conversation, used if the application has none
	currency string
	zone     *time.Location
	err      error
}

// sentence describes the effect of terms in plain words: "Pay an invoice: up to $50.00 each time, only for Ana Ruiz, 5
// times, until Monday, 2 March 2026, 17:00".
func (w Wording) sentence(ctx context.Context, c *bus.Capability, t GrantTerms, x *Provenance) (string, error) {
	p := &phrasing{ctx: ctx, w: w, c: c, x: x, zone: time.UTC}
	if w.Zone != nil {
		if p.zone, p.err = w.Zone(ctx); p.err != nil {
			return "", p.err
		}
	}
	if b := t.Limits.Budget; b != nil {
		p.currency = b.Currency
	} else if w.Currency != nil {
		if p.currency, p.err = w.Currency(ctx); p.err != nil {
			return "", p.err
		}
	}
	parts := p.bounds(t)
	if len(parts) == 0 {
		return c.Title + ", whenever it wants to", nil
	}
	return c.Title + ": " + strings.Join(parts, ", "), p.err
}

// bounds returns a phrase for each bound of the terms, the amount of money first.
func (p *phrasing) bounds(t GrantTerms) (parts []string) {
	keys := slices.SortedFunc(maps.Keys(t.Constraints), func(a, b string) int {
		return strings.Compare(strings.TrimPrefix(a, factAmount), strings.TrimPrefix(b, factAmount))
	})
	for _, key := range keys {
		if k, err := readConstraint(key, t.Constraints[key]); err == nil { // normalize read it without an error
			parts = append(parts, p.bound(key, k))
		}
	}
	if b := t.Limits.Budget; b != nil {
		parts = append(parts, "up to "+p.amount(map[string]any{"amount": float64(b.Amount),
			"currency": b.Currency})+" in total")
	}
	if n := t.Limits.Uses; n == 1 {
		parts = append(parts, "once")
	} else if n != 0 {
		parts = append(parts, fmt.Sprintf("%d times", n))
	}
	if t.Limits.Conversation != "" {
		parts = append(parts, "in one conversation")
	}
	if t.Until != 0 {
		parts = append(parts, "until "+time.UnixMilli(t.Until).In(p.zone).Format("Monday, 2 January 2006, 15:04"))
	}
	return parts
}

// bound returns the phrase for one constraint.
func (p *phrasing) bound(key string, k constraint) string {
	field := strings.TrimPrefix(key, "/")
	if key == factAmount {
		return p.money(k)
	}
	label, named := strings.ToLower(keyText(key, p.c)), false
	say := func(values []any) string {
		var texts []string
		for _, v := range values {
			text, is := p.name(field, v)
			named = named || is
			texts = append(texts, text)
		}
		return orList(texts)
	}
	var parts []string
	if k.in != nil {
		if text := say(k.in); named {
			parts = append(parts, "only for "+text)
		} else {
			parts = append(parts, fmt.Sprintf("only with %s %s", label, text))
		}
	}
	if k.min != nil {
		parts = append(parts, label+" at least "+say([]any{k.min}))
	}
	if k.max != nil {
		parts = append(parts, label+" at most "+say([]any{k.max}))
	}
	if k.notIn != nil {
		if text := say(k.notIn); named {
			parts = append(parts, "not for "+text)
		} else {
			parts = append(parts, fmt.Sprintf("not with %s %s", label, text))
		}
	}
	return strings.Join(parts, " and ")
}

// money returns the phrase for a constraint on the amount.
func (p *phrasing) money(k constraint) string {
	each := func(values []any) string {
		var texts []string
		for _, v := range values {
			texts = append(texts, p.amount(plainValue(v)))
		}
		return orList(texts)
	}
	var parts []string
	if k.in != nil {
		parts = append(parts, "exactly "+each(k.in))
	}
	if k.min != nil {
		parts = append(parts, "at least "+each([]any{k.min}))
	}
	if k.max != nil {
		parts = append(parts, "up to "+each([]any{k.max}))
	}
	if k.notIn != nil {
		parts = append(parts, "not "+each(k.notIn))
	}
	return strings.Join(parts, " and ") + " each time"
}

// amount formats an amount; a bare number counts minor units.
func (p *phrasing) amount(v any) string {
	if n, bare := v.(float64); bare {
		if said, ok := text.Minor(n, p.currency); ok {
			return said
		}
	}
	return text.Value(v)
}

// name returns the text for a value, and whether that text is a record's name.
func (p *phrasing) name(field string, v any) (said string, named bool) {
	id, isText := v.(string)
	if !isText {
		return text.Value(plainValue(v)), false
	}
	if p.w.Name != nil && p.err == nil {
		var name string
		if name, p.err = p.w.Name(p.ctx, field, id); name != "" {
			return text.Clean(name, 120), true
		}
	}
	if said := p.x.text(id); said != text.Value(id) {
		return said, true
	}
	return "“" + text.Value(id) + "”", false
}

// orList joins alternatives with commas and "or".
func orList(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:len(texts)-1], ", ") + " or " + texts[len(texts)-1]
}
