package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// The keys of objects that refer to values of a run.
const (
	From  = "$from"  // a part of the result of an earlier step
	Item  = "$item"  // a part of the current row
	Count = "$count" // the length of a list in the result of an earlier step
)

// Scope holds the values that arguments of a step may refer to.
type Scope struct {
	Results []any // of earlier steps, by number
	Row     *any  // of the step; nil if it runs once
}

// IsReference reports whether an object in an argument refers to a value of a run.
func IsReference(object map[string]any) bool { return referenceIn(object) != "" }

func referenceIn(object map[string]any) string {
	for _, key := range [...]string{From, Item, Count} {
		if _, has := object[key]; has {
			return key
		}
	}
	return ""
}

// Value returns the value that an object refers to. is reports whether the object is a reference, and ok whether the
// value exists.
func (s Scope) Value(object map[string]any) (value any, is, ok bool) {
	key := referenceIn(object)
	pointer, isText := object[key].(string)
	switch {
	case key == "":
		return nil, false, false
	case !isText || len(object) != 1:
	case key == Item && s.Row != nil:
		value, ok = jsonpointer.At(*s.Row, pointer)
	case key != Item && pointer != "":
		value, ok = jsonpointer.At(s.Results, pointer)
	}
	if key == Count && ok {
		rows, more, are := Rows(s.Results, pointer)
		return json.Number(strconv.Itoa(len(rows))), true, are && !more
	}
	return schema.Clone(value), true, ok
}

// Replace returns v with objects replaced by the values from by. at is the JSON Pointer of v. It does not search the
// values that it inserts.
func Replace(v any, at string, by func(object map[string]any, at string) (to any, is bool, err error)) (any, error) {
	var err error
	switch t := v.(type) {
	case map[string]any:
		if to, is, err := by(t, at); is || err != nil {
			return to, err
		}
		filled := maps.Clone(t)
		for _, key := range slices.Sorted(maps.Keys(t)) {
			if filled[key], err = Replace(t[key], at+"/"+jsonpointer.Escape(key), by); err != nil {
				return nil, err
			}
		}
		return filled, nil
	case []any:
		filled := slices.Clone(t)
		for i, sub := range t {
			if filled[i], err = Replace(sub, fmt.Sprint(at, "/", i), by); err != nil {
				return nil, err
			}
		}
		return filled, nil
	}
	return v, nil
}

// PointerTo returns the JSON Pointer of a text in decoded JSON.
func PointerTo(value any, text string) (pointer string, ok bool) {
	switch v := value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if at, ok := PointerTo(v[name], text); ok {
				return "/" + jsonpointer.Escape(name) + at, true
			}
		}
	case []any:
		for i, item := range v {
			if at, ok := PointerTo(item, text); ok {
				return fmt.Sprint("/", i, at), true
			}
		}
	}
	return "", value == text
}
