package bus

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// validateOutput is B9. It also checks that facts and changed domains are declared, and converts facts to their wire
// form.
func (r *run) validateOutput(out json.RawMessage, call *Call, output side) (json.RawMessage, error) {
	if len(out) == 0 {
		out = json.RawMessage("{}")
	}
	value, err := r.b.decoders.Decode(out)
	if err != nil {
		return nil, r.badOutput(out, []Violation{{Message: "not JSON: " + err.Error()}})
	}
	if v := output.validate(value); v != nil {
		return nil, r.badOutput(out, v)
	}
	for _, e := range call.events {
		if e.Type == EventStateChange && !slices.Contains(r.cap.Changes, e.Domain) &&
			!slices.Contains(r.cap.Changes, anyDomain) {
			return nil, uncodedError{fmt.Errorf("%s changes the domain %q, which it does not declare", r.cap.Name, e.Domain)}
		}
	}
	if len(call.facts) == 0 {
		return out, nil
	}
	for _, name := range slices.Sorted(maps.Keys(call.facts)) {
		if !slices.Contains(r.cap.Facts, name) {
			return nil, uncodedError{fmt.Errorf("%s states the fact %q, which it does not declare", r.cap.Name, name)}
		}
	}
	raw, err := json.Marshal(call.facts)
	if err != nil {
		return nil, uncodedError{err}
	}
	if err := json.Unmarshal(raw, &call.facts); err != nil {
		return nil, uncodedError{err}
	}
	return out, nil
}

func (r *run) badOutput(out json.RawMessage, v []Violation) error {
	r.entry.Response = r.b.redactedResponse(r.cap, out)
	return r.violated("response", v)
}
