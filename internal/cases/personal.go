package cases

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/runes"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"
)

// invented lists words that replace names of people.
var invented = strings.Fields(`Avery Brook Casey Dorn Ellis Frost Gale Hollis Indigo Jarvis Kelso Lane Marlow Noble
	Oakley Perrin Quill Rowan Sable Tarn Upton Vesper Wilder Yarrow Zephyr`)

// placeholders replace personal values. Equal values get the same placeholder.
type placeholders struct {
	ids   map[string]string // also within other ids
	to    map[string]string // by value, in lower case
	words map[string]string // by word of a name, in lower case
}

// withoutPersonal replaces the names, addresses, phones and notes of people in a case, and the id of the person.
// The schema of a capability marks its personal arguments.
func withoutPersonal(c *Case, speaker string, schemaOf func(string) json.RawMessage) (*Case, error) {
	p := placeholders{map[string]string{}, map[string]string{}, map[string]string{}}
	for _, row := range c.Before["shop"] {
		for _, column := range []string{"address", "phone", "email", "tax_number", "footer"} {
			row[column] = ""
		}
		row["name"] = "The shop"
	}
	for _, name := range []string{"customers", "merged_customers"} {
		for i, row := range c.Before[name] {
			if id, is := row["id"].(string); is && id != "" {
				p.ids[id] = fmt.Sprintf("cus_case%d", len(p.ids)+1)
			}
			p.value("email", row["email"])
			p.value("phone", row["phone"])
			p.set(row["phone_digits"], fmt.Sprintf("1207555%04d", i))
			p.value("name", row["name"])
		}
	}
	for _, name := range []string{"addresses", "orders"} {
		for _, row := range c.Before[name] {
			for _, column := range []string{"line1", "line2", "city", "postal_code"} {
				p.value(column, row[column])
			}
			p.set(row["postal_fold"], p.to[strings.ToLower(fmt.Sprint(row["postal_code"]))])
		}
	}
	for i, row := range c.Before["payment_methods"] {
		p.set(row["last_four"], fmt.Sprintf("%04d", 1000+i))
	}
	for _, call := range c.Calls {
		var schema, arguments any
		if err := errors.Join(json.Unmarshal(schemaOf(call.Capability), &schema),
			json.Unmarshal(call.Arguments, &arguments)); err != nil {
			return nil, err
		}
		p.personal("", schema, arguments)
	}
	for _, name := range []string{"customer_notes", "order_notes"} {
		for _, row := range c.Before[name] {
			row["text"] = "A note."
		}
	}
	raw, err := json.Marshal(c)
	if err != nil {
		return nil, err
	}
	var doc map[string]any
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(&doc); err != nil {
		return nil, err
	}
	replace := p.replacer()
	if raw, err = json.Marshal(eachText(doc, func(s string) string {
		if s == speaker && s != "" {
			return person
		}
		return replace(s)
	})); err != nil {
		return nil, err
	}
	return parse(raw)
}

// value chooses a placeholder for a value by its name or form.
func (p placeholders) value(name string, value any) {
	text, _ := value.(string)
	n := len(p.to) + 1
	switch {
	case strings.Contains(text, "@"):
		p.set(value, fmt.Sprintf("person%d@example.com", n))
	case strings.Contains(strings.ToLower(name), "phone"):
		p.set(value, fmt.Sprintf("+1 207 555 %04d", n%10_000))
	case strings.HasPrefix(name, "postal"):
		p.set(value, fmt.Sprintf("%05d", n))
	case name == "label" || name == "region": // it identifies no person
	case name == "text":
		p.set(value, fmt.Sprintf("sample note %d", n))
	case name == "name":
		p.name(value)
	default:
		p.set(value, fmt.Sprintf("%d Sample Street", n))
	}
}

// personal gives placeholders to the arguments that a schema marks as personal.
func (p placeholders) personal(name string, schema, v any) {
	doc, _ := schema.(map[string]any)
	if doc["x-personal"] == true {
		p.value(name, v)
	}
	properties, _ := doc["properties"].(map[string]any)
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			p.personal(name, doc["items"], one)
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			p.personal(key, properties[key], v[key])
		}
	}
}

// set gives a value a placeholder, unless it has one.
func (p placeholders) set(value any, to string) {
	text, is := value.(string)
	if key := strings.ToLower(text); is && len(key) > 1 && p.to[key] == "" {
		p.to[key] = to
	}
}

// name chooses a placeholder for each word of a name, in its written and its searchable form.
func (p placeholders) name(value any) {
	text, _ := value.(string)
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		word = strings.ToLower(word)
		to := cmp.Or(p.words[word], p.words[folded(word)])
		if to == "" {
			n := len(p.words)
			to = invented[n%len(invented)] + strings.Repeat("son", n/len(invented))
		}
		p.words[word], p.words[folded(word)] = to, to
	}
}

// folded returns a word without accents.
func folded(word string) string {
	out, _, err := transform.String(transform.Chain(norm.NFD, runes.Remove(runes.In(unicode.Mn)), norm.NFC), word)
	if err != nil {
		return word
	}
	return out
}

// searched returns a value as in columns ending in _fold.
func searched(value string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(folded(value)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " ")
}

// replacer returns a function that replaces all values with a placeholder, longest first.
func (p placeholders) replacer() func(string) string {
	all := map[string]string{}
	for from, to := range p.words {
		all[from] = to
	}
	for from, to := range p.to {
		all[from] = to
		all[folded(from)], all[searched(from)] = to, searched(to)
	}
	delete(all, "")
	var list []string
	for from := range all {
		list = append(list, from)
	}
	slices.SortFunc(list, func(a, b string) int { return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b)) })
	for i, from := range list {
		list[i] = regexp.QuoteMeta(from)
	}
	ids := slices.SortedFunc(maps.Keys(p.ids), func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	any := regexp.MustCompile(`(?i)` + cmp.Or(strings.Join(list, "|"), `\z.`))
	letter := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
	return func(s string) string {
		for _, id := range ids {
			s = strings.ReplaceAll(s, id, p.ids[id])
		}
		var b strings.Builder
		at := 0
		for _, m := range any.FindAllStringIndex(s, -1) {
			before, _ := utf8.DecodeLastRuneInString(s[:m[0]])
			after, _ := utf8.DecodeRuneInString(s[m[1]:])
			if m[0] > 0 && letter(before) || m[1] < len(s) && letter(after) {
				continue
			}
			to := all[strings.ToLower(s[m[0]:m[1]])]
			if s[m[0]:m[1]] == strings.ToLower(s[m[0]:m[1]]) {
				to = strings.ToLower(to)
			}
			b.WriteString(s[at:m[0]] + to)
			at = m[1]
		}
		return b.String() + s[at:]
	}
}

// eachText replaces every text in a value.
func eachText(v any, to func(string) string) any {
	switch v := v.(type) {
	case string:
		return to(v)
	case []any:
		for i := range v {
			v[i] = eachText(v[i], to)
		}
	case map[string]any:
		for k := range v {
			v[k] = eachText(v[k], to)
		}
	}
	return v
}
