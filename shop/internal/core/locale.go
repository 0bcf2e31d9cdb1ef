package core

import (
	"time"

	"golang.org/x/text/language"

	"github.com/deskhand/deskhand/internal/currencies"
)

// DefaultLocale is the locale of documents when the shop has set none.
const DefaultLocale = "en-US"

// LocaleOf returns the canonical form of a BCP 47 locale.
func LocaleOf(given string) (string, error) {
	tag, err := language.Parse(given)
	return tag.String(), err
}

// CheckPlace refuses an unknown country, currency or time zone; "" is allowed. at points to the object that contains
// them.
func CheckPlace(at, country, code, zone string) error {
	if region, err := language.ParseRegion(country); country != "" && (err != nil || !region.IsCountry() ||
		region.String() != country) {
		return Invalid(at+"/country", "There is no country %s.", country).
			WithHint("Use an ISO 3166 code of two letters, for example US, DE or JP.")
	}
	if _, known := currencies.Digits(code); code != "" && !known {
		return Invalid(at+"/currency", "There is no currency %s.", code).
			WithHint("Use an ISO 4217 code, for example USD, EUR or JPY.")
	}
	if _, err := time.LoadLocation(zone); err != nil || zone == "Local" {
		return Invalid(at+"/timeZone", "There is no time zone %q.", zone).
			WithHint("Use an IANA name, for example Europe/Berlin or UTC.")
	}
	return nil
}
