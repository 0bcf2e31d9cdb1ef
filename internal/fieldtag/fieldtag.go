// Package fieldtag reads the tags of struct fields that describe a schema, short ones included.
package fieldtag

import (
	"fmt"
	"reflect"
	"strings"
)

// Expand returns the tag of a field of the struct type t as the schema reflector knows it: with what t's method
// TagFields says of the field, doc as a description, enum:"on,off" as the values it may have, and x:"personal=true" as
// the extension keyword x-personal.
func Expand(t reflect.Type, f reflect.StructField) reflect.StructTag {
	tag := f.Tag
	if d, ok := reflect.New(t).Interface().(interface{ TagFields() map[string]string }); ok {
		if more := d.TagFields()[JSONName(f)]; more != "" {
			tag += reflect.StructTag(" " + more)
		}
	}
	if values := tag.Get("enum"); values != "" {
		tag += reflect.StructTag(fmt.Sprintf(" jsonschema:%q", "enum="+strings.ReplaceAll(values, ",", ",enum=")))
	}
	if doc := tag.Get("doc"); doc != "" {
		tag += reflect.StructTag(fmt.Sprintf(" jsonschema_description:%q", doc))
	}
	if x := tag.Get("x"); x != "" {
		tag += reflect.StructTag(fmt.Sprintf(" jsonschema_extras:%q", "x-"+strings.ReplaceAll(x, ",", ",x-")))
	}
	return tag
}

// JSONName is the name of a field in JSON.
func JSONName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		return f.Name
	}
	return name
}
