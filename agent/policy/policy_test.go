package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// holds: A6
func TestA6WhoMayDoWhat(t *testing.T) {
	const none = bus.Rule("")
	for name, tt := range map[string]struct {
		effect              bus.SideEffect
		defined, own, class bus.Rule
		want                bus.Rule
		code                bus.Reason
	}{
		"reads are allowed":                       {bus.Pure, none, none, none, bus.RuleAllow, ""},
		"local changes are allowed":               {bus.UIOnly, none, none, none, bus.RuleAllow, ""},
		"what reaches outside is asked":           {bus.Network, none, none, none, bus.RuleConfirm, ""},
		"what cannot be undone is asked":          {bus.Destructive, none, none, none, bus.RuleConfirm, ""},
		"the definition over the default":         {bus.UIOnly, bus.RuleConfirm, none, none, bus.RuleConfirm, ""},
		"the class over the definition":           {bus.Network, bus.RuleAllow, none, bus.RuleConfirm, bus.RuleConfirm, ""},
		"the class no looser than the definition": {bus.UIOnly, bus.RuleConfirm, none, bus.RuleAllow, bus.RuleConfirm, ""},
		"the class over the default":              {bus.Network, none, none, bus.RuleAllow, bus.RuleAllow, ""},
		"the capability over the class":           {bus.Network, none, bus.RuleConfirm, bus.RuleAllow, bus.RuleConfirm, ""},
		"the capability looser than the class": {bus.UIOnly, bus.RuleAllow, bus.RuleAllow, bus.RuleConfirm, bus.RuleAllow,
			""},
		"what can be taken back may be allowed": {bus.UIOnly, bus.RuleConfirm, bus.RuleAllow, none, bus.RuleAllow, ""},
		"what cannot be undone takes a grant": {bus.Destructive, bus.RuleConfirm, bus.RuleAllow, none, bus.RuleConfirm,
			""},
		"what reaches outside takes a grant": {bus.Network, bus.RuleConfirm, bus.RuleAllow, bus.RuleAllow,
			bus.RuleConfirm, ""},
		"policy may be stricter": {bus.UIOnly, bus.RuleAllow, bus.RuleConfirm, none, bus.RuleConfirm, ""},
		"deny in the definition wins": {bus.Pure, bus.RuleDeny, bus.RuleAllow, bus.RuleAllow, bus.RuleDeny,
			bus.ReasonAgentForbidden},
		"deny in policy wins": {bus.Pure, bus.RuleAllow, bus.RuleDeny, bus.RuleAllow, bus.RuleDeny,
			bus.ReasonCapabilityNotGranted},
		"deny for the class wins over capability": {bus.Network, bus.RuleAllow, bus.RuleAllow, bus.RuleDeny, bus.RuleDeny,
			bus.ReasonCapabilityNotGranted},
	} {
		t.Run(name, func(t *testing.T) {
			p := policy.New(policy.Options{Capabilities: map[string]bus.Rule{"x.y": tt.own},
				Classes: map[bus.SideEffect]bus.Rule{tt.effect: tt.class}})
			d, err := p.Authorize(t.Context(), &bus.ApprovalRequest{
				Capability: &bus.Capability{Name: "x.y", SideEffect: tt.effect,
					Checks: bus.Checks{Access: bus.Access{Agent: tt.defined}}}})
			if err != nil || d.Rule != tt.want || d.Code != tt.code || d.By == "" {
				t.Errorf("%+v %v", d, err)
			}
		})
	}
}

// till returns a bus with one capability that needs a card for an agent.
func till(t *testing.T, p *policy.Policy) (*bus.Bus, *bustest.Journal) {
	o, j, _ := bustest.Options()
	o.Approver = p
	b := bus.New(o)
	c := capability("till.pay", "Pay out", bus.Destructive,
		object("coins", `"coins":{"type":"integer","minimum":1,"maximum":100},"to":{"type":"string","default":"me"}`),
		func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
			var in struct {
				Coins int
				To    string
			}
			if err := call.Decode(&in); err != nil {
				return nil, err
			}
			left := 100
			if row := bustest.Tables(ctx).Get("till", "main"); row != nil {
				left = row["left"].(int)
			}
			call.Fact("left", left-in.Coins)
			call.Summarize("Pay out %d coins to %s, %d are left", in.Coins, in.To, left-in.Coins)
			return json.RawMessage(`{}`), bustest.Tables(ctx).Set("till", "main", thing{"left": left - in.Coins})
		})
	c.Facts = []string{"left"}
	b.MustRegister(c)
	return b, j
}

func pay(b *bus.Bus, args string) bus.Result {
	return b.Invoke(context.Background(), bus.Invocation{Capability: "till.pay", Arguments: raw("%s", args),
		Caller: bus.Caller{Type: bus.CallerAgent, Source: "chat_1"}, Principal: kim})
}

// asked runs a payment whose cards are answered by answer.
func asked(t *testing.T, args string, answer func(p *policy.Policy, b *bus.Bus, n int, c policy.Card)) (bus.Result,
	*bustest.Journal, []policy.CardEvent) {
	t.Helper()
	var p *policy.Policy
	var b *bus.Bus
	var events []policy.CardEvent
	n := 0
	p = policy.New(policy.Options{OnCard: func(e policy.CardEvent) {
		events = append(events, e)
		if e.Type == policy.CardOpened {
			n++
			answer(p, b, n, e.Card)
		}
	}})
	b, j := till(t, p)
	return pay(b, args), j, events
}

func decide(t *testing.T, p *policy.Policy, a policy.Answer) {
	t.Helper()
	if err := p.Decide(a); err != nil {
		t.Error(err)
	}
}

// holds: A7 A8
func TestA7AllowedOnce(t *testing.T) {
	res, j, events := asked(t, `{"coins":7}`, func(p *policy.Policy, _ *bus.Bus, _ int, c policy.Card) {
		if got := p.Pending("p1"); len(got) != 1 || got[0].ApprovalID != c.ApprovalID {
			t.Errorf("pending %+v", got)
		}
		decide(t, p, policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerAllow, By: "p1"})
	})
	if !res.OK() || j.Row("till", "main")["left"] != 93 {
		t.Fatalf("%+v", res)
	}
	d := j.Entries()[0].Decision
	if d.Answer != "allow" || d.By != "p1" || d.ApprovalID != events[0].Card.ApprovalID || d.Rule != bus.RuleConfirm {
		t.Errorf("%+v", d)
	}
	if len(events) != 2 || events[1].Type != policy.CardClosed || events[1].Answer != "allow" {
		t.Errorf("%+v", events)
	}
	c := events[0].Card
	want := []policy.CardArgument{{Pointer: "/coins", Label: "Coins", Value: 7.0, Text: "7", Origin: policy.OriginGuess},
		{Pointer: "/to", Label: "To", Value: "me", Text: "me", Origin: policy.OriginDefault}}
	if diff := cmp.Diff(want, c.Arguments); diff != "" {
		t.Error(diff)
	}
	if c.Sentence != "Pay out 7 coins to me, 93 are left" || len(c.Effects) != 1 || c.Facts["left"] != 93.0 ||
		c.Changed != nil {
		t.Errorf("%+v", c)
	}
}

// holds: A7
func TestA7DeniedWithAReason(t *testing.T) {
	res, j, _ := asked(t, `{"coins":7}`, func(p *policy.Policy, _ *bus.Bus, _ int, c policy.Card) {
		decide(t, p, policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerDeny, Reason: "ask\nme tomorrow", By: "p1"})
	})
	if res.Err == nil || res.Err.Code != bus.Forbidden || res.Err.Reason != bus.ReasonDeclined ||
		!strings.Contains(res.Err.Message, "ask me tomorrow") {
		t.Errorf("%+v", res.Err)
	}
	if j.Row("till", "main") != nil {
		t.Error("it was done all the same")
	}
}

// holds: A7
func TestA7EditedArgumentsAreShownAgain(t *testing.T) {
	var cards []policy.Card
	res, j, events := asked(t, `{"coins":7}`, func(p *policy.Policy, _ *bus.Bus, n int, c policy.Card) {
		cards = append(cards, c)
		a := policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerAllow, By: c.Person}
		if n == 1 {
			a.Arguments = raw(`{"coins":5,"to":"Ana"}`)
		}
		decide(t, p, a)
	})
	if !res.OK() || j.Row("till", "main")["left"] != 95 || len(cards) != 2 ||
		cards[1].Sentence != "Pay out 5 coins to Ana, 95 are left" {
		t.Errorf("%+v %+v", res, cards)
	}
	if cards[0].ApprovalID == cards[1].ApprovalID || events[1].Answer != "edit" {
		t.Errorf("%+v", events)
	}
}

// holds: A7
func TestA7EditedArgumentsAreValidated(t *testing.T) {
	res, j, _ := asked(t, `{"coins":7}`, func(p *policy.Policy, _ *bus.Bus, _ int, c policy.Card) {
		decide(t, p, policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerAllow, By: c.Person,
			Arguments: raw(`{"coins":5000}`)})
	})
	if res.Err == nil || res.Err.Code != bus.Validation || j.Row("till", "main") != nil {
		t.Errorf("%+v", res)
	}
}

// holds: A7
func TestA7TheSameArgumentsAreNoEdit(t *testing.T) {
	res, _, events := asked(t, `{"coins":7}`, func(p *policy.Policy, _ *bus.Bus, _ int, c policy.Card) {
		decide(t, p, policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerAllow, By: c.Person,
			Arguments: raw(`{ "to": "me", "coins": 7 }`)})
	})
	if !res.OK() || len(events) != 2 || events[1].Answer != "allow" {
		t.Errorf("%+v %+v", res, events)
	}
}

// holds: A7
func TestA7AChangedWorldVoidsTheAnswerAndSaysWhat(t *testing.T) {
	var cards []policy.Card
	res, j, _ := asked(t, `{"coins":7}`, func(p *policy.Policy, b *bus.Bus, n int, c policy.Card) {
		cards = append(cards, c)
		if n == 1 { // a person pays by hand while the card is open
			inv := bus.Invocation{Capability: "till.pay", Arguments: raw(`{"coins":20}`), Caller: bus.Caller{Type: bus.CallerUI},
				Principal: kim}
			if r := b.Invoke(context.Background(), inv); !r.OK() {
				t.Errorf("%+v", r)
			}
		}
		decide(t, p, policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerAllow, By: c.Person})
	})
	if !res.OK() || j.Row("till", "main")["left"] != 73 || len(cards) != 2 {
		t.Fatalf("%+v, %d cards", res, len(cards))
	}
	want := []string{"Before: Pay out 7 coins to me, 93 are left. Now: Pay out 7 coins to me, 73 are left.",
		"Left was 93 and is now 73."}
	if diff := cmp.Diff(want, cards[1].Changed); diff != "" {
		t.Error(diff)
	}
}

// holds: A7
func TestA7TheFirstOfAThousandRacingAnswersWins(t *testing.T) {
	for range 5 {
		var won atomic.Int32
		var winner atomic.Value
		res, _, _ := asked(t, `{"coins":7}`, func(p *policy.Policy, _ *bus.Bus, _ int, c policy.Card) {
			var wg sync.WaitGroup
			for i := range 1000 {
				wg.Go(func() {
					a := policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerAllow, By: c.Person, Reason: fmt.Sprint(i)}
					if i%2 == 0 {
						a.Answer = bus.AnswerDeny
					}
					if p.Decide(a) == nil {
						won.Add(1)
						winner.Store(a.Answer)
					}
				})
			}
			wg.Wait()
		})
		if won.Load() != 1 || res.OK() != (winner.Load() == bus.AnswerAllow) {
			t.Fatalf("%d answers counted, %v, %+v", won.Load(), winner.Load(), res)
		}
	}
}

// holds: A7
func TestA7OldUnknownAndForeignAnswersAreRefused(t *testing.T) {
	var p *policy.Policy
	var first string
	_, _, _ = asked(t, `{"coins":7}`, func(options *policy.Policy, _ *bus.Bus, _ int, c policy.Card) {
		p, first = options, c.ApprovalID
		if err := p.Decide(policy.Answer{ApprovalID: c.ApprovalID, Answer: "yes", By: c.Person}); code(err) !=
			bus.Validation {
			t.Errorf("yes: %v", err)
		}
		if err := p.Decide(policy.Answer{ApprovalID: c.ApprovalID, Answer: "allow", Arguments: raw(`[]`),
			By: c.Person}); code(err) !=
			bus.Validation {
			t.Errorf("arguments: %v", err)
		}
		decide(t, p, policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerDeny, By: c.Person})
	})
	for id, want := range map[string]bus.Code{first: bus.Conflict, "apr_invented": bus.NotFound, "": bus.NotFound} {
		if err := p.Decide(policy.Answer{ApprovalID: id, Answer: bus.AnswerAllow, By: "p1"}); code(err) != want {
			t.Errorf("%q: %v", id, err)
		}
	}
	if len(p.Pending("p1")) != 0 {
		t.Error("a card is still open")
	}
}

// holds: A7
func TestA7ACardExpires(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var events []policy.CardEvent
		p := policy.New(policy.Options{Timeout: time.Minute, OnCard: func(e policy.CardEvent) { events = append(events, e) }})
		b, _ := till(t, p)
		started := time.Now()
		res := pay(b, `{"coins":7}`)
		if res.Err == nil || res.Err.Reason != bus.ReasonDeclined || time.Since(started) != time.Minute {
			t.Errorf("%+v after %s", res, time.Since(started))
		}
		if len(events) != 2 || events[1].Answer != "expired" {
			t.Errorf("%+v", events)
		}
		if err := p.Decide(policy.Answer{ApprovalID: events[0].Card.ApprovalID, Answer: bus.AnswerAllow,
			By: events[0].Card.Person}); code(err) !=
			bus.Conflict {
			t.Errorf("%v", err)
		}
	})
}

// holds: A7
func TestA7AnAnswerAfterTheExpiryIsTooLate(t *testing.T) {
	clock := bustest.NewClock()
	ctx, cancel := context.WithCancel(t.Context())
	var late error
	var p *policy.Policy
	p = policy.New(policy.Options{Clock: clock.Now, Timeout: time.Minute, OnCard: func(e policy.CardEvent) {
		if e.Type == policy.CardOpened { // the machine slept: the clock went on, the timer did not
			clock.Advance(time.Minute)
			late = p.Decide(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerAllow, By: e.Card.Person})
			cancel()
		}
	}})
	b, j := till(t, p)
	res := b.Invoke(ctx, bus.Invocation{Capability: "till.pay", Arguments: raw(`{"coins":7}`),
		Caller: bus.Caller{Type: bus.CallerAgent}, Principal: kim})
	if code(late) != bus.Conflict || res.OK() || j.Row("till", "main") != nil {
		t.Errorf("%v, %+v", late, res)
	}
}

// holds: A7
func TestA7NobodyThereOrAFixedAnswer(t *testing.T) {
	for name, tt := range map[string]struct {
		o      policy.Options
		ok     bool
		answer bus.Answer
	}{
		"nobody": {policy.Options{}, false, "nobody"},
		"allow":  {policy.Options{Fixed: bus.AnswerAllow}, true, "allow"},
		"deny":   {policy.Options{Fixed: bus.AnswerDeny}, false, "deny"},
	} {
		b, j := till(t, policy.New(tt.o))
		if res := pay(b, `{"coins":7}`); res.OK() != tt.ok || j.Entries()[0].Decision.Answer != tt.answer {
			t.Errorf("%s: %+v", name, res)
		}
	}
}

// TestA7OnACopyNothingReachesOutsideByAFixedAnswer: a draft allows its calls without a question, but no network call.
// Elsewhere the fixed answer is for all.
//
// holds: A7
func TestA7OnACopyNothingReachesOutsideByAFixedAnswer(t *testing.T) {
	for _, isCopy := range []bool{false, true} {
		for _, effect := range []bus.SideEffect{bus.UIOnly, bus.Destructive, bus.Network} {
			p := policy.New(policy.Options{Fixed: bus.AnswerAllow, Copy: isCopy})
			d, err := p.Approve(t.Context(), &bus.ApprovalRequest{
				Capability: &bus.Capability{Name: "till.pay", SideEffect: effect}}, &bus.Preview{})
			if want := !(isCopy && effect == bus.Network); err != nil || d.Allowed != want {
				t.Errorf("copy %v, %s: allowed %v, %v", isCopy, effect, d.Allowed, err)
			}
		}
	}
}

// holds: A7
func TestA7AnEndedCallTakesItsCardAway(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var events []policy.CardEvent
	p := policy.New(policy.Options{OnCard: func(e policy.CardEvent) {
		events = append(events, e)
		cancel()
	}})
	b, _ := till(t, p)
	res := b.Invoke(ctx, bus.Invocation{Capability: "till.pay", Arguments: raw(`{"coins":7}`),
		Caller: bus.Caller{Type: bus.CallerAgent}, Principal: kim})
	if res.Err == nil || res.Err.Reason != bus.ReasonCancelled || len(p.Pending("p1")) != 0 || len(events) != 2 ||
		events[1].Answer != "stopped" {
		t.Errorf("%+v %+v", res.Err, events)
	}
}

// holds: A6
func TestA6ARuleThatDoesNotExistIsRefusedAtOnce(t *testing.T) {
	for name, o := range map[string]policy.Options{
		"for a class":      {Classes: map[bus.SideEffect]bus.Rule{bus.Network: "confirm"}},
		"for a capability": {Capabilities: map[string]bus.Rule{"x.y": "denied"}},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			policy.New(o)
		})
	}
}

// TestA7ACardIsAnsweredByItsPersonOnly: another person's yes, no and edit are refused, and the card stays open.
// holds: A7
func TestA7ACardIsAnsweredByItsPersonOnly(t *testing.T) {
	res, j, _ := asked(t, `{"coins":7}`, func(p *policy.Policy, _ *bus.Bus, _ int, c policy.Card) {
		boss := bus.Principal{ID: "p2", Scopes: []string{"*"}}
		for _, a := range []policy.Answer{{Answer: bus.AnswerAllow}, {Answer: bus.AnswerDeny},
			{Answer: bus.AnswerGrant},
			{Answer: bus.AnswerAllow, Arguments: raw(`{"coins":50}`)}} {
			for _, by := range []bus.Principal{boss, {}} {
				a.ApprovalID, a.By, a.Who = c.ApprovalID, by.ID, by
				if err := p.Decide(a); code(err) != bus.Forbidden {
					t.Errorf("%q said %s: %v", by.ID, a.Answer, err)
				}
			}
		}
		if c.Person != "p1" || len(p.Pending("p2")) != 0 || len(p.Pending("")) != 0 || len(p.Pending("p1")) != 1 {
			t.Errorf("whose is it? %+v", c)
		}
		decide(t, p, policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerAllow, By: "p1"})
	})
	if !res.OK() || j.Row("till", "main")["left"] != 93 {
		t.Errorf("%+v", res)
	}
}
