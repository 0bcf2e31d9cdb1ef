package schema

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// object is the part of a schema that this file reads.
type object struct {
	Description string
	Properties  map[string]object
	Items       *object
}

// at returns the schema at a JSON Pointer, and the name of the last field on the way.
func (o object) at(pointer string) (place object, name string) {
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		if step = jsonpointer.Unescape(step); o.Items != nil {
			o = *o.Items
			continue
		}
		if step != "" {
			o, name = o.Properties[step], step
		}
	}
	return o, name
}

// About returns the schema's descriptions of the fields that are wrong or missing, and of all fields of a wrong object;
// "" if there are none.
func About(input json.RawMessage, violations []bus.Violation) string {
	var root object
	if json.Unmarshal(input, &root) != nil {
		return ""
	}
	var said []string
	tell := func(name string, o object) {
		if line := name + ": " + strings.TrimSuffix(o.Description, "."); o.Description != "" && !slices.Contains(said, line) {
			said = append(said, line)
		}
	}
	for _, v := range violations {
		place, name := root.at(v.Path)
		tell(name, place)
		fields, _ := v.Params["properties"].([]string) // missing or unknown
		if v.Path != "" && len(fields) == 0 {
			fields = slices.Sorted(maps.Keys(place.Properties))
		}
		for _, field := range fields {
			tell(field, place.Properties[field])
		}
	}
	if len(said) == 0 {
		return ""
	}
	return strings.Join(said, ". ") + "."
}

// DecimalAmount returns a JSON Pointer to the first amount of money in the arguments with a decimal point, "" for none.
// Money is an object whose schema has the fields amount and currency.
func DecimalAmount(input, arguments json.RawMessage) (pointer string) {
	var root object
	args, err := text.ParseJSON(arguments)
	if err != nil || json.Unmarshal(input, &root) != nil {
		return ""
	}
	var walk func(o object, v any, at string)
	walk = func(o object, v any, at string) {
		switch v := v.(type) {
		case []any:
			for i, one := range v {
				if o.Items != nil {
					walk(*o.Items, one, at+"/"+strconv.Itoa(i))
				}
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				number, _ := v[name].(json.Number)
				_, money := o.Properties["currency"]
				if name == "amount" && money && strings.ContainsAny(number.String(), ".eE") && pointer == "" {
					pointer = at + "/amount"
				}
				walk(o.Properties[name], v[name], at+"/"+jsonpointer.Escape(name))
			}
		}
	}
	walk(root, args, "")
	return pointer
}
