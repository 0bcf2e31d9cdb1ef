package builtin

import (
	"encoding/json"
	"strings"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
)

// field is a property of an input schema with the words for its values.
type field struct {
	schema.Field
	lex    *lexicon.Lexicon
	values [][]string        // the words of each value of a closed set
	words  map[string]string // what people say for these values
	entry  []field           // of a list of objects
}

// readSchema lists the properties of an object schema in the order they are written there, with the sources of ids by
// kind of record.
func readSchema(lex *lexicon.Lexicon, raw json.RawMessage, sources map[string]string) []field {
	var fields []field
	for _, of := range schema.Fields(raw) {
		f := field{Field: of, lex: lex}
		f.Required = of.Required || of.Wanted
		f.Lookup, f.LookupList, _ = strings.Cut(sources[of.Entity], "#")
		for _, value := range of.Enum {
			f.values = append(f.values, lex.CanonicalWords(text.SplitName(value)))
		}
		if len(of.Items) > 0 {
			f.entry = readSchema(lex, of.Items, sources)
		}
		for pair := range strings.SplitSeq(of.Said, "|") {
			if words, value, ok := strings.Cut(pair, ":"); ok {
				if f.words == nil {
					f.words = map[string]string{}
				}
				f.words[strings.Join(lex.CanonicalWords(words), " ")] = value
			}
		}
		fields = append(fields, f)
	}
	return fields
}
