package core

import (
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/text"
)

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

// RemovePreference forgets what a person chose.
func RemovePreference(ctx context.Context, person, name string) error {
	return Exec(ctx, `DELETE FROM preferences WHERE person = ? AND name = ?`, person, name)
}

// ViewPreference is what the names of kept views begin with; the id of the view follows.
const ViewPreference = "view "

// KeptView is the view of a list that a person keeps.
type KeptView struct{ Person, ID, Value string }

const allViews = `SELECT person, substr(name, 6), value FROM preferences WHERE name >= 'view ' AND name < 'view!'`

func scanView(r Row) (v KeptView, err error) { return v, r.Scan(&v.Person, &v.ID, &v.Value) }

// Views are those that a person keeps.
func Views(ctx context.Context, person string) ([]KeptView, error) {
	return List(ctx, scanView, allViews+` AND person = ?`, person)
}

// ForgetViews removes everyone's views that mention one of some texts.
func ForgetViews(ctx context.Context, terms []string) error {
	all, err := List(ctx, scanView, allViews)
	for _, v := range all {
		kept := text.Fold(v.Value)
		if err == nil && slices.ContainsFunc(terms, func(t string) bool { return strings.Contains(kept, text.Fold(t)) }) {
			err = RemovePreference(ctx, v.Person, ViewPreference+v.ID)
		}
	}
	return err
}
