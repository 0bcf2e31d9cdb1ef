package core

import (
	"golang.org/x/text/language"
)

// DefaultLocale is the locale of documents where none is set.
const DefaultLocale = "en-US"

// LocaleOf brings a BCP 47 locale into its one form.
func LocaleOf(given string) (string, error) {
	tag, err := language.Parse(given)
	return tag.String(), err
}
