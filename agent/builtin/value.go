package builtin

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
)

// countable says that a number may go unsaid: it is optional, has a default, or counts from one, which is then meant.
func (f field) countable() bool {
	return f.isNumber() && (!f.Required || f.Default != nil || (f.Min != nil && *f.Min == 1))
}

func (f field) isNumber() bool { return f.Kind == "integer" || f.Kind == "number" }

// freeText says that any words are a value.
func (f field) freeText() bool {
	return f.Kind == "string" && f.Lookup == "" && len(f.Enum) == 0 && f.Format == ""
}

// longest is how many words a slot may take.
func (f field) longest() int {
	switch {
	case f.isNumber() || f.Money || f.Format != "":
		return 4
	case f.freeText():
		return 60
	case f.Postal:
		return 20
	case f.isList():
		return 30
	}
	return 10
}

// takes reports whether words can be this field's value. text is the original text.
func (f field) takes(list []lexicon.Token, text string) bool {
	if f.Lookup != "" || f.isList() {
		return true
	}
	_, ok := f.value(list, text)
	return ok
}

// value reads words as this field's value.
func (f field) value(list []lexicon.Token, text string) (any, bool) {
	plain := lexicon.PlainWords(list)
	switch {
	case len(f.Enum) > 0:
		return f.choice(plain)
	case f.isNumber():
		n, ok := lexicon.Number(plain)
		if !ok || f.Kind == "integer" && n != float64(int64(n)) {
			return nil, false
		}
		return n, true
	case f.Kind == "boolean":
		if said, is := f.closing(lexicon.PlainWords(f.lex.Canonical(list))); is {
			return said == "true", true
		}
		yes, is := yesNo[strings.Join(plain, " ")]
		return yes, is
	case f.Money:
		return f.amount(list, text)
	case f.Postal:
		return lexicon.PostalAddress(text)
	case f.Format == "date":
		return text, dateForm.MatchString(text)
	case f.shaped() && f.Kind == "string":
		return text, f.fitsShape(text)
	case f.Kind == "string" || f.Kind == "":
		return strings.Trim(text, `"“”'`), text != ""
	}
	return nil, false
}

var dateForm = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)

var yesNo = map[string]bool{"yes": true, "on": true, "true": true, "no": false, "off": false, "false": false}

// choice finds the one value of a closed set that is meant: all its words said,
// or the only one with the words that were said.
func (f field) choice(said []string) (any, bool) {
	kind := strings.Fields(text.SplitName(f.Name))
	var list []lexicon.Token
	for _, w := range said {
		list = append(list, lexicon.Token{Word: w})
	}
	said = lexicon.PlainWords(f.lex.Canonical(list))
	words := slices.DeleteFunc(slices.Clone(said), func(w string) bool { return lexicon.Noise[w] || slices.Contains(kind, w) })
	if len(words) == 0 {
		return nil, false
	}
	if v, ok := f.closing(said); ok {
		return v, true
	}
	var found []string
	for i, e := range f.Enum {
		have := f.values[i]
		if slices.Equal(have, said) {
			return e, true
		}
		if !slices.ContainsFunc(words, func(w string) bool {
			return !slices.Contains(have, w) && !lexicon.Pronouns[w] && !being[w]
		}) {
			found = append(found, e)
		}
	}
	if len(found) != 1 {
		return nil, false
	}
	return found[0], true
}

// says tells that words are one of a closed set's values in full.
func (f field) says(list []lexicon.Token) bool {
	_, is := f.closing(lexicon.PlainWords(f.lex.Canonical(list)))
	return is
}

// closing is the value that the words end with: "she ordered it by mistake". Few words may stand before it.
func (f field) closing(said []string) (string, bool) {
	for from := 0; from < len(said) && from <= 3; from++ {
		if from > 0 && slices.ContainsFunc(f.values, func(have []string) bool { return len(have) == 1 && have[0] == said[from-1] }) {
			return "", false // one value behind another: not both can be meant
		}
		if v, ok := f.words[strings.Join(said[from:], " ")]; ok {
			return v, true
		}
		for i, have := range f.values {
			if slices.Equal(said[from:], have) {
				return f.Enum[i], true
			}
		}
	}
	return "", false
}
