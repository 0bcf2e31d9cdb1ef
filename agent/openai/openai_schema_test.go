package openai_test

import (
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/model"
)

// Some endpoints turn a schema into a grammar and do not know every keyword.
//
// holds: M4
func TestM4AnEndpointThatChokesOnAKeywordGetsItInWords(t *testing.T) {
	tool := model.Tool{Name: "order_note", Description: "Adds a note.", Parameters: json.RawMessage(
		`{"type":"object","properties":{"due":{"type":"string","format":"date","description":"Until when"},"format":{"type":"string","pattern":"^[a-z]+$"}}}`)}
	for name, refusal := range map[string]string{
		"a grammar": `{"error":{"message":"failed to parse grammar"}}`,
		"a keyword": `{"error":{"message":"Unsupported keyword 'format' in schema"}}`,
	} {
		t.Run(name, func(t *testing.T) {
			e := newEndpoint(t, answers(400, "application/json", refusal), stream(says("Hello"), ends("stop"), done))
			m := e.Model(t)
			for range 2 {
				if _, err := m.Stream(context.Background(), model.Request{
					Messages: []model.Message{{Role: model.RoleUser, Text: "hi"}}, Tools: []model.Tool{tool}},
					func(model.Delta) {}); err != nil {
					t.Fatal(err)
				}
			}
			if len(e.Requests) != 3 {
				t.Fatalf("%d requests: it asks again with what was refused", len(e.Requests))
			}
			if first := string(e.Requests[0].Tools[0].Function.Parameters); !strings.Contains(first, `"format":"date"`) {
				t.Errorf("left out before it was refused: %s", first)
			}
			const want = `{"properties":{"due":{"description":"Until when (format: date)","type":"string"},"format":{"description":"(pattern: ^[a-z]+$)","type":"string"}},"type":"object"}`
			if got := string(e.Requests[1].Tools[0].Function.Parameters); got != want {
				t.Errorf("sent %s", got)
			}
		})
	}
}

// Endpoints refuse a conversation with a dot in the name of a tool, and a model may have invented such a name.
//
// holds: A2
func TestA2NoNameIsSentThatEndpointsRefuse(t *testing.T) {
	e := newEndpoint(t, stream(calls(`{"index":0,"id":"x","function":{"name":"order.rush","arguments":"{}"}}`,
		`{"index":1,"id":"y","function":{"name":"","arguments":"{}"}}`), ends("tool_calls"), done),
		stream(says("There is no such thing."), ends("stop"), done))
	u := newRoom(t, e.Model(t)).Say("rush it")
	if u.Text() != "There is no such thing." || len(e.Requests) != 2 {
		t.Fatalf("%s after %d requests", u.Text(), len(e.Requests))
	}
	for _, m := range e.Requests[1].Messages {
		for _, c := range m.ToolCalls {
			if !regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`).MatchString(c.Function.Name) {
				t.Errorf("sent back: %q", c.Function.Name)
			}
		}
	}
}

// holds: A2
func TestA2WhatTheEndpointDoesNotKnowIsLeftOut(t *testing.T) {
	e := newEndpoint(t, answers(400, "application/json", `{"error":"unknown field parallel_tool_calls"}`),
		stream(says("Hello"), ends("stop"), done))
	reply, _, err := ask(t, e.Model(t))
	if err != nil || reply.Text != "Hello" {
		t.Fatalf("%q %v", reply.Text, err)
	}
	if e.Requests[0].Parallel == nil || e.Requests[1].Parallel != nil {
		t.Error("the field was not asked for first, or not left out then")
	}
}
