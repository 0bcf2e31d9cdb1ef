// Package number reads numbers in the notations of people and spreadsheets. Its counterpart in the page is
// frontend/src/language/numbers.ts. Both are tested with the table numbers.json in this folder.
package number

import (
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/number"
)

// Refusal is the reason why a text is no number.
type Refusal string

// The reasons.
const (
	NotNumber Refusal = "notNumber"
	Decimals  Refusal = "decimals"  // too many digits after the decimal separator
	Ambiguous Refusal = "ambiguous" // two possible readings: 1.234 or 1,234
	TooLarge  Refusal = "max"
)

// most is the maximum number of digits: these stay exact with three decimals.
const most = 12

var (
	shape  = regexp.MustCompile(`^([+-]?)([0-9]*(?:[.,' ][0-9]+)*[.,]?)$`)
	groups = regexp.MustCompile(`^[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+|(?:,[0-9]{3})+|(?:'[0-9]{3})+|(?: [0-9]{3})+)$`)
	either = regexp.MustCompile(`^[0-9]+[.,][0-9]{3}$`)
	plain  = regexp.MustCompile(`^[0-9]{0,15}$`)
)

// Read returns a number in digits, with a point before its decimals: "-1250.00". A point or a comma is the decimal
// separator or separates thousands: if only one reading is possible, it counts, and otherwise the locale decides. A
// text with two possible readings is refused.
func Read(text, locale string, decimals int) (digits string, why Refusal) {
	typed := strings.Map(func(r rune) rune {
		switch {
		case r == '−' || r == '–':
			return '-'
		case r == '’':
			return '\''
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, strings.TrimSpace(text))
	parts := shape.FindStringSubmatch(typed)
	if parts == nil || !strings.ContainsAny(typed, "0123456789") {
		return "", NotNumber
	}
	sign, written := strings.TrimPrefix(parts[1], "+"), parts[2]
	if groups.MatchString(written) {
		if either.MatchString(written) && !isGroup(written[len(written)-4], locale, decimals) {
			if !isPoint(written[len(written)-4], locale) || decimals < 3 {
				return "", Ambiguous
			}
			return within(sign, strings.Replace(written, ",", ".", 1))
		}
		return within(sign, onlyDigits(written))
	}
	whole, part := written, ""
	if at := strings.LastIndexAny(written, ".,"); at >= 0 {
		whole, part = written[:at], written[at+1:]
		if !plain.MatchString(whole) && (!groups.MatchString(whole) || strings.IndexByte(whole, written[at]) >= 0) {
			return "", NotNumber
		}
	} else if !plain.MatchString(whole) {
		return "", NotNumber
	}
	if len(part) > decimals && strings.Trim(part[decimals:], "0") != "" {
		return "", Decimals
	}
	part = part[:min(len(part), decimals)]
	whole = strings.TrimLeft(onlyDigits(whole), "0")
	if whole == "" {
		whole = "0"
	}
	return within(sign, strings.TrimSuffix(whole+"."+part, "."))
}

// Scaled returns a number from Read in units of its last decimal: "12.5" with two decimals is 1250. It rounds half away
// from zero.
func Scaled(digits string, decimals int) int64 {
	n, ok := new(big.Rat).SetString(digits)
	if !ok {
		return 0
	}
	n.Mul(n, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)))
	scaled, _ := new(big.Int).SetString(n.FloatString(0), 10) // it has no decimals
	return scaled.Int64()
}

func within(sign, digits string) (string, Refusal) {
	whole, _, _ := strings.Cut(digits, ".")
	switch {
	case len(whole) > most:
		return "", TooLarge
	case strings.Trim(digits, "0.") == "":
		sign = ""
	}
	return sign + digits, ""
}

func onlyDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// isGroup reports whether a character separates thousands in a number with a number of decimals.
func isGroup(c byte, locale string, decimals int) bool {
	group, _ := separators(locale)
	return group == rune(c) && decimals < 3
}

func isPoint(c byte, locale string) bool {
	_, point := separators(locale)
	return point == rune(c)
}

// separators returns the separators of a locale.
func separators(locale string) (group, point rune) {
	written := []rune(message.NewPrinter(language.Make(locale)).Sprint(number.Decimal(1_234_567.5)))
	isDigit := func(r rune) bool { return r >= '0' && r <= '9' }
	seen := slices.DeleteFunc(written, isDigit)
	if len(seen) == 0 {
		return ',', '.'
	}
	if point = seen[len(seen)-1]; len(seen) > 1 {
		group = seen[0]
	}
	return group, point
}
