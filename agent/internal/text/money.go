package text

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"github.com/deskhand/deskhand/internal/currencies"
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
	if !ok || !ok2 || len(m) > 3 {
		return "", false
	}
	return Minor(amount, code)
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

// Minor writes an amount of minor units; false if there is no such currency.
func Minor(amount float64, code string) (string, bool) {
	digits, known := currencies.Digits(code)
	return WithCurrency(fmt.Sprintf("%.*f", digits, amount/math.Pow10(digits)), strings.ToUpper(code)), known
}
