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

// The keys of objects that stand for values of a run.
const (
	From  = "$from"  // a part of the result of an earlier step
	Item  = "$item"  // a part of the row that the step is done for
	Count = "$count" // the length of a list in the result of an earlier step
)

// Scope has the values to which the arguments of a step may refer.
type Scope struct {
	Results []any // of earlier steps, by number
	Row     *any  // of the step; nil: it is done once
}

// IsReference reports whether an object of an argument takes the place of a value of a run.
func IsReference(object map[string]any) bool { return referenceIn(object) != "" }

func referenceIn(object map[string]any) string {
	for _, key := range [...]string{From, Item, Count} {
		if _, has := object[key]; has {
			return key
		}
	}
	return ""
}

// Value returns the value for which an object stands; is reports whether it stands for any, ok whether there is one.
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

// Replace returns v with other values in the place of the objects for which by reports one; at is the JSON Pointer of
// v. It does not look into the values that it puts in.
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
