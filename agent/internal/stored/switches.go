package stored

import (
	"context"
	"strconv"

	"github.com/deskhand/deskhand/audit"
)

// Enabled says whether the assistant is switched on, which it is until somebody
// switches it off.
func Enabled(ctx context.Context) (bool, error) {
	off, err := is(ctx, "enabled", false)
	return !off, err
}

// Masked says whether personal values are kept from a model that is elsewhere,
// which they are not until somebody wants it.
func Masked(ctx context.Context) (bool, error) { return is(ctx, "masked", true) }

// is says that a switch stands as it is asked; nobody touched it: it does
// not.
func is(ctx context.Context, name string, on bool) (bool, error) {
	var found int64
	err := audit.Tx(ctx).QueryRow(ctx, `SELECT count(*) FROM assistant_settings WHERE name = ? AND value = ?`, name, strconv.FormatBool(on)).Scan(&found)
	return found > 0, err
}

// Set keeps how a switch stands from now on.
func Set(ctx context.Context, name string, on bool) error {
	_, err := audit.Tx(ctx).Exec(ctx, `INSERT INTO assistant_settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
		name, strconv.FormatBool(on))
	return err
}
