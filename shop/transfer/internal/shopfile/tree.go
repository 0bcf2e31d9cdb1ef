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

// maxDepth is how deep an element may nest; the format itself needs five.
const maxDepth = 12

// tree decodes one element for the schema and refuses what two readers might understand differently, or what would not
// come out again as it went in: a name twice in one object, numbers that are no plain integers, invisible characters,
// bytes that are no text, and amounts in another currency than the shop's.
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
		name := token.(string) // the raw bytes were found to be JSON
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

// hidden finds what the shop never stores, since it cannot be seen and deceives.
// Joiners are needed by some scripts and by emoji.
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

// shown is text of a file in a message: short.
func shown(s string) string {
	if len(s) > 60 {
		return fmt.Sprintf("%.57s…", s)
	}
	return s
}
