// Package fieldtag reads the tags of struct fields that describe a schema, also short ones.
package fieldtag

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Expand returns the tag of a field of the struct type t in the notation of the schema reflector. It adds the tag from
// t's method TagFields, doc as a description, enum:"on,off" as the possible values, and x:"personal=true" as the
// extension keyword x-personal. more contains additional extension keywords, "said=card:card".
func Expand(t reflect.Type, f reflect.StructField, more string) reflect.StructTag {
	tag := f.Tag
	if d, ok := reflect.New(t).Interface().(interface{ TagFields() map[string]string }); ok {
		if own := d.TagFields()[JSONName(f)]; own != "" {
			tag += reflect.StructTag(" " + own)
		}
	}
	if values := tag.Get("enum"); values != "" {
		tag += reflect.StructTag(fmt.Sprintf(" jsonschema:%q", "enum="+strings.ReplaceAll(values, ",", ",enum=")))
	}
	if doc := tag.Get("doc"); doc != "" {
		tag += reflect.StructTag(fmt.Sprintf(" jsonschema_description:%q", doc))
	}
	if x := strings.Trim(tag.Get("x")+","+more, ","); x != "" {
		tag += reflect.StructTag(fmt.Sprintf(" jsonschema_extras:%q", "x-"+strings.ReplaceAll(x, ",", ",x-")))
	}
	return tag
}

// known lists the keys that describe a schema, except json.
var known = []string{"jsonschema", "jsonschema_description", "jsonschema_extras", "doc", "enum"}

// Parts splits the schema's part of an expanded tag: minLength=1, x-personal=true. It returns an error for a part that
// would be ignored silently.
func Parts(tag reflect.StructTag) (parts []string, err error) {
	var keys []string
	for rest := strings.TrimSpace(string(tag)); rest != ""; {
		key, value, _ := strings.Cut(rest, ":")
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil {
			return nil, fmt.Errorf("cannot be read: %s", tag)
		}
		if slices.Contains(keys, key) {
			return nil, fmt.Errorf("has %s twice, also by a short form", key)
		}
		for _, name := range known {
			if key != name && !slices.Contains(known, key) && Nearly(key, name) {
				return nil, fmt.Errorf("%q is nearly %q", key, name)
			}
		}
		keys, rest = append(keys, key), strings.TrimSpace(value[len(quoted):])
	}
	for _, key := range []string{"jsonschema", "jsonschema_extras"} {
		for part := range strings.SplitSeq(strings.ReplaceAll(tag.Get(key), `\,`, "\x00"), ",") {
			if name, _, _ := strings.Cut(part, "="); !slices.Contains([]string{"", "-", "required", "nullable"}, name) {
				parts = append(parts, part)
			}
		}
	}
	return parts, nil
}

// Nearly reports whether a word may be a misspelling of another: at most a quarter of its letters differ, in one place.
func Nearly(word, of string) bool {
	a, b := strings.ToLower(word), strings.ToLower(of)
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	return max(len(a), len(b)) <= len(of)/4
}

// JSONName returns the name of a field in JSON.
func JSONName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		return f.Name
	}
	return name
}
