package stored

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/deskhand/deskhand/audit"
)

// Rows reads all rows of a query in the transaction of ctx.
func Rows[T any](ctx context.Context, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	found, err := audit.Tx(ctx).QueryContext(ctx, query, args...)
	if err != nil {
		return nil, fmt.Errorf("agent: read what is stored: %w", err)
	}
	defer func() { _ = found.Close() }() // Err tells what went wrong
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

// One reads the first row of a query in the transaction of ctx, nil if there is none.
func One[T any](ctx context.Context, scan func(*sql.Rows) (T, error), query string, args ...any) (*T, error) {
	found, err := Rows(ctx, scan, query, args...)
	if len(found) == 0 {
		return nil, err
	}
	return &found[0], err
}
