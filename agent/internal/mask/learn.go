package mask

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/internal/fieldtag"
)

// Learn collects the personal values of an output.
func (v *Mask) Learn(output, data json.RawMessage) {
	var root map[string]any
	var value any
	if json.Unmarshal(output, &root) != nil || json.Unmarshal(data, &value) != nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	schema.Marked(root, root, value, schema.KeywordPersonal, func(name string, found any) {
		text.Each(found, func(one any) {
			if s, is := one.(string); is {
				v.addField(name, s)
			}
		})
	})
	v.learnIDs(value)
}

// LearnName collects the name of a personal record.
func (v *Mask) LearnName(title string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.addField("name", title)
	v.learnForms(title, true)
}

// LearnContext collects the personal values in the application's present state, by the mark in the tags of its fields.
func (v *Mask) LearnContext(state any) {
	raw, err := json.Marshal(state)
	if err != nil {
		return
	}
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	tagged(reflect.ValueOf(state), 0, v.addField)
	v.learnIDs(value)
}

// tagged visits the texts in a Go value's fields that are marked as personal.
func tagged(r reflect.Value, depth int, visit func(name, value string)) {
	if depth > schema.MaxDepth {
		return
	}
	switch r.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !r.IsNil() {
			tagged(r.Elem(), depth+1, visit)
		}
	case reflect.Slice, reflect.Array:
		for i := range r.Len() {
			tagged(r.Index(i), depth+1, visit)
		}
	case reflect.Map:
		for _, key := range slices.SortedFunc(slices.Values(r.MapKeys()),
			func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }) {
			tagged(r.MapIndex(key), depth+1, visit)
		}
	case reflect.Struct:
		for i := range r.NumField() {
			f, at := r.Type().Field(i), r.Field(i)
			if at.Kind() == reflect.String &&
				strings.Contains(fieldtag.Expand(r.Type(), f, "").Get("jsonschema_extras"), schema.KeywordPersonal+"=true") {
				visit(f.Name, at.String())
			}
			tagged(at, depth+1, visit)
		}
	}
}

// addField adds the value of a personal field and, for a name, its parts. The caller holds v.mu.
func (v *Mask) addField(name, value string) {
	v.add(value, false)
	if !v.namesPerson(name) {
		return
	}
	if plain := text.Fold(value); plain != strings.ToLower(value) {
		v.add(plain, false) // people type it without accents
	}
	for _, part := range strings.Fields(value) {
		if part = strings.TrimFunc(part, func(r rune) bool { return !unicode.IsLetter(r) }); len([]rune(part)) >= minLength {
			v.add(part, true)
			v.parts[text.Fold(part)] = true
		}
	}
}

// namesPerson reports whether the values of a field are names of people, whose parts are personal too.
func (v *Mask) namesPerson(field string) bool {
	field = strings.ToLower(field)
	return strings.HasSuffix(field, "name") || slices.Contains(v.NameFields, field)
}

// learnIDs adds ids of other systems that contain a part of a name. The caller holds v.mu.
func (v *Mask) learnIDs(value any) {
	text.Each(value, func(one any) {
		s, _ := one.(string)
		if len(s) > maxID || strings.ContainsAny(s, " \n\t") {
			return
		}
		words := strings.FieldsFunc(text.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) })
		if (len(words) > 1 || strings.ContainsAny(s, "_0123456789")) &&
			slices.ContainsFunc(words, func(w string) bool { return v.parts[w] }) {
			v.add(s, false)
		}
	})
}

const maxID = 120

var (
	mailForm  = text.Late(`[\pL\d._%+-]+@[\pL\d-]+(?:\.[\pL\d-]+)*\.\pL{2,}`)
	phoneForm = text.Late(`(?:\+\d|\(\d|\b\d)[\d ()./-]{6,}\d\b`)
	dateLike  = text.Late(`^\d{4}-\d\d-\d\d|^\d{1,2}[./]\d{1,2}[./]\d{2,4}$`)
)

// learnForms finds personal values by their form: mail addresses in any text, phone numbers in the person's words. The
// caller holds v.mu.
func (v *Mask) learnForms(text string, byPerson bool) {
	for _, mail := range mailForm().FindAllString(text, -1) {
		v.add(mail, false)
	}
	if !byPerson {
		return
	}
	for _, phone := range phoneForm().FindAllString(text, -1) {
		if digits := strings.Count(phone, "") - 1; digits >= 8 && !dateLike().MatchString(phone) {
			v.add(phone, false)
		}
	}
}

// alsoWords are parts of names that are ordinary words too. In small letters they count as the word.
const alsoWords = " will mark may bill grace rose june april august art sue pat rob drew frank jack joy hope faith " +
	"dawn sky rich max chip don guy miles page reed chase grant hunter lane brown black white green young long king " +
	"wood stone field hill ford cook baker carter price day summer winter "
