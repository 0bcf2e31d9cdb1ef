package stored

import (
	"context"
	"fmt"
)

// Tables is the part of a policy.Database that this package needs.
type Tables interface {
	Query(ctx context.Context, each func(scan func(dest ...any) error) error, query string, args ...any) error
	Exec(ctx context.Context, query string, args ...any) error
}

// Scan copies the columns of a row to its destinations.
type Scan = func(dest ...any) error

// Rows reads all rows of a query in the transaction of ctx.
func Rows[T any](ctx context.Context, db Tables, read func(Scan) (T, error), query string, args ...any) ([]T, error) {
	list := []T{}
	err := db.Query(ctx, func(scan func(dest ...any) error) error {
		v, err := read(scan)
		list = append(list, v)
		return err
	}, query, args...)
	if err != nil {
		return nil, fmt.Errorf("agent: read what is stored: %w", err)
	}
	return list, nil
}

// One reads the first row of a query in the transaction of ctx, nil if there is none.
func One[T any](ctx context.Context, db Tables, read func(Scan) (T, error), query string, args ...any) (*T, error) {
	found, err := Rows(ctx, db, read, query, args...)
	if len(found) == 0 {
		return nil, err
	}
	return &found[0], err
}

// Count reads a query that returns one number, in the transaction of ctx.
func Count(ctx context.Context, db Tables, query string, args ...any) (n int64, err error) {
	err = db.Query(ctx, func(scan func(dest ...any) error) error { return scan(&n) }, query, args...)
	return n, err
}
