package bus

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"
)

// decoders read JSON as jsonschema.UnmarshalJSON does, into maps, slices and
// [json.Number], and are kept with their buffers: a new one for every arguments
// and every output was a sixth of what an invocation allocates.
type decoders struct{ pool sync.Pool }

type decoder struct {
	text bytes.Reader
	json *json.Decoder
}

// longestKept bounds the buffer that is kept.
const longestKept = 16 << 10

// decode reads one value and nothing after it.
func (d *decoders) decode(text []byte) (value any, err error) {
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
