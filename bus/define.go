package bus

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/deskhand/deskhand/internal/fieldtag"
	"github.com/deskhand/deskhand/internal/jsonpointer"
	"github.com/invopop/jsonschema"
)

// Define gives c a typed handler. [Bus.Register] infers the schemas from In and Out unless c already has them. Fields
// follow their json tags. Fields with omitempty or omitzero are optional, all others are required, also pointers.
// Objects are closed. Tags `jsonschema:"…"` contain constraints, `enum:"on,off"` contains the possible values, and
// `x:"personal=true"` contains extensions (this one sets the keyword "x-personal"; commas separate several). The method
// TagFields() map[string]string of the struct type may return tags that are too long for the field's line, by JSON
// name. The tags jsonschema_description and jsonschema_extras work too. An Out of struct{} is an empty object.
//
// A field is described by its tag `doc:"…"` or in c.Texts, which is usually an embedded file with a section for each
// capability and struct type of a package:
//
//	note.add: Write a note
//		? Something to remember
//		Adds a note with a title. Use it when something is to be remembered,
//		not to change a note.
//		- note {title}
//		- write down {title}
//
//	addInput:
//		title: One line, up to 80 characters.
//		kind says: errand:task|to be done:task
//		padId entity: pad
//
// The capability's section sets the Title, Help (after "?"), Description and Phrases that c lacks. "says" precedes the
// words that people use for the values of a field: the keyword "x-said". "entity" precedes the kind of record that the
// field identifies: the keyword "x-entity". A line with an additional tab continues the previous line. An embedded
// struct describes and tags its own fields.
//
// [Bus.Register] refuses mistakes in these definitions: texts without a section for c, a description of an unknown
// field, a tag without effect, and a type that JSON cannot represent.
func Define[In, Out any](c Capability, h func(ctx context.Context, call *Call, in In) (Out, error)) Capability {
	c.derive(reflect.TypeFor[In](), reflect.TypeFor[Out]())
	collect := collectorOf(reflect.TypeFor[Out]())
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
		if collect != nil {
			collect(reflect.ValueOf(out), "", &call.texts)
		}
		return data, nil
	}
	return c
}

// DefineFunc gives c an ordinary function as its handler, for a program that already has such functions. Schemas are
// inferred as by [Define]. around, unless it is nil, calls run with the context of the function. It may add to that
// context, for example the person and the transaction of the call, and it returns the error of run, with a code where
// there is one for it. If it keeps the error by [Error.WithCause], errors.Is finds that error in the result too.
func DefineFunc[In, Out any](c Capability, f func(ctx context.Context, in In) (Out, error),
	around func(ctx context.Context, call *Call, run func(ctx context.Context) error) error) Capability {
	return Define(c, func(ctx context.Context, call *Call, in In) (out Out, err error) {
		if around == nil {
			return f(ctx, in)
		}
		err = around(ctx, call, func(ctx context.Context) (failed error) {
			out, failed = f(ctx, in)
			return failed
		})
		return out, err
	})
}

// standsFor returns the call that replaces a call.
type standsFor = func(ctx context.Context, call *Call) (capability string, arguments json.RawMessage, err error)

// StandIn makes c another name for capabilities. A call of it, after its own checks, becomes a call of the capability
// that name returns, with those arguments. The bus validates, authorises, confirms and records that call as if it had
// been made directly; there is no record of c. A StandIn cannot be a step of a plan.
func StandIn[In any](c Capability, name func(in In) (capability string, arguments json.RawMessage)) Capability {
	c.derive(reflect.TypeFor[In](), reflect.TypeFor[struct{}]())
	c.OutputSchema, c.of.out = nil, defined{} // the output is that of the other capability
	c.standsFor = func(_ context.Context, call *Call) (capability string, arguments json.RawMessage, err error) {
		var in In
		if err := call.Decode(&in); err != nil {
			return "", nil, err // unreachable: the schema was checked
		}
		capability, arguments = name(in)
		return capability, arguments, nil
	}
	return c
}

// PlanOf makes c another name for plans, like [StandIn]. A call of it becomes a call of plan.propose with the steps
// that the function returns, for example from [Call.Fill]. The function runs in a snapshot. The sentence that it sets
// with [Call.Summarize] is the plan's name on the card and in the record.
func PlanOf[In any](c Capability, steps func(ctx context.Context, call *Call, in In) (json.RawMessage,
	error)) Capability {
	c = StandIn(c, func(In) (string, json.RawMessage) { return namePlan, nil })
	c.ofSteps = true
	c.standsFor = func(ctx context.Context, call *Call) (string, json.RawMessage, error) {
		var in In
		if err := call.Decode(&in); err != nil {
			return "", nil, err
		}
		all, err := steps(ctx, call, in)
		if err != nil {
			return "", nil, err
		}
		arguments, err := json.Marshal(map[string]json.RawMessage{"steps": all})
		return namePlan, arguments, err
	}
	return c
}

// Check converts a check of typed arguments for a [Precondition]'s Check or for [Checks.Limit].
func Check[In any](check func(ctx context.Context, call *Call, in In) error) func(ctx context.Context,
	call *Call) error {
	return func(ctx context.Context, call *Call) error {
		var in In
		if err := call.Decode(&in); err != nil {
			return err
		}
		return check(ctx, call, in)
	}
}

// derive sets the fields of c from its texts, and stores its types for Register, which infers the missing schemas. It
// also stores an error, which the code below it raises as a panic, as the reflector does.
func (c *Capability) derive(in, out reflect.Type) {
	defer c.keepPanic()
	texts := sectionsOf(c.Texts)
	c.of.in.by, c.of.out.by = inferredBy{t: in, side: inputSide, texts: texts},
		inferredBy{t: out, side: outputSide, texts: texts}
	c.withTexts(texts)
}

func (c *Capability) keepPanic() {
	if p := recover(); p != nil {
		c.wrong = fmt.Errorf("%v", p)
	}
}

// infer infers the missing schemas of c.
func (c *Capability) infer(late bool) {
	defer c.keepPanic()
	c.of.in.infer(&c.InputSchema, late)
	c.of.out.infer(&c.OutputSchema, late)
}

// defined is the input or output type of [Define].
type defined struct {
	by   inferredBy
	made *inferred // nil if the schema was given and compiles early
}

// inferred is a schema inferred from a type, or given in its place. It is made only once, because every bus of a
// program may have the same capabilities.
type inferred struct {
	raw   json.RawMessage
	late  *schema.Schema
	check func() error // verifies the schema against the type; nil for a given schema
}

// inferredBy identifies an inferred schema.
type inferredBy struct {
	t     reflect.Type // nil if the capability has only its schema, or none
	side  string
	texts *sections
	given string // a given schema; "" if inferred
}

var allInferred sync.Map // of func() *inferred, by inferredBy

// infer infers the schema of a capability without one. It panics with the error in the type.
func (d *defined) infer(raw *json.RawMessage, late bool) {
	by, given := d.by, *raw
	switch {
	case by.t == nil || given != nil && (!late || len(given) == 0):
		return
	case given != nil:
		by.given = string(given)
	}
	known, is := allInferred.Load(by)
	if !is {
		known, _ = allInferred.LoadOrStore(by, sync.OnceValue(func() *inferred {
			if given != nil {
				return &inferred{raw: given, late: schema.Late(given)}
			}
			return infer(by)
		}))
	}
	d.made = known.(func() *inferred)()
	*raw = d.made.raw
}

// infer makes a self-contained schema without references, which a model or a form generator can read directly. Inputs
// are closed. Outputs may gain fields, so their schemas are open.
func infer(by inferredBy) *inferred {
	if err := (tagParts)(nil).collect(by.t, "", nil); err != nil {
		panic(by.side + ": " + err.Error())
	}
	s := reflectorOf(by.side, by.texts)(by.t)
	data, err := schema.Append(nil, s)
	if err != nil {
		panic(err)
	}
	return &inferred{raw: data,
		late: schema.Late(data),
		check: sync.OnceValue(func() error {
			_, err := schema.Read(data)
			parts := tagParts{}
			return cmp.Or(err, parts.collect(by.t, "", nil), parts.check(data))
		})}
}

var reflectors sync.Map // of func(reflect.Type) *jsonschema.Schema, by inferredBy without a type

// reflectorOf returns a function that makes schemas of types and panics with the error in a type. It caches the schemas
// of structs, because many structs contain the same one. The function hides the library's reflector from the linker,
// which would otherwise keep its method that reads Go sources.
func reflectorOf(side string, texts *sections) func(reflect.Type) *jsonschema.Schema {
	by := inferredBy{side: side, texts: texts}
	if known, is := reflectors.Load(by); is {
		return known.(func(reflect.Type) *jsonschema.Schema)
	}
	var mu sync.Mutex
	structs := map[reflect.Type]*jsonschema.Schema{} // nil while being reflected
	r := &jsonschema.Reflector{Anonymous: true, DoNotReference: true, AllowAdditionalProperties: side == outputSide,
		LookupComment:    func(t reflect.Type, field string) string { return describeField(texts, t, field) },
		AdditionalFields: func(t reflect.Type) []reflect.StructField { return taggedFields(texts, t) }}
	reflected := func(t reflect.Type) *jsonschema.Schema {
		s := r.ReflectFromType(t)
		s.Version, s.ID = "", ""
		return s
	}
	r.Mapper = func(t reflect.Type) *jsonschema.Schema { // with nil the library reflects t
		kept, begun := structs[t]
		if t.Kind() == reflect.Struct && !begun {
			structs[t] = nil
			kept = reflected(t)
			structs[t] = kept
		}
		if kept == nil {
			return nil
		}
		s := *kept // the caller may change it
		s.Extras = maps.Clone(s.Extras)
		return &s
	}
	known, _ := reflectors.LoadOrStore(by, func(t reflect.Type) *jsonschema.Schema {
		mu.Lock()
		defer mu.Unlock()
		defer maps.DeleteFunc(structs, func(_ reflect.Type, s *jsonschema.Schema) bool { return s == nil }) // after a panic
		return reflected(t)
	})
	return known.(func(reflect.Type) *jsonschema.Schema)
}

// compiled returns the compiled schema raw. It is the inferred one unless none was inferred or raw differs from it.
func (d *defined) compiled(raw json.RawMessage, late bool) (s *schema.Schema, err error) {
	if i := d.made; i == nil || !bytes.Equal(i.raw, raw) || i.check == nil && !late {
		s, err = schema.Read(raw)
	} else if s = i.late; !late {
		err = i.check()
	}
	if err == nil && !late {
		err = s.Compile()
	}
	return s, err
}

var elements = map[reflect.Kind]string{reflect.Slice: "/items", reflect.Array: "/items",
	reflect.Map: "/additionalProperties"}

// tagParts holds the parts of tags, such as maxLength=3, by the path of their field.
type tagParts map[string][]string

// collect refuses types that a schema cannot express. above holds the structs that contain t. It reads no tags if the
// map is nil.
func (p tagParts) collect(t reflect.Type, path string, above []reflect.Type) error {
	if _, own := reflect.Zero(t).Interface().(interface{ JSONSchema() *jsonschema.Schema }); own {
		return nil
	}
	switch t.Kind() {
	case reflect.Chan, reflect.Func, reflect.Complex64, reflect.Complex128, reflect.Uintptr, reflect.UnsafePointer:
		return fmt.Errorf("at %s: JSON has no %s", path, t)
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return p.collect(t.Elem(), path+elements[t.Kind()], above)
	case reflect.Struct:
		if slices.Contains(above, t) {
			return fmt.Errorf("at %s: %s is within itself", path, t)
		}
		for i := range t.NumField() {
			f, name := t.Field(i), fieldtag.JSONName(t.Field(i))
			under := path + "/properties/" + jsonpointer.Escape(name)
			if f.Anonymous && f.Tag.Get("json") == "" {
				under = path
			} else if !f.IsExported() || name == "-" {
				continue
			}
			if p != nil {
				parts, err := fieldtag.Parts(fieldtag.Expand(t, f, ""))
				if err != nil {
					return fmt.Errorf("at %s: its tag %w", under, err)
				}
				p[under] = parts
			}
			if err := p.collect(f.Type, under, append(above, t)); err != nil {
				return err
			}
		}
	}
	return nil
}

// check refuses a tag part that is missing in the schema, because the reflector ignores unknown parts.
func (p tagParts) check(data []byte) error {
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(p)) {
		for _, part := range p[path] {
			keyword, _, _ := strings.Cut(part, "=")
			taken := strings.HasPrefix(keyword, "oneof_") || strings.HasPrefix(keyword, "anyof_")
			for _, of := range []string{"", "/items", "/oneOf/0"} { // the last is a nullable value
				m, _ := jsonpointer.At(doc, path+of)
				schema, _ := m.(map[string]any)
				taken = taken || schema[cmp.Or(map[string]string{"example": "examples"}[keyword], keyword)] != nil
			}
			if !taken {
				return fmt.Errorf("at %s: its tag's %q is not taken", path, part)
			}
		}
	}
	return nil
}

// describeField returns the description of a field of the type t, or "". Without a field it returns "", and panics if a
// description or a tag belongs to a field that t lacks.
func describeField(texts *sections, t reflect.Type, field string) string {
	descriptions, tags := byField(texts, t)
	if field != "" {
		f, _ := t.FieldByName(field)
		return descriptions[fieldtag.JSONName(f)]
	}
	for _, said := range []map[string]string{descriptions, tags} {
		for name := range said {
			if !hasField(t, strings.TrimSuffix(strings.TrimSuffix(name, says), entity)) {
				panic(fmt.Sprintf("%s describes or tags %q, which is not a field of its own", t, name))
			}
		}
	}
	return ""
}

// taggedFields returns the fields of t that have short tags, tags of TagFields, or words or a kind of record in texts.
// It gives them the tags that the reflector knows. The reflector uses them instead of the original fields.
func taggedFields(texts *sections, t reflect.Type) []reflect.StructField {
	var out []reflect.StructField
	said := texts.fields(t.Name())
	for i := range t.NumField() {
		f := t.Field(i)
		more := ""
		if words := said[fieldtag.JSONName(f)+says]; words != "" {
			more = "said=" + strings.ReplaceAll(words, "| ", "|")
		} else if kind := said[fieldtag.JSONName(f)+entity]; kind != "" {
			more = "entity=" + kind
		}
		if tag := fieldtag.Expand(t, f, more); tag != t.Field(i).Tag {
			f.Tag = tag
			out = append(out, f)
		}
	}
	return out
}

// byField returns the descriptions and tags of a struct type's fields from sources other than the fields' own tags.
func byField(texts *sections, t reflect.Type) (descriptions, tags map[string]string) {
	if t.Kind() != reflect.Struct {
		return nil, nil
	}
	if d, ok := reflect.New(t).Interface().(interface{ TagFields() map[string]string }); ok {
		tags = d.TagFields()
	}
	return texts.fields(t.Name()), tags
}

// hasField reports whether the JSON name belongs to one of t's own fields, or to a field of a struct that t embeds (t
// may then have that struct's methods).
func hasField(t reflect.Type, name string) bool {
	for i := range t.NumField() {
		f := t.Field(i)
		if fieldtag.JSONName(f) == name || f.Anonymous && f.Type.Kind() == reflect.Struct && hasField(f.Type, name) {
			return true
		}
	}
	return false
}
