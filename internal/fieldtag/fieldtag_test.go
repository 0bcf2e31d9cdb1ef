package fieldtag

import "testing"

func TestASlipIsToldFromAnotherWord(t *testing.T) {
	for of, words := range map[string]struct{ slips, others []string }{
		"exclusive":  {[]string{"exlusive", "exculsive", "Exclusive", "exclusiv"}, []string{"export", "till", ""}},
		"concurrent": {[]string{"concurent", "concurrnet"}, []string{"current", "cart"}},
		"jsonschema": {[]string{"jsonshema", "json_schema", "jsonshcema"}, []string{"json", "jsonpb", "bson", "schema"}},
		"enum":       {[]string{"enums", "enun"}, []string{"env", "yaml"}},
		"doc":        {nil, []string{"db", "dog"}},
	} {
		for _, word := range words.slips {
			if !Nearly(word, of) {
				t.Errorf("%q is taken for another word than %q", word, of)
			}
		}
		for _, word := range words.others {
			if Nearly(word, of) {
				t.Errorf("%q is taken for a slip of %q", word, of)
			}
		}
	}
}
