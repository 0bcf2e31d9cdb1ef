package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// line writes effects the short way: op table{key} before>after.
func lines(effects []bus.Effect) []string {
	out := []string{}
	for _, e := range effects {
		key, _ := json.Marshal(e.Key)
		before, _ := json.Marshal(e.Before)
		after, _ := json.Marshal(e.After)
		out = append(out, strings.NewReplacer(`"`, "", "null", "-").
			Replace(fmt.Sprintf("%s %s%s %s > %s", e.Op, e.Table, key, before, after)))
	}
	return out
}

const seed = `INSERT INTO items (id, name, amount) VALUES ('a', 'A', 1), ('b', 'B', 2)`

// holds: U2
func TestU2EffectsAreTheRowsThatChanged(t *testing.T) {
	for _, tt := range []struct {
		name       string
		statements []string // one that begins with "!" must fail
		want       []string
	}{
		{"insert", []string{`INSERT INTO items (id, name) VALUES ('c', 'C')`},
			[]string{"insert items{id:c} - > {amount:0,id:c,name:C}"}},
		{"update keeps changed columns", []string{`UPDATE items SET name = 'X', amount = amount WHERE id = 'a'`},
			[]string{"update items{id:a} {name:A} > {name:X}"}},
		{"update to the same", []string{`UPDATE items SET name = name`}, []string{}},
		{"delete without where", []string{`DELETE FROM items`},
			[]string{"delete items{id:a} {amount:1,id:a,name:A} > -", "delete items{id:b} {amount:2,id:b,name:B} > -"}},
		{"upsert inserts", []string{`INSERT INTO counters VALUES (7, 1) ON CONFLICT (id) DO UPDATE SET n = n + 1`},
			[]string{"insert counters{id:7} - > {id:7,n:1}"}},
		{"upsert updates", []string{
			`INSERT INTO items (id, name) VALUES ('a', 'Z') ON CONFLICT (id) DO UPDATE SET name = excluded.name`},
			[]string{"update items{id:a} {name:A} > {name:Z}"}},
		{"ignored insert", []string{`INSERT OR IGNORE INTO items (id, name) VALUES ('a', 'Z')`}, []string{}},
		{"insert then update", []string{`INSERT INTO items (id, name) VALUES ('c', 'C')`,
			`UPDATE items SET name = 'D' WHERE id = 'c'`}, []string{"insert items{id:c} - > {amount:0,id:c,name:D}"}},
		{"update twice", []string{`UPDATE items SET amount = 5 WHERE id = 'a'`, `UPDATE items SET amount = 6 WHERE id = 'a'`},
			[]string{"update items{id:a} {amount:1} > {amount:6}"}},
		{"update and back", []string{`UPDATE items SET amount = 5 WHERE id = 'a'`,
			`UPDATE items SET amount = 1 WHERE id = 'a'`}, []string{}},
		{"insert then delete", []string{`INSERT INTO items (id, name) VALUES ('c', 'C')`, `DELETE FROM items WHERE id = 'c'`},
			[]string{}},
		{"update then delete", []string{`UPDATE items SET name = 'X' WHERE id = 'a'`, `DELETE FROM items WHERE id = 'a'`},
			[]string{"delete items{id:a} {amount:1,id:a,name:A} > -"}},
		{"delete then insert", []string{`DELETE FROM items WHERE id = 'a'`,
			`INSERT INTO items (id, name, amount) VALUES ('a', 'N', 1)`}, []string{"update items{id:a} {name:A} > {name:N}"}},
		{"without rowid", []string{`INSERT INTO parts (item, no, note) VALUES ('a', 1, 'n')`, `UPDATE parts SET note = 'm'`},
			[]string{"insert parts{item:a,no:1} - > {item:a,no:1,note:m,raw:-}"}},
		{"key changes", []string{`UPDATE counters SET id = 9 WHERE id = 1`, `UPDATE counters SET n = 5 WHERE id = 9`},
			[]string{"update counters{id:1} {id:1,n:4} > {id:9,n:5}"}},
		{"key changes and comes back", []string{`UPDATE counters SET id = 9 WHERE id = 1`,
			`UPDATE counters SET id = 1 WHERE id = 9`}, []string{}},
		{"key changes and is taken", []string{`UPDATE counters SET id = 9 WHERE id = 1`,
			`INSERT INTO counters VALUES (1, 0)`}, []string{"update counters{id:1} {id:1} > {id:9}",
			"insert counters{id:1} - > {id:1,n:0}"}},
		{"key changes, is deleted and comes back", []string{`UPDATE counters SET id = 9 WHERE id = 1`,
			`DELETE FROM counters WHERE id = 9`, `INSERT INTO counters VALUES (1, 7)`},
			[]string{"update counters{id:1} {n:4} > {n:7}"}},
		{"key changes of a deleted row's heir", []string{`DELETE FROM counters WHERE id = 1`,
			`INSERT INTO counters VALUES (2, 4)`, `UPDATE counters SET id = 1 WHERE id = 2`},
			[]string{"delete counters{id:1} {id:1,n:4} > -", "insert counters{id:1} - > {id:1,n:4}"}},
		{"failed statement leaves nothing", []string{`UPDATE items SET amount = 7 WHERE id = 'b'`,
			`!INSERT INTO counters VALUES (5, 1), (6, -1)`, `!UPDATE items SET id = 'b'`},
			[]string{"update items{id:b} {amount:2} > {amount:7}"}},
		{"failed foreign key leaves nothing", []string{`!INSERT INTO parts (item, no) VALUES ('none', 1)`}, []string{}},
		{"cascade", []string{`INSERT INTO parts (item, no) VALUES ('a', 1), ('a', 2)`, `DELETE FROM items WHERE id = 'a'`},
			[]string{"delete items{id:a} {amount:1,id:a,name:A} > -"}},
		{"64-bit integers", []string{`INSERT INTO counters VALUES (9223372036854775807, 9007199254740993)`},
			[]string{"insert counters{id:9223372036854775807} - > {id:9223372036854775807,n:9007199254740993}"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLog(t)
			must(t, do(t, l, entry("r0"), seed, `INSERT INTO counters VALUES (1, 4)`))
			e := entry("r1")
			must(t, l.Do(context.Background(), e, func(ctx context.Context, x bus.Exec) error {
				for _, statement := range tt.statements {
					text, fails := strings.CutPrefix(statement, "!")
					if _, err := audit.Tx(ctx).ExecContext(ctx, text); (err != nil) != fails {
						t.Fatalf("%s: %v", text, err)
					}
				}
				if diff := cmp.Diff(tt.want, lines(x.Effects())); diff != "" {
					t.Errorf("during the run (-want +got):\n%s", diff)
				}
				return nil
			}))
			if diff := cmp.Diff(tt.want, lines(e.Effects)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			found, err := l.Tail(context.Background(), 0, 1)
			must(t, err)
			if diff := cmp.Diff(tt.want, lines(found[0].Effects)); diff != "" {
				t.Errorf("as recorded (-want +got):\n%s", diff)
			}
		})
	}
}

// holds: U2
func TestU2CascadedDeletesAreEffects(t *testing.T) {
	l := newLog(t)
	must(t, do(t, l, entry("r0"), seed, `INSERT INTO parts (item, no) VALUES ('a', 1), ('a', 2), ('b', 1)`))
	e := entry("r1")
	must(t, do(t, l, e, `DELETE FROM items WHERE id = 'a'`))
	want := []string{"delete items{id:a} {amount:1,id:a,name:A} > -",
		"delete parts{item:a,no:1} {item:a,no:1,note:-,raw:-} > -",
		"delete parts{item:a,no:2} {item:a,no:2,note:-,raw:-} > -"}
	if diff := cmp.Diff(want, lines(e.Effects)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// holds: U2
func TestU2AFailedForeignKeyOfReturningLeavesNoEffect(t *testing.T) {
	l := newLog(t)
	e := entry("r")
	must(t, l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
		var no int
		if err := audit.Tx(ctx).QueryRowContext(ctx, `INSERT INTO parts (item, no) VALUES ('none', 1) RETURNING no`).
			Scan(&no); err == nil {
			t.Error("the foreign key was not checked")
		}
		return nil
	}))
	if len(e.Effects) != 0 {
		t.Errorf("effects: %v", lines(e.Effects))
	}
}

func TestEmptyBlobsAndInfinitiesAreToldFromNothing(t *testing.T) {
	o := options()
	o.Migrations = domain("-- +goose Up\nCREATE TABLE odd (id INTEGER PRIMARY KEY, raw BLOB, size REAL) STRICT;")
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	e := entry("r")
	must(t, l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
		_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO odd VALUES (1, ?, ?), (2, NULL, -?2)`, []byte{}, math.Inf(1))
		return err
	}))
	want := []string{"insert odd{id:1} - > {id:1,raw:,size:+Inf}", "insert odd{id:2} - > {id:2,raw:-,size:-Inf}"}
	if diff := cmp.Diff(want, lines(e.Effects)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// holds: U2
func TestU2ShadowTablesAreNoEffects(t *testing.T) {
	o := options()
	o.Migrations = domain("-- +goose Up\nCREATE VIRTUAL TABLE words USING fts5 (text);")
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	e := entry("r")
	must(t, do(t, l, e, `INSERT INTO words (text) VALUES ('hello')`))
	if n := count(t, l, `SELECT count(*) FROM words WHERE words MATCH 'hello'`); n != 1 || len(e.Effects) != 0 {
		t.Errorf("found %d, effects %v", n, lines(e.Effects))
	}
}

// holds: U2
func TestU2BulkWorkKeepsCountsAndADigest(t *testing.T) {
	run := func(statements ...string) []bus.Effect {
		l := newLog(t)
		must(t, do(t, l, entry("r0"), seed))
		e := entry("r1")
		e.Bulk = true
		must(t, l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
			for _, text := range statements {
				text, fails := strings.CutPrefix(text, "!")
				if _, err := audit.Tx(ctx).ExecContext(ctx, text); (err != nil) != fails {
					t.Fatal(err)
				}
			}
			return nil
		}))
		return e.Effects
	}
	statements := []string{`INSERT INTO counters VALUES (1, 1), (2, 2), (3, 3)`,
		`UPDATE counters SET n = n + 1 WHERE id > 1`, `DELETE FROM items WHERE id = 'a'`}
	first := run(statements...)
	if len(first) != 2 || first[0].Table != "counters" || first[0].Op != "bulk" || first[1].After["deleted"] != int64(1) ||
		first[0].After["inserted"] != int64(3) || first[0].After["updated"] != int64(2) {
		t.Fatalf("effects: %+v", first)
	}
	failing := append([]string{`!INSERT INTO counters VALUES (8, 1), (9, -1)`}, statements...)
	if diff := cmp.Diff(first, run(failing...)); diff != "" {
		t.Errorf("a failed statement counted (-want +got):\n%s", diff)
	}
	other := run(`INSERT INTO counters VALUES (1, 1), (2, 2), (3, 4)`, statements[1], statements[2])
	if first[0].After["digest"] == other[0].After["digest"] {
		t.Error("other rows, same digest")
	}
}
