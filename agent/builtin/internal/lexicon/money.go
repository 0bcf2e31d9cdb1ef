package lexicon

import (
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"golang.org/x/text/currency"

	"github.com/deskhand/deskhand/agent/internal/text"
)

var moneyForm = regexp.MustCompile(`^([$€£¥])?(\d{1,9})(?:\.(\d{1,3}))?(?: ?([\pL]{3,12}))?$`)

var amountForm = regexp.MustCompile(`^\d{1,7}(?:\.\d\d)?$`)

// SpokenAmount reads 12, 12.50, twelve, twelve fifty.
func SpokenAmount(said []string) (string, bool) {
	if len(said) == 1 && amountForm.MatchString(said[0]) {
		return said[0], true
	}
	if n, is := Number(said); is && n == float64(int(n)) && n >= 0 && text.NumberWords[said[0]] > 0 {
		return strconv.Itoa(int(n)), true
	}
	if len(said) != 2 {
		return "", false
	}
	whole, is := Number(said[:1])
	parts, also := Number(said[1:])
	if !is || !also || text.NumberWords[said[0]] == 0 || parts < 10 || parts > 99 {
		return "", false
	}
	return fmt.Sprintf("%d.%02d", int(whole), int(parts)), true
}

// Money reads an amount with its currency: $12.50, 12.50 EUR, 10 dollars.
func Money(written string) (any, bool) {
	m := moneyForm.FindStringSubmatch(strings.TrimSpace(written))
	if m == nil || (m[1] == "") == (m[4] == "") {
		return nil, false
	}
	said := m[1] + text.Fold(m[4])
	code := cmp.Or(currencyWords[strings.TrimSuffix(said, "s")], strings.ToUpper(said))
	unit, err := currency.ParseISO(code)
	if err != nil {
		return nil, false
	}
	digits := text.MinorDigits(unit)
	if len(m[3]) != 0 && len(m[3]) != digits {
		return nil, false // $1.5 is a slip of the pen, ¥1.50 does not exist
	}
	minor := m[3] + strings.Repeat("0", digits-len(m[3]))
	amount := cmp.Or(strings.TrimLeft(m[2]+minor, "0"), "0")
	return map[string]any{"amount": json.Number(amount), "currency": code}, true
}
