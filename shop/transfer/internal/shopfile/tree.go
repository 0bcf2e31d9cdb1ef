package shopfile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// maxDepth limits the nesting of an element. The format itself needs five levels.
const maxDepth = 12

// tree decodes an element for validation. It refuses input that two readers could interpret differently, or that an
// export would not reproduce: duplicate names in an object, numbers other than plain integers, invisible characters,
// invalid text, and amounts in a currency other than the shop's.
type tree struct {
	at       Place
	dec      *json.Decoder
	currency string // "" until the shop is known
}

func (t *tree) read(raw []byte) (any, error) {
	if !utf8.Valid(raw) {
		return nil, t.at.Refuse("", "The text is not UTF-8.")
	}
	t.dec = json.NewDecoder(bytes.NewReader(raw))
	t.dec.UseNumber()
	return t.value("", 0)
}

func (t *tree) value(path string, depth int) (any, error) {
	if depth > maxDepth {
		return nil, t.at.Refuse(path, "It is nested too deeply.")
	}
	token, err := t.dec.Token()
	if err != nil {
		return nil, err
	}
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			return t.object(path, depth)
		}
		return t.array(path, depth)
	case json.Number:
		if _, err := strconv.ParseInt(string(v), 10, 64); err != nil {
			return nil, t.at.Refuse(path, "%s is not a whole number as this file has them.", shown(string(v)))
		}
	case string:
		if r, bad := hidden(v); bad {
			return nil, t.at.Refuse(path, "The text contains the character U+%04X, which cannot be seen.", r)
		}
	}
	return token, nil
}

func (t *tree) object(path string, depth int) (any, error) {
	members := map[string]any{}
	for t.dec.More() {
		token, err := t.dec.Token()
		if err != nil {
			return nil, err
		}
		name := token.(string) // the raw bytes are valid JSON
		sub := path + jsonpointer.Join(shown(name))
		if _, twice := members[name]; twice {
			return nil, t.at.Refuse(sub, "It stands here twice.")
		}
		value, err := t.value(sub, depth+1)
		if err != nil {
			return nil, err
		}
		if code, ok := value.(string); ok && name == "currency" && t.currency != "" && code != t.currency {
			return nil, t.at.Refuse(sub, "The amount is in %q and the shop's currency is %s.", shown(code), t.currency)
		}
		members[name] = value
	}
	_, err := t.dec.Token()
	return members, err
}

func (t *tree) array(path string, depth int) (any, error) {
	items := []any{}
	for t.dec.More() {
		value, err := t.value(path+jsonpointer.Join(index(len(items))), depth+1)
		if err != nil {
			return nil, err
		}
		items = append(items, value)
	}
	_, err := t.dec.Token()
	return items, err
}

// hidden returns the first character that the shop never stores because it is invisible and may deceive. Joiners are
// allowed, because some scripts and emoji need them.
func hidden(s string) (rune, bool) {
	for _, r := range s {
		switch {
		case r >= ' ' && r < 0x7f, r == '\n', r == '\t', r == '\u200c', r == '\u200d':
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs), r == unicode.ReplacementChar:
			return r, true
		}
	}
	return 0, false
}

// shown shortens a text of a file for a message.
func shown(s string) string {
	if len(s) > 60 {
		return fmt.Sprintf("%.57s…", s)
	}
	return s
}
