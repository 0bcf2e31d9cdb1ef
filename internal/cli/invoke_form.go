package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/codegen"
	"github.com/deskhand/deskhand/bus/peer"
	"github.com/deskhand/deskhand/internal/desk"
)

// askedForm returns the capability of a command line "invoke NAME --help", "" for other command lines.
func askedForm(ctx *kong.Context) string {
	for _, p := range ctx.Path {
		if p.Positional != nil && p.Positional.Name == "name" && ctx.Selected().Name == "invoke" {
			return ctx.Value(p).String()
		}
	}
	return ""
}

// form prints the fields of a capability and an example. It needs no shop, unless a peer offers the capability.
func (t *terminal) form(name string) error {
	m, err := desk.Manifest(t.ctx)
	if err == nil && strings.HasPrefix(name, peer.LocalName("", "")) {
		err = t.with(desk.Options{}, func(d *desk.Desk) (err error) {
			m, err = d.Bus.Manifest(t.ctx, bus.View{All: true})
			return err
		})
	}
	if err == nil {
		m, err = codegen.Select(m, []string{name}, nil)
	}
	if err != nil {
		return err
	}
	for i, e := range m.Capabilities {
		if t.flags.JSON {
			err = t.print(e)
		} else {
			err = t.printForm(e, i > 0)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (t *terminal) printForm(e bus.ManifestEntry, next bool) error {
	var s fieldSchema
	if len(e.InputSchema) > 0 {
		if err := json.Unmarshal(e.InputSchema, &s); err != nil {
			return err
		}
	}
	if next {
		fmt.Fprintln(t.Out)
	}
	fmt.Fprintf(t.Out, "%s: %s\n%s\n", e.Name, e.Title, e.Description)
	if len(s.Properties) > 0 {
		fmt.Fprintln(t.Out, "\nFields:")
		s.print(t, "  ")
	}
	fmt.Fprintln(t.Out, "\nExample:")
	_, err := fmt.Fprintf(t.Out, "  %s\n", t.example(e.Name, &s))
	return err
}

// example returns a command line with the required fields. A value in angle brackets is a placeholder.
func (t *terminal) example(name string, s *fieldSchema) string {
	command := t.self() + " invoke " + name
	if len(s.Required) > 0 {
		command += " '" + string(s.example("")) + "'"
	}
	return command
}

// fieldSchema is the part of a schema that the form of a capability shows.
type fieldSchema struct {
	Type        string
	Description string
	Enum        []json.RawMessage
	Default     json.RawMessage
	Minimum     json.Number
	Maximum     json.Number
	MaxLength   int
	Pattern     string
	Format      string
	Entity      string `json:"x-entity"`
	Time        bool   `json:"x-time"`
	Properties  fieldList
	Items       *fieldSchema
	Required    []string
}

// fieldList holds the fields of an object in the order of the schema.
type fieldList []field

type field struct {
	name string
	fieldSchema
}

// UnmarshalJSON implements [json.Unmarshaler].
func (l *fieldList) UnmarshalJSON(raw []byte) error {
	in := json.NewDecoder(bytes.NewReader(raw))
	if _, err := in.Token(); err != nil { // the opening brace
		return err
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			return err
		}
		f := field{name: fmt.Sprint(name)}
		if err := in.Decode(&f.fieldSchema); err != nil {
			return err
		}
		*l = append(*l, f)
	}
	return nil
}

// print prints a line for each field, and its description below.
func (s *fieldSchema) print(t *terminal, indent string) {
	for _, f := range s.Properties {
		need := ""
		if slices.Contains(s.Required, f.name) {
			need = ", required"
		}
		fmt.Fprintf(t.Out, "%s%s: %s%s\n", indent, f.name, f.kind(), need)
		if f.Description != "" {
			fmt.Fprintf(t.Out, "%s    %s\n", indent, f.Description)
		}
		inner := &f.fieldSchema
		for inner.Items != nil {
			inner = inner.Items
		}
		inner.print(t, indent+"    ")
	}
}

// kind describes the values of a field.
func (s *fieldSchema) kind() string {
	kind := map[string]string{"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false",
		"array": "list", "object": "object"}[s.Type]
	switch {
	case kind == "":
		kind = "any value"
	case len(s.Enum) > 0:
		list := make([]string, len(s.Enum))
		for i, one := range s.Enum {
			list[i] = strings.Trim(string(one), `"`)
		}
		kind = oneOf(strings.Join(list, ","))
	case s.Items != nil:
		kind += " of " + s.Items.kind()
	case s.Entity != "":
		kind += " (id of a " + s.Entity + ")"
	case s.Format != "":
		kind += " (" + s.Format + ")"
	case s.Time:
		kind += " (milliseconds since 1970)"
	}
	switch {
	case s.Minimum != "" && s.Maximum != "":
		kind += fmt.Sprintf(" from %s to %s", s.Minimum, s.Maximum)
	case s.Minimum != "":
		kind += " from " + s.Minimum.String()
	case s.Maximum != "":
		kind += " up to " + s.Maximum.String()
	}
	if s.Default != nil {
		kind += ", default " + string(s.Default)
	}
	return kind
}

// examplesOfText are tried in this order for a field with a pattern. The first is for a short text.
var examplesOfText = []string{"USD", "DE", "1234", "name", "order.list"}

// example returns a value for a field of that name; in an object, the required fields.
func (s *fieldSchema) example(name string) []byte {
	var v any
	switch {
	case s.Default != nil:
		return s.Default
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type == "object":
		all := make([]string, 0, len(s.Required))
		for _, f := range s.Properties {
			if slices.Contains(s.Required, f.name) {
				all = append(all, fmt.Sprintf("%q:%s", f.name, f.example(f.name)))
			}
		}
		return []byte("{" + strings.Join(all, ",") + "}")
	case s.Type == "array" && s.Items != nil:
		return fmt.Appendf(nil, "[%s]", s.Items.example(name))
	case s.Type == "integer" || s.Type == "number":
		v = 1
		if least, err := s.Minimum.Float64(); err == nil && least > 1 {
			v = least
		}
	case s.Type == "boolean":
		v = true
	default:
		v = s.text(name)
	}
	return fmt.Appendf(nil, "%#v", v)
}

// text returns an example of a text.
func (s *fieldSchema) text(name string) string {
	if known, ok := map[string]string{"date": "2026-03-02", "date-time": "2026-03-02T09:00:00Z",
		"email": "kim@example.com"}[s.Format]; ok {
		return known
	}
	if form, err := regexp.Compile(s.Pattern); s.Pattern != "" && err == nil {
		if at := slices.IndexFunc(examplesOfText, form.MatchString); at >= 0 {
			return examplesOfText[at]
		}
	}
	if placeholder := "<" + name + ">"; s.MaxLength == 0 || len(placeholder) <= s.MaxLength {
		return placeholder
	}
	return examplesOfText[0]
}
