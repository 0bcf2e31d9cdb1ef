package agent

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"

	"golang.org/x/text/currency"
)

var moneyForm = regexp.MustCompile(`^([$€£¥])?(\d{1,9})(?:\.(\d{1,3}))?(?: ?([\pL]{3,12}))?$`)

// currencyWords are the ways to say a currency besides its code.
var currencyWords = map[string]string{"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "dollar": "USD", "buck": "USD",
	"euro": "EUR", "pound": "GBP", "quid": "GBP", "yen": "JPY"}

// money reads an amount with its currency: $12.50, 12.50 EUR, 10 dollars.
func money(text string) (any, bool) {
	m := moneyForm.FindStringSubmatch(strings.TrimSpace(text))
	if m == nil || (m[1] == "") == (m[4] == "") {
		return nil, false
	}
	said := m[1] + fold(m[4])
	code, known := currencyWords[strings.TrimSuffix(said, "s")]
	if !known {
		code = strings.ToUpper(said)
	}
	unit, err := currency.ParseISO(code)
	if err != nil {
		return nil, false
	}
	digits := minorDigits(unit)
	if len(m[3]) != 0 && len(m[3]) != digits {
		return nil, false // $1.5 is a slip of the pen, ¥1.50 does not exist
	}
	minor := m[3] + strings.Repeat("0", digits-len(m[3]))
	amount := strings.TrimLeft(m[2]+minor, "0")
	if amount == "" {
		amount = "0"
	}
	return map[string]any{"amount": json.Number(amount), "currency": code}, true
}

// currencySigns are the currencies that are written with a sign in front; others
// follow the number with their code.
var currencySigns = map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}

// withCurrency writes a decimal number as an amount: $1,250.00, 12.50 CHF.
func withCurrency(number, code string) string {
	minus := strings.HasPrefix(number, "-")
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(number, "-"), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	text := whole + " " + code
	if sign, ok := currencySigns[code]; ok {
		text = sign + whole
	}
	if minus {
		return "-" + text
	}
	return text
}

// minorDigits is how many decimals a currency has.
func minorDigits(unit currency.Unit) int {
	digits, _ := currency.Standard.Rounding(unit)
	return digits
}

// minorText writes an amount of minor units.
func minorText(amount float64, unit currency.Unit) string {
	digits := minorDigits(unit)
	return withCurrency(fmt.Sprintf("%.*f", digits, amount/math.Pow10(digits)), unit.String())
}
