package policy_test

import (
	"context"
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// TestA7ACardThatNobodyAnswersIsRecordedAsThat: the end of a program's input is no answer of a person, and a flag is none
// either.
//
// holds: A7
func TestA7ACardThatNobodyAnswersIsRecordedAsThat(t *testing.T) {
	var b *booth
	for name, tt := range map[string]struct {
		o    policy.Options
		want bus.Decision
	}{
		"left": {policy.Options{OnCard: func(e policy.CardEvent) {
			if e.Type == policy.CardOpened {
				go func() {
					if err := b.Policy.Decide(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerNobody}); err != nil {
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
		if d := page.Records[0].Decision; d.Answer != tt.want.Answer || tt.want.By != "" && d.By != tt.want.By || d.Reason != tt.want.Reason {
			t.Errorf("%s: %+v", name, d)
		}
		if err := b.Policy.Decide(policy.Answer{ApprovalID: "apr_other", Answer: bus.AnswerNobody}); err == nil {
			t.Errorf("%s: the card of another program was left", name)
		}
	}
}
