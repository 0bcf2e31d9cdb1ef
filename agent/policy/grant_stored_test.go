package policy_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// alter changes the database of a booth as another program would.
func (b *booth) alter(statement string, args ...any) {
	b.T.Helper()
	db, err := sql.Open("sqlite", "file:"+b.Path+"?_pragma=busy_timeout(5000)")
	if err == nil {
		_, err = db.Exec(statement, args...)
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		b.T.Fatal(err)
	}
}

// refuses makes the database refuse one kind of change.
func (b *booth) refuses(change string) {
	b.T.Helper()
	b.alter("CREATE TRIGGER refused BEFORE " + change + " BEGIN SELECT RAISE(ABORT, 'refused'); END")
}

// listed are the stored grants that fit a query.
func (b *booth) listed(query string) (list struct {
	Grants []struct {
		ID, Capability, Status string
		Grantee                policy.Grantee
		Used, Spent, Until     int64
	}
	HasMore    bool
	NextCursor string
}) {
	b.T.Helper()
	b.Does(&list, "grant.list", "%s", query)
	return list
}

// last is the latest record of a capability.
func (b *booth) last(capability string) audit.Record {
	b.T.Helper()
	page, err := searchLog(b, capability)
	if err != nil || len(page.Records) == 0 {
		b.T.Fatal(err, page)
	}
	return page.Records[0]
}

// asksToPay returns a request of the assistant to pay from Ana's purse, and its preview.
func asksToPay(b *booth, coins int64) (*bus.ApprovalRequest, *bus.Preview) {
	b.T.Helper()
	c, ok := b.Bus.Lookup("purse.pay")
	if !ok {
		b.T.Fatal("no purse.pay")
	}
	who := owner
	who.Model, who.ConversationID = &helper, "chat_1"
	inv := bus.Invocation{Capability: c.Name, RequestID: "req_1", Arguments: raw("%s", payTo("purse_ana", coins)),
		Principal: who, Caller: bus.Caller{Type: bus.CallerAgent}}
	return &bus.ApprovalRequest{Capability: c, Invocation: inv},
		&bus.Preview{Facts: map[string]any{"owner": "cus_ana",
			"amount": thing{"amount": coins, "currency": "USD"}}}
}

// holds: A9 A10
func TestA9WhatTheCapabilitiesOfGrantsDeclare(t *testing.T) {
	type form struct {
		Effect               bus.SideEffect
		Access               bus.Rule
		Permission, Resource string
		Agents, Idempotent   bool
		Rate                 bus.RateLimit
	}
	got := map[string]form{}
	for _, c := range policy.Capabilities(policy.Options{Log: (*audit.Log)(nil)}) {
		f := form{Effect: c.SideEffect, Access: c.Checks.Access.Agent, Permission: strings.Join(c.Permissions, " "),
			Resource: strings.Join(c.Resources, " "), Agents: c.Assistant.Only, Idempotent: c.Run.Idempotent}
		if c.Run.RateLimit != nil {
			f.Rate = *c.Run.RateLimit
		}
		got[c.Name] = f
	}
	const read, write = "database:read", "database:write"
	if diff := cmp.Diff(map[string]form{
		"policy.get": {Effect: bus.Pure, Access: bus.RuleAllow, Permission: "policy:read", Resource: read,
			Idempotent: true},
		"policy.set": {Effect: bus.UIOnly, Access: bus.RuleDeny, Permission: "policy:write", Resource: write,
			Idempotent: true},
		"grant.suggest": {Effect: bus.Pure, Access: bus.RuleDeny, Permission: "policy:read audit:read", Resource: read,
			Idempotent: true},
		"policy.tryOut": {Effect: bus.Pure, Access: bus.RuleDeny, Permission: "policy:read audit:read", Resource: read,
			Idempotent: true},
		"grant.list":   {Effect: bus.Pure, Access: bus.RuleAllow, Permission: "grant:read", Resource: read, Idempotent: true},
		"grant.create": {Effect: bus.UIOnly, Access: bus.RuleDeny, Permission: "grant:write", Resource: write},
		"grant.revoke": {Effect: bus.UIOnly, Access: bus.RuleDeny, Permission: "grant:write", Resource: write,
			Idempotent: true},
		"agent.requestCapability": {Effect: bus.UIOnly, Access: bus.RuleConfirm, Permission: "grant:write",
			Resource: write, Agents: true, Rate: bus.RateLimit{Requests: 10, Period: time.Hour}},
		"assistant.clients":     {Effect: bus.Pure, Access: bus.RuleDeny, Permission: "grant:read", Resource: read, Idempotent: true},
		"assistant.enrolClient": {Effect: bus.UIOnly, Access: bus.RuleDeny, Permission: "grant:write", Resource: write},
		"assistant.endClient":   {Effect: bus.UIOnly, Access: bus.RuleDeny, Permission: "grant:write", Resource: write, Idempotent: true},
		"routine.list": {Effect: bus.Pure, Access: bus.RuleAllow, Permission: "routine:read", Resource: read,
			Idempotent: true},
		"routine.run": {Effect: bus.Destructive, Access: bus.RuleConfirm, Permission: "routine:write",
			Resource: write},
		"routine.save":    {Effect: bus.UIOnly, Access: bus.RuleDeny, Permission: "routine:write", Resource: write},
		"routine.remove":  {Effect: bus.UIOnly, Access: bus.RuleDeny, Permission: "routine:write", Resource: write},
		"approval.answer": {Effect: bus.UIOnly, Access: bus.RuleDeny, Resource: read + " " + write},
	}, got); diff != "" {
		t.Error(diff)
	}
}

// holds: A9
func TestA9GrantsAreListedByCapabilityAndPerson(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Grants(forAna, `{"uses":1}`)
	for _, person := range []string{"p_owner", "p_kim"} {
		b.Does(nil, "grant.create", `{"grantee":{"person":%q,"endpoint":"e","model":"m"},"capability":"remark.add"}`, person)
	}
	for query, want := range map[string]int{`{}`: 3, `{"capability":"remark.add"}`: 2, `{"capability":"purse.pay"}`: 1,
		`{"person":"p_owner"}`: 2, `{"person":"p_kim"}`: 1, `{"person":"p_kim","capability":"purse.pay"}`: 0,
		`{"capability":"remark"}`: 0, `{"limit":3}`: 3, `{"limit":2}`: 2} {
		list := b.listed(query)
		more := query == `{"limit":2}`
		if len(list.Grants) != want || list.HasMore != more || (list.NextCursor != "") != more {
			t.Errorf("%s: %+v", query, list)
		}
	}
}

// holds: A9
func TestA9AGrantTakesAtMostTwentyConstraints(t *testing.T) {
	b := openBooth(t, policy.Options{})
	for n, ok := range map[int]bool{20: true, 21: false} {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`"/text/%d":"x"`, i))
		}
		if r := b.Person("grant.create", `{"grantee":{"endpoint":"e","model":"m"},"capability":"remark.add",
			"constraints":{%s}}`, strings.Join(list, ",")); r.OK() != ok {
			t.Errorf("%d: %v", n, r.Err)
		}
	}
}

// holds: A9
func TestA9AGrantIsForATimeToCome(t *testing.T) {
	b := openBooth(t, policy.Options{})
	until := func(ms int64) bus.Result {
		return b.Person("grant.create", `{"grantee":{"endpoint":"e","model":"m"},"capability":"remark.add","until":%d}`,
			b.Clock.Now().UnixMilli()+ms)
	}
	b.Fails(until(0), bus.Validation, bus.ReasonArguments, "over already")
	if r := until(1); !r.OK() {
		t.Error(r.Err)
	}
}

// holds: A9
func TestA9ARefusalNamesTheSubjectInWords(t *testing.T) {
	b := openBooth(t, policy.Options{})
	move := capability("folder.drop", "Drop a folder", bus.Destructive,
		object("", `"parentFolderId":{"type":"string"},"reasonCode":{"type":"string"}`), nothing)
	move.Facts, move.Assistant.Grantable = []string{"amount"}, []string{"amount", "parentFolderId", "reasonCode"}
	burn := capability("coins.burn", "Burn coins", bus.Destructive, object("", ""), nothing)
	burn.Facts, burn.Assistant.Grantable = []string{"amount"}, []string{"amount"}
	b.Bus.MustRegister(move, burn)
	b.Does(nil, "grant.create", `{"grantee":{"endpoint":"e","model":"m"},"capability":"coins.burn","limits":{"uses":1},
		"until":%d}`, b.Clock.Now().Add(time.Hour).UnixMilli()) // it has no subject
	r := b.Person("grant.create", `{"grantee":{"endpoint":"e","model":"m"},"capability":"folder.drop"}`)
	b.Fails(r, bus.Validation, bus.ReasonArguments, "A grant for Drop a folder needs a limit of the amount or the uses "+
		"and one parent folder or reason code that it is for and an end.")
	r = b.Person("grant.create", `{"grantee":{"endpoint":"e","model":"m"},"capability":"folder.drop",
		"constraints":{"folder":"x"}}`)
	if r.Err == nil || !strings.Contains(r.Err.Hint, "facts are amount.") {
		t.Errorf("%+v", r.Err)
	}
	r = b.Person("grant.create", `{"grantee":{"endpoint":"e","model":"m"},"capability":"remark.add",
		"constraints":{"folder":"x"}}`)
	if r.Err == nil || !strings.Contains(r.Err.Hint, "facts are none.") {
		t.Errorf("%+v", r.Err)
	}
}

// holds: A9
func TestA9ABudgetIsInItsCurrency(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Grants(forAna, `{"budget":{"amount":100,"currency":"USD"}}`)
	b.Fails(b.Agent("purse.pay", `{"purse":"purse_ana","amount":{"amount":1,"currency":"EUR"}}`), bus.Forbidden,
		bus.ReasonConstraint, "its budget is in another currency")
	if b.Paid() != 0 {
		t.Errorf("%d were paid", b.Paid())
	}
	for amount, ok := range map[any]bool{100: true, 101: false, 0.5: false, 1e30: false, "1": false, -100: true,
		-101: false, int64(100): true, int64(101): false} {
		req, preview := asksToPay(b, 1)
		preview.Facts["amount"] = thing{"amount": amount, "currency": "USD"}
		if d, err := b.Policy.Approve(t.Context(), req, preview); d.Allowed != ok || ok && err != nil {
			t.Errorf("%v: %+v %v", amount, d, err)
		}
	}
}

// holds: A9
func TestA9OnlyABudgetIsSpent(t *testing.T) {
	b := openBooth(t, policy.Options{})
	id := b.Grants(forAna, `{"uses":2}`)
	if r := b.Pays("purse_ana", 5); !r.OK() {
		t.Fatal(r.Err)
	}
	if g := b.listed(`{}`).Grants[0]; g.ID != id || g.Used != 1 || g.Spent != 0 {
		t.Errorf("%+v", g)
	}
}

// holds: A9
func TestA9AGrantAndItsEndAreToldAndRecorded(t *testing.T) {
	b := openBooth(t, policy.Options{})
	id := b.Grants(forAna, `{"uses":2}`)
	b.Does(nil, "grant.revoke", `{"grantId":%q}`, id)
	b.Does(nil, "policy.set", `{"rules":[{"capability":"remark.add","rule":"allowed"},{"class":"pure","rule":"allowed"},
		{"class":"destructive","rule":"forbidden"}]}`)
	first := b.last("policy.set")
	b.Does(nil, "policy.set", `{"rules":[{"capability":"remark.add","rule":"forbidden"},
		{"class":"destructive","rule":"forbidden"},
		{"class":"network","rule":"forbidden"},{"class":"ui-only","rule":"allowed"}]}`)
	for _, tc := range []struct {
		record          audit.Record
		summary, domain string
		changed         string
		ids             []string
	}{
		{b.last("grant.create"), "Let helper do without asking: Pay out: only for Ana Ruiz, 2 times, until Monday, " +
			"2 March 2026, 02:00", "grant", "The assistant got a grant.", []string{id}},
		{b.last("grant.revoke"), "Revoke the grant for purse.pay", "grant", "A grant was revoked.", []string{id}},
		{first, "Change 3 of the rules for the assistant; 3 are set", "policy",
			"What the assistant may do was changed.", nil},
		{b.last("policy.set"), "Change 4 of the rules for the assistant; 4 are set", "policy",
			"What the assistant may do was changed.", nil},
	} {
		if tc.record.Summary != tc.summary {
			t.Errorf("%s: %s", tc.record.Capability, tc.record.Summary)
		}
		if e := tc.record.Events; len(e) != 1 || e[0].Domain != tc.domain || e[0].Summary != tc.changed ||
			cmp.Diff(e[0].IDs, tc.ids) != "" {
			t.Errorf("%s: %+v", tc.record.Capability, e)
		}
	}
}

// holds: A6 A9
func TestA9WhatIsNotWrittenDoesNotCount(t *testing.T) {
	const create = `{"grantee":{"endpoint":"e","model":"m"},"capability":"remark.add"}`
	for change, call := range map[string]func(b *booth, id string) bus.Result{
		"INSERT ON assistant_grants": func(b *booth, _ string) bus.Result { return b.Person("grant.create", create) },
		"UPDATE ON assistant_grants": func(b *booth, id string) bus.Result {
			return b.Person("grant.revoke", `{"grantId":%q}`, id)
		},
		"INSERT ON agent_grant_uses": func(b *booth, _ string) bus.Result { return b.Pays("purse_ana", 1) },
		"INSERT ON assistant_rules": func(b *booth, _ string) bus.Result {
			return b.Person("policy.set", `{"rules":[{"class":"pure","rule":"allowed"},{"class":"network","rule":"forbidden"}]}`)
		},
		"DELETE ON assistant_rules": func(b *booth, _ string) bus.Result { return b.Person("policy.set", `{"rules":[]}`) },
	} {
		b := openBooth(t, policy.Options{})
		id := b.Grants(forAna, `{"uses":2}`)
		b.Does(nil, "policy.set", `{"rules":[{"class":"pure","rule":"allowed"}]}`)
		before := b.Decided()
		b.refuses(change)
		r := call(b, id)
		if r.OK() || b.Decided() != before || b.Paid() != 0 || b.listed(`{}`).Grants[0].Used != 0 {
			t.Errorf("%s: %+v", change, r)
		}
	}
}

// holds: A6 A9
func TestA9WhatCannotBeReadAllowsNothing(t *testing.T) {
	answers := func(b *booth) map[string]bus.Result {
		return map[string]bus.Result{
			"a payment within the grant": b.Pays("purse_ana", 1),
			"a read":                     b.Agent("purse.list", `{}`),
			"the grants":                 b.Person("grant.list", `{}`),
			"the end of a grant":         b.Person("grant.revoke", `{"grantId":"grant_x"}`),
			"the rules":                  b.Person("policy.get", `{}`),
			"other rules":                b.Person("policy.set", `{"rules":[]}`),
			"what may be done":           b.Agent("capability.describe", `{"name":"purse.pay"}`),
		}
	}
	for table, lost := range map[string]string{
		"assistant_grants":   "a payment within the grant, the grants, the end of a grant, what may be done",
		"assistant_rules":    "a payment within the grant, a read, the rules, other rules, what may be done",
		"assistant_settings": "a payment within the grant, a read, what may be done",
	} {
		var asked int
		b := openBooth(t, policy.Options{OnCard: func(policy.CardEvent) { asked++ }, Timeout: time.Nanosecond})
		b.Grants(forAna, `{"uses":2}`)
		b.alter("DROP TABLE " + table)
		for name, r := range answers(b) {
			fails := r.Err != nil && r.Err.Code == bus.Internal && r.Err.Reason != bus.ReasonResponse
			if fails != strings.Contains(lost+",", name+",") {
				t.Errorf("%s without %s: %+v", name, table, r.Err)
			}
		}
		if _, err := b.Policy.Readable(t.Context()); (err == nil) != (table == "assistant_grants") {
			t.Errorf("what may be used without %s: %v", table, err)
		}
		if asked > 0 || b.Paid() != 0 {
			t.Errorf("without %s: %d cards, %d paid", table, asked, b.Paid())
		}
	}
}

// holds: A9
func TestA9AGrantIsTheAssistantsAlone(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Grants(forAna, `{"uses":2}`)
	req, preview := asksToPay(b, 1)
	if d, err := b.Policy.Approve(t.Context(), req, preview); err != nil || !d.Allowed || d.Answer != bus.AnswerGrant {
		t.Errorf("%+v %v", d, err)
	}
	req.Invocation.Caller.Type = bus.CallerUI
	if d, err := b.Policy.Approve(t.Context(), req, preview); err != nil || d.Allowed {
		t.Errorf("%+v %v", d, err)
	}
}

// holds: A9
func TestA9AnAllowedCallTakesItsUseOrIsVoid(t *testing.T) {
	for name, tc := range map[string]struct {
		change      func(b *booth, id string)
		void, fails bool
	}{
		"as it was":    {func(*booth, string) {}, false, false},
		"revoked":      {func(b *booth, id string) { b.Does(nil, "grant.revoke", `{"grantId":%q}`, id) }, true, true},
		"gone":         {func(b *booth, _ string) { b.alter("DELETE FROM assistant_grants") }, true, true},
		"over":         {func(b *booth, _ string) { b.Clock.Advance(time.Hour) }, true, true},
		"used up":      {func(b *booth, _ string) { b.Pays("purse_ana", 1) }, true, true},
		"not readable": {func(b *booth, _ string) { b.alter("DROP TABLE assistant_grants") }, false, true},
		"not taken":    {func(b *booth, _ string) { b.refuses("INSERT ON agent_grant_uses") }, false, true},
	} {
		b := openBooth(t, policy.Options{})
		id := b.Grants(forAna, `{"uses":1}`)
		req, preview := asksToPay(b, 1)
		d, err := b.Policy.Approve(t.Context(), req, preview)
		if err != nil || !d.Allowed || d.Reserve == nil {
			t.Fatalf("%+v %v", d, err)
		}
		tc.change(b, id)
		if err := d.Reserve(t.Context()); (err != nil) != tc.fails || errors.Is(err, bus.ErrVoid) != tc.void {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// holds: A9
func TestA9TheStatusIsThatOfTheBestGrant(t *testing.T) {
	b, _ := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerDeny} })
	c, _ := b.Bus.Lookup("purse.pay")
	who := owner
	who.Model = &helper
	status := func() string { return must[string](t)(b.Policy.GrantStatus(t.Context(), c, who)) }
	b.Grants(forAna, `{"uses":1}`)
	b.Clock.Advance(time.Second)
	b.Does(nil, "grant.revoke", `{"grantId":%q}`, b.Grants(forAna, `{"uses":1}`))
	if got := status(); got != policy.GrantActive {
		t.Error("behind a revoked one:", got)
	}
	b.Clock.Advance(time.Second)
	b.Grants(forAna, `{"uses":1}`)
	b.Agent("agent.requestCapability", `{"capability":"purse.pay","constraints":{"owner":"cus_ben"},"reason":"r"}`)
	if got := status(); got != policy.GrantActive {
		t.Error("although another was denied:", got)
	}
	b.alter("DROP TABLE assistant_grants")
	if got, err := b.Policy.GrantStatus(t.Context(), c, who); err == nil || got == policy.GrantActive {
		t.Error(got, err)
	}
}

// holds: A9 A11
func TestA9WithoutGrantsNoneIsSpokenOf(t *testing.T) {
	b := openBooth(t, policy.Options{})
	var x policy.Provenance
	x.ReadTainted("List the remarks")
	req, preview := asksToPay(b, 1)
	if d, err := b.Policy.Approve(x.In(t.Context()), req, preview); err != nil || d.Allowed || d.Answer != "nobody" {
		t.Errorf("%+v %v", d, err)
	}
	b.Grants(forAna, `{"uses":1}`)
	_, err := b.Policy.Approve(x.In(t.Context()), req, preview)
	if err == nil || !strings.Contains(err.Error(), "(List the remarks). So no grant counts here.") {
		t.Error(err)
	}
}

// holds: A9
func TestA9APolicyWithoutALogHasNoGrants(t *testing.T) {
	b, _ := till(t, policy.New(policy.Options{Fixed: bus.AnswerDeny}))
	who := kim
	who.Model = &helper
	r := b.Invoke(t.Context(), bus.Invocation{Capability: "till.pay", Arguments: raw(`{"coins":7}`), Principal: who,
		Caller: bus.Caller{Type: bus.CallerAgent}})
	if r.OK() || r.Err.Reason != bus.ReasonDeclined {
		t.Errorf("%+v", r)
	}
}

// holds: A10
func TestA10AnUnknownAssistantGetsNoGrant(t *testing.T) {
	b := openBooth(t, policy.Options{Fixed: bus.AnswerAllow})
	b.Fails(b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "agent.requestCapability",
		Arguments: raw(`{"capability":"remark.add","reason":"x"}`), Principal: owner,
		Caller: bus.Caller{Type: bus.CallerAgent}}), bus.PreconditionFailed, bus.ReasonState, "which assistant")
	if list := b.listed(`{}`).Grants; len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

// holds: A9 A10
func TestA10WhatIsLeftOpenEndsAfterEightHours(t *testing.T) {
	b, cards := answering(t, func(n int, _ policy.Card) policy.Answer {
		return policy.Answer{Answer: bus.AnswerAllow}
	})
	want := b.Clock.Now().Add(8 * time.Hour).UnixMilli()
	if r := b.Agent("agent.requestCapability", `{"capability":"remark.add","reason":"x"}`); !r.OK() {
		t.Fatal(r.Err)
	}
	b.Pays("purse_ana", 1)
	if got := b.listed(`{}`).Grants[0].Until; got != want || (*cards)[1].Grant.Until != want {
		t.Errorf("%d and %d, not %d", got, (*cards)[1].Grant.Until, want)
	}
}

// holds: A9
func TestA9ASentenceThatCannotBeSaidMakesNoGrant(t *testing.T) {
	broken := errors.New("no names today")
	currency := func(context.Context) (string, error) { return "", broken }
	zone := func(context.Context) (*time.Location, error) { return nil, broken }
	name := func(_ context.Context, _, id string) (string, error) {
		if id == "cus_ana" {
			return "", broken
		}
		return "Ben Silva", nil
	}
	for what, tc := range map[string]struct {
		wording     policy.Wording
		constraints string
		text        string
	}{
		"a name":           {policy.Wording{Name: name}, forAna, ""},
		"one of the names": {policy.Wording{Name: name}, `{"owner":{"in":["cus_ana","cus_ben"]}}`, ""},
		"another name":     {policy.Wording{Name: name}, `{"owner":"cus_ben"}`, "Pay out: only for Ben Silva, once"},
		"no names":         {policy.Wording{}, forAna, "Pay out: only with owner “cus_ana”, once"},
		"the currency":     {policy.Wording{Currency: currency}, forAna, ""},
		"the zone":         {policy.Wording{Zone: zone}, forAna, ""},
	} {
		b := openBooth(t, policy.Options{})
		b.Bus = bus.New(b.Bus.Options())
		b.Bus.MustRegister(append(b.Capabilities(), policy.Capabilities(policy.Options{Log: b.Log, Wording: tc.wording})...)...)
		r := b.Person("grant.create", `{"grantee":{"endpoint":"e","model":"m"},"capability":"purse.pay","constraints":%s,
			"limits":{"uses":1},"until":%d}`, tc.constraints, b.Clock.Now().Add(time.Hour).UnixMilli())
		if r.OK() != (tc.text != "") || !strings.Contains(string(r.Data), tc.text) {
			t.Errorf("%s: %s %v", what, r.Data, r.Err)
		}
	}
}

// holds: A6
func TestA6ASwitchedOffAssistantMayNothing(t *testing.T) {
	b := openBooth(t, policy.Options{Fixed: bus.AnswerAllow})
	b.Does(nil, "assistant.setEnabled", `{"enabled":false}`)
	for _, name := range []string{"purse.list", "purse.pay"} {
		c, _ := b.Bus.Lookup(name)
		d, err := b.Policy.Authorize(t.Context(), &bus.ApprovalRequest{Capability: c})
		if err != nil || d.Rule != bus.RuleDeny || d.Code != bus.ReasonCapabilityNotGranted {
			t.Errorf("%s: %+v %v", name, d, err)
		}
		readable := must[func(*bus.Capability) bool](t)(b.Policy.Readable(t.Context()))
		if !readable(c) {
			t.Errorf("%s: it could be read again once it is switched on", name)
		}
	}
}
