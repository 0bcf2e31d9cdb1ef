package stored

import (
	"context"
	"database/sql"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// CloseCards closes the open cards whose body is one of those, in the transaction of ctx.
func CloseCards(ctx context.Context, these func(body string) bool) error {
	type card struct{ id, body string }
	open, err := Rows(ctx, func(r *sql.Rows) (c card, err error) { return c, r.Scan(&c.id, &c.body) },
		`SELECT id, body FROM agent_cards WHERE body <> ''`)
	for _, c := range open {
		if err == nil && these(c.body) {
			_, err = audit.Tx(ctx).ExecBridge(ctx,
				`UPDATE agent_cards SET answer = coalesce(answer, ?), body = '' WHERE id = ?`, bus.AnswerStopped, c.id)
		}
	}
	return err
}
