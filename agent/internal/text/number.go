package text

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/deskhand/deskhand/internal/currencies"
	"github.com/deskhand/deskhand/internal/number"
)

// Number reads a number that a model wrote as text. The locale of a model is unknown, so the text must mean the same
// number with a point and with a comma as the decimal separator: "12,50" does, "1,234" does not.
func Number(said string, decimals int) (json.Number, bool) {
	point, why := number.Read(said, "en", decimals)
	comma, whyNot := number.Read(said, "de", decimals)
	return json.Number(point), why == "" && whyNot == "" && point == comma
}

var amountForm = Late(`^(\p{Sc}|[A-Z]{3})?\s*([\d.,' ]*\d)\s*(\p{Sc}|[A-Z]{3})?$`)

// Amount reads an amount of money with its currency, as [Number] does: "12,50 EUR", "$5".
func Amount(said string) (wire map[string]any, ok bool) {
	parts := amountForm().FindStringSubmatch(strings.TrimSpace(said))
	if parts == nil || (parts[1] == "") == (parts[3] == "") {
		return nil, false
	}
	code := parts[1] + parts[3]
	for of, sign := range currencySigns {
		if sign == code {
			code = of
		}
	}
	digits, known := currencies.Digits(code)
	if !known {
		return nil, false
	}
	n, ok := Number(parts[2], digits)
	if !ok {
		return nil, false
	}
	whole, part, _ := strings.Cut(n.String(), ".")
	minor := strings.TrimLeft(whole+part+strings.Repeat("0", digits-len(part)), "0")
	return map[string]any{"amount": json.Number(cmp.Or(minor, "0")), "currency": code}, true
}
