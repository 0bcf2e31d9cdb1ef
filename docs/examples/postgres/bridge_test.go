package pgjournal

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/docs/examples/postgres/pgtest"
)

// place is a program on a database, with the assistant's capabilities, one that changes a number and takes money for it,
// and one that erases what mentions a name.
type place struct {
	t       *testing.T
	journal *Journal
	bus     *bus.Bus
	bridge  *agent.Bridge
}

func newPlace(t *testing.T) *place {
	ctx := context.Background()
	j, err := Open(ctx, pgtest.Database(t), time.Now, numbers)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	rules, store := policy.New(policy.Options{Log: j}), agent.NewStore(j)
	b := bus.New(bus.Options{Journal: j, Approver: rules})
	type input struct {
		Name string `json:"name" jsonschema:"minLength=1"`
	}
	write := bus.Capability{Name: "number.set", Title: "Set a number", Description: "Sets a number.",
		SideEffect: bus.Destructive, Resources: []string{"database:write"}, Facts: []string{"amount"},
		Assistant: bus.Assistant{Grantable: []string{"name"}}}
	erase := bus.Capability{Name: "name.erase", Title: "Erase a name", Description: "Erases a name.",
		SideEffect: bus.UIOnly, Resources: []string{"database:write"}}
	b.MustRegister(agent.Capabilities(agent.CapabilityOptions{Store: store})...)
	b.MustRegister(capabilities.New(j, capabilities.Options{})...)
	b.MustRegister(bus.Define(write, func(ctx context.Context, call *bus.Call, in input) (struct{}, error) {
		call.Fact("amount", map[string]any{"amount": 5, "currency": "EUR"})
		return struct{}{}, j.Exec(ctx, `INSERT INTO numbers VALUES ($1, 1) ON CONFLICT (name)
			DO UPDATE SET value = numbers.value + 1`, in.Name)
	}), bus.Define(erase, func(ctx context.Context, _ *bus.Call, in input) (struct{}, error) {
		return struct{}{}, store.Forget(ctx, in.Name)
	}))
	return &place{t, j, b, agent.New(agent.Options{Bus: b, Policy: rules, Store: store,
		Model: func() model.Model { return builtin.New(nil, nil, nil) }})}
}

// does makes a call, of the assistant or a person, whose answer must contain want; it returns the answer.
func (p *place) does(by bus.CallerType, name, arguments, want string) string {
	p.t.Helper()
	who := bus.Principal{ID: "ann", Scopes: []string{"*"}}
	if by == bus.CallerAgent {
		who.Model = &bus.ModelID{Endpoint: "here", Name: "m"}
	}
	r := p.bus.Invoke(p.t.Context(), bus.Invocation{Capability: name, Arguments: json.RawMessage(arguments),
		Caller: bus.Caller{Type: by}, Principal: who})
	answer, _ := json.Marshal(r)
	if !strings.Contains(string(answer), want) {
		p.t.Errorf("%s %s by %s answers %s, without %s", name, arguments, by, answer, want)
	}
	return string(answer)
}

func TestTheOwnersRulesAndGrantsAreKept(t *testing.T) {
	p := newPlace(t)
	rule := `{"rules":[{"capability":"name.erase","rule":"forbidden"}]}`
	p.does(bus.CallerUI, "policy.set", rule, `"success"`)
	p.does(bus.CallerUI, "policy.get", `{}`, `"capability":"name.erase","rule":"forbidden"`)
	p.does(bus.CallerAgent, "name.erase", `{"name":"x"}`, "FORBIDDEN")
	p.does(bus.CallerUI, "policy.set", `{"rules":[]}`, `"success"`)
	p.does(bus.CallerAgent, "name.erase", `{"name":"x"}`, `"success"`)
	p.does(bus.CallerUI, "assistant.setEnabled", `{"enabled":false}`, `"success"`)
	p.does(bus.CallerAgent, "name.erase", `{"name":"x"}`, "capability_not_granted")
	p.does(bus.CallerUI, "assistant.setEnabled", `{"enabled":true}`, `"success"`)

	p.does(bus.CallerAgent, "number.set", `{"name":"a"}`, "FORBIDDEN")
	const of = `{"grantee":{"endpoint":"here","model":"m"},"capability":"number.set","until":4102444800000,`
	p.does(bus.CallerUI, "grant.create", of+`"constraints":{"name":"a"},"limits":{"budget":{"amount":10,"currency":"EUR"}}}`,
		`"success"`)
	for _, want := range []string{`"success"`, `"success"`, "it has expired"} {
		p.does(bus.CallerAgent, "number.set", `{"name":"a"}`, want)
	}
	created := p.does(bus.CallerUI, "grant.create", of+`"constraints":{"name":"b"},"limits":{"uses":1}}`, `"success"`)
	p.does(bus.CallerUI, "grant.list", `{"person":"ann","capability":"number.set"}`, `"status":"expired","used":2,"spent":10`)
	var page struct {
		Data struct{ NextCursor, GrantID string }
	}
	_ = json.Unmarshal([]byte(p.does(bus.CallerUI, "grant.list", `{"limit":1}`, `"uses":1`)), &page)
	p.does(bus.CallerUI, "grant.list", `{"limit":1,"cursor":"`+page.Data.NextCursor+`"}`, `"amount":10`)
	_ = json.Unmarshal([]byte(created), &page)
	p.does(bus.CallerUI, "grant.revoke", `{"grantId":"`+page.Data.GrantID+`"}`, `"success"`)
	p.does(bus.CallerUI, "grant.revoke", `{"grantId":"`+page.Data.GrantID+`"}`, "revoked already")
	p.does(bus.CallerAgent, "number.set", `{"name":"b"}`, "it was revoked")
	p.does(bus.CallerUI, "audit.search", `{"capability":"grant.revoke","status":"success"}`, `"status":"revoked"`)
	p.does(bus.CallerUI, "audit.search", `{"capability":"number.set","status":"success"}`, `"grant_id"`)
	p.does(bus.CallerUI, "audit.search", `{"subject":"`+page.Data.GrantID+`","text":"Grant REVOKED"}`, `"grant.revoke"`)
	p.does(bus.CallerUI, "audit.search", `{"without":["grant","number.set"],"limit":500}`, `"hasMore":false`)
	if out := p.does(bus.CallerUI, "audit.search", `{"without":["grant","number.set"],"callerType":"ui","person":"ann",
		"sideEffect":"ui-only","since":1,"until":4102444800000}`, "policy.set"); strings.Contains(out, `"grant.create"`) {
		t.Errorf("not left out: %s", out)
	}
	p.does(bus.CallerUI, "audit.search", `{"cursor":"x"}`, "VALIDATION")
}

func TestConversationsAreKept(t *testing.T) {
	p := newPlace(t)
	for _, text := range []string{"what was done by Zoe?", "who did what?"} {
		turn := agent.Turn{ConversationID: "c" + text[:3], Text: text, Principal: bus.Principal{ID: "ann", Scopes: []string{"*"}}}
		if err := p.bridge.Send(t.Context(), turn, func(agent.Update) {}); err != nil {
			t.Fatal(err)
		}
	}
	if err := p.journal.UpdateBridge(t.Context(), func(ctx context.Context) error {
		return p.journal.Exec(ctx, `UPDATE agent_turns SET cost = $1, currency = $2`, 50_000_000, "EUR")
	}); err != nil {
		t.Fatal(err)
	}
	p.does(bus.CallerUI, "conversation.list", `{}`, `"currency":"EUR"`)
	list := p.does(bus.CallerUI, "conversation.list", `{"limit":1}`, `"title":"who did what?"`)
	if !strings.Contains(list, `"nextCursor":"cwho"`) {
		t.Error(list)
	}
	p.does(bus.CallerUI, "conversation.list", `{"limit":1,"cursor":"cwho"}`, `"title":"what was done by Zoe?"`)
	p.does(bus.CallerUI, "conversation.rename", `{"conversationId":"cwho","title":"Who?"}`, `"success"`)
	p.does(bus.CallerUI, "conversation.get", `{"conversationId":"cwho"}`, `"title":"Who?"`)
	p.does(bus.CallerUI, "conversation.get", `{"conversationId":"cwha"}`, `"turns":[{"id":`)
	p.does(bus.CallerUI, "name.erase", `{"name":"Zoe"}`, `"success"`)
	if got := p.does(bus.CallerUI, "conversation.get", `{"conversationId":"cwha"}`, "[erased]"); strings.Contains(got, "Zoe") {
		t.Error(got)
	}
	p.does(bus.CallerUI, "conversation.remove", `{"conversationId":"cwho"}`, `"success"`)
	p.does(bus.CallerUI, "conversation.get", `{"conversationId":"cwho"}`, "NOT_FOUND")
}
