package desk

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"

	"github.com/deskhand/deskhand/bus"
)

// schemas has a line for each schema, compressed: the capability, "input" or "output", and the schema. Internal/gen
// writes it, because inferring the schemas at each start took half of the time of a command.
//
//go:embed schemas.gz
var schemas []byte

// addSchemas gives capabilities the generated schemas, so that the bus need not infer them.
func addSchemas(all []bus.Capability) error {
	compressed, err := gzip.NewReader(bytes.NewReader(schemas))
	if err != nil {
		return fmt.Errorf("read the generated schemas: %w", err)
	}
	lines, err := io.ReadAll(compressed)
	if err != nil {
		return fmt.Errorf("read the generated schemas: %w", err)
	}
	known := map[string]json.RawMessage{}
	for line := range bytes.Lines(lines) {
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
	return nil
}
