package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/google/uuid"
)

// App is what the page can call, all of it. Every method takes JSON and answers
// with JSON and never fails: an error object would lose its code on the way, a
// value that does not marshal would end the program, and a panic would leave the
// page waiting for ever.
type App struct {
	desk *desk
	ctx  context.Context                             // ends with the window
	emit func(name string, payload any)              // to the page
	pick func(title, pattern string) (string, error) // the system's file dialog; "" when cancelled

	folder  string                // where the shop is
	open    func() (*desk, error) // opens it
	opened  func(*desk)           // hears of a desk that was opened; nil: nobody. Guarded by opening
	opening sync.Mutex            // held while desk is set
}

// reply marshals an answer; problem stands in for one that cannot be made.
func reply(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		slog.Error("answer does not marshal", "cause", err)
		return string(`{"error":{"code":"INTERNAL","message":"The answer could not be written."}}`)
	}
	return string(raw)
}

// problem is the answer of a method that has nothing else to say.
type problem struct {
	Error struct {
		Code    bus.Code   `json:"code"`
		Reason  bus.Reason `json:"reason,omitempty"`
		Message string     `json:"message"`
		Hint    string     `json:"recovery_hint,omitempty"`
	} `json:"error"`
}

// guard makes a panic an answer.
func guard(answer *string) {
	if p := recover(); p != nil {
		slog.Error("panic at the boundary", "panic", p)
		*answer = refuse(bus.Errorf(bus.Internal, bus.ReasonPanic, "Something broke inside the application."))
	}
}

// refuse answers with an error, in a person's words.
func (a *App) refuse(err error) string {
	var e *bus.Error
	if errors.As(err, &e) {
		err = a.desk.bus.ForPeople(e)
	}
	return refuse(err)
}

// refuse answers with an error. One without a code is a defect of ours: it is
// logged, and the page is told no internals.
func refuse(err error) string {
	var e *bus.Error
	if !errors.As(err, &e) {
		slog.Error("a bound method failed", "cause", err)
		e = bus.Errorf(bus.Internal, bus.ReasonUncoded, "Something went wrong inside the application.")
	}
	var p problem
	p.Error.Code, p.Error.Reason, p.Error.Message, p.Error.Hint = e.Code, e.Reason, e.Message, e.Hint
	return reply(p)
}

// read decodes what the page sent.
func read(request string, into any) error {
	if err := json.Unmarshal([]byte(request), into); err != nil {
		return bus.Errorf(bus.Validation, bus.ReasonEnvelope, "What the page sent is not understood.").WithCause(err)
	}
	return nil
}

// Invoke runs one invocation: the wire shape in, the result envelope out. The
// caller is always ui, whatever the page says, and a refusal is in a person's words.
func (a *App) Invoke(invocation string) (answer string) {
	defer guard(&answer)
	if err := a.ready(); err != nil {
		return refuse(err)
	}
	r := a.desk.answer(a.ctx, []byte(invocation), func(inv *bus.Invocation) { inv.Caller.Type = bus.CallerUI })
	if r.Err != nil {
		r.Err = a.desk.bus.ForPeople(r.Err)
	}
	return reply(r)
}

// Cancel ends a running invocation: {"request_id"} → {"ok"}.
func (a *App) Cancel(request string) (answer string) {
	defer guard(&answer)
	if err := a.ready(); err != nil {
		return refuse(err)
	}
	var in struct {
		RequestID string `json:"request_id"`
	}
	if err := read(request, &in); err != nil {
		return a.refuse(err)
	}
	return reply(map[string]bool{"ok": a.desk.bus.Cancel(in.RequestID)})
}

// Manifest lists what the signed-in person can do: {"route"?} → the manifest, or
// {"route"?, "states":true} → the part of it that changes ([bus.Bus.AppendStates]),
// or {"next":true} → {"next_actions"}, the names of what is likely to be done next,
// the likeliest first. A page asks for the manifest whenever it is loaded, and one
// that was loaded again has lost its open cards: they are sent again. A page
// ignores the ones it has.
func (a *App) Manifest(request string) (answer string) {
	defer guard(&answer)
	if err := a.ready(); err != nil {
		return refuse(err)
	}
	var in struct {
		Route  string `json:"route"`
		States bool   `json:"states"`
		Next   bool   `json:"next"`
	}
	if request != "" {
		if err := read(request, &in); err != nil {
			return a.refuse(err)
		}
	}
	a.desk.lockIfIdle(a.ctx)
	if in.Next {
		next, err := a.desk.next(a.ctx)
		if err != nil {
			return a.refuse(err)
		}
		return reply(map[string][]string{"next_actions": next})
	}
	what := a.desk.bus.AppendManifest
	if in.States {
		what = a.desk.bus.AppendStates
	}
	m, err := what(a.ctx, nil, bus.View{Caller: bus.CallerUI, Principal: a.desk.signedIn(a.ctx), Route: in.Route})
	if err != nil {
		return a.refuse(err)
	}
	for _, card := range a.desk.policy.Pending() {
		a.emit("approval", policy.CardEvent{Type: policy.CardOpened, Card: card})
	}
	return string(m)
}

// Send says something to the assistant: {"conversation_id"?, "text"} →
// {"conversation_id", "turn_id"}; the rest comes as "chat" events.
func (a *App) Send(request string) (answer string) {
	defer guard(&answer)
	if err := a.ready(); err != nil {
		return refuse(err)
	}
	var in struct {
		ConversationID string `json:"conversation_id"`
		Text           string `json:"text"`
	}
	if err := read(request, &in); err != nil {
		return a.refuse(err)
	}
	if in.ConversationID == "" {
		in.ConversationID = "chat_" + uuid.Must(uuid.NewV7()).String()
	}
	a.desk.lockIfIdle(a.ctx)
	person := a.desk.signedIn(a.ctx)
	if person.Person == "" {
		return a.refuse(errNobody())
	}
	started := make(chan string, 1)
	ended := make(chan error, 1)
	go func() {
		defer func() {
			if p := recover(); p != nil {
				slog.Error("panic in a turn", "panic", p)
				ended <- bus.Errorf(bus.Internal, bus.ReasonPanic, "Something broke inside the application.")
			}
		}()
		turn := agent.Turn{ConversationID: in.ConversationID, Text: in.Text, Principal: person}
		ended <- a.desk.bridge.Send(a.ctx, turn, func(u agent.Update) {
			select {
			case started <- u.TurnID:
			default:
			}
			a.emit("chat", u)
		})
	}()
	select {
	case turn := <-started:
		return reply(map[string]string{"conversation_id": in.ConversationID, "turn_id": turn})
	case err := <-ended:
		select {
		case turn := <-started: // a short turn is over already
			return reply(map[string]string{"conversation_id": in.ConversationID, "turn_id": turn})
		default:
		}
		if err == nil {
			err = bus.Errorf(bus.Internal, bus.ReasonUncoded, "The turn ended without a word.")
		}
		return a.refuse(err)
	}
}

// Stop ends the running turn of a conversation: {"conversation_id"} → {"ok"}.
func (a *App) Stop(request string) (answer string) {
	defer guard(&answer)
	if err := a.ready(); err != nil {
		return refuse(err)
	}
	var in struct {
		ConversationID string `json:"conversation_id"`
	}
	if err := read(request, &in); err != nil {
		return a.refuse(err)
	}
	return reply(map[string]bool{"ok": a.desk.bridge.Stop(in.ConversationID)})
}

// Decide answers a confirmation card: agent.Answer, or agent.Approval where the
// card needs another person's PIN → {"ok":true}.
func (a *App) Decide(request string) (answer string) {
	defer guard(&answer)
	if err := a.ready(); err != nil {
		return refuse(err)
	}
	var in struct {
		policy.Answer
		Approver string     `json:"approver"`
		PIN      policy.PIN `json:"pin"`
	}
	if err := read(request, &in); err != nil {
		return a.refuse(err)
	}
	a.desk.lockIfIdle(a.ctx)
	in.Who = a.desk.signedIn(a.ctx)
	if in.By = in.Who.Person; in.By == "" {
		return a.refuse(errNobody())
	}
	var err error
	if in.Approver != "" && in.Answer.Answer == policy.AnswerAllow {
		err = a.desk.policy.ApproveByPIN(a.ctx, policy.Approval{ApprovalID: in.ApprovalID, Approver: in.Approver, PIN: in.PIN, Arguments: in.Arguments, Reason: in.Reason})
	} else {
		err = a.desk.policy.Decide(in.Answer)
	}
	if err != nil {
		return a.refuse(err)
	}
	return reply(map[string]bool{"ok": true})
}

// PickFile opens the system's dialog: {"kind"?: "csv" | "backup" | "shop"} → {"file",
// "name", "size"}, or {} when the person cancelled. Without a kind it is csv. The
// token is the only way to name the file.
func (a *App) PickFile(request string) (answer string) {
	defer guard(&answer)
	if err := a.ready(); err != nil {
		return refuse(err)
	}
	var in struct {
		Kind string `json:"kind"`
	}
	if request != "" {
		if err := read(request, &in); err != nil {
			return a.refuse(err)
		}
	}
	title, pattern := "Choose a CSV file", "*.csv"
	switch in.Kind {
	case "backup":
		title, pattern = "Choose a copy of the shop", "*.db"
	case "shop":
		title, pattern = "Choose the file of a shop", "*.json"
	}
	path, err := a.pick(title, pattern)
	if err != nil {
		return a.refuse(bus.Errorf(bus.Internal, bus.ReasonUncoded, "The file dialog could not be opened.").WithCause(err))
	}
	if path == "" {
		return "{}"
	}
	info, err := os.Stat(path)
	if err != nil {
		return a.refuse(bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s cannot be read.", filepath.Base(path)).WithCause(err))
	}
	return reply(map[string]any{"file": a.desk.files.add(path), "name": info.Name(), "size": info.Size()})
}

// DropFile keeps what was dropped onto the window: {"name", "content"}, the content
// in base64 → {"file", "name", "size", "kind"}. The token stands for that content
// alone, and the name is only shown: no path comes from the page. The kind is what
// the file is an export of, "" where its header does not tell.
func (a *App) DropFile(request string) (answer string) {
	defer guard(&answer)
	if err := a.ready(); err != nil {
		return refuse(err)
	}
	var in struct {
		Name    string `json:"name"`
		Content []byte `json:"content"`
	}
	if err := read(request, &in); err != nil {
		return a.refuse(err)
	}
	a.desk.lockIfIdle(a.ctx)
	if a.desk.signedIn(a.ctx).Person == "" {
		return a.refuse(errNobody())
	}
	token, name, err := a.desk.files.drop(in.Name, in.Content)
	if err != nil {
		return a.refuse(err)
	}
	return reply(map[string]any{"file": token, "name": name, "size": len(in.Content), "kind": shop.CSVKind(in.Content)})
}
