package audit_test

import (
	"context"
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
	"github.com/deskhand/deskhand/bus"
)

func verifiedState(t *testing.T, l *audit.Log) audit.StateVerdict {
	t.Helper()
	v, err := l.VerifyState(t.Context(), nil)
	must(t, err)
	if v.OK != (len(v.Unexplained) == 0) {
		t.Fatalf("%+v", v)
	}
	return v
}

// TestU2TheRowsAreWhatTheLogSays runs random requests and undoes, with cascades, upserts, swapped keys and computed
// columns.
// holds: U2
func TestU2TheRowsAreWhatTheLogSays(t *testing.T) {
	b, l := newToy(t, bus.Options{})
	r := rand.New(rand.NewPCG(7, 8))
	for n := range 150 {
		if r.IntN(6) == 0 {
			undo(b, fmt.Sprint("r", n), fmt.Sprint("r", n-1))
			continue
		}
		steps, _ := json.Marshal(r.Perm(len(toyActions))[:1+r.IntN(4)])
		call(b, fmt.Sprint("r", n), "toy.act", fmt.Sprintf(`{"steps":%s}`, steps))
	}
	if v := verifiedState(t, l); !v.OK || v.From != 0 || v.Rows < 10 || v.Records < 150 {
		t.Errorf("%+v", v)
	}
}

// TestU2ARowThatNoRecordExplainsIsNamed changes rows of each table as another program could.
// holds: U2
func TestU2ARowThatNoRecordExplainsIsNamed(t *testing.T) {
	for _, tamper := range []struct{ text, says string }{
		{`UPDATE teams SET name = 'other' WHERE id = 't1'`, "The row t1 of teams is not as record 1 (item.add) left it."},
		{`UPDATE people SET score = 4 WHERE id = 'p1'`, "The row p1 of people is not as record 2 (item.add) left it."},
		{`UPDATE people SET photo = x'00' WHERE id = 'p1'`, "The row p1 of people"},
		{`UPDATE people SET boss = NULL WHERE id = 'p2'`, "The row p2 of people"},
		{`UPDATE tags SET n = 7`, "The row a, p1 of tags"},
		{`UPDATE desks SET no = 12 WHERE no = 11`, "The row 11 of desks"},
		{`DELETE FROM desks`, "The row 11 of desks is not as record 2"},
		{`INSERT INTO teams VALUES ('t9', 'new')`, "The row t9 of teams has no record."},
		{`INSERT INTO teams VALUES ('t3', 'back')`, "The row t3 of teams is not as record 3 (item.add) left it."},
	} {
		_, l := newToy(t, bus.Options{})
		must(t, do(t, l, entry("r1"), `INSERT INTO teams VALUES ('t1', 'one'), ('t2', 'two'), ('t3', 'three')`))
		must(t, do(t, l, entry("r2"), `INSERT INTO people (id, team, boss, score, photo)
				VALUES ('p1', 't1', NULL, 1.5, x'0102'), ('p2', 't2', 'p1', 2, NULL)`,
			`INSERT INTO tags (person, tag) VALUES ('p1', 'a')`, `INSERT INTO desks VALUES (11, 'p1')`))
		must(t, do(t, l, entry("r3"), `DELETE FROM teams WHERE id = 't3'`, `UPDATE people SET score = 3 WHERE id = 'p2'`))
		if v := verifiedState(t, l); !v.OK || v.Rows != 6 {
			t.Fatalf("before: %+v", v)
		}
		audit.Execute(t, l, tamper.text)
		v := verifiedState(t, l)
		if v.OK || !strings.HasPrefix(v.Unexplained[0], tamper.says) {
			t.Errorf("%s: %+v", tamper.text, v)
		}
	}
}

// TestU2ABulkChangeIsComparedAsAWhole checks that the rows which it left are compared with the digest in its record. A
// dry run of a bulk change changed nothing.
// holds: U2
func TestU2ABulkChangeIsComparedAsAWhole(t *testing.T) {
	b, l := newToy(t, bus.Options{})
	ok(t, call(b, "r1", "toy.load", `{"steps":[0,0,0]}`))
	ok(t, call(b, "r2", "toy.act", `{"steps":[0]}`))
	ok(t, b.Invoke(t.Context(), bus.Invocation{Capability: "toy.load", Arguments: json.RawMessage(`{"steps":[0]}`),
		DryRun: true, Caller: bus.Caller{Type: bus.CallerTest},
		Principal: bus.Principal{ID: "u1", Scopes: []string{"*"}}}))
	v := verifiedState(t, l)
	if !v.OK || v.From != 1 || v.Records != 3 || v.Rows != 1 || v.Together != 3 || v.Uncovered != 0 ||
		v.Why != "Record 1 (toy.load): Its record does not keep the rows that it changed." {
		t.Errorf("%+v", v)
	}
}

// TestU2RowsFromBeforeABulkChangeAreCompared changes rows of a table that a bulk change filled, and of one that it did
// not touch.
func TestU2RowsFromBeforeABulkChangeAreCompared(t *testing.T) {
	for _, tamper := range []struct{ text, says string }{
		{``, ""},
		{`UPDATE teams SET name = 'other' WHERE id || name = '%s'`,
			"Rows of teams are not as record 2 (toy.load)"},
		{`DELETE FROM teams WHERE id || name = '%s'`, "Rows of teams are not as record 2 (toy.load)"},
		{`INSERT INTO teams VALUES ('t9', 'new')`, "Rows of teams are not as record 2 (toy.load)"},
		{`UPDATE tags SET n = 7`, "The row a, p1 of tags is not as record 1 (item.add) left it."},
		{`INSERT INTO loose (what) VALUES (1)`, ""},
	} {
		b, l := newToy(t, bus.Options{})
		must(t, do(t, l, entry("r1"), `INSERT INTO teams VALUES ('0', 'none'), ('1', 'one')`,
			`INSERT INTO people (id, team, score, photo) VALUES ('p1', '1', 1.5, x'0102'), ('p2', '1', NULL, x'')`,
			`INSERT INTO tags (person, tag) VALUES ('p1', 'a')`))
		ok(t, call(b, "r2", "toy.load", `{"steps":[0,0,0]}`))
		const loaded = `SELECT id || name FROM teams WHERE name LIKE 'T%'`
		filled := dump(t, audit.DSN(l), loaded)
		ok(t, call(b, "r3", "toy.act", `{"steps":[0,8,9]}`)) // renames two teams, and gives another key to one
		changed := func(row string) bool { return !slices.Contains(filled, row) }
		kept := slices.DeleteFunc(dump(t, audit.DSN(l), loaded), changed)
		if tamper.text != "" {
			audit.Execute(t, l, strings.ReplaceAll(tamper.text, "%s", strings.TrimPrefix(kept[0], loaded+" ")))
		}
		v := verifiedState(t, l)
		if says := strings.Join(v.Unexplained, " "); !strings.HasPrefix(says, tamper.says) || v.OK != (tamper.says == "") {
			t.Errorf("%s: %+v", tamper.text, v)
		}
	}
}

// stateOf returns the verdict of VerifyState. It also checks that a failed query leads to an error and never to a
// smaller verdict.
func stateOf(t *testing.T, l *audit.Log) audit.StateVerdict {
	t.Helper()
	whole := verifiedState(t, l)
	atEachLook(t, func(ctx context.Context) error {
		v, err := l.VerifyState(ctx, nil)
		if err == nil {
			if diff := cmp.Diff(whole, v); diff != "" {
				t.Error(diff)
			}
		}
		return err
	})
	return whole
}

// TestU2WhatIsBehindTheRecordsIsSaid: a verdict names the first record from which the rows are explained, and the
// reason: removed records, or records without their effects.
func TestU2WhatIsBehindTheRecordsIsSaid(t *testing.T) {
	o := options()
	o.Segment = 1
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	must(t, do(t, l, entry("r1"), `INSERT INTO counters VALUES (1, 1), (2, 2)`))
	must(t, do(t, l, entry("r2"), `UPDATE counters SET n = 3 WHERE id = 2`))
	if got := purge(t, l, "purge", audit.Purge{Before: epoch.Add(time.Hour), Segments: 1}); got.UpTo != 1 {
		t.Fatalf("%+v", got)
	}
	want := audit.StateVerdict{OK: true, Records: 2, Rows: 1, From: 1, Why: "Retention removed the records before.",
		Uncovered: 1}
	if diff := cmp.Diff(want, stateOf(t, l)); diff != "" {
		t.Error("purged:", diff)
	}
	dry := entry("dry")
	dry.Result.DryRun, dry.Invocation.Arguments = true, json.RawMessage(`{"name":"Zofia"}`)
	dry.Effects = []bus.Effect{{Table: "counters", Op: "insert", Key: map[string]any{"id": 9},
		After: map[string]any{"id": 9}}}
	must(t, l.Record(t.Context(), dry))
	must(t, do(t, l, entry("r3"), `INSERT INTO counters VALUES (3, 1)`))
	erase := func() {
		must(t, l.Do(t.Context(), entry("erase"), func(ctx context.Context, _ bus.Exec) error {
			_, err := l.Erase(ctx, "Zofia")
			return err
		}))
	}
	erase()
	want.Records, want.Rows = 5, 2
	if diff := cmp.Diff(want, stateOf(t, l)); diff != "" {
		t.Error("a dry run that was erased:", diff)
	}
	about := entry("about")
	about.Invocation.Arguments = json.RawMessage(`{"name":"Zofia"}`)
	must(t, l.Record(t.Context(), about))
	erase()
	want.Records = 7
	if diff := cmp.Diff(want, stateOf(t, l)); diff != "" {
		t.Error("a record without rows was erased:", diff)
	}
	b, l, _ := newClients(t)
	save(t, b, "r1", clientInput{ID: "c_1", Name: "Zofia", Mail: "zofia.w@example.org"})
	save(t, b, "r2", clientInput{ID: "c_2", Name: "Ana", Mail: "ana@example.org"})
	ok(t, call(b, "r3", "client.erase", `{"id":"c_1"}`))
	want = audit.StateVerdict{OK: true, Records: 3, Rows: 1, From: 3,
		Why: "Record 3 (client.erase): It erased a person: its record names the rows and not what was in them."}
	if diff := cmp.Diff(want, stateOf(t, l)); diff != "" {
		t.Error("a person was erased:", diff)
	}
}

// TestU2AfterAnErasureTheOtherRowsAreCompared: after erasures, the other rows are compared with earlier records too. A
// row in an erased record is compared with later records only.
func TestU2AfterAnErasureTheOtherRowsAreCompared(t *testing.T) {
	for _, c := range []struct {
		tamper, says string
		uncovered    int64
		then         []string // erased later
	}{
		{"", "", 1, nil},
		{`UPDATE counters SET n = 9 WHERE id = 1`, "The row 1 of counters is not as record 1 (item.add) left it.", 1, nil},
		{`UPDATE counters SET n = 9 WHERE id = 2`, "", 1, nil}, // the erased record changed it last
		{`UPDATE counters SET n = 9 WHERE id = 3`, "The row 3 of counters is not as record 5 (item.add) left it.", 1, nil},
		{`DELETE FROM counters WHERE id = 1`, "The row 1 of counters is not as record 1 (item.add) left it.", 1, nil},
		{`INSERT INTO counters VALUES (7, 1)`, "The row 7 of counters has no record.", 1, nil},
		{"", "", 2, []string{"gone"}}, // which erases the record of the first erasure
		{`UPDATE counters SET n = 9 WHERE id = 1`, "The row 1 of counters is not as record 1 (item.add) left it.", 2,
			[]string{"gone"}},
		{`INSERT INTO items VALUES ('gone', 'x', 1)`, "The row gone of items is not as record 6 (item.add) left it.", 1, nil},
	} {
		l := newLog(t)
		must(t, do(t, l, entry("r1"), `INSERT INTO counters VALUES (1, 1), (2, 2), (3, 3)`))
		must(t, do(t, l, entry("r2"), `INSERT INTO items VALUES ('gone', 'Zofia', 1), ('kept', 'Ana', 1)`))
		about := entry("about")
		about.Invocation.Arguments = json.RawMessage(`{"name":"Mira"}`)
		must(t, do(t, l, about, `UPDATE counters SET n = 4 WHERE id IN (2, 3)`))
		must(t, do(t, l, entry("r4"), `UPDATE items SET amount = 2 WHERE id = 'kept'`))
		must(t, do(t, l, entry("r5"), `UPDATE counters SET n = 5 WHERE id = 3`))
		for _, name := range append([]string{"Zofia", "Mira"}, c.then...) {
			must(t, l.Do(t.Context(), entry("erase "+name), func(ctx context.Context, _ bus.Exec) error {
				if _, err := audit.Tx(ctx).ExecContext(ctx, `DELETE FROM items WHERE name = ?`, name); err != nil {
					return err
				}
				_, err := l.Erase(ctx, name)
				return err
			}))
		}
		if c.tamper != "" {
			audit.Execute(t, l, c.tamper)
		}
		v := stateOf(t, l)
		if says := strings.Join(v.Unexplained, " "); says != c.says || v.OK != (says == "") || v.Uncovered != c.uncovered ||
			v.Records != int64(7+len(c.then)) {
			t.Errorf("%s: %+v", c.tamper, v)
		}
	}
}

// TestU2ATableThatWasLoadedAndErasedFromIsNotCompared: the digest of a bulk change covers the erased row, so VerifyState
// does not compare it. It compares other tables.
func TestU2ATableThatWasLoadedAndErasedFromIsNotCompared(t *testing.T) {
	b, l := newToy(t, bus.Options{})
	must(t, do(t, l, entry("r1"), `INSERT INTO teams VALUES ('0', 'none')`,
		`INSERT INTO people (id, team, score, photo) VALUES ('p1', '0', 1.5, x'0102')`,
		`INSERT INTO tags (person, tag) VALUES ('p1', 'a')`))
	ok(t, call(b, "r2", "toy.load", `{"steps":[0,0,0]}`))
	loaded := verifiedState(t, l)
	about := entry("about")
	about.Invocation.Arguments = json.RawMessage(`{"name":"Mira"}`)
	must(t, do(t, l, about, `UPDATE teams SET name = 'Mira' WHERE id = (SELECT max(id) FROM teams WHERE name LIKE 'T%')`))
	must(t, l.Do(t.Context(), entry("erase"), func(ctx context.Context, _ bus.Exec) error {
		_, err := l.Erase(ctx, "Mira")
		return err
	}))
	v := verifiedState(t, l)
	if !v.OK || v.Rows != loaded.Rows || v.Uncovered != loaded.Together {
		t.Errorf("%+v, before %+v", v, loaded)
	}
	audit.Execute(t, l, `UPDATE tags SET n = 7`)
	if v := verifiedState(t, l); v.OK {
		t.Errorf("%+v", v)
	}
}

// TestU2ALongLogIsFollowedToItsFirstRecord: VerifyState reads a long log page by page and reports its progress.
func TestU2ALongLogIsFollowedToItsFirstRecord(t *testing.T) {
	l := newLog(t)
	crowd(t, l, 1000, func(i int) { must(t, l.Record(t.Context(), entry(fmt.Sprint("r", i)))) })
	var steps [][2]int64
	v, err := l.VerifyState(t.Context(), func(done, total int64) { steps = append(steps, [2]int64{done, total}) })
	must(t, err)
	if diff := cmp.Diff([][2]int64{{500, 1001}, {1000, 1001}, {1001, 1001}}, steps); diff != "" || v.Records != 1001 {
		t.Errorf("%d records: %s", v.Records, diff)
	}
}

// TestU2ARowIsToldOnce: a row that several records changed is in the list once, and the list has at most 200 rows.
func TestU2ARowIsToldOnce(t *testing.T) {
	l := newLog(t)
	must(t, do(t, l, entry("r1"), `INSERT INTO items VALUES ('a', 'A', 1)`))
	must(t, do(t, l, entry("r2"), `UPDATE items SET name = 'B' WHERE id = 'a'`))
	must(t, do(t, l, entry("r3"), `UPDATE items SET amount = 2 WHERE id = 'a'`))
	audit.Execute(t, l, `DELETE FROM items`)
	if diff := cmp.Diff([]string{"The row a of items is not as record 3 (item.add) left it."},
		stateOf(t, l).Unexplained); diff != "" {
		t.Error(diff)
	}
	audit.Execute(t, l, `INSERT INTO items VALUES ('a', 'B', 2)`, `INSERT INTO counters
		WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) SELECT i, i FROM n`)
	if v := verifiedState(t, l); len(v.Unexplained) != 200 || v.Truncated {
		t.Errorf("%d of 200 are told: %v", len(v.Unexplained), v.Truncated)
	}
	audit.Execute(t, l, `INSERT INTO counters VALUES (1000, 1)`)
	if v := verifiedState(t, l); len(v.Unexplained) != 200 || !v.Truncated {
		t.Errorf("%d of 201 are told: %v", len(v.Unexplained), v.Truncated)
	}
}

// TestU2ARowFromBeforeTheFirstRecordIsTold: a record changed a row that no record created.
func TestU2ARowFromBeforeTheFirstRecordIsTold(t *testing.T) {
	l := newLog(t)
	audit.Execute(t, l, `INSERT INTO counters VALUES (1, 1)`)
	must(t, do(t, l, entry("r1"), `UPDATE counters SET n = 2`))
	if diff := cmp.Diff([]string{"The row 1 of counters was there before the first record."},
		stateOf(t, l).Unexplained); diff != "" {
		t.Error(diff)
	}
	audit.Execute(t, l, `UPDATE counters SET n = 3`)
	if diff := cmp.Diff([]string{"The row 1 of counters is not as record 1 (item.add) left it."},
		stateOf(t, l).Unexplained); diff != "" {
		t.Error(diff)
	}
}

// TestU2ATableThatIsGoneIsNoVerdict: a missing table gives an error. A table without types is skipped.
func TestU2ATableThatIsGoneIsNoVerdict(t *testing.T) {
	b, l := newToy(t, bus.Options{})
	ok(t, call(b, "r1", "toy.odd", `{"steps":[],"note":"x"}`))
	ok(t, call(b, "r2", "toy.load", `{"steps":[0,0,0,2]}`))
	ok(t, call(b, "r3", "toy.act", `{"steps":[0]}`))
	if v := stateOf(t, l); !v.OK || v.Rows != 1 || v.Together != 5 || v.Records != 3 || v.From != 2 {
		t.Errorf("%+v", v)
	}
	audit.Execute(t, l, `UPDATE teams SET name = name || 'x'`)
	if v := stateOf(t, l); len(v.Unexplained) != 2 {
		t.Errorf("%+v", v)
	}
	e := entry("r4")
	e.Effects = []bus.Effect{{Table: "gone", Op: "insert", Key: map[string]any{"id": 1}, After: map[string]any{"id": 1}}}
	must(t, l.Record(t.Context(), e))
	if v, err := l.VerifyState(t.Context(), nil); err == nil || !strings.Contains(err.Error(), "no longer there") {
		t.Errorf("%+v %v", v, err)
	}
	_, l = newToy(t, bus.Options{})
	audit.Execute(t, l, `ALTER TABLE audit_checkpoints RENAME COLUMN hash TO x`)
	if v, err := l.VerifyState(t.Context(), nil); err == nil {
		t.Errorf("%+v", v)
	}
}
