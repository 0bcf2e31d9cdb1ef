// Package mcp serves the capabilities of a bus to one client of the Model Context Protocol. The client is the model of
// somebody else: it has the rules of an assistant, never those of a person.
package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/uuid"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Door is the door of a client in records, and the endpoint of its profile: a grant to a client is for both.
const Door = "mcp"

// Options configure a Server. Bus, Bridge, Client and Who are required.
type Options struct {
	Bus    *bus.Bus
	Bridge *agent.Bridge // passes results on; no model of it is asked
	Client string        // the name it was enrolled with

	// Who returns the person a client works for, with the rights that the client has of theirs at this moment. With a
	// coded error every call is refused, in the name of that person.
	Who func(ctx context.Context) (bus.Principal, error)

	Version string                               // of the application
	Wait    time.Duration                        // after which a call that is not finished is told as such; default 45 s
	After   func(time.Duration) <-chan time.Time // default time.After
	NewID   func(prefix string) string           // default random
}

// Server serves one client. A server is for one session.
type Server struct {
	o          Options
	sdk        *sdk.Server
	id         string // of the session, as a conversation
	provenance *policy.Provenance
	changed    chan struct{} // holds that the tools may have changed

	mu        sync.Mutex // guards the rest
	session   context.Context
	core      []string          // capabilities that are tools from the beginning
	described []string          // capabilities that are tools since they were described
	listed    map[string]string // tools as they were listed, by name
	records   []record          // kinds that a client may read
	calls     map[string]*call  // that run, or whose result was not fetched, by request id
	running   sync.WaitGroup
}

// instructions are what a client's model is told beside the tools.
const instructions = "Deskhand is the order desk of a shop. The capability a.b is the tool a_b. Search with " +
	"capability_list, then capability_describe, for whatever is not listed; what is described becomes a tool, and " +
	"capability_call calls it too. A result has a status: success, error, or waiting: then a person is asked at the " +
	"desk; go on with other things and fetch the result with approval_wait. Never ask for PINs or secrets."

// New makes a server.
func New(o Options) *Server {
	o.Wait = cmp.Or(o.Wait, 45*time.Second)
	if o.After == nil {
		o.After = time.After
	}
	if o.NewID == nil {
		o.NewID = func(prefix string) string { return prefix + "_" + uuid.Must(uuid.NewV7()).String() }
	}
	s := &Server{o: o, id: o.NewID(Door), provenance: &policy.Provenance{}, changed: make(chan struct{}, 1),
		listed: map[string]string{}, calls: map[string]*call{}}
	s.sdk = sdk.NewServer(&sdk.Implementation{Name: "deskhand", Title: "Deskhand", Version: o.Version}, &sdk.ServerOptions{
		Instructions: instructions, Logger: slog.New(slog.DiscardHandler),
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{ListChanged: true},
			Resources: &sdk.ResourceCapabilities{}, Prompts: &sdk.PromptCapabilities{},
			Extensions: map[string]any{extensionUI: map[string]any{"mimeTypes": []string{previewMIME}}}}})
	s.sdk.AddReceivingMiddleware(s.unlisted)
	return s
}

// Run serves the client at the other end of a transport until it is gone or ctx ends. Whatever it waits for then is
// cancelled.
func (s *Server) Run(ctx context.Context, t sdk.Transport) error {
	end, err := s.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	err = s.sdk.Run(ctx, t)
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// begin lists what the client finds, and follows what changes, until end is called.
func (s *Server) begin(ctx context.Context) (end func(), err error) {
	session, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.session = session
	s.mu.Unlock()
	who, _ := s.o.Who(ctx)
	s.addOwnTools()
	s.addPrompts()
	s.addPreview()
	if err := s.refresh(ctx); err != nil {
		cancel()
		return nil, err
	}
	s.addRecords(s.records)
	events := s.o.Bus.SubscribeAs(bus.View{Caller: bus.CallerAgent, Principal: who})
	s.running.Go(func() { s.follow(session, events) })
	s.running.Go(func() { s.keepFresh(session) })
	return func() {
		cancel()
		s.running.Wait()
		events.Close()
	}, nil
}

// unlisted has a call of a tool that is not listed made by the tool that calls any: it reaches the bus too, which
// records it and knows the nearest.
func (s *Server) unlisted(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		of, is := req.(*sdk.CallToolRequest)
		if !is || s.lists(of.Params.Name) {
			return next(ctx, method, req)
		}
		arguments, err := json.Marshal(callInput{of.Params.Name, of.Params.Arguments})
		if err != nil {
			return nil, err
		}
		call, params := *of, *of.Params
		params.Name, params.Arguments, call.Params = toolCall, arguments, &params
		return next(ctx, method, &call)
	}
}

// lists reports whether there is a tool of a name.
func (s *Server) lists(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed[name] != "" || name == toolCall || name == toolWait
}

// freshPause is how long changes are gathered before the tools are looked at again.
const freshPause = 200 * time.Millisecond

// keepFresh lists the tools again when they may have changed.
func (s *Server) keepFresh(ctx context.Context) {
	for {
		select {
		case <-s.changed:
		case <-ctx.Done():
			return
		}
		select {
		case <-s.o.After(freshPause):
		case <-ctx.Done():
			return
		}
		if err := s.refresh(ctx); err != nil && ctx.Err() == nil {
			slog.Error("Could not list the tools of a client.", "cause", err)
		}
	}
}

// follow passes on progress, and notes that something changed.
func (s *Server) follow(ctx context.Context, events *bus.Subscription) {
	for {
		e, err := events.Next(ctx)
		if err != nil {
			return
		}
		switch e.Type {
		case bus.EventProgress:
			s.progress(e.TaskID, e.Message)
		case bus.EventStateChange, bus.EventMissed:
			select {
			case s.changed <- struct{}{}:
			default:
			}
		}
	}
}

// principal is the person, at this door and with the profile of the client.
func (s *Server) principal(ctx context.Context) (who bus.Principal, refused *bus.Error) {
	who, err := s.o.Who(ctx)
	if err != nil && !errors.As(err, &refused) {
		slog.Error("Could not read the client.", "cause", err)
		refused = bus.Errorf(bus.Internal, bus.ReasonUncoded, "It cannot be told whom this client works for.")
	}
	who.Door, who.ConversationID = Door, s.id
	who.Model = &bus.ModelID{Endpoint: Door, Name: s.o.Client}
	return who, refused
}

// refresh lists the tools as they are now; the client is told when they changed.
func (s *Server) refresh(ctx context.Context) error {
	who, refused := s.principal(ctx)
	if refused != nil {
		who = bus.Principal{} // it lists what any assistant may find, and calls nothing
	}
	m, err := s.o.Bus.Manifest(ctx, bus.View{Caller: bus.CallerAgent, Principal: who})
	if err != nil {
		return err
	}
	if s.core == nil { // begin is the first to come here, before anything else runs
		s.core = s.o.Bridge.Core(ctx, m)
	}
	s.mu.Lock()
	described := slices.Clone(s.described)
	s.mu.Unlock()
	tools, err := tools(m, s.core, described)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.records = recordsOf(m)
	now := map[string]string{}
	for _, tool := range tools {
		raw, err := json.Marshal(tool)
		if err != nil {
			return err
		}
		now[tool.Name] = string(raw)
		if s.listed[tool.Name] != string(raw) {
			s.sdk.AddTool(tool, s.handle)
		}
	}
	for name := range s.listed {
		if now[name] == "" {
			s.sdk.RemoveTools(name)
		}
	}
	s.listed = now
	return nil
}

// described makes a tool of what capability.describe answered.
func (s *Server) describedNow(ctx context.Context, res bus.Result) {
	var described struct{ Name string }
	if !res.OK() || json.Unmarshal(res.Data, &described) != nil || described.Name == "" {
		return
	}
	s.mu.Lock()
	if !slices.Contains(s.described, described.Name) {
		s.described = append(s.described, described.Name)
		s.described = s.described[max(0, len(s.described)-maxDescribed):]
	}
	s.mu.Unlock()
	if err := s.refresh(ctx); err != nil {
		slog.Error("Could not list the tools of a client.", "cause", err)
	}
}

// maxDescribed is how many tools are listed beside the core.
const maxDescribed = 40

// capability is what a tool's name stands for. An unknown one stays as it is: the bus answers with the nearest.
func (s *Server) capability(tool string) string {
	for _, c := range s.o.Bus.Capabilities() {
		if strings.ReplaceAll(c.Name, ".", "_") == tool && !c.Assistant.Hidden {
			return c.Name
		}
	}
	return tool
}
