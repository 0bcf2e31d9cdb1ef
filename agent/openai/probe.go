package openai

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"time"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
)

// probeTool is harmless: nothing is behind it.
var probeTool = model.Tool{Name: "weather_now",
	Description: "Tells the weather in one city. For two cities call it twice.",
	Parameters:  json.RawMessage(`{"type":"object","properties":{"city":{"type":"string"}},"required":["city"]}`)}

const probeSentence = "What is the weather in Paris and in Rome right now? Use the tool for both."

// maxModels bounds how many models of an endpoint are listed.
const maxModels = 200

// Probe finds out what a model can do: it lists the endpoint's models and makes one request with a harmless tool. A
// model that cannot be used is no error: the report says what to do. now measures; nil is time.Now.
func Probe(ctx context.Context, o Options, now func() time.Time) model.Report {
	report := model.Report{Models: []string{}}
	if now == nil {
		now = time.Now
	}
	made, err := New(o)
	if err != nil {
		report.Problem = err.Error()
		return report
	}
	m := made.(*endpoint)
	report.Models = m.models(ctx)
	report.Listed = slices.Contains(report.Models, o.Model)
	began := now()
	reply, err := m.Stream(ctx, model.Request{Messages: []model.Message{{Role: model.RoleUser, Text: probeSentence}},
		Tools: []model.Tool{probeTool}}, func(model.Delta) {})
	report.LatencyMS = now().Sub(began).Milliseconds()
	report.Streaming = m.streamed.Load()
	var e *Error
	switch {
	case errors.As(err, &e):
		report.Problem = e.Error()
	case err != nil:
		report.Problem = "The model did not answer in time. Try again, or choose a faster one."
	default:
		report.Works = true
		called := func(c model.Call) bool { return c.Tool == probeTool.Name && c.Broken == "" }
		report.Tools = slices.ContainsFunc(reply.Calls, called)
		report.ParallelCalls = len(reply.Calls) > 1
		if !report.Tools {
			report.Problem = "The model answers, but did not call a tool, so it can talk and do nothing. Choose one that is " +
				"made for tools."
		}
	}
	return report
}

// models lists what the endpoint says it has. Some say nothing: none are listed.
func (m *endpoint) models(ctx context.Context) []string {
	list := []string{}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, m.o.BaseURL+"/models", nil)
	if err != nil {
		return list
	}
	resp, err := transport{m}.RoundTrip(req)
	if err != nil {
		return list
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if json.NewDecoder(io.LimitReader(resp.Body, maxEvent)).Decode(&answer) != nil {
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
