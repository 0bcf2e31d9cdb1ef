package stored

import (
	"context"

	"github.com/deskhand/deskhand/bus"
)

// CloseCards closes the open cards whose body satisfies the function these, in the transaction of ctx.
func CloseCards(ctx context.Context, db Tables, these func(body string) bool) error {
	type card struct{ id, body string }
	open, err := Rows(ctx, db, func(scan Scan) (c card, err error) { return c, scan(&c.id, &c.body) },
		`SELECT id, body FROM agent_cards WHERE body <> ''`)
	for _, c := range open {
		if err == nil && these(c.body) {
			err = db.Exec(ctx, `UPDATE agent_cards SET answer = coalesce(answer, $1), body = '' WHERE id = $2`,
				bus.AnswerStopped, c.id)
		}
	}
	return err
}
