package audit

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// table is what the capture knows of one domain table.
type table struct {
	name    string
	columns []string // in the order of the pre-update hook
	types   []string // of the columns, as declared, in upper case
	made    []bool   // which columns SQLite computes itself
	key     []int    // positions of the primary key's columns, in key order
	strict  bool     // every column holds values of its type only
}

// derivedPrefix begins the names of tables that triggers keep.
const derivedPrefix = "derived_"

// reserved are the beginnings of names of tables that no domain may own and no
// handler may write.
var reserved = []string{"audit_", "agent_", "goose_", "sqlite_", derivedPrefix}

func isReserved(name string) bool {
	name = strings.ToLower(name)
	for _, prefix := range reserved {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// domainTables lists the tables whose changes are effects: ordinary tables that
// are not reserved. It refuses a schema whose changes could not be recorded
// truthfully.
func domainTables(ctx context.Context, conn *sql.Conn) (map[string]*table, error) {
	names, err := tableNames(ctx, conn)
	if err != nil {
		return nil, fmt.Errorf("audit: list the tables: %w", err)
	}
	tables := make(map[string]*table, len(names))
	for _, name := range names {
		t, err := describe(ctx, conn, name)
		if err != nil {
			return nil, err
		}
		tables[name] = t
	}
	return tables, checkTriggers(ctx, conn)
}

func tableNames(ctx context.Context, conn *sql.Conn) ([]string, error) {
	rows, err := conn.QueryContext(ctx, `SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' ORDER BY name`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		if !isReserved(name) {
			names = append(names, name)
		}
	}
	return names, rows.Err()
}

// Values of the hidden column of pragma_table_xinfo.
const (
	hiddenVirtual = 2
	hiddenStored  = 3
)

func describe(ctx context.Context, conn *sql.Conn, name string) (*table, error) {
	rows, err := conn.QueryContext(ctx, `SELECT cid, x.name, upper(x.type), pk, hidden, strict FROM pragma_table_xinfo(?1) x
		JOIN pragma_table_list l ON l.schema = 'main' AND l.name = ?1 ORDER BY cid`, name)
	if err != nil {
		return nil, fmt.Errorf("audit: describe table %s: %w", name, err)
	}
	defer rows.Close()
	t := &table{name: name}
	byRank := map[int]int{} // place in the key, from 1 → column
	for rows.Next() {
		var cid, pk, hidden int
		var column, kind string
		if err := rows.Scan(&cid, &column, &kind, &pk, &hidden, &t.strict); err != nil {
			return nil, fmt.Errorf("audit: describe table %s: %w", name, err)
		}
		if hidden == hiddenVirtual {
			return nil, fmt.Errorf("audit: table %s has the virtual generated column %s, which the journal cannot see change: make it STORED", name, column)
		}
		if pk > 0 {
			byRank[pk] = len(t.columns)
		}
		t.columns, t.types, t.made = append(t.columns, column), append(t.types, kind), append(t.made, hidden == hiddenStored)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("audit: describe table %s: %w", name, err)
	}
	if len(byRank) == 0 {
		return nil, fmt.Errorf("audit: table %s has no primary key, so its changes cannot be named: give it one", name)
	}
	for rank := 1; rank <= len(byRank); rank++ {
		t.key = append(t.key, byRank[rank])
	}
	return t, refuseClauses(ctx, conn, name)
}

// refuseClauses refuses what would let one statement end the transaction that
// many invocations share, or fail it at its commit.
func refuseClauses(ctx context.Context, conn *sql.Conn, name string) error {
	var ddl string
	if err := conn.QueryRowContext(ctx, `SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?`, name).Scan(&ddl); err != nil {
		return fmt.Errorf("audit: describe table %s: %w", name, err)
	}
	tokens := lex(ddl)
	for i := range tokens {
		if follows(tokens, i, "initially", "deferred") {
			return fmt.Errorf("audit: table %s has a deferred foreign key, which would fail the commit of others: make it immediate", name)
		}
		for _, how := range []string{"rollback", "fail", "replace"} {
			if follows(tokens, i, "on", "conflict", how) {
				return fmt.Errorf("audit: table %s has a constraint with ON CONFLICT %s, which would harm others in the same commit: leave it out", name, strings.ToUpper(how))
			}
		}
	}
	return nil
}
