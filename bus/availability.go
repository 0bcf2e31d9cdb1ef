package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// availability says why a capability cannot be invoked now, nil when it can. It
// depends on state only, never on arguments, and runs inside a View.
func (b *Bus) availability(ctx context.Context, c *registered, call *Call) error {
	for _, p := range c.conditions() {
		if err := b.o.Conditions[p](ctx, call); err != nil {
			return unmet(ctx, err, ReasonCondition, "The condition "+p+" is not met.", "")
		}
	}
	for _, name := range c.Requires {
		if err := b.required(ctx, name, call); err != nil {
			return err
		}
	}
	if c.Available != nil {
		if err := c.Available(ctx, call); err != nil {
			return unmet(ctx, err, ReasonUnavailable, c.Title+" is not possible now.", "")
		}
	}
	return nil
}

// conditions are the permissions that are a state of the world.
func (r *registered) conditions() []string {
	var named []string
	for _, p := range r.Permissions {
		if !isScope(p) {
			named = append(named, p)
		}
	}
	return named
}

// required is verdict, asked once for all that require the same in one snapshot.
func (b *Bus) required(ctx context.Context, name string, call *Call) error {
	if err, known := call.verdicts[name]; known {
		return err
	}
	err := b.verdict(ctx, name, call)
	if call.verdicts != nil {
		call.verdicts[name] = err
	}
	return err
}

// verdict runs a pure capability without arguments: it must succeed, and not say "ok": false.
func (b *Bus) verdict(ctx context.Context, name string, call *Call) error {
	c := b.find(name)
	sub := *call
	sub.Capability, sub.Arguments = &c.Capability, json.RawMessage("{}")
	data, err := c.Handler(ctx, &sub)
	if err != nil {
		return unmet(ctx, err, ReasonUnavailable, c.Title+" says no.", "")
	}
	var verdict struct {
		OK       *bool `json:"ok"`
		Problems []any `json:"problems"`
	}
	if json.Unmarshal(data, &verdict) != nil || verdict.OK == nil || *verdict.OK {
		return nil
	}
	why := c.Title + " says no."
	if len(verdict.Problems) > 0 {
		why = problemText(verdict.Problems[0])
	}
	return Errorf(PreconditionFailed, ReasonUnavailable, "%s", why).WithHint("Invoke %s to see everything that is missing.", name)
}

// problemText reads a problem that is a sentence or an object with a message.
func problemText(p any) string {
	if m, ok := p.(map[string]any); ok {
		if s, ok := m["message"].(string); ok {
			return s
		}
	}
	return fmt.Sprint(p)
}

// ErrUnmet is what a check returns that is unmet and has no words of its own: the
// Message and Hint of its [Precondition] are answered. A coded error is answered
// as it is, with that Hint where it has none. Any other error is a defect: the
// answer is INTERNAL, and the error is only in the log.
var ErrUnmet = errors.New("bus: not met")

// unmet makes a failed check's answer; one that was cut off has not failed.
func unmet(ctx context.Context, err error, reason Reason, message, hint string) error {
	var e *Error
	switch {
	case errors.As(err, &e):
		if e.Hint == "" && hint != "" {
			hinted := *e
			hinted.Hint = hint
			return &hinted
		}
		return e
	case ctx.Err() != nil:
		return ended(ctx)
	case !errors.Is(err, ErrUnmet):
		return uncodedError{err}
	}
	f := Errorf(PreconditionFailed, reason, "%s", message)
	f.Hint = hint
	return f
}

// nearest suggests up to three names that look like the one asked for.
func (b *Bus) nearest(name string, caller CallerType) string {
	if len(name) > 2*longestName {
		return "" // nothing is near it, and finding that out would take long
	}
	type match struct {
		name string
		d    int
	}
	var found []match
	for _, c := range b.Capabilities() {
		if c.AgentHidden && caller == CallerAgent {
			continue
		}
		d := distance(strings.ToLower(name), strings.ToLower(c.Name))
		if domain, _, ok := strings.Cut(name, "."); ok && strings.HasPrefix(c.Name, domain+".") {
			d -= len(domain)
		}
		if d <= len(name)/2 {
			found = append(found, match{c.Name, d})
		}
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].d < found[j].d })
	var names []string
	for i := 0; i < len(found) && i < 3; i++ {
		names = append(names, found[i].name)
	}
	return strings.Join(names, ", ")
}

// distance is the number of single-character edits between a and b.
func distance(a, b string) int {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := prev[0]
		prev[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, prev[j] = prev[j], min(prev[j]+1, prev[j-1]+1, diagonal+cost)
		}
	}
	return prev[len(b)]
}

// olderThan compares dotted versions number by number.
func olderThan(have, want string) bool {
	h, w := strings.Split(have, "."), strings.Split(want, ".")
	for i := range w {
		var a uint64
		if i < len(h) {
			a = leadingNumber(h[i])
		}
		b := leadingNumber(w[i])
		if a != b {
			return a < b
		}
	}
	return false
}

// leadingNumber reads the digits s begins with: none is 0, and what is too large
// is the largest there is.
func leadingNumber(s string) uint64 {
	if i := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }); i >= 0 {
		s = s[:i]
	}
	n, _ := strconv.ParseUint(s, 10, 64)
	return n
}
