// Package currencies provides the currencies of ISO 4217.
package currencies

import (
	"strings"

	"golang.org/x/text/currency"
)

// newer lists the currencies missing from golang.org/x/text, whose data are of 2017, with their minor digits.
var newer = map[string]int{"MRU": 2, "SLE": 2, "STN": 2, "UYW": 4, "VED": 2, "VES": 2, "XAD": 2, "XCG": 2, "ZWG": 2}

// Digits returns the number of decimal digits of a currency: 2 for USD, 0 for JPY. It reports whether the currency
// exists.
func Digits(code string) (digits int, known bool) {
	if digits, known = newer[strings.ToUpper(code)]; known {
		return digits, true
	}
	unit, err := currency.ParseISO(code)
	if err != nil {
		return 0, false
	}
	digits, _ = currency.Standard.Rounding(unit)
	return digits, true
}
