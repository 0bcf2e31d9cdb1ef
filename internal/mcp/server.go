// Package mcp serves the capabilities of a bus to one client of the Model Context Protocol. The client's model belongs
// to another program, so the rules of an assistant apply to it, never those of a person.
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

// Door is the door of a client in records, and the endpoint of its profile. A grant to a client requires both.
const Door = "mcp"

// Options configures a Server. Required are Bus, Bridge, Client and Who.
type Options struct {
	Bus    *bus.Bus
	Bridge *agent.Bridge // passes results on; its model is not used
	Client string        // the name under which it was enrolled

	// Who, called for each request, returns the person that the client serves, with the current rights of the client.
	// With a coded error every call is refused, in the name of that person.
	Who func(ctx context.Context) (bus.Principal, error)

	Version string                               // of the application
	Wait    time.Duration                        // time after which a call is reported as unfinished; default 45 s
	After   func(time.Duration) <-chan time.Time // default time.After
	NewID   func(prefix string) string           // default random
}

// Server serves one client in one session.
type Server struct {
	o          Options
	sdk        *sdk.Server
	id         string // of the session, in the role of a conversation
	provenance *policy.Provenance
	changed    chan struct{} // holds an element if the tools may have changed

	mu        sync.Mutex // guards the other fields
	session   context.Context
	core      []string          // capabilities that are tools from the beginning
	described []string          // capabilities that became tools when they were described
	listed    map[string]string // the listed tools by name
	records   []record          // kinds that a client may read
	calls     map[string]*call  // running or unfetched calls, by request id
	running   sync.WaitGroup
}

// instructions are the instructions for a client's model.
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

// Run serves the client at the other end of a transport until it leaves or ctx ends. Calls that still wait are then
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

// begin registers tools, prompts and resources, and follows changes, until end is called.
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

// unlisted redirects a call of an unlisted tool to the tool that calls any capability. So the call reaches the bus,
// which records it and suggests the nearest name.
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

// lists reports whether a tool with a name is listed.
func (s *Server) lists(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.listed[name] != "" || name == toolCall || name == toolWait
}

// freshPause is the time for collecting changes before the tools are listed again.
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

// follow forwards progress, and records that the tools may have changed.
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

// principal returns the person, with this door and the profile of the client.
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

// refresh lists the current tools. The SDK notifies the client of a change.
func (s *Server) refresh(ctx context.Context) error {
	who, refused := s.principal(ctx)
	if refused != nil {
		who = bus.Principal{} // lists the capabilities that any assistant may find; calls are refused
	}
	m, err := s.o.Bus.Manifest(ctx, bus.View{Caller: bus.CallerAgent, Principal: who})
	if err != nil {
		return err
	}
	if s.core == nil { // begin calls first, before any other goroutine
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

// describedNow turns the capability in a result of capability.describe into a tool.
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

// maxDescribed limits the listed tools besides the core.
const maxDescribed = 40

// capability returns the capability with a tool's name. An unknown name stays the same, and the bus answers with the
// nearest.
func (s *Server) capability(tool string) string {
	for _, c := range s.o.Bus.Capabilities() {
		if strings.ReplaceAll(c.Name, ".", "_") == tool && !c.Assistant.Hidden {
			return c.Name
		}
	}
	return tool
}
