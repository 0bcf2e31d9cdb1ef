package bustest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus/internal/schema"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// mangler spoils valid argument bodies, led by their schema. The same capability gets the same bodies in every run.
type mangler struct {
	schema *oracle
	valid  [][]byte // to be spoilt: the smallest valid body, and one with every known field
	rng    *rand.Rand
}

func newMangler(schema *oracle, args json.RawMessage, name string) *mangler {
	seed := fnv.New64a()
	seed.Write([]byte(name))
	m := &mangler{schema: schema, rng: rand.New(rand.NewPCG(seed.Sum64(), 1))}
	m.valid = append(m.valid, args)
	if schema != nil {
		full, err := json.Marshal(example{doc: schema.doc, all: true}.value(schema.doc, 0))
		if err == nil {
			m.valid = append(m.valid, full)
		}
	}
	return m
}

// bodies makes n bodies that break the schema, or fewer where there is no schema to break.
func (m *mangler) bodies(n int) [][]byte {
	var list [][]byte
	for tries := 0; len(list) < n && tries < 8*n; tries++ {
		if body := m.spoil(); !m.schema.admits(body) {
			list = append(list, body)
		}
	}
	return list
}

// other makes arguments that fit the schema and are not the given ones, nil when none are found.
func (m *mangler) other() []byte {
	given, err := jsonschema.UnmarshalJSON(bytes.NewReader(m.valid[0]))
	if err != nil {
		return nil
	}
	was, _ := json.Marshal(m.schema.withDefaults(given))
	for range 2000 {
		body := m.restructure(m.valid[m.rng.IntN(len(m.valid))])
		if len(body) > 1000 || !m.schema.admits(body) {
			continue
		}
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		if err != nil {
			continue
		}
		if is, _ := json.Marshal(m.schema.withDefaults(value)); !bytes.Equal(is, was) {
			return body
		}
	}
	return nil
}

// spoil changes a body once or a few times.
func (m *mangler) spoil() []byte {
	body := bytes.Clone(m.valid[m.rng.IntN(len(m.valid))])
	if m.rng.IntN(4) == 0 {
		return m.respell(body)
	}
	for range 1 + m.rng.IntN(2) {
		body = m.restructure(body)
	}
	if m.rng.IntN(10) == 0 {
		body = m.respell(body)
	}
	return body
}

// respell spoils the text of a body.
func (m *mangler) respell(body []byte) []byte {
	at := m.rng.IntN(len(body) + 1)
	switch m.rng.IntN(9) {
	case 0: // truncated
		return body[:at]
	case 1: // a byte that is none of UTF-8, if may be inside a string
		return splice(body, at, []byte{0xff})
	case 2: // half a character
		return bytes.Replace(body, []byte(`":`), []byte("\xe2\x82\":"), 1)
	case 3: // one key twice
		if open := bytes.IndexByte(body, '{'); open >= 0 && len(body) > open+2 && body[open+1] == '"' {
			end := bytes.IndexByte(body[open+2:], '"')
			return splice(body, open+1, fmt.Appendf(nil, `"%s":%s,`, body[open+2:open+2+end], m.scalar()))
		}
		return append(body, '}')
	case 4: // no object
		return []byte([]string{`null`, `[]`, `"{}"`, `0`, `true`, `[{}]`, `NaN`, `{]`, `'{}'`, "\ufeff{}"}[m.rng.IntN(10)])
	case 5: // something after it
		return append(body, []string{`{}`, `,`, `]`, "\x00", `x`}[m.rng.IntN(5)]...)
	case 6: // deeper than any stack
		n := 100 * (1 + m.rng.IntN(200))
		return fmt.Appendf(nil, `{"x":%s%s}`, strings.Repeat(`[`, n), strings.Repeat(`]`, n))
	case 7: // a raw control character
		return splice(body, at, []byte{byte(m.rng.IntN(32))})
	}
	return splice(body, at, []byte{byte(m.rng.IntN(256))})
}

func splice(body []byte, at int, more []byte) []byte {
	return append(append(bytes.Clone(body[:at]), more...), body[at:]...)
}

// restructure changes one place of a body.
func (m *mangler) restructure(body []byte) []byte {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil {
		return body
	}
	raw, err := json.Marshal(m.change(value, 0))
	if err != nil {
		return body
	}
	return raw
}

// change changes value, or something inside it.
func (m *mangler) change(value any, depth int) any {
	switch t := value.(type) {
	case map[string]any:
		names := slices.Sorted(maps.Keys(t))
		if len(names) > 0 && m.rng.IntN(4) > 0 {
			name := names[m.rng.IntN(len(names))]
			switch m.rng.IntN(5) {
			case 0:
				delete(t, name)
			case 1:
				t[name+"x"] = t[name]
				delete(t, name)
			default:
				t[name] = m.change(t[name], depth+1)
			}
			return t
		}
		if depth == 0 || m.rng.IntN(2) == 0 {
			t[[]string{"extra", "", "__proto__", "$ref", "a/b~c", "\u202e"}[m.rng.IntN(6)]] = m.any()
			return t
		}
	case []any:
		if len(t) > 0 && m.rng.IntN(3) > 0 {
			i := m.rng.IntN(len(t))
			t[i] = m.change(t[i], depth+1)
			return t
		}
		for range m.rng.IntN(300) {
			t = append(t, m.any())
		}
		return t
	case string:
		switch m.rng.IntN(8) {
		case 0:
			return ""
		case 1:
			return strings.Repeat(t+"x", 1+m.rng.IntN(600))
		case 2:
			return t + []string{"\x00", "\n", "\u202e", " ", "\U0001F600", "'; DROP TABLE x; --", "%s%n"}[m.rng.IntN(7)]
		case 3:
			if m.rng.IntN(20) == 0 {
				return strings.Repeat("x", 1<<18)
			}
		}
	case json.Number:
		if m.rng.IntN(20) == 0 {
			return json.Number([]string{"1e1000001", "-1e999999", "1e-99999", strings.Repeat("9", 5000)}[m.rng.IntN(4)])
		}
		return json.Number([]string{"-1", "0", "-0", "1.5", "1e2", "1E400", "9223372036854775808", "1e-400",
			"99999999999999999999999999", t.String() + "0"}[m.rng.IntN(10)])
	}
	return m.any()
}

// any is a value of any type.
func (m *mangler) any() any {
	switch m.rng.IntN(8) {
	case 0:
		return []any{}
	case 1:
		return map[string]any{}
	case 2:
		return []any{m.any()}
	case 3:
		return map[string]any{"x": m.any()}
	case 4:
		var deep any = "x"
		for range m.rng.IntN(200) {
			deep = map[string]any{"x": deep}
		}
		return deep
	}
	return json.RawMessage(m.scalar())
}

func (m *mangler) scalar() string {
	return []string{`null`, `true`, `false`, `0`, `-1`, `1.5`, `1e400`, `""`, `"x"`, `"0"`, `"2026-02-30"`, `"\u0000"`,
		`"\ud800"`}[m.rng.IntN(13)]
}

// admits reports whether a body is one JSON object, said in one way only, that fits the schema.
func (o *oracle) admits(body []byte) bool {
	if len(bytes.TrimSpace(body)) == 0 {
		body = []byte("{}") // absent arguments are an empty object
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
	if err != nil || schema.Ambiguity(body, value) != "" {
		return false
	}
	if _, isObject := value.(map[string]any); !isObject {
		return false
	}
	return o == nil || o.breaksValue(o.withDefaults(value)) == ""
}

// withDefaults fills absent properties in, as the bus does before it validates.
func (o *oracle) withDefaults(value any) any {
	if o != nil {
		o.defaults.Fill(value)
	}
	return value
}
