package schema

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// Decoders read JSON as jsonschema.UnmarshalJSON does, into maps, slices and [json.Number]. They are kept with their
// buffers: new ones were a sixth of what an invocation allocates.
type Decoders struct{ pool sync.Pool }

type decoder struct {
	text bytes.Reader
	json *json.Decoder
}

// A decoder whose buffer is longer is not kept.
const longestKept = 16 << 10

// Decode reads one value and nothing after it.
func (d *Decoders) Decode(text []byte) (value any, err error) {
	one, ok := d.pool.Get().(*decoder)
	if !ok {
		one = &decoder{}
		one.json = json.NewDecoder(&one.text)
		one.json.UseNumber()
	}
	one.text.Reset(text)
	// After an error it is not kept: the rest of the text would come first.
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
