package agent_test

import (
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// holds: A4
func TestA4ClosingWaitsForTheRecordOfWhatWasAsked(t *testing.T) {
	m := &script{Steps: []step{reply("", use("a", "cart_addItem", `{"productId":"p","quantity":2}`),
		use("b", "checkout_submit", `{"shippingAddressId":"addr_h","paymentMethodId":"pm_visa"}`)), reply("ok")}}
	r := newRoom(t, m)
	asked, ended := make(chan struct{}), make(chan turn, 1)
	r.Answer = func(policy.Card) *policy.Answer { close(asked); return nil }
	go func() { ended <- r.Say("go") }()
	<-asked
	r.Bridge.Close()
	found := false
	for _, e := range r.Journal.Entries() {
		found = found || e.Invocation.Capability == "checkout.submit"
	}
	if !found || len(r.Policy.Pending("p1")) != 0 {
		t.Error("closed before the question had its record")
	}
	if u := <-ended; u.Ended().Status != agent.StatusStopped {
		t.Errorf("%+v", u.Ended())
	}
	if err := r.Bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_2", Text: "hello", Principal: kim},
		nil); code(err) != bus.Transient {
		t.Errorf("a turn after closing: %v", err)
	}
}
