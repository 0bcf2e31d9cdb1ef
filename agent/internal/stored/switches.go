// Package stored reads and writes the tables of the bridge and its policy, in the transaction of a context.
package stored

import (
	"context"
	"strconv"

	"github.com/deskhand/deskhand/audit"
)

// Enabled reports whether the assistant is switched on, as it is by default.
func Enabled(ctx context.Context) (bool, error) {
	off, err := is(ctx, "enabled", false)
	return !off, err
}

// Masked reports whether personal values are masked for remote models, as they are not by default.
func Masked(ctx context.Context) (bool, error) { return is(ctx, "masked", true) }

// is reports whether a switch was set to this value.
func is(ctx context.Context, name string, on bool) (bool, error) {
	var found int64
	err := audit.Tx(ctx).QueryRowContext(ctx, `SELECT count(*) FROM assistant_settings WHERE name = ? AND value = ?`, name,
		strconv.FormatBool(on)).Scan(&found)
	return found > 0, err
}

// Set sets a switch.
func Set(ctx context.Context, name string, on bool) error {
	_, err := audit.Tx(ctx).ExecContext(ctx,
		`INSERT INTO assistant_settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
		name, strconv.FormatBool(on))
	return err
}
