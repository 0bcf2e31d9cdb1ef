package mcp

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// call is one invocation for the client.
type call struct {
	requestID  string
	capability *bus.Capability // nil for an unknown name
	what       string          // capability and arguments, to recognise a repeated call
	cancel     context.CancelFunc
	done       chan struct{} // closed when there is a result
	result     *sdk.CallToolResult

	// Guarded by Server.mu.
	asked   int          // number of its open cards…
	card    *policy.Card // …and the last of them
	waiting bool
	tell    func(message string) // reports progress to a waiting client; nil if it requested none
}

// maxKept limits the results that wait to be fetched.
const maxKept = 100

// callInput is the input of the tool that calls any capability.
type callInput struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
}

// handle handles one call of a tool.
func (s *Server) handle(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	name, arguments := req.Params.Name, req.Params.Arguments
	switch name {
	case toolWait:
		var in struct{ RequestID string }
		_ = json.Unmarshal(arguments, &in) // without one there is no such call
		s.mu.Lock()
		c := s.calls[in.RequestID]
		s.mu.Unlock()
		if c == nil {
			return failure("", bus.Errorf(bus.NotFound, bus.ReasonRecord,
				"No call of this session with the request id %q waits.", in.RequestID).
				WithHint("Use the request_id of a result whose status is waiting; each is fetched once.")), nil
		}
		return s.await(ctx, req, c, false), nil
	case toolCall:
		var in callInput
		if err := json.Unmarshal(arguments, &in); err != nil || in.Name == "" {
			return failure("", bus.Errorf(bus.Validation, bus.ReasonArguments, "Say the name of a capability.").
				WithHint(`Send {"name":"…","arguments":{…}}.`)), nil
		}
		name, arguments = in.Name, in.Arguments
	}
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = json.RawMessage(`{}`)
	}
	capability := s.capability(name)
	c, begun := s.start(capability, s.o.Bridge.Mend(capability, arguments, nil))
	return s.await(ctx, req, c, begun), nil
}

// start makes an invocation, or returns an equal one that waits for a person, so that the person is asked only once.
func (s *Server) start(capability string, arguments json.RawMessage) (c *call, begun bool) {
	c = &call{requestID: s.o.NewID("req"), what: capability + " " + canonical(arguments), done: make(chan struct{})}
	c.capability, _ = s.o.Bus.Lookup(capability)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, other := range s.calls {
		if other.what == c.what && other.asked > 0 {
			return other, false
		}
	}
	ctx, cancel := context.WithCancel(s.session)
	c.cancel = cancel
	s.calls[c.requestID] = c
	s.running.Go(func() {
		defer cancel()
		c.result = s.invoke(ctx, c, capability, arguments)
		close(c.done)
	})
	return c, true
}

// canonical returns JSON with sorted keys. Other text stays the same.
func canonical(raw json.RawMessage) string {
	v, err := decode(raw)
	if err != nil {
		return string(raw)
	}
	out, _ := json.Marshal(v) // it was JSON
	return string(out)
}

// decode reads JSON and preserves the notation of numbers.
func decode(raw json.RawMessage) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

// invoke runs the call on the bus and words its result.
func (s *Server) invoke(ctx context.Context, c *call, capability string,
	arguments json.RawMessage) *sdk.CallToolResult {
	who, refused := s.principal(ctx)
	run := s.provenance.In(ctx)
	if capability == agent.TurnCapability || c.capability != nil && c.capability.Assistant.Only &&
		c.capability.Listing.Passive {
		refused = bus.Errorf(bus.Forbidden, bus.ReasonAgentForbidden, "The application does that itself.")
	}
	if refused != nil {
		run = policy.Refuse(run, refused)
	}
	res := s.o.Bus.Invoke(run, bus.Invocation{Capability: capability, Arguments: arguments, RequestID: c.requestID,
		Principal: who, Caller: bus.Caller{Type: bus.CallerAgent, Source: s.id}})
	if refused != nil && !res.OK() {
		res.Err = refused // the record may contain another reason
	}
	ctx = context.WithoutCancel(ctx)
	passed, note, err := s.o.Bridge.PassOn(ctx, s.provenance, capability, res)
	if err != nil {
		return failure(c.requestID, bus.Errorf(bus.Internal, bus.ReasonUncoded,
			"It was done, and the result cannot be read.").WithHint("Look the record up at the desk."))
	}
	if edit, _ := s.provenance.TakeOutcome(c.requestID); edit != nil {
		arguments = edit
		note = strings.TrimSpace(fmt.Sprintf("The person changed the arguments to %s. %s", s.o.Bus.Redacted(capability, edit),
			note))
	}
	if capability == nameDescribe {
		s.describedNow(ctx, res)
	}
	did := summaries(res)
	if res.OK() && c.capability.SideEffect != bus.Pure {
		s.provenance.Did(capability, s.o.Bus.WithDefaults(capability, arguments),
			cameOf(res, c.capability))
	}
	r := answer(passed, c.capability, did, note)
	s.mu.Lock()
	defer s.mu.Unlock()
	r.Content = append(r.Content, links(s.records, capability, passed.Data)...)
	return r
}

// cameOf describes the outcome of a call with the sentences of its events.
func cameOf(res bus.Result, c *bus.Capability) (came bus.Text) {
	for _, e := range res.Events {
		said := e.Texts.At("/message", e.Message)
		if e.Summary != "" {
			said = e.Texts.At("/summary", e.Summary)
		}
		switch {
		case said.IsZero():
		case came.IsZero():
			came = said
		default:
			came = bus.Textf("%s %s", came, said)
		}
	}
	if came.IsZero() {
		return c.TitleText()
	}
	return came
}

// summaries returns the sentences with which a call describes its effects.
func summaries(res bus.Result) (did []string) {
	for _, e := range res.Events {
		if said := cmp.Or(e.Summary, e.Message); said != "" {
			did = append(did, said)
		}
	}
	return did
}

// await waits for the result of a call, or until it must answer that there is none so far. If the client cancels the
// request that started the call, the call is cancelled. A request that fetches a result only stops waiting.
func (s *Server) await(ctx context.Context, req *sdk.CallToolRequest, c *call, begun bool) *sdk.CallToolResult {
	s.mu.Lock()
	c.tell = nil
	if token := req.Params.GetProgressToken(); token != nil {
		var told atomic.Int64
		c.tell = func(message string) {
			_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{ProgressToken: token, Message: message,
				Progress: float64(told.Add(1))}) // without effect if the client has left
		}
	}
	s.mu.Unlock()
	select {
	case <-c.done:
	case <-ctx.Done():
		s.mu.Lock()
		mine := begun && !c.waiting
		s.mu.Unlock()
		if mine {
			c.cancel()
			<-c.done
		} else {
			return s.notYet(c)
		}
	case <-s.o.After(s.o.Wait):
		return s.notYet(c)
	}
	s.mu.Lock()
	delete(s.calls, c.requestID)
	s.mu.Unlock()
	return c.result
}

// notYet returns the answer that there is no result so far.
func (s *Server) notYet(c *call) *sdk.CallToolResult {
	s.mu.Lock()
	defer s.mu.Unlock()
	c.waiting, c.tell = true, nil
	s.forgetFetchable(c)
	said := "This still runs."
	if c.asked > 0 {
		said = "This waits for a person, who is asked in Deskhand's window or by the command: deskhand approvals."
	}
	said += fmt.Sprintf(" Call %s with requestId %s for the result; it was not declined.", toolWait, c.requestID)
	r := result(map[string]any{"status": "waiting", "request_id": c.requestID, "message": said}, said, false)
	if c.asked > 0 {
		r.Meta = sdk.Meta{metaPreview: previewOf(c.card)}
	}
	return r
}

// forgetFetchable limits the results that were never fetched. It keeps the result of one call. The caller holds mu.
func (s *Server) forgetFetchable(but *call) {
	for id, c := range s.calls {
		if len(s.calls) <= maxKept {
			return
		}
		select {
		case <-c.done:
			if c != but {
				delete(s.calls, id)
			}
		default:
		}
	}
}

// OnCard receives the cards of this program, like [policy.Options.OnCard]. The client's person sees a preview next to
// the waiting result. Its model only learns that a person is being asked.
func (s *Server) OnCard(e policy.CardEvent) {
	s.mu.Lock()
	c := s.calls[e.Card.RequestID]
	if c != nil && e.Type == policy.CardOpened {
		c.asked, c.card = c.asked+1, &e.Card
	} else if c != nil {
		c.asked--
	}
	s.mu.Unlock()
	if c != nil && e.Type == policy.CardOpened {
		s.progress(e.Card.RequestID, "A person is asked at the desk.")
	}
}

// progress reports the progress of a call to the client, if it requested that.
func (s *Server) progress(requestID, message string) {
	var tell func(string)
	s.mu.Lock()
	if c := s.calls[requestID]; c != nil {
		tell = c.tell
	}
	s.mu.Unlock()
	if tell != nil {
		tell(message)
	}
}

// unread lists the fields of a result that no model needs, because the text describes the effects.
var unread = strings.Fields("events execution_time_ms timestamp cost_estimate facts texts")

// answer words a result.
func answer(res bus.Result, c *bus.Capability, did []string, note string) *sdk.CallToolResult {
	if !res.OK() {
		out := failure(res.RequestID, res.Err)
		if note != "" {
			out.Content = append(out.Content, &sdk.TextContent{Text: note})
		}
		return out
	}
	told := envelope(res)
	said := cmp.Or(strings.Join(did, " "), c.Title+": done.")
	if len(did) > 0 {
		told["did"] = did
	}
	if note != "" {
		told["note"] = note
		said += " " + note
	}
	return result(told, said, false)
}

// envelope returns a result in its wire form without the unread fields.
func envelope(res bus.Result) map[string]any {
	raw, err := json.Marshal(res)
	var wire any
	if err == nil {
		wire, err = decode(raw)
	}
	told, is := wire.(map[string]any)
	if err != nil || !is {
		told = map[string]any{"status": bus.StatusError, "code": bus.Internal, "message": "The result cannot be shown."}
	}
	for _, field := range unread {
		delete(told, field)
	}
	return told
}

// failure returns an error as a result, so that the model can read it and correct its call.
func failure(requestID string, e *bus.Error) *sdk.CallToolResult {
	said := fmt.Sprintf("%s (%s): %s", e.Code, e.Reason, e.Message)
	if e.Hint != "" {
		said += " " + e.Hint
	}
	return result(envelope(bus.Result{Status: bus.StatusError, RequestID: requestID, Err: e}), said, true)
}

// result returns a short text for all clients and the complete result for the model. Older clients read only texts.
func result(told map[string]any, said string, wrong bool) *sdk.CallToolResult {
	var whole bytes.Buffer
	e := json.NewEncoder(&whole)
	e.SetEscapeHTML(false)
	_ = e.Encode(told) // it was JSON
	return &sdk.CallToolResult{IsError: wrong, StructuredContent: told, Content: []sdk.Content{
		&sdk.TextContent{Text: said},
		&sdk.TextContent{Text: strings.TrimSpace(whole.String()),
			Annotations: &sdk.Annotations{Audience: []sdk.Role{"assistant"}}}}}
}
