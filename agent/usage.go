package agent

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/internal/currencies"
)

// Price is the price of a million tokens in millionths of the currency: $2.50 is 2 500 000. See [Price.Parse].
type Price struct {
	Input    int64
	Output   int64
	Currency string // ISO 4217
}

var priceForm = text.Late(`^(\d{1,5})(?:\.(\d{1,6}))?$`)

// Parse sets the prices of a million input and output tokens from decimal numbers and a currency code: "2.50", "10",
// "USD". After an error p is unchanged.
func (p *Price) Parse(input, output, code string) error {
	if _, known := currencies.Digits(code); !known {
		return fmt.Errorf("agent: %q is no currency", code)
	}
	read := Price{Currency: code}
	for _, price := range []struct {
		text string
		to   *int64
	}{{input, &read.Input}, {output, &read.Output}} {
		parts := priceForm().FindStringSubmatch(price.text)
		if parts == nil {
			return fmt.Errorf("agent: %q is no price of a million tokens", price.text)
		}
		n, err := strconv.ParseInt(parts[1]+parts[2]+strings.Repeat("0", 6-len(parts[2])), 10, 64)
		if err != nil {
			return err // too many digits for priceForm
		}
		*price.to = n
	}
	*p = read
	return nil
}

// tally adds up the tokens and the cost of a turn.
type tally struct {
	input, output int
	estimated     bool
	price         *Price // nil: unknown
	billionths    int64  // in the price's currency
}

// add counts one reply and returns its share.
func (t *tally) add(u model.Usage) tally {
	one := tally{input: u.Input, output: u.Output, estimated: u.Estimated, price: t.price}
	if p := t.price; p != nil {
		one.billionths = (int64(one.input)*p.Input + int64(one.output)*p.Output + 999) / 1000
	}
	t.input += one.input
	t.output += one.output
	t.billionths += one.billionths
	t.estimated = t.estimated || one.estimated
	return one
}

// usage returns the sum in the form for people.
func (t *tally) usage() model.Usage {
	u := model.Usage{Input: t.input, Output: t.output, Estimated: t.estimated}
	if t.price != nil && t.billionths > 0 {
		u.Costs = []model.Cost{newCost(t.billionths, t.price.Currency)}
	}
	return u
}

// none reports whether nothing was counted.
func (t *tally) none() bool { return t.input == 0 && t.output == 0 }

// estimate returns the cost estimate for the record of a call: the cost of the model's reply that contains it.
func (t *tally) estimate() map[string]string {
	if t.none() {
		return nil
	}
	e := map[string]string{"model_tokens_in": strconv.Itoa(t.input), "model_tokens_out": strconv.Itoa(t.output)}
	if t.price != nil {
		e["model_"+t.price.Currency] = decimal(t.billionths)
	}
	return e
}

// newCost formats an amount in billionths of a currency.
func newCost(billionths int64, code string) model.Cost {
	return model.Cost{Amount: decimal(billionths), Currency: code, Text: costText(billionths, code)}
}

// decimal writes billionths as a decimal number.
func decimal(billionths int64) string {
	text := fmt.Sprintf("%d.%09d", billionths/1e9, billionths%1e9)
	return strings.TrimRight(strings.TrimRight(text, "0"), ".")
}

// costText formats a cost. It rounds up to a hundredth of a minor unit if the amount is small, else to a minor unit.
func costText(billionths int64, code string) string {
	digits, known := currencies.Digits(code)
	if !known {
		return decimal(billionths) + " " + code
	}
	step := int64(1e9)
	for range digits {
		step /= 10
	}
	if billionths < 100*step && step >= 100 {
		digits, step = digits+2, step/100
	}
	units := (billionths + step - 1) / step
	return text.WithCurrency(fmt.Sprintf("%.*f", digits, float64(units)*float64(step)/1e9), code)
}
