package text

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"golang.org/x/text/currency"
)

// Money writes the wire form of money from its amount and currency. It never
// believes a text that comes with them: in an argument that would be the model's.
func Money(m map[string]any) (string, bool) {
	amount, ok := m["amount"].(float64)
	if n, is := m["amount"].(json.Number); is {
		var err error
		amount, err = n.Float64()
		ok = err == nil
	}
	code, ok2 := m["currency"].(string)
	unit, err := currency.ParseISO(code)
	if !ok || !ok2 || err != nil || len(m) > 3 {
		return "", false
	}
	return Minor(amount, unit), true
}

// currencySigns are the currencies that are written with a sign in front; others follow the number with their code.
var currencySigns = map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}

// WithCurrency writes a decimal number as an amount: $1,250.00, 12.50 CHF.
func WithCurrency(number, code string) string {
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

// MinorDigits is how many decimals a currency has.
func MinorDigits(unit currency.Unit) int {
	digits, _ := currency.Standard.Rounding(unit)
	return digits
}

// Minor writes an amount of minor units.
func Minor(amount float64, unit currency.Unit) string {
	digits := MinorDigits(unit)
	return WithCurrency(fmt.Sprintf("%.*f", digits, amount/math.Pow10(digits)), unit.String())
}
