package agent_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// TestA18AModelOpensAFormAndDoesNothing: form.fill opens a filled-in form with the origin of each value, and runs
// nothing. It refuses capabilities that this assistant may not use for this person, and it never fills in a secret.
//
// holds: A18 R1
func TestA18AModelOpensAFormAndDoesNothing(t *testing.T) {
	b := openBooth(t, policy.Options{Fixed: bus.AnswerAllow})
	b.Bus.MustRegister(bus.Define(bus.Capability{Name: "safe.open", Title: "Open the safe", Description: "Opens it.",
		SideEffect: bus.Destructive, Resources: []string{"database:write"}}, func(context.Context, *bus.Call, struct {
		PIN string `json:"pin,omitempty" jsonschema:"writeOnly=true"`
	}) (struct{}, error) {
		return struct{}{}, nil
	}))
	b.Does(nil, "remark.add", `{"text":"pay me"}`)
	b.Does(nil, "policy.set", `{"rules":[{"capability":"mail.send","rule":"forbidden"}]}`)
	fill := func(id, of, args string) model.Call {
		return use(id, "form_fill", fmt.Sprintf(`{"capability":%q,"arguments":%s}`, of, args))
	}
	s := &script{Steps: []step{reply("", use("0", "remark_list", `{}`)), reply("", fill("1", "purse_pay", payAna),
		fill("2", "mail.send", `{"to":"x"}`), fill("3", "safe.open", `{"pin":"1234"}`), fill("4", "assistant.setEnabled", `{}`),
		fill("5", "form.fill", `{}`), fill("6", "purse.pay", `{"rush":true}`), fill("7", "order.rush", `{}`),
		fill("8", "approval.answer", `{}`)), reply("there it is")}}
	forms := true
	say := func(as policy.Autonomy, who bus.Principal) (shown []*agent.Form, results []*bus.Result) {
		bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Clock: b.Clock.Now, Store: b.Store, Forms: forms,
			Model: func() model.Model { return profiled{&script{Steps: s.Steps}} }})
		t.Cleanup(bridge.Close)
		err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_" + string(as) + who.ID, Text: "prepare 5 from purse_ana",
			Principal: who, Autonomy: as}, func(u agent.Update) {
			switch u.Type {
			case agent.UpdateForm:
				shown = append(shown, u.Form)
			case agent.UpdateResult:
				results = append(results, u.Result)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		return shown, results
	}
	shown, results := say(policy.AskFirst, owner)
	if len(shown) != 1 || b.Paid() != 0 {
		t.Fatalf("%d forms, %d paid", len(shown), b.Paid())
	}
	for i, r := range results {
		if r.OK() != (i < 2) {
			t.Errorf("call %d: %+v", i, r)
		}
	}
	f := shown[0]
	origins := map[string]policy.Origin{}
	for _, v := range f.Values {
		origins[v.Pointer] = v.Origin
	}
	if f.Capability != "purse.pay" || string(f.Arguments) == "" || origins["/purse"] != policy.OriginSaid ||
		len(f.Tainted) != 1 || f.ParentRequestID == "" {
		t.Errorf("%+v, %v", f, origins)
	}
	found := must[auditPage](t)(b.Log.Search(t.Context(), audit.Query{Capability: "form.fill"})).Records
	raw, _ := json.Marshal(found[len(found)-1].Data)
	var kept struct {
		Values []struct{ Pointer, Origin string }
	}
	if err := json.Unmarshal(raw, &kept); err != nil || len(kept.Values) != len(f.Values) ||
		found[0].ParentRequestID != f.ParentRequestID {
		t.Errorf("the record says %s, under %s", raw, found[0].ParentRequestID)
	}
	if shown, _ := say(policy.LookOnly, owner); len(shown) != 0 {
		t.Error("a conversation that only looks opened a form")
	}
	if forms = false; true {
		shown, results := say(policy.WithinGrants, owner)
		if len(shown) != 0 || results[1].OK() || results[1].Err.Code != bus.PreconditionFailed {
			t.Errorf("without a page: %d forms, %+v", len(shown), results[1])
		}
	}
	r := b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "purse.pay", Arguments: f.Arguments, DryRun: true,
		Principal: owner, Caller: bus.Caller{Type: bus.CallerUI}})
	if r.Summary != "Pay 5 out of purse_ana" {
		t.Errorf("the preview says %q", r.Summary)
	}
}

// TestAFormTakesOnlyValuesThatFit: a form may lack values, because the person fills them in. form.fill refuses a value
// that no call could have.
func TestAFormTakesOnlyValuesThatFit(t *testing.T) {
	for args, want := range map[string]string{
		`{}`:                            "",
		`{"colour":"red"}`:              "",
		`{"pieces":3}`:                  "",
		`{"colour":"purple"}`:           "/colour",
		`{"colour":"red","pieces":0}`:   "/pieces",
		`{"pieces":1.5}`:                "/pieces",
		`{"pieces":"many"}`:             "/pieces",
		`{"colour":["red"],"pieces":1}`: "/colour",
	} {
		b := openBooth(t, policy.Options{Fixed: bus.AnswerAllow})
		b.Bus.MustRegister(bus.Define(bus.Capability{Name: "kite.order", Title: "Order a kite", Description: "Orders one.",
			SideEffect: bus.UIOnly}, func(context.Context, *bus.Call, struct {
			Colour string `json:"colour" jsonschema:"enum=red,enum=blue"`
			Pieces int    `json:"pieces" jsonschema:"minimum=1"`
		}) (struct{}, error) {
			return struct{}{}, nil
		}))
		s := &script{Steps: []step{reply("", use("1", "form_fill", fmt.Sprintf(`{"capability":"kite.order","arguments":%s}`,
			args))), reply("there it is")}}
		bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Clock: b.Clock.Now, Store: b.Store, Forms: true,
			Model: func() model.Model { return profiled{s} }})
		t.Cleanup(bridge.Close)
		var form *agent.Form
		var result *bus.Result
		if err := bridge.Send(t.Context(), agent.Turn{ConversationID: "chat", Text: "a kite", Principal: owner},
			func(u agent.Update) {
				form, result = cmp.Or(u.Form, form), cmp.Or(u.Result, result)
			}); err != nil {
			t.Fatal(err)
		}
		switch {
		case want == "" && (form == nil || !result.OK()):
			t.Errorf("%s: no form, %+v", args, result.Err)
		case want != "" && (form != nil || len(result.Err.Violations) != 1 || result.Err.Violations[0].Path != want):
			t.Errorf("%s: %v, %+v", args, form, result.Err)
		}
	}
}
