// Package stored reads and writes the tables of the bridge and its policy, in the transaction of a context.
package stored

import (
	"context"
	"strconv"
)

// Enabled reports whether the assistant is switched on, which is the default.
func Enabled(ctx context.Context, db Tables) (bool, error) {
	off, err := is(ctx, db, "enabled", false)
	return !off, err
}

// Masked reports whether personal values are masked for remote models. By default they are not.
func Masked(ctx context.Context, db Tables) (bool, error) { return is(ctx, db, "masked", true) }

// is reports whether a switch has this stored value.
func is(ctx context.Context, db Tables, name string, on bool) (bool, error) {
	found, err := Count(ctx, db, `SELECT count(*) FROM assistant_settings WHERE name = $1 AND value = $2`, name,
		strconv.FormatBool(on))
	return found > 0, err
}

// Set stores a switch.
func Set(ctx context.Context, db Tables, name string, on bool) error {
	return SetText(ctx, db, name, strconv.FormatBool(on))
}

// SetText stores a setting that is no switch.
func SetText(ctx context.Context, db Tables, name, value string) error {
	return db.Exec(ctx,
		`INSERT INTO assistant_settings (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, value)
}
