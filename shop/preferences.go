package shop

import "context"

// preference is what a person chose for their own window; what is given where they chose nothing.
func preference(ctx context.Context, person, name, otherwise string) (string, error) {
	kept, found, err := find(ctx, scanText, `SELECT value FROM preferences WHERE person = ? AND name = ?`, person, name)
	if err == nil && !found {
		kept = otherwise
	}
	return kept, err
}

// prefer keeps what a person chose.
func prefer(ctx context.Context, person, name, value string) error {
	return exec(ctx, `INSERT INTO preferences (person, name, value) VALUES (?, ?, ?)
		ON CONFLICT (person, name) DO UPDATE SET value = excluded.value`, person, name, value)
}
