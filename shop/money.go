package shop

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/currency"
)

// Money is an amount in the minor units of an ISO 4217 currency: 4783 USD is
// $47.83. Text is for people and only in outputs.
type Money struct {
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	Text     string `json:"text,omitempty"`
}

// priceIn is money as it is given: no text.
type priceIn struct {
	Amount   int64  `json:"amount" jsonschema:"minimum=0,maximum=100000000"`
	Currency string `json:"currency" jsonschema:"minLength=3,maxLength=3"`
}

func (priceIn) DescribeFields() map[string]string {
	return map[string]string{
		"amount":   "In minor units: 500 is $5.00.",
		"currency": "ISO 4217, for example USD. It must be the shop's currency.",
	}
}

// money makes an output amount in the shop's currency.
func (s *deskShop) money(amount int64) Money {
	return Money{Amount: amount, Currency: s.Currency, Text: formatMoney(amount, s.Currency)}
}

// fact is an amount as facts carry it: without text.
func (s *deskShop) fact(amount int64) Money { return Money{Amount: amount, Currency: s.Currency} }

// text is an amount for a sentence.
func (s *deskShop) text(amount int64) string { return formatMoney(amount, s.Currency) }

// signs are the currencies written with a sign in front; others follow the
// amount with their code.
var signs = map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CAD": "CA$", "AUD": "A$", "NZD": "NZ$", "INR": "₹", "KRW": "₩", "BRL": "R$", "MXN": "MX$"}

func formatMoney(amount int64, code string) string {
	digits := minorDigits(code)
	minus := ""
	if amount < 0 {
		minus, amount = "-", -amount
	}
	s := strconv.FormatInt(amount, 10)
	if len(s) <= digits {
		s = strings.Repeat("0", digits+1-len(s)) + s
	}
	whole, fraction := s[:len(s)-digits], s[len(s)-digits:]
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if sign, ok := signs[code]; ok {
		return minus + sign + whole
	}
	return fmt.Sprintf("%s%s %s", minus, whole, code)
}

// minorDigits is how many digits follow the point: 2 for USD, 0 for JPY.
func minorDigits(code string) int {
	unit, err := currency.ParseISO(code)
	if err != nil {
		return 2
	}
	digits, _ := currency.Standard.Rounding(unit)
	return digits
}
