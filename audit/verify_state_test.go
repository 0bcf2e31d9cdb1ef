package audit_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

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
		Principal: bus.Principal{Person: "u1", Scopes: []string{"*"}}}))
	v := verifiedState(t, l)
	if !v.OK || v.From != 1 || v.Records != 3 || v.Rows != 1 || v.Together != 3 || v.Uncovered != 0 ||
		v.Why != "Record 1 (toy.load): It changed too many rows to keep each of them." {
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
