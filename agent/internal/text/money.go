package text

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/deskhand/deskhand/internal/currencies"
)

// Money formats the wire form of money from its amount and currency. It ignores the text in it: in an argument the
// model may have written that text.
func Money(m map[string]any) (string, bool) {
	amount, ok := m["amount"].(float64)
	if n, is := m["amount"].(json.Number); is {
		var err error
		amount, err = n.Float64()
		ok = err == nil
	}
	code, ok2 := m["currency"].(string)
	if !ok || !ok2 || len(m) > 3 {
		return "", false
	}
	return Minor(amount, code)
}

// currencySigns are the currencies whose sign precedes the number; other numbers are followed by the code.
var currencySigns = map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}

// WithCurrency formats a decimal number as an amount: $1,250.00, 12.50 CHF.
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

// Minor formats an amount in minor units; false if the currency is unknown.
func Minor(amount float64, code string) (string, bool) {
	digits, known := currencies.Digits(code)
	return WithCurrency(fmt.Sprintf("%.*f", digits, amount/math.Pow10(digits)), strings.ToUpper(code)), known
}
