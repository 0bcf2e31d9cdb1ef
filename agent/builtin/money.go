package builtin

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"golang.org/x/text/currency"
)

var moneyForm = regexp.MustCompile(`^([$€£¥])?(\d{1,9})(?:\.(\d{1,3}))?(?: ?([\pL]{3,12}))?$`)

// currencyWords are the ways to say a currency besides its code.
var currencyWords = map[string]string{"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "dollar": "USD", "buck": "USD",
	"euro": "EUR", "pound": "GBP", "quid": "GBP", "yen": "JPY"}

// amount reads an amount of money in digits or words. One that must be given may go
// without its currency: it is the one that goes with what it is said of.
func (f field) amount(list []token, text string) (any, bool) {
	if v, ok := money(text); ok {
		return v, true
	}
	said := plainWords(list)
	for n := min(2, len(said)); n > 0; n-- {
		digits, is := spokenAmount(said[:n])
		switch {
		case !is || list[0].quoted:
		case n < len(said):
			if v, ok := money(digits + " " + strings.Join(said[n:], " ")); ok {
				return v, true
			}
		case f.Required:
			return bareAmount(digits), true
		}
	}
	return nil, false
}

// bareAmount is an amount without its currency.
type bareAmount string

// bare says that an amount was said without its currency.
func (f field) bare(s slotText) bool {
	v, _ := f.amount(s.tokens, s.text)
	_, is := v.(bareAmount)
	return is
}

var amountForm = regexp.MustCompile(`^\d{1,7}(?:\.\d\d)?$`)

// spokenAmount reads 12, 12.50, twelve, twelve fifty.
func spokenAmount(said []string) (string, bool) {
	if len(said) == 1 && amountForm.MatchString(said[0]) {
		return said[0], true
	}
	if n, is := number(said); is && n == float64(int(n)) && n >= 0 && text.NumberWords[said[0]] > 0 {
		return strconv.Itoa(int(n)), true
	}
	if len(said) != 2 {
		return "", false
	}
	whole, is := number(said[:1])
	parts, also := number(said[1:])
	if !is || !also || text.NumberWords[said[0]] == 0 || parts < 10 || parts > 99 {
		return "", false
	}
	return fmt.Sprintf("%d.%02d", int(whole), int(parts)), true
}

// in is the amount in the currency of what was looked up; false when it has none.
func (b bareAmount) in(seen []json.RawMessage) (any, bool) {
	for _, data := range seen {
		if m := currencyForm.FindSubmatch(data); m != nil {
			return money(string(b) + " " + string(m[1]))
		}
	}
	return nil, false
}

var currencyForm = regexp.MustCompile(`"currency":"([A-Z]{3})"`)

// inCurrency gives an amount the currency of what it is said of.
func (r *resolution) inCurrency(f field, bare bareAmount) {
	if v, known := bare.in(r.seen); known {
		r.args[f.Name] = v
		return
	}
	delete(r.args, f.Name)
	r.ask(f, fmt.Sprintf("In which currency is %s?", string(bare)), nil)
	if r.asked.slot == f.Name {
		r.asked.reword = func(answer string) string { return string(bare) + " " + answer }
	}
}

// money reads an amount with its currency: $12.50, 12.50 EUR, 10 dollars.
func money(written string) (any, bool) {
	m := moneyForm.FindStringSubmatch(strings.TrimSpace(written))
	if m == nil || (m[1] == "") == (m[4] == "") {
		return nil, false
	}
	said := m[1] + text.Fold(m[4])
	code, known := currencyWords[strings.TrimSuffix(said, "s")]
	if !known {
		code = strings.ToUpper(said)
	}
	unit, err := currency.ParseISO(code)
	if err != nil {
		return nil, false
	}
	digits := text.MinorDigits(unit)
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
