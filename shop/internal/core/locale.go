package core

import (
	"golang.org/x/text/language"
)

// defaultLocale is how documents are written when nobody says.
const DefaultLocale = "en-US"

// localeOf brings a BCP 47 locale into its one form.
func LocaleOf(given string) (string, error) {
	tag, err := language.Parse(given)
	return tag.String(), err
}
