package bus_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// billed changes nothing but its bill when price does; all else of it stays the same.
func billed(price *string) bus.Capability {
	c := doing("till.sell", bus.Destructive, func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
		call.Summarize("Sell a pen")
		b := call.Bill()
		b.Lines = append(b.Lines, bus.BillLine{Quantity: 1, Text: "Pen", Amount: *price})
		return json.RawMessage(`{}`), nil
	})
	c.Facts = []string{"amount"}
	return grantable(c)
}

// holds: B7
func TestB7ABillThatIsAnotherVoidsTheAnswer(t *testing.T) {
	price := "$1.00"
	a := &approver{rule: bus.RuleConfirm, say: func(n int, p *bus.Preview) bus.Decision {
		price = "$2.00"
		return yes(n, p)
	}}
	b, _ := planBus(t, a, billed(&price))
	wantOK(t, b.Invoke(t.Context(), byAgent(call("till.sell", `{}`))))
	if len(a.asked) != 2 || len(a.asked[1].Bills) != 1 || a.asked[1].Bills[0].Lines[0].Amount != "$2.00" {
		t.Errorf("%+v", a.asked)
	}
}

// holds: B7
func TestB7APlanHasTheBillOfEachStep(t *testing.T) {
	price := "$1.00"
	a := &approver{rule: bus.RuleConfirm, say: yes}
	b, _ := planBus(t, a, billed(&price))
	wantOK(t, b.Invoke(t.Context(), plan(addSeven+`,{"capability":"till.sell"}`)))
	if bills := a.asked[0].Bills; len(bills) != 2 || bills[0] != nil || bills[1].Lines[0].Text != "Pen" {
		t.Errorf("%+v", bills)
	}
	wantOK(t, b.Invoke(t.Context(), plan(addSeven)))
	if bills := a.asked[1].Bills; bills != nil {
		t.Errorf("a plan without any has %+v", bills)
	}
}

// holds: A12 B7
func TestA12AStepWithAnotherBillThanWasShownIsNotDone(t *testing.T) {
	price := "$1.00"
	a := &approver{rule: bus.RuleConfirm, say: yes}
	b, _ := planBus(t, a, billed(&price), mailing(func() error { price = "$2.00"; return nil }))
	r := b.Invoke(t.Context(), plan(sendMail+`,{"capability":"till.sell"}`))
	if r.Err == nil || !strings.Contains(r.Err.Message, "not any more what was shown") {
		t.Errorf("%s", wire(t, r))
	}
}
