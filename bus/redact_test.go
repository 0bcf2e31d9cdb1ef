package bus_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// vault takes a code, alone and in each of a list of doors.
func vault() bus.Capability {
	return bus.Capability{Name: "vault.open", Title: "Open the vault", Description: "Opens it.", SideEffect: bus.UIOnly,
		Resources: []string{"database:write"},
		InputSchema: json.RawMessage(
			`{"type":"object","additionalProperties":false,"properties":{"code":{"type":"string","writeOnly":true},"why":{"type":"string"},
			"doors":{"type":"array","items":{"type":"object","additionalProperties":false,"properties":{"pin":{"type":"string","writeOnly":true},"name":{"type":"string"}}}}}}`),
		Handler: func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, nil }}
}

// holds: C13
func TestC13ArgumentsAreKeptWithoutTheirSecrets(t *testing.T) {
	for name, tt := range map[string]struct {
		capability, sent, kept string
		redacted               []string
	}{
		"as it belongs": {"vault.open", `{"code":"s","why":"w","doors":[{"pin":"s","name":"n"}]}`,
			`{"code":"[redacted]","doors":[{"name":"n","pin":"[redacted]"}],"why":"w"}`,
			[]string{"/arguments/code", "/arguments/doors/0/pin"}},
		"nothing secret": {"vault.open", `{"why":"w"}`, `{"why":"w"}`, nil},
		"in another field": {"vault.open", `{"Code":"s","why":"w"}`, `{"Code":"[redacted]","why":"w"}`,
			[]string{"/arguments/Code"}},
		"a level too deep": {"vault.open", `{"doors":[{"at":{"pin":"s"},"name":"n"}]}`,
			`{"doors":[{"at":"[redacted]","name":"n"}]}`, []string{"/arguments/doors/0/at"}},
		"another kind": {"vault.open", `{"code":["s"]}`, `{"code":"[redacted]"}`, []string{"/arguments/code"}},
		"unreadable":   {"vault.open", `{"code":"s"`, `"[redacted]"`, nil},
		"in a plan": {"plan.propose",
			`{"steps":[{"capability":"till.read"},{"capability":"vault.open","arguments":{"code":"s","x":"s","why":"w"}}]}`,
			`{"steps":[{"capability":"till.read"},{"arguments":{"code":"[redacted]","why":"w","x":"[redacted]"},"capability":"vault.open"}]}`, []string{"/arguments/steps/1/arguments/code", "/arguments/steps/1/arguments/x"}},
		"no such":           {"vault.burn", `{"code":"s"}`, `{"code":"[redacted]"}`, []string{"/arguments/code"}},
		"nothing to redact": {"till.read", `{}`, `{}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			b, j := planBus(t, &approver{rule: bus.RuleConfirm, say: yes}, vault())
			same := func(what, got string) {
				t.Helper()
				if got != tt.kept {
					t.Errorf("%s: %s, want %s", what, got, tt.kept)
				}
			}
			inv := byAgent(call(tt.capability, tt.sent))
			inv.Principal.Scopes = append([]string{"plan:write"}, clerk.Scopes...)
			b.Invoke(t.Context(), inv)
			e := j.Entries()[0]
			same("recorded", string(e.Invocation.Arguments))
			if diff := cmp.Diff(tt.redacted, e.Redacted); diff != "" {
				t.Errorf("said to be redacted (-want +got):\n%s", diff)
			}
			got := b.Redacted(tt.capability, json.RawMessage(tt.sent))
			if len(tt.redacted) > 0 || name == "unreadable" {
				same("redacted", string(got))
			} else if string(got) != tt.sent {
				t.Errorf("redacted: %s", got)
			}
		})
	}
}

// TestAnOutputThatQuotesTheLogIsNotRecorded: the caller gets it, also under its key.
func TestAnOutputThatQuotesTheLogIsNotRecorded(t *testing.T) {
	c := doing("log.read", bus.UIOnly, func(context.Context, *bus.Call) (json.RawMessage, error) {
		return json.RawMessage(`{"records":[1]}`), nil
	})
	c.Run.Unrecorded = true
	b, j, _ := bustest.New(t, c)
	inv := call("log.read", `{}`)
	inv.IdempotencyKey = "k"
	if r := b.Invoke(t.Context(), byAgent(inv)); !r.OK() || string(r.Data) != `{"records":[1]}` {
		t.Errorf("an agent gets %s (%v)", r.Data, r.Err)
	}
	for range 2 {
		if r := b.Invoke(t.Context(), inv); !r.OK() || string(r.Data) != `{"records":[1]}` {
			t.Errorf("the caller gets %s (%v)", r.Data, r.Err)
		}
	}
	for i, e := range j.Entries() { // the third is the answer of the second
		if r := bus.RecordOf(&e); r.Data != nil || len(r.Redacted) != 1 || r.Redacted[0] != "/data" || r.Replayed != (i == 2) {
			t.Errorf("recorded: %s, without %v", r.Data, r.Redacted)
		}
	}
}
