package shopfile

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// compressed is docs/shop.schema.json as written by make gen.
//
//go:embed shop.schema.json.gz
var compressed []byte

// Schema returns the JSON Schema of a file.
func Schema() []byte {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		panic(err) // the file is embedded in the program
	}
	schema, err := io.ReadAll(r)
	if err != nil {
		panic(err)
	}
	return schema
}

// compile prepares the schema of each kind of element, by the name of its definition.
func compile(names ...string) (map[string]*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		return nil, err
	}
	const url = "mem:///shop.schema.json"
	c := jsonschema.NewCompiler()
	if err := c.AddResource(url, doc); err != nil {
		return nil, err
	}
	parts := map[string]*jsonschema.Schema{}
	for _, name := range names {
		if parts[name], err = c.Compile(url + "#/$defs/" + name); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

// violation returns the first error, by position, of an element against its schema, or nil if it is valid.
func violation(s *jsonschema.Schema, at Place, value any) *Problem {
	var bad *jsonschema.ValidationError
	if !errors.As(s.Validate(value), &bad) {
		return nil
	}
	var all []*Problem
	p := message.NewPrinter(language.English)
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		for _, cause := range e.Causes {
			walk(cause)
		}
		if len(e.Causes) == 0 {
			all = append(all, at.Refuse(jsonpointer.Join(e.InstanceLocation...), "%s.", e.ErrorKind.LocalizedString(p)))
		}
	}
	walk(bad)
	slices.SortStableFunc(all, func(a, b *Problem) int { return strings.Compare(a.Path, b.Path) })
	return all[0]
}

func index(i int) string { return strconv.Itoa(i) }

// Index returns the JSON Pointer of an index in a list.
func Index(i int) string { return jsonpointer.Join(index(i)) }
