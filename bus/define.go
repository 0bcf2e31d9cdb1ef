package bus

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/invopop/jsonschema"
)

// Define gives c a typed handler and infers its schemas from In and Out unless c
// has its own. Fields follow their json tags; omitempty, omitzero and pointers
// are optional; objects are closed. Constraints stand in `jsonschema:"…"` tags,
// extensions in `jsonschema_extras:"x-…=…"`. A field's description stands in
// `jsonschema_description:"…"` or in what its struct type's method
//
//	DescribeFields() map[string]string
//
// returns for its JSON name; an embedded struct describes its own fields. An Out
// of struct{} is an empty object.
func Define[In, Out any](c Capability, h func(ctx context.Context, call *Call, in In) (Out, error)) Capability {
	if c.InputSchema == nil {
		c.InputSchema = infer[In](true)
	}
	if c.OutputSchema == nil {
		c.OutputSchema = infer[Out](false)
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
func infer[T any](closed bool) json.RawMessage {
	r := jsonschema.Reflector{Anonymous: true, DoNotReference: true, AllowAdditionalProperties: !closed,
		LookupComment: describeField}
	s := r.Reflect(new(T))
	s.Version, s.ID = "", ""
	data, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("bus: infer a schema for %T: %v", *new(T), err))
	}
	return data
}

// describeField returns the description that the type t gives for one of its
// fields by DescribeFields, "" if none. For the type itself (no field) it has
// none either, but panics if DescribeFields names a field that t does not have.
func describeField(t reflect.Type, field string) string {
	described := fieldDescriptions(t)
	if field != "" {
		f, _ := t.FieldByName(field)
		return described[jsonName(f)]
	}
	for name := range described {
		if !hasDescribed(t, name) {
			panic(fmt.Sprintf("bus: %s.DescribeFields describes %q, which is not a field of its own", t, name))
		}
	}
	return ""
}

func fieldDescriptions(t reflect.Type) map[string]string {
	if t.Kind() == reflect.Struct {
		if d, ok := reflect.New(t).Interface().(interface{ DescribeFields() map[string]string }); ok {
			return d.DescribeFields()
		}
	}
	return nil
}

// hasDescribed reports whether the JSON name is one of t's own fields, or one
// that an embedded struct describes (t then has that struct's method).
func hasDescribed(t reflect.Type, name string) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		if jsonName(f) == name {
			return true
		}
		if f.Anonymous && f.Type.Kind() == reflect.Struct && fieldDescriptions(f.Type)[name] != "" {
			return true
		}
	}
	return false
}

func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name == "" {
		return f.Name
	}
	return name
}
