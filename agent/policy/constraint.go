package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// Constraints bound the calls that a grant covers. A key is the JSON Pointer of an input field ("/quantity") or the
// name of a fact ("amount"). A call must meet all of them; a missing value meets none. An asterisk means each element
// of a list ("/lines/*/quantity"). A constraint on one index is refused, because it would leave the other elements
// free.
//
// A constraint is an exact value, or an object of min, max, in and not_in, which may be combined. Amounts of money
// compare by their absolute value and only within one currency; next to an amount a bare number counts minor units.
//
// The JSON form also accepts {"const": v} for the exact value v, minimum for min and maximum for max, because the paper
// on capabilities and grants, from which the design comes, uses these words in its example.
type Constraints map[string]json.RawMessage

// sameAs maps the operator names of JSON Schema to those of this package.
var sameAs = map[string]string{"minimum": "min", "maximum": "max"}

// UnmarshalJSON reads constraints and translates the operators in sameAs. It keeps unknown operators for
// [readConstraint] to refuse.
func (cs *Constraints) UnmarshalJSON(data []byte) error {
	var read map[string]json.RawMessage
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	for key, raw := range read {
		var fields map[string]json.RawMessage
		if json.Unmarshal(raw, &fields) != nil {
			continue // an exact value
		}
		if exact, is := fields["const"]; is && len(fields) == 1 {
			read[key] = exact
			continue
		}
		renamed := false
		for name, op := range sameAs {
			bound, is := fields[name]
			if _, twice := fields[op]; !is || twice {
				continue
			}
			fields[op], renamed = bound, true
			delete(fields, name)
		}
		if renamed {
			read[key], _ = json.Marshal(fields) // it was JSON
		}
	}
	*cs = read
	return nil
}

// constraint is one parsed constraint. An exact value becomes a list of one.
type constraint struct {
	min, max  any   // nil: no bound
	in, notIn []any // nil: no bound
}

// operators lists the keys of an operator object.
var operators = []string{"min", "max", "in", "not_in"}

// maxValues limits the length of in and not_in: a list of every possible value would be no bound.
const maxValues = 50

// readConstraint parses a constraint. It refuses an unknown operator: ignoring it would allow more than the person
// meant.
func readConstraint(key string, raw json.RawMessage) (c constraint, err error) {
	v, err := text.ParseJSON(raw)
	if err != nil {
		return c, bus.Errorf(bus.Validation, bus.ReasonArguments, "The constraint on %s is not JSON.", key)
	}
	fields, isObject := v.(map[string]any)
	_, isList := v.([]any)
	_, isMoney := moneyOf(v)
	switch {
	case v == nil || isList:
		return c, bus.Errorf(bus.Validation, bus.ReasonArguments, "The constraint on %s is no value.", key).
			WithHint(`For one of several write {"in": […]}.`)
	case !isObject || isMoney:
		return constraint{in: []any{v}}, nil
	case len(fields) == 0:
		return c, bus.Errorf(bus.Validation, bus.ReasonArguments, "The constraint on %s says nothing.", key).
			WithHint("Leave it out, or give it a bound.")
	}
	for _, op := range slices.Sorted(maps.Keys(fields)) {
		bound := fields[op]
		list, _ := bound.([]any)
		_, isSize := sizeOf(bound)
		fits, must := isSize, "a number or an amount of money"
		if op == "in" || op == "not_in" {
			fits, must = len(list) > 0 && len(list) <= maxValues, fmt.Sprintf("a list of 1 to %d values", maxValues)
		}
		switch op {
		case "min":
			c.min = bound
		case "max":
			c.max = bound
		case "in":
			c.in = list
		case "not_in":
			c.notIn = list
		default:
			return c, bus.Errorf(bus.Validation, bus.ReasonUnknownOperator, "%q is no operator of a constraint on %s.", op,
				key).WithHint("Use an exact value, or %s.", strings.Join(operators, ", "))
		}
		if !fits {
			return c, bus.Errorf(bus.Validation, bus.ReasonArguments, "%s of the constraint on %s is not %s.", op, key, must)
		}
	}
	return c, nil
}

// allows reports whether a value meets the constraint.
func (c constraint) allows(v any) bool {
	is := func(other any) bool { return sameValue(v, other) }
	return (c.in == nil || slices.ContainsFunc(c.in, is)) && !slices.ContainsFunc(c.notIn, is) &&
		(c.min == nil || ordered(c.min, v)) && (c.max == nil || ordered(v, c.max))
}

// read parses all constraints.
func (cs Constraints) read() (map[string]constraint, error) {
	all := map[string]constraint{}
	for _, key := range slices.Sorted(maps.Keys(cs)) {
		c, err := readConstraint(key, cs[key])
		if err != nil {
			return nil, err
		}
		all[key] = c
	}
	return all, nil
}

// unmet returns the key of the first constraint that a call does not meet, "" for none.
func (cs Constraints) unmet(args json.RawMessage, facts map[string]any) (string, error) {
	all, err := cs.read()
	if err != nil {
		return "", err
	}
	input, err := text.ParseJSON(args)
	if err != nil {
		return "", err
	}
	for _, key := range slices.Sorted(maps.Keys(all)) {
		values := valuesAt(key, input, facts)
		if len(values) == 0 || slices.ContainsFunc(values, func(v any) bool { return !all[key].allows(v) }) {
			return key, nil
		}
	}
	return "", nil
}

// valuesAt returns the value of a constraint's key, several for an asterisk. It returns none if a value is missing,
// even in one element.
func valuesAt(key string, input any, facts map[string]any) []any {
	if !strings.HasPrefix(key, "/") {
		if v, there := facts[key]; there {
			return []any{v}
		}
		return nil
	}
	before, after, _ := strings.Cut(key+"/", "/*/")
	list, _ := jsonpointer.At(input, before)
	elements, isList := list.([]any)
	if before == key+"/" || !isList {
		if v, there := jsonpointer.At(input, key); there {
			return []any{v}
		}
		return nil
	}
	var all []any
	for _, e := range elements {
		found := []any{e}
		if after != "" {
			found = valuesAt("/"+strings.TrimSuffix(after, "/"), e, nil)
		}
		if len(found) == 0 {
			return nil
		}
		all = append(all, found...)
	}
	return all
}

// tighten returns the constraints that require both a and b.
func tighten(a, b Constraints) (Constraints, error) {
	out := maps.Clone(a)
	if out == nil {
		out = Constraints{}
	}
	for _, key := range slices.Sorted(maps.Keys(b)) { // sorted, so that the error always names the same key
		raw := b[key]
		mine, both := out[key]
		if !both {
			out[key] = raw
			continue
		}
		x, err := readConstraint(key, mine)
		if err != nil {
			return nil, err
		}
		y, err := readConstraint(key, raw)
		if err != nil {
			return nil, err
		}
		if out[key], err = x.and(y, key); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// and returns the constraint that allows a value only if both allow it.
func (c constraint) and(d constraint, key string) (json.RawMessage, error) {
	nothing := errUnsatisfiable(key)
	if list := slices.Concat(c.in, d.in); len(list) > 0 {
		var both []any
		for _, v := range list {
			if c.allows(v) && d.allows(v) && !slices.ContainsFunc(both, func(other any) bool { return sameValue(v, other) }) {
				both = append(both, v)
			}
		}
		switch len(both) {
		case 0:
			return nil, nothing
		case 1:
			return json.Marshal(both[0])
		}
		return json.Marshal(map[string]any{"in": both})
	}
	out := map[string]any{}
	if list := slices.Concat(c.notIn, d.notIn); len(list) > 0 {
		out["not_in"] = list
	}
	for op, pair := range map[string][2]any{"min": {c.min, d.min}, "max": {c.max, d.max}} {
		a, b := pair[0], pair[1]
		switch {
		case a == nil && b == nil: // no bound
		case a == nil:
			out[op] = b
		case b == nil:
			out[op] = a
		case !ordered(a, b) && !ordered(b, a): // another currency
			return nil, nothing
		case ordered(a, b) == (op == "min"):
			out[op] = inCurrencyOf(b, a)
		default:
			out[op] = inCurrencyOf(a, b)
		}
	}
	return json.Marshal(out)
}

func errUnsatisfiable(about string) error {
	return bus.Errorf(bus.Validation, bus.ReasonArguments, "Nothing fulfils both constraints on %s.", about)
}

// inCurrencyOf returns the bound with the currency of the bound that it replaces. A negative number keeps no currency:
// sizes of money are never negative.
func inCurrencyOf(bound, other any) any {
	b, _ := sizeOf(bound)
	if o, _ := sizeOf(other); b.currency == "" && o.currency != "" && b.n.Sign() >= 0 {
		return map[string]any{"amount": bound, "currency": o.currency}
	}
	return bound
}
