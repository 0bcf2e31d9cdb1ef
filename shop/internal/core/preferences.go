package core

import "context"

// Preference is what a person chose for their own window, otherwise if they chose nothing.
func Preference(ctx context.Context, person, name, otherwise string) (string, error) {
	kept, found, err := Find(ctx, ScanText, `SELECT value FROM preferences WHERE person = ? AND name = ?`, person, name)
	if err == nil && !found {
		kept = otherwise
	}
	return kept, err
}

// SetPreference keeps what a person chose.
func SetPreference(ctx context.Context, person, name, value string) error {
	return Exec(ctx, `INSERT INTO preferences (person, name, value) VALUES (?, ?, ?)
		ON CONFLICT (person, name) DO UPDATE SET value = excluded.value`, person, name, value)
}
