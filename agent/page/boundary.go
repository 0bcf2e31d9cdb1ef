package page

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/uuid"
)

// Methods are the methods that a page may call. Each takes JSON, answers with JSON and never fails.
type Methods interface {
	Invoke(invocation string) string
	Cancel(request string) string
	Manifest(request string) string
	Send(request string) string
	Stop(request string) string
	Decide(request string) string
	PickFile(request string) string
	DropFile(request string) string
}

// Boundary answers the calls of a page. Its methods are exactly those that a page may call, so that a program can bind
// it directly. Each takes JSON, answers with JSON and never fails: an error object would lose its code on the way, a
// value that does not marshal would end the program, and a panic would leave the page without an answer.
type Boundary struct {
	Context context.Context                  // ends with the page
	Emit    func(stream string, payload any) // sends an event to the page; see [Numbered]
	// Reach returns the application. Each call asks it. It may return another one than before, with another Bus. Then a
	// page that was loaded for the earlier one may change nothing and must load again (see [Boundary.Renew]).
	Reach func() (*Desk, error)

	mu     sync.Mutex // guards the rest
	desk   *Desk      // the latest; nil before the first call
	loaded *bus.Bus   // of the desk for which the page was loaded last; nil if unknown
}

// Desk is the application that a page is connected to.
type Desk struct {
	Bus    *bus.Bus
	Bridge *agent.Bridge                       // nil: there is no assistant
	Policy *policy.Policy                      // nil: there are no cards
	Who    func(context.Context) bus.Principal // the signed-in person; the zero Principal if there is none

	// Answer runs an invocation in the wire shape; stamp adds the caller as the boundary knows it. Default:
	// [bus.Bus.InvokeJSON] in the name of Who.
	Answer func(ctx context.Context, invocation []byte, stamp func(*bus.Invocation)) bus.Result

	// Next names the likely next capabilities, most likely first. nil: none.
	Next func(context.Context) ([]string, error)

	// Pick lets the person choose a file of a kind that the application knows. Drop keeps the content of a file that
	// the person dropped onto the page; its name is only for display, because no path comes from a page. Each returns
	// an object with the members file, a token, and name, size and kind. Pick returns nil if the person cancelled.
	// Default: files are refused.
	Pick func(kind string) (any, error)
	Drop func(name string, content []byte) (any, error)
}

func (d *Desk) answer(ctx context.Context, invocation []byte, stamp func(*bus.Invocation)) bus.Result {
	if d.Answer != nil {
		return d.Answer(ctx, invocation, stamp)
	}
	return d.Bus.InvokeJSON(ctx, invocation, func(inv *bus.Invocation) {
		inv.Principal = d.Who(ctx)
		stamp(inv)
	})
}

func errSignedOut() error {
	return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "Nobody is signed in.").WithHint("Sign in first.")
}

// answer runs one call on the desk and marshals its result.
func (b *Boundary) answer(call func(*Desk) (any, error)) (answer string) {
	defer func() {
		if p := recover(); p != nil {
			slog.Error("panic at the boundary", "panic", p)
			answer = Refusal(errPanic())
		}
	}()
	d, err := b.Reach()
	if err != nil {
		return Refusal(err)
	}
	b.mu.Lock()
	b.desk = d
	b.mu.Unlock()
	out, err := call(d)
	if err == nil {
		return reply(out)
	}
	if e, ok := errors.AsType[*bus.Error](err); ok {
		err = d.Bus.ForPeople(e)
	}
	return Refusal(err)
}

// serve decodes a request and answers it.
func serve[In any](b *Boundary, request string, call func(*Desk, In) (any, error)) string {
	return b.answer(func(d *Desk) (any, error) {
		var in In
		if err := json.Unmarshal([]byte(request), &in); err != nil {
			return nil, bus.Errorf(bus.Validation, bus.ReasonEnvelope, "What the page sent is not understood.").
				WithCause(err)
		}
		return call(d, in)
	})
}

func errPanic() error {
	return bus.Errorf(bus.Internal, bus.ReasonPanic, "Something broke inside the application.")
}

// reply marshals an answer; raw JSON stays unchanged.
func reply(v any) string {
	if raw, ok := v.(json.RawMessage); ok {
		return string(raw)
	}
	raw, err := json.Marshal(v)
	if err != nil {
		slog.Error("Could not marshal an answer.", "cause", err)
		return `{"error":{"code":"INTERNAL","message":"The answer could not be written."}}`
	}
	return string(raw)
}

// problem is the answer of a method that failed.
type problem struct {
	Error struct {
		Code    bus.Code   `json:"code"`
		Reason  bus.Reason `json:"reason,omitempty"`
		Message string     `json:"message"`
		Hint    string     `json:"recovery_hint,omitempty"`
		Texts   bus.Texts  `json:"texts,omitempty"`
	} `json:"error"`
}

// Refusal returns the answer of a method that failed. An error without a code is a defect: Refusal logs it and hides
// its text from the page.
func Refusal(err error) string {
	e, ok := errors.AsType[*bus.Error](err)
	if !ok {
		slog.Error("a bound method failed", "cause", err)
		e = bus.Errorf(bus.Internal, bus.ReasonUncoded, "Something went wrong inside the application.")
	}
	var p problem
	p.Error.Code, p.Error.Reason, p.Error.Message, p.Error.Hint = e.Code, e.Reason, e.Message, e.Hint
	p.Error.Texts.Put("/message", e.MessageText())
	p.Error.Texts.Put("/recovery_hint", e.HintText())
	return reply(p)
}

type done struct {
	OK bool `json:"ok"`
}

// isStale reports whether the page was loaded for another desk than the present one.
func (b *Boundary) isStale(d *Desk) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.loaded != nil && b.loaded != d.Bus
}

// errStale refuses a change by a stale page, and tells the page again to load, in case it missed the first event.
func (b *Boundary) errStale() error {
	b.Renew("")
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The window does not show that any more.").
		WithHint("Do it again on what the window shows now.")
}

// Renew tells the page that Reach returns another desk, by a state change of the domain "desk" with the reason as its
// id, if there is one. The page then loads again and reports that with its first request for the manifest.
func (b *Boundary) Renew(why string) {
	e := bus.Event{Type: bus.EventStateChange, Domain: "desk"}
	if why != "" {
		e.IDs = []string{why}
	}
	b.Emit("bus", e)
}

// onlyReads reports whether an invocation in the wire shape only reads, or its capability is unknown.
func (d *Desk) onlyReads(invocation string) bool {
	var in struct{ Capability string }
	_ = json.Unmarshal([]byte(invocation), &in) // the bus refuses other data
	c, known := d.Bus.Lookup(in.Capability)
	return !known || c.SideEffect == bus.Pure
}

// Invoke runs one invocation: the wire shape in, the result envelope out. The caller's type is always ui, even if the
// page claims another, and a refusal is worded for people.
func (b *Boundary) Invoke(invocation string) string {
	return b.answer(func(d *Desk) (any, error) {
		if b.isStale(d) && !d.onlyReads(invocation) {
			return nil, b.errStale()
		}
		r := d.answer(b.Context, []byte(invocation), func(inv *bus.Invocation) { inv.Caller.Type = bus.CallerUI })
		if r.Err != nil {
			r.Err = d.Bus.ForPeople(r.Err)
		}
		return r, nil
	})
}

// Cancel ends a running invocation of the person at the page: {"request_id"} → {"ok"}.
func (b *Boundary) Cancel(request string) string {
	type input struct {
		RequestID string `json:"request_id"`
	}
	return serve(b, request, func(d *Desk, in input) (any, error) {
		return done{d.Bus.Cancel(in.RequestID, d.Who(b.Context).ID)}, nil
	})
}

// Manifest lists the actions that are possible for the person at the page: {"route"?, "loading"?} → the manifest, with
// "loading":true in the first request of a loaded page; {"route"?, "states":true} → the part of it that changes
// ([bus.Bus.AppendStates]); {"next":true} → {"next_actions"}, the names of likely next actions, most likely first;
// {"cards":true} → {"cards"}, the open cards that the person may answer, oldest first. A page requests the cards when
// it loads, after an event that opens or closes one, and for another person.
func (b *Boundary) Manifest(request string) string {
	type input struct {
		Route   string `json:"route"`
		States  bool   `json:"states"`
		Next    bool   `json:"next"`
		Cards   bool   `json:"cards"`
		Loading bool   `json:"loading"`
	}
	return serve(b, cmp.Or(request, "{}"), func(d *Desk, in input) (any, error) {
		if in.Loading {
			b.mu.Lock()
			b.loaded = d.Bus
			b.mu.Unlock()
		}
		who := d.Who(b.Context)
		if in.Cards {
			cards := []policy.Card{}
			if d.Policy != nil && who.ID != "" {
				for _, card := range d.Policy.Pending(who.ID) {
					cards = append(cards, d.withTimeLeft(card))
				}
			}
			return map[string][]policy.Card{"cards": cards}, nil
		}
		if in.Next {
			next, err := []string(nil), error(nil)
			if d.Next != nil {
				next, err = d.Next(b.Context)
			}
			return map[string][]string{"next_actions": next}, err
		}
		appendTo := d.Bus.AppendManifest
		if in.States {
			appendTo = d.Bus.AppendStates
		}
		m, err := appendTo(b.Context, nil, bus.View{Caller: bus.CallerUI, Principal: who, Route: in.Route})
		if err != nil {
			return nil, err
		}
		return json.RawMessage(m), nil
	})
}

// Decide answers a confirmation card: policy.Answer, or policy.Approval if the card needs a second approver's PIN →
// {"ok":true}.
func (b *Boundary) Decide(request string) string {
	type input struct {
		policy.Answer
		Approver string     `json:"approver"`
		PIN      policy.PIN `json:"pin"`
	}
	return serve(b, request, func(d *Desk, in input) (any, error) {
		if b.isStale(d) {
			return nil, b.errStale()
		}
		if d.Policy == nil {
			return nil, errReadOnly()
		}
		in.Who = d.Who(b.Context)
		if in.By = in.Who.ID; in.By == "" {
			return nil, errSignedOut()
		}
		if in.Approver != "" && in.Answer.Answer == bus.AnswerAllow {
			return done{true}, d.Policy.ApproveByPIN(b.Context, policy.Approval{ApprovalID: in.ApprovalID,
				Approver: in.Approver, PIN: in.PIN, Arguments: in.Arguments, Reason: in.Reason})
		}
		return done{true}, d.Policy.Decide(in.Answer)
	})
}

// Send passes a sentence to the assistant, with the open pages: {"conversation_id"?, "text", "pages"?, "autonomy"?} →
// {"conversation_id", "turn_id"}. The updates of the turn follow as "chat" events.
func (b *Boundary) Send(request string) string {
	type input struct {
		ConversationID string          `json:"conversation_id"`
		Text           string          `json:"text"`
		Pages          pages           `json:"pages"`
		Autonomy       policy.Autonomy `json:"autonomy"`
	}
	return serve(b, request, func(d *Desk, in input) (any, error) {
		if b.isStale(d) {
			return nil, b.errStale()
		}
		if d.Bridge == nil {
			return nil, errReadOnly()
		}
		who := d.Who(b.Context)
		if who.ID == "" {
			return nil, errSignedOut()
		}
		turn := agent.Turn{ConversationID: in.ConversationID, Text: in.Text, Principal: who, Pages: in.Pages,
			Autonomy: in.Autonomy}
		if turn.ConversationID == "" {
			turn.ConversationID = "chat_" + uuid.Must(uuid.NewV7()).String()
		}
		id, err := b.start(d, turn)
		return map[string]string{"conversation_id": turn.ConversationID, "turn_id": id}, err
	})
}

// pages refuses unknown keys, because one may hold text that the person typed.
type pages []agent.PageContext

func (p *pages) UnmarshalJSON(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	return d.Decode((*[]agent.PageContext)(p))
}

// start runs a turn in the background and returns its id once it has one.
func (b *Boundary) start(d *Desk, turn agent.Turn) (id string, err error) {
	first := make(chan struct{}) // closed by the first update, or at the end without one
	var once sync.Once
	tell := func(turnID string, end error) {
		once.Do(func() {
			id, err = turnID, end
			close(first)
		})
	}
	go func() {
		defer func() {
			if p := recover(); p != nil {
				slog.Error("panic in a turn", "panic", p)
				tell("", errPanic())
			}
		}()
		end := d.Bridge.Send(b.Context, turn, func(u agent.Update) {
			tell(u.TurnID, nil)
			if b.shows(d) {
				b.Emit("chat", u)
			}
		})
		if end == nil {
			end = bus.Errorf(bus.Internal, bus.ReasonUncoded, "The turn ended without a word.")
		}
		tell("", end)
	}()
	<-first
	return id, err
}

// shows reports whether a desk is the latest one.
func (b *Boundary) shows(d *Desk) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.desk == nil || b.desk.Bus == d.Bus
}

// Stop ends the running turn of the person's conversation: {"conversation_id"} → {"ok"}.
func (b *Boundary) Stop(request string) string {
	type input struct {
		ConversationID string `json:"conversation_id"`
	}
	return serve(b, request, func(d *Desk, in input) (any, error) {
		if b.isStale(d) { // both desks may have the conversation
			return nil, b.errStale()
		}
		if d.Bridge == nil {
			return nil, errReadOnly()
		}
		return done{d.Bridge.Stop(in.ConversationID, d.Who(b.Context).ID)}, nil
	})
}

// PickFile lets the person choose a file: {"kind"?} → {"file", "name", "size"}, or {} after a cancellation. The token
// is the only way to name the file.
func (b *Boundary) PickFile(request string) string {
	type input struct {
		Kind string `json:"kind"`
	}
	return serve(b, cmp.Or(request, "{}"), func(d *Desk, in input) (any, error) {
		if d.Pick == nil {
			return nil, errNoFiles()
		}
		file, err := d.Pick(in.Kind)
		if file == nil {
			file = struct{}{}
		}
		return file, err
	})
}

// DropFile keeps a file that the person dropped onto the page: {"name", "content"}, the content in base64 → {"file",
// "name", "size", "kind"}. The token stands for that content alone; the kind is "" if the content does not determine
// it.
func (b *Boundary) DropFile(request string) string {
	type input struct {
		Name    string `json:"name"`
		Content []byte `json:"content"`
	}
	return serve(b, request, func(d *Desk, in input) (any, error) {
		switch {
		case d.Drop == nil:
			return nil, errNoFiles()
		case d.Who(b.Context).ID == "":
			return nil, errSignedOut()
		}
		return d.Drop(in.Name, in.Content)
	})
}

func errReadOnly() error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "Here things are only looked at.")
}

func errNoFiles() error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "This application takes no files.")
}
