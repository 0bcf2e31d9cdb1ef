package desk

import (
	"bytes"
	_ "embed"
	"encoding/json"

	"github.com/deskhand/deskhand/bus"
)

// schemas has a line for each schema: the capability, "input" or "output", and the schema. Internal/gen writes it:
// inferring the schemas at each start took half of the time of a command.
//
//go:embed schemas.txt
var schemas []byte

// addSchemas gives capabilities the generated schemas in place of those that the bus would infer.
func addSchemas(all []bus.Capability) {
	known := map[string]json.RawMessage{}
	for line := range bytes.Lines(schemas) {
		if at := bytes.IndexByte(line, '{'); at > 0 {
			known[string(line[:at])] = json.RawMessage(bytes.TrimSpace(line[at:]))
		}
	}
	for i := range all {
		c := &all[i]
		if c.InputSchema == nil {
			c.InputSchema = known[c.Name+" input "]
		}
		if c.OutputSchema == nil {
			c.OutputSchema = known[c.Name+" output "]
		}
	}
}
