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

// Wording gives names of the application to sentences about grants, whose constraints are ids and minor units. Each of
// its functions may be nil, and is called in a transaction of the journal.
type Wording struct {
	// Name is the name of the thing that a field or fact has the id of, such as
	// "folderId"; "" if unknown, or if the value is no id.
	Name func(ctx context.Context, field, id string) (string, error)
	// Currency is the one that plain amounts are in.
	Currency func(ctx context.Context) (string, error)
	// Zone is where people read the time; nil: UTC.
	Zone func(ctx context.Context) (*time.Location, error)
}

// phrasing is one sentence about terms on its way.
type phrasing struct {
	ctx      context.Context
	w        Wording
	c        *bus.Capability
	x        *Provenance // names that were looked up in the conversation, before the application's own
	currency string
	zone     *time.Location
	err      error
}

// sentence says in plain words what terms allow: "Pay an invoice: up to $50.00
// each time, only for Ana Ruiz, 5 times, until Monday, 2 March 2026, 17:00".
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

// bounds are what terms are bounded by, the money first.
func (p *phrasing) bounds(t GrantTerms) (parts []string) {
	keys := slices.SortedFunc(maps.Keys(t.Constraints), func(a, b string) int {
		return strings.Compare(strings.TrimPrefix(a, factAmount), strings.TrimPrefix(b, factAmount))
	})
	for _, key := range keys {
		if k, err := readConstraint(key, t.Constraints[key]); err == nil { // it was read when it was settled
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

// bound says what one constraint leaves.
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

// money says what a constraint leaves of the amount.
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

// amount writes an amount; a bare number is minor units.
func (p *phrasing) amount(v any) string {
	if n, bare := v.(float64); bare {
		if said, ok := text.Minor(n, p.currency); ok {
			return said
		}
	}
	return text.Value(v)
}

// name is what people call a value, and whether that is a name of its own.
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

// orList joins alternatives.
func orList(texts []string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	return strings.Join(texts[:len(texts)-1], ", ") + " or " + texts[len(texts)-1]
}
