package schema

import (
	"encoding/json"
	"reflect"
	"strings"
	"sync"

	"github.com/invopop/jsonschema"
)

// keywordsByField lists the keywords of the fields of a schema by index; "" for none.
var keywordsByField = sync.OnceValue(func() (names []string) {
	t := reflect.TypeFor[jsonschema.Schema]()
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		names = append(names, strings.TrimPrefix(name, "-"))
	}
	return names
})

// Append appends the same bytes as json.Marshal of s. json.Marshal compacts a schema again for each schema around it,
// which took a fifth of the start-up time of an application.
func Append(b []byte, s *jsonschema.Schema) ([]byte, error) {
	begun, v := len(b), reflect.ValueOf(s).Elem()
	for i, keyword := range keywordsByField() {
		f := v.Field(i)
		if keyword == "" || f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0 {
			continue
		}
		var err error
		if b, err = appendKeyword(append(append(append(b, `,"`...), keyword...), `":`...), s, f.Interface()); err != nil {
			return nil, err
		}
	}
	if len(s.Extras) > 0 {
		extras, err := json.Marshal(s.Extras)
		if err != nil {
			return nil, err
		}
		b = append(append(b, ','), extras[1:len(extras)-1]...)
	}
	if len(b) == begun { // it is true or false
		return appendJSON(b, s)
	}
	b[begun] = '{'
	return append(b, '}'), nil
}

// appendKeyword appends the value of a keyword of s.
func appendKeyword(b []byte, s *jsonschema.Schema, value any) (_ []byte, err error) {
	if within, is := value.(*jsonschema.Schema); is {
		return Append(b, within)
	}
	if list, is := value.([]*jsonschema.Schema); is {
		for i, one := range list {
			if b, err = Append(append(b, "[,"[min(i, 1)]), one); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	}
	if value != any(s.Properties) {
		return appendJSON(b, value)
	}
	b = append(b, '{')
	for p := s.Properties.Oldest(); p != nil; p = p.Next() {
		if p.Prev() != nil {
			b = append(b, ',')
		}
		if b, err = appendJSON(b, p.Key); err != nil {
			return nil, err
		}
		if b, err = Append(append(b, ':'), p.Value); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

func appendJSON(b []byte, value any) ([]byte, error) {
	data, err := json.Marshal(value)
	return append(b, data...), err
}
