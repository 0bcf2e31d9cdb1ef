package audit_test

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

const stateSchema = schema + `
CREATE TABLE "odd ""name" (b TEXT, a INTEGER, "select" REAL, PRIMARY KEY (a, b)) STRICT;
CREATE TABLE loose (id INTEGER PRIMARY KEY, "when" DATETIME, what);
`

func stateHash(t testing.TB, l *audit.Log) string {
	t.Helper()
	h, err := l.StateHash(context.Background())
	must(t, err)
	return h
}

func stateLog(t testing.TB, name string, statements ...string) *audit.Log {
	o := options()
	o.Migrations = domain(stateSchema)
	l := open(t, filepath.Join(t.TempDir(), name), o)
	for i, text := range statements {
		must(t, do(t, l, entry(fmt.Sprint("r", i)), text))
	}
	return l
}

// holds: U6
func TestU6EqualRowsHaveOneStateHash(t *testing.T) {
	a := stateLog(t, "a.db",
		`INSERT INTO items (id, name) VALUES ('a', 'A'), ('b', 'B')`,
		`INSERT INTO "odd ""name" VALUES ('x', 1, 0.5), ('y', 1, NULL), ('x', 2, 1e300)`,
		`INSERT INTO loose VALUES (1, '2026-03-01 12:00:00', 5), (2, 7, x'00')`)
	b := stateLog(t, "b.db",
		`INSERT INTO loose VALUES (2, 7, x'00')`,
		`INSERT INTO "odd ""name" VALUES ('x', 2, 1e300), ('y', 1, 9), ('x', 1, 0.5)`,
		`UPDATE "odd ""name" SET "select" = NULL WHERE b = 'y'`,
		`INSERT INTO items (id, name) VALUES ('b', 'B'), ('gone', '')`, `DELETE FROM items WHERE id = 'gone'`,
		`INSERT INTO items (id, name) VALUES ('a', 'A')`,
		`INSERT INTO loose VALUES (1, '2026-03-01 12:00:00', 5)`)
	if x, y := stateHash(t, a), stateHash(t, b); x != y || len(x) != 64 {
		t.Errorf("%s and %s", x, y)
	}
}

// holds: U6
func TestU6AnyOtherStateHasAnotherHash(t *testing.T) {
	l := stateLog(t, "log.db", `INSERT INTO items (id, name) VALUES ('a', 'A')`,
		`INSERT INTO parts VALUES ('a', 1, NULL, NULL)`, `INSERT INTO loose VALUES (1, NULL, 5)`)
	seen := map[string]string{stateHash(t, l): "the beginning"}
	for i, text := range []string{
		`UPDATE parts SET raw = x''`, `UPDATE parts SET note = ''`, `UPDATE parts SET note = NULL, raw = NULL, no = 2`,
		`UPDATE loose SET what = 5.0`, `UPDATE loose SET what = '5'`, `UPDATE loose SET what = x'35'`,
		`UPDATE loose SET id = 2`,
		`UPDATE items SET name = 'B'`, `INSERT INTO counters VALUES (1, 1)`, `DELETE FROM counters`, `DELETE FROM parts`,
	} {
		must(t, do(t, l, entry(fmt.Sprint("again", i)), text))
		h := stateHash(t, l)
		if before, ok := seen[h]; ok && text != `DELETE FROM counters` {
			t.Errorf("%s gives the hash of %s", text, before)
		}
		seen[h] = text
	}
}

func TestTheStateHashIsOfTheDomainAlone(t *testing.T) {
	l := stateLog(t, "log.db")
	before := stateHash(t, l)
	must(t, do(t, l, entry("nothing")))
	audit.Execute(t, l, `CREATE TABLE agent_notes (id INTEGER PRIMARY KEY)`, `INSERT INTO agent_notes VALUES (1)`)
	if after := stateHash(t, l); after != before {
		t.Error("the journal's own rows are in it")
	}
	must(t, l.DryRun(context.Background(), entry("dry"), func(ctx context.Context, _ bus.Exec) error {
		_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO items (id, name) VALUES ('a', 'A')`)
		must(t, err)
		if inside, err := l.StateHash(ctx); err != nil || inside == before {
			t.Errorf("inside it sees nothing of it: %v", err)
		}
		return nil
	}))
	if after := stateHash(t, l); after != before {
		t.Error("a dry run is in it")
	}
}
