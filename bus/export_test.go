package bus

import "encoding/json"

// BothWays validates value with the short way and with the compiled schema; known
// is false when the schema has no short way.
func BothWays(rawSchema json.RawMessage, value any) (short, compiled, known bool, err error) {
	s, err := compileSchema(rawSchema)
	if err != nil || s == nil || s.quick == nil {
		return false, false, false, err
	}
	full, err := s.compiled()
	return s.quick(value), err == nil && full.Validate(value) == nil, true, err
}

// Canonical is how arguments are written down.
func Canonical(value any) ([]byte, error) { return appendCanonical(nil, value) }

// DecodeInvocation reads the wire form as InvokeJSON does.
var DecodeInvocation = decodeInvocation

// Search is the index behind capability.list by itself, for benchmarks: how many
// of the first n it finds.
func Search(b *Bus, query string, n int) int {
	return len(b.listed.Load().find().search(query, n, nil, func(int) bool { return true }))
}

// Inexact says why arguments are refused before a schema sees them, "" when not.
func Inexact(raw []byte, value any) string { return inexact(raw, value) }

// Decoders are kept decoders.
type Decoders struct{ kept decoders }

// Decode reads one value.
func (d *Decoders) Decode(text []byte) (any, error) { return d.kept.decode(text) }
