package country_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/internal/currencies"
	"golang.org/x/text/language"

	"github.com/deskhand/deskhand/shop/setup/internal/country"
)

// TestEveryCountryOfTheTablesIsUsable reads all countries: the settings accept every suggested value.
func TestEveryCountryOfTheTablesIsUsable(t *testing.T) {
	rates := 0
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string([]rune{a, b})
			u := country.Of(code)
			for _, zone := range u.Zones {
				if _, err := time.LoadLocation(zone); err != nil {
					t.Errorf("%s: %v", code, err)
				}
			}
			if region, err := language.ParseRegion(code); len(u.Zones) > 0 && (err != nil || !region.IsCountry()) {
				t.Errorf("%s has zones and is no country: %v", code, err)
			}
			if _, known := currencies.Digits(u.Currency); u.Currency != "" && !known {
				t.Errorf("%s: %s", code, u.Currency)
			}
			if u.RatePPM != 0 {
				rates++
				if u.Currency == "" || len(u.Zones) == 0 || u.RatePPM < 10_000 || u.RatePPM > 300_000 {
					t.Errorf("%s: %+v", code, u)
				}
			}
		}
	}
	if rates != 35 {
		t.Errorf("%d countries have a rate", rates)
	}
	if _, err := time.Parse(time.DateOnly, country.RatesOf); err != nil {
		t.Error(err)
	}
}

func TestWhatIsUsualInACountry(t *testing.T) {
	for _, c := range []struct {
		code, computers, currency, zone string
		percent                         float64
	}{
		{"DE", "Etc/UTC", "EUR", "Europe/Berlin", 19},
		{"ES", "Atlantic/Canary", "EUR", "Atlantic/Canary", 21},
		{"HR", "", "EUR", "Europe/Zagreb", 25},
		{"BG", "", "EUR", "Europe/Sofia", 20},
		{"FI", "", "EUR", "Europe/Helsinki", 25.5},
		{"CH", "", "CHF", "Europe/Zurich", 8.1},
		{"AU", "Europe/Berlin", "AUD", "Australia/Sydney", 10},
		{"US", "America/Denver", "USD", "America/Denver", 0},
		{"CA", "", "CAD", "America/Toronto", 0},
		{"VE", "", "VES", "America/Caracas", 0},
	} {
		u := country.Of(c.code)
		got := []string{u.Currency, u.Zone(c.computers), strconv.FormatFloat(float64(u.RatePPM)/10_000, 'f', -1, 64)}
		want := []string{c.currency, c.zone, strconv.FormatFloat(c.percent, 'f', -1, 64)}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %s, want %s", c.code, strings.Join(got, " "), strings.Join(want, " "))
		}
	}
}

func TestTheCountryOfAComputer(t *testing.T) {
	for _, c := range []struct{ zone, locale, want string }{
		{"Europe/Vienna", "de-DE", "AT"}, // where the clock is, not whose language
		{"America/Toronto", "en-US", "CA"},
		{"UTC", "en-GB", "GB"},
		{"", "de", ""},
		{"Asia/Calcutta", "en-IN", "IN"}, // the older name of a zone
		{"UTC", "es-419", ""},            // a region that is no country
		{"UTC", "no locale", ""},
	} {
		if got := country.Guess(c.zone, c.locale); got != c.want {
			t.Errorf("%s, %s: %q, want %q", c.zone, c.locale, got, c.want)
		}
	}
	for _, c := range [][3]string{{"AT", "de-DE", "de-AT"}, {"DE", "en-US", "en-DE"}, {"", "de", ""}, {"DE", "", ""}} {
		if got := country.Locale(c[0], c[1]); got != c[2] {
			t.Errorf("%s, %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}
