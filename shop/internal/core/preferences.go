package core

import (
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// Preference returns a person's choice for their own window, or otherwise when there is none.
func Preference(ctx context.Context, person, name, otherwise string) (string, error) {
	kept, found, err := Find(ctx, ScanText, `SELECT value FROM preferences WHERE person = ? AND name = ?`, person, name)
	if err == nil && !found {
		kept = otherwise
	}
	return kept, err
}

// SetPreference stores a person's choice.
func SetPreference(ctx context.Context, person, name, value string) error {
	return Exec(ctx, `INSERT INTO preferences (person, name, value) VALUES (?, ?, ?)
		ON CONFLICT (person, name) DO UPDATE SET value = excluded.value`, person, name, value)
}

// RemovePreference deletes a person's choice.
func RemovePreference(ctx context.Context, person, name string) error {
	return Exec(ctx, `DELETE FROM preferences WHERE person = ? AND name = ?`, person, name)
}

// ViewPreference is the prefix of the names of saved views. The view's id follows it.
const ViewPreference = "view "

// KeptView is a saved view of a list.
type KeptView struct{ Person, ID, Value string }

const allViews = `SELECT person, substr(name, 6), value FROM preferences WHERE name >= 'view ' AND name < 'view!'`

func scanView(r Row) (v KeptView, err error) { return v, r.Scan(&v.Person, &v.ID, &v.Value) }

// Views returns the saved views of a person.
func Views(ctx context.Context, person string) ([]KeptView, error) {
	return List(ctx, scanView, allViews+` AND person = ?`, person)
}

// ForgetViews removes all views, of any person, that contain one of the terms.
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
