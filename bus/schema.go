package bus

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"reflect"
	"sort"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// allowedKeywords are the schema keywords the bus enforces or carries. Any other
// one is refused at registration: the compiler would ignore a misspelt keyword,
// and the app would start with a rule nobody enforces. Keywords that begin with
// "x-" are annotations for the app's own surfaces.
var allowedKeywords = map[string]bool{
	"$schema": true, "$defs": true, "definitions": true, "$ref": true, "$comment": true,
	"type": true, "enum": true, "const": true, "format": true,
	"properties": true, "required": true, "additionalProperties": true, "minProperties": true, "maxProperties": true,
	"items": true, "prefixItems": true, "minItems": true, "maxItems": true, "uniqueItems": true,
	"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true, "multipleOf": true,
	"minLength": true, "maxLength": true, "pattern": true,
	"oneOf": true, "anyOf": true, "allOf": true, "not": true,
	"title": true, "description": true, "default": true, "examples": true,
	"readOnly": true, "writeOnly": true, "deprecated": true,
}

var allowedFormats = map[string]bool{
	"uuid": true, "email": true, "uri": true, "uri-reference": true, "date-time": true, "date": true,
}

// schema is one compiled side of a capability. nil means loose: anything passes.
type schema struct {
	compiled func() (*jsonschema.Schema, error) // once, when it is first called
	quick    fits                               // nil: there is no short way
	doc      map[string]any
	defaults bool     // any default anywhere
	secrets  []string // patterns of writeOnly fields, "*" for an array index
	fields   []string // patterns of all fields it names
}

// compileSchema checks the keywords of raw and compiles it.
func compileSchema(raw json.RawMessage) (*schema, error) {
	s, err := readSchema(raw)
	if s == nil || err != nil {
		return nil, err
	}
	_, err = s.compiled()
	return s, err
}

// readSchema checks the keywords of raw; it is compiled when the short way does not
// settle something.
func readSchema(raw json.RawMessage) (*schema, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	root, ok := doc.(map[string]any)
	if !ok {
		return nil, errors.New("a schema is a JSON object")
	}
	s := &schema{doc: root}
	if err := s.check(root, ""); err != nil {
		return nil, err
	}
	if err := s.checkFill(root, ""); err != nil {
		return nil, err
	}
	s.collect(root, "", nil)
	s.quick = quick(doc)
	s.compiled = sync.OnceValues(func() (*jsonschema.Schema, error) {
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		c.AssertFormat()
		c.UseLoader(noLoader{})
		const url = "mem:///schema.json"
		if err := c.AddResource(url, doc); err != nil {
			return nil, err
		}
		return c.Compile(url)
	})
	return s, nil
}

// noLoader refuses every reference that leaves the document.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("reference to %q: only local references are allowed", url)
}

// check walks every subschema and refuses what the bus could not enforce.
func (s *schema) check(node any, path string) error {
	m, ok := node.(map[string]any)
	if !ok {
		if _, isBool := node.(bool); isBool {
			return nil
		}
		return fmt.Errorf("%s: a schema is an object or a boolean", at(path))
	}
	for _, k := range sortedKeys(m) {
		v := m[k]
		sub := path + "/" + escapePointer(k)
		if !allowedKeywords[k] && !strings.HasPrefix(k, "x-") {
			return fmt.Errorf("%s: keyword %q is not supported", at(sub), k)
		}
		var err error
		switch k {
		case "properties", "$defs", "definitions":
			children, ok := v.(map[string]any)
			if !ok {
				return fmt.Errorf("%s: must be an object of schemas", at(sub))
			}
			for _, name := range sortedKeys(children) {
				if err = s.check(children[name], sub+"/"+escapePointer(name)); err != nil {
					return err
				}
			}
		case "items", "additionalProperties", "not":
			err = s.check(v, sub)
		case "oneOf", "anyOf", "allOf", "prefixItems":
			list, ok := v.([]any)
			if !ok {
				return fmt.Errorf("%s: must be a list of schemas", at(sub))
			}
			for i, c := range list {
				if err = s.check(c, fmt.Sprintf("%s/%d", sub, i)); err != nil {
					return err
				}
			}
		case "format":
			if f, _ := v.(string); !allowedFormats[f] {
				err = fmt.Errorf("%s: format %v is not supported", at(sub), v)
			}
		case "$ref":
			if r, _ := v.(string); !strings.HasPrefix(r, "#") {
				err = fmt.Errorf("%s: only local references are allowed, not %v", at(sub), v)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// collect notes whether there are defaults, and where writeOnly fields lie.
func (s *schema) collect(node any, pattern string, seen []string) {
	m, ok := node.(map[string]any)
	if !ok {
		return
	}
	if ref, ok := m["$ref"].(string); ok {
		for _, r := range seen {
			if r == ref {
				return
			}
		}
		s.collect(s.deref(ref), pattern, append(seen, ref))
	}
	if _, ok := m["default"]; ok {
		s.defaults = true
	}
	if m["writeOnly"] == true {
		s.secrets = append(s.secrets, pattern)
	}
	if props, ok := m["properties"].(map[string]any); ok {
		for _, name := range sortedKeys(props) {
			s.fields = append(s.fields, pattern+"/"+escapePointer(name))
			s.collect(props[name], pattern+"/"+escapePointer(name), seen)
		}
	}
	if items, ok := m["items"]; ok {
		s.collect(items, pattern+"/*", seen)
	}
	for _, k := range []string{"oneOf", "anyOf", "allOf"} {
		if list, ok := m[k].([]any); ok {
			for _, c := range list {
				s.collect(c, pattern, seen)
			}
		}
	}
}

// deref resolves a local reference, nil when it leads nowhere.
func (s *schema) deref(ref string) any {
	var node any = s.doc
	for _, part := range strings.Split(strings.TrimPrefix(strings.TrimPrefix(ref, "#"), "/"), "/") {
		if part == "" {
			continue
		}
		m, ok := node.(map[string]any)
		if !ok {
			return nil
		}
		node = m[unescapePointer(part)]
	}
	return node
}

// fill sets absent properties to their defaults, in place.
func (s *schema) fill(node any, value any) {
	m, ok := node.(map[string]any)
	if !ok {
		return
	}
	if ref, ok := m["$ref"].(string); ok {
		s.fill(s.deref(ref), value)
	}
	if obj, ok := value.(map[string]any); ok {
		props, _ := m["properties"].(map[string]any)
		for name, sub := range props {
			if _, present := obj[name]; !present {
				if p, ok := sub.(map[string]any); ok {
					if d, ok := p["default"]; ok {
						obj[name] = clone(d)
					}
				}
			}
			if child, present := obj[name]; present {
				s.fill(sub, child)
			}
		}
	}
	if list, ok := value.([]any); ok {
		for _, child := range list {
			s.fill(m["items"], child)
		}
	}
}

func clone(v any) any {
	switch t := v.(type) {
	case map[string]any:
		c := make(map[string]any, len(t))
		for k, e := range t {
			c[k] = clone(e)
		}
		return c
	case []any:
		c := make([]any, len(t))
		for i, e := range t {
			c[i] = clone(e)
		}
		return c
	}
	return v
}

// validate returns every violation, in a stable order; nil when value fits.
func (s *schema) validate(value any) []Violation {
	if s == nil || s.quick != nil && s.quick(value) {
		return nil
	}
	compiled, err := s.compiled()
	if err == nil {
		err = compiled.Validate(value)
	}
	if err == nil {
		return nil
	}
	var ve *jsonschema.ValidationError
	if !errors.As(err, &ve) {
		return []Violation{{Message: err.Error()}}
	}
	var out []Violation
	flatten(ve, message.NewPrinter(language.English), &out)
	for i, v := range out {
		if s.secret(v.Path) {
			out[i] = Violation{Path: v.Path, Message: "does not fit"} // the usual words may quote the value
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].Path < out[j].Path })
	return out
}

// flatten collects the leaves of the error tree: they say what is wrong, the
// inner nodes only where they stand.
func flatten(e *jsonschema.ValidationError, p *message.Printer, out *[]Violation) {
	if len(e.Causes) == 0 {
		var path strings.Builder
		for _, part := range e.InstanceLocation {
			path.WriteString("/" + escapePointer(part))
		}
		v := Violation{Path: path.String(), Message: e.ErrorKind.LocalizedString(p), Params: params(e.ErrorKind)}
		if keyword := e.ErrorKind.KeywordPath(); len(keyword) > 0 {
			v.Keyword = keyword[0]
		}
		*out = append(*out, v)
		return
	}
	for _, c := range e.Causes {
		flatten(c, p, out)
	}
}

// params are what a broken keyword asks for; see [Violation]. Most kinds of error
// have it in a field of the same name.
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

// A name as it stands in a JSON pointer (RFC 6901), and back.
var (
	pointerEscape   = strings.NewReplacer("~", "~0", "/", "~1")
	pointerUnescape = strings.NewReplacer("~1", "/", "~0", "~")
)

func escapePointer(s string) string   { return pointerEscape.Replace(s) }
func unescapePointer(s string) string { return pointerUnescape.Replace(s) }

func at(path string) string {
	if path == "" {
		return "at the root"
	}
	return "at " + path
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
