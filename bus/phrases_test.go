package bus_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

func TestWithPhrasesAttachesEachToItsCapability(t *testing.T) {
	given := []bus.Capability{{Name: "note.add"}, {Name: "note.list"}, {Name: "note.clear", Phrases: []string{"clear"}}}
	got := bus.WithPhrases("\n# a comment\nnote.list\n  list notes\n\n\tshow # of notes \n\nnote.add\n\tnote {text}\n",
		given)
	want := [][]string{{"note {text}"}, {"list notes", "show # of notes"}, {"clear"}}
	for i, c := range got {
		if diff := cmp.Diff(want[i], c.Phrases); diff != "" {
			t.Errorf("%s: %s", c.Name, diff)
		}
	}
	if given[0].Phrases != nil {
		t.Error("the list that was passed in has changed")
	}
}

func TestWithPhrasesRefusesWhatItCannotAttach(t *testing.T) {
	for text, want := range map[string]string{
		"note.add\n\tnote\nnote.ad\n\tnote": `line 3: there is no capability "note.ad"`,
		"# first\nnote.clear\n\tempty":      "line 2: note.clear already has phrases",
		"note.add\n\ta\nnote.add\n\tb":      "line 3: note.add already has phrases",
		"\tnote":                            `line 1: the phrase "note" stands under no capability`,
		"note.add\nnote.list\n\tlist":       "line 2: note.add has no phrases",
		"note.add\n\n":                      "line 3: note.add has no phrases",
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("%q: %s, want %s", text, got, want)
				}
			}()
			bus.WithPhrases(text, []bus.Capability{{Name: "note.add"}, {Name: "note.list"},
				{Name: "note.clear", Phrases: []string{"clear"}}})
		}()
	}
}
