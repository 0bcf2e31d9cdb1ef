package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"math/bits"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/internal/tokens"
	"github.com/deskhand/deskhand/agent/model"
)

// probeTool is harmless: it has no implementation.
var probeTool = model.Tool{Name: "weather_now",
	Description: "Tells the weather in one city. For two cities call it twice.",
	Parameters:  json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)}

const probeSentence = "What is the weather in Paris and in Rome right now? Use the tool for both."

// maxModels limits the number of listed models of an endpoint.
const maxModels = 200

// smaller are the contexts to try with a model that refuses a request without naming its limit.
var smaller = []int{32_768, 16_384, 8_192, 4_096}

// Probe tests the abilities of a model. It lists the endpoint's models and makes one request like the assistant's, with
// an additional harmless tool. An unusable model is no error: the report names the problem and its remedy. Without a
// model's name it only lists the models. The function prompt returns the assistant's request before any sentence, for a
// context of size tokens (0: unknown); nil means an empty one. The function now measures; nil means time.Now.
func Probe(ctx context.Context, o Options, prompt func(ctx context.Context, size int) model.Request,
	now func() time.Time) model.Report {
	report := model.Report{Models: []string{}}
	if now == nil {
		now = time.Now
	}
	unnamed := strings.TrimSpace(o.Model) == ""
	if unnamed {
		o.Model = "any"
	}
	made, err := New(o)
	if err != nil {
		report.Problem = err.Error()
		return report
	}
	m := made.(*endpoint)
	report.Models = m.models(ctx)
	if unnamed {
		report.Problem = "Choose one of the models."
		if len(report.Models) == 0 {
			report.Problem = "Nothing lists models at " + m.address + ". Is the server running, and is the address right?"
		}
		return report
	}
	report.Listed = slices.Contains(report.Models, o.Model)
	if prompt == nil {
		prompt = func(context.Context, int) model.Request { return model.Request{} }
	}
	size := m.ContextSize(ctx)
	began := now()
	var req model.Request
	var reply model.Reply
	for again := true; again; {
		req = prompt(ctx, size)
		req.Tools = append([]model.Tool{probeTool}, req.Tools...)
		req.Messages = append(req.Messages, model.Message{Role: model.RoleUser, Text: probeSentence})
		reply, err = m.Stream(ctx, req, func(model.Delta) {})
		size, again = m.smallerContext(size, err)
	}
	report.LatencyMS = now().Sub(began).Milliseconds()
	report.Streaming = m.streamed.Load()
	var e *Error
	switch {
	case errors.As(err, &e):
		report.Problem = e.Error()
	case err != nil:
		report.Problem = "The model did not answer in time. Try again, or choose a faster one."
	default:
		m.report(ctx, &report, req, reply, size)
	}
	return report
}

// smallerContext returns the context to try after a request that was too long: the size that the endpoint named, else
// the next smaller one.
func (m *endpoint) smallerContext(size int, err error) (next int, again bool) {
	var e *Error
	if !errors.As(err, &e) || e.Problem != ProblemTooLong {
		return size, false
	}
	if told := int(m.size.Load()); told > 0 && (size == 0 || told < size) {
		return told, true
	}
	for _, next := range smaller {
		if size == 0 || next < size {
			return next, true
		}
	}
	return size, false
}

// report fills in the findings from the reply to a probe.
func (m *endpoint) report(ctx context.Context, report *model.Report, req model.Request, reply model.Reply, size int) {
	report.Works, report.Thinks = true, reply.Thinks
	called := func(c model.Call) bool { return c.Tool == probeTool.Name && c.Broken == "" }
	report.Tools = slices.ContainsFunc(reply.Calls, called)
	report.ParallelCalls = len(reply.Calls) > 1
	if told, certain, _ := m.queryContextSize(ctx); told > 0 && m.o.Context == 0 { // the model is loaded now
		size, report.Assumed = told, !certain
	}
	if report.Context = size; !reply.Usage.Estimated {
		report.PromptTokens = reply.Usage.Input
	}
	sent := tokens.Of(append(req.Messages, model.Message{Text: req.System}))
	for _, tool := range req.Tools {
		sent += (len(tool.Name) + len(tool.Description) + len(tool.Parameters)) / tokens.Bytes
	}
	if n := report.PromptTokens; n > 0 && n < sent/2 && sent > smallestContext { // it was cut silently
		report.Context, report.Assumed = 1<<bits.Len(uint(n-1)), false
	}
	switch {
	case !report.Tools:
		report.Problem = "The model answers, but did not call a tool, so it can talk and do nothing. Choose one that is " +
			"made for tools."
	case report.Context > 0 && report.Context < leastContext:
		report.Problem = "The model reads too little to work here. Give it a context of 8192 tokens or more: " +
			"its server sets that."
	}
}

// leastContext is the least context for one sentence with its look-ups, in tokens.
const leastContext = 4096

// models lists the endpoint's models. Some endpoints list none.
func (m *endpoint) models(ctx context.Context) []string {
	list := []string{}
	var answer struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if !m.get(ctx, "GET", m.o.BaseURL+"/models", nil, &answer) {
		return list
	}
	for _, model := range answer.Data {
		if id := text.Clean(model.ID, 200); id != "" && len(list) < maxModels {
			list = append(list, id)
		}
	}
	slices.Sort(list)
	return list
}

// Usual lists the usual addresses of model servers on this computer.
var Usual = []model.LocalEndpoint{
	{Name: "Ollama", Endpoint: "http://localhost:11434/v1"},
	{Name: "LM Studio", Endpoint: "http://localhost:1234/v1"},
	{Name: "llama.cpp", Endpoint: "http://localhost:8080/v1"},
}

// Local looks for model servers on this computer: once, without a key, and only at addresses of this computer.
func Local(ctx context.Context, at []model.LocalEndpoint) []model.LocalEndpoint {
	ctx, cancel := context.WithTimeout(ctx, tellWithin)
	defer cancel()
	found := make([]model.LocalEndpoint, len(at))
	var wg sync.WaitGroup
	for i, one := range at {
		made, err := New(Options{BaseURL: one.Endpoint, Model: "any"})
		if err != nil || model.IsRemote(made.Profile()) {
			continue
		}
		wg.Go(func() {
			one.Models = slices.DeleteFunc(made.(*endpoint).models(ctx), func(name string) bool {
				return strings.Contains(strings.ToLower(name), "embed") // an embedding model does not answer
			})
			one.Foreign = len(one.Models) > 0 && foreign(portOf(one.Endpoint))
			found[i] = one
		})
	}
	wg.Wait()
	return slices.DeleteFunc(found, func(one model.LocalEndpoint) bool { return len(one.Models) == 0 })
}

// portOf returns the port of an HTTP address.
func portOf(address string) string {
	at, err := url.Parse(address)
	if err != nil {
		return ""
	}
	if at.Port() == "" && at.Scheme == "https" {
		return "443"
	}
	return cmp.Or(at.Port(), "80")
}
