package bus

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

//go:embed manifest.schema.json
var manifestSchema []byte

// JSONSchema returns the published schema of manifests.
func (Manifest) JSONSchema() json.RawMessage { return bytes.Clone(manifestSchema) }

// UnmarshalJSON reads a manifest for inspection, also that of another application. A manifest that does not fit the
// published schema is a VALIDATION error with every violation. Unknown fields are ignored. It does not compile the
// schemas of capabilities, because this bus need not enforce them.
func (m *Manifest) UnmarshalJSON(data []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return Errorf(Validation, ReasonArguments, "The manifest is not JSON: %v.", err)
	}
	published, err := schema.Compile(manifestSchema)
	if err != nil {
		return fmt.Errorf("bus: the manifest's own schema: %w", err)
	}
	if v := (side{published}).validate(value); v != nil {
		e := Errorf(Validation, ReasonArguments, "That is not a manifest: %s.", firstOf(v))
		e.Violations, e.SchemaSide = v, "request"
		return e
	}
	if err := m.decode(data); err != nil {
		return Errorf(Validation, ReasonArguments, "The manifest is not understood: %s.", plainJSONError(err))
	}
	seen := map[string]bool{}
	for _, e := range m.Capabilities {
		if seen[e.Name] {
			return Errorf(Validation, ReasonArguments, "The manifest has two capabilities called %s.", e.Name)
		}
		seen[e.Name] = true
	}
	return nil
}

// decode sets the fields that an older writer omits.
func (m *Manifest) decode(data []byte) error {
	type plain Manifest // without UnmarshalJSON
	var envelope struct {
		*plain
		Capabilities []json.RawMessage `json:"capabilities"` // replaces the manifest's field
	}
	envelope.plain = (*plain)(m)
	if err := json.Unmarshal(data, &envelope); err != nil {
		return err
	}
	m.Capabilities = make([]ManifestEntry, len(envelope.Capabilities))
	for i, raw := range envelope.Capabilities {
		e := ManifestEntry{Version: defaultVersion, Type: TypeAction, Concurrency: Concurrent,
			ExecutionContext: "local", AgentVisible: true}
		if err := json.Unmarshal(raw, &e); err != nil {
			return err
		}
		e.Title = cmp.Or(e.Title, e.Name)
		m.Capabilities[i] = e
	}
	return nil
}
