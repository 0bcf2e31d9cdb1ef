package policy

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"time"

	"github.com/deskhand/deskhand/agent/internal/stored"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// Open cards are in the file, so that every program on it can show and answer them. An answer is an invocation of
// approval.answer; the first one committed closes the card. The program that asked accepts an answer only with its
// record, and checks it against the card again.
//
// The content of the answer replaces the card in its row until the program that asked has read it. The record of the
// answer holds only a digest of the content. The record of the call holds the content itself, so an erasure finds it
// there.

// nameAnswer is the capability that answers a card in the file.
const nameAnswer = "approval.answer"

const (
	// keptFor is the time for which the outcome of a card is kept, for late answers and for requested grants.
	keptFor = 30 * 24 * time.Hour

	// lookEvery is the interval for checking that the programs of the shown cards still run.
	lookEvery = 2 * time.Second

	// lookPause is the pause after each check, so that many commits cause few checks.
	lookPause = 100 * time.Millisecond
)

// keptCard is a row of agent_cards.
type keptCard struct {
	openCard              // while it is open
	said       string     // then, until it is read: answerSaid as JSON
	owner      string     // the program that waits for the answer
	answer     bus.Answer // "" while it is open
	answeredBy string     // the request id of approval.answer
}

const keptColumns = `SELECT body, owner, coalesce(answer, ''), answered_by FROM agent_cards `

func scanCard(scan stored.Scan) (k keptCard, err error) {
	if err := scan(&k.said, &k.owner, &k.answer, &k.answeredBy); err != nil || k.answer != "" {
		return k, err
	}
	return k, json.Unmarshal([]byte(k.said), &k.openCard)
}

// keep writes a card to the file, if there is one. A card with a secret stays in the memory of this program.
func (p *Policy) keep(ctx context.Context, w *pending) error {
	b := p.bus.Load()
	if p.shared == nil || b == nil || !bytes.Equal(b.Redacted(w.Capability, w.Given), w.Given) {
		return nil
	}
	if _, answers := b.Lookup(nameAnswer); !answers {
		return nil
	}
	owner, err := p.shared.Program()
	if err != nil {
		return err
	}
	body, err := json.Marshal(w.openCard)
	if err != nil {
		return err
	}
	to, _ := profileOf(w.req.Invocation.Principal)
	var in grantRequestInput
	if w.Capability == nameRequest {
		if err := json.Unmarshal(w.Given, &in); err != nil {
			return err
		}
	}
	now := p.o.Clock()
	w.kept = true
	if _, err := p.closeEnded(ctx); err != nil {
		return err
	}
	return p.shared.UpdateBridge(ctx, func(ctx context.Context) error {
		err := p.shared.Exec(ctx, `DELETE FROM agent_cards WHERE expires_at < $1`, now.Add(-keptFor).UnixMilli())
		if err == nil {
			err = p.mayAsk(ctx, w)
		}
		if err == nil {
			err = p.shared.Exec(ctx, `INSERT INTO agent_cards (id, owner, person, endpoint, model, wanted, expires_at, body)
				VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, w.ApprovalID, owner, w.Person, to.Endpoint, to.Model, in.Capability,
				w.ExpiresAt, string(body))
		}
		return err
	})
}

// closeEnded closes the cards of programs that were killed. It records each call that waited for an answer as refused.
func (p *Policy) closeEnded(ctx context.Context) (left bool, err error) {
	var ended []string
	if err := p.shared.View(ctx, func(ctx context.Context) error {
		owners, err := stored.Rows(ctx, p.shared, scanText, `SELECT DISTINCT owner FROM agent_cards WHERE body <> ''`)
		for _, owner := range owners {
			gone, bad := p.shared.ProgramEnded(owner)
			if err = errors.Join(err, bad); bad == nil && gone {
				ended = append(ended, owner)
			}
		}
		left = len(owners) > len(ended)
		return err
	}); err != nil || len(ended) == 0 {
		return left, err
	}
	var open []string
	if err := p.shared.UpdateBridge(ctx, func(ctx context.Context) (err error) {
		open = nil // the function may run again
		for _, owner := range ended {
			bodies, bad := stored.Rows(ctx, p.shared, scanText,
				`SELECT body FROM agent_cards WHERE answer IS NULL AND body <> '' AND owner = $1`, owner)
			open = append(open, bodies...)
			err = errors.Join(err, bad, p.shared.Exec(ctx, `UPDATE agent_cards SET answer = coalesce(answer, $1), body = ''
				WHERE body <> '' AND owner = $2`, bus.AnswerStopped, owner))
		}
		return err
	}); err != nil {
		return left, err
	}
	b := p.bus.Load()
	for _, body := range open {
		var c openCard
		if err := json.Unmarshal([]byte(body), &c); err != nil {
			return left, err
		}
		if b != nil { // another program made the call, so its context must not inherit from ctx
			b.Invoke(Refuse(context.Background(), errAskerEnded), bus.Invocation{Capability: c.Capability, Arguments: c.Given,
				RequestID: c.RequestID, TraceID: c.TraceID, Caller: c.Caller, Principal: c.Who})
		}
	}
	return left, nil
}

// mayAsk refuses a card if the cards in the file have reached a limit. The caller's transaction adds the card.
func (p *Policy) mayAsk(ctx context.Context, w *pending) error {
	all, err := stored.Rows(ctx, p.shared, scanCard,
		keptColumns+`WHERE body <> '' AND answer IS NULL AND expires_at > $1`, p.o.Clock().UnixMilli())
	if err != nil {
		return err
	}
	open := make([]*openCard, 0, len(all))
	for i := range all {
		open = append(open, &all[i].openCard)
	}
	return w.within(open, p.o.Clock())
}

func scanText(scan stored.Scan) (text string, err error) { return text, scan(&text) }

// errAskerEnded is the error of a call whose program was killed while its card was open.
var errAskerEnded = bus.Errorf(bus.Forbidden, bus.ReasonDeclined,
	"The program that asked ended before anybody answered; nothing was done.").WithHint("Ask for it again.")

// closeKept closes a card without an answer, unless it has one.
func (p *Policy) closeKept(ctx context.Context, id string, as bus.Answer) error {
	return p.shared.UpdateBridge(ctx, func(ctx context.Context) error {
		return p.shared.Exec(ctx, `UPDATE agent_cards SET answer = $1, body = '' WHERE id = $2 AND answer IS NULL`, as, id)
	})
}

// keptCards lists the open cards of running programs, oldest first.
func (p *Policy) keptCards(ctx context.Context) (open []keptCard, err error) {
	if p.shared == nil {
		return nil, nil
	}
	err = p.shared.View(ctx, func(ctx context.Context) error {
		all, err := stored.Rows(ctx, p.shared, scanCard,
			keptColumns+`WHERE body <> '' AND answer IS NULL AND expires_at > $1 ORDER BY n`, p.o.Clock().UnixMilli())
		for _, k := range all {
			gone, bad := p.shared.ProgramEnded(k.owner)
			if err = errors.Join(err, bad); bad == nil && !gone {
				open = append(open, k)
			}
		}
		return err
	})
	return open, err
}

// card returns the open card with this id, of this program or another.
func (p *Policy) card(ctx context.Context, id string) (c *openCard, err error) {
	p.mu.Lock()
	w, err := p.held(id)
	p.mu.Unlock()
	switch {
	case err != nil:
		return nil, err
	case w != nil && !w.kept:
		return &w.openCard, w.expired(p.o.Clock())
	case p.shared == nil:
		return nil, errNoCard()
	}
	err = p.shared.View(ctx, func(ctx context.Context) error {
		k, err := answerable(ctx, p.shared, id, p.o.Clock())
		if err == nil {
			c = &k.openCard
		}
		return err
	})
	return c, err
}

// answerable returns the card with this id from the file, if its program still waits for the answer.
func answerable(ctx context.Context, log Shared, id string, now time.Time) (*keptCard, error) {
	k, err := stored.One(ctx, log, scanCard, keptColumns+`WHERE id = $1`, id)
	switch {
	case err != nil:
		return nil, err
	case k == nil:
		return nil, errNoCard()
	case k.answer != "":
		return nil, alreadyAnswered(k.answer)
	}
	if gone, err := log.ProgramEnded(k.owner); err != nil || gone {
		return nil, cmp.Or(err, error(bus.Errorf(bus.Conflict, bus.ReasonChanged, "The program that asked has ended.").
			WithHint("Ask for it again.")))
	}
	return k, k.expired(now)
}

func errNoCard() error {
	return bus.Errorf(bus.NotFound, bus.ReasonRecord, "Unknown or expired approval id.").WithHint("Ask for it again.")
}

// answerInput is the input of approval.answer. Its record keeps only the field Answer.
type answerInput struct {
	ApprovalID string     `json:"approvalId" jsonschema:"minLength=1,maxLength=100,writeOnly=true"`
	Answer     bus.Answer `json:"answer" jsonschema:"enum=allow,enum=deny,enum=grant,enum=again"`
	answerSaid
}

// answerSaid is the content of an answer beyond its kind.
type answerSaid struct {
	Reason    string          `json:"reason,omitempty" jsonschema:"maxLength=2000,writeOnly=true"`
	Arguments json.RawMessage `json:"arguments,omitempty" jsonschema:"type=object" jsonschema_extras:"writeOnly=true"`
	Grant     *GrantTerms     `json:"grant,omitempty" jsonschema_extras:"writeOnly=true"`
}

// answer returns the complete answer that who gives.
func (s answerSaid) answer(id string, answer bus.Answer, who bus.Principal) Answer {
	return Answer{ApprovalID: id, Answer: answer, Reason: s.Reason, Arguments: s.Arguments, Grant: s.Grant, By: who.ID,
		Who: who}
}

// answerOutput ties the record of an answer to the content of the card and of the answer.
type answerOutput struct {
	RequestID string `json:"requestId" jsonschema_description:"Of the call that waits."`
	Digest    string `json:"digest" jsonschema_description:"Of what the card shows."`
	Said      string `json:"said" jsonschema_description:"Digest of the card's id and of what is said with the answer."`
}

func saidDigest(id, said string) string {
	sum := sha256.Sum256([]byte(id + " " + said))
	return hex.EncodeToString(sum[:])
}

// answerCapability returns approval.answer.
func answerCapability(log Shared) bus.Capability {
	c := bus.Capability{Name: nameAnswer, Texts: texts, SideEffect: bus.UIOnly,
		Resources: []string{"database:read", "database:write"},
		Listing:   bus.Listing{Category: "assistant", Group: "policy", Passive: true},
		Checks:    bus.Checks{Access: bus.Access{Agent: bus.RuleDeny}},
		Assistant: bus.Assistant{Hidden: true}}
	return bus.Define(c, func(ctx context.Context, call *bus.Call, in answerInput) (out answerOutput, err error) {
		k, err := answerable(ctx, log, in.ApprovalID, call.Now)
		if err != nil {
			return out, err
		}
		of, known := call.Lookup(k.Capability)
		if !known {
			return out, bus.Errorf(bus.NotFound, bus.ReasonRecord, "This program does not know %s.", k.Title).
				WithHint("Answer it where it is asked.")
		}
		a := in.answer(in.ApprovalID, in.Answer, call.Person)
		if err := k.admit(&a, of, call.Now); err != nil {
			return out, err
		}
		said, err := json.Marshal(in.answerSaid)
		if err != nil {
			return out, err
		}
		if err := log.Exec(ctx, `UPDATE agent_cards SET answer = $1, answered_by = $2, body = $3
			WHERE id = $4 AND answer IS NULL`, in.Answer, call.RequestID, string(said), in.ApprovalID); err != nil {
			return out, err
		}
		call.Summarize("Answer a card: %s", in.Answer)
		return answerOutput{k.RequestID, k.Digest, saidDigest(in.ApprovalID, string(said))}, nil
	})
}

// answer invokes approval.answer for a card in the file.
func (p *Policy) answer(ctx context.Context, a Answer) error {
	c, err := p.card(ctx, a.ApprovalID)
	if err != nil {
		return err
	}
	args, err := json.Marshal(answerInput{a.ApprovalID, a.Answer, answerSaid{a.Reason, a.Arguments, a.Grant}})
	if err != nil {
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "The edited arguments are not a JSON object.")
	}
	r := p.bus.Load().Invoke(ctx, bus.Invocation{Capability: nameAnswer, Arguments: args, TraceID: c.TraceID,
		Principal: a.Who, Caller: bus.Caller{Type: p.o.Caller, Source: "approval", ParentRequestID: c.RequestID}})
	if !r.OK() {
		return r.Err
	}
	return nil
}

// given returns the answer to a card in the file, if there is one. The answer counts only if the log has its record and
// it fits the card.
func (p *Policy) given(ctx context.Context, w *pending) (a Answer, ok bool, err error) {
	var k *keptCard
	if err := p.shared.View(ctx, func(ctx context.Context) (err error) {
		k, err = stored.One(ctx, p.shared, scanCard, keptColumns+`WHERE id = $1`, w.ApprovalID)
		return err
	}); err != nil {
		return a, false, err
	}
	switch {
	case k == nil:
		return a, false, errNoCard()
	case k.answer == "":
		return a, false, nil
	case k.answer == bus.AnswerExpired || k.answer == bus.AnswerStopped || k.answer == bus.AnswerNobody:
		return Answer{Answer: k.answer}, true, nil
	}
	found, err := p.shared.Search(ctx, audit.Query{RequestID: k.answeredBy})
	if err != nil {
		return a, false, err
	}
	var said answerSaid
	if len(found.Records) == 0 || !k.isRecordedIn(&found.Records[0], w) || json.Unmarshal([]byte(k.said), &said) != nil {
		return a, false, bus.Errorf(bus.Forbidden, bus.ReasonDeclined, "The answer has no record in the log, so it does "+
			"not count.").WithHint("deskhand audit verify says whether the log was changed.")
	}
	r := &found.Records[0]
	who := bus.Principal{ID: r.Caller.Person, Role: r.Caller.Role, Authentication: r.Caller.Authentication,
		Door: r.Caller.Door}
	if k.answer == bus.AnswerGrant {
		who.Scopes = []string{scopeGrant} // approval.answer checked this scope
	}
	a = said.answer(w.ApprovalID, k.answer, who)
	if err := w.admit(&a, w.req.Capability, time.UnixMilli(r.Time)); err != nil {
		return a, true, err
	}
	return a, true, p.shared.UpdateBridge(ctx, func(ctx context.Context) error {
		return p.shared.Exec(ctx, `UPDATE agent_cards SET body = '' WHERE id = $1`, w.ApprovalID)
	})
}

// isRecordedIn reports whether a record is the record of this answer to the card.
func (k *keptCard) isRecordedIn(r *audit.Record, w *pending) bool {
	var in struct{ Answer bus.Answer }
	var out answerOutput
	data, err := json.Marshal(r.Data)
	return err == nil && r.Capability == nameAnswer && r.Status == "success" && !r.DryRun &&
		json.Unmarshal(r.Arguments, &in) == nil && in.Answer == k.answer && json.Unmarshal(data, &out) == nil &&
		out == answerOutput{w.RequestID, w.Digest, saidDigest(w.ApprovalID, k.said)}
}

// requestStatus returns the status of a requested grant that was not given: pending, denied, or "" for none.
func (p *Policy) requestStatus(ctx context.Context, who bus.Principal, capability string) (status string, err error) {
	to, _ := profileOf(who)
	if p.shared == nil {
		return "", nil
	}
	err = p.shared.View(ctx, func(ctx context.Context) error {
		k, err := stored.One(ctx, p.shared, scanCard, keptColumns+
			`WHERE person = $1 AND wanted = $2 AND endpoint = $3 AND model = $4 ORDER BY n DESC LIMIT 1`,
			to.Person, capability, to.Endpoint, to.Model)
		switch {
		case err != nil || k == nil:
			return err
		case k.answer == bus.AnswerDeny:
			status = GrantDenied
		case k.answer == "" && p.o.Clock().UnixMilli() < k.ExpiresAt:
			var gone bool
			if gone, err = p.shared.ProgramEnded(k.owner); !gone && err == nil {
				status = GrantPending
			}
		}
		return err
	})
	return status, err
}

// Watch passes the cards of other programs on the file to OnCard as they open and close, until ctx ends. Without a log
// or OnCard it returns at once.
func (p *Policy) Watch(ctx context.Context) {
	if p.shared == nil || p.o.OnCard == nil {
		return
	}
	shown := map[string]Card{}
	changes := p.shared.Changes(ctx)
	for {
		if err := p.showOthers(ctx, shown); err != nil && ctx.Err() == nil {
			slog.Error("cards of other programs cannot be read", "error", err)
		}
		select {
		case <-time.After(lookPause):
		case <-ctx.Done():
		}
		var look <-chan time.Time
		if len(shown) > 0 { // a killed program changes nothing in the file
			look = time.After(lookEvery)
		}
		select {
		case <-changes:
		case <-look:
		case <-ctx.Done():
			return
		}
	}
}

// showOthers passes to OnCard the cards of other programs that opened or closed since the last call; shown holds the
// open ones.
func (p *Policy) showOthers(ctx context.Context, shown map[string]Card) error {
	own, err := p.shared.Program()
	if err != nil {
		return err
	}
	if left, err := p.closeEnded(ctx); err != nil || !left && len(shown) == 0 {
		return err
	}
	open, err := p.keptCards(ctx)
	if err != nil {
		return err
	}
	still := map[string]bool{}
	for _, k := range open {
		still[k.ApprovalID] = true
		if _, is := shown[k.ApprovalID]; !is && k.owner != own {
			shown[k.ApprovalID] = k.Card
			p.o.OnCard(CardEvent{Type: CardOpened, Card: k.Card})
		}
	}
	for id, card := range shown {
		if still[id] {
			continue
		}
		end := bus.AnswerStopped // its program was killed
		if err := p.shared.View(ctx, func(ctx context.Context) error {
			k, err := stored.One(ctx, p.shared, scanCard, keptColumns+`WHERE id = $1`, id)
			if err == nil && k != nil {
				end = cmp.Or(k.answer, end)
			}
			return err
		}); err != nil {
			return err
		}
		delete(shown, id)
		p.o.OnCard(CardEvent{Type: CardClosed, Card: card, Answer: end})
	}
	return nil
}
