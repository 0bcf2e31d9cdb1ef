// Package country knows what is usual for a shop in a country: its currency, its time zones, its tax on sales. What it
// does not know is left out, and a person is asked.
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

// RatesOf is the day of which the rates are.
const RatesOf = "2026-01-01"

// changed are the currencies of countries that have another one than [currency.FromRegion] says, which has them as of
// 2017.
var changed = map[string]string{"HR": "EUR", "BG": "EUR", "ST": "STN", "CW": "XCG", "MR": "MRU", "SL": "SLE",
	"SX": "XCG", "VE": "VES", "ZW": "ZWG"}

// Usual is what is usual in a country, as far as it is known.
type Usual struct {
	Currency string   // ISO 4217
	Zones    []string // IANA; the first is where most people live
	RatePPM  int64    // of the tax on sales, in parts per million; 0: not known
	CashStep int64    // the smallest coin, in minor units; 0: cash is not rounded
}

// Of is what is usual in the country with that ISO 3166 code.
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

// Guess is the country of a computer, by its time zone, else by its locale; "" where neither says it.
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

// Zone is the time zone for a country: the computer's where the country has it or none is known, else where most of its
// people live.
func (u Usual) Zone(computers string) string {
	if len(u.Zones) == 0 || slices.Contains(u.Zones, computers) {
		return computers
	}
	return u.Zones[0]
}

// Locale is how documents in a country write amounts and days, in the language of a computer.
func Locale(code, computers string) string {
	tag, err := language.Parse(computers)
	if base, known := tag.Base(); err == nil && known > language.No && code != "" {
		return base.String() + "-" + code
	}
	return ""
}

// rows are the lines of a table.
func rows(table string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for line := range strings.Lines(table) {
			if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "#") && !yield(line) {
				return
			}
		}
	}
}

// second are the second cells of the rows of a table that fit.
func second(table string, fits func(first, second string) bool) (found []string) {
	for line := range rows(table) {
		if a, b, _ := strings.Cut(line, "\t"); fits(a, b) {
			found = append(found, b)
		}
	}
	return found
}
