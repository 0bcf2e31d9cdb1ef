package policy_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

var (
	joan = bus.Principal{ID: "p_joan", Name: "Joan", Role: "clerk", Scopes: []string{"till:write"},
		Authentication: "none", Door: "test"}
	lee = bus.Principal{ID: "p_lee", Name: "Lee", Role: "manager", Scopes: []string{"till:write", "till:lots"},
		Authentication: "pin"}
	mara = bus.Principal{ID: "p_mara", Name: "Mara", Role: "owner", Scopes: []string{"*"}, Authentication: "pin"}
	ada  = bus.Principal{ID: "p_ada", Name: "Ada", Role: "auditor", Scopes: []string{"till:read"},
		Authentication: "pin"}
)

const pinOfAll = "4711" // right for every person

// counterDesk is a desk with a till and a second approver.
type counterDesk struct {
	t      *testing.T
	bus    *bus.Bus
	policy *policy.Policy
	log    *bustest.Journal
	clock  *bustest.Clock
	staff  []bus.Principal
	cards  []policy.Card
	proofs atomic.Int64
	on     func(policy.Card)                 // the answer of the staff to an open card
	prove  func(bus.Principal) bus.Principal // nil, or it changes the principal of a correct PIN
}

func openCounter(t *testing.T) *counterDesk { return openCounterThat(t, "") }

// openCounterThat answers every card with the same.
func openCounterThat(t *testing.T, fixed bus.Answer, change ...func(*policy.Options)) *counterDesk {
	t.Helper()
	o, journal, clock := bustest.Options()
	d := &counterDesk{t: t, log: journal, clock: clock, staff: []bus.Principal{joan, lee, mara, ada}}
	options := policy.Options{
		Clock:      clock.Now,
		Fixed:      fixed,
		Colleagues: func(context.Context) ([]bus.Principal, error) { return d.staff, nil },
		VerifyPIN: func(_ context.Context, p policy.PINCheck) (bus.Principal, error) {
			d.proofs.Add(1)
			at := slices.IndexFunc(d.staff, func(s bus.Principal) bool { return s.ID == p.Person })
			if at < 0 || string(p.PIN) != pinOfAll {
				return bus.Principal{}, bus.Errorf(bus.Forbidden, bus.ReasonPermission, "That is not the PIN.")
			}
			if d.prove != nil {
				return d.prove(d.staff[at]), nil
			}
			return d.staff[at], nil
		},
		OnCard: func(e policy.CardEvent) {
			if e.Type == policy.CardOpened {
				d.cards = append(d.cards, e.Card)
				d.on(e.Card)
			}
		},
	}
	for _, f := range change {
		f(&options)
	}
	d.policy = policy.New(options)
	o.Approver = d.policy
	d.bus = bus.New(o)
	refund := capability("till.refund", "Refund", bus.Destructive,
		object("coins", `"coins":{"type":"integer","title":"Coins"}`), payBack)
	refund.Permissions = []string{"till:write"}
	refund.Checks.Limit = func(_ context.Context, call *bus.Call) error {
		var in struct{ Coins int }
		if err := call.Decode(&in); err != nil {
			return err
		}
		if in.Coins > 10 && !call.Person.Has("till:lots") {
			return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "A refund over 10 needs a manager.").WithHint("Ask a manager.")
		}
		return nil
	}
	d.bus.MustRegister(refund)
	return d
}

func payBack(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
	var in struct{ Coins int }
	if err := call.Decode(&in); err != nil {
		return nil, err
	}
	paid, _ := bustest.Tables(ctx).Get("till", "main")["paid"].(int)
	call.Summarize("Refund %d coins", in.Coins)
	return json.RawMessage(`{}`), bustest.Tables(ctx).Set("till", "main", map[string]any{"paid": paid + in.Coins})
}

func (d *counterDesk) refund(caller bus.CallerType, coins int) bus.Result {
	return d.bus.Invoke(d.t.Context(), bus.Invocation{Capability: "till.refund", Arguments: raw(`{"coins":%d}`, coins),
		Caller: bus.Caller{Type: caller}, Principal: joan})
}

func (d *counterDesk) paid() int {
	n, _ := d.log.Row("till", "main")["paid"].(int)
	return n
}

// approvesByPIN approves with the right PIN.
func (d *counterDesk) approvesByPIN(c policy.Card, who bus.Principal) error {
	return d.policy.ApproveByPIN(d.t.Context(), policy.Approval{ApprovalID: c.ApprovalID, Approver: who.ID,
		PIN: pinOfAll})
}

func (d *counterDesk) deny(c policy.Card) {
	decide(d.t, d.policy, policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerDeny, By: joan.ID})
}

// holds: A7
func TestA7APersonBesideTheCallerApprovesByPIN(t *testing.T) {
	for _, caller := range []bus.CallerType{bus.CallerUI, bus.CallerCLI, bus.CallerAgent} {
		d := openCounter(t)
		d.on = func(c policy.Card) {
			if err := d.approvesByPIN(c, mara); err != nil {
				t.Error(err)
			}
		}
		if r := d.refund(caller, 30); !r.OK() || d.paid() != 30 {
			t.Fatalf("%s: %v, paid %d", caller, r.Err, d.paid())
		}
		c := d.cards[0]
		want := []policy.CardApprover{{ID: "p_lee", Name: "Lee", Role: "manager"},
			{ID: "p_mara", Name: "Mara", Role: "owner"}}
		if diff := cmp.Diff(want, c.Approvers); diff != "" || c.Needs != "a manager" || c.Sentence != "Refund 30 coins" ||
			len(c.Effects) != 1 {
			t.Errorf("%s: card %+v %s", caller, c, diff)
		}
		e := d.log.Entries()[0]
		if e.Invocation.Principal.ID != joan.ID || e.Decision.By != mara.ID ||
			e.Decision.Authentication != "pin" || e.Decision.ApprovalID != c.ApprovalID {
			t.Errorf("%s: by %s, decision %+v", caller, e.Invocation.Principal.ID, e.Decision)
		}
	}
}

// holds: A7
func TestA7AnApprovalThatIsNoneLeavesTheCard(t *testing.T) {
	yes := func(c policy.Card) policy.Approval {
		return policy.Approval{ApprovalID: c.ApprovalID, Approver: lee.ID, PIN: pinOfAll}
	}
	for name, tt := range map[string]struct {
		answer func(policy.Card) policy.Approval
		code   bus.Code
		proofs int64 // how often a PIN was looked at
	}{
		"a wrong PIN": {func(c policy.Card) policy.Approval { a := yes(c); a.PIN = "0000"; return a }, bus.Forbidden,
			1},
		"no PIN": {func(c policy.Card) policy.Approval { a := yes(c); a.PIN = ""; return a }, bus.Forbidden, 1},
		"the clerk's own": {func(c policy.Card) policy.Approval { a := yes(c); a.Approver = joan.ID; return a },
			bus.Forbidden, 0},
		"an auditor's": {func(c policy.Card) policy.Approval { a := yes(c); a.Approver = ada.ID; return a },
			bus.Forbidden, 0},
		"a stranger's": {func(c policy.Card) policy.Approval { a := yes(c); a.Approver = "p_nobody"; return a },
			bus.Forbidden, 0},
		"for other arguments": {func(c policy.Card) policy.Approval {
			a := yes(c)
			a.Arguments = raw(`{"coins":99}`)
			return a
		}, bus.Validation, 0},
		"for broken arguments": {func(c policy.Card) policy.Approval { a := yes(c); a.Arguments = raw(`{`); return a },
			bus.Validation, 0},
		"for an invented card": {func(c policy.Card) policy.Approval { a := yes(c); a.ApprovalID = "apr_x"; return a },
			bus.NotFound, 0},
	} {
		t.Run(name, func(t *testing.T) {
			d := openCounter(t)
			d.on = func(c policy.Card) {
				if err := d.policy.ApproveByPIN(t.Context(), tt.answer(c)); code(err) != tt.code {
					t.Errorf("%v, want %s", err, tt.code)
				}
				if len(d.policy.Pending(joan.ID)) != 1 || d.paid() != 0 {
					t.Error("the card is gone, or something was paid")
				}
				d.deny(c)
			}
			r := d.refund(bus.CallerUI, 30)
			if r.Err == nil || r.Err.Reason != bus.ReasonDeclined || d.paid() != 0 || d.proofs.Load() != tt.proofs {
				t.Errorf("%v, paid %d, %d PINs looked at", r.Err, d.paid(), d.proofs.Load())
			}
		})
	}
}

// holds: A7
func TestA7APlainYesIsNotEnough(t *testing.T) {
	d := openCounter(t)
	d.on = func(c policy.Card) {
		for _, a := range []policy.Answer{
			{Answer: bus.AnswerAllow, By: joan.ID, Who: joan},
			{Answer: bus.AnswerAllow, By: mara.ID, Who: mara},
			{Answer: bus.AnswerAllow, By: mara.ID, Arguments: raw(`{ "coins": 30 }`)},
			{Answer: bus.AnswerGrant, By: mara.ID, Who: mara},
		} {
			a.ApprovalID = c.ApprovalID
			if err := d.policy.Decide(a); err == nil {
				t.Errorf("%+v was taken", a)
			}
		}
		d.deny(c)
	}
	if r := d.refund(bus.CallerUI, 30); r.OK() || d.paid() != 0 {
		t.Errorf("%v, paid %d", r.Err, d.paid())
	}
}

// TestA7NobodyJoinsThemselves: a person cannot approve their own call, even with a permission that they got after the
// call began.
//
// holds: A7
func TestA7NobodyJoinsThemselves(t *testing.T) {
	d := openCounter(t)
	promoted := lee
	promoted.ID, promoted.Name = joan.ID, joan.Name
	d.staff = []bus.Principal{promoted}
	d.on = func(c policy.Card) {
		t.Error("a card opened")
		d.deny(c)
	}
	if r := d.refund(bus.CallerUI, 30); r.Err == nil || r.Err.Reason != bus.ReasonLimit {
		t.Errorf("%+v", r.Err)
	}
}

// holds: A7
func TestA7AFixedAnswerIsNobodysRight(t *testing.T) {
	for _, fixed := range []bus.Answer{bus.AnswerAllow, bus.AnswerDeny} {
		d := openCounterThat(t, fixed)
		d.on = func(c policy.Card) {
			t.Errorf("%s: a card opened", fixed)
			d.deny(c)
		}
		if r := d.refund(bus.CallerUI, 30); r.Err == nil || r.Err.Reason != bus.ReasonLimit || d.paid() != 0 {
			t.Errorf("%s: %+v, paid %d", fixed, r.Err, d.paid())
		}
	}
}

// TestA7ChangedArgumentsAreAnotherCard: the clerk changes the arguments, for which no PIN is needed, and gets another
// card for the changed call.
//
// holds: A7
func TestA7ChangedArgumentsAreAnotherCard(t *testing.T) {
	for coins, needs := range map[int]string{5: "", 40: "a manager"} {
		d := openCounter(t)
		d.on = func(c policy.Card) {
			switch {
			case len(d.cards) == 1:
				decide(t, d.policy, policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerAllow, By: joan.ID,
					Arguments: raw(`{"coins":%d}`, coins)})
			case c.Needs != needs:
				t.Errorf("%d coins need %q", coins, c.Needs)
				d.deny(c)
			case needs == "":
				decide(t, d.policy, policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerAllow, By: joan.ID})
			default:
				if err := d.approvesByPIN(d.cards[0], lee); code(err) != bus.Conflict {
					t.Errorf("the first card: %v", err)
				}
				if err := d.approvesByPIN(c, lee); err != nil {
					t.Error(err)
				}
			}
		}
		if r := d.refund(bus.CallerUI, 30); !r.OK() || d.paid() != coins {
			t.Errorf("%v, paid %d instead of %d", r.Err, d.paid(), coins)
		}
	}
}

// holds: A7
func TestA7RacingPINsAllowOneCall(t *testing.T) {
	d := openCounter(t)
	var taken atomic.Int64
	left := make(chan struct{}, 100)
	d.on = func(c policy.Card) {
		for i := range 100 {
			go func() {
				if d.approvesByPIN(c, []bus.Principal{lee, mara}[i%2]) == nil {
					taken.Add(1)
				}
				left <- struct{}{}
			}()
		}
	}
	r := d.refund(bus.CallerUI, 30)
	for range 100 {
		<-left
	}
	if !r.OK() || taken.Load() != 1 || d.paid() != 30 || len(d.log.Entries()) != 1 {
		t.Errorf("%v: %d answers taken, paid %d", r.Err, taken.Load(), d.paid())
	}
}

// holds: A7
func TestA7ACardThatExpiredTakesNoPIN(t *testing.T) {
	d := openCounter(t)
	ctx, cancel := context.WithCancel(t.Context())
	d.on = func(c policy.Card) {
		d.clock.Advance(6 * time.Minute)
		if err := d.approvesByPIN(c, lee); code(err) != bus.Conflict || d.proofs.Load() != 0 {
			t.Errorf("%v, %d PINs looked at", err, d.proofs.Load())
		}
		cancel()
	}
	r := d.bus.Invoke(ctx, bus.Invocation{Capability: "till.refund", Arguments: raw(`{"coins":30}`),
		Caller: bus.Caller{Type: bus.CallerUI}, Principal: joan})
	if r.OK() || d.paid() != 0 {
		t.Errorf("%v, paid %d", r.Err, d.paid())
	}
}

// TestA7AnApproverWhoLeavesAllowsNothing: the staff changes after the PIN was
// right and before anything is done.
// holds: A7
func TestA7AnApproverWhoLeavesAllowsNothing(t *testing.T) {
	lesser := lee
	lesser.Scopes = joan.Scopes
	for name, tt := range map[string]struct {
		left  []bus.Principal
		cards int
		paid  int
	}{
		"deactivated, the owner is asked instead": {[]bus.Principal{joan, mara}, 2, 30},
		"deactivated, and nobody else is there":   {[]bus.Principal{joan}, 1, 0},
		"made a clerk":                            {[]bus.Principal{joan, lesser}, 1, 0},
	} {
		d := openCounter(t)
		d.on = func(c policy.Card) {
			if len(d.cards) == 1 {
				if err := d.approvesByPIN(c, lee); err != nil {
					t.Error(name, err)
				}
				d.staff = tt.left
				return
			}
			if err := d.approvesByPIN(c, mara); err != nil {
				t.Error(name, err)
			}
		}
		r := d.refund(bus.CallerUI, 30)
		if r.OK() != (tt.paid > 0) || d.paid() != tt.paid || len(d.cards) != tt.cards {
			t.Errorf("%s: %v, paid %d, %d cards", name, r.Err, d.paid(), len(d.cards))
		}
	}
}

// holds: A7
func TestA7WhoHasNoPINIsToldOf(t *testing.T) {
	d := openCounter(t)
	for i := range d.staff {
		d.staff[i].Authentication = ""
	}
	d.on = func(policy.Card) { t.Error("a card opened") }
	r := d.refund(bus.CallerUI, 30)
	if r.Err == nil || r.Err.Reason != bus.ReasonLimit ||
		!strings.Contains(r.Err.Hint, "Lee or Mara could approve it here with a PIN") {
		t.Errorf("%+v", r.Err)
	}
}

func TestA7TheHintSaysWhoCouldApproveIt(t *testing.T) {
	long := lee
	long.Name = strings.Repeat("L", 200)
	unproven, longUnproven := mara, long
	unproven.Authentication, longUnproven.Authentication = "", ""
	unasked := func(o *policy.Options) { o.OnCard = nil }
	for name, tt := range map[string]struct {
		staff  []bus.Principal
		change func(*policy.Options)
		hint   string // "": a card opens
	}{
		"one, and a card":          {[]bus.Principal{joan, lee, unproven}, func(*policy.Options) {}, ""},
		"one, and no card":         {[]bus.Principal{lee}, unasked, "Lee may approve it where a person is asked"},
		"a long name, and no card": {[]bus.Principal{long}, unasked, strings.Repeat("L", 120) + "… may approve"},
		"a long name, and a card":  {[]bus.Principal{joan, long}, func(*policy.Options) {}, ""},
		"a long name, no PIN": {[]bus.Principal{longUnproven}, func(*policy.Options) {},
			strings.Repeat("L", 120) + "… could approve"},
		"one without a PIN": {[]bus.Principal{unproven}, func(*policy.Options) {},
			"Mara could approve it here with a PIN"},
		"no one":              {[]bus.Principal{joan}, func(*policy.Options) {}, "Ask a manager."},
		"no one, and no card": {[]bus.Principal{joan}, unasked, "Ask a manager."},
		"no list of people": {[]bus.Principal{lee}, func(o *policy.Options) { o.Colleagues = nil },
			"Ask a manager."},
		"no PINs": {[]bus.Principal{lee}, func(o *policy.Options) { o.VerifyPIN = nil }, "Ask a manager."},
	} {
		d := openCounterThat(t, "", tt.change)
		d.staff = tt.staff
		opened := false
		d.on = func(c policy.Card) {
			if shown := strings.TrimSuffix(c.Approvers[0].Name, "…"); shown != "Lee" && len(shown) != 120 {
				t.Errorf("%s: %s", name, shown)
			}
			opened = true
			d.deny(c)
		}
		r := d.refund(bus.CallerUI, 30)
		if opened != (tt.hint == "") || !strings.HasPrefix(r.Err.Hint, tt.hint) || tt.hint != "" &&
			r.Err.Reason != bus.ReasonLimit {
			t.Errorf("%s: %v, hint %q", name, r.Err, r.Err.Hint)
		}
	}
}

// A PIN is the proof of one person for one card, and for nothing else.
func TestA7APINProvesOnePersonForOneCard(t *testing.T) {
	for name, tt := range map[string]struct {
		prove func(*counterDesk) bus.Principal
		args  string
		reads string // the error, "" for none
	}{
		"as it should be":   {func(*counterDesk) bus.Principal { return lee }, "", ""},
		"for the arguments": {func(*counterDesk) bus.Principal { return lee }, `{"coins": 30}`, ""},
		"of another person": {func(*counterDesk) bus.Principal { return mara }, "", "was to prove"},
		"that is none": {func(*counterDesk) bus.Principal { return bus.Principal{ID: lee.ID} }, "",
			"was to prove"},
		"for a card denied just": {func(d *counterDesk) bus.Principal { d.deny(d.cards[0]); return lee }, "",
			"already answered"},
	} {
		d := openCounter(t)
		d.staff = []bus.Principal{joan, lee}
		d.prove = func(bus.Principal) bus.Principal { return tt.prove(d) }
		d.on = func(c policy.Card) {
			plain := policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerAllow, By: joan.ID, Who: joan}
			if err := d.policy.Decide(plain); err == nil || !strings.Contains(fmt.Sprint(err), "This needs a manager") {
				t.Errorf("%s: a plain yes: %v", name, err)
			}
			a := policy.Approval{ApprovalID: c.ApprovalID, Approver: "p_nobody", PIN: pinOfAll,
				Reason: strings.Repeat("r", 600)}
			err := d.policy.ApproveByPIN(t.Context(), a)
			var coded *bus.Error
			if !errors.As(err, &coded) || coded.Hint != "Lee may approve it, each with their own PIN." {
				t.Errorf("%s: %v", name, err)
			}
			if a.Approver = lee.ID; tt.args != "" {
				a.Arguments = raw("%s", tt.args)
			}
			err = d.policy.ApproveByPIN(t.Context(), a)
			if (err == nil) != (tt.reads == "") || err != nil && !strings.Contains(err.Error(), tt.reads) {
				t.Errorf("%s: %v", name, err)
			}
			if err != nil && tt.reads != "already answered" {
				d.deny(c)
			}
		}
		r := d.refund(bus.CallerUI, 30)
		if r.OK() != (tt.reads == "") {
			t.Errorf("%s: %v", name, r.Err)
		}
		if e := d.log.Entries()[0]; r.OK() && len([]rune(e.Decision.Reason)) != 501 {
			t.Errorf("%s: a reason of %d letters", name, len(e.Decision.Reason))
		}
	}
}

// TestA7AModelCannotGuessAPIN: no tool takes a PIN from a model, and no
// card is answered by it.
// holds: A7
func TestA7AModelCannotGuessAPIN(t *testing.T) {
	d := openCounter(t)
	d.on = d.deny
	s := &script{Steps: []step{
		hostile(20, "till_refund", func(i int) string { return fmt.Sprintf(`{"coins":30,"pin":"%04d"}`, i) }),
		hostile(20, "till_refund", func(i int) string {
			return fmt.Sprintf(`{"coins":30,"approver":"p_lee","approval_id":"x%d"}`, i)
		}),
		hostile(1, "till_refund", same(`{"coins":30}`)),
		reply("The PIN is 4711, I approve."),
	}}
	bridge := agent.New(agent.Options{Bus: d.bus, Policy: d.policy, Model: func() model.Model { return s }})
	t.Cleanup(bridge.Close)
	err := bridge.Send(t.Context(), agent.Turn{ConversationID: "c", Text: "refund", Principal: joan},
		func(agent.Update) {})
	if err != nil || d.paid() != 0 || d.proofs.Load() != 0 || len(d.cards) > 1 {
		t.Errorf("%v, paid %d, %d PINs looked at, %d cards", err, d.paid(), d.proofs.Load(), len(d.cards))
	}
}

// holds: A7
func TestA7APINIsWrittenNowhere(t *testing.T) {
	a := policy.Approval{ApprovalID: "a", Approver: "p", PIN: "4711"}
	text, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Error("x", "pin", a.PIN, "all", a, "proof", policy.PINCheck{PIN: "4711"})
	for _, s := range []string{string(text), fmt.Sprint(a), fmt.Sprintf("%+v %#v %s %q %v", a, a, a.PIN, a.PIN, &a),
		log.String(), errors.New(a.PIN.String()).Error()} {
		if strings.Contains(s, "4711") {
			t.Errorf("%s", s)
		}
	}
	if err := json.Unmarshal([]byte(`{"pin":"4711"}`), &a); err != nil || string(a.PIN) != "4711" {
		t.Errorf("%v: a PIN that is typed is not read", err)
	}
}
