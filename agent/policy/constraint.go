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

// Constraints bound what a grant covers: by the JSON Pointer of an input field ("/quantity") or the name of a fact
// ("amount"). All of them must hold, and what is not there fulfils none. An asterisk stands for each element of a list
// ("/lines/*/quantity"); a grant by the index of one is refused, since it would leave the other elements free.
//
// A constraint is an exact value, or an object of min, max, in and not_in, which may be combined. Amounts of money
// compare by their absolute value and only with the same currency; a bare number beside one counts minor units.
//
// As it is read from JSON, {"const": v} becomes the exact value v, minimum becomes min and maximum max: so capabilities
// and grants, the paper that grants come from, writes them in its example.
type Constraints map[string]json.RawMessage

// sameAs are the names that JSON Schema has for operators.
var sameAs = map[string]string{"minimum": "min", "maximum": "max"}

// UnmarshalJSON reads constraints in the words of this package. What it does not know it leaves, for [readConstraint]
// to refuse.
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

// constraint is one of them, read. An exact value is a list of one.
type constraint struct {
	min, max  any   // nil: none
	in, notIn []any // nil: none
}

// operators are the keys of an operator object.
var operators = []string{"min", "max", "in", "not_in"}

// maxValues bounds in and not_in: a list of everybody is no bound.
const maxValues = 50

// readConstraint reads a constraint. An operator that is not known is refused: to
// ignore it would allow more than was meant.
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

// allows says whether a value fulfils the constraint.
func (c constraint) allows(v any) bool {
	is := func(other any) bool { return sameValue(v, other) }
	return (c.in == nil || slices.ContainsFunc(c.in, is)) && !slices.ContainsFunc(c.notIn, is) &&
		(c.min == nil || ordered(c.min, v)) && (c.max == nil || ordered(v, c.max))
}

// read reads all of them.
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

// unmet names the first constraint that a call does not fulfil, "" for none.
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

// valuesAt finds the value of a constraint's key, or by an asterisk several. None: it is missing, or in one element.
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

// tighten is what fulfils both.
func tighten(a, b Constraints) (Constraints, error) {
	out := maps.Clone(a)
	if out == nil {
		out = Constraints{}
	}
	for _, key := range slices.Sorted(maps.Keys(b)) { // the first that cannot be fulfilled is named
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

// and is the constraint that allows what both allow.
func (c constraint) and(d constraint, key string) (json.RawMessage, error) {
	nothing := notBoth(key)
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

func notBoth(about string) error {
	return bus.Errorf(bus.Validation, bus.ReasonArguments, "Nothing fulfils both constraints on %s.", about)
}

// inCurrencyOf is a bound that keeps the currency of a bound it replaces. A negative number stays one: no size of money
// is as small.
func inCurrencyOf(bound, other any) any {
	b, _ := sizeOf(bound)
	if o, _ := sizeOf(other); b.currency == "" && o.currency != "" && b.n.Sign() >= 0 {
		return map[string]any{"amount": bound, "currency": o.currency}
	}
	return bound
}
