package policy_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// holds: R9
func TestR9WhatCannotBeKeptIsNotAsked(t *testing.T) {
	for _, change := range []string{"INSERT", "DELETE", "UPDATE"} {
		b, cards := asking(t)
		c, result := paying(b, cards)
		b.openCopyOf(c, "killed").ends()
		if err := b.Policy.Decide(answers(c, bus.AnswerDeny)); err != nil {
			t.Fatal(err)
		}
		<-result
		<-cards
		if b.Clock.Advance(time.Hour); change == "DELETE" {
			b.Clock.Advance(31 * 24 * time.Hour)
		}
		b.refuses(change + " ON agent_cards")
		req, preview := asksToPay(b, 7)
		if d, err := b.Policy.Approve(t.Context(), req, preview); err == nil || d.Allowed || len(cards) != 0 {
			t.Errorf("%s refused: %+v %v, %d cards", change, d, err, len(cards))
		}
	}
}

// TestR9WhatBecameOfACardIsReadOrNothingIsDone: the call does not run if the policy cannot read the answer to its card.
// The test changes rows of the table by hand and ends the wait in each possible way.
//
// holds: R9
func TestR9WhatBecameOfACardIsReadOrNothingIsDone(t *testing.T) {
	const soon = 30 * time.Millisecond
	const unreadable = "UPDATE agent_cards SET body = 'x'"
	const ends = "CREATE TRIGGER ends AFTER UPDATE OF answer ON agent_cards BEGIN "
	for name, tc := range map[string]struct {
		timeout time.Duration
		change  string
		code    bus.Code
		words   string
	}{
		"nothing, and it expires": {soon, "SELECT 1", bus.Forbidden, "in time"},
		"its row is gone":         {0, "DELETE FROM agent_cards", bus.NotFound, "Unknown or expired"},
		"the table is gone":       {0, "DROP TABLE agent_cards", bus.Internal, ""},
		"it cannot be read":       {0, unreadable, bus.Internal, ""},
		"its row cannot be read": {0, "BEGIN IMMEDIATE; ALTER TABLE agent_cards RENAME TO gone; CREATE VIEW agent_cards AS " +
			"SELECT id, body, NULL AS owner, answer, answered_by FROM gone; COMMIT", bus.Internal, ""},
		"its end is not written": {soon,
			"CREATE TRIGGER refused BEFORE UPDATE ON agent_cards BEGIN SELECT RAISE(ABORT, 'refused'); END", bus.Internal, ""},
		"its row is gone as it expires": {soon, ends + "DELETE FROM agent_cards; END", bus.NotFound, "Unknown or expired"},
		"an answer without a record as it expires": {soon, ends + "UPDATE agent_cards SET answer = 'allow'; END",
			bus.Forbidden, "no record in the log"},
	} {
		cards := make(chan policy.CardEvent, 20)
		b := openBooth(t, policy.Options{Timeout: tc.timeout, OnCard: func(e policy.CardEvent) { cards <- e }})
		if tc.timeout > 0 {
			b.alter(tc.change)
		}
		_, result := paying(b, cards)
		if tc.timeout == 0 {
			b.alter(tc.change)
		}
		if r := <-result; r.OK() || r.Err.Code != tc.code || !strings.Contains(r.Err.Message, tc.words) || b.Paid() != 0 {
			t.Errorf("%s: %v, paid %d", name, r.Err, b.Paid())
		}
		if tc.change == unreadable && b.openCards() > 0 {
			t.Errorf("%s: its row is open", name)
		}
	}
}

// openCards counts the cards without an answer in the file.
func (b *booth) openCards() (n int) {
	b.T.Helper()
	if err := b.Log.View(b.T.Context(), func(ctx context.Context) error {
		return audit.Tx(ctx).QueryRowContext(ctx, `SELECT count(*) FROM agent_cards WHERE answer IS NULL`).Scan(&n)
	}); err != nil {
		b.T.Fatal(err)
	}
	return n
}

// forges writes the record of an answer to a card as a program without checks would. It returns the id of its request.
func (b *booth) forges(c policy.Card, capability string, answer bus.Answer, change func(*bus.Invocation),
	late time.Duration) string {
	b.T.Helper()
	var digest string
	if err := b.Log.View(b.T.Context(), func(ctx context.Context) error {
		return audit.Tx(ctx).QueryRowContext(ctx, `SELECT body ->> 'digest' FROM agent_cards WHERE id = ?`, c.ApprovalID).
			Scan(&digest)
	}); err != nil {
		b.T.Fatal(err)
	}
	rogue := bus.New(bus.Options{Journal: b.Log, Clock: func() time.Time { return b.Clock.Now().Add(late) },
		Logger: slog.New(slog.DiscardHandler)})
	rogue.MustRegister(bus.Capability{Name: capability, Title: "Answer", Description: "Answers.", SideEffect: bus.UIOnly,
		InputSchema: raw(`{"type":"object"}`), Handler: func(context.Context, *bus.Call) (json.RawMessage, error) {
			return raw(`{"requestId":%q,"digest":%q,"said":"%x"}`, c.RequestID, digest,
				sha256.Sum256([]byte(c.ApprovalID+" {}"))), nil
		}})
	inv := bus.Invocation{Capability: capability, Arguments: raw(`{"answer":%q}`, answer), Principal: owner,
		Caller: bus.Caller{Type: bus.CallerUI}}
	change(&inv)
	r := rogue.Invoke(b.T.Context(), inv)
	if !r.OK() {
		b.T.Fatal(r.Err)
	}
	return r.RequestID
}

// TestR9AnAnswerIsHeldAgainstTheCardAgain: the program that asked checks each answer again and does not rely on the
// check of another program.
//
// holds: R9
func TestR9AnAnswerIsHeldAgainstTheCardAgain(t *testing.T) {
	const name = "approval.answer"
	b, cards := asking(t)
	paid := int64(0)
	for _, tc := range []struct {
		what, capability string
		answer           bus.Answer
		change           func(*bus.Invocation)
		late             time.Duration
		refused          string // "": it counts
	}{
		{"as it should be", name, "allow", func(*bus.Invocation) {}, 0, ""},
		{"the same by another capability", "test.echo", "allow", func(*bus.Invocation) {}, 0, "no record in the log"},
		{"a rehearsal", name, "allow", func(inv *bus.Invocation) { inv.DryRun = true }, 0, "no record in the log"},
		{"another person", name, "allow", func(inv *bus.Invocation) { inv.Principal.ID = "p_else" }, 0,
			"not asked of you"},
		{"after its time", name, "allow", func(*bus.Invocation) {}, time.Hour, "time to answer is over"},
		{"no", name, "deny", func(*bus.Invocation) {}, 0, "no record in the log"},
	} {
		c, result := paying(b, cards)
		by := b.forges(c, tc.capability, tc.answer, tc.change, tc.late)
		b.alter("UPDATE agent_cards SET answer = 'allow', answered_by = ?, body = '{}' WHERE id = ?", by, c.ApprovalID)
		r := <-result
		<-cards
		if tc.refused == "" {
			paid += 7
		}
		if r.OK() != (tc.refused == "") || r.Err != nil && !strings.Contains(r.Err.Message, tc.refused) || b.Paid() != paid {
			t.Errorf("%s: %v, paid %d", tc.what, r.Err, b.Paid())
		}
	}
}

// withTill registers a till whose large refunds need a manager.
func (b *booth) withTill() *booth {
	refund := capability("till.refund", "Refund", bus.Destructive,
		object("coins", `"coins":{"type":"integer","title":"Coins"}`),
		func(context.Context, *bus.Call) (json.RawMessage, error) { return raw(`{}`), nil })
	refund.Checks.Limit = func(_ context.Context, call *bus.Call) error {
		if call.Person.Has("till:lots") {
			return nil
		}
		return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "A refund needs a manager.")
	}
	b.Bus.MustRegister(refund)
	return b
}

// holds: A7 R9
func TestR9AnotherProgramTakesThePINOfACardInTime(t *testing.T) {
	var proofs int
	o := policy.Options{Colleagues: func(context.Context) ([]bus.Principal, error) { return []bus.Principal{lee}, nil },
		VerifyPIN: func(_ context.Context, p policy.PINCheck) (bus.Principal, error) {
			proofs++
			return lee, nil
		}}
	cards := make(chan policy.CardEvent, 20)
	o.OnCard = func(e policy.CardEvent) { cards <- e }
	b := openBooth(t, o).withTill()
	other := (&booth{agenttest.OpenBoothAt(t, b.Path, o)}).withTill()
	open := func() (policy.Card, chan bus.Result) {
		result := make(chan bus.Result, 1)
		go func() {
			result <- b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "till.refund", Arguments: raw(`{"coins":30}`),
				Principal: joan, Caller: bus.Caller{Type: bus.CallerUI}})
		}()
		return (<-cards).Card, result
	}
	byPIN := func(c policy.Card) error {
		return other.Policy.ApproveByPIN(t.Context(), policy.Approval{ApprovalID: c.ApprovalID, Approver: lee.ID,
			PIN: pinOfAll})
	}
	c, result := open()
	if err := byPIN(c); err != nil || proofs != 1 {
		t.Error(err, proofs)
	}
	if r := <-result; !r.OK() {
		t.Error(r.Err)
	}
	<-cards
	d := b.last("till.refund").Decision
	if a := b.last("approval.answer"); d.By != lee.ID || d.Authentication != "pin" || a.Caller.Person != lee.ID {
		t.Errorf("%+v by %+v", d, a.Caller)
	}
	c, result = open()
	other.Clock.Advance(5 * time.Minute)
	if err := byPIN(c); code(err) != bus.Conflict || proofs != 1 {
		t.Errorf("after its time: %v, %d PINs were looked at", err, proofs)
	}
	decide(t, b.Policy, policy.Answer{ApprovalID: c.ApprovalID, Answer: bus.AnswerDeny, Who: joan})
	if r := <-result; r.OK() {
		t.Error("it was done")
	}
}

// holds: R9
func TestR9AnAnswerThatIsNotTakenLeavesTheCard(t *testing.T) {
	b, cards := asking(t)
	b.withTill()
	other := b.another(nil)
	who := owner
	who.Model = &helper
	result := make(chan bus.Result, 1)
	go func() {
		result <- b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "till.refund", Arguments: raw(`{"coins":30}`),
			Principal: who, Caller: bus.Caller{Type: bus.CallerAgent}})
	}()
	c := (<-cards).Card
	if err := other.Policy.Decide(answers(c, bus.AnswerAllow)); code(err) != bus.NotFound ||
		!strings.Contains(err.Error(), "does not know Refund") {
		t.Error("a program that does not know what is asked:", err)
	}
	b.refuses("UPDATE ON agent_cards")
	for range 3 {
		if err := b.Policy.Decide(answers(c, bus.AnswerAllow)); code(err) != bus.Internal {
			t.Error("what cannot be written:", err)
		}
	}
	b.alter("DROP TRIGGER refused")
	if list := other.Policy.Pending(owner.ID); len(list) != 1 {
		t.Errorf("%+v", list)
	}
	decide(t, b.Policy, answers(c, bus.AnswerAllow))
	if r := <-result; !r.OK() {
		t.Error(r.Err)
	}
	if said := b.last("approval.answer").Summary; said != "Answer a card: allow" {
		t.Error(said)
	}
}

// holds: A9
func TestA9ARequestIsPendingWhileItCanBeAnswered(t *testing.T) {
	b, cards := asking(t)
	status := func() string {
		c, _ := b.Bus.Lookup("purse.pay")
		who := owner
		who.Model = &helper
		got, err := b.Policy.GrantStatus(t.Context(), c, who)
		if err != nil {
			return "not readable"
		}
		return got
	}
	b.Does(nil, "grant.revoke", `{"grantId":%q}`, b.Grants(forAna, `{"uses":1}`))
	result := make(chan bus.Result, 1)
	go func() {
		result <- b.Agent("agent.requestCapability",
			`{"capability":"purse.pay","constraints":{"owner":"cus_ana"},"reason":"r"}`)
	}()
	c := (<-cards).Card
	b.Clock.Advance(5*time.Minute - time.Millisecond)
	before := status()
	b.Clock.Advance(time.Millisecond)
	after := status()
	b.Clock.Advance(-time.Minute)
	killed := b.openCopyOf(c, "killed")
	copied := status()
	killed.ends()
	ended := status()
	must[any](t)(nil, os.Mkdir(b.Path+"-alive-folder", 0o700)) // no lock on it can be tried
	b.alter("UPDATE agent_cards SET owner = 'folder'")
	log := said(t)
	unsure, list := status(), b.Policy.Pending(owner.ID)
	if err := b.Policy.Decide(answers(c, bus.AnswerAllow)); err == nil || len(list) > 0 ||
		!log.contain("cannot be read") {
		t.Error("it is not known whether the program runs that asked:", err, list)
	}
	b.alter("ALTER TABLE agent_cards RENAME TO gone")
	lost := status()
	const open, over, never = "pending", "revoked", "not readable"
	if got := []string{before, after, copied, ended, unsure, lost}; !slices.Equal(got, []string{open, over, open, over,
		never, never}) {
		t.Error(got)
	}
	<-result
}

// TestR9AStoppedCallTakesItsCardAway: also while the policy reads the answer, a stopped call closes its card.
//
// holds: A7 R9
func TestR9AStoppedCallTakesItsCardAway(t *testing.T) {
	b, cards := asking(t)
	for i := range 60 {
		ctx, cancel := context.WithCancel(t.Context())
		req, preview := asksToPay(b, 1)
		ended := make(chan error, 1)
		go func() {
			_, err := b.Policy.Approve(ctx, req, preview)
			ended <- err
		}()
		c := (<-cards).Card
		time.Sleep(time.Duration(i) * 50 * time.Microsecond)
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		<-cards
		if err := b.Policy.Decide(answers(c, bus.AnswerAllow)); code(err) != bus.Conflict {
			t.Fatal("its card is open:", err)
		}
	}
}

// said collects the lines of the log in a test.
func said(t *testing.T) *lines {
	l, before := &lines{}, slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(l, nil)))
	t.Cleanup(func() { slog.SetDefault(before) })
	return l
}

// holds: R9
func TestR9EachCardOfOthersIsShownOnce(t *testing.T) {
	b, cards := asking(t)
	seen := make(chan policy.CardEvent, 20)
	log := said(t)
	other := b.another(func(_ *booth, e policy.CardEvent) { seen <- e })
	defer other.watches()()
	defer b.watches()()
	c, result := paying(b, cards)
	if e := <-seen; e.Type != policy.CardOpened || e.Card.ApprovalID != c.ApprovalID {
		t.Errorf("%+v", e)
	}
	for range 5 {
		b.Does(nil, "purse.fill", `{}`) // it changes the file
		time.Sleep(10 * time.Millisecond)
	}
	b.alter("DELETE FROM agent_cards")
	if e := <-seen; e.Type != policy.CardClosed || e.Answer != "stopped" || e.Card.ApprovalID != c.ApprovalID {
		t.Errorf("%+v", e)
	}
	<-result
	<-cards
	c, result = paying(b, cards)
	first := <-seen
	decide(t, other.Policy, answers(c, bus.AnswerDeny))
	<-result
	<-cards
	second := <-seen
	time.Sleep(50 * time.Millisecond)
	if first.Type != policy.CardOpened || second.Answer != "deny" || len(seen) > 0 || len(cards) > 0 {
		t.Errorf("%+v %+v, %d and %d more", first, second, len(seen), len(cards))
	}
	if log.contain("cannot be read") {
		t.Error("while all can be read")
	}
	_, result = paying(b, cards)
	<-seen
	b.alter("BEGIN IMMEDIATE; ALTER TABLE agent_cards RENAME TO gone; UPDATE gone SET answer = 'deny'; CREATE VIEW " +
		"agent_cards AS SELECT n, id, body, CASE WHEN answer IS NULL THEN owner END AS owner, answer, answered_by, " +
		"expires_at FROM gone; COMMIT")
	<-result
	if log.comes("cards of other programs"); len(seen) > 0 {
		t.Errorf("how it ended cannot be read, and is told: %+v", <-seen)
	}
	b.alter("DROP VIEW agent_cards")
	log.comes("no such table")
	b.Policy.Pending(owner.ID)
	log.comes("cards in the file")
	b.alter("ALTER TABLE gone RENAME TO agent_cards")
	if e := <-seen; e.Type != policy.CardClosed || e.Answer != "deny" {
		t.Errorf("once it can be read: %+v", e)
	}
}

// lines are lines of a log.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) contain(words string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Contains(l.text.String(), words)
}

// comes waits until the log has words.
func (l *lines) comes(words string) {
	for !l.contain(words) {
		time.Sleep(time.Millisecond)
	}
}

// TestR9AKilledProgramIsNoticedWhileNothingIsWritten: another program notices the end after its last look at the file
// for a commit.
//
// holds: R9
func TestR9AKilledProgramIsNoticedWhileNothingIsWritten(t *testing.T) {
	b, cards := asking(t)
	seen := make(chan policy.CardEvent, 20)
	other := b.another(func(_ *booth, e policy.CardEvent) { seen <- e })
	c, result := paying(b, cards)
	killed := b.openCopyOf(c, "killed")
	decide(t, b.Policy, answers(c, bus.AnswerDeny))
	<-result
	defer other.watches()()
	<-seen
	time.Sleep(5500 * time.Millisecond)
	killed.ends()
	if e := <-seen; e.Type != policy.CardClosed || e.Card.ApprovalID != killed.id {
		t.Errorf("%+v", e)
	}
}

// TestA7WhereNothingKeepsCardsTheyAreAnsweredInTheirProgram: there is no log, or none that programs share, no bus to
// answer by, or no such capability.
//
// holds: A7 R9
func TestA7WhereNothingKeepsCardsTheyAreAnsweredInTheirProgram(t *testing.T) {
	b := openBooth(t, policy.Options{})
	req, preview := asksToPay(b, 1)
	for name, tc := range map[string]struct {
		log policy.Database
		bus *bus.Bus
	}{
		"no log":        {nil, b.Bus},
		"not shared":    {struct{ policy.Database }{b.Log}, b.Bus},
		"no bus":        {b.Log, nil},
		"no capability": {b.Log, bus.New(bus.Options{Journal: b.Log})},
	} {
		var p *policy.Policy
		p = policy.New(policy.Options{Log: tc.log, Clock: b.Clock.Now, Wording: agenttest.Wording,
			OnCard: func(e policy.CardEvent) {
				if e.Type == policy.CardClosed {
					return
				}
				if len(b.Policy.Pending(owner.ID)) > 0 || len(p.Pending(owner.ID)) != 1 ||
					(e.Card.Grant != nil) != (name == "no capability" || name == "not shared") {
					t.Errorf("%s: the card is in the file, or not here, or offers what it cannot give", name)
				}
				if err := p.Decide(policy.Answer{ApprovalID: "apr_x", Answer: bus.AnswerAllow, Who: owner}); code(err) !=
					bus.NotFound {
					t.Errorf("%s: an invented card: %v", name, err)
				}
				decide(t, p, answers(e.Card, bus.AnswerAllow))
			}})
		if tc.bus != nil {
			p.Attach(tc.bus)
		}
		if d, err := p.Approve(t.Context(), req, preview); err != nil || !d.Allowed {
			t.Errorf("%s: %+v %v", name, d, err)
		}
	}
}

// holds: A9
func TestA9AGrantIsOfferedToAnAssistantThatIsKnown(t *testing.T) {
	var card policy.Card
	var b *booth
	b = openBooth(t, policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type == policy.CardOpened {
			card = e.Card
			a := answers(e.Card, bus.AnswerGrant)
			if e.Card.Grant == nil {
				a.Answer = bus.AnswerAllow
			}
			decide(t, b.Policy, a)
		}
	}})
	for name, tc := range map[string]struct {
		change  func(*bus.ApprovalRequest)
		offered bool
	}{
		"as it should be": {func(*bus.ApprovalRequest) {}, true},
		"no profile":      {func(r *bus.ApprovalRequest) { r.Invocation.Principal.Model = nil }, false},
		"a person":        {func(r *bus.ApprovalRequest) { r.Invocation.Caller.Type = bus.CallerUI }, false},
	} {
		req, preview := asksToPay(b, 1)
		tc.change(req)
		if d, err := b.Policy.Approve(t.Context(), req, preview); err != nil || !d.Allowed ||
			(card.Grant != nil) != tc.offered {
			t.Errorf("%s: %+v %v, offered %v", name, d, err, card.Grant)
		}
	}
	broken := errors.New("no names today")
	mute := policy.New(policy.Options{Log: b.Log, Clock: b.Clock.Now, OnCard: func(policy.CardEvent) { t.Error("a card") },
		Wording: policy.Wording{Name: func(context.Context, string, string) (string, error) { return "", broken }}})
	mute.Attach(b.Bus)
	req, preview := asksToPay(b, 2)
	if _, err := mute.Approve(t.Context(), req, preview); !errors.Is(err, broken) {
		t.Errorf("an offer that cannot be said: %v", err)
	}
	b.refuses("INSERT ON assistant_grants")
	b.alter("DELETE FROM assistant_grants")
	if r := b.Pays("purse_ana", 1); r.OK() || r.Err.Code != bus.Internal || b.Paid() != 0 {
		t.Errorf("a grant that cannot be written: %v, paid %d", r.Err, b.Paid())
	}
}

// TestA7AnAnswerThatWasTakenCounts: an accepted answer counts, even if the program reads it after the card expired.
//
// holds: A7
func TestA7AnAnswerThatWasTakenCounts(t *testing.T) {
	for range 40 {
		clock := bustest.NewClock()
		var p *policy.Policy
		p = policy.New(policy.Options{Clock: clock.Now, OnCard: func(e policy.CardEvent) {
			if e.Type == policy.CardOpened {
				decide(t, p, policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerAllow, By: e.Card.Person})
				clock.Advance(time.Hour)
			}
		}})
		b, _ := till(t, p)
		if r := pay(b, `{"coins":7}`); !r.OK() {
			t.Fatal(r.Err)
		}
	}
}

// TestA7AnIDIsOfWhatIsShownAndCannotBeGuessed: with the same random bytes, a change of any part of a card gives another
// id.
//
// holds: A7
func TestA7AnIDIsOfWhatIsShownAndCannotBeGuessed(t *testing.T) {
	form := regexp.MustCompile(`^apr_[0-9a-hjkmnp-tv-z]{32}$`)
	req, preview := asksToPay(openBooth(t, policy.Options{}), 1)
	id := func(chance io.Reader, change func(*bus.ApprovalRequest, *bus.Preview, *policy.Options)) (id string) {
		r, v := *req, *preview
		c := *req.Capability
		r.Capability, v.Digest = &c, "d1"
		var p *policy.Policy
		o := policy.Options{Rand: chance, Clock: bustest.NewClock().Now, OnCard: func(e policy.CardEvent) {
			if id = e.Card.ApprovalID; e.Type == policy.CardOpened {
				decide(t, p, answers(e.Card, bus.AnswerDeny))
			}
		}}
		change(&r, &v, &o)
		p = policy.New(o)
		if _, err := p.Approve(t.Context(), &r, &v); err != nil || !form.MatchString(id) {
			t.Errorf("%q %v", id, err)
		}
		return id
	}
	same := func(*bus.ApprovalRequest, *bus.Preview, *policy.Options) {}
	zero := func() io.Reader { return bytes.NewReader(make([]byte, 16)) }
	if first := id(zero(), same); first != id(zero(), same) || first == id(nil, same) {
		t.Error("it is not of its chance")
	}
	seen := map[string]bool{id(zero(), same): true}
	for name, change := range map[string]func(*bus.ApprovalRequest, *bus.Preview, *policy.Options){
		"capability": func(r *bus.ApprovalRequest, _ *bus.Preview, _ *policy.Options) { r.Capability.Name = "purse.put" },
		"arguments": func(r *bus.ApprovalRequest, _ *bus.Preview, _ *policy.Options) {
			r.Invocation.Arguments = raw(`{"purse":"purse_ben"}`)
		},
		"digest": func(_ *bus.ApprovalRequest, v *bus.Preview, _ *policy.Options) { v.Digest = "d2" },
		"expiry": func(_ *bus.ApprovalRequest, _ *bus.Preview, o *policy.Options) { o.Timeout = time.Minute },
	} {
		if is := id(zero(), change); seen[is] {
			t.Errorf("it is not of the %s", name)
		} else {
			seen[is] = true
		}
	}
	failing := policy.New(policy.Options{Rand: bytes.NewReader(nil), OnCard: func(policy.CardEvent) { t.Error("a card") }})
	if _, err := failing.Approve(t.Context(), req, preview); !errors.Is(err, io.EOF) {
		t.Error(err)
	}
}
