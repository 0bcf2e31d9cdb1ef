package audit_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
)

// mixed records n entries of many kinds, over some days, some of them late.
func mixed(t testing.TB, l *audit.Log, n int) {
	t.Helper()
	answers := []bus.Answer{"allow", "deny", "edit", "expired", "nobody"}
	for i := range n {
		e := at(fmt.Sprint("m", i), i*97)
		if i%11 == 0 {
			e.Started = e.Started.Add(-5 * time.Hour)
		}
		e.Invocation.Capability = []string{"item.add", "item.remove", "order.cancel"}[i%3]
		e.Invocation.Principal.ID = []string{"u1", "u2", ""}[i%7%3]
		e.SideEffect = []bus.SideEffect{bus.UIOnly, bus.UIOnly, bus.Destructive}[i%3]
		e.Result.ExecutionTime = time.Duration(i*i%3000) * time.Millisecond
		switch {
		case i%5 == 0:
			e.Result = failed("", bus.Conflict, bus.ReasonBusy).Result
		case i%13 == 0:
			e.Result.Replayed = true
		case i%17 == 0:
			e.Read = true
		}
		if i%4 == 1 {
			e.Invocation.Caller.Type = bus.CallerAgent
			e.Invocation.Principal.ConversationID = fmt.Sprint("chat", i/40)
			e.Decision = &bus.Decision{Rule: bus.RuleConfirm, Answer: answers[i%len(answers)], Asked: time.Duration(i*31) * time.Millisecond}
			if i%3 == 0 {
				e.Decision = &bus.Decision{Rule: bus.RuleConfirm, GrantID: "g1"}
			}
		}
		must(t, l.Record(context.Background(), e))
	}
	_, err := l.Trace(context.Background(), "none") // the reads are stored
	must(t, err)
}

func dump(t testing.TB, dsn string, queries ...string) []string {
	t.Helper()
	db, err := sql.Open("sqlite", dsn)
	must(t, err)
	defer db.Close()
	var out []string
	for _, q := range queries {
		rows, err := db.Query(q)
		must(t, err)
		columns, err := rows.Columns()
		must(t, err)
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			must(t, rows.Scan(values...))
			line := q
			for _, v := range values {
				line += fmt.Sprint(" ", *v.(*any))
			}
			out = append(out, line)
		}
		must(t, rows.Close())
	}
	slices.Sort(out)
	return out
}

var rollups = []string{"SELECT * FROM audit_counts", "SELECT * FROM audit_durations", "SELECT * FROM audit_answers",
	"SELECT * FROM audit_hours", "SELECT * FROM audit_late", "SELECT hour FROM audit_heads"}

func TestAFailedCommitCountsNothing(t *testing.T) {
	l := newLog(t)
	must(t, l.Record(context.Background(), entry("r1")))
	_, err := l.Stats(context.Background(), 0, 0) // counts the record now, not when the writer is idle
	must(t, err)
	before := dump(t, audit.DSN(l), rollups...)
	audit.LimitPages(t, l, true)
	big := entry("r2")
	big.Summary = string(make([]byte, 1<<20))
	if err := l.Record(context.Background(), big); err == nil {
		t.Fatal("stored on a full disk")
	}
	audit.LimitPages(t, l, false)
	if diff := cmp.Diff(before, dump(t, audit.DSN(l), rollups...)); diff != "" {
		t.Errorf("(-before +after):\n%s", diff)
	}
}

// holds: U7
func TestU7FacetsAreCountedWithoutTheirOwnFilter(t *testing.T) {
	l := newLog(t)
	put := func(caller bus.CallerType, capability, person string, ok bool) {
		e := entry("r")
		if !ok {
			e.Result = failed("", bus.Conflict, bus.ReasonBusy).Result
		}
		e.Invocation.Caller.Type, e.Invocation.Capability, e.Invocation.Principal.ID = caller, capability, person
		must(t, l.Record(context.Background(), e))
	}
	put(bus.CallerUI, "a", "u1", true)
	put(bus.CallerUI, "b", "u1", true)
	put(bus.CallerAgent, "a", "u1", true)
	put(bus.CallerAgent, "a", "u2", false)
	put(bus.CallerAgent, "b", "u2", false)
	for name, q := range map[string]audit.Query{
		"kept":    {Capability: "a"},
		"counted": {Capability: "a", Since: 1},
	} {
		got, err := l.Facets(context.Background(), q)
		must(t, err)
		want := audit.Facets{
			Records:       3,
			Callers:       []audit.Count{{Value: "agent", Records: 2}, {Value: "ui", Records: 1}},
			Capabilities:  []audit.Count{{Value: "a", Records: 3}, {Value: "b", Records: 2}},
			Outcomes:      []audit.Count{{Value: "success", Records: 2}, {Value: "CONFLICT", Records: 1}},
			SideEffects:   []audit.Count{{Value: "ui-only", Records: 3}},
			People:        []audit.Count{{Value: "u1", Records: 2}, {Value: "u2", Records: 1}},
			Conversations: []audit.Conversation{},
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestU7KeptAndCountedFacetsAgree compares facets from the roll-ups with facets that are counted from the records.
//
// holds: U7
func TestU7KeptAndCountedFacetsAgree(t *testing.T) {
	l := newLog(t)
	mixed(t, l, 300)
	day := epoch.Truncate(24*time.Hour).UnixMilli() + 24*60*60*1000
	for name, q := range map[string]audit.Query{
		"everything":        {},
		"with reads":        {Reads: true},
		"failures":          {Status: "error"},
		"successes":         {Status: "success", CallerType: bus.CallerAgent},
		"two days":          {Since: day, Until: day + 2*24*60*60*1000},
		"days elsewhere":    {Since: day - 5*60*60*1000, Until: day + 43*60*60*1000},
		"hours":             {Since: day + 3*60*60*1000, Until: day + 22*60*60*1000, Reads: true},
		"hours of two days": {Since: day + 3*60*60*1000, Until: day + 26*60*60*1000},
		"since an hour":     {Since: day + 3*60*60*1000},
		"until an hour":     {Until: day + 3*60*60*1000},
		"without a name":    {Exclude: []string{"item.add", "nothing"}, Reads: true},
		"without a domain":  {Exclude: []string{"item", "order.ca"}, CallerType: bus.CallerAgent},
		"person":            {Person: "u2", Reads: true, Capability: "item.add"},
		"destructive":       {SideEffect: bus.Destructive, Code: bus.Conflict},
	} {
		kept, err := l.Facets(context.Background(), q)
		must(t, err)
		counted := q
		if counted.Since == 0 {
			counted.Since = 1
		} else { // the last ms of an hour has no record
			counted.Since, counted.Until = counted.Since-1, counted.Until-1
		}
		one, err := l.Facets(context.Background(), counted)
		must(t, err)
		if diff := cmp.Diff(kept, one); diff != "" {
			t.Errorf("%s: kept (-), counted (+):\n%s", name, diff)
		}
		if name == "two days" {
			half, err := l.Facets(context.Background(), audit.Query{Since: day + 12*60*60*1000, Until: q.Until})
			must(t, err)
			if half.Records == 0 || half.Records >= kept.Records {
				t.Errorf("a day and a half have %d records, two days %d", half.Records, kept.Records)
			}
		}
		if name == "everything" && len(kept.Conversations) != 8 {
			t.Errorf("conversations: %v", kept.Conversations)
		}
	}
}

// rebuild invokes audit.rebuildRollups.
func rebuild(t *testing.T, l *audit.Log) bus.Result {
	t.Helper()
	b := bus.New(bus.Options{Journal: l})
	b.MustRegister(capabilities.New(l, capabilities.Options{})...)
	return invoke(t, b, "data:write", "audit.rebuildRollups", `{}`)
}

// TestU7RollupsThatLieAreFoundAndRebuilt changes random roll-ups of a log whose first records were removed.
func TestU7RollupsThatLieAreFoundAndRebuilt(t *testing.T) {
	o := options()
	o.Segment = 10
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	mixed(t, l, 200)
	if got := purge(t, l, "purge", audit.Purge{Before: epoch.Add(90 * time.Hour)}); got.Records < 30 {
		t.Fatalf("%+v", got)
	}
	if v := check(t, l); !v.OK || v.Rollups != 0 {
		t.Fatalf("at first: %+v", v)
	}
	r := rand.New(rand.NewPCG(3, 9))
	for range soak(5, 500) {
		for _, text := range []string{`UPDATE OR REPLACE audit_counts SET calls = calls + 1 WHERE rowid_of`,
			`DELETE FROM audit_durations WHERE rowid_of`, `UPDATE OR REPLACE audit_answers SET bucket = bucket + 1 WHERE rowid_of`,
			`DELETE FROM audit_hours WHERE rowid_of`, `UPDATE OR REPLACE audit_late SET seq = seq + 1000 WHERE rowid_of`} {
			table := strings.Fields(strings.TrimPrefix(strings.TrimPrefix(text, "UPDATE OR REPLACE "), "DELETE FROM "))[0]
			key := map[string]string{"audit_hours": "first", "audit_late": "seq"}[table]
			where := "calls > 0 AND day IN (SELECT day FROM " + table + " WHERE day > -492400 ORDER BY day LIMIT 1 OFFSET " +
				fmt.Sprint(r.IntN(20)) + ")"
			if key != "" {
				where = key + " IN (SELECT " + key + " FROM " + table + " WHERE " + key + " > 160 LIMIT 1 OFFSET " +
					fmt.Sprint(r.IntN(3)) + ")"
			}
			audit.Execute(t, l, strings.Replace(text, "rowid_of", where, 1))
		}
		v := check(t, l)
		if v.OK || v.Rollups == 0 || v.FirstBad != 0 || !strings.Contains(v.Remedy, "audit.rebuildRollups") {
			t.Fatalf("not found: %+v", v)
		}
		done := rebuild(t, l)
		if ok(t, done); !strings.Contains(string(done.Data), fmt.Sprintf(`"corrected":%d`, v.Rollups)) {
			t.Errorf("%s, not %d", done.Data, v.Rollups)
		}
		if v := check(t, l); !v.OK {
			t.Fatalf("after: %+v", v)
		}
	}
}

// TestU7EachFigureThatLiesIsFoundAndRebuilt changes one value of each roll-up at a time. Verify finds just that one,
// and the record of the repair names it.
func TestU7EachFigureThatLiesIsFoundAndRebuilt(t *testing.T) {
	l, _ := manyFaced(t)
	effects := func() []bus.Effect {
		page, err := l.Search(t.Context(), audit.Query{Capability: "audit.rebuildRollups", Limit: 1})
		must(t, err)
		return page.Records[0].Effects
	}
	if done := rebuild(t, l); !done.OK() || string(done.Data) != `{"corrected":0}` || effects() != nil {
		t.Errorf("of a log that is well: %s %v %+v", done.Data, done.Err, effects())
	}
	const all = `day = -1 AND capability = 1 AND caller_type = 'ui'`
	for text, wrong := range map[string]int{
		`UPDATE audit_counts SET calls = calls + 1 WHERE stream = 'main' AND code = '' AND ` + all: 1,
		`INSERT INTO audit_counts VALUES ('main', 7, 1, 'ui', 'u9', 'pure', '', 1)`:                1,
		`DELETE FROM audit_durations WHERE ` + all:                                                 1,
		`UPDATE audit_durations SET bucket = bucket + 1 WHERE ` + all:                              2,
		`DELETE FROM audit_answers WHERE day = -1`:                                                 1,
		`INSERT INTO audit_answers VALUES (-1, 1, '', 'never', 1, 1)`:                              1,
		`UPDATE audit_hours SET first = first + 1 WHERE first > 20 AND stream = 'main'`:            1,
		`INSERT INTO audit_hours VALUES ('reads', 999999, 44)`:                                     1,
		`DELETE FROM audit_late WHERE seq = 35 AND stream = 'reads'`:                               1,
		`INSERT INTO audit_late VALUES ('main', 44)`:                                               1,
		`UPDATE audit_heads SET hour = hour + 1 WHERE stream = 'main'`:                             1,
		`UPDATE audit_heads SET hour = hour - 1 WHERE stream = 'reads'`:                            1,
	} {
		audit.Execute(t, l, text)
		if v := check(t, l); v.OK || v.Rollups != wrong || !strings.Contains(v.Problem, fmt.Sprint(wrong, " figures")) {
			t.Errorf("%s: %+v", text, v)
		}
		done := rebuild(t, l)
		want := []bus.Effect{{Table: "audit_counts", Op: "bulk",
			After: map[string]any{"corrected": json.Number(fmt.Sprint(wrong))}}}
		if diff := cmp.Diff(want, effects()); diff != "" || string(done.Data) != fmt.Sprintf(`{"corrected":%d}`, wrong) {
			t.Errorf("%s: %s %v %s", text, done.Data, done.Err, diff)
		}
		if v := check(t, l); !v.OK {
			t.Fatalf("%s: %+v", text, v)
		}
	}
}

// TestU7ARebuildIsWholeOrSaysWhy: a rebuild changes nothing and returns an error if a record was changed or a figure
// cannot be written.
func TestU7ARebuildIsWholeOrSaysWhy(t *testing.T) {
	for broken, says := range map[string]string{
		`UPDATE audit_records SET person = 'u2' WHERE seq = 30`: "Record 30 is not as it was written.",
		`ALTER TABLE audit_late RENAME COLUMN seq TO x`:         "no such column",
		`ALTER TABLE audit_late ADD COLUMN x TEXT`:              "table audit_late",
	} {
		l, _ := manyFaced(t)
		audit.Execute(t, l, `UPDATE audit_answers SET calls = 9 WHERE day = -1`, broken)
		e := entry("rebuild")
		var n int
		var err error
		must(t, l.Do(t.Context(), e, func(ctx context.Context, _ bus.Exec) error {
			if n, err = l.RebuildRollups(ctx, nil); err != nil {
				e.Result = failed("rebuild", bus.Internal, bus.ReasonUncoded).Result
			}
			return err
		}))
		if err == nil || n != 0 || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %d %v", broken, n, err)
		}
		if n := count(t, l, `SELECT calls FROM audit_answers WHERE day = -1`); n != 9 {
			t.Errorf("%s: a part was rebuilt: %d", broken, n)
		}
	}
}

// TestU7ARebuildThatCannotWriteChangesNothing: a failed rebuild leaves both the figures and the schema as they were.
func TestU7ARebuildThatCannotWriteChangesNothing(t *testing.T) {
	l, _ := manyFaced(t)
	audit.Execute(t, l, `UPDATE audit_answers SET calls = 9 WHERE day = -1`, `DROP INDEX audit_records_person`)
	for n := 1; ; n++ {
		met := audit.Fault(t, l, n)
		e := entry(fmt.Sprint("rebuild", n))
		var err error
		ended := l.Do(t.Context(), e, func(ctx context.Context, _ bus.Exec) error {
			if _, err = l.RebuildRollups(ctx, nil); err != nil {
				e.Result = failed("rebuild", bus.Internal, bus.ReasonUncoded).Result
			}
			return err
		})
		if !met() {
			break
		}
		calls := count(t, l, `SELECT calls FROM audit_answers WHERE day = -1`)
		if (err != nil || ended != nil) && calls != 9 {
			t.Errorf("statement %d failed, and a part was rebuilt: %d, %v %v", n, calls, err, ended)
		}
		if calls != 9 {
			break // the failure came after the commit
		}
		if v := check(t, l); v.Schema != 1 {
			t.Errorf("statement %d failed, and the schema is %+v", n, v)
		}
	}
}

// TestU7ARebuildAmongOthersIsDone: a rebuild reads committed records only, so it starts again when others share its
// commit.
func TestU7ARebuildAmongOthersIsDone(t *testing.T) {
	l, _ := manyFaced(t)
	audit.Execute(t, l, `UPDATE audit_answers SET calls = 9 WHERE day = -1`)
	crowd(t, l, 5, func(i int) {
		if i != 2 {
			must(t, l.Record(t.Context(), entry(fmt.Sprint("beside", i))))
			return
		}
		must(t, l.Do(t.Context(), entry("rebuild"), func(ctx context.Context, _ bus.Exec) error {
			_, err := l.RebuildRollups(ctx, nil)
			return err
		}))
	})
	if v := check(t, l); !v.OK {
		t.Errorf("%+v", v)
	}
}

// TestU7AnHourThatLiesIsRebuiltByAProgramThatBelievedIt when it was opened.
func TestU7AnHourThatLiesIsRebuiltByAProgramThatBelievedIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, options())
	read := entry("read")
	read.Read = true
	must(t, l.Record(t.Context(), read))
	must(t, l.Record(t.Context(), entry("r")))
	must(t, l.Close())
	audit.Tamper(t, audit.DSN(l), `UPDATE audit_heads SET hour = hour + 1`)
	l = open(t, path, options())
	if v := check(t, l); v.OK || v.Rollups != 2 {
		t.Errorf("%+v", v)
	}
	if done := rebuild(t, l); !done.OK() {
		t.Error(done.Err)
	}
	if v := check(t, l); !v.OK {
		t.Errorf("%+v", v)
	}
}
