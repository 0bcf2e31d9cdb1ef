package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// Decoders read JSON like jsonschema.UnmarshalJSON, into maps, slices and [json.Number]. They are reused with their
// buffers, because new ones were a sixth of the allocations of an invocation.
type Decoders struct{ pool sync.Pool }

type decoder struct {
	text bytes.Reader
	json *json.Decoder
}

// longestKept limits the buffer of a decoder that is reused.
const longestKept = 16 << 10

// Decode reads a single value and refuses text after it.
func (d *Decoders) Decode(text []byte) (value any, err error) {
	one, ok := d.pool.Get().(*decoder)
	if !ok {
		one = &decoder{}
		one.json = json.NewDecoder(&one.text)
		one.json.UseNumber()
	}
	one.text.Reset(text)
	// After an error it is not reused, because it would continue with the rest of the text.
	if err := one.json.Decode(&value); err != nil {
		return nil, err
	}
	if _, err := one.json.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("invalid character after top-level value")
	}
	if len(text) <= longestKept {
		one.text.Reset(nil)
		d.pool.Put(one)
	}
	return value, nil
}
