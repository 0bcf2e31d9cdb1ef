package policy_test

import (
	"context"
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// TestA7ACardWithoutAnAnswerIsRecordedAsThat: the end of a program's input is no answer of a person, and neither is a flag.
// A page cannot close a card without an answer.
//
// holds: A7
func TestA7ACardWithoutAnAnswerIsRecordedAsThat(t *testing.T) {
	var b *booth
	for name, tt := range map[string]struct {
		o    policy.Options
		want bus.Decision
	}{
		"left": {policy.Options{OnCard: func(e policy.CardEvent) {
			if e.Type == policy.CardOpened {
				go func() {
					asked := policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerNobody, By: "kim"}
					if b.Policy.Decide(asked) == nil {
						t.Error("a request closed the card")
					}
					if err := b.Policy.Leave(asked.ApprovalID); err != nil {
						t.Error(err)
					}
				}()
			}
		}}, bus.Decision{Answer: bus.AnswerNobody}},
		"a flag": {policy.Options{Fixed: bus.AnswerDeny, FixedReason: "--no"},
			bus.Decision{Answer: bus.AnswerDeny, By: "fixed answer", Reason: "--no"}},
	} {
		b = openBooth(t, tt.o)
		r := b.Agent("purse.burn", `{"purse":"kim"}`)
		b.Fails(r, bus.Forbidden, bus.ReasonDeclined, "")
		page, err := b.Log.Search(context.Background(), audit.Query{Capability: "purse.burn"})
		if err != nil || len(page.Records) != 1 || page.Records[0].Decision == nil {
			t.Fatalf("%s: %+v %v", name, page.Records, err)
		}
		d, want := page.Records[0].Decision, tt.want
		if d.Answer != want.Answer || want.By != "" && d.By != want.By || d.Reason != want.Reason {
			t.Errorf("%s: %+v", name, d)
		}
		if err := b.Policy.Leave("apr_other"); err == nil {
			t.Errorf("%s: the card of another program was left", name)
		}
	}
}
