package policy

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// Answer is a person's answer to a card.
type Answer struct {
	ApprovalID string          `json:"approval_id"`
	Answer     bus.Answer      `json:"answer"`              // allow, deny, grant or again
	Reason     string          `json:"reason,omitempty"`    // in the person's words; the model reads it
	Arguments  json.RawMessage `json:"arguments,omitempty"` // with "allow": run with these instead
	Grant      *GrantTerms     `json:"grant,omitempty"`     // with "grant": the bounds; absent: those on the card
	By         string          `json:"-"`                   // id of the person; the door sets it
	Who        bus.Principal   `json:"-"`                   // the person with their rights; the door sets it

	authentication string // how By proved their identity, if the card requires it: see [openCard.admit]
}

// AnswerAgain neither allows nor denies: a new card asks again, with a fresh preview of the call.
const AnswerAgain bus.Answer = "again"

// closedCard is the outcome of a card that was only in memory.
type closedCard struct {
	id     string
	answer bus.Answer
}

// pending is a card whose answer this program waits for.
type pending struct {
	openCard
	req    *bus.ApprovalRequest
	kept   bool        // the card is in the file
	answer chan Answer // holds the answer given in this program; of a kept card only a signal to read the file
}

// Approve implements bus.Approver: it shows a card and waits for the first answer, the expiry, or the end of ctx.
func (p *Policy) Approve(ctx context.Context, req *bus.ApprovalRequest, preview *bus.Preview) (bus.Decision, error) {
	if p.o.Fixed == bus.AnswerAllow && req.Refused == nil && !(p.o.Copy && req.Capability.SideEffect == bus.Network) {
		return bus.Decision{Allowed: true, Answer: bus.AnswerAllow, By: "fixed answer"}, nil
	}
	var d bus.Decision
	var why bus.Text
	var err error
	x := provenanceOf(ctx)
	if of := p.asCalled(req); grantsCount(x, of) {
		d, why, err = p.granted(ctx, x, of, preview.Facts)
	}
	switch {
	case err != nil || d.Allowed:
		return d, err
	case p.o.Fixed == bus.AnswerDeny:
		return bus.Decision{Answer: bus.AnswerDeny, By: "fixed answer", Reason: p.o.FixedReason}, nil
	case p.o.OnCard == nil && p.o.Ask == nil && !why.IsZero():
		return bus.Decision{}, bus.Errorf(bus.Forbidden, bus.ReasonConstraint,
			"%s must be confirmed by a person, and nobody is there to ask. %s", req.Capability.Title, why)
	case p.o.OnCard == nil && p.o.Ask == nil:
		return bus.Decision{Answer: bus.AnswerNobody}, nil
	}
	if _, always := ctx.Value(verdictKey{}).(bus.Decision); why.IsZero() && !always {
		why = p.taintOfPreview(x, req.Capability, preview.Data)
	}
	tainted := x.Tainted() // other calls may read more while the person thinks
	w, err := p.ask(ctx, req, preview, why)
	if err != nil {
		return bus.Decision{}, err
	}
	p.show(CardEvent{Type: CardOpened, Card: w.Card})
	a, err := p.answerOf(ctx, w)
	d = decision(a)
	if err == nil && a.Answer == bus.AnswerGrant {
		if d, err = p.createGrant(ctx, req, a); err == nil {
			x.SetAutonomy(WithinGrants) // the person said that they do not want to be asked again
		}
	}
	p.show(CardEvent{Type: CardClosed, Card: w.Card, Answer: d.Answer})
	d.ApprovalID, d.Needs, d.Tainted = w.ApprovalID, w.Needs, tainted
	x.closed(req.Invocation, d)
	return d, err
}

func (p *Policy) show(e CardEvent) {
	if p.o.OnCard != nil {
		p.o.OnCard(e)
	}
}

// answerOf calls Ask if the program has one, then waits for the answer to an open card.
func (p *Policy) answerOf(ctx context.Context, w *pending) (Answer, error) {
	if p.o.Ask == nil {
		return p.wait(ctx, w)
	}
	p.asking.Lock()
	a, err := p.o.Ask(ctx, w.Card)
	p.asking.Unlock()
	if err == nil {
		a.ApprovalID, a.By = w.ApprovalID, cmp.Or(a.By, a.Who.ID, w.Person)
		if a.Who.ID == "" && a.By == w.Who.ID { // with their rights, without the assistant's profile
			a.Who = w.Who
			a.Who.Model, a.Who.ConversationID = nil, ""
		}
		err = p.Decide(a)
	}
	if err == nil {
		return p.wait(ctx, w)
	}
	slog.Error("Could not ask a person.", "approval", w.ApprovalID, "cause", err)
	if a, err = p.abandon(ctx, w, bus.AnswerStopped); a.Answer == bus.AnswerStopped {
		a.Answer = bus.AnswerNobody
	}
	return a, err
}

// ask makes the card and opens it for an answer.
func (p *Policy) ask(ctx context.Context, req *bus.ApprovalRequest, preview *bus.Preview, why bus.Text) (*pending,
	error) {
	canonical, err := text.CanonicalJSON(req.Invocation.Arguments)
	if err != nil {
		return nil, bus.Errorf(bus.Internal, bus.ReasonUncoded, "The arguments cannot be shown, so nobody was asked: %v.",
			err)
	}
	expires := p.o.Clock().Add(p.o.Timeout)
	if req.Invocation.Caller.Type == bus.CallerSchedule { // the person may see it hours later
		expires = p.o.Clock().Add(max(p.o.Timeout, scheduleTimeout))
	}
	id, err := p.mint(req.Capability.Name, canonical, preview.Digest, expires)
	if err != nil {
		return nil, err
	}
	w := &pending{openCard: openCard{Card: newCard(provenanceOf(ctx), req, preview), Given: canonical,
		Digest: preview.Digest, TraceID: req.Invocation.TraceID, Caller: req.Invocation.Caller,
		Who: req.Invocation.Principal}, req: req, answer: make(chan Answer, 1)}
	p.showProgram(&w.Card, req, preview)
	w.ApprovalID, w.ExpiresAt = id, expires.UnixMilli()
	w.SideEffect = p.risk(req.Capability, preview.Data)
	p.nameRecords(ctx, w.Arguments, asDone(req, preview))
	w.explain(why, provenanceOf(ctx).before(req.Invocation, canonical))
	w.Needs, w.Approvers = approversOf(req)
	if req.Refused == nil {
		if w.Grant, w.GrantText, err = p.offerGrant(ctx, req, preview.Facts); err != nil {
			return nil, err
		}
		if to, _ := profileOf(req.Invocation.Principal); w.Grant != nil {
			w.Grantee = &to
		}
	}
	if err := p.keep(ctx, w); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !w.kept { // the file has the others
		var open []*openCard
		for _, other := range p.open {
			open = append(open, &other.openCard)
		}
		if err := w.within(open, p.o.Clock()); err != nil {
			return nil, err
		}
	}
	p.open = append(p.open, w)
	return w, nil
}

// Limits on the open cards of assistants: for one client or one conversation, and for all of them. A person cannot read
// more, and each card holds a call.
const (
	maxCardsOfOne = 20
	maxCards      = 100
)

// within refuses the card if the open cards have reached a limit.
func (c *openCard) within(open []*openCard, now time.Time) error {
	if c.Caller.Type != bus.CallerAgent {
		return nil
	}
	limit, of := maxCards, 0
	var all, ofOne []*openCard
	for _, other := range open {
		if other.Caller.Type != bus.CallerAgent || other.ExpiresAt <= now.UnixMilli() {
			continue
		}
		if all = append(all, other); other.sameAsker(c) {
			ofOne = append(ofOne, other)
		}
	}
	if of = len(all); len(ofOne) >= maxCardsOfOne {
		all, limit, of = ofOne, maxCardsOfOne, len(ofOne)
	}
	if of < limit {
		return nil
	}
	first := slices.MinFunc(all, func(a, b *openCard) int { return cmp.Compare(a.ExpiresAt, b.ExpiresAt) })
	e := bus.Errorf(bus.Transient, bus.ReasonRateLimit,
		"%d questions wait for a person already, so this one is not asked.", of).
		WithHint("Wait until a person has answered some of them in Deskhand's window or by deskhand approvals, " +
			"then call again.")
	e.Limit, e.ResetAt = limit, time.UnixMilli(first.ExpiresAt)
	e.RetryAfter = e.ResetAt.Sub(now)
	return e
}

// sameAsker reports whether both cards come from the same client, or from the same conversation if neither has a
// client.
func (c *openCard) sameAsker(other *openCard) bool {
	if c.Client != "" || other.Client != "" {
		return c.Client == other.Client && c.Person == other.Person
	}
	return c.ConversationID == other.ConversationID
}

// wait waits for the answer and closes the card. The first answer counts; a later one finds the card closed.
func (p *Policy) wait(ctx context.Context, w *pending) (Answer, error) {
	timer := time.NewTimer(p.Left(&w.Card))
	defer timer.Stop()
	watched, cancel := context.WithCancel(ctx)
	defer cancel()
	var elsewhere <-chan struct{}
	if w.kept {
		elsewhere = p.shared.Changes(watched)
	}
	for {
		select {
		case a := <-w.answer:
			if !w.kept {
				return a, nil
			}
		case <-elsewhere:
		case <-timer.C:
			return p.abandon(ctx, w, bus.AnswerExpired)
		case <-ctx.Done():
			_, _ = p.abandon(context.WithoutCancel(ctx), w, bus.AnswerStopped) // the caller reports the end of ctx
			return Answer{Answer: bus.AnswerStopped}, ctx.Err()
		}
		a, given, err := p.given(context.WithoutCancel(ctx), w)
		if err != nil && !given { // this call stops waiting, so a later answer must not count
			err = errors.Join(err, p.closeKept(context.WithoutCancel(ctx), w.ApprovalID, bus.AnswerStopped))
		}
		if given || err != nil {
			p.drop(w, a.Answer)
			return a, err
		}
	}
}

// wakeCall returns the error of an answer in the file. After a success it wakes the call that waits in this program, so
// that the call need not wait for the file to change.
func (w *pending) wakeCall(err error) error {
	if err == nil && w != nil {
		w.answer <- Answer{}
	}
	return err
}

// abandon closes a card without an answer. If an answer arrived first, abandon returns that answer.
func (p *Policy) abandon(ctx context.Context, w *pending, as bus.Answer) (Answer, error) {
	if !p.drop(w, as) && !w.kept {
		return <-w.answer, nil
	}
	if w.kept {
		if err := p.closeKept(ctx, w.ApprovalID, as); err != nil {
			return Answer{Answer: as}, err
		}
		a, _, err := p.given(ctx, w)
		return a, err
	}
	return Answer{Answer: as}, nil
}

// drop removes a card from those that this program waits for; it returns false if the card was removed before.
func (p *Policy) drop(w *pending, answer bus.Answer) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if !slices.Contains(p.open, w) {
		return false
	}
	p.close(w, answer)
	return true
}

// close removes a card from the open ones. The caller holds p.mu.
func (p *Policy) close(w *pending, answer bus.Answer) {
	p.open = slices.DeleteFunc(p.open, func(other *pending) bool { return other == w })
	if w.kept {
		return // the file keeps the outcome
	}
	p.closed = append(p.closed, closedCard{w.ApprovalID, answer})
	p.closed = p.closed[max(len(p.closed)-maxClosed, 0):]
}

func decision(a Answer) bus.Decision {
	d := bus.Decision{Answer: a.Answer, By: a.By, Reason: a.Reason, Authentication: a.authentication,
		Allowed: a.Answer == bus.AnswerAllow || a.Answer == AnswerAgain} // with arguments, another card follows
	if d.Allowed && a.Arguments != nil {
		d.Answer, d.Arguments = bus.AnswerEdit, a.Arguments
	}
	return d
}

// Decide answers a card of this program, or of another program on the same file. The first answer wins. Decide refuses
// later answers with a coded error, and answers to an unknown card, to an expired card and to the card of another
// person. The answer to a card in the file is an invocation of approval.answer in the name of the person who answers.
func (p *Policy) Decide(a Answer) error {
	switch a.Answer {
	case bus.AnswerAllow, bus.AnswerDeny, bus.AnswerGrant, AnswerAgain:
	default:
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "The answer %q is none of allow, deny, grant and again.",
			a.Answer)
	}
	return p.decide(context.Background(), a)
}

func (p *Policy) decide(ctx context.Context, a Answer) error {
	a.By = cmp.Or(a.By, a.Who.ID)
	a.Who.ID = a.By
	p.mu.Lock()
	w, err := p.held(a.ApprovalID)
	if w != nil && !w.kept {
		defer p.mu.Unlock()
		if err := w.admit(&a, w.req.Capability, p.o.Clock()); err != nil {
			return err
		}
		p.close(w, a.Answer)
		w.answer <- a
		return nil
	}
	p.mu.Unlock()
	if err != nil {
		return err
	}
	return w.wakeCall(p.answer(ctx, a))
}

// Leave closes a card of this program without an answer, for example when its input has ended. The record says
// [bus.AnswerNobody]. It is not for the requests of a page, which could close the card of another person.
func (p *Policy) Leave(approvalID string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	w, err := p.held(approvalID)
	switch {
	case err != nil:
		return err
	case w == nil:
		return errNoCard()
	case w.kept:
		return w.wakeCall(p.closeKept(context.Background(), approvalID, bus.AnswerNobody))
	}
	p.close(w, bus.AnswerNobody)
	w.answer <- Answer{Answer: bus.AnswerNobody}
	return nil
}

// held returns the open card with this id that this program waits for. It returns nil if there is none, and an error if
// the card was answered. The caller holds p.mu.
func (p *Policy) held(id string) (*pending, error) {
	if at := slices.IndexFunc(p.open, func(w *pending) bool { return w.ApprovalID == id }); at >= 0 {
		return p.open[at], nil
	}
	if at := slices.IndexFunc(p.closed, func(c closedCard) bool { return c.id == id }); at >= 0 {
		return nil, alreadyAnswered(p.closed[at].answer)
	}
	return nil, nil
}

func alreadyAnswered(answer bus.Answer) error {
	return bus.Errorf(bus.Conflict, bus.ReasonChanged, "This was already answered (%s).", answer)
}

// openCard is a card with the values that an answer is checked against.
type openCard struct {
	Card
	Given   json.RawMessage `json:"given"` // the arguments shown, canonical
	Digest  string          `json:"digest"`
	TraceID string          `json:"trace_id,omitempty"`
	Caller  bus.Caller      `json:"caller"`
	Who     bus.Principal   `json:"who"` // the principal of the call
}

// admit checks an answer to a card for a call of the capability of: the person, the time and the edited arguments. It
// removes an edit that changes nothing, and fills in the bounds of a grant that the answer leaves open.
//
// Only the person who made the call may answer. If the call needs a right that this person lacks, one of the card's
// approvers allows it, after proving their identity at the card.
func (c *openCard) admit(a *Answer, of *bus.Capability, now time.Time) error {
	if err := c.expired(now); err != nil {
		return err
	}
	if proof, proved := strings.CutPrefix(a.Who.Authentication, atCard); proved && c.mayApprove(a.By) {
		a.authentication = proof
	}
	if a.authentication == "" && a.By != c.Person {
		return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "This is not asked of you.").
			WithHint("The person who made the request answers it, or a colleague with the permission, by PIN.")
	}
	a.Reason = text.Clean(a.Reason, 500)
	if a.Arguments != nil {
		edited, err := text.CanonicalJSON(a.Arguments)
		switch {
		case err != nil || !text.IsObject(string(a.Arguments)):
			return bus.Errorf(bus.Validation, bus.ReasonArguments, "The edited arguments are not a JSON object.")
		case bytes.Equal(edited, c.Given):
			a.Arguments = nil // no change
		case a.authentication != "":
			return errOnlyShown()
		}
	}
	if a.Answer == AnswerAgain {
		a.Arguments = c.Given // another card follows, as after an edit
	}
	if a.Answer == bus.AnswerGrant {
		if err := c.bindGrant(a, of, now); err != nil {
			return err
		}
	}
	if len(c.Approvers) > 0 && a.Answer == bus.AnswerAllow && a.Arguments == nil && a.authentication == "" {
		return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "This needs %s.", c.Needs).WithHint("%s", c.whoMay())
	}
	return nil
}

func (c *openCard) expired(now time.Time) error {
	if now.Before(time.UnixMilli(c.ExpiresAt)) {
		return nil
	}
	return bus.Errorf(bus.Conflict, bus.ReasonChanged, "The time to answer is over.").WithHint("Ask for it again.")
}

// Pending lists the open cards that a person may answer, of all programs on the file: the person's own and those that
// they may approve. Cards in memory come before those in the file, each oldest first.
func (p *Policy) Pending(person string) []Card {
	p.mu.Lock()
	var cards []Card
	for _, w := range p.open {
		if !w.kept && w.For(person) {
			cards = append(cards, w.Card)
		}
	}
	p.mu.Unlock()
	kept, err := p.keptCards(context.Background())
	if err != nil {
		slog.Error("cards in the file cannot be read", "error", err)
	}
	for _, k := range kept {
		if k.For(person) {
			cards = append(cards, k.Card)
		}
	}
	return cards
}

var idText = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// mint makes the one-time id of an approval. The id depends on the shown call and its expiry, and cannot be guessed.
func (p *Policy) mint(capability string, canonical []byte, digest string, expires time.Time) (string, error) {
	var nonce [16]byte
	if _, err := io.ReadFull(p.o.Rand, nonce[:]); err != nil {
		return "", fmt.Errorf("mint an approval id: %w", err)
	}
	sum := sha256.Sum256(fmt.Appendf(nonce[:], "%s %s %s %d", capability, canonical, digest, expires.UnixMilli()))
	return "apr_" + idText.EncodeToString(sum[:20]), nil
}
