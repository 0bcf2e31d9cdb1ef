package schema

import "encoding/json"

// BothWays validates value with the short way and with the compiled schema; known
// is false when the schema has no short way.
func BothWays(rawSchema json.RawMessage, value any) (short, compiled, known bool, err error) {
	s, err := Compile(rawSchema)
	if err != nil || s == nil || s.fast() == nil {
		return false, false, false, err
	}
	full, err := s.compiled()
	return s.fast().accepts(value), err == nil && full.Validate(value) == nil, true, err
}
