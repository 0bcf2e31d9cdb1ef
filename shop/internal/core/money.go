package core

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/internal/currencies"
)

// Money is an amount in the minor units of an ISO 4217 currency: 4783 USD is $47.83. Text is for display and only in
// outputs.
type Money struct {
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	Text     string `json:"text,omitempty"`
}

// PriceIn is an amount of money in a request, without a text.
type PriceIn struct {
	Amount   int64  `json:"amount" jsonschema:"minimum=0,maximum=100000000" doc:"In minor units: 500 is $5.00."`
	Currency string `json:"currency" jsonschema:"minLength=3,maxLength=3"`
}

// TagFields describes the fields: see bus.Define.
func (PriceIn) TagFields() map[string]string {
	return map[string]string{"currency": `doc:"ISO 4217, for example USD. It must be the shop's currency."`}
}

// ChangeIn is a signed amount in a request: positive comes in, negative goes out.
type ChangeIn struct {
	Amount   int64  `json:"amount" jsonschema:"minimum=-100000000,maximum=100000000" doc:"In minor units: 500 is $5.00."`
	Currency string `json:"currency" jsonschema:"minLength=3,maxLength=3"`
}

// TagFields describes the fields: see bus.Define.
func (ChangeIn) TagFields() map[string]string { return PriceIn{}.TagFields() }

// String returns the amount for a sentence.
func (m Money) String() string { return m.Text }

// Money returns an amount in the shop's currency for a response.
func (s *Shop) Money(amount int64) Money {
	return Money{Amount: amount, Currency: s.Currency, Text: formatMoney(amount, s.Currency)}
}

// Coins rounds an amount of cash to the smallest coin, a half away from zero.
func (s *Shop) Coins(amount int64) int64 {
	if amount < 0 {
		return -s.Coins(-amount)
	}
	step := max(s.CashStep, 1)
	return (amount + step/2) / step * step
}

// Rounding returns the difference that rounding adds to an amount, or nil if there is none.
func (s *Shop) Rounding(by int64) *Money {
	if by == 0 {
		return nil
	}
	m := s.Money(by)
	return &m
}

// Rate is the net amount and the tax at one rate, in a response.
type Rate struct {
	RatePPM int64 `json:"ratePpm" doc:"Parts per million: 80000 is 8 %."`
	Net     Money `json:"net"`
	Tax     Money `json:"tax"`
}

// Rates converts sums by rate for a response.
func (s *Shop) Rates(sums []RateSum) []Rate {
	all := make([]Rate, len(sums))
	for i, r := range sums {
		all[i] = Rate{r.RatePPM, s.Money(r.Net), s.Money(r.Tax)}
	}
	return all
}

// MoneyFact returns an amount for a fact, without a text.
func (s *Shop) MoneyFact(amount int64) Money { return Money{Amount: amount, Currency: s.Currency} }

// Text formats an amount for a sentence.
func (s *Shop) Text(amount int64) string { return formatMoney(amount, s.Currency) }

// CurrencySigns holds the currencies whose sign precedes the amount. Other currencies follow the amount with their
// code.
var CurrencySigns = map[string]string{"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "CAD": "CA$", "AUD": "A$",
	"NZD": "NZ$", "INR": "₹", "KRW": "₩", "BRL": "R$", "MXN": "MX$"}

func formatMoney(amount int64, code string) string {
	digits := MinorDigits(code)
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
	if sign, ok := CurrencySigns[code]; ok {
		return minus + sign + whole
	}
	return fmt.Sprintf("%s%s %s", minus, whole, code)
}

// MinorDigits returns the number of decimal digits of a currency: 2 for USD, 0 for JPY.
func MinorDigits(code string) int {
	digits, known := currencies.Digits(code)
	if !known {
		return 2
	}
	return digits
}

// CheckCurrency refuses an amount in a currency other than the shop's.
func (s *Shop) CheckCurrency(p PriceIn, path string) error {
	if p.Currency != s.Currency {
		return Invalid(path+"/currency", "This shop's currency is %s, not %s.", s.Currency, p.Currency)
	}
	return nil
}
