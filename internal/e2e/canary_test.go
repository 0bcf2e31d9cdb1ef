package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/google/go-cmp/cmp"
)

// canaries are calls with a secret in each field that takes one. A digit string
// where the field takes nothing else.
var canaries = []struct{ capability, arguments, field, secret string }{
	{"settings.set", `{"section":"mail","values":{"host":"127.0.0.1","port":9,"encryption":"none","from":"a@example.com","password":%q}}`, "/values/password", "canary-mail-word"},
	{"settings.set", `{"section":"model","values":{"endpoint":"https://models.example/v1","model":"m","key":%q}}`,
		"/values/key", "canary-model-key"},
	{"settings.set", `{"section":"webhooks","values":{"hooks":[{"id":"h","url":"https://example.com/x","secret":%q}]}}`,
		"/values/hooks/*/secret", "canary-hook-secret"},
	{"staff.setPin", `{"staffId":"june_park","pin":%q}`, "/pin", "739184620517"},
	{"vault.break", `{"code":%q}`, "/code", "canary-vault-code"},
	{"session.vouch", `{"staffId":"june_park","pin":%q}`, "/pin", "739184620517"},
	{"approval.answer", `{"approvalId":%q,"answer":"deny"}`, "/approvalId", "canary-card-id"},
	{"approval.answer", `{"approvalId":"apr_1","answer":"deny","reason":%q}`, "/reason", "canary-card-reason"},
	{"approval.answer", `{"approvalId":"apr_1","answer":"allow","arguments":{"note":%q}}`, "/arguments",
		"canary-card-argument"},
	{"approval.answer", `{"approvalId":"apr_1","answer":"grant","grant":{"constraints":{"x":%q}}}`, "/grant",
		"canary-card-grant"},
	{"session.signIn", `{"staffId":"june_park","pin":%q}`, "/pin", "739184620517"},
	{"till.ask", `{"till":"UDHLWV2XQTQ3NSJRZYKDUAXTUXNMCQ3ARHI4Z7TNVFE3YW7EYDMJESGN","name":"Other","secret":%q}`, "/secret",
		"canary-till-code"},
	{"till.join", `{"code":%q,"name":"Other"}`, "/code", "canary-join-code"},
}

// TestC13NoSecretIsAnywhereButInItsPlace plants a secret in every field that takes one, by hand and by a model, and
// searches everything the program writes and sends for it: files, records, exports, events, the log, the model's
// requests.
// holds: C13
func TestC13NoSecretIsAnywhereButInItsPlace(t *testing.T) {
	desktest.Copy(t) // is made by a command, which sets a log of its own
	logged := &lockedWriter{}
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(logged, &slog.HandlerOptions{Level: slog.LevelDebug})))
	t.Cleanup(func() { slog.SetDefault(before) })
	d := desktest.WithoutKeychain(t, nil)
	d.Bus.MustRegister(bus.Capability{Name: "vault.break", Title: "Break",
		Description: "Breaks with a secret in its hands.", SideEffect: bus.UIOnly,
		InputSchema: json.RawMessage(
			`{"type":"object","additionalProperties":false,"properties":{"code":{"type":"string","writeOnly":true}}}`),
		Handler: func(context.Context, *bus.Call) (json.RawMessage, error) { panic("it broke") }})
	sub := d.Bus.Subscribe()
	defer sub.Close()

	planted := map[string]bool{}
	m := &pupil{}
	for i, c := range canaries {
		args := fmt.Sprintf(c.arguments, c.secret)
		planted[c.capability+" "+c.field] = true
		// as it is, cut off, misspelt
		for _, sent := range []string{args, strings.TrimSuffix(args, "}"), strings.Replace(args, `{"`, `{"x`, 1)} {
			d.Bus.Invoke(t.Context(), bus.Invocation{Capability: c.capability, Arguments: json.RawMessage(sent),
				Principal: d.Person, Caller: bus.Caller{Type: bus.CallerTest}})
			m.calls = append(m.calls, model.Call{ID: fmt.Sprint(i, len(m.calls)),
				Tool: strings.ReplaceAll(c.capability, ".", "_"), Arguments: json.RawMessage("{}"), Broken: sent})
		}
		plan, _ := json.Marshal(map[string]any{
			"steps": []any{map[string]any{"capability": c.capability, "arguments": json.RawMessage(args)}}})
		m.calls = append(m.calls, model.Call{ID: fmt.Sprint("plan", i), Tool: "plan_propose", Arguments: plan})
	}
	plantBesideNames(t, d, m)
	if diff := cmp.Diff(secretFields(d.Bus), planted); diff != "" {
		t.Fatalf("fields that take a secret (-there are +planted):\n%s", diff)
	}
	talk := agent.New(agent.Options{Bus: d.Bus, Policy: d.Policy, Store: d.Store, Model: func() model.Model { return m }})
	t.Cleanup(talk.Close)
	var shown []agent.Update
	for range 2 {
		if err := talk.Send(t.Context(), agent.Turn{ConversationID: "c", Text: "set it up", Principal: d.Person},
			func(u agent.Update) { shown = append(shown, u) }); err != nil {
			t.Fatal(err)
		}
	}
	desktest.Must(t, d, bus.CallerTest, "shop.export", `{}`, nil)
	desktest.Must(t, d, bus.CallerTest, "shop.backup", `{}`, nil)
	desktest.Must(t, d, bus.CallerTest, "audit.export", `{"format":"jsonl"}`, nil)
	desktest.Must(t, d, bus.CallerTest, "audit.export", `{"format":"csv"}`, nil)

	if !bytes.Contains(logged.bytes(), []byte("it broke")) {
		t.Error("the log says nothing of what broke")
	}
	seen := map[string][]byte{"the log": logged.bytes()}
	var events []bus.Event
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for e, err := sub.Next(ended); err == nil; e, err = sub.Next(ended) {
		events = append(events, e)
	}
	for what, v := range map[string]any{"the events": events, "what a model is told": m.told,
		"what the window is told": shown,
		"settings.get": d.Bus.Invoke(t.Context(), bus.Invocation{Capability: "settings.get", Principal: d.Person,
			Caller: bus.Caller{Type: bus.CallerTest}})} {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		seen[what] = raw
	}
	err := filepath.WalkDir(d.Folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		seen[path], err = os.ReadFile(path)
		return err
	})
	if err != nil || len(seen) < 8 {
		t.Fatalf("%d places, %v", len(seen), err)
	}
	for what, raw := range seen {
		for _, secret := range []string{urlName, urlWord} {
			if at := bytes.Index(raw, []byte(secret)); at >= 0 {
				t.Errorf("%s holds what a URL had: …%q", what, raw[max(0, at-80):at+len(secret)])
			}
		}
		for _, c := range canaries {
			if at := bytes.Index(raw, []byte(c.secret)); at >= 0 {
				t.Errorf("%s holds the secret of %s%s: …%q", what, c.capability, c.field, raw[max(0, at-80):at+len(c.secret)])
			}
		}
	}
}

// What a URL has before its host.
const urlName, urlWord = "canary-url-name", "canary-url-word"

// plantBesideNames calls each capability with all secrets beside the names of their capabilities, in each shape that
// there is, and with URLs that have a user name and a password: by hand and by a model, refused and accepted.
func plantBesideNames(t *testing.T, d *desk.Desk, m *pupil) {
	t.Helper()
	type object = map[string]any
	const address = "https://" + urlName + ":" + urlWord + "@models.example/v1"
	send := func(capability string, args any, kinds ...bus.CallerType) {
		raw, err := json.Marshal(args)
		if err != nil {
			t.Fatal(err)
		}
		for _, kind := range kinds {
			d.Bus.Invoke(t.Context(), bus.Invocation{Capability: capability, Arguments: raw, Principal: d.Person,
				Caller: bus.Caller{Type: kind, TriggeringMessage: "see " + address, Reasoning: address}})
		}
	}
	var steps, grants []any
	for _, c := range canaries {
		var args object
		if err := json.Unmarshal(fmt.Appendf(nil, c.arguments, c.secret), &args); err != nil {
			t.Fatal(err)
		}
		tool := strings.ReplaceAll(c.capability, ".", "_")
		bounds := object{c.field: object{"in": []any{c.secret}}, c.field + "/0": c.secret}
		steps = append(steps, object{"capability": c.capability, "arguments": args},
			object{"tool": tool, "arguments": args}, object{"Capability": c.capability, "Arguments": args},
			object{"xcapability": c.capability, "xarguments": args}, object{"capability": c.capability + "x", "arguments": args},
			object{"capability": c.capability, "arguments": fmt.Sprintf(c.arguments, c.secret)}, object{"arguments": args})
		grants = append(grants, object{"capability": c.capability, "constraints": bounds})
		by := []bus.CallerType{bus.CallerUI, bus.CallerAgent, bus.CallerTest}
		send("form.fill", object{"capability": c.capability, "arguments": args}, by...)
		send("routine.save", object{"name": c.capability, "steps": []any{object{"capability": c.capability, "arguments": args}}}, by...)
		send("plan.propose", object{"steps": []any{object{"capability": "session.get"},
			object{"capability": c.capability, "arguments": args}}}, by...)
		send("grant.create", object{"grantee": object{"person": d.Person.ID}, "capability": c.capability, "constraints": bounds}, by...)
		send("agent.requestCapability", object{"capability": c.capability, "reason": "often", "constraints": bounds}, by...)
		send("agent.request", object{"peer": "other", "capability": c.capability, "arguments": args}, by...)
		send("view.save", object{"capability": c.capability, "name": c.capability, "arguments": args}, by...)
		form, err := json.Marshal(object{"capability": c.capability, "arguments": args})
		if err != nil {
			t.Fatal(err)
		}
		m.calls = append(m.calls, model.Call{ID: fmt.Sprint("form", len(m.calls)), Tool: "form_fill", Arguments: form},
			model.Call{ID: fmt.Sprint("broken", len(m.calls)), Tool: "form_fill", Arguments: json.RawMessage("{}"),
				Broken: strings.TrimSuffix(string(form), "}")})
	}
	for _, c := range d.Bus.Capabilities() {
		send(c.Name, object{"steps": steps, "rules": grants, "deep": object{"er": []any{object{"steps": steps}}},
			"url": address, "text": "Call " + address + " now"}, bus.CallerTest)
		send(c.Name, object{"capability": "staff.setPin", "arguments": object{"pin": "739184620517", "url": address}}, bus.CallerAgent)
	}
	send("settings.set", object{"section": "model", "values": object{"endpoint": address, "model": "m"}}, bus.CallerUI)
	send("settings.set", object{"section": "webhooks", "values": object{"hooks": []any{object{"id": "h", "url": address}}}}, bus.CallerUI)
	send("settings.set", object{"section": "model", "values": "key: canary-model-key"}, bus.CallerUI)
	send("email.sendReceipt", object{"orderId": address, "to": address}, bus.CallerUI)
}

// secretFields returns the fields of the application that take a secret.
func secretFields(b *bus.Bus) map[string]bool {
	found := map[string]bool{}
	for _, c := range b.Capabilities() {
		var root any
		if json.Unmarshal(c.InputSchema, &root) == nil {
			walkSecrets(root, "", func(at string) { found[c.Name+" "+at] = true })
		}
	}
	return found
}

func walkSecrets(node any, at string, visit func(string)) {
	m, _ := node.(map[string]any)
	if m["writeOnly"] == true {
		visit(at)
	}
	properties, _ := m["properties"].(map[string]any)
	for name, sub := range properties {
		walkSecrets(sub, at+"/"+name, visit)
	}
	if items, ok := m["items"]; ok {
		walkSecrets(items, at+"/*", visit)
	}
}

// pupil is a model that makes all its calls in its first reply.
type pupil struct {
	calls []model.Call
	told  []model.Request
}

func (*pupil) Profile() bus.ModelID {
	return bus.ModelID{Endpoint: "https://models.example/v1", Name: "pupil"}
}

func (p *pupil) Stream(_ context.Context, req model.Request, _ func(model.Delta)) (model.Reply, error) {
	p.told = append(p.told, req)
	if len(p.told) == 1 {
		return model.Reply{Calls: slices.Clone(p.calls)}, nil
	}
	return model.Reply{Text: "Done."}, nil
}

// lockedWriter receives a log that many goroutines write.
type lockedWriter struct {
	mu sync.Mutex // guards to
	to bytes.Buffer
}

func (w *lockedWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.to.Write(p)
}

func (w *lockedWriter) bytes() []byte {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.to.Bytes())
}
