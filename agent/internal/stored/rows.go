package stored

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/deskhand/deskhand/audit"
)

// Rows reads all rows of a query in the transaction of ctx.
func Rows[T any](ctx context.Context, scan func(*sql.Rows) (T, error), query string, args ...any) (_ []T, err error) {
	found, err := audit.Tx(ctx).Query(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("agent: read what is stored: %w", err)
	}
	defer func() {
		if bad := found.Close(); err == nil {
			err = bad
		}
	}()
	list := []T{}
	for found.Next() {
		v, err := scan(found)
		if err != nil {
			return nil, fmt.Errorf("agent: read what is stored: %w", err)
		}
		list = append(list, v)
	}
	return list, found.Err()
}
