package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

const secretWord = "canary-hunter2"

// TestC13WhatAModelWritesIntoASecretFieldIsNotKept: neither told again, nor
// stored, recorded, shown or logged, however it was written.
// holds: C13
func TestC13WhatAModelWritesIntoASecretFieldIsNotKept(t *testing.T) {
	for name, tt := range map[string]struct {
		tool, args string
		opened     int
	}{
		"as it belongs":             {"vault_open", `{"code":"` + secretWord + `"}`, 1},
		"with what does not fit":    {"vault_open", `{"code":"` + secretWord + `","speed":1}`, 0},
		"in capitals":               {"vault_open", `{"Code":"` + secretWord + `"}`, 1},
		"in another field":          {"vault_open", `{"cipher":"` + secretWord + `"}`, 0},
		"in pieces of another kind": {"vault_open", `{"code":{"is":"` + secretWord + `"}}`, 0},
		"twice":                     {"vault_open", `{"code":"` + secretWord + `","code":"` + secretWord + `"}`, 0},
		"to what no agent may":      {"vault_close", `{"code":"` + secretWord + `"}`, 0},
		"as a step of a plan": {"plan_propose",
			`{"steps":[{"capability":"purse.list"},{"capability":"vault.open","arguments":{"code":"` + secretWord + `"}}]}`, 0},
		"as a suggestion": {"suggest_next_steps", `{"suggestions":[{"tool":"vault_open","arguments":{"code":"` + secretWord +
			`"}}]}`, 0},
	} {
		t.Run(name, func(t *testing.T) {
			b := openBooth(t, policy.Options{Fixed: bus.AnswerAllow})
			opened := 0
			door := bus.Capability{Name: "vault.open", Title: "Open the vault", Description: "Opens.", SideEffect: bus.UIOnly,
				Resources:   []string{"database:write"},
				InputSchema: object("code", `"code":{"type":"string","writeOnly":true}`),
				Handler:     func(context.Context, *bus.Call) (json.RawMessage, error) { opened++; return nil, nil },
				Checks:      bus.Checks{Access: bus.Access{Agent: bus.RuleAllow}}}
			closed := door
			closed.Name, closed.Title, closed.Checks.Access = "vault.close", "Close the vault", bus.Access{Agent: bus.RuleDeny}
			b.Bus.MustRegister(door, closed)
			m := &script{Steps: []step{reply("", use("1", tt.tool, tt.args)), reply("done"), reply("done")}}
			if name == "twice" { // a model writes this, a JSON library does not
				m.Steps[0] = reply("", model.Call{ID: "1", Tool: tt.tool, Arguments: json.RawMessage("{}"), Broken: tt.args})
			}
			var logged bytes.Buffer
			bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Clock: b.Clock.Now, Store: b.Store,
				Model:  func() model.Model { return profiled{m} },
				Logger: slog.New(slog.NewTextHandler(&logged, &slog.HandlerOptions{Level: slog.LevelDebug}))})
			t.Cleanup(bridge.Close)
			var shown []agent.Update
			for range 2 {
				err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: "open it", Principal: owner},
					func(u agent.Update) { shown = append(shown, u) })
				if err != nil {
					t.Fatal(err)
				}
			}
			if opened != tt.opened {
				t.Errorf("opened %d times", opened)
			}
			page, err := b.Log.Search(t.Context(), audit.Query{Reads: true})
			if err != nil {
				t.Fatal(err)
			}
			for what, v := range map[string]any{"the model is told": m.Requests, "the window is told": shown,
				"the records hold": page.Records, "the log says": logged.String()} {
				raw, _ := json.Marshal(v)
				if at := bytes.Index(raw, []byte(secretWord)); at >= 0 {
					t.Errorf("%s …%s", what, raw[max(0, at-100):at+len(secretWord)])
				}
			}
			noFileHolds(t, b, secretWord)
		})
	}
}

// noFileHolds looks through the files of a booth's journal.
func noFileHolds(t *testing.T, b *booth, word string) {
	t.Helper()
	files, err := filepath.Glob(b.Path + "*")
	if err != nil || len(files) < 2 {
		t.Fatalf("the files %v %v", files, err)
	}
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(raw, []byte(word)) {
			t.Errorf("%s holds it", filepath.Base(f))
		}
	}
}

// An endpoint may quote the key that it refuses.
// holds: C13
func TestC13AnEndpointThatQuotesTheKeyIsNotQuoted(t *testing.T) {
	for name, script := range map[string]struct{ kind, body string }{
		"in a refusal":    {"application/json", `{"error":{"message":"Incorrect key provided: ` + secretWord + `"}}`},
		"in a stream":     {"text/event-stream", `data: {"error":"no account for ` + secretWord + `"}` + "\n\n"},
		"in what it says": {"text/event-stream", says("your key is "+secretWord) + "\n" + ends("stop") + "\n" + done},
		"in one document": {"application/json", `{"choices":[{"message":{"content":"Bearer ` + secretWord +
			`"},"finish_reason":"stop"}]}`},
	} {
		status := 200
		if strings.HasPrefix(name, "in a refusal") {
			status = 401
		}
		e := newEndpoint(t, answers(status, script.kind, script.body))
		reply, shown, err := ask(t, e.Model(t, func(o *openai.Options) {
			o.Key = func() (string, error) { return secretWord, nil }
		}))
		if text := reply.Text + shown; strings.Contains(text, secretWord) || err != nil &&
			strings.Contains(err.Error(), secretWord) {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}
