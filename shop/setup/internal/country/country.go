// Package country holds the usual settings of a shop by country: currency, time zones and tax on sales. It omits
// unknown values, which the user must enter.
package country

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/currency"
	"golang.org/x/text/language"
)

//go:embed zones.txt
var zones string

//go:embed rates.txt
var rates string

//go:embed coins.txt
var coins string

// RatesOf is the date of the rates.
const RatesOf = "2026-01-01"

// changed lists the countries whose currency differs from [currency.FromRegion], which has the state of 2017.
var changed = map[string]string{"HR": "EUR", "BG": "EUR", "ST": "STN", "CW": "XCG", "MR": "MRU", "SL": "SLE",
	"SX": "XCG", "VE": "VES", "ZW": "ZWG"}

// Usual holds the usual settings of a country, as far as they are known.
type Usual struct {
	Currency string   // ISO 4217
	Zones    []string // IANA; the first has the largest population
	RatePPM  int64    // tax on sales in parts per million; 0 if unknown
	CashStep int64    // smallest coin in minor units; 0: cash is not rounded
}

// Of returns the usual settings of the country with an ISO 3166 code.
func Of(code string) Usual {
	u := Usual{Zones: second(zones, func(c, _ string) bool { return c == code })}
	for table, to := range map[*string]*int64{&rates: &u.RatePPM, &coins: &u.CashStep} {
		if found := second(*table, func(c, _ string) bool { return c == code }); len(found) > 0 {
			*to, _ = strconv.ParseInt(found[0], 10, 64)
		}
	}
	if other, ok := changed[code]; ok {
		u.Currency = other
	} else if region, err := language.ParseRegion(code); err == nil {
		if unit, ok := currency.FromRegion(region); ok {
			u.Currency = unit.String()
		}
	}
	return u
}

// Guess returns the country of a computer by its time zone, or else by its locale; "" if both are inconclusive.
func Guess(zone, locale string) string {
	for line := range rows(zones) {
		if code, name, _ := strings.Cut(line, "\t"); zone != "" && name == zone {
			return code
		}
	}
	tag, _ := language.Parse(locale)
	if _, _, region := tag.Raw(); region.IsCountry() {
		return region.String()
	}
	return ""
}

// Zone returns the computer's time zone if the country has it or no zone of the country is known. Otherwise it returns
// the zone with the largest population.
func (u Usual) Zone(computers string) string {
	if len(u.Zones) == 0 || slices.Contains(u.Zones, computers) {
		return computers
	}
	return u.Zones[0]
}

// Locale returns the locale for documents: the language of the computer with the country's formats.
func Locale(code, computers string) string {
	tag, err := language.Parse(computers)
	if base, known := tag.Base(); err == nil && known > language.No && code != "" {
		return base.String() + "-" + code
	}
	return ""
}

// rows iterates over the lines of a table.
func rows(table string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(table) {
			if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "#") && !yield(line) {
				return
			}
		}
	}
}

// second returns the second cells of the matching rows of a table.
func second(table string, fits func(first, second string) bool) (found []string) {
	for line := range rows(table) {
		if a, b, _ := strings.Cut(line, "\t"); fits(a, b) {
			found = append(found, b)
		}
	}
	return found
}
