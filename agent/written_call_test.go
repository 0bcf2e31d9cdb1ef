package agent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
)

// inPieces is a model that streams the text of another one in pieces of a few bytes.
type inPieces struct{ model.Model }

func (m inPieces) Stream(ctx context.Context, req model.Request, show func(model.Delta)) (model.Reply, error) {
	return m.Model.Stream(ctx, req, func(d model.Delta) {
		for said := d.Text; said != ""; {
			n := min(3, len(said))
			show(model.Delta{Text: said[:n]})
			said = said[n:]
		}
	})
}

// TestA1ACallWrittenAsTextIsNotShown: the conversation has no text of a call that a model writes in the format of a
// known family. The model is asked to make the call.
//
// holds: A1
func TestA1ACallWrittenAsTextIsNotShown(t *testing.T) {
	for family, written := range map[string]string{
		"Hermes, Qwen":   `<tool_call>{"name": "cart_clear", "arguments": {}}</tool_call>`,
		"Qwen Coder":     "<function=cart_clear>\n</function>\n</tool_call>",
		"Llama":          `{"name": "cart_clear", "parameters": {}}`,
		"Llama, marked":  `<|python_tag|>{"name": "cart_clear", "parameters": {}}`,
		"Mistral":        `[TOOL_CALLS][{"name": "cart_clear", "arguments": {}}]`,
		"Mistral, newer": `[TOOL_CALLS]cart_clear[ARGS]{}`,
		"Granite":        `<|tool_call|>[{"name": "cart_clear", "arguments": {}}]`,
		"Phi":            `functools[{"name": "cart_clear", "arguments": {}}]`,
		"gpt-oss":        `<|channel|>commentary to=functions.cart_clear <|constrain|>json<|message|>{}<|call|>`,
		"DeepSeek":       "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>cart_clear\n```json\n{}\n```",
		"LFM":            `<|tool_call_start|>[cart_clear()]<|tool_call_end|>`,
		"Kimi":           `<|tool_calls_section_begin|><|tool_call_begin|>functions.cart_clear:0<|tool_call_argument_begin|>{}`,
		"GLM":            "<tool_call>cart_clear\n</tool_call>",
		"Gemma":          "```tool_code\ncart_clear()\n```",
		"Command R":      "```json\n[\n  {\n    \"tool_name\": \"cart_clear\",\n    \"parameters\": {}\n  }\n]\n```",
		"OpenAI's shape": `{"type": "function", "function": {"name": "cart_clear", "parameters": {}}}`,
	} {
		for _, before := range []string{"", "I will do it.\n\n"} {
			m := &script{Steps: []step{reply(before + written), reply("", use("a", "cart_clear", `{}`)), reply("Done.")}}
			r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) { o.Model = func() model.Model { return inPieces{m} } })
			u := r.Say("clear it")
			var shown strings.Builder
			for _, x := range u {
				if x.Type == agent.UpdateDelta {
					shown.WriteString(x.Text)
				}
			}
			if got := shown.String(); got != before+"Done." || u.Text() != strings.TrimSpace(strings.TrimSpace(before)+"\nDone.") {
				t.Errorf("%s: streamed %q, said %q", family, got, u.Text())
			}
			if len(u.Calls()) != 1 || len(m.Requests) != 3 || strings.Contains(m.Requests[1].Messages[1].Text, "cart") {
				t.Errorf("%s: %v, told %+v", family, u.Calls(), m.Requests)
			}
		}
	}
}

// TestA1WordsThatAreNoCallAreShownWhole streams text that only looks like a call, three bytes at a time.
//
// holds: A1
func TestA1WordsThatAreNoCallAreShownWhole(t *testing.T) {
	for _, said := range []string{"[W-1](order:1) costs [nothing](x:y) `a` {b} <b> for f", "```json\n{\"total\": 4}\n```",
		`{"name": "Ana", "orders": 2}`, "A list:\n- [", "Press <", `{"name"`, "It says {\"name\": \"order.rush\", \"arguments\": {}}."} {
		m := &script{Steps: []step{reply(said)}}
		r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) { o.Model = func() model.Model { return inPieces{m} } })
		var shown strings.Builder
		for _, x := range r.Say("hm") {
			if x.Type == agent.UpdateDelta {
				shown.WriteString(x.Text)
			}
		}
		if shown.String() != said || len(m.Requests) != 1 {
			t.Errorf("%q is shown as %q, %d requests", said, shown.String(), len(m.Requests))
		}
	}
}
