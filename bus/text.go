package bus

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/internal/fieldtag"
	"github.com/deskhand/deskhand/internal/jsonpointer"
	"github.com/deskhand/deskhand/internal/sentence"
	"github.com/deskhand/deskhand/internal/titles"
	"github.com/deskhand/deskhand/internal/userinfo"
	"github.com/invopop/jsonschema"
)

// Text is a sentence for people, or a part of one. It consists of a key, which is the English text with numbered gaps,
// and the values of the gaps. [Text.String] renders the English; a page renders another language from key and values.
// The JSON of an output contains the English, and the [Texts] next to the output contain the rest.
type Text struct {
	english string
	key     string // "Order {0} has {1, number} lines."; "" if there is only English
	values  []any  // by gap: a string, a number, a Text, or the JSON of an object such as an amount of money
	titles  map[string]string
}

// Textf makes a Text from a format and its arguments. A Text among them, or an argument with a method Text() Text, is
// rendered in the language of the sentence. A struct, such as an amount of money, becomes its JSON. Any other argument
// is data and the same in every language.
func Textf(format string, args ...any) Text {
	f := sentence.Parse(format)
	t := Text{english: fmt.Sprintf(format, args...), key: f.Key}
	if len(args) > 0 {
		t.values = make([]any, len(args))
		for i, arg := range args {
			var v sentence.Verb
			if i < len(f.Verbs) {
				v = f.Verbs[i]
			}
			t.values[i] = valueOf(v, arg)
		}
	}
	return t
}

// Phrase makes a Text without gaps, such as a title or an enum value of a schema. Its English is its key.
func Phrase(english string) Text { return Text{english: english, key: sentence.Escape(english)} }

// plainText makes a Text with English only; "" makes none.
func plainText(english string) Text { return Text{english: english} }

// joined joins texts with a separator.
func joined(texts []Text, between string) Text {
	args := make([]any, len(texts))
	for i, t := range texts {
		args[i] = t
	}
	return Textf(strings.Join(slices.Repeat([]string{"%s"}, len(texts)), between), args...)
}

// valueOf returns the value of a gap with a formatting verb.
func valueOf(v sentence.Verb, arg any) any {
	if v.Text != "%s" && v.Text != "%v" && v.Text != "%d" && v.Text != "%q" {
		return fmt.Sprintf(v.Text, arg)
	}
	switch arg := arg.(type) {
	case Text:
		return arg
	case interface{ Text() Text }:
		return arg.Text()
	case string:
		if v.Letter == 'q' {
			quoted := strconv.Quote(arg)
			return quoted[1 : len(quoted)-1]
		}
		return arg
	case fmt.Stringer:
		if reflect.TypeOf(arg).Kind() == reflect.Struct {
			if raw, err := json.Marshal(arg); err == nil && raw[0] == '{' {
				return json.RawMessage(raw)
			}
		}
	}
	if v.Letter == 'd' {
		switch n := reflect.ValueOf(arg); {
		case n.CanInt():
			return n.Int()
		case n.CanUint():
			return n.Uint()
		}
	}
	written := fmt.Sprintf(v.Text, arg)
	if v.Letter == 'q' {
		return written[1 : len(written)-1]
	}
	return written
}

// String returns the sentence in English.
func (t Text) String() string { return t.english }

// IsZero reports whether the text is empty.
func (t Text) IsZero() bool { return t.english == "" }

// Equal reports whether two texts have the same key and values, or the same English if they have no key.
func (t Text) Equal(other Text) bool {
	one, err := Texts{"": t}.MarshalJSON()
	two, wrong := Texts{"": other}.MarshalJSON()
	return err == nil && wrong == nil && t.english == other.english && bytes.Equal(one, two)
}

// MarshalJSON writes the English.
func (t Text) MarshalJSON() ([]byte, error) { return json.Marshal(t.english) }

// UnmarshalJSON reads the English. Key and values are in [Texts].
func (t *Text) UnmarshalJSON(raw []byte) error {
	*t = Text{}
	return json.Unmarshal(raw, &t.english)
}

// JSONSchema returns the schema of the English.
func (Text) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }

// saying returns the text if it has that English, or else the English alone. So code that changes the words of an error
// after its creation changes them in every language.
func (t Text) saying(english string) Text {
	if t.english != english {
		return plainText(english)
	}
	return t
}

// stripped returns the text without the user names and passwords of URLs.
func (t Text) stripped() Text {
	if userinfo.Strip(t.english) == t.english {
		return t
	}
	return plainText(userinfo.Strip(t.english))
}

// titled returns the text with names of capabilities replaced by their quoted titles.
func (t Text) titled(title func(name string) (string, bool)) Text {
	t.english = titles.InPlaceOfNames(t.english, title)
	t.titles = nil
	titles.Replace(t.key, func(name string) (string, bool) {
		called, ok := title(name)
		if ok {
			if t.titles == nil {
				t.titles = map[string]string{}
			}
			t.titles[name] = called
		}
		return name, ok
	})
	t.values = slices.Clone(t.values)
	for i, v := range t.values {
		switch v := v.(type) {
		case Text:
			t.values[i] = v.titled(title)
		case string:
			t.values[i] = titles.InPlaceOfNames(v, title)
		}
	}
	return t
}

// keyed is the JSON of a text among Texts.
type keyed struct {
	Key    string            `json:"key"`
	Values []json.RawMessage `json:"values,omitempty"`
	Titles map[string]string `json:"titles,omitempty"` // titles of the capabilities in the key, by name
}

func (t Text) keyed() (keyed, error) {
	k := keyed{Key: t.key, Titles: t.titles}
	for _, v := range t.values {
		if inner, ok := v.(Text); ok {
			v = inner.english
			if inner.key != "" {
				within, err := inner.keyed()
				if err != nil {
					return k, err
				}
				v = within
			}
		}
		raw, err := json.Marshal(v)
		if err != nil {
			return k, err
		}
		k.Values = append(k.Values, raw)
	}
	return k, nil
}

// text is the inverse of keyed. It renders the English.
func (k *keyed) text() Text {
	t := Text{key: k.Key, titles: k.Titles}
	for _, raw := range k.Values {
		var inner keyed
		var data string
		switch {
		case json.Unmarshal(raw, &data) == nil:
			t.values = append(t.values, data)
		case json.Unmarshal(raw, &inner) == nil && inner.Key != "":
			t.values = append(t.values, inner.text())
		default:
			t.values = append(t.values, raw)
		}
	}
	key := titles.InPlaceOfNames(t.key, func(name string) (string, bool) {
		title, ok := t.titles[name]
		return title, ok
	})
	t.english = t.render(key)
	return t
}

// render renders a key with the values.
func (t Text) render(key string) string {
	return sentence.Render(key, func(gap int) string {
		if gap >= len(t.values) {
			return ""
		}
		return inEnglish(t.values[gap])
	})
}

// Map returns the sentence with the data in its gaps converted, for example without invisible characters.
func (t Text) Map(data func(string) string) Text {
	if t.key == "" {
		return plainText(data(t.english))
	}
	t.values = slices.Clone(t.values)
	for i, v := range t.values {
		switch v := v.(type) {
		case Text:
			t.values[i] = v.Map(data)
		case string:
			t.values[i] = data(v)
		}
	}
	t.english = t.render(t.key)
	return t
}

// inEnglish renders the value of a gap.
func inEnglish(v any) string {
	if raw, ok := v.(json.RawMessage); ok {
		var object struct{ Text string }
		if json.Unmarshal(raw, &object) == nil && object.Text != "" {
			return object.Text
		}
		return string(raw)
	}
	return fmt.Sprint(v)
}

// Texts holds the sentences of a JSON document with their keys and values, by the JSON Pointers of their English.
type Texts map[string]Text

// JSONSchema returns the schema of the wire form, which only the bus writes.
func (Texts) JSONSchema() *jsonschema.Schema { return &jsonschema.Schema{Type: "object"} }

// MarshalJSON writes {"/message": {"key", "values"}}.
func (t Texts) MarshalJSON() ([]byte, error) {
	all := make(map[string]keyed, len(t))
	for pointer, text := range t {
		var err error
		if all[pointer], err = text.keyed(); err != nil {
			return nil, err
		}
	}
	return json.Marshal(all)
}

// UnmarshalJSON reads that form.
func (t *Texts) UnmarshalJSON(raw []byte) error {
	var all map[string]keyed
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	*t = nil
	for pointer, k := range all {
		t.Put(pointer, k.text())
	}
	return nil
}

// Put adds a sentence unless it has only English.
func (t *Texts) Put(pointer string, text Text) {
	if text.key == "" || text.english == "" {
		return
	}
	if *t == nil {
		*t = Texts{}
	}
	(*t)[pointer] = text
}

// Within adds the sentences of a part of the document.
func (t *Texts) Within(pointer string, part Texts) {
	for below, text := range part {
		t.Put(pointer+below, text)
	}
}

// At returns the sentence at a pointer, with key and values if they exist and match the English.
func (t Texts) At(pointer, english string) Text { return t[pointer].saying(english) }

// below returns the sentences with pointers below a prefix.
func (t Texts) below(pointer string) Texts {
	var part Texts
	for at, text := range t {
		if rest, ok := strings.CutPrefix(at, pointer); ok && strings.HasPrefix(rest, "/") {
			part.Put(rest, text)
		}
	}
	return part
}

type collector = func(v reflect.Value, at string, found *Texts)

var collectors sync.Map // of collector, by reflect.Type; nil if values of the type contain no texts

func collectorOf(t reflect.Type) collector {
	if known, ok := collectors.Load(t); ok {
		return known.(collector)
	}
	made := newCollector(t, nil)
	collectors.Store(t, made)
	return made
}

var (
	textType  = reflect.TypeFor[Text]()
	textsType = reflect.TypeFor[Texts]()
)

func newCollector(t reflect.Type, above []reflect.Type) collector {
	switch {
	case t == textType:
		return func(v reflect.Value, at string, found *Texts) { found.Put(at, v.Interface().(Text)) }
	case t == textsType:
		return func(v reflect.Value, at string, found *Texts) { found.Within(at, v.Interface().(Texts)) }
	}
	for _, outer := range above {
		if outer == t {
			return nil // a type within itself has no texts
		}
	}
	above = append(above, t)
	switch t.Kind() {
	case reflect.Pointer:
		if inner := newCollector(t.Elem(), above); inner != nil {
			return func(v reflect.Value, at string, found *Texts) {
				if !v.IsNil() {
					inner(v.Elem(), at, found)
				}
			}
		}
	case reflect.Slice, reflect.Array:
		if inner := newCollector(t.Elem(), above); inner != nil {
			return func(v reflect.Value, at string, found *Texts) {
				for i := range v.Len() {
					inner(v.Index(i), at+"/"+strconv.Itoa(i), found)
				}
			}
		}
	case reflect.Map:
		if inner := newCollector(t.Elem(), above); inner != nil && t.Key().Kind() == reflect.String {
			return func(v reflect.Value, at string, found *Texts) {
				for each := v.MapRange(); each.Next(); {
					inner(each.Value(), at+"/"+jsonpointer.Escape(each.Key().String()), found)
				}
			}
		}
	case reflect.Struct:
		return newFieldCollector(t, above)
	}
	return nil
}

// newFieldCollector returns a collector for the fields of a struct. A field of type Texts adds no name to the pointers
// of its sentences.
func newFieldCollector(t reflect.Type, above []reflect.Type) collector {
	type field struct {
		index   int
		under   string
		collect collector
	}
	var fields []field
	for i := range t.NumField() {
		f, name := t.Field(i), fieldtag.JSONName(t.Field(i))
		if !f.IsExported() && !f.Anonymous {
			continue
		}
		under := "/" + jsonpointer.Escape(name)
		switch {
		case f.Type == textsType, f.Anonymous && f.Tag.Get("json") == "":
			under = ""
		case name == "-":
			continue
		}
		if collect := newCollector(f.Type, above); collect != nil {
			fields = append(fields, field{i, under, collect})
		}
	}
	if fields == nil {
		return nil
	}
	return func(v reflect.Value, at string, found *Texts) {
		for _, f := range fields {
			f.collect(v.Field(f.index), at+f.under, found)
		}
	}
}

// without returns the sentences except those at or below one of the pointers.
func (t Texts) without(pointers []string) Texts {
	if len(t) == 0 || len(pointers) == 0 {
		return t
	}
	kept := maps.Clone(t)
	maps.DeleteFunc(kept, func(at string, _ Text) bool {
		for _, p := range pointers {
			if at == p || strings.HasPrefix(at, p+"/") {
				return true
			}
		}
		return false
	})
	return kept
}
