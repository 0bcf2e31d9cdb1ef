package policy_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// TestAskIsTheWholeCaseOfATerminal: Options.Ask alone answers the cards of a terminal program, also where the file
// keeps the cards.
func TestAskIsTheWholeCaseOfATerminal(t *testing.T) {
	for name, tt := range map[string]struct {
		answer policy.Answer
		err    error
		done   bool
		told   bus.Answer // the answer in the record
	}{
		"yes":         {answer: policy.Answer{Answer: bus.AnswerAllow}, done: true, told: "allow"},
		"no, and why": {answer: policy.Answer{Answer: bus.AnswerDeny, Reason: "too dear"}, told: "deny"},
		"with a value": {answer: policy.Answer{Answer: bus.AnswerAllow, Arguments: raw(`{"purse":"lee"}`)}, done: true,
			told: "edit"},
		"nobody is there": {err: errors.New("the terminal was closed"), told: "nobody"},
		"no such answer":  {answer: policy.Answer{Answer: "perhaps"}, told: "nobody"},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			b := openBooth(t, policy.Options{Ask: func(_ context.Context, c policy.Card) (policy.Answer, error) {
				asked++
				return tt.answer, tt.err
			}})
			r := b.Agent("purse.burn", `{"purse":"kim"}`)
			if r.OK() != tt.done || asked == 0 {
				t.Fatalf("asked %d times: %v", asked, r.Err)
			}
			page, err := b.Log.Search(t.Context(), audit.Query{Capability: "purse.burn"})
			if err != nil || len(page.Records) != 1 || page.Records[0].Decision == nil {
				t.Fatalf("%+v %v", page.Records, err)
			}
			if d := page.Records[0].Decision; d.Answer != tt.told {
				t.Errorf("the record has %+v, not %s", d, tt.told)
			}
		})
	}
}

// TestAskCanGiveAGrant: Ask answers in the name of the person of the call, who needs the permission to give grants.
//
// holds: A9
func TestAskCanGiveAGrant(t *testing.T) {
	for name, tt := range map[string]struct {
		bounds *policy.GrantTerms
		scopes []string
		by     string
		asked  int // of three calls
	}{
		"as it was offered": {scopes: []string{"*"}, asked: 1},
		"narrower": {bounds: &policy.GrantTerms{Constraints: policy.Constraints{"owner": raw(`"cus_ana"`)},
			Limits: policy.GrantLimits{Uses: 1}, Until: 1900000000000}, scopes: []string{"*"}, asked: 2},
		"without the right to": {scopes: []string{"purse:write"}, asked: 3},
		"by somebody else":     {scopes: []string{"*"}, by: "p_other", asked: 3},
	} {
		t.Run(name, func(t *testing.T) {
			asked := 0
			b := openBooth(t, policy.Options{Ask: func(context.Context, policy.Card) (policy.Answer, error) {
				asked++
				return policy.Answer{Answer: bus.AnswerGrant, Grant: tt.bounds, By: tt.by}, nil
			}})
			who := owner
			who.Scopes, who.Model, who.ConversationID = tt.scopes, &helper, "chat_1"
			done := 0
			for n := range 3 {
				r := b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "purse.pay", Principal: who,
					Arguments: raw("%s", payTo("purse_ana", 5)), IdempotencyKey: string(rune('a' + n)),
					Caller: bus.Caller{Type: bus.CallerAgent}})
				if r.OK() {
					done++
				}
			}
			var list struct{ Grants []struct{ CreatedBy string } }
			b.Does(&list, "grant.list", `{}`)
			if gives := tt.asked < 3; asked != tt.asked || gives != (done == 3) || gives != (len(list.Grants) > 0) ||
				gives && list.Grants[0].CreatedBy != owner.ID {
				t.Errorf("asked %d times, %d were done, %+v", asked, done, list)
			}
		})
	}
}

// TestMoreTimeIsAnotherCardWithWhatItComesToNow: the new card has a fresh preview, a new id and a new expiry, and it
// counts as no edit.
func TestMoreTimeIsAnotherCardWithWhatItComesToNow(t *testing.T) {
	var cards []policy.Card
	var b *booth
	b = openBooth(t, policy.Options{Ask: func(_ context.Context, c policy.Card) (policy.Answer, error) {
		if cards = append(cards, c); len(cards) > 1 {
			return policy.Answer{Answer: bus.AnswerAllow}, nil
		}
		b.Clock.Advance(4 * time.Minute)
		return policy.Answer{Answer: policy.AnswerAgain}, nil
	}})
	if r := b.Agent("purse.burn", `{"purse":"kim"}`); !r.OK() || len(cards) != 2 {
		t.Fatalf("%d cards: %v", len(cards), r.Err)
	}
	if cards[0].ApprovalID == cards[1].ApprovalID || cards[1].ExpiresAt <= cards[0].ExpiresAt ||
		cards[0].Arguments[0].Value != cards[1].Arguments[0].Value || len(cards[1].Changed) > 0 {
		t.Errorf("%+v, then %+v", cards[0], cards[1])
	}
	page, err := b.Log.Search(t.Context(), audit.Query{Capability: "purse.burn"})
	if err != nil || len(page.Records) != 1 || page.Records[0].Decision.Answer != bus.AnswerAllow {
		t.Fatalf("%+v %v", page.Records, err)
	}
}

// TestAskIsCalledForOneCardAtATime has two calls wait for one terminal.
func TestAskIsCalledForOneCardAtATime(t *testing.T) {
	const calls = 8
	var opened, now, most atomic.Int32
	b := openBooth(t, policy.Options{
		OnCard: func(e policy.CardEvent) {
			if e.Type == policy.CardOpened {
				opened.Add(1)
			}
		},
		Ask: func(context.Context, policy.Card) (policy.Answer, error) {
			at := now.Add(1)
			defer now.Add(-1)
			for opened.Load() < calls { // every call is about to ask
				runtime.Gosched()
			}
			most.Store(max(most.Load(), at))
			return policy.Answer{Answer: bus.AnswerDeny}, nil
		}})
	var all sync.WaitGroup
	for range calls {
		all.Go(func() {
			if r := b.Agent("purse.burn", `{"purse":"kim"}`); r.Err == nil || r.Err.Code != bus.Forbidden {
				t.Errorf("%v", r.Err)
			}
		})
	}
	all.Wait()
	if most.Load() != 1 {
		t.Errorf("%d cards at a time", most.Load())
	}
}
