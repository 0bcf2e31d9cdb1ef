package audit_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// holds: U7
func TestU7SubjectsAreCreatedIdsChangedRowsAndWhatAnUndoTookBack(t *testing.T) {
	b, l := newToy(t, bus.Options{})
	ok(t, call(b, "r1", "toy.act", `{"steps":[0]}`))
	ok(t, undo(b, "u1", "r1"))
	done := recorded(t, l, "r1")[0]
	var created struct{ ID string }
	must(t, json.Unmarshal(done.Data, &created))
	row := done.Effects[0].Key["id"].(string)
	for subject, want := range map[string][]string{created.ID: {"r1"}, row: {"u1", "r1"}} {
		page, err := l.Search(t.Context(), audit.Query{Subject: subject})
		must(t, err)
		var got []string
		for _, r := range page.Records {
			got = append(got, r.RequestID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, not %v", subject, got, want)
		}
	}
}
