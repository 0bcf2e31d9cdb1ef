package core

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// Row is one row of a result.
type Row interface{ Scan(dest ...any) error }

// List reads every row of a query. The result is never nil: an empty list is [] on the wire.
func List[T any](ctx context.Context, scan func(Row) (T, error), query string, args ...any) ([]T, error) {
	rows, err := audit.Tx(ctx).QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	all := []T{}
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// Find reads the first row of a query, if there is one.
func Find[T any](ctx context.Context, scan func(Row) (T, error), query string, args ...any) (v T, found bool,
	err error) {
	v, err = scan(audit.Tx(ctx).QueryRowContext(ctx, query, args...))
	if errors.Is(err, sql.ErrNoRows) {
		return v, false, nil
	}
	return v, err == nil, err
}

// Exists reports whether a query has a row.
func Exists(ctx context.Context, query string, args ...any) (bool, error) {
	_, found, err := Find(ctx, ScanInt, query, args...)
	return found, err
}

// One reads the first row of a query. It returns the error why if there is no row.
func One[T any](ctx context.Context, scan func(Row) (T, error), why error, query string, args ...any) (T, error) {
	v, found, err := Find(ctx, scan, query, args...)
	if err == nil && !found {
		err = why
	}
	return v, err
}

// Need returns the error why unless the query has a row.
func Need(ctx context.Context, why error, query string, args ...any) error {
	found, err := Exists(ctx, query, args...)
	if err == nil && !found {
		err = why
	}
	return err
}

// NeedNone returns the error why if the query has a row.
func NeedNone(ctx context.Context, why error, query string, args ...any) error {
	found, err := Exists(ctx, query, args...)
	if err == nil && found {
		err = why
	}
	return err
}

// OrNull returns an id for a nullable column, NULL for "".
func OrNull(id string) any {
	if id == "" {
		return nil
	}
	return id
}

// Exec executes a statement.
func Exec(ctx context.Context, query string, args ...any) error {
	_, err := audit.Tx(ctx).ExecContext(ctx, query, args...)
	return err
}

// Insert adds a row. into is the table with its columns.
func Insert(ctx context.Context, into string, values ...any) error {
	return Exec(ctx, InsertInto(into, len(values)), values...)
}

// InsertInto returns the INSERT statement for a number of values.
func InsertInto(into string, values int) string {
	return `INSERT INTO ` + into + ` VALUES (?` + strings.Repeat(`, ?`, values-1) + `)`
}

// ScanText reads a row of one text.
func ScanText(r Row) (string, error) {
	var s string
	return s, r.Scan(&s)
}

// ScanBytes reads a row of one BLOB.
func ScanBytes(r Row) (data []byte, err error) { return data, r.Scan(&data) }

// ScanInt reads a row of one integer.
func ScanInt(r Row) (int64, error) {
	var n int64
	return n, r.Scan(&n)
}

// Named returns the Resolve function of an entity. query selects the id and name of records; Named appends the
// condition on the ids.
func Named(query string) func(context.Context, *bus.Call, []string) (map[string]string, error) {
	return NamedBy(query, func(r Row) (n [2]string, err error) { return n, r.Scan(&n[0], &n[1]) })
}

// NamedBy is [Named] for a query with other columns, from which scan builds the id and the name.
func NamedBy(query string, scan func(Row) ([2]string, error)) func(context.Context, *bus.Call, []string,
) (map[string]string, error) {
	return func(ctx context.Context, _ *bus.Call, ids []string) (map[string]string, error) {
		found, err := List(ctx, scan, query+` IN (SELECT value FROM json_each(?))`, JSONList(ids))
		names := make(map[string]string, len(found))
		for _, n := range found {
			names[n[0]] = n[1]
		}
		return names, err
	}
}

// JSONList binds a list of ids to one parameter, for "IN (SELECT value FROM json_each(?))".
func JSONList[ID string | int64](ids []ID) string {
	data, err := json.Marshal(ids)
	if err != nil {
		panic("shop: " + err.Error()) // these always marshal
	}
	return string(data)
}

// Bit converts a boolean for a STRICT table.
func Bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Bind adapts a scan function that needs the shop's currency for [List] and [Find].
func Bind[T any](s *Shop, scan func(*Shop, Row) (T, error)) func(Row) (T, error) {
	return func(r Row) (T, error) { return scan(s, r) }
}

// FreeID returns id if it is unused, or else id with a number appended.
func FreeID(id string, taken func(id string) bool) string {
	free := id
	for n := 2; taken(free); n++ {
		free = fmt.Sprintf("%s.%d", id, n)
	}
	return free
}
