package audit

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/internal/sqllex"
)

// isDerived reports whether a table follows from the domain's rows. Triggers keep it, so its changes are no effects:
// undo, replay and restore change the rows and the triggers follow.
func isDerived(table string) bool { return strings.HasPrefix(strings.ToLower(table), derivedPrefix) }

// checkTriggers refuses a trigger that changes anything but derived tables: its changes would be recorded as the
// handler's, and an undo, which puts the rows back one by one, would fire it again.
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

// onlyDerives reports whether every statement of a trigger changes a derived
// table. It accepts no statement that it does not know.
func onlyDerives(ddl string) bool {
	tokens := sqllex.Tokens(ddl)
	at := 0
	for at < len(tokens) && !sqllex.Follows(tokens, at, "begin") {
		at++
	}
	for at++; at < len(tokens) && !sqllex.Follows(tokens, at, "end"); at++ {
		name := at
		switch {
		case sqllex.Follows(tokens, at, "insert", "into"), sqllex.Follows(tokens, at, "delete", "from"):
			name += 2
		case sqllex.Follows(tokens, at, "update"):
			name++
		}
		if name == at || name >= len(tokens) || !isDerived(tokens[name].Text) {
			return false
		}
		for at < len(tokens) && !tokens[at].Is(";") {
			at++
		}
	}
	return at == len(tokens)-1
}
