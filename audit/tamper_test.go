package audit_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// tampered returns the file of a closed log that has rows in almost every table. With removed, some records were erased
// and purged.
func tampered(t testing.TB, removed bool) (file []byte, head string) {
	t.Helper()
	path, o := filepath.Join(t.TempDir(), "log.db"), signing(1)
	o.Segment, o.IndexAfter = 10, time.Hour
	l, err := audit.Open(context.Background(), path, o)
	must(t, err)
	mixed(t, l, 90)
	for n := range 14 {
		e := at(fmt.Sprint("look", n), 9000+n)
		e.Read = true
		must(t, l.Record(context.Background(), e))
	}
	about := at("about", 9100)
	about.Invocation.Arguments, about.Key = json.RawMessage(`{"customer":"ben_1"}`), key("about")
	must(t, do(t, l, about, `INSERT INTO items (id, name) VALUES ('a', 'Ada'), ('b', 'Ben')`))
	about = at("looked", 9101)
	about.Invocation.Arguments, about.Read = json.RawMessage(`{"customer":"ben_1"}`), true
	must(t, l.Record(context.Background(), about))
	if removed {
		must(t, l.Do(context.Background(), at("erase", 9102), func(ctx context.Context, _ bus.Exec) error {
			_, err := l.Erase(ctx, "ben_1")
			return err
		}))
		for _, reads := range []bool{false, true} {
			p := audit.Purge{Before: epoch.Add(2000 * time.Hour), Segments: 1, Reads: reads}
			if got := purge(t, l, fmt.Sprint("purge", reads), p); got.Segments != 1 {
				t.Fatalf("%+v", got)
			}
		}
	}
	for n, text := range []string{`INSERT INTO items (id, name, amount) VALUES ('c', 'Cam', 3), ('d', 'Dee', 4)`,
		`INSERT INTO parts VALUES ('c', 1, 'one', x'01'), ('c', 2, NULL, x''), ('d', 1, 'three', NULL)`,
		`INSERT INTO counters VALUES (1, 5), (2, 6), (3, 7)`, `UPDATE counters SET n = n + 1 WHERE id = 2`,
		`DELETE FROM items WHERE id = 'd'`} {
		e := at(fmt.Sprint("work", n), 9200+n)
		e.Key = key(e.Invocation.RequestID)
		if n == 2 {
			e.Steps = []string{"item.add", "item.pack", "item.add"}
		}
		must(t, do(t, l, e, text))
	}
	audit.Execute(t, l, `INSERT INTO audit_buckets VALUES ('items.add', 2, 1), ('items.drop', 4, 3)`,
		`INSERT INTO audit_filters (person, name, filter, saved) VALUES ('u1', 'a', '{}', 1),
		('u2', 'b', '{}', 2)`)
	_, err = l.Search(context.Background(), audit.Query{Text: "work", Reads: true})
	must(t, err)
	_, err = l.Stats(context.Background(), 0, 0)
	must(t, err)
	prove(t, l, "about", false)
	prove(t, l, "work4", false)
	underWay := step("under way")
	underWay.Key = nil
	must(t, l.Begin(context.Background(), underWay))
	head = check(t, l).Head
	must(t, l.Close())
	audit.Tamper(t, audit.DSN(l), `DELETE FROM audit_traces`, `DELETE FROM audit_forgotten`,
		`PRAGMA wal_checkpoint(TRUNCATE)`)
	file, err = os.ReadFile(path)
	must(t, err)
	return file, head
}

// The ways to find out that a file was changed, the cheapest first.
const (
	byVerify = iota
	byHead
	byState
	byNothing
)

// finding changes a log and returns the check that finds the change. A log that cannot be opened or checked counts as
// found.
func finding(t testing.TB, file []byte, head string, statements ...string) (by int, refused error) {
	t.Helper()
	path, o := onDisk(t, file), options()
	if len(statements) > 0 {
		if err := change(path, statements); err != nil {
			return byNothing, err
		}
	}
	o.Segment, o.IndexAfter = 10, time.Hour
	l, err := audit.Open(context.Background(), path, o)
	if err != nil {
		return byVerify, nil
	}
	defer l.Close()
	if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK {
		return byVerify, nil
	}
	if v, err := l.Verify(context.Background(), nil, head); err != nil || !v.OK {
		return byHead, nil
	}
	if v, err := l.VerifyState(context.Background(), nil); err != nil || !v.OK {
		return byState, nil
	}
	return byNothing, nil
}

// change runs statements as another program would, which SQLite may refuse.
func change(path string, statements []string) (err error) {
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for _, text := range statements {
		if _, err := db.Exec(text); err != nil {
			return err
		}
	}
	return nil
}

// tamperTable is a table as its schema describes it, with its rows by key.
type tamperTable struct {
	name    string
	columns []string
	types   []string
	unique  []bool // in the key, or in an index that holds no value twice
	key     []bool
	rows    [][]any
}

// tamperTables reads the tables whose names match. opaque are the tables of SQLite's own extensions.
func tamperTables(t testing.TB, path string, own func(name string) bool) (all []tamperTable, opaque []string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	must(t, err)
	defer db.Close()
	read := func(query string, args ...any) (out [][]any) {
		rows, err := db.Query(query, args...)
		must(t, err)
		defer rows.Close()
		columns, err := rows.Columns()
		must(t, err)
		for rows.Next() {
			row, into := make([]any, len(columns)), make([]any, len(columns))
			for i := range row {
				into[i] = &row[i]
			}
			must(t, rows.Scan(into...))
			out = append(out, row)
		}
		must(t, rows.Err())
		return out
	}
	for _, found := range read(`SELECT name, type FROM pragma_table_list WHERE schema = 'main' ORDER BY name`) {
		name := found[0].(string)
		switch {
		case !own(name):
			continue
		case found[1] != "table":
			opaque = append(opaque, name)
			continue
		}
		tt := tamperTable{name: name}
		for _, c := range read(`SELECT name, upper(type), pk > 0, EXISTS (SELECT 1 FROM pragma_index_list(?1) l
			JOIN pragma_index_info(l.name) i WHERE l."unique" AND i.name = c.name) FROM pragma_table_info(?1) c`, name) {
			tt.columns, tt.types = append(tt.columns, c[0].(string)), append(tt.types, c[1].(string))
			tt.key, tt.unique = append(tt.key, c[2] == int64(1)), append(tt.unique, c[2] == int64(1) || c[3] == int64(1))
		}
		if !slices.Contains(tt.key, true) {
			tt.key = tt.unique
		}
		tt.rows = read(`SELECT +` + strings.Join(tt.columns, ", +") + ` FROM ` + name + ` ORDER BY ` +
			strings.Join(tt.columns, ", "))
		all = append(all, tt)
	}
	return all, opaque
}

func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "NULL"
	case string:
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	case []byte:
		return fmt.Sprintf("x'%x'", v)
	}
	return fmt.Sprint(v)
}

// others returns values that differ from v: close ones, and ones that keep JSON the same.
func others(kind, column string, v any) []any {
	switch v := v.(type) {
	case int64:
		return []any{v + 1, v + 1000, v - 1, v ^ 1}
	case string:
		if column == "stream" {
			return []any{v + "x", map[bool]string{true: "reads", false: "main"}[v == "main"]}
		}
		return []any{v + "x", v + " ", ""}
	case []byte:
		turned := append(slices.Clone(v), ' ')
		if len(v) > 0 {
			turned = slices.Clone(v)
			turned[len(v)-1] ^= 1
		}
		return []any{append(slices.Clone(v), ' '), turned}
	}
	return map[string][]any{"INTEGER": {int64(1)}, "BLOB": {[]byte(`{}`)}}[kind]
}

// where returns a condition that selects one row.
func (tt *tamperTable) where(row []any) string {
	terms := make([]string, len(row))
	for i, v := range row {
		terms[i] = tt.columns[i] + " IS " + literal(v)
	}
	return " WHERE " + strings.Join(terms, " AND ")
}

func (tt *tamperTable) insert(row []any) string {
	values := make([]string, len(row))
	for i, v := range row {
		values[i] = literal(v)
	}
	return "INSERT INTO " + tt.name + " (" + strings.Join(tt.columns, ", ") + ") VALUES (" +
		strings.Join(values, ", ") + ")"
}

// blank returns a row for an empty table.
func (tt *tamperTable) blank() []any {
	row := make([]any, len(tt.columns))
	for i, kind := range tt.types {
		row[i] = map[string]any{"INTEGER": int64(1), "TEXT": "main", "BLOB": []byte{1}}[kind]
	}
	return row
}

// acts returns the ways to tamper with a table. Each has the statements of every try, in the order of the rows.
func (tt *tamperTable) acts() map[string][][]string {
	acts := map[string][][]string{}
	for at, row := range tt.rows {
		where := tt.where(row)
		for i, column := range tt.columns {
			for _, v := range others(tt.types[i], column, row[i]) {
				if literal(v) == literal(row[i]) {
					continue
				}
				acts["change of `"+column+"`"] = append(acts["change of `"+column+"`"],
					[]string{"UPDATE " + tt.name + " SET " + column + " = " + literal(v) + where})
			}
		}
		acts["deletion"] = append(acts["deletion"], []string{"DELETE FROM " + tt.name + where})
		var cut []string
		for _, later := range tt.rows[at:] {
			cut = append(cut, "DELETE FROM "+tt.name+tt.where(later))
		}
		acts["cut"] = append(acts["cut"], cut)
		if next := tt.rows[(at+1)%len(tt.rows)]; len(tt.rows) > 1 && slices.Contains(tt.key, false) {
			a, b := slices.Clone(row), slices.Clone(next)
			for i, key := range tt.key {
				if !key {
					a[i], b[i] = b[i], a[i]
				}
			}
			if literal(a) != literal(row) {
				acts["swap"] = append(acts["swap"], []string{"DELETE FROM " + tt.name + where,
					"DELETE FROM " + tt.name + tt.where(next), tt.insert(a), tt.insert(b)})
			}
		}
		for n := range 2 {
			added := slices.Clone(row)
			for i, unique := range tt.unique {
				if all := others(tt.types[i], tt.columns[i], row[i]); unique {
					added[i] = all[n%len(all)]
				}
			}
			acts["insertion"] = append(acts["insertion"], []string{tt.insert(added)})
		}
	}
	if len(tt.rows) == 0 {
		acts["insertion"] = [][]string{{tt.insert(tt.blank())}}
	}
	return acts
}

// missedOf tries an act at random: a few times, or at each place in a whole soak and where a miss is expected. It
// returns the first try that is missed.
func missedOf(t *testing.T, r *rand.Rand, file []byte, head string, tries [][]string, expected bool,
	missed func(by int) bool) []string {
	t.Helper()
	left := soak(3, len(tries))
	for _, i := range r.Perm(len(tries)) {
		by, refused := finding(t, file, head, tries[i]...)
		if refused != nil {
			continue // by SQLite: a key twice, nothing in a column that must have something
		}
		if missed(by) {
			return tries[i]
		}
		if left--; left <= 0 && !expected {
			break
		}
	}
	return nil
}

// TestU4EachTamperingIsFoundOrListed changes each table and each column of a log, as the schema names them. It compares
// the changes that verify does not find with the list in docs/audit.md.
//
// holds: U4
func TestU4EachTamperingIsFoundOrListed(t *testing.T) {
	file, head := tampered(t, true)
	if by, _ := finding(t, file, head); by != byNothing {
		t.Fatal("the log is not whole at first", by)
	}
	tables, opaque := tamperTables(t, onDisk(t, file), func(name string) bool {
		return strings.HasPrefix(name, "audit_") || strings.HasPrefix(name, "goose_")
	})
	r, list, want := rand.New(rand.NewPCG(21, 4)), listed(t), map[string]string{}
	for _, name := range opaque {
		want[name] = "everything"
	}
	for _, tt := range tables {
		var missed []string
		acts := tt.acts()
		for _, act := range slices.Sorted(maps.Keys(acts)) {
			expected := list[tt.name] == "everything" || slices.Contains(strings.Split(list[tt.name], ", "), act)
			try := missedOf(t, r, file, head, acts[act], expected, func(by int) bool { return by == byNothing })
			if try != nil {
				missed = append(missed, act)
			}
			if try != nil && !expected {
				t.Logf("not found: %s", try)
			}
		}
		want[tt.name] = missedText(missed, len(acts))
	}
	if diff := cmp.Diff(list, want); diff != "" {
		t.Errorf("docs/audit.md (-) and what was found (+):\n%s", diff)
	}
}

func missedText(missed []string, all int) string {
	switch {
	case len(missed) == 0:
		return "nothing"
	case len(missed) == all:
		return "everything"
	}
	return strings.Join(missed, ", ")
}

// listed reads the table in docs/audit.md: for each table of the log, the changes that verify does not find.
func listed(t testing.TB) map[string]string {
	t.Helper()
	text, err := os.ReadFile("../docs/audit.md")
	must(t, err)
	list := map[string]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, " | ")
		if len(cells) != 3 || !strings.HasPrefix(line, "| `audit_") {
			continue
		}
		why := strings.Trim(cells[2], " |\n")
		if (why == "") != (cells[1] == "nothing") {
			t.Errorf("docs/audit.md does not say why: %s", line)
		}
		for name := range strings.SplitSeq(strings.TrimPrefix(cells[0], "| "), ", ") {
			list[strings.Trim(name, "`")] = cells[1]
		}
	}
	return list
}

// TestU2EachTamperingWithTheRowsIsFound tampers with each table and column of the application.
// holds: U2
func TestU2EachTamperingWithTheRowsIsFound(t *testing.T) {
	file, head := tampered(t, false)
	tables, _ := tamperTables(t, onDisk(t, file), func(name string) bool {
		return slices.Contains([]string{"items", "parts", "counters"}, name)
	})
	r := rand.New(rand.NewPCG(21, 2))
	for _, tt := range tables {
		for _, tries := range tt.acts() {
			if try := missedOf(t, r, file, head, tries, false, func(by int) bool { return by != byState }); try != nil {
				t.Errorf("not found: %s", try)
			}
		}
	}
}

func onDisk(t testing.TB, file []byte) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "log.db")
	must(t, os.WriteFile(path, file, 0o600))
	return path
}

// TestU4AByteThatFlipsIsFoundOrChangesNothing flips bits anywhere in the file. If no check finds the flip, every column
// that docs/audit.md does not list has the same values, because the byte belongs to no row or to an index.
//
// holds: U4
func TestU4AByteThatFlipsIsFoundOrChangesNothing(t *testing.T) {
	file, head := tampered(t, false)
	list := listed(t)
	tables, _ := tamperTables(t, onDisk(t, file), func(name string) bool {
		return strings.HasPrefix(name, "audit_") || slices.Contains([]string{"items", "parts", "counters"}, name)
	})
	covered := func(name, act string) bool {
		return list[name] != "everything" && !slices.Contains(strings.Split(list[name], ", "), act)
	}
	var reads []string
	for _, tt := range tables {
		columns := slices.DeleteFunc(slices.Clone(tt.columns), func(column string) bool {
			return !covered(tt.name, "change of `"+column+"`")
		})
		if len(columns) > 0 {
			reads = append(reads, "SELECT "+strings.Join(columns, ", ")+" FROM "+tt.name+" NOT INDEXED")
		}
		if covered(tt.name, "deletion") && covered(tt.name, "insertion") {
			reads = append(reads, "SELECT count(*) FROM "+tt.name+" NOT INDEXED")
		}
	}
	dsn := func(file []byte) string { return "file:" + onDisk(t, file) }
	whole := dump(t, dsn(file), reads...)
	r, found := rand.New(rand.NewPCG(21, 7)), 0
	flips := soak(60, 20_000)
	for range flips {
		at, bit := r.IntN(len(file)), byte(1)<<r.IntN(8)
		bad := slices.Clone(file)
		bad[at] ^= bit
		if by, _ := finding(t, bad, head); by != byNothing {
			found++
			continue
		}
		if diff := cmp.Diff(whole, dump(t, dsn(bad), reads...)); diff != "" {
			t.Errorf("byte %d ^ %d of %d changed a row and was not found:\n%s", at, bit, len(file), diff)
		}
	}
	t.Logf("%d of %d flipped bytes were found, the rest changed no row that is looked at", found, flips)
}
