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

// Define gives c a typed handler; [Bus.Register] infers its schemas from In and Out unless c has its own by then.
// Fields follow their json tags; those with omitempty or omitzero are optional, others required, pointers too;
// objects are closed. Constraints stand in `jsonschema:"…"` tags, values to choose from also in `enum:"on,off"`,
// extensions in `x:"personal=true"` (which gives the keyword "x-personal"; several are separated by commas). Tags
// that are too long for the field's line may be returned by the struct type's method TagFields() map[string]string,
// by JSON name. The tags jsonschema_description and jsonschema_extras work too.
// An Out of struct{} is an empty object.
//
// A field is described by its tag `doc:"…"` or in c.Texts, which is usually an
// embedded file with a section for each capability and struct type of a package:
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
// The capability's section gives it the Title, Help (after "?"), Description and Phrases that c does not have. After
// "says" stand the words that people say for the values of a field: the keyword "x-said"; after "entity" the kind of
// record that the field is an id of: the keyword "x-entity". A line with one more tab continues the one before. An
// embedded struct describes and tags its own fields.
//
// [Bus.Register] refuses what is wrong here: texts without a section for c, a description of a field that the type does
// not have, a tag that changes nothing, a type that JSON cannot hold.
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

// standsFor returns the call that a call is.
type standsFor = func(ctx context.Context, call *Call) (capability string, arguments json.RawMessage, err error)

// StandIn makes c another name of capabilities: a call of it becomes, after its own checks, a call of the one that name
// returns, with those arguments. That call is validated, authorised, asked for and recorded as if it had been made by
// its own name; there is no record of c. What stands for another cannot be a step of a plan.
func StandIn[In any](c Capability, name func(in In) (capability string, arguments json.RawMessage)) Capability {
	c.derive(reflect.TypeFor[In](), reflect.TypeFor[struct{}]())
	c.OutputSchema, c.of.out = nil, defined{} // the output is that of the other capability
	c.standsFor = func(_ context.Context, call *Call) (capability string, arguments json.RawMessage, err error) {
		var in In
		if err := call.Decode(&in); err != nil {
			return "", nil, err // the schema has been checked: it does not happen
		}
		capability, arguments = name(in)
		return capability, arguments, nil
	}
	return c
}

// PlanOf makes c another name of plans, as [StandIn]: a call of it becomes a call of plan.propose with the steps that
// the function returns, such as [Call.Fill] makes them, in a snapshot. What that says by [Call.Summarize] is the plan's
// name on the card and in the record.
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

// Check makes a check of the arguments of one type: a [Precondition]'s Check, and [Checks.Limit].
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

// derive fills in what c says by its texts, and keeps its types for Register, which infers the schemas that c does not
// have. An error is kept too: deeper down it is a panic, as it is in the reflector.
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

// infer infers the schemas that c does not have.
func (c *Capability) infer(late bool) {
	defer c.keepPanic()
	c.of.in.infer(&c.InputSchema, late)
	c.of.out.infer(&c.OutputSchema, late)
}

// defined is one side of what [Define] made.
type defined struct {
	by   inferredBy
	made *inferred // nil: the schema was given, and is not read late
}

// inferred is a schema that was made of a type, or given in its place. It is made once: every desk of a program defines
// the same capabilities.
type inferred struct {
	raw   json.RawMessage
	late  *schema.Schema
	check func() error // that it is what it was made to be; nil: it was given
}

// inferredBy is what an inferred schema depends on.
type inferredBy struct {
	t     reflect.Type // nil: the capability has only its schema, or none
	side  string
	texts *sections
	given *byte // where the schema begins that was given; nil: it is inferred
}

var allInferred sync.Map // of func() *inferred, by inferredBy

// infer infers the schema of a capability that does not have one. It panics with what is wrong with the type.
func (d *defined) infer(raw *json.RawMessage, late bool) {
	by, given := d.by, *raw
	switch {
	case by.t == nil || given != nil && (!late || len(given) == 0):
		return
	case given != nil:
		by.given = &given[0]
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

// infer makes a self-contained schema: no references, so that a model and a form generator can read it without
// resolving anything. Inputs are closed; outputs may grow, so theirs are open.
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

// reflectorOf returns what makes schemas of types, and panics with what is wrong with one. What it made of a struct is
// kept: one is within many others. A function hides the library's reflector from the linker, which would keep its
// method that reads Go's sources.
func reflectorOf(side string, texts *sections) func(reflect.Type) *jsonschema.Schema {
	by := inferredBy{side: side, texts: texts}
	if known, is := reflectors.Load(by); is {
		return known.(func(reflect.Type) *jsonschema.Schema)
	}
	var mu sync.Mutex
	structs := map[reflect.Type]*jsonschema.Schema{} // nil: is being reflected
	r := &jsonschema.Reflector{Anonymous: true, DoNotReference: true, AllowAdditionalProperties: side == outputSide,
		LookupComment:    func(t reflect.Type, field string) string { return describeField(texts, t, field) },
		AdditionalFields: func(t reflect.Type) []reflect.StructField { return taggedFields(texts, t) }}
	reflected := func(t reflect.Type) *jsonschema.Schema {
		s := r.ReflectFromType(t)
		s.Version, s.ID = "", ""
		return s
	}
	r.Mapper = func(t reflect.Type) *jsonschema.Schema { // nil has the library reflect t
		kept, begun := structs[t]
		if t.Kind() == reflect.Struct && !begun {
			structs[t] = nil
			kept = reflected(t)
			structs[t] = kept
		}
		if kept == nil {
			return nil
		}
		s := *kept // its caller may change it
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

// compiled returns the schema raw, which was inferred unless there is none or another one.
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

// tagParts are the parts of tags, such as maxLength=3, by the path of their field.
type tagParts map[string][]string

// collect refuses what no schema can say; above are the structs that t is within. Without a map no tag is read.
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

// check refuses a part that the schema does not have: the reflector leaves out what it does not know.
func (p tagParts) check(data []byte) error {
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(p)) {
		for _, part := range p[path] {
			keyword, _, _ := strings.Cut(part, "=")
			taken := strings.HasPrefix(keyword, "oneof_") || strings.HasPrefix(keyword, "anyof_")
			for _, of := range []string{"", "/items", "/oneOf/0"} { // the last is what may be null
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

// describeField returns the description of one field of the type t, "" if none. For the type itself (no field) it has
// none either, but panics if a description or a tag is for a field that t does not have.
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

// taggedFields returns, with the tags that the reflector knows, the fields of t that have short tags, tags of
// TagFields, or words for their values or a kind of record in texts. The reflector takes them in place of its own.
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

// byField returns the descriptions and tags of the fields of a struct type that do not stand in the fields' own tags.
func byField(texts *sections, t reflect.Type) (descriptions, tags map[string]string) {
	if t.Kind() != reflect.Struct {
		return nil, nil
	}
	if d, ok := reflect.New(t).Interface().(interface{ TagFields() map[string]string }); ok {
		tags = d.TagFields()
	}
	return texts.fields(t.Name()), tags
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
