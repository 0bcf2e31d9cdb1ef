package agent_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// holds: A15
func TestA15ASwitchedOffAssistantDoesNothing(t *testing.T) {
	b := openBooth(t, policy.Options{Fixed: bus.AnswerAllow})
	bridge, _ := b.Stored(reply("", use("1", "purse_list", `{}`)), reply("", use("2", "purse_pay", payAna)), reply("done"))
	b.Status = bridge.Status
	var s agent.AssistantStatus
	if b.Does(&s, "assistant.status", `{}`); !cmp.Equal(s,
		agent.AssistantStatus{Enabled: true, Connected: true, Endpoint: helper.Endpoint, Model: helper.Name}) {
		t.Errorf("%+v", s)
	}
	// switched off while it works
	var results []*bus.Result
	err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "pay", Principal: owner},
		func(u agent.Update) {
			if u.Type == agent.UpdateResult {
				if results = append(results, u.Result); len(results) == 1 {
					b.Does(nil, "assistant.setEnabled", `{"enabled":false}`)
				}
			}
		})
	if err != nil || len(results) != 2 || !results[0].OK() || results[1].OK() || b.Paid() != 0 {
		t.Errorf("%v %+v", err, results)
	}
	err = bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "pay", Principal: owner},
		func(agent.Update) {})
	if code(err) != bus.PreconditionFailed {
		t.Errorf("%v", err)
	}
	b.Fails(b.Agent("purse.list", `{}`), bus.Forbidden, bus.ReasonCapabilityNotGranted, "")
	b.Fails(b.Agent("assistant.setEnabled", `{"enabled":true}`), bus.Forbidden, bus.ReasonAgentForbidden, "")
	if b.Does(&s, "assistant.status", `{}`); s.Enabled {
		t.Errorf("%+v", s)
	}
	if r := b.Person("purse.pay", payAna); !r.OK() { // people go on
		t.Error(r.Err)
	}
	b.Does(nil, "assistant.setEnabled", `{"enabled":true}`)
	if r := b.Agent("purse.list", `{}`); !r.OK() {
		t.Error(r.Err)
	}
}

func TestATestedModelIsReportedAsItIs(t *testing.T) {
	two := stream(calls(`{"index":0,"id":"x","function":{"name":"weather_now","arguments":"{\"city\":\"Paris\"}"}}`,
		`{"index":1,"id":"y","function":{"name":"weather_now","arguments":"{\"city\":\"Rome\"}"}}`), ends("tool_calls"), done)
	listing := `{"data":[{"id":"test-model"},{"id":"b"}]}`
	for name, tt := range map[string]struct {
		list      string
		script    http.HandlerFunc
		want      model.Report
		SplitName string
	}{
		"everything": {listing, two, model.Report{Models: []string{"b", "test-model"}, Listed: true, Works: true,
			Streaming: true, Tools: true, ParallelCalls: true}, ""},
		"only talk": {`{}`, stream(says("Sunny."), ends("stop"), done),
			model.Report{Models: []string{}, Works: true, Streaming: true}, "did not call a tool"},
		"no stream": {`[]`, answers(200, "application/json",
			`{"choices":[{"message":{"tool_calls":[{"id":"x","function":{"name":"weather_now","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`), model.Report{Models: []string{}, Works: true, Tools: true}, ""},
		"key refused": {listing, answers(401, "application/json", `{}`),
			model.Report{Models: []string{"b", "test-model"}, Listed: true}, "key"},
	} {
		t.Run(name, func(t *testing.T) {
			b := openBooth(t, policy.Options{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if strings.HasSuffix(r.URL.Path, "/models") {
					answers(200, "application/json", tt.list)(w, r)
					return
				}
				tt.script(w, r)
			}))
			t.Cleanup(server.Close)
			var got model.Report
			b.Does(&got, "settings.testModel", `{"endpoint":"%s/v1","model":"test-model"}`, server.URL)
			if !strings.Contains(got.Problem, tt.SplitName) || (tt.SplitName == "") != (got.Problem == "") {
				t.Errorf("problem %q", got.Problem)
			}
			got.Problem = ""
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Error(d)
			}
		})
	}
	b := openBooth(t, policy.Options{})
	var got model.Report
	if b.Does(&got, "settings.testModel", `{"endpoint":"nowhere","model":"m"}`); got.Works ||
		!strings.Contains(got.Problem, "is not an address") {
		t.Errorf("%+v", got)
	}
	if r := b.Person("settings.testModel", `{"endpoint":"nowhere","model":"m"}`); r.CostEstimate["model_request"] != "1" {
		t.Errorf("it cost %v", r.CostEstimate)
	}
	b.Fails(b.Agent("settings.testModel", `{"endpoint":"http://x","model":"m"}`), bus.Forbidden, bus.ReasonAgentForbidden,
		"")
}

func TestTheSwitchSaysHowItStands(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Does(nil, "assistant.setEnabled", `{"enabled":false}`)
	m, err := b.Bus.Manifest(context.Background(), bus.View{Caller: bus.CallerUI, Principal: owner})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range m.Capabilities {
		if raw, _ := json.Marshal(e.Current); e.Name == "assistant.setEnabled" && string(raw) != "false" {
			t.Errorf("%s", raw)
		}
	}
}

func TestWhatOneModelDidSaysNothingOfAnother(t *testing.T) {
	b := openBooth(t, policy.Options{})
	fails := &script{Steps: []step{func(model.Request) (model.Reply, error) {
		return model.Reply{}, context.DeadlineExceeded
	}}}
	var m model.Model = fails
	bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Clock: b.Clock.Now,
		Model: func() model.Model { return m }})
	t.Cleanup(bridge.Close)
	if err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "hello", Principal: owner},
		func(agent.Update) {}); err != nil {
		t.Fatal(err)
	}
	if s := bridge.Status(); s.Connected {
		t.Errorf("it did not answer: %+v", s)
	}
	m = builtin.New(nil, nil, nil)
	if s := bridge.Status(); !s.Connected {
		t.Errorf("it was never asked: %+v", s)
	}
}
