package audit_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
)

// nested returns a JSON object with the given number of levels.
func nested(levels int) string {
	return strings.Repeat(`{"a":`, levels) + "1" + strings.Repeat("}", levels)
}

// TestAPayloadThatCannotBeReadIsNamedAndSkipped has a record whose arguments are nested deeper than encoding/json
// allows. Programs could store it before the bus had a limit. The test can still find, export, trace and erase
// everything else.
func TestAPayloadThatCannotBeReadIsNamedAndSkipped(t *testing.T) {
	for _, levels := range []int{9_000, 9_998, 10_000} {
		b, l, _ := newClients(t)
		ok(t, call(b, "req-1", "client.save", `{"id":"c_1901x","name":"Zebulon Quixotry","mail":"zebulon@example.org"}`))
		e := entry("req-deep")
		e.Invocation.Arguments = json.RawMessage(nested(levels))
		if err := l.Record(t.Context(), e); err != nil {
			t.Fatal(err)
		}
		ok(t, call(b, "req-3", "client.save", `{"id":"c2","name":"Ana Ruiz"}`))
		page, err := l.Search(t.Context(), audit.Query{})
		if err != nil {
			t.Fatal(err)
		}
		if len(page.Records) != 3 || page.Records[1].RequestID != "req-deep" || page.Records[1].Unreadable == "" ||
			page.Records[0].Unreadable != "" {
			t.Errorf("%d: found %+v", levels, page.Records)
		}
		if _, err := l.Search(t.Context(), audit.Query{Text: "Quixotry"}); err != nil {
			t.Error(err)
		}
		if tr, err := l.Trace(t.Context(), "req-deep"); err != nil || len(tr.Records) != 1 {
			t.Error(levels, tr, err)
		}
		var out bytes.Buffer
		if _, err := l.Export(t.Context(), &out, audit.Query{}, audit.FormatJSONL, nil); err != nil ||
			!strings.Contains(out.String(), `"unreadable":`) {
			t.Error(levels, err)
		}
		ok(t, call(b, "req-4", "client.erase", `{"id":"c_1901x"}`))
		if v, err := l.Verify(t.Context(), nil); err != nil || !v.OK {
			t.Error(levels, v, err)
		}
	}
}
