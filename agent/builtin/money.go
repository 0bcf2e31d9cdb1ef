package builtin

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
)

// amount reads an amount of money in digits or words. One that must be given may go
// without its currency: it is the one that goes with what it is said of.
func (f field) amount(list []lexicon.Token, text string) (any, bool) {
	if v, ok := lexicon.Money(text); ok {
		return v, true
	}
	said := lexicon.PlainWords(list)
	for n := min(2, len(said)); n > 0; n-- {
		digits, is := lexicon.SpokenAmount(said[:n])
		switch {
		case !is || list[0].Quoted:
		case n < len(said):
			if v, ok := lexicon.Money(digits + " " + strings.Join(said[n:], " ")); ok {
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

var currencyForm = regexp.MustCompile(`"currency":"([A-Z]{3})"`)

// inCurrency gives an amount the currency of what it is said of.
func (r *resolution) inCurrency(f field, bare bareAmount) {
	if m := currencyForm.FindSubmatch(slices.Concat(r.seen...)); m != nil {
		if v, known := lexicon.Money(string(bare) + " " + string(m[1])); known {
			r.args[f.Name] = v
			return
		}
	}
	delete(r.args, f.Name)
	r.ask(f, fmt.Sprintf("In which currency is %s?", string(bare)), nil)
	if r.asked.slot == f.Name {
		r.asked.reword = func(answer string) string { return string(bare) + " " + answer }
	}
}
