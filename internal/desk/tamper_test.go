package desk_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/shop"
)

// intruder is another program that has the file of a shop open.
type intruder struct {
	t  *testing.T
	d  *desk.Desk
	db *sql.DB
}

func tampered(t *testing.T) intruder {
	t.Helper()
	d := desktest.Sample(t, desk.Options{})
	desktest.Must(t, d, bus.CallerTest, "cart.addItem", `{"productId":"prd_guji_natural","quantity":2}`, nil)
	desktest.Must(t, d, bus.CallerTest, "checkout.submit", `{"paymentMethodId":"cash","fulfilment":"takeAway"}`, nil)
	db, err := sql.Open("sqlite", "file:"+filepath.Join(d.Folder, desk.DatabaseName)+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	db.SetMaxOpenConns(1)
	in := intruder{t, d, db}
	if v := in.verify(); !v.OK {
		t.Fatalf("a shop of which nothing was changed: %+v", v)
	}
	if v := in.state(); !v.OK {
		t.Fatalf("a shop of which nothing was changed: %+v", v)
	}
	return in
}

func (in intruder) verify() audit.Verdict {
	in.t.Helper()
	v, err := in.d.Log.Verify(context.Background(), nil)
	if err != nil {
		in.t.Error(err)
	}
	return v
}

func (in intruder) state() audit.StateVerdict {
	in.t.Helper()
	v, err := in.d.Log.VerifyState(context.Background(), nil)
	if err != nil && !audit.IsDamaged(err) {
		in.t.Error(err)
	}
	return v
}

// differences is what the shop finds by itself.
func (in intruder) differences() (found []string) {
	in.t.Helper()
	err := in.d.Log.View(context.Background(), func(ctx context.Context) error {
		return shop.CheckDerived(ctx, func(sentence string) { found = append(found, sentence) })
	})
	if err != nil {
		found = append(found, err.Error())
	}
	return found
}

func (in intruder) exec(statements ...string) {
	in.t.Helper()
	for _, text := range statements {
		if _, err := in.db.Exec(text); err != nil {
			in.t.Fatalf("%s: %v", text, err)
		}
	}
}

// texts reads the columns of a query.
func (in intruder) texts(query string, args ...any) (all [][]string) {
	in.t.Helper()
	rows, err := in.db.Query(query, args...)
	if err != nil {
		in.t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		in.t.Fatal(err)
	}
	for rows.Next() {
		row, into := make([]string, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			in.t.Fatal(err)
		}
		all = append(all, row)
	}
	return all
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// TestU4EachPartOfTheSchemaOfAShopIsCompared drops each trigger, index and view of the shop, takes each CHECK out of its
// table and one NOT NULL out of each.
// holds: U4
func TestU4EachPartOfTheSchemaOfAShopIsCompared(t *testing.T) {
	in, n := tampered(t), map[string]int{}
	found := func(kind, name string) {
		t.Helper()
		n[kind]++
		if v := in.verify(); v.OK || v.Schema != 1 || !strings.Contains(v.Problem, ": "+kind+" "+name+".") || v.Remedy == "" {
			t.Errorf("%s %s: %+v", kind, name, v)
		}
	}
	for _, o := range in.texts(`SELECT type, name, sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT GLOB 'sqlite_*'
			AND name NOT IN (SELECT name FROM pragma_table_list WHERE type IN ('virtual', 'shadow')) ORDER BY name`) {
		kind, name, text := o[0], o[1], o[2]
		if kind != "table" {
			in.exec(`DROP ` + kind + ` ` + name)
			found(kind, name)
			in.exec(text)
			continue
		}
		write := func(text string) {
			in.exec(`PRAGMA writable_schema = ON`,
				`UPDATE sqlite_schema SET sql = `+quote(text)+` WHERE type = 'table' AND name = `+quote(name))
		}
		for from := 0; ; {
			at := strings.Index(text[from:], "CHECK (")
			if at < 0 {
				break
			}
			at += from
			from = at + len("CHECK (")
			write(text[:from] + "1 OR " + text[from:])
			found("table", name)
			write(text)
		}
		if weaker := strings.Replace(text, " NOT NULL", "", 1); weaker != text {
			write(weaker)
			found("table", name)
			write(text)
		}
	}
	if v := in.verify(); !v.OK {
		t.Errorf("what was put back: %+v", v)
	}
	if n["trigger"] < 20 || n["index"] < 20 || n["view"] < 3 || n["table"] < 100 {
		t.Errorf("too little was changed: %v", n)
	}
}

// TestU2EachDerivedTableOfAShopIsRecounted changes, removes and adds rows of each table that triggers keep, as the file
// has them, and compares what is not found with docs/audit.md.
// holds: U2
func TestU2EachDerivedTableOfAShopIsRecounted(t *testing.T) {
	in := tampered(t)
	missed := map[string][]string{}
	try := func(table, act string, statements ...string) {
		t.Helper()
		in.exec(`DROP TABLE IF EXISTS temp.saved`, `CREATE TEMP TABLE saved AS SELECT * FROM `+table)
		for _, text := range statements {
			if _, err := in.db.Exec(text); err != nil {
				return // a value that the table does not take
			}
		}
		if found := in.differences(); len(found) == 0 && !slices.Contains(missed[table], act) {
			missed[table] = append(missed[table], act)
			t.Logf("not found: %s", statements)
		}
		in.exec(`DELETE FROM `+table, `INSERT INTO `+table+` SELECT * FROM saved`)
	}
	var tables []string
	for _, found := range in.texts(`SELECT name, type FROM pragma_table_list WHERE name GLOB 'derived_*' ORDER BY name`) {
		name, kind := found[0], found[1]
		if kind == "view" {
			continue
		}
		if tables = append(tables, name); kind != "table" {
			continue
		}
		var columns []string
		for _, c := range in.texts(`SELECT name, type FROM pragma_table_info(?)`, name) {
			columns = append(columns, c[0])
			for _, to := range map[string][]string{"INTEGER": {" + 1", " - 1000"}, "TEXT": {" || 'x'", " || ' '"}}[c[1]] {
				last := fmt.Sprintf(`WHERE %[1]s = (SELECT max(%[1]s) FROM %[2]s)`, c[0], name)
				try(name, "change of `"+c[0]+"`", `UPDATE `+name+` SET `+c[0]+` = `+c[0]+to+` `+last)
			}
		}
		try(name, "deletion", `DELETE FROM `+name+` WHERE `+columns[0]+` = (SELECT max(`+columns[0]+`) FROM `+name+`)`)
		try(name, "deletion", `DELETE FROM `+name)
		values := strings.Join(slices.Concat([]string{columns[0] + " + 1000"}, columns[1:]), ", ")
		if columns[0] == "dimension" {
			values = strings.Replace(values, "dimension + 1000", "dimension || 'x'", 1)
		}
		if name == "derived_places" || name == "derived_variants" {
			values = columns[0] + " + 1000, id || 'x'"
		}
		if name == "derived_unsorted" {
			try(name, "insertion", `INSERT INTO derived_unsorted VALUES (7)`)
			continue
		}
		try(name, "insertion", `INSERT INTO `+name+` SELECT `+values+` FROM `+name+` LIMIT 1`)
	}
	in.exec(`INSERT INTO derived_unsorted VALUES (-1)`) // now all words are in the index
	for table, row := range map[string]string{"derived_words": `SELECT placed_at / 1000 << 24 | 16777215 - substr(id, 3)
		AS place, search_fold FROM orders`, "derived_people": `SELECT place, search_fold FROM customers JOIN derived_places USING (id)`} {
		for act, statement := range map[string]string{
			"deletion":  `DELETE FROM %[1]s WHERE rowid = (SELECT max(rowid) FROM %[1]s)`,
			"insertion": `INSERT INTO %[1]s (rowid, words) VALUES (12345678901, 'a false word')`,
			"change":    `INSERT OR REPLACE INTO %[1]s (rowid, words) SELECT place, 'zzz' FROM (%[2]s) LIMIT 1`,
			"swap": `INSERT OR REPLACE INTO %[1]s (rowid, words) SELECT a.place, b.search_fold || ' ' FROM
				(%[2]s LIMIT 1) a, (%[2]s LIMIT 1 OFFSET 1) b UNION ALL SELECT b.place, a.search_fold || ' ' FROM
				(%[2]s LIMIT 1) a, (%[2]s LIMIT 1 OFFSET 1) b`,
		} {
			in.exec(fmt.Sprintf(statement, table, row))
			if len(in.differences()) == 0 {
				missed[table] = append(missed[table], act)
			}
			in.exec(`INSERT INTO `+table+` (`+table+`) VALUES ('delete-all')`,
				`INSERT INTO `+table+` (rowid, words) SELECT place, search_fold || ' ' FROM (`+row+`)`)
			if found := in.differences(); len(found) > 0 {
				t.Fatalf("%s is not whole again: %s", table, found)
			}
		}
		for _, part := range []string{"_data", "_docsize"} {
			in.exec(`DROP TABLE IF EXISTS temp.saved`, `CREATE TEMP TABLE saved AS SELECT * FROM `+table+part)
			in.exec(`DELETE FROM ` + table + part + ` WHERE id = (SELECT max(id) FROM ` + table + part + `)`)
			if len(in.differences()) == 0 && in.verify().OK {
				missed[table+part] = append(missed[table+part], "deletion")
			}
			in.exec(`DELETE FROM `+table+part, `INSERT INTO `+table+part+` SELECT * FROM saved`)
		}
	}
	text, err := os.ReadFile("../../docs/audit.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tables {
		if !strings.Contains(string(text), "`"+name+"`") {
			t.Errorf("docs/audit.md does not list %s", name)
		}
		slices.Sort(missed[name])
		want := "nothing"
		for line := range strings.Lines(string(text)) {
			if cells := strings.Split(line, " | "); len(cells) == 3 && strings.Contains(cells[0], "`"+name+"`") {
				want = cells[1]
			}
		}
		got := "nothing"
		if len(missed[name]) > 0 {
			got = strings.Join(missed[name], ", ")
		}
		if got != want && want != "everything" {
			t.Errorf("docs/audit.md says of %s: %s; what was not found: %s", name, want, got)
		}
	}
}

// TestU2WhatAReportReadsIsCompared changes each column of each table, as another program would, and reads all reports:
// if a report differs, the state does not verify.
// holds: U2
func TestU2WhatAReportReadsIsCompared(t *testing.T) {
	in := tampered(t)
	var order struct{ OrderID string }
	desktest.Must(t, in.d, bus.CallerTest, "cart.addItem", `{"productId":"prd_guji_natural","quantity":2}`, nil)
	desktest.Must(t, in.d, bus.CallerTest, "checkout.submit", `{"paymentMethodId":"cash","fulfilment":"takeAway"}`, &order)
	back := fmt.Sprintf(`{"orderId":%q,"lines":[{"variantId":"var_guji_natural_1"}],"paymentMethodId":"cash","restock":true}`,
		order.OrderID)
	desktest.Must(t, in.d, bus.CallerTest, "order.returnNow", back, nil)
	desktest.Must(t, in.d, bus.CallerTest, "day.close", `{"counted":{"amount":5000,"currency":"USD"}}`, nil)
	desktest.Must(t, in.d, bus.CallerTest, "cash.move", `{"amount":{"amount":2000,"currency":"USD"},"reason":"Change"}`, nil)
	asked := []string{`report.today {}`, `report.lowStock {}`, `day.preview {}`, `report.topProducts {"compare":"before"}`}
	for _, by := range []string{"day", "person", "fulfilment", "taxRate"} {
		asked = append(asked, `report.sales {"by":"`+by+`","compare":"before"}`)
	}
	for _, name := range []string{"payments", "returns", "closings", "topProducts"} {
		asked = append(asked, `report.`+name+` {"period":"year"}`)
	}
	read := func() (all []string) {
		for _, call := range asked {
			name, args, _ := strings.Cut(call, " ")
			r := in.d.Bus.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: []byte(args), Principal: in.d.Person,
				Caller: bus.Caller{Type: bus.CallerTest, Source: "test"}})
			var reason bus.Reason
			if r.Err != nil {
				reason = r.Err.Reason
			}
			all = append(all, fmt.Sprintf("%s: %s%s", call, r.Data, reason))
		}
		return all
	}
	before, shown := read(), map[string]bool{}
	for _, answer := range before {
		if !strings.HasSuffix(answer, "}") {
			t.Fatal(answer)
		}
	}
	for _, table := range in.texts(`SELECT name FROM pragma_table_list WHERE type = 'table' AND schema = 'main' AND
			name NOT GLOB 'audit_*' AND name NOT GLOB 'sqlite_*' AND name NOT GLOB 'goose_*' ORDER BY name`) {
		name := table[0]
		for _, column := range in.texts(`SELECT name, type FROM pragma_table_info(?)`, name) {
			set := `UPDATE ` + name + ` SET ` + column[0] + ` = `
			for to, back := range map[string]map[string]string{"INTEGER": {"%s + 1": "%s - 1", "%s + (1 << 40)": "%s - (1 << 40)"},
				"TEXT": {"%s || 'x'": "substr(%[1]s, 1, length(%[1]s) - 1)"}}[column[1]] {
				done, err := in.db.Exec(set + fmt.Sprintf(to, column[0]))
				if err != nil {
					continue // a value that the table does not take
				}
				if n, _ := done.RowsAffected(); n == 0 {
					continue
				}
				after := read()
				if i := slices.IndexFunc(after, func(a string) bool { return strings.HasSuffix(a, string(bus.ReasonPanic)) }); i >= 0 {
					t.Errorf("%s: %s: %s", name, fmt.Sprintf(to, column[0]), after[i])
				}
				if i := slices.IndexFunc(after, func(a string) bool { return !slices.Contains(before, a) }); i >= 0 {
					shown[name] = true
					if in.state().OK {
						t.Errorf("%s: %s is shown and not found:\n%s\n%s", name, fmt.Sprintf(to, column[0]), before[i], after[i])
					}
				}
				in.exec(set + fmt.Sprintf(back, column[0]))
				if len(in.differences()) > 0 { // triggers numbered what was changed for a moment
					desktest.Must(t, in.d, bus.CallerTest, "audit.rebuildRollups", `{}`, nil)
				}
			}
		}
	}
	if v := in.state(); !v.OK || !slices.Equal(read(), before) {
		t.Errorf("what was put back: %+v", v)
	}
	t.Logf("shown in reports: %s", slices.Sorted(maps.Keys(shown)))
	if len(shown) < 10 {
		t.Errorf("too little is shown in reports: %v", shown)
	}
}

// TestU2CashThatIsTakenOffAReportIsFoundAndCountedAgain: ten dollars of what was paid today.
// holds: U2
func TestU2CashThatIsTakenOffAReportIsFoundAndCountedAgain(t *testing.T) {
	in := tampered(t)
	report := func() string {
		r := desktest.Must(t, in.d, bus.CallerTest, "report.payments", `{"period":"today"}`, nil)
		return string(r.Data)
	}
	before := report()
	in.exec(`UPDATE derived_payments SET paid = paid - 1000 WHERE method = 'cash' AND hour = (SELECT max(hour) FROM derived_payments)`,
		`DROP TRIGGER groups_payment_added`)
	v := in.state()
	if v.OK || v.Derived != 1 || len(v.Unexplained) != 1 || !strings.Contains(v.Unexplained[0], "cash") ||
		!strings.Contains(v.Remedy, "audit.rebuildRollups") {
		t.Errorf("%+v", v)
	}
	if v := in.verify(); v.OK || !strings.Contains(v.Remedy, "audit.rebuildRollups") {
		t.Errorf("%+v", v)
	}
	desktest.Must(t, in.d, bus.CallerTest, "audit.rebuildRollups", `{}`, nil)
	if after := report(); after != before {
		t.Errorf("the report was\n%s\nand is\n%s", before, after)
	}
	if v, s := in.verify(), in.state(); !v.OK || !s.OK {
		t.Errorf("%+v %+v", v, s)
	}
}

// TestU4AFileThatIsNoShopIsNeverWhole: an empty one, a part of one, and the database of another program. It is left as it
// is, and the error says what to do.
// holds: U4
func TestU4AFileThatIsNoShopIsNeverWhole(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join(desktest.Copy(t), desk.DatabaseName))
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.db")
	db, err := sql.Open("sqlite", "file:"+other)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`CREATE TABLE x (a)`); err != nil {
		t.Fatal(err)
	}
	_ = db.Close()
	foreign, err := os.ReadFile(other)
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"no bytes": {}, "one byte": whole[:1], "a header": whole[:100],
		"a page": whole[:4096], "half of the pages": whole[:len(whole)/8192*4096], "all but the last page": whole[:len(whole)-4096],
		"another program's": foreign} {
		folder := t.TempDir()
		path := filepath.Join(folder, desk.DatabaseName)
		if err := os.WriteFile(path, file, 0o600); err != nil {
			t.Fatal(err)
		}
		d, err := desk.Open(t.Context(), desk.Options{Folder: folder})
		if err == nil {
			v, wrong := d.Log.Verify(t.Context(), nil)
			if wrong == nil && v.OK {
				t.Errorf("%s: %+v", name, v)
			}
			_ = d.Close()
			continue
		}
		if left, _ := os.ReadFile(path); len(left) != len(file) {
			t.Errorf("%s: the file had %d bytes and has %d", name, len(file), len(left))
		}
		if none, is := errors.AsType[desk.NoShopError](err); name == "no bytes" && (!is || !none.Empty ||
			!strings.Contains(err.Error(), "shop.restore")) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
