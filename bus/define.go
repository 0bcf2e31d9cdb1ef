package bus

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/invopop/jsonschema"
)

// Define gives c a typed handler and infers its schemas from In and Out unless c
// has its own. Fields follow their json tags; omitempty, omitzero and pointers
// are optional; objects are closed. Constraints stand in `jsonschema:"…"` tags,
// free text in `jsonschema_description:"…"`, extensions in
// `jsonschema_extras:"x-…=…"`. An Out of struct{} is an empty object.
func Define[In, Out any](c Capability, h func(ctx context.Context, call *Call, in In) (Out, error)) Capability {
	if c.InputSchema == nil {
		c.InputSchema = infer[In](true)
	}
	if c.OutputSchema == nil {
		c.OutputSchema = infer[Out](false)
	}
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
		return data, nil
	}
	return c
}

// infer makes a self-contained schema for T: no references, so that a model and
// a form generator can read it without resolving anything. Inputs are closed;
// outputs may grow, so theirs are open.
func infer[T any](closed bool) json.RawMessage {
	r := jsonschema.Reflector{Anonymous: true, DoNotReference: true, AllowAdditionalProperties: !closed}
	s := r.Reflect(new(T))
	s.Version, s.ID = "", ""
	data, err := json.Marshal(s)
	if err != nil {
		panic(fmt.Sprintf("bus: infer a schema for %T: %v", *new(T), err))
	}
	return data
}
