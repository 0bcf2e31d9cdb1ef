package bus

import "cmp"

// Bill is what a call comes to, itemised as on a bill: a confirmation card shows it below the sentence. The handler
// computes it from what it did, as it does the summary, and it is part of the digest: what is done is what was shown.
type Bill struct {
	Lines   []BillLine  `json:"lines,omitempty"`
	Sums    []BillValue `json:"sums,omitempty"`    // what the lines come to; the last is the total
	About   []BillValue `json:"about,omitempty"`   // whom it concerns, where it goes, how it is paid
	Follows []string    `json:"follows,omitempty"` // what else becomes of it, each in a few words
}

// BillLine is one item. Amounts are text for people.
type BillLine struct {
	Quantity int64  `json:"quantity"`
	Text     string `json:"text"`
	Each     string `json:"each,omitempty"` // the price of one, where the amount follows from it
	Amount   string `json:"amount,omitempty"`
}

// BillValue is a value with its label, both for people.
type BillValue struct {
	Label string `json:"label"`
	Text  string `json:"text"`
	// Argument is the JSON Pointer of the argument that it shows in words, so that a card need not show that twice.
	Argument string `json:"argument,omitempty"`
}

// Bill is the bill of this call, for the handler to fill in. One that stays empty is not shown.
func (c *Call) Bill() *Bill { return &c.bill }

// isEmpty reports whether a handler filled nothing in.
func (r *Bill) isEmpty() bool {
	return cmp.Or(len(r.Lines), len(r.Sums), len(r.About), len(r.Follows)) == 0
}

// bills are those of the call itself, or of the steps of a plan: one for each, nil for a step without one.
func (c *Call) bills() []*Bill {
	if len(c.ofSteps) > 0 || c.bill.isEmpty() {
		return c.ofSteps
	}
	return []*Bill{&c.bill}
}

// addStep keeps the bill of the next of n steps of a plan.
func (c *Call) addStep(step *Call, i, n int) {
	if step.bill.isEmpty() {
		return
	}
	if c.ofSteps == nil {
		c.ofSteps = make([]*Bill, n)
	}
	c.ofSteps[i] = &step.bill
}
