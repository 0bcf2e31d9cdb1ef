package audit

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/internal/sqllex"
)

// table describes a domain table to the capture.
type table struct {
	name      string
	columns   []string // in the order of the pre-update hook
	types     []string // of the columns, as declared, in upper case
	generated []bool   // whether SQLite computes the column
	key       []int    // positions of the primary key's columns, in key order
	strict    bool     // every column holds values of its type only
}

// derivedPrefix begins the names of tables that triggers keep up to date.
const derivedPrefix = "derived_"

// reserved are prefixes of tables that a domain may not own and handlers may not write.
var reserved = []string{"audit_", "agent_", "goose_", "sqlite_", derivedPrefix}

func isReserved(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc(reserved, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
}

// domainTables lists the tables whose changes are effects: ordinary tables without a reserved name. It refuses a schema
// whose changes the log could not record completely.
func domainTables(ctx context.Context, conn *sql.Conn) (map[string]*table, error) {
	// One query for all tables: a query for each takes SQLite a time quadratic in their number.
	rows, err := conn.QueryContext(ctx, `SELECT l.name, l.strict, x.name, upper(x.type), x.pk, x.hidden
		FROM pragma_table_list l JOIN pragma_table_xinfo(l.name) x
		WHERE l.schema = 'main' AND l.type = 'table' AND lower(l.name) NOT GLOB '`+
		strings.Join(reserved, "*' AND lower(l.name) NOT GLOB '")+"*'")
	tables := map[string]*table{}
	err = each(rows, err, func() error {
		var t table
		var c column
		err := rows.Scan(&t.name, &t.strict, &c.name, &c.kind, &c.rank, &c.hidden)
		if err != nil {
			return err
		}
		if tables[t.name] == nil {
			tables[t.name] = &t
		}
		return tables[t.name].add(c)
	})
	if err != nil {
		return nil, fmt.Errorf("audit: describe the tables: %w", err)
	}
	suspects := map[string]string{}
	rows, err = conn.QueryContext(ctx, `SELECT name, sql FROM sqlite_schema
		WHERE type = 'table' AND (sql LIKE '%deferred%' OR sql LIKE '%conflict%')`)
	err = each(rows, err, func() error {
		var name, ddl string
		err := rows.Scan(&name, &ddl)
		suspects[name] = ddl
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("audit: describe the tables: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		if len(tables[name].key) == 0 {
			return nil, fmt.Errorf("audit: table %s has no primary key, so its changes cannot be named: give it one", name)
		}
		if err := refuseClauses(name, suspects[name]); err != nil {
			return nil, err
		}
	}
	return tables, checkTriggers(ctx, conn)
}

// Values of the hidden column of pragma_table_xinfo.
const (
	hiddenVirtual = 2
	hiddenStored  = 3
)

// column is a column as SQLite describes it.
type column struct {
	name, kind   string
	rank, hidden int // rank is its position in the key, from 1; 0 if it is not part of it
}

// add appends the next column.
func (t *table) add(c column) error {
	if c.hidden == hiddenVirtual {
		return fmt.Errorf("table %s has the virtual generated column %s, which the journal cannot see change: make "+
			"it STORED", t.name, c.name)
	}
	for len(t.key) < c.rank {
		t.key = append(t.key, 0)
	}
	if c.rank > 0 {
		t.key[c.rank-1] = len(t.columns)
	}
	t.columns, t.types, t.generated = append(t.columns, c.name), append(t.types, c.kind),
		append(t.generated, c.hidden == hiddenStored)
	return nil
}

// refuseClauses refuses clauses by which one statement could end the shared transaction or fail its commit.
func refuseClauses(name, ddl string) error {
	tokens := sqllex.Tokens(ddl)
	for i := range tokens {
		if sqllex.Follows(tokens, i, "initially", "deferred") {
			return fmt.Errorf("audit: table %s has a deferred foreign key, which would fail the commit of others: make it "+
				"immediate", name)
		}
		if how := harmful(tokens, i, "on", "conflict"); how != "" {
			return fmt.Errorf("audit: table %s has a constraint with ON CONFLICT %s, which would harm others in the same "+
				"commit: leave it out", name, how)
		}
	}
	return nil
}

// harmful returns the conflict action after the words, such as OR or ON CONFLICT, if it would harm other calls in the
// same commit; otherwise "".
func harmful(tokens []sqllex.Token, i int, words ...string) string {
	for _, how := range []string{"rollback", "fail", "replace"} {
		if sqllex.Follows(tokens, i, append(words, how)...) {
			return strings.ToUpper(how)
		}
	}
	return ""
}

// isDerived reports whether a table follows from the domain's rows. Triggers keep it up to date, so its changes are no
// effects: undo, replay and restore change the rows, and the triggers follow.
func isDerived(table string) bool { return strings.HasPrefix(strings.ToLower(table), derivedPrefix) }

// checkTriggers refuses a trigger that changes other tables than derived ones. The log would record its changes as the
// handler's, and an undo, which restores the rows one by one, would fire it again.
func checkTriggers(ctx context.Context, conn *sql.Conn) error {
	rows, err := conn.QueryContext(ctx,
		`SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name`)
	err = each(rows, err, func() error {
		var name, on, ddl string
		err := rows.Scan(&name, &on, &ddl)
		if err == nil && !onlyDerives(ddl) {
			err = fmt.Errorf("table %s has the trigger %s, which changes more than tables %s…: such changes must "+
				"be made by handlers alone, where they are seen", on, name, derivedPrefix)
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("audit: check the triggers: %w", err)
	}
	return nil
}

// onlyDerives reports whether every statement of a trigger changes a derived table. It rejects unknown statements.
func onlyDerives(ddl string) bool {
	tokens := sqllex.Tokens(ddl)
	at := 0
	for at < len(tokens) && !sqllex.Follows(tokens, at, "begin") {
		at++
	}
	for at++; at < len(tokens) && !sqllex.Follows(tokens, at, "end"); at++ {
		if !changesDerived(tokens[at:]) {
			return false
		}
		for at < len(tokens) && !tokens[at].Is(";") {
			at++
		}
	}
	return at == len(tokens)-1
}

// changesDerived reports whether a statement changes a derived table, or refuses the change that fires it.
func changesDerived(tokens []sqllex.Token) bool {
	name := 0
	switch {
	case sqllex.Follows(tokens, 0, "insert", "into"), sqllex.Follows(tokens, 0, "delete", "from"):
		name = 2
	case sqllex.Follows(tokens, 0, "update"):
		name = 1
	case sqllex.Follows(tokens, 0, "select", "raise", "(", "abort"):
		return true // it refuses the change
	}
	return name > 0 && name < len(tokens) && isDerived(tokens[name].Text)
}
