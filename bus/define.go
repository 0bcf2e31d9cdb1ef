package bus

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/deskhand/deskhand/internal/fieldtag"
	"github.com/invopop/jsonschema"
)

// Define gives c a typed handler and infers its schemas from In and Out unless c
// has its own. Fields follow their json tags; omitempty, omitzero and pointers
// are optional; objects are closed. Constraints stand in `jsonschema:"…"` tags,
// values to choose from also in `enum:"on,off"`, extensions in `x:"unit=gram"`
// (which gives the keyword "x-unit"; several are separated by commas). Tags that
// are too long for the field's line may be returned by the struct type's method
// TagFields() map[string]string, by JSON name. The tags jsonschema_description and
// jsonschema_extras work too. An Out of struct{} is an empty object.
//
// A field is described by its tag `doc:"…"` or in c.Texts, which is usually an
// embedded file with a section for each capability and struct type of a package:
//
//	note.add: Write a note
//		Adds a note with a title. Use it when something is to be remembered,
//		not to change a note.
//		- note {title}
//		- write down {title}
//
//	addInput:
//		title: One line, up to 80 characters.
//		kind says: errand:task|to be done:task
//
// The capability's section gives it the Title, Description and Phrases that c
// does not have. After "says" stand the words that people say for the values of a
// field: the keyword "x-said". A line with one more tab continues the one before.
// An embedded struct describes and tags its own fields. Define panics if c.Texts
// has no section for c, and if a description names a field that the type does not
// have.
func Define[In, Out any](c Capability, h func(ctx context.Context, call *Call, in In) (Out, error)) Capability {
	c.withTexts()
	if c.InputSchema == nil {
		c.InputSchema = infer[In](c.Texts, true)
	}
	if c.OutputSchema == nil {
		c.OutputSchema = infer[Out](c.Texts, false)
	}
	c.Handler = func(ctx context.Context, call *Call) (json.RawMessage, error) {
		var in In
		if err := call.Decode(&in); err != nil {
			return nil, err
		}
		out, err := h(ctx, call, in)
		if err != nil {
			return nil, err
		}
		data, err := json.Marshal(out)
		if err != nil {
			return nil, fmt.Errorf("encode the output of %s: %w", c.Name, err)
		}
		return data, nil
	}
	return c
}

// infer makes a self-contained schema for T: no references, so that a model and
// a form generator can read it without resolving anything. Inputs are closed;
// outputs may grow, so theirs are open.
func infer[T any](texts string, closed bool) json.RawMessage {
	r := jsonschema.Reflector{Anonymous: true, DoNotReference: true, AllowAdditionalProperties: !closed,
		LookupComment:    func(t reflect.Type, field string) string { return describeField(texts, t, field) },
		AdditionalFields: func(t reflect.Type) []reflect.StructField { return taggedFields(texts, t) }}
	s := r.Reflect(new(T))
	s.Version, s.ID = "", ""
	data, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("bus: infer a schema for %T: %v", *new(T), err))
	}
	return data
}

// describeField returns the description of one field of the type t, "" if none.
// For the type itself (no field) it has none either, but panics if a description
// or a tag is for a field that t does not have.
func describeField(texts string, t reflect.Type, field string) string {
	descriptions, tags := byField(texts, t)
	if field != "" {
		f, _ := t.FieldByName(field)
		return descriptions[fieldtag.JSONName(f)]
	}
	for _, said := range []map[string]string{descriptions, tags} {
		for name := range said {
			if !hasField(t, strings.TrimSuffix(name, says)) {
				panic(fmt.Sprintf("bus: %s describes or tags %q, which is not a field of its own", t, name))
			}
		}
	}
	return ""
}

// taggedFields returns, with the tags that the reflector knows, the fields of t
// that have short tags, tags of TagFields, or words for their values in texts. The
// reflector takes them in place of its own.
func taggedFields(texts string, t reflect.Type) []reflect.StructField {
	var out []reflect.StructField
	said := fieldTexts(texts, t.Name())
	for i := range t.NumField() {
		f := t.Field(i)
		if words := said[fieldtag.JSONName(f)+says]; words != "" {
			f.Tag += reflect.StructTag(fmt.Sprintf(" x:%q", "said="+strings.ReplaceAll(words, "| ", "|")))
		}
		if tag := fieldtag.Expand(t, f); tag != t.Field(i).Tag {
			f.Tag = tag
			out = append(out, f)
		}
	}
	return out
}

// byField returns the descriptions and tags of the fields of a struct type that
// do not stand in the fields' own tags.
func byField(texts string, t reflect.Type) (descriptions, tags map[string]string) {
	if t.Kind() != reflect.Struct {
		return nil, nil
	}
	if d, ok := reflect.New(t).Interface().(interface{ TagFields() map[string]string }); ok {
		tags = d.TagFields()
	}
	return fieldTexts(texts, t.Name()), tags
}

// hasField reports whether the JSON name is one of t's own fields, or of a
// struct that t embeds (t may then have that struct's methods).
func hasField(t reflect.Type, name string) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		if fieldtag.JSONName(f) == name || f.Anonymous && f.Type.Kind() == reflect.Struct && hasField(f.Type, name) {
			return true
		}
	}
	return false
}
