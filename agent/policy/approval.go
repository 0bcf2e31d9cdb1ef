package policy

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// Answers a person can give to a card.
const (
	AnswerAllow = "allow"
	AnswerDeny  = "deny"
	AnswerGrant = "grant" // allow, and do not ask again within bounds
)

// Further answers in records: an edit, and the ends of a card without an answer.
const (
	answerEdit    = "edit"
	answerExpired = "expired"
	answerNobody  = "nobody"
	answerStopped = "stopped"
)

// Answer is what a person says to a card.
type Answer struct {
	ApprovalID string          `json:"approval_id"`
	Answer     string          `json:"answer"`              // "allow", "deny" or "grant"
	Reason     string          `json:"reason,omitempty"`    // in the person's words; told to the model
	Arguments  json.RawMessage `json:"arguments,omitempty"` // with "allow": run with these instead
	Grant      *GrantTerms     `json:"grant,omitempty"`     // with "grant": the bounds; absent: those the card offers
	By         string          `json:"-"`                   // the person, who must be the card's; a door fills it in
	Who        bus.Principal   `json:"-"`                   // the same with their rights; a door fills it in

	authentication string // how By proved who they are at the card; set by Vouch alone
}

// closedCard is what became of a card.
type closedCard struct{ id, answer string }

// pending is a card that waits for its answer.
type pending struct {
	card      Card
	req       *bus.ApprovalRequest
	canonical []byte      // the arguments shown
	expires   time.Time   //
	answer    chan Answer // holds the one answer; closed never
}

// Approve implements bus.Approver: it shows a card and waits for the first answer, the expiry, or the end of ctx.
func (p *Policy) Approve(ctx context.Context, req *bus.ApprovalRequest, preview *bus.Preview) (bus.Decision, error) {
	if p.o.Fixed == AnswerAllow && req.Refused == nil {
		return bus.Decision{Allowed: true, Answer: AnswerAllow, By: "fixed answer"}, nil
	}
	var d bus.Decision
	var why string
	var err error
	if req.Refused == nil { // a grant stands for the person's yes, not for another's right
		d, why, err = p.granted(ctx, req, preview.Facts)
	}
	switch {
	case err != nil || d.Allowed:
		return d, err
	case p.o.Fixed == AnswerDeny:
		return bus.Decision{Answer: AnswerDeny, By: "fixed answer"}, nil
	case p.o.OnCard == nil && why != "":
		return bus.Decision{}, bus.Errorf(bus.Forbidden, bus.ReasonConstraint,
			"%s must be confirmed by a person, and nobody is there to ask. %s", req.Capability.Title, why)
	case p.o.OnCard == nil:
		return bus.Decision{Answer: answerNobody}, nil
	}
	if why == "" {
		why = p.distrusted(provenanceOf(ctx), req.Capability, preview.Data)
	}
	w, err := p.ask(ctx, req, preview, why)
	if err != nil {
		return bus.Decision{}, err
	}
	p.noteRequest(req, GrantPending)
	p.o.OnCard(CardEvent{Type: CardOpened, Card: w.card})
	a, d, err := p.wait(ctx, w)
	p.noteRequest(req, map[string]string{AnswerDeny: GrantDenied}[d.Answer])
	if err == nil && a.Answer == AnswerGrant {
		d, err = p.createGrant(ctx, req, a)
	}
	p.o.OnCard(CardEvent{Type: CardClosed, Card: w.card, Answer: d.Answer})
	d.ApprovalID = w.card.ApprovalID
	provenanceOf(ctx).closed(req.Invocation, d)
	return d, err
}

// ask makes the card and opens it for an answer.
func (p *Policy) ask(ctx context.Context, req *bus.ApprovalRequest, preview *bus.Preview, why string) (*pending,
	error) {
	canonical, err := text.CanonicalJSON(req.Invocation.Arguments)
	if err != nil {
		return nil, bus.Errorf(bus.Internal, bus.ReasonUncoded, "The arguments cannot be shown, so nobody was asked: %v.",
			err)
	}
	expires := p.o.Clock().Add(p.o.Timeout)
	id, err := p.mint(req.Capability.Name, canonical, preview.Digest, expires)
	if err != nil {
		return nil, err
	}
	w := &pending{card: newCard(provenanceOf(ctx), req, preview), req: req, canonical: canonical, expires: expires,
		answer: make(chan Answer, 1)}
	w.card.ApprovalID, w.card.ExpiresAt = id, expires.UnixMilli()
	if came := provenanceOf(ctx).before(req.Invocation, canonical); came != "" {
		why = strings.TrimSpace(why + " " + doneBefore(came))
	}
	w.card.Why = why
	w.card.Needs, w.card.Approvers = approversOf(req)
	if req.Refused == nil {
		if w.card.Grant, w.card.GrantText, err = p.offerGrant(ctx, req, preview.Facts); err != nil {
			return nil, err
		}
	}
	p.mu.Lock()
	p.open = append(p.open, w)
	p.mu.Unlock()
	return w, nil
}

// wait returns with the card closed. The first answer counts; later ones find the card gone.
func (p *Policy) wait(ctx context.Context, w *pending) (Answer, bus.Decision, error) {
	timer := time.NewTimer(w.expires.Sub(p.o.Clock()))
	defer timer.Stop()
	select {
	case a := <-w.answer:
		return a, decision(a), nil
	case <-timer.C:
		if a, taken := p.abandon(w, answerExpired); taken {
			return a, decision(a), nil
		}
		return Answer{}, bus.Decision{Answer: answerExpired}, nil
	case <-ctx.Done():
		p.abandon(w, answerStopped)
		return Answer{}, bus.Decision{Answer: answerStopped}, ctx.Err()
	}
}

// abandon closes a card that was not answered. When an answer slipped in just
// before, that answer counts and is returned.
func (p *Policy) abandon(w *pending, as string) (Answer, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(p.open, w) {
		p.close(w, as)
		return Answer{}, false
	}
	return <-w.answer, true
}

// close takes a card off the open ones. The caller holds p.mu.
func (p *Policy) close(w *pending, answer string) {
	p.open = slices.DeleteFunc(p.open, func(other *pending) bool { return other == w })
	p.closed = append(p.closed, closedCard{w.card.ApprovalID, answer})
	p.closed = p.closed[max(len(p.closed)-maxClosed, 0):]
}

func decision(a Answer) bus.Decision {
	d := bus.Decision{Answer: a.Answer, By: a.By, Reason: a.Reason, Authentication: a.authentication,
		Allowed: a.Answer == AnswerAllow}
	if d.Allowed && a.Arguments != nil {
		d.Answer, d.Arguments = answerEdit, a.Arguments
	}
	return d
}

// Decide answers a card. The first answer wins; every other one is refused with a coded error, as is an answer to a
// card of another person, to one that expired or never was.
func (p *Policy) Decide(a Answer) error {
	if a.Answer != AnswerAllow && a.Answer != AnswerDeny && a.Answer != AnswerGrant {
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "The answer %q is none of allow, deny and grant.", a.Answer)
	}
	a.Reason = text.Clean(a.Reason, 500)
	if a.Arguments != nil && !text.IsObject(string(a.Arguments)) {
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "The edited arguments are not a JSON object.")
	}
	a.authentication = ""
	return p.accept(a)
}

// answerable is the open card of that id. The caller holds p.mu.
func (p *Policy) answerable(id string) (*pending, error) {
	at := slices.IndexFunc(p.open, func(w *pending) bool { return w.card.ApprovalID == id })
	if at < 0 {
		if i := slices.IndexFunc(p.closed, func(c closedCard) bool { return c.id == id }); i >= 0 {
			return nil, bus.Errorf(bus.Conflict, bus.ReasonChanged, "This was already answered (%s).", p.closed[i].answer)
		}
		return nil, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such question.")
	}
	w := p.open[at]
	if !p.o.Clock().Before(w.expires) {
		return nil, bus.Errorf(bus.Conflict, bus.ReasonChanged, "The time to answer is over.").WithHint("Ask for it again.")
	}
	return w, nil
}

// accept closes a card with an answer, if it is still open and this is an answer to it.
func (p *Policy) accept(a Answer) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	w, err := p.answerable(a.ApprovalID)
	if err != nil {
		return err
	}
	if a.authentication == "" && a.By != w.card.Person {
		return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "This is not asked of you.").
			WithHint("The person who made the request answers it, or a colleague with the permission, by PIN.")
	}
	if a.Arguments != nil {
		edited, err := text.CanonicalJSON(a.Arguments)
		if err != nil {
			return bus.Errorf(bus.Validation, bus.ReasonArguments, "The edited arguments are not understood: %v.", err)
		}
		if bytes.Equal(edited, w.canonical) {
			a.Arguments = nil // nothing was changed
		}
	}
	if a.Answer == AnswerGrant {
		if err := w.bindGrant(&a, p.o.Clock()); err != nil {
			return err
		}
	}
	if len(w.card.Approvers) > 0 && a.Answer == AnswerAllow && a.Arguments == nil && a.authentication == "" {
		return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "This needs %s.", w.card.Needs).WithHint("%s", w.whoMay())
	}
	p.close(w, a.Answer)
	w.answer <- a
	return nil
}

// Pending lists the open cards of a person, oldest first.
func (p *Policy) Pending(person string) []Card {
	p.mu.Lock()
	defer p.mu.Unlock()
	cards := make([]Card, 0, len(p.open))
	for _, w := range p.open {
		if w.card.Person == person {
			cards = append(cards, w.card)
		}
	}
	return cards
}

var idText = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

// mint makes the one-time id of an approval: bound to what is shown and until when, and not to be guessed.
func (p *Policy) mint(capability string, canonical []byte, digest string, expires time.Time) (string, error) {
	var nonce [16]byte
	if _, err := io.ReadFull(p.o.Rand, nonce[:]); err != nil {
		return "", fmt.Errorf("mint an approval id: %w", err)
	}
	h := sha256.New()
	h.Write(nonce[:])
	for _, part := range [][]byte{[]byte(capability), canonical, []byte(digest),
		[]byte(expires.UTC().Format(time.RFC3339Nano))} {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.Write(n[:])
		h.Write(part)
	}
	return "apr_" + idText.EncodeToString(h.Sum(nil)[:20]), nil
}
