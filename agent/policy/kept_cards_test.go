package policy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/filelock"
)

// another is one more program on the booth's file. Where onCard is nil it shows no cards.
func (b *booth) another(onCard func(*booth, policy.CardEvent)) *booth {
	other := &booth{}
	o := policy.Options{}
	if onCard != nil {
		o.OnCard = func(e policy.CardEvent) { onCard(other, e) }
	}
	other.Booth = agenttest.OpenBoothAt(b.T, b.Path, o)
	other.N.Store(b.N.Add(1000)) // its keys are its own
	return other
}

// watches starts Watch; the returned function ends it.
func (b *booth) watches() (end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	ended.Go(func() { b.Policy.Watch(ctx) })
	return func() { cancel(); ended.Wait() }
}

// asking opens a booth that passes its cards to the test, which answers them.
func asking(t *testing.T) (b *booth, cards chan policy.CardEvent) {
	cards = make(chan policy.CardEvent, 20)
	return openBooth(t, policy.Options{OnCard: func(e policy.CardEvent) { cards <- e }}), cards
}

// paying pays out of Ana's purse beside the test; the card is open when it returns.
func paying(b *booth, cards chan policy.CardEvent) (policy.Card, chan bus.Result) {
	b.T.Helper()
	result := make(chan bus.Result, 1)
	go func() { result <- b.Pays("purse_ana", 7) }()
	select {
	case e := <-cards:
		return e.Card, result
	case r := <-result:
		b.T.Fatalf("it was not asked: %v", r.Err)
	}
	panic("not reached")
}

func answers(c policy.Card, answer bus.Answer) policy.Answer {
	return policy.Answer{ApprovalID: c.ApprovalID, Answer: answer, Who: owner}
}

// answersOf are the records of answers that a card took.
func answersOf(b *booth, c policy.Card) (list []audit.Record) {
	b.T.Helper()
	page, err := searchLog(b, "approval.answer")
	if err != nil {
		b.T.Fatal(err)
	}
	for _, r := range page.Records {
		if r.ParentRequestID == c.RequestID && r.Status == "success" {
			list = append(list, r)
		}
	}
	return list
}

// holds: A7 R9
func TestR9ACardIsAnsweredInAnotherProgram(t *testing.T) {
	b, cards := asking(t)
	seen := make(chan policy.CardEvent, 20)
	other := b.another(func(_ *booth, e policy.CardEvent) { seen <- e })
	defer other.watches()()
	c, result := paying(b, cards)
	if e := <-seen; e.Type != policy.CardOpened || e.Card.Sentence != c.Sentence || e.Card.ApprovalID != c.ApprovalID {
		t.Errorf("shown elsewhere: %+v", e)
	}
	for what, p := range map[string]*booth{"the one that asks": b, "the other": other} {
		if list := p.Policy.Pending(owner.ID); len(list) != 1 || list[0].ApprovalID != c.ApprovalID {
			t.Errorf("%s lists %+v", what, list)
		}
		if list := p.Policy.Pending("p_else"); len(list) != 0 {
			t.Errorf("%s lists for another person %+v", what, list)
		}
	}
	yes := answers(c, bus.AnswerAllow)
	yes.Reason = "it is\nfine"
	if err := other.Policy.Decide(yes); err != nil {
		t.Fatal(err)
	}
	if r := <-result; !r.OK() || b.Paid() != 7 {
		t.Errorf("%v, paid %d", r.Err, b.Paid())
	}
	if e := <-seen; e.Type != policy.CardClosed || e.Answer != bus.AnswerAllow || e.Card.ApprovalID != c.ApprovalID {
		t.Errorf("closed elsewhere: %+v", e)
	}
	for what, p := range map[string]*booth{"the one that asks": b, "the other": other} {
		if err := p.Policy.Decide(answers(c, bus.AnswerDeny)); code(err) != bus.Conflict ||
			!strings.Contains(err.Error(), "already answered (allow)") {
			t.Errorf("%s, a second answer: %v", what, err)
		}
		if list := p.Policy.Pending(owner.ID); len(list) != 0 {
			t.Errorf("%s lists %+v", what, list)
		}
	}
	page, err := searchLog(b, "purse.pay")
	if err != nil || len(page.Records) != 1 {
		t.Fatal(page, err)
	}
	paid, list := page.Records[0], answersOf(b, c)
	if len(list) != 1 || list[0].Caller.Person != owner.ID || paid.Decision.By != owner.ID ||
		paid.Decision.Reason != "it is fine" || paid.Decision.Answer != bus.AnswerAllow {
		t.Errorf("recorded: %+v %+v", list, paid.Decision)
	}
	text, _ := json.Marshal(list)
	if strings.Contains(string(text), c.ApprovalID) || strings.Contains(string(text), "fine") ||
		!strings.Contains(string(text), paid.Decision.Digest) {
		t.Errorf("the record of the answer: %s", text)
	}
}

// holds: A7 R9
func TestR9OneOfManyAnswersOfAllProgramsCounts(t *testing.T) {
	b, cards := asking(t)
	programs := []*booth{b, b.another(nil), b.another(nil)}
	for range 6 {
		c, result := paying(b, cards)
		var wg sync.WaitGroup
		var mu sync.Mutex
		var taken []bus.Answer
		for i := range 12 {
			answer := []bus.Answer{bus.AnswerAllow, bus.AnswerDeny}[i%2]
			wg.Go(func() {
				err := programs[i%3].Policy.Decide(answers(c, answer))
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					taken = append(taken, answer)
				} else if code(err) != bus.Conflict {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		r := <-result
		<-cards // it is closed
		if len(taken) != 1 || r.OK() != (taken[0] == bus.AnswerAllow) || len(answersOf(b, c)) != 1 {
			t.Errorf("%v were taken, and it ended with %v", taken, r.Err)
		}
	}
}

// TestR9AnAnswerCountsWithItsRecordOnly: an answer in the table without a record in the log does not count.
//
// holds: R9
func TestR9AnAnswerCountsWithItsRecordOnly(t *testing.T) {
	b, cards := asking(t)
	c, result := paying(b, cards)
	if err := b.Policy.Decide(answers(c, bus.AnswerAllow)); err != nil {
		t.Fatal(err)
	}
	<-result
	<-cards
	earlier := answersOf(b, c)[0].RequestID
	for what, by := range map[string]string{"no record": "nothing", "the record of another answer": earlier} {
		c, result := paying(b, cards)
		b.alter("UPDATE agent_cards SET answer = 'allow', answered_by = ? WHERE id = ?", by, c.ApprovalID)
		r := <-result
		<-cards
		if r.OK() || r.Err.Reason != bus.ReasonDeclined || !strings.Contains(r.Err.Message, "no record in the log") ||
			b.Paid() != 7 {
			t.Errorf("%s: %v, paid %d", what, r.Err, b.Paid())
		}
	}
}

// holds: A7 R9
func TestR9WhatEndsACardEndsItEverywhere(t *testing.T) {
	b, cards := asking(t)
	other := b.another(nil)
	c, result := paying(b, cards)
	for what, tc := range map[string]struct {
		change func(*policy.Answer)
		code   bus.Code
		words  string
	}{
		"another person":      {func(a *policy.Answer) { a.Who.ID = "p_else" }, bus.Forbidden, "not asked of you"},
		"no such card":        {func(a *policy.Answer) { a.ApprovalID = "apr_1" }, bus.NotFound, "Unknown or expired"},
		"no answer":           {func(a *policy.Answer) { a.Answer = "yes" }, bus.Validation, "none of allow"},
		"arguments that none": {func(a *policy.Answer) { a.Arguments = raw(`[1]`) }, bus.Validation, "arguments"},
		"not JSON":            {func(a *policy.Answer) { a.Arguments = raw(`{"a"`) }, bus.Validation, "not a JSON object"},
		"a grant without bounds": {func(a *policy.Answer) {
			a.Answer, a.Grant = bus.AnswerGrant, &policy.GrantTerms{Until: 1}
		}, bus.Validation, ""},
		"a grant without the right": {func(a *policy.Answer) {
			a.Answer, a.Who.Scopes = bus.AnswerGrant, []string{"purse:write"}
		}, bus.Forbidden, "may not give"},
		"an assistant's grant of another card": {func(a *policy.Answer) {
			a.Answer, a.Arguments = bus.AnswerGrant, raw(`{"purse":"purse_ben","amount":{"amount":7,"currency":"USD"}}`)
		}, bus.Validation, "at once"},
	} {
		a := answers(c, bus.AnswerAllow)
		tc.change(&a)
		if err := other.Policy.Decide(a); code(err) != tc.code || !strings.Contains(err.Error(), tc.words) {
			t.Errorf("%s: %v", what, err)
		}
	}
	edited := answers(c, bus.AnswerAllow)
	edited.Arguments = raw(`{"purse":"purse_ana","amount":{"amount":5,"currency":"USD"}}`)
	if err := other.Policy.Decide(edited); err != nil {
		t.Fatal(err)
	}
	<-cards // closed
	again := <-cards
	if again.Type != policy.CardOpened || !strings.Contains(again.Card.Sentence, "Pay 5") {
		t.Fatalf("after an edit: %+v", again)
	}
	if err := other.Policy.Decide(answers(again.Card, bus.AnswerGrant)); err != nil {
		t.Fatal(err)
	}
	if r := <-result; !r.OK() || b.Paid() != 5 {
		t.Errorf("%v, paid %d", r.Err, b.Paid())
	}
	<-cards
	if r := b.Pays("purse_ana", 1); !r.OK() {
		t.Errorf("the grant that another program gave: %v", r.Err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan bus.Result, 1)
	who := owner
	who.Model = &helper
	go func() {
		stopped <- b.Bus.Invoke(ctx, bus.Invocation{Capability: "purse.burn", Arguments: raw(`{"purse":"purse_ben"}`),
			Principal: who, Caller: bus.Caller{Type: bus.CallerAgent}})
	}()
	last := (<-cards).Card
	cancel()
	<-stopped
	if err := other.Policy.Decide(answers(last, bus.AnswerAllow)); code(err) != bus.Conflict ||
		!strings.Contains(err.Error(), "(stopped)") {
		t.Errorf("after it was stopped: %v", err)
	}
}

// TestR9AProgramThatEndedHoldsNoCard: the cards of a program that ended cannot be answered. The next program that shows
// cards or asks closes them, and each call that waited has one record.
//
// holds: A7 B12 C9
func TestR9AProgramThatEndedHoldsNoCard(t *testing.T) {
	b, cards := asking(t)
	seen := make(chan policy.CardEvent, 20)
	other := b.another(func(_ *booth, e policy.CardEvent) { seen <- e })
	c, result := paying(b, cards)
	killed := b.openCopyOf(c, "killed")
	if list := other.Policy.Pending(owner.ID); len(list) != 2 {
		t.Fatalf("%+v", list)
	}
	killed.ends()
	late := answers(c, bus.AnswerAllow)
	late.ApprovalID = killed.id
	if err := other.Policy.Decide(late); code(err) != bus.Conflict || !strings.Contains(err.Error(), "has ended") {
		t.Error(err)
	}
	if list := other.Policy.Pending(owner.ID); len(list) != 1 || list[0].ApprovalID != c.ApprovalID {
		t.Errorf("%+v", list)
	}
	again := b.openCopyOf(c, "again")
	end := other.watches() // a program that shows cards closes those of ended programs, and so does the next one that asks
	<-seen
	<-seen
	again.ends()
	e := <-seen
	end()
	if e.Type != policy.CardClosed || e.Card.ApprovalID != again.id || e.Answer != "stopped" {
		t.Errorf("shown: %+v", e)
	}
	if err := other.Policy.Decide(late); code(err) != bus.Conflict || !strings.Contains(err.Error(), "(stopped)") {
		t.Error(err)
	}
	if n := b.openCards(); n != 1 {
		t.Errorf("%d open cards", n)
	}
	last := b.openCopyOf(c, "last")
	if err := other.Policy.Decide(answers(c, bus.AnswerDeny)); err != nil {
		t.Error(err)
	}
	<-result
	if e := <-cards; e.Type != policy.CardClosed {
		t.Fatalf("%+v", e)
	}
	last.ends()
	next, result := paying(b, cards)
	if n := b.openCards(); n != 1 {
		t.Errorf("%d open cards, of one that is asked", n)
	}
	for _, name := range []string{"killed", "again", "last"} {
		page, err := b.Log.Search(t.Context(), audit.Query{RequestID: "req_" + name})
		if err != nil || len(page.Records) != 1 || page.Records[0].Code != bus.Forbidden ||
			page.Records[0].Capability != c.Capability || page.Records[0].Caller.Person != owner.ID {
			t.Errorf("%v: the record of %s: %+v", err, name, page.Records)
		}
	}
	if err := b.Policy.Decide(answers(next, bus.AnswerDeny)); err != nil {
		t.Error(err)
	}
	<-result
}

// killedProgram is a program that ended while its card was open.
type killedProgram struct {
	id   string
	ends func()
}

// openCopyOf adds a card of another program to the file, as a copy of the row of a card.
func (b *booth) openCopyOf(c policy.Card, name string) killedProgram {
	b.T.Helper()
	program := filelock.NewLiveness(b.Path)
	owner := must[string](b.T)(program.ID())
	b.alter(`INSERT INTO agent_cards (id, owner, person, endpoint, model, wanted, expires_at, body)
		SELECT 'apr_' || ?, ?, person, endpoint, model, wanted, expires_at,
			json_set(body, '$.approval_id', 'apr_' || ?, '$.request_id', 'req_' || ?)
		FROM agent_cards WHERE id = ?`, name, owner, name, name, c.ApprovalID)
	return killedProgram{"apr_" + name, func() {
		if err := program.Close(); err != nil { // the file itself does not change
			b.T.Error(err)
		}
	}}
}

// holds: A9
func TestA9ARequestForAGrantIsRememberedByAllPrograms(t *testing.T) {
	b, cards := asking(t)
	other := b.another(nil)
	status := func(p *booth) string {
		r := p.Agent("capability.describe", `{"name":"purse.pay"}`)
		_, rest, _ := strings.Cut(string(r.Data), `"grant_status":"`)
		got, _, _ := strings.Cut(rest, `"`)
		return got
	}
	done := make(chan bus.Result, 1)
	go func() {
		done <- b.Agent("agent.requestCapability",
			`{"capability":"purse.pay","constraints":{"owner":"cus_ana"},"reason":"r"}`)
	}()
	c := (<-cards).Card
	if got := status(other); got != policy.GrantPending {
		t.Errorf("while it is asked for: %s", got)
	}
	if err := other.Policy.Decide(answers(c, bus.AnswerDeny)); err != nil {
		t.Fatal(err)
	}
	<-done
	for what, p := range map[string]*booth{"here": b, "there": other, "in a new program": b.another(nil)} {
		if got := status(p); got != policy.GrantDenied {
			t.Errorf("%s: %s", what, got)
		}
	}
}

// TestR9ACardIsForgottenWithItsPerson: the store drops the content of a card as soon as the card is closed or its
// person is erased.
//
// holds: U11 R9
func TestR9ACardIsForgottenWithItsPerson(t *testing.T) {
	b, cards := asking(t)
	bodies := func() (n int) {
		if err := b.Log.View(t.Context(), func(ctx context.Context) error {
			return audit.Tx(ctx).QueryRowContext(ctx, `SELECT count(*) FROM agent_cards WHERE body <> ''`).Scan(&n)
		}); err != nil {
			t.Fatal(err)
		}
		return n
	}
	c, result := paying(b, cards)
	if n := bodies(); n != 1 {
		t.Fatalf("%d bodies", n)
	}
	forget := func(term string) {
		forgetIt := func(ctx context.Context) error { return b.Store.Forget(ctx, term) }
		if err := b.Log.UpdateBridge(t.Context(), forgetIt); err != nil {
			t.Fatal(err)
		}
	}
	forget("another person")
	if n := bodies(); n != 1 {
		t.Errorf("%d bodies after another was forgotten", n)
	}
	forget("purse_ana")
	if r := <-result; r.OK() || r.Err.Reason != bus.ReasonDeclined || !strings.Contains(r.Err.Message, "declined") ||
		b.Paid() != 0 || bodies() != 0 {
		t.Errorf("%v, paid %d, %d bodies", r.Err, b.Paid(), bodies())
	}
	<-cards
	if err := b.Policy.Decide(answers(c, bus.AnswerAllow)); code(err) != bus.Conflict {
		t.Error(err)
	}
	c, result = paying(b, cards)
	if err := b.Policy.Decide(answers(c, bus.AnswerAllow)); err != nil {
		t.Error(err)
	}
	if r := <-result; !r.OK() || bodies() != 0 {
		t.Errorf("%v, %d bodies", r.Err, bodies())
	}
}

// TestR9ASecretOfACardIsNotInTheFile: a card with a secret is not in the file, so only its own program can answer it.
//
// holds: C13 R9
func TestR9ASecretOfACardIsNotInTheFile(t *testing.T) {
	b, cards := asking(t)
	b.Bus.MustRegister(bus.Capability{Name: "vault.open", Title: "Open", Description: "Opens it.",
		SideEffect: bus.Destructive, InputSchema: raw(`{"type":"object","properties":{"code":{"type":"string",
		"writeOnly":true}}}`), Handler: func(context.Context, *bus.Call) (json.RawMessage, error) { return raw(`{}`), nil }})
	result := make(chan bus.Result, 1)
	go func() { result <- b.Agent("vault.open", `{"code":"sesame-4711"}`) }()
	c := (<-cards).Card
	if list := b.another(nil).Policy.Pending(owner.ID); len(list) != 0 {
		t.Errorf("elsewhere: %+v", list)
	}
	if list := b.Policy.Pending(owner.ID); len(list) != 1 {
		t.Errorf("here: %+v", list)
	}
	if err := b.Policy.Decide(answers(c, bus.AnswerAllow)); err != nil {
		t.Error(err)
	}
	if r := <-result; !r.OK() {
		t.Error(r.Err)
	}
	for _, file := range []string{b.Path, b.Path + "-wal"} {
		if text, _ := os.ReadFile(file); bytes.Contains(text, []byte("sesame-4711")) {
			t.Errorf("%s holds the secret", file)
		}
	}
}

// TestR9OldCardsGo: cards that ended long ago are removed, and cards that a killed program left open are closed.
//
// holds: R9
func TestR9OldCardsGo(t *testing.T) {
	b, cards := asking(t)
	rows := func() (n int, open int) {
		if err := b.Log.View(t.Context(), func(ctx context.Context) error {
			return audit.Tx(ctx).QueryRowContext(ctx, `SELECT count(*), count(*) FILTER (WHERE answer IS NULL OR body <> '')
				FROM agent_cards`).Scan(&n, &open)
		}); err != nil {
			t.Fatal(err)
		}
		return n, open
	}
	ask := func() {
		c, result := paying(b, cards)
		if err := b.Policy.Decide(answers(c, bus.AnswerDeny)); err != nil {
			t.Fatal(err)
		}
		<-result
		<-cards
	}
	c, result := paying(b, cards)
	b.openCopyOf(c, "killed").ends()
	if err := b.Policy.Decide(answers(c, bus.AnswerDeny)); err != nil {
		t.Fatal(err)
	}
	<-result
	<-cards
	b.Clock.Advance(time.Hour)
	ask()
	if n, open := rows(); n != 3 || open != 0 {
		t.Errorf("after an hour %d cards, %d open", n, open)
	}
	b.Clock.Advance(30*24*time.Hour + 5*time.Minute)
	ask()
	if n, _ := rows(); n != 2 {
		t.Errorf("after a month to the millisecond %d cards", n)
	}
	b.Clock.Advance(time.Millisecond)
	ask()
	if n, _ := rows(); n != 2 {
		t.Errorf("after a month %d cards", n)
	}
}

// holds: R9 C6
func TestR9AModelAnswersNoCard(t *testing.T) {
	b, cards := asking(t)
	c, result := paying(b, cards)
	r := b.Agent("approval.answer", `{"approvalId":%q,"answer":"allow"}`, c.ApprovalID)
	if r.OK() || r.Err.Code != bus.NotFound && r.Err.Code != bus.Forbidden {
		t.Errorf("%+v", r)
	}
	if r := b.Person("approval.answer", `{"approvalId":%q,"answer":"allow"}`, c.ApprovalID); !r.OK() {
		t.Error(r.Err) // a person's program may: the wait sees it in the file
	}
	if r := <-result; !r.OK() {
		t.Error(r.Err)
	}
}
