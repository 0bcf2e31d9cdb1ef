package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// Replica is a temporary copy of an application. Its bridge uses the tried model and the Switches of the application.
// Its bus allows every card and makes no network calls.
type Replica struct {
	*audit.Replica
	Bridge *Bridge
	At     func(time.Time) // sets its clock, which then runs on
}

type modelTryOutInput struct {
	Endpoint string `json:"endpoint,omitempty" jsonschema:"title=Endpoint,maxLength=300"`
	Model    string `json:"model,omitempty" jsonschema:"title=Model,maxLength=200"`
	Last     int    `json:"last,omitempty" jsonschema:"title=Last sentences,minimum=1,maximum=200,default=20"`
}

type modelTryOutOutput struct {
	Same      int             `json:"same"`
	AskedMore int             `json:"askedMore"`
	Different int             `json:"different"`
	Unasked   int             `json:"unasked"`
	Skipped   map[string]int  `json:"skipped"`
	Tokens    model.Usage     `json:"tokens"`
	Sentences []triedSentence `json:"sentences"`
}

type triedSentence struct {
	Text           string      `json:"text" jsonschema_extras:"x-tainted=true"`
	At             int64       `json:"at" jsonschema_extras:"x-time=true"`
	ConversationID string      `json:"conversationId"`
	TurnID         string      `json:"turnId"`
	Outcome        string      `json:"outcome" jsonschema:"enum=same,enum=askedMore,enum=different,enum=unasked"`
	Said           string      `json:"said,omitempty" jsonschema_extras:"x-tainted=true"`
	Recorded       []triedCall `json:"recorded"`
	Tried          []triedCall `json:"tried"`
}

type triedCall struct {
	RequestID  string          `json:"requestId"`
	Capability string          `json:"capability"`
	Arguments  json.RawMessage `json:"arguments,omitempty" jsonschema_extras:"x-tainted=true"`
	Result     string          `json:"result"`
	Rows       []bus.Effect    `json:"rows,omitempty" jsonschema_extras:"x-tainted=true"`
}

// maxTriedRows limits the changed rows of a call in the output.
const maxTriedRows = 40

// pastSentence is a person's sentence with the calls of its turn.
type pastSentence struct {
	turn    audit.Record
	in      turnInput
	calls   []audit.Record // of the turn, the oldest first
	message messageRow
	skip    string // the reason to skip it
}

// modelTrial is one run of model.tryOut.
type modelTrial struct {
	modelTryOutInput
	o    CapabilityOptions
	db   policy.Shared // the database with the log
	call *bus.Call
	out  modelTryOutOutput

	copy   *Replica // nil: no copy is open
	behind bool     // copies cannot be rewound further
}

// tryModel returns model.tryOut. Only people may call it, like policy.tryOut.
func tryModel(o CapabilityOptions, db policy.Shared) bus.Capability {
	trial := func(call *bus.Call, in modelTryOutInput) *modelTrial {
		return &modelTrial{modelTryOutInput: in, o: o, db: db, call: call,
			out: modelTryOutOutput{Skipped: map[string]int{}, Sentences: []triedSentence{}}}
	}
	return bus.Define(bus.Capability{Name: "model.tryOut", Texts: texts, SideEffect: bus.Network,
		Permissions: []string{"settings:write", "policy:read", "audit:read"},
		Resources:   []string{"database:read", "filesystem:write", "network:write", "secrets:read"},
		Listing:     bus.Listing{Category: "assistant", Group: "assistant", Routes: []string{"settings"}},
		Checks:      bus.Checks{Access: bus.Access{User: bus.RuleConfirm, Agent: bus.RuleDeny}},
		Run: bus.Run{Background: true, Timeout: 6 * time.Hour, Concurrency: bus.Exclusive, Unrecorded: true,
			Preview: func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
				var in modelTryOutInput
				if err := call.Decode(&in); err != nil {
					return nil, err
				}
				return trial(call, in).preview(ctx)
			}},
	}, func(ctx context.Context, call *bus.Call, in modelTryOutInput) (modelTryOutOutput, error) {
		t := trial(call, in)
		err := errors.Join(t.run(ctx), t.close())
		call.Summarize("Tried %s on past sentences: %d the same, %d asked more, %d different, %d unasked", t.name(),
			t.out.Same, t.out.AskedMore, t.out.Different, t.out.Unasked)
		return t.out, err
	})
}

func (in modelTryOutInput) name() string {
	return cmp.Or(strings.TrimSpace(in.Model+" "+in.Endpoint), "built-in")
}

// preview lists the sentences that the trial would send. It does not know the calls that the model then makes.
func (t *modelTrial) preview(ctx context.Context) (json.RawMessage, error) {
	past, err := t.past(ctx)
	if err != nil {
		return nil, err
	}
	said := []string{}
	for _, p := range past {
		if p.skip == "" {
			said = append(said, p.message.body.Text)
		}
	}
	t.call.Summarize("Say %d past sentences again to %s, on a copy", len(said), t.name())
	return json.Marshal(map[string]any{"text": said})
}

// past lists the caller's last sentences, the latest first.
func (t *modelTrial) past(ctx context.Context) (list []*pastSentence, err error) {
	turns, err := t.db.Search(ctx, audit.Query{Capability: TurnCapability, Person: t.call.Person.ID, Limit: t.Last})
	for i := range turns.Records {
		p := &pastSentence{turn: turns.Records[i]}
		if err := t.read(ctx, p); err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	return list, err
}

// read finds the sentence and the calls of a turn, and sets the reason if it cannot be tried.
func (t *modelTrial) read(ctx context.Context, p *pastSentence) (err error) {
	if p.calls, err = callsOf(ctx, t.db, p.turn.RequestID); err != nil {
		return err
	}
	said, err := t.o.Store.messagesWhere(ctx, `conversation = $1 AND turn = $2`, p.turn.ConversationID, p.turn.RequestID)
	if err != nil {
		return err
	}
	wrong := json.Unmarshal(p.turn.Arguments, &p.in)
	switch {
	case len(said) == 0 || said[0].body.Role != model.RoleUser:
		p.skip = "gone"
		return nil
	case wrong != nil || said[0].body.Text == erasedText:
		p.skip = "erased"
	case p.in.Status != StatusDone:
		p.skip = "stopped"
	}
	p.message = said[0]
	for i := range p.calls {
		p.skip = cmp.Or(p.skip, notTried(&p.calls[i]))
	}
	return nil
}

// notTried returns the reason why the sentence of a call is not tried, "" if it may be.
func notTried(r *audit.Record) string {
	outside := bus.SideEffect(r.SideEffect) == bus.Network
	switch {
	case r.Capability == nameReview:
	case r.Erased || r.Unreadable != "" || slices.ContainsFunc(r.Redacted, func(at string) bool { return at != "/data" }):
		return "erased"
	case r.Reason == bus.ReasonDeclined:
		return "denied"
	case outside && (r.Status == bus.StatusSuccess || r.Reason == bus.ReasonInterrupted):
		return "outside"
	case slices.ContainsFunc(r.Effects, func(e bus.Effect) bool { return e.Op == bus.Bulk }):
		return "bulk"
	}
	return ""
}

// callsOf lists the calls of a turn, the oldest first.
func callsOf(ctx context.Context, db policy.Shared, turn string) ([]audit.Record, error) {
	found, err := db.Search(ctx, audit.Query{TraceID: turn, CallerType: bus.CallerAgent, Limit: 500})
	calls := slices.DeleteFunc(found.Records, func(r audit.Record) bool { return r.Capability == TurnCapability })
	slices.Reverse(calls)
	return calls, err
}

// run tries the sentences, the latest first, because a copy can only be rewound.
func (t *modelTrial) run(ctx context.Context) error {
	past, err := t.past(ctx)
	for i, p := range past {
		t.call.Progress(i*100/len(past), fmt.Sprintf("Sentence %d of %d", i+1, len(past)))
		if err == nil && p.skip == "" && !t.behind {
			err = t.goBack(ctx, p)
		}
		spent := err == nil && p.skip == "" && t.overBudget(ctx)
		switch {
		case err != nil:
			return err
		case spent:
			p.skip = "budget"
		case p.skip == "" && t.behind:
			p.skip = "behind"
		case p.skip == "":
			err = t.try(ctx, p)
		}
		if p.skip != "" {
			t.out.Skipped[p.skip]++
		}
	}
	return err
}

// overBudget reports whether today's cost of models, with this trial, has reached the budget.
func (t *modelTrial) overBudget(ctx context.Context) bool {
	zone, err := t.o.zone(ctx)
	if err != nil {
		return true
	}
	used, err := t.o.Store.usedToday(ctx, t.call.Now.In(zone))
	used.tokens += int64(t.out.Tokens.Input + t.out.Tokens.Output)
	return err != nil || t.Endpoint != "" && used.beyond(100) != ""
}

// goBack rewinds a copy to the state before a sentence, if possible.
func (t *modelTrial) goBack(ctx context.Context, p *pastSentence) (err error) {
	begin := p.turn.Seq
	if len(p.calls) > 0 {
		begin = min(begin, p.calls[0].Seq)
	}
	for fresh := false; ; {
		if t.copy == nil {
			if t.copy, err = t.o.Replica(ctx, t.Endpoint, t.Model); err != nil {
				return err
			}
			fresh = true
		}
		if err = t.copy.Rewind(ctx, begin-1); err == nil {
			return t.copy.Bridge.forgetFrom(ctx, p.turn.ConversationID, p.message.id)
		}
		e, coded := errors.AsType[*bus.Error](err)
		if closed := t.close(); closed != nil || !coded || e.Code != bus.PreconditionFailed {
			return errors.Join(err, closed)
		}
		if t.behind = fresh; fresh { // otherwise the changes of the tried model may be the cause
			return nil
		}
	}
}

func (t *modelTrial) close() (err error) {
	if t.copy != nil {
		err = t.copy.Close()
		t.copy = nil
	}
	return err
}

// forgetFrom removes a message and all later ones from a conversation of a copy.
func (b *Bridge) forgetFrom(ctx context.Context, conversation string, message int64) error {
	b.mu.Lock()
	delete(b.conversations, conversation)
	delete(b.ended, conversation)
	b.mu.Unlock()
	return b.o.Store.db.UpdateBridge(ctx, func(ctx context.Context) error {
		return b.o.Store.db.Exec(ctx, `DELETE FROM agent_messages WHERE conversation = $1 AND id >= $2`, conversation,
			message)
	})
}

// try sends one sentence again. Without an error the sentence was tried or is skipped.
func (t *modelTrial) try(ctx context.Context, p *pastSentence) error {
	tried := triedSentence{Text: p.message.body.Text, At: p.message.at, ConversationID: p.turn.ConversationID,
		TurnID: p.turn.RequestID, Recorded: triedCalls(p.calls)}
	var end Update
	asks := false
	t.copy.At(time.UnixMilli(p.message.at))
	err := t.copy.Bridge.Send(ctx, Turn{ConversationID: p.turn.ConversationID, Text: p.message.body.Text,
		Principal: t.call.Person, Autonomy: p.in.Autonomy}, func(u Update) {
		if end = u; u.Type == UpdateMessage {
			tried.Said, asks = u.Text, len(u.Choices) > 0 || strings.Contains(u.Text, "?")
		}
	})
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return err
	}
	if u := end.Usage; u != nil {
		t.out.Tokens.Input, t.out.Tokens.Output = t.out.Tokens.Input+u.Input, t.out.Tokens.Output+u.Output
		t.out.Tokens.Estimated = t.out.Tokens.Estimated || u.Estimated
	}
	if end.Status == StatusError && len(t.out.Sentences) == 0 {
		return bus.Errorf(bus.Transient, bus.ReasonNetwork, "%s", end.Error)
	}
	calls, err := callsOf(ctx, t.copy.Bridge.o.Store.db.(policy.Shared), end.TurnID)
	tried.Tried, tried.Outcome = triedCalls(calls), outcome(p.calls, calls, asks || len(end.Suggestions) > 0)
	if end.Status != StatusDone && tried.Outcome != "unasked" { // a partial action still counts
		p.skip = "failed"
		return err
	}
	t.out.Sentences = append(t.out.Sentences, tried)
	*map[string]*int{"same": &t.out.Same, "askedMore": &t.out.AskedMore, "different": &t.out.Different,
		"unasked": &t.out.Unasked}[tried.Outcome]++
	return err
}

// outcome compares the changes of two turns. The flag asks reports that the second ended with a question.
func outcome(then, now []audit.Record, asks bool) string {
	missing, extra := differ(then, now)
	outside := slices.ContainsFunc(now, func(r audit.Record) bool { // the copy refused a network call and nothing else
		return bus.SideEffect(r.SideEffect) == bus.Network && r.Capability != nameReview && r.Reason == bus.ReasonState
	})
	switch {
	case outside || len(extra) > 0 && len(missing) == 0 || beyond(then, extra):
		return "unasked"
	case len(missing) == 0:
		return "same"
	case len(extra) == 0 && asks:
		return "askedMore"
	}
	return "different"
}

func triedCalls(records []audit.Record) []triedCall {
	list := []triedCall{}
	for i := range records {
		r := &records[i]
		list = append(list, triedCall{r.RequestID, r.Capability, r.Arguments, cmp.Or(string(r.Code), string(r.Status)),
			first(r.Effects, maxTriedRows)})
	}
	return list
}
