package schema

import (
	"cmp"
	"errors"
	"math/big"
	"reflect"
	"slices"

	"github.com/deskhand/deskhand/internal/jsonpointer"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Violation is a violation of a schema in a value. Package bus documents the fields.
type Violation struct {
	Path    string
	Message string
	Keyword string
	Params  map[string]any
}

// Validate returns every violation by path, or nil if value fits.
func (s *Schema) Validate(value any) []Violation {
	if s == nil {
		return nil
	}
	if fast := s.fast(); fast != nil && fast.accepts(value) {
		return nil
	}
	compiled, err := s.compiled()
	if err == nil {
		err = compiled.Validate(value)
	}
	if err == nil {
		return nil
	}
	var invalid *jsonschema.ValidationError
	if !errors.As(err, &invalid) {
		return []Violation{{Message: err.Error()}}
	}
	out := leaves(invalid, message.NewPrinter(language.English), nil)
	for i, v := range out {
		if s.isSecret(v.Path) {
			out[i] = Violation{Path: v.Path, Message: "does not fit"} // the usual message may quote the value
		}
	}
	slices.SortStableFunc(out, func(a, b Violation) int { return cmp.Compare(a.Path, b.Path) })
	return out
}

// leaves appends the leaves of the error tree. They contain the errors; inner nodes only contain positions.
func leaves(e *jsonschema.ValidationError, p *message.Printer, out []Violation) []Violation {
	for _, c := range e.Causes {
		out = leaves(c, p, out)
	}
	if len(e.Causes) > 0 {
		return out
	}
	if extra, ok := e.ErrorKind.(*kind.AdditionalProperties); ok {
		slices.Sort(extra.Properties) // they arrive in the order of a map
	}
	v := Violation{Path: jsonpointer.Join(e.InstanceLocation...), Message: e.ErrorKind.LocalizedString(p),
		Params: params(e.ErrorKind)}
	if keyword := e.ErrorKind.KeywordPath(); len(keyword) > 0 {
		v.Keyword = keyword[0]
	}
	return append(out, v)
}

// params returns the details of a violated keyword. Most kinds of error have them in a field of the same name.
func params(broken jsonschema.ErrorKind) map[string]any {
	p := map[string]any{}
	fields := reflect.ValueOf(broken).Elem()
	for field, param := range map[string]string{"Want": "want", "Missing": "properties", "Properties": "properties"} {
		if f := fields.FieldByName(field); f.IsValid() {
			p[param] = f.Interface()
		}
	}
	if number, ok := p["want"].(*big.Rat); ok {
		p["want"], _ = number.Float64()
	}
	if k, ok := broken.(*kind.Type); ok {
		p["got"] = k.Got
	}
	return p
}
