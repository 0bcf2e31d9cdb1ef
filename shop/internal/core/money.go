package core

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/internal/currencies"
)

// Money is an amount in the minor units of an ISO 4217 currency: 4783 USD is
// $47.83. Text is for people and only in outputs.
type Money struct {
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	Text     string `json:"text,omitempty"`
}

// PriceIn is money as it is given: no text.
type PriceIn struct {
	Amount   int64  `json:"amount" jsonschema:"minimum=0,maximum=100000000" doc:"In minor units: 500 is $5.00."`
	Currency string `json:"currency" jsonschema:"minLength=3,maxLength=3"`
}

func (PriceIn) TagFields() map[string]string {
	return map[string]string{"currency": `doc:"ISO 4217, for example USD. It must be the shop's currency."`}
}

// ChangeIn is an amount as it is given that comes in, or goes out when it is negative.
type ChangeIn struct {
	Amount   int64  `json:"amount" jsonschema:"minimum=-100000000,maximum=100000000" doc:"In minor units: 500 is $5.00."`
	Currency string `json:"currency" jsonschema:"minLength=3,maxLength=3"`
}

func (ChangeIn) TagFields() map[string]string { return PriceIn{}.TagFields() }

// String is the amount for a sentence.
func (m Money) String() string { return m.Text }

// Money makes an output amount in the shop's currency.
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

// Rounding is the difference that rounding makes to an amount, for an answer; nil where there is none.
func (s *Shop) Rounding(by int64) *Money {
	if by == 0 {
		return nil
	}
	m := s.Money(by)
	return &m
}

// Rate is net and tax at one rate, as an answer has them.
type Rate struct {
	RatePPM int64 `json:"ratePpm" doc:"Parts per million: 80000 is 8 %."`
	Net     Money `json:"net"`
	Tax     Money `json:"tax"`
}

// Rates are sums by rate as an answer tells them.
func (s *Shop) Rates(sums []RateSum) []Rate {
	all := make([]Rate, len(sums))
	for i, r := range sums {
		all[i] = Rate{r.RatePPM, s.Money(r.Net), s.Money(r.Tax)}
	}
	return all
}

// Fact is an amount as facts carry it: without text.
func (s *Shop) MoneyFact(amount int64) Money { return Money{Amount: amount, Currency: s.Currency} }

// Text is an amount for a sentence.
func (s *Shop) Text(amount int64) string { return formatMoney(amount, s.Currency) }

// CurrencySigns are the currencies written with a sign in front; others follow the amount with their code.
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

// MinorDigits is how many digits follow the point: 2 for USD, 0 for JPY.
func MinorDigits(code string) int {
	digits, known := currencies.Digits(code)
	if !known {
		return 2
	}
	return digits
}

// CheckCurrency refuses an amount in another currency than the shop's.
func (s *Shop) CheckCurrency(p PriceIn, path string) error {
	if p.Currency != s.Currency {
		return Invalid(path+"/currency", "This shop's currency is %s, not %s.", s.Currency, p.Currency)
	}
	return nil
}
