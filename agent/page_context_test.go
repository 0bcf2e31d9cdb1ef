package agent_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
)

// The model reads the names of steps and the ids of the open pages, and no text that a person may have typed (R11).
//
// holds: E4 R11
func TestE4TheModelIsToldWhatIsOpenAndNotWhatIsTyped(t *testing.T) {
	m := &script{Steps: []step{reply("ok")}}
	r := newRoom(t, m)
	long, many := strings.Repeat("x", 65), make([]agent.PageContext, 30)
	for i := range many {
		many[i] = agent.PageContext{Step: "later"}
	}
	pages := append([]agent.PageContext{
		{Step: "cart", IDs: []string{"#W1", "typed by hand", "a\u202eb", "a\x00b", long, ""}, Wrong: []string{"/quantity"}},
		{Step: "cart.addItem", Wrong: []string{"/quantity", "/quantity/typed", "/typed", "/productId", "typed", ""},
			Empty: []string{"/note", "/quantity/0"}},
		{Step: "checkout.submit", Empty: []string{"/paymentMethodId", "/giftMessage"}},
		{Step: "a step typed"}, {Step: long}, {Step: ""},
	}, many...)
	if err := r.Bridge.Send(t.Context(), agent.Turn{ConversationID: "c", Text: "hi", Principal: kim, Pages: pages},
		func(agent.Update) {}); err != nil {
		t.Fatal(err)
	}
	note := m.Last().Messages[0].Context
	want := `Open before the person: [{"step":"cart","ids":["#W1"]},` +
		`{"step":"cart_addItem","wrong":["/productId","/quantity"]},` +
		`{"step":"checkout_submit","wrong":["/paymentMethodId"]},{"step":"later"},{"step":"later"}]` + "\n"
	if !strings.Contains(note, want) {
		t.Errorf("%s\nwant %s", note, want)
	}
	r.Say("and now?")
	if messages := m.Last().Messages; strings.Contains(messages[len(messages)-1].Context, "Open before") {
		t.Error("what was open before is told again")
	}
}
