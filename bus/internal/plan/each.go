package plan

import (
	"bytes"
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// Rows returns the list at a pointer into the results of earlier steps. more reports whether the list continues on a
// page that was not read. ok is false if there is no list.
func Rows(results []any, pointer string) (rows []any, more, ok bool) {
	for end, r := range pointer + "/" {
		if r != '/' || end == 0 {
			continue
		}
		at, _ := jsonpointer.At(results, pointer[:end])
		object, _ := at.(map[string]any)
		for _, name := range []string{"nextCursor", "next_cursor"} {
			next, _ := object[name].(string)
			more = more || next != ""
		}
	}
	at, _ := jsonpointer.At(results, pointer)
	rows, ok = at.([]any)
	return rows, more, ok
}

// Filter selects rows by the values of their fields.
type Filter []test

// test is one condition of a Filter. An absent field counts as null.
type test struct {
	pointer   string
	in, notIn []any
	min, max  any
}

// ParseFilter reads an object with a value, or an object of bounds, for each JSON Pointer of a field. ok is false if
// the field at bad has neither.
func ParseFilter(raw json.RawMessage) (f Filter, bad string, ok bool) {
	var decoder schema.Decoders
	value, err := decoder.Decode(raw)
	fields, isObject := value.(map[string]any)
	if len(raw) == 0 {
		return nil, "", true
	}
	if err != nil || !isObject {
		return nil, "", false
	}
	for pointer, want := range fields {
		t := test{pointer: pointer, in: []any{want}}
		if bounds, are := want.(map[string]any); are {
			t.in = nil
			ok = t.bound(bounds)
		} else {
			ok = isScalar(want)
		}
		if !ok || pointer != "" && pointer[0] != '/' {
			return nil, pointer, false
		}
		f = append(f, t)
	}
	return f, "", true
}

// bound adds bounds to a test. ok is false if they are invalid.
func (t *test) bound(bounds map[string]any) (ok bool) {
	for name, b := range bounds {
		list, isList := b.([]any)
		_, isText := b.(string)
		_, isNumber := b.(json.Number)
		isList = isList && len(list) > 0 && !slices.ContainsFunc(list, func(v any) bool { return !isScalar(v) })
		switch {
		case name == "in" && isList:
			t.in = list
		case name == "not_in" && isList:
			t.notIn = list
		case name == "min" && (isText || isNumber):
			t.min = b
		case name == "max" && (isText || isNumber):
			t.max = b
		default:
			return false
		}
	}
	return len(bounds) > 0
}

func isScalar(v any) bool {
	switch v.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}

// Fields returns the JSON Pointers of the fields in the filter.
func (f Filter) Fields() (pointers []string) {
	for _, t := range f {
		pointers = append(pointers, t.pointer)
	}
	return pointers
}

// Keeps reports whether the filter accepts a row.
func (f Filter) Keeps(row any) bool {
	return !slices.ContainsFunc(f, func(t test) bool {
		v, _ := jsonpointer.At(row, t.pointer)
		is := func(other any) bool { return equal(v, other) }
		return t.in != nil && !slices.ContainsFunc(t.in, is) || slices.ContainsFunc(t.notIn, is) ||
			t.min != nil && !ordered(t.min, v) || t.max != nil && !ordered(v, t.max)
	})
}

// equal compares decoded JSON, numbers by their value.
func equal(a, b any) bool {
	one, _ := schema.AppendCanonical(nil, a) // both are decoded JSON
	other, _ := schema.AppendCanonical(nil, b)
	return bytes.Equal(one, other)
}

// ordered reports whether a is at most b, for two numbers or two texts.
func ordered(a, b any) bool {
	switch low := a.(type) {
	case string:
		high, is := b.(string)
		return is && strings.Compare(low, high) <= 0
	case json.Number:
		high, _ := b.(json.Number)
		x, ok := new(big.Rat).SetString(low.String())
		y, also := new(big.Rat).SetString(high.String())
		return ok && also && x.Cmp(y) <= 0
	}
	return false
}
