package audit_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// TestU11AnErasureIsBoundToItsRecordEvenWhenThatIsRemoved forges erasures in the name of a real erasing request, before
// and after its record was purged.
//
// holds: U11
func TestU11AnErasureIsBoundToItsRecordEvenWhenThatIsRemoved(t *testing.T) {
	now := epoch
	o := options()
	o.Segment, o.Clock = 10, func() time.Time { return now }
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, o)
	about := func(request, who string, read bool) {
		e := entry(request)
		e.Invocation.Arguments, e.Read, e.Started = []byte(fmt.Sprintf(`{"who":%q}`, who)), read, now
		must(t, l.Record(t.Context(), e))
	}
	for i := range 8 {
		about(fmt.Sprint("w", i), []string{"c_500x", "c_600x"}[i%2], false)
		about(fmt.Sprint("v", i), []string{"c_500x", "c_600x"}[i%2], true)
	}
	e := entry("erase")
	e.Started = now
	must(t, l.Do(t.Context(), e, func(ctx context.Context, _ bus.Exec) error {
		_, err := l.Erase(ctx, "c_500x")
		return err
	}))
	genuine := []audit.Erasure{{RequestID: "erase", Records: 8}}
	if v := check(t, l); !v.OK || cmp.Diff(genuine, v.Erasures) != "" {
		t.Fatalf("%+v", v)
	}
	forge := func(when string) {
		t.Helper()
		audit.Execute(t, l, `CREATE TABLE kept AS SELECT * FROM audit_read_payloads WHERE seq = 2`,
			`DELETE FROM audit_read_payloads WHERE seq = 2`,
			`INSERT INTO audit_erasures SELECT 'reads', 2, max(request_id) FROM audit_erasures`)
		if v := check(t, l); v.OK || v.FirstBad != 2 || v.Segment != "reads" || !strings.Contains(v.Problem, "no request") {
			t.Errorf("%s: %+v", when, v)
		}
		audit.Execute(t, l, `DELETE FROM audit_erasures WHERE stream = 'reads' AND seq = 2`,
			`INSERT INTO audit_read_payloads SELECT * FROM kept`, `DROP TABLE kept`)
	}
	forge("in the name of the one that erased")
	for i := range 10 {
		about(fmt.Sprint("x", i), "c_700x", false)
	}
	now = epoch.Add(time.Hour)
	if got := purge(t, l, "purge", audit.Purge{Before: now}); got.UpTo != 10 {
		t.Fatalf("%+v", got)
	}
	if v := check(t, l); !v.OK || cmp.Diff([]audit.Erasure{{RequestID: "purge", Records: 4}}, v.Erasures) != "" {
		t.Errorf("%+v", v)
	}
	forge("in the name of the one that removed that record")
}
