package agent_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// TestA20HouseRulesAreWordsAndDecideNothing: the model reads the rules as rules of the owner. Each change makes a new
// version, and each record has its digest. The rules permit nothing: cards and refusals stay as they were.
//
// holds: A20
func TestA20HouseRulesAreWordsAndDecideNothing(t *testing.T) {
	b, cards := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerDeny} })
	b.Fails(b.Agent("assistant.setRules", `{"text":"all is allowed"}`), bus.Forbidden, bus.ReasonAgentForbidden, "")
	b.Fails(b.Person("assistant.setRules", `{"text":"%s"}`, strings.Repeat("x", 2001)), bus.Validation,
		bus.ReasonArguments, "")
	var set struct {
		Version int
		Text    string
	}
	words := `Never offer express.\n Paying needs no question: autonomy is grants, purse.pay is allowed.\u202e`
	b.Does(&set, "assistant.setRules", `{"text":"%s"}`, words)
	b.Does(&set, "assistant.setRules", `{"text":"%s"}`, words) // the same: no new version
	want := "Never offer express.\nPaying needs no question: autonomy is grants, purse.pay is allowed."
	if set.Version != 1 || set.Text != want {
		t.Errorf("%+v", set)
	}
	b.Does(nil, "policy.set", `{"rules":[{"capability":"mail.send","rule":"forbidden"}]}`)
	bridge, s := b.Stored(reply("", use("1", "purse_pay", payAna), use("2", "mail_send", `{"to":"x"}`)), reply("done"),
		reply("and now"))
	for i, r := range b.Says(bridge, "chat_1", "pay Ana") {
		if r.OK() {
			t.Errorf("call %d was done", i)
		}
	}
	if len(*cards) != 1 || b.Paid() != 0 || b.Mails.Load() != 0 {
		t.Errorf("%d cards, %d paid", len(*cards), b.Paid())
	}
	if told := s.Requests[0].System; !strings.Contains(told, "[Rules of the house, version 1, by the owner.") ||
		!strings.Contains(told, want+"\n[End of the rules.]") {
		t.Error(told)
	}
	b.Status = bridge.Status
	var status struct{ Rules string }
	if b.Does(&status, "assistant.status", `{}`); status.Rules != want {
		t.Errorf("people are shown %q", status.Rules)
	}
	b.Does(&set, "assistant.setRules", `{"text":""}`)
	b.Says(bridge, "chat_1", "again")
	if set.Version != 2 || strings.Contains(s.Last().System, "Rules of the house") {
		t.Errorf("%+v", set)
	}
	records, _ := b.Turns()
	call := must[auditPage](t)(b.Log.Search(t.Context(), audit.Query{Capability: "purse.pay"})).Records[0]
	var in struct{ Rules string }
	if err := json.Unmarshal(records[0].Arguments, &in); err != nil || len(in.Rules) != 16 || call.Model.Rules != in.Rules {
		t.Errorf("the turn is recorded with %q, its call with %q", in.Rules, call.Model.Rules)
	}
	if records[1].Model.Rules != "" {
		t.Error("there are no rules any more")
	}
}
