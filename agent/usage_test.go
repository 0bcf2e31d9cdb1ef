package agent_test

import (
	"context"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

func counting(in, out int, text string, calls ...model.Call) step {
	return func(model.Request) (model.Reply, error) {
		return model.Reply{Text: text, Calls: calls, Usage: model.Usage{Input: in, Output: out}}, nil
	}
}

// holds: A4
func TestA4ATurnEndsAtItsTokens(t *testing.T) {
	m := &script{Steps: []step{counting(40, 10, "again", use("", "cart_getSummary", `{}`))}}
	r := newRoom(t, m, func(o *agent.Options, _ *policy.Options) { o.MaxTokens = 120 })
	if e := r.Say("go").Ended(); e.Status != agent.StatusLimit || len(m.Requests) != 3 ||
		e.Error != "The turn took 150 tokens, so it was stopped." {
		t.Errorf("%+v after %d requests", e, len(m.Requests))
	}
}

// Priced returns a bridge whose model costs $2.50 per million input tokens and $10 per million output tokens.
func (b *booth) Priced(steps ...step) *agent.Bridge {
	bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Clock: b.Clock.Now, Store: b.Store,
		Model: func() model.Model { return profiled{&script{Steps: steps}} },
		Price: func(_ context.Context, m bus.ModelID) (*agent.Price, error) {
			if m.Name != helper.Name {
				return nil, nil
			}
			p := &agent.Price{}
			return p, p.Parse("2.50", "10", "USD")
		}})
	b.T.Cleanup(bridge.Close)
	return bridge
}

// holds: A13
func TestA13ATurnSaysWhatItCost(t *testing.T) {
	b := openBooth(t, policy.Options{})
	bridge := b.Priced(counting(1000, 20, "", use("1", "purse_list", `{}`), use("2", "purse_list", `{}`)),
		counting(1100, 30, "two purses"))
	var end agent.Update
	err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "how many?", Principal: owner},
		func(u agent.Update) { end = u })
	if err != nil {
		t.Fatal(err)
	}
	want := model.Usage{Input: 2100, Output: 50, Costs: []model.Cost{
		{Amount: "0.00575", Currency: "USD", Text: "$0.0058"}}}
	if end.Usage == nil || !cmp.Equal(*end.Usage, want) {
		t.Errorf("the turn's end says %+v", end.Usage)
	}
	var got struct {
		Tokens  model.Usage
		Updates []struct {
			TurnID string `json:"turn_id"`
		}
		Turns []struct {
			ID     string
			Tokens model.Usage
		}
	}
	b.Does(&got, "conversation.get", `{"conversationId":"chat_1"}`)
	if len(got.Turns) != 1 || !cmp.Equal(got.Turns[0].Tokens, want) || !cmp.Equal(got.Tokens, want) ||
		got.Updates[0].TurnID != got.Turns[0].ID {
		t.Errorf("it is stored as %+v", got)
	}
}

// holds: A13
func TestA13TheRecordsSayWhatTheThoughtCostOnce(t *testing.T) {
	b := openBooth(t, policy.Options{})
	bridge := b.Priced(counting(1000, 20, "", use("1", "purse_list", `{}`), use("2", "purse_list", `{}`)),
		counting(1100, 30, "two purses"))
	b.Says(bridge, "chat_1", "how many?")
	page := must[auditPage](t)(b.Log.Search(t.Context(), audit.Query{CallerType: bus.CallerAgent}))
	var costs []map[string]string
	for _, r := range page.Records {
		if r.CostEstimate != nil {
			costs = append(costs, r.CostEstimate)
		}
	}
	if d := cmp.Diff([]map[string]string{{"model_tokens_in": "1000", "model_tokens_out": "20", "model_USD": "0.0027"}},
		costs); d != "" || len(page.Records) != 3 { // and the turn's own
		t.Error(d)
	}
}

// holds: A13
func TestA13WhatTheEndpointDoesNotCountIsEstimated(t *testing.T) {
	half := `data: {"choices":[],"usage":{"prompt_tokens":7}}` + "\n"
	for name, tt := range map[string]struct {
		script []string
		want   func(model.Usage) bool
	}{
		"all of it": {[]string{says("Hello"), ends("stop"), done}, func(u model.Usage) bool {
			return u.Estimated &&
				u.Input > 20 && u.Output > 0
		}},
		"a part": {[]string{says("Hello"), ends("stop"), half, done},
			func(u model.Usage) bool { return u.Estimated && u.Input == 7 && u.Output > 0 }},
		"what broke off": {[]string{says("Hello")}, func(u model.Usage) bool {
			return u.Estimated && u.Input > 20 &&
				u.Output > 0
		}},
		"what never began": {[]string{": nothing"}, func(u model.Usage) bool { return cmp.Equal(u, model.Usage{}) }},
		"less than nothing": {[]string{says("Hello"), ends("stop"),
			`data: {"choices":[],"usage":{"prompt_tokens":-7,"completion_tokens":-1}}` + "\n", done},
			func(u model.Usage) bool { return u.Estimated && u.Input > 20 && u.Output > 0 }},
	} {
		if reply, _, _ := ask(t, newEndpoint(t, stream(tt.script...)).Model(t)); !tt.want(reply.Usage) {
			t.Errorf("%s: %+v", name, reply.Usage)
		}
	}
}

// holds: A13
func TestA13APriceIsADecimalNumber(t *testing.T) {
	var p agent.Price
	if err := p.Parse("0.075", "12", "EUR"); err != nil ||
		p != (agent.Price{Input: 75_000, Output: 12_000_000, Currency: "EUR"}) {
		t.Errorf("%+v %v", p, err)
	}
	for _, bad := range [][3]string{{"", "1", "USD"}, {"1", "-1", "USD"}, {"1e3", "1", "USD"}, {"1", "0.0000001", "USD"},
		{"1", "1", "dollars"}, {"1", "1", ""}} {
		if was, err := p, p.Parse(bad[0], bad[1], bad[2]); err == nil || p != was {
			t.Errorf("%v is %+v", bad, p)
		}
	}
}
