package audit_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// aged is a log with segments of 10 records, one record a minute.
func aged(t testing.TB, d *drawer, n int) (l *audit.Log, dsn string) {
	t.Helper()
	o := d.options()
	o.Segment = 10
	l = open(t, filepath.Join(t.TempDir(), "log.db"), o)
	for i := range n {
		for _, read := range []bool{false, true} {
			e := entry(fmt.Sprintf("r%d %v", i, read))
			e.Started, e.Read = epoch.Add(time.Duration(i)*time.Minute), read
			must(t, l.Record(context.Background(), e))
		}
	}
	return l, audit.DSN(l)
}

func purge(t testing.TB, l *audit.Log, request string, p audit.Purge) (done audit.Purged) {
	t.Helper()
	must(t, l.Do(context.Background(), entry(request), func(ctx context.Context, _ bus.Exec) (err error) {
		done, err = l.Purge(ctx, p)
		return err
	}))
	return done
}

func check(t testing.TB, l *audit.Log) audit.Verdict {
	t.Helper()
	v, err := l.Verify(context.Background(), nil)
	must(t, err)
	return v
}

// holds: U9
func TestU9WholeOldSegmentsAreRemovedAndTheLogStillVerifies(t *testing.T) {
	d := &drawer{}
	l, _ := aged(t, d, 45)
	must(t, l.NoteHeads(context.Background()))
	if got := purge(t, l, "too new", audit.Purge{Before: epoch}); got != (audit.Purged{}) {
		t.Errorf("removed what is new: %+v", got)
	}
	// Minute 25 is in the third segment, so that segment must stay.
	if got, want := purge(t, l, "first", audit.Purge{Before: epoch.Add(25 * time.Minute)}),
		(audit.Purged{Segments: 2, Records: 20, UpTo: 20}); got != want {
		t.Errorf("removed %+v, not %+v", got, want)
	}
	v := check(t, l)
	if !v.OK || v.Records != 47 || v.Noted != 2 || len(v.Removals) != 1 ||
		v.Removals[0] != (audit.Removal{UpTo: 20, Time: epoch.UnixMilli(), RequestID: "first"}) {
		t.Errorf("verdict: %+v", v)
	}
	if got := purge(t, l, "second", audit.Purge{Before: epoch.Add(time.Hour), Segments: 1}); got.UpTo != 30 ||
		got.Records != 10 {
		t.Errorf("one more: %+v", got)
	}
	if got := purge(t, l, "reads", audit.Purge{Reads: true, Before: epoch.Add(time.Hour)}); got.UpTo != 40 {
		t.Errorf("reads: %+v", got)
	}
	if v := check(t, l); !v.OK || len(v.Removals) != 2 || v.Removals[1].Segment != "reads" || v.Reads != 45 {
		t.Errorf("verdict: %+v", v)
	}
	if got := purge(t, l, "all that may", audit.Purge{Before: epoch.Add(time.Hour)}); got.UpTo != 40 {
		t.Errorf("the rest: %+v", got)
	}
	if n := count(t, l, `SELECT min(seq) FROM audit_payloads`); n != 41 {
		t.Errorf("payloads begin at %d", n)
	}
	page, err := l.Search(context.Background(), audit.Query{Limit: 500})
	if must(t, err); len(page.Records) != 10 {
		t.Errorf("%d records are left", len(page.Records))
	}
}

// holds: U4
func TestU4ARemovalNobodyAskedForIsFound(t *testing.T) {
	forge := `INSERT INTO audit_checkpoints SELECT 'main', 20, hash, 0, '%s' FROM audit_records WHERE seq = 20`
	drop := `DELETE FROM audit_records WHERE seq <= 20; DELETE FROM audit_payloads WHERE seq <= 20`
	for name, tt := range map[string]struct {
		tamper string
		bad    int64
	}{
		"without a checkpoint": {drop, 1},
		"by nobody":            {fmt.Sprintf(forge, "nobody") + ";" + drop, 21},
		"by another request":   {fmt.Sprintf(forge, "r30 false") + ";" + drop, 21},
		"more than was asked": {fmt.Sprintf(forge, "asked") +
			` ON CONFLICT DO UPDATE SET seq = 20, hash = excluded.hash;` + drop, 21},
		"and the checkpoint gone": {`DELETE FROM audit_checkpoints`, 1},
		"and the record put back": {
			`INSERT INTO audit_records SELECT 10, time, kind, request_id, trace_id, parent_request_id,
					conversation_id, caller_type, person,
			capability, side_effect, status, code, detail, payload_digest, prev, hash FROM audit_records WHERE seq = 11`, 11},
	} {
		t.Run(name, func(t *testing.T) {
			l, _ := aged(t, &drawer{}, 45)
			if strings.HasPrefix(name, "and") || strings.HasPrefix(name, "more") {
				purge(t, l, "asked", audit.Purge{Before: epoch.Add(time.Hour), Segments: 1})
			}
			audit.Execute(t, l, strings.Split(strings.Replace(tt.tamper, "seq = 20 ON", "seq = 20 AND true ON", 1), ";")...)
			if v := check(t, l); v.OK || v.FirstBad != tt.bad {
				t.Errorf("verdict: %+v", v)
			}
		})
	}
}

func TestAHeadFromBeforeTheFirstRecordIsNoAlarm(t *testing.T) {
	d := &drawer{}
	l, _ := aged(t, d, 15)
	must(t, l.NoteHeads(context.Background()))
	o := d.main()
	purge(t, l, "p", audit.Purge{Before: epoch.Add(time.Hour)})
	for seq, fine := range map[int64]bool{3: true, 10: false, 11: false} { // with a wrong hash
		must(t, d.Save(audit.Head{Stream: "main", Seq: seq, Hash: o.Hash, Time: o.Time}))
		if v := check(t, l); v.OK != fine {
			t.Errorf("at %d: %+v", seq, v)
		}
	}
}

// holds: U9
func TestU9APurgeThatFailsRemovesNothing(t *testing.T) {
	l, _ := aged(t, &drawer{}, 15)
	e := failed("fails", bus.Conflict, bus.ReasonBusy)
	must(t, l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
		if got, err := l.Purge(ctx, audit.Purge{Before: epoch.Add(time.Hour)}); err != nil || got.UpTo != 10 {
			t.Errorf("%+v %v", got, err)
		}
		return e.Result.Err
	}))
	if v := check(t, l); !v.OK || v.Removals != nil || count(t, l, `SELECT min(seq) FROM audit_records`) != 1 {
		t.Errorf("verdict: %+v", v)
	}
}
