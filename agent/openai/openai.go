package openai

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/deskhand/deskhand/agent/internal/clock"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
	"github.com/sashabaranov/go-openai"
)

// Options configure a model behind an OpenAI-compatible endpoint.
type Options struct {
	BaseURL string                 // e.g. "http://localhost:11434/v1"; required
	Key     func() (string, error) // called for each request; nil or "" for none
	Model   string                 // the endpoint's name for it; required
	Context int                    // tokens of its context; 0: ask the endpoint
	OneCall bool                   // a test found that it makes one call at a time; request no more
	Thinks  bool                   // a test found that it thinks before it answers, which takes longer
	// New wraps its transport; default http.DefaultTransport, no timeout
	HTTPClient *http.Client
	// after 429, 5xx or a refused connection; default 2, negative none
	Retries int
	// a longer Retry-After is an error instead of a wait; default 20 s
	MaxWait time.Duration
	Sleep   func(ctx context.Context, d time.Duration) error // default a timer
}

type endpoint struct {
	o        Options
	base     http.RoundTripper
	address  string // BaseURL without credentials, for people and records
	query    string // of BaseURL, such as api-version=…
	client   *openai.Client
	plain    atomic.Bool  // the endpoint refused optional request fields: omit them
	streamed atomic.Bool  // the last reply arrived in pieces
	simple   atomic.Bool  // the endpoint rejects a keyword of a schema: describe it in words
	size     atomic.Int64 // of the context, as the endpoint reported it; 0: unknown
	told     atomic.Bool  // the endpoint was asked for the size
	thinks   atomic.Bool  // it sends thoughts separately: send them back
	demands  atomic.Bool  // it refuses a call without the thoughts before it
}

// New makes a Model for an endpoint. It checks the options; it does not connect.
func New(o Options) (model.Model, error) {
	u, err := url.Parse(strings.TrimSpace(o.BaseURL))
	if err != nil || u.Host == "" || (u.Scheme != "http" && u.Scheme != "https") {
		return nil, problem(ProblemSettings, "%q is not an address of a model. It looks like http://localhost:11434/v1.",
			text.Clean(o.BaseURL, 120))
	}
	if u.Scheme == "http" && model.IsRemote(bus.ModelID{Endpoint: o.BaseURL}) {
		return nil, problem(ProblemSettings, "%s would get the key and all that is said unencrypted: use https, or http "+
			"for a model on this computer.", u.Host)
	}
	if strings.TrimSpace(o.Model) == "" {
		return nil, problem(ProblemSettings, "Name the model to use at %s.", u.Host)
	}
	o.Retries, o.MaxWait = cmp.Or(o.Retries, 2), cmp.Or(o.MaxWait, 20*time.Second)
	o.HTTPClient = cmp.Or(o.HTTPClient, &http.Client{})
	if o.Sleep == nil {
		o.Sleep = clock.Sleep
	}
	m := &endpoint{query: u.RawQuery}
	m.thinks.Store(o.Thinks)
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions")
	u.RawPath, u.RawQuery, u.Fragment = "", "", ""
	o.BaseURL = u.String()
	u.User = nil
	m.o, m.address = o, u.String()
	client := *o.HTTPClient
	m.base = cmp.Or(client.Transport, http.DefaultTransport)
	client.Transport = transport{m}
	config := openai.DefaultConfig("")
	config.BaseURL, config.HTTPClient = o.BaseURL, &client
	m.client = openai.NewClientWithConfig(config)
	return m, nil
}

// Profile implements Model.
func (m *endpoint) Profile() bus.ModelID { return bus.ModelID{Endpoint: m.address, Name: m.o.Model} }

// Stream implements Model.
func (m *endpoint) Stream(ctx context.Context, req model.Request, onDelta func(model.Delta)) (model.Reply, error) {
	for attempt := 0; ; attempt++ {
		reply, err := m.once(ctx, req, onDelta)
		var e *Error
		if err == nil || !errors.As(err, &e) {
			return reply, err
		}
		e.Learnt = m.learn(e)
		if wantsThoughts(e) && m.demands.CompareAndSwap(false, true) ||
			refusesOptional(e) && m.plain.CompareAndSwap(false, true) ||
			refusesSchema(e) && m.simple.CompareAndSwap(false, true) {
			continue
		}
		wait, again := m.retry(e, attempt)
		if !again || reply.Text != "" { // shown text cannot be withdrawn
			return reply, err
		}
		if err := m.o.Sleep(ctx, wait); err != nil {
			return reply, err
		}
	}
}

// retry reports whether a failed request deserves another try, and returns the delay before it.
func (m *endpoint) retry(e *Error, attempt int) (time.Duration, bool) {
	passing := e.Problem == ProblemBusy || e.Problem == ProblemUnreachable ||
		e.Status == http.StatusBadGateway || e.Status == http.StatusServiceUnavailable ||
		e.Status == http.StatusGatewayTimeout
	if !passing || attempt >= m.o.Retries || e.RetryAfter > m.o.MaxWait {
		return 0, false
	}
	return max(e.RetryAfter, time.Second<<attempt/2), true
}

// refusesOptional recognises an endpoint that does not know optional fields of the request.
func refusesOptional(e *Error) bool {
	return slices.Contains([]int{400, 422}, e.Status) && mentions(e.body, "parallel_tool_calls", "stream_options",
		"extra_forbidden", "extra inputs", "unknown parameter", "unrecognized request argument")
}

// wantsThoughts recognises an endpoint that requires the thoughts before a call back with its result.
func wantsThoughts(e *Error) bool {
	return e.Status == http.StatusBadRequest && mentions(e.body, "reasoning_content")
}

// Thinks reports whether the model is known to think before it answers.
func (m *endpoint) Thinks() bool { return m.thinks.Load() }

// refusesSchema recognises an endpoint that rejects a tool's schema: it compiles the schema into a grammar, which
// supports only some keywords.
func refusesSchema(e *Error) bool {
	return slices.Contains([]int{400, 422, 500}, e.Status) &&
		mentions(strings.ToLower(e.sentence), "pattern", "format", "grammar", "regex")
}

func (m *endpoint) once(ctx context.Context, req model.Request, onDelta func(model.Delta)) (model.Reply, error) {
	body := &events{}
	stream, err := m.client.CreateChatCompletionStream(context.WithValue(ctx, eventsKey{}, body), m.request(req))
	var e *Error
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return model.Reply{}, ctx.Err()
	case errors.As(err, &e):
		return model.Reply{}, e
	default:
		return model.Reply{}, problem(ProblemRefused, "The request could not be sent: %v.", err)
	}
	defer func() { _ = stream.Close() }()
	parts := assembler{key: body.key, tools: req.Tools, show: func(text string) { onDelta(model.Delta{Text: text}) }}
	var failure error
	for event := body.next(); event != nil; event = body.next() {
		if failure = parts.add(event); failure != nil {
			break
		}
	}
	m.streamed.Store(body.documents == 0)
	if parts.apart {
		m.thinks.Store(true)
	}
	reply, err := parts.reply(body.done || body.documents == 1 && parts.whole)
	if reply.Usage = m.counted(reply.Usage, req, reply.Text, reply.Calls); !parts.isChunk && body.seen > 0 {
		err = notAModel()
	}
	if err = cmp.Or(ctx.Err(), failure, body.err, err); err != nil {
		return model.Reply{Text: reply.Text, Usage: reply.Usage}, err
	}
	return reply, nil
}

// request converts a Request to the endpoint's format.
func (m *endpoint) request(req model.Request) openai.ChatCompletionRequest {
	out := openai.ChatCompletionRequest{Model: m.o.Model, Stream: true}
	if req.System != "" {
		out.Messages = append(out.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem,
			Content: req.System})
	}
	for _, msg := range req.Messages {
		next, last := m.wireMessage(msg), max(len(out.Messages)-1, 0)
		if last > 0 && next.Role == out.Messages[last].Role && next.ToolCallID == "" && out.Messages[last].ToolCalls == nil {
			next.Content = strings.TrimSpace(out.Messages[last].Content + "\n\n" + next.Content)
			out.Messages = out.Messages[:last] // strict endpoints require user and assistant to alternate
		}
		out.Messages = append(out.Messages, next)
	}
	for _, t := range req.Tools {
		if m.simple.Load() {
			t.Parameters = bus.Tool{Parameters: t.Parameters}.Plain().Parameters
		}
		out.Tools = append(out.Tools, openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: t.Parameters}})
	}
	if !m.plain.Load() {
		out.StreamOptions = &openai.StreamOptions{IncludeUsage: true}
		if len(out.Tools) > 0 {
			out.ParallelToolCalls = !m.o.OneCall // several servers make one call at a time by default
		}
	}
	return out
}

func (m *endpoint) wireMessage(msg model.Message) openai.ChatCompletionMessage {
	out := openai.ChatCompletionMessage{Role: string(msg.Role), Content: msg.Text, ToolCallID: msg.CallID}
	if msg.Context != "" {
		// Inside the user's message, because several chat templates refuse a second system message.
		out.Content = strings.TrimSpace(msg.Context + "\n\n" + msg.Text)
	}
	switch {
	case m.demands.Load() && len(msg.Calls) > 0:
		out.ReasoningContent = cmp.Or(msg.Thoughts, " ") // a call of another model has no thoughts
	case m.demands.Load() || m.thinks.Load() && !m.plain.Load():
		out.ReasoningContent = msg.Thoughts
	}
	for _, c := range msg.Calls {
		out.ToolCalls = append(out.ToolCalls, openai.ToolCall{ID: c.ID, Type: openai.ToolTypeFunction,
			Function: openai.FunctionCall{Name: wireName(c.Tool), Arguments: string(c.Arguments)}})
	}
	return out
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// wireName makes a name that a model invented valid for a request: endpoints refuse the whole conversation for a dot in
// it.
func wireName(name string) string {
	name = cmp.Or(notInName.ReplaceAllString(name, "_"), "unnamed")
	return name[:min(len(name), 64)]
}
