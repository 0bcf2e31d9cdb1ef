package schema_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/invopop/jsonschema"
)

type within struct {
	Name  string `json:"name" jsonschema:"minLength=0,maxLength=9,pattern=^<&>$" jsonschema_description:"A \"name\"."`
	Other *int   `json:"other,omitempty" jsonschema:"nullable,minimum=0,maximum=1.5" jsonschema_extras:"x-b=<2>,x-a=1"`
}

type allSorts struct {
	within
	One    within            `json:"one" jsonschema_description:"The first." jsonschema_extras:"x-of=one"`
	Two    within            `json:"two" jsonschema_extras:"x-of=two"`
	Three  *within           `json:"three"`
	List   []within          `json:"list" jsonschema:"minItems=0,maxItems=3,uniqueItems=true"`
	Map    map[string]within `json:"a<b"`
	Any    any               `json:"any"`
	Raw    json.RawMessage   `json:"raw"`
	Empty  struct{}          `json:"empty"`
	At     time.Time         `json:"at"`
	Choice string            `json:"choice" jsonschema:"enum=a,enum=b,default=a,example=b,deprecated=true"`
	Either any               `json:"either" jsonschema:"oneof_type=string;integer"`
	Bytes  []byte            `json:"bytes" jsonschema:"writeOnly=true"`
}

// holds: C15
func TestC15ASchemaIsWrittenAsTheLibraryWritesIt(t *testing.T) {
	for _, open := range []bool{true, false} {
		r := jsonschema.Reflector{DoNotReference: true, AllowAdditionalProperties: open}
		whole := r.Reflect(allSorts{})
		zero := uint64(0)
		for name, s := range map[string]*jsonschema.Schema{"inferred": whole, "true": jsonschema.TrueSchema,
			"false": jsonschema.FalseSchema, "nothing": {}, "only extras": {Extras: map[string]any{"x-a": 1}},
			"by hand": {AllOf: []*jsonschema.Schema{}, AnyOf: []*jsonschema.Schema{whole, jsonschema.FalseSchema},
				Definitions: jsonschema.Definitions{"b": whole, "a": {}}, MinLength: &zero, Const: false,
				DependentRequired: map[string][]string{"a": {"b"}}, Not: &jsonschema.Schema{}}} {
			want, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := schema.Append(nil, s); err != nil || string(got) != string(want) {
				t.Errorf("%s: %v\ngot  %s\nwant %s", name, err, got, want)
			}
		}
	}
	wrong := &jsonschema.Schema{Items: &jsonschema.Schema{Const: func() {}}}
	if got, err := schema.Append(nil, wrong); err == nil {
		t.Errorf("a function was written: %s", got)
	}
}
