package openai

import (
	"cmp"
	"context"
	"errors"
	"io"
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
	Key     func() (string, error) // asked for each request; nil or "" for none
	Model   string                 // the endpoint's name for it; required
	// its transport is wrapped; default http.DefaultTransport, no timeout
	HTTPClient *http.Client
	// after 429, 5xx or a refused connection; default 2, negative none
	Retries int
	// a longer Retry-After is told instead of waited for; default 20 s
	MaxWait time.Duration
	Sleep   func(ctx context.Context, d time.Duration) error // default a timer
}

type endpoint struct {
	o        Options
	base     http.RoundTripper
	address  string // BaseURL without credentials, for people and records
	client   *openai.Client
	plain    atomic.Bool // the endpoint refused optional request fields: leave them out
	streamed atomic.Bool // the last reply came piece by piece
	simple   atomic.Bool // the endpoint chokes on a keyword of a schema: leave it out, and say it
}

// New makes a Model of an endpoint. It checks the options; it does not
// connect.
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
	o.BaseURL = strings.TrimRight(strings.TrimSpace(o.BaseURL), "/")
	m := &endpoint{o: o, address: u.Scheme + "://" + u.Host + strings.TrimRight(u.Path, "/")}
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
		if refusesOptional(e) && m.plain.CompareAndSwap(false, true) ||
			refusesSchema(e) && m.simple.CompareAndSwap(false, true) {
			continue
		}
		wait, again := m.retry(e, attempt)
		if !again || reply.Text != "" { // what was shown cannot be taken back
			return reply, err
		}
		if err := m.o.Sleep(ctx, wait); err != nil {
			return reply, err
		}
	}
}

// retry says whether and when a failed request is worth another try.
func (m *endpoint) retry(e *Error, attempt int) (time.Duration, bool) {
	passing := e.Problem == ProblemBusy || e.Problem == ProblemUnreachable ||
		e.Status == http.StatusBadGateway || e.Status == http.StatusServiceUnavailable ||
		e.Status == http.StatusGatewayTimeout
	if !passing || attempt >= m.o.Retries || e.RetryAfter > m.o.MaxWait {
		return 0, false
	}
	return max(e.RetryAfter, time.Second<<attempt/2), true
}

// refusesOptional recognises an endpoint that does not know the fields we can
// do without.
func refusesOptional(e *Error) bool {
	return e.Status == http.StatusBadRequest && mentions(e.sentence, "parallel_tool_calls", "stream_options")
}

// refusesSchema recognises an endpoint that chokes on a tool's schema: it compiles
// the schema into a grammar, and some keywords are beyond it.
func refusesSchema(e *Error) bool {
	return (e.Status == http.StatusBadRequest || e.Status == http.StatusInternalServerError) &&
		mentions(strings.ToLower(e.sentence), "pattern", "format", "grammar", "regex")
}

func (m *endpoint) once(ctx context.Context, req model.Request, onDelta func(model.Delta)) (model.Reply, error) {
	end := &streamEnd{}
	stream, err := m.client.CreateChatCompletionStream(context.WithValue(ctx, streamEndKey{}, end), m.request(req))
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
	m.streamed.Store(end.pieces)
	var reply model.Reply
	var calls assembler
	broken := func(err error) (model.Reply, error) {
		return model.Reply{Text: reply.Text, Usage: m.counted(reply.Usage, req, reply.Text, calls.calls())}, err
	}
	for {
		raw, err := stream.RecvRaw()
		if err != nil {
			if err := cmp.Or(ctx.Err(), end.err); err != nil {
				return broken(err)
			}
			if !errors.Is(err, io.EOF) {
				return broken(cutOff(err))
			}
			break
		}
		piece, err := readChunk(raw, end.pieces)
		if err != nil {
			return broken(err)
		}
		if u := piece.usage; u != nil {
			reply.Usage = *u
		}
		if piece.Content != "" {
			reply.Text += piece.Content
			onDelta(model.Delta{Text: piece.Content})
		}
		for _, part := range piece.Calls {
			calls.add(part)
		}
		if piece.finish != "" {
			reply.Finish = piece.finish
		}
	}
	switch {
	case !end.pieces && reply.Finish == "":
		return broken(problem(ProblemNotAModel, "The endpoint answered with something that is not a model's reply."))
	case reply.Finish == "" && !end.done, len(calls.calls()) > 0 && !isEnd(reply.Finish):
		return broken(cutOff(io.ErrUnexpectedEOF))
	}
	reply.Usage = m.counted(reply.Usage, req, reply.Text, calls.calls())
	return finished(reply, calls.calls()), nil
}

// finished settles what a properly ended reply means. Endpoints report "stop"
// although there are calls; "length" cuts a call in two; a filter withholds.
func finished(reply model.Reply, calls []model.Call) model.Reply {
	switch {
	case reply.Finish == model.FinishLength || reply.Finish == model.FinishFilter:
		reply.Dropped = len(calls)
	case len(calls) > 0:
		reply.Calls, reply.Finish = calls, model.FinishCalls
	default:
		reply.Finish = model.FinishStop
	}
	return reply
}

// isEnd reports whether a finish reason is a known one; "" is the end of the stream
// alone. Calls of a reply with another reason, such as "error", are not run.
func isEnd(f model.Finish) bool {
	return slices.Contains([]model.Finish{"", model.FinishStop, model.FinishCalls, "function_call", model.FinishLength,
		model.FinishFilter}, f)
}

// request puts a Request into the endpoint's terms.
func (m *endpoint) request(req model.Request) openai.ChatCompletionRequest {
	out := openai.ChatCompletionRequest{Model: m.o.Model, Stream: true}
	if req.System != "" {
		out.Messages = append(out.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem,
			Content: req.System})
	}
	for _, msg := range req.Messages {
		out.Messages = append(out.Messages, wireMessage(msg))
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
			out.ParallelToolCalls = true // several servers make one call at a time unless asked
		}
	}
	return out
}

func wireMessage(msg model.Message) openai.ChatCompletionMessage {
	out := openai.ChatCompletionMessage{Role: string(msg.Role), Content: msg.Text, ToolCallID: msg.CallID}
	if msg.Context != "" {
		// Inside the user's message: several chat templates refuse a second system message.
		out.Content = strings.TrimSpace(msg.Context + "\n\n" + msg.Text)
	}
	for _, c := range msg.Calls {
		out.ToolCalls = append(out.ToolCalls, openai.ToolCall{ID: c.ID, Type: openai.ToolTypeFunction,
			Function: openai.FunctionCall{Name: wireName(c.Tool), Arguments: string(c.Arguments)}})
	}
	return out
}

var notInName = regexp.MustCompile(`[^A-Za-z0-9_-]`)

// wireName makes a name that a model invented fit to be sent back: endpoints
// refuse the whole conversation for a dot in it.
func wireName(name string) string {
	name = notInName.ReplaceAllString(name, "_")
	if name == "" {
		return "unnamed"
	}
	return name[:min(len(name), 64)]
}
