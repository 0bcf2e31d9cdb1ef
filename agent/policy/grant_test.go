package policy_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

func (b *booth) Pays(purse string, coins int) bus.Result {
	return b.Agent("purse.pay", `{"purse":%q,"amount":{"amount":%d,"currency":"USD"}}`, purse, coins)
}

// holds: A9
func TestA9AGrantAnswersWithinItsBounds(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Fails(b.Pays("purse_ana", 10), bus.Forbidden, bus.ReasonDeclined, "confirmed by a person")
	id := b.Grants(`{"owner":"cus_ana","amount":{"max":{"amount":50,"currency":"USD"}}}`, `{"uses":2}`)
	if r := b.Pays("purse_ana", 50); !r.OK() {
		t.Fatal(r.Err)
	}
	b.Fails(b.Pays("purse_ana", 51), bus.Forbidden, bus.ReasonConstraint, "Amount is outside its bounds")
	b.Fails(b.Pays("purse_ben", 5), bus.Forbidden, bus.ReasonConstraint, "Owner is outside its bounds")
	if r := b.Pays("purse_ana", 1); !r.OK() {
		t.Fatal(r.Err)
	}
	b.Fails(b.Pays("purse_ana", 1), bus.Forbidden, bus.ReasonConstraint, "it has expired")
	if b.Paid() != 51 {
		t.Errorf("%d were paid", b.Paid())
	}
	page, err := b.Log.Trace(t.Context(), lastRequest(t, b, "purse.pay", "success"))
	if err != nil || len(page.Records) == 0 || page.Records[0].Decision == nil || page.Records[0].Decision.GrantID != id ||
		page.Records[0].Decision.Answer != "grant" {
		t.Errorf("%+v %v", page, err)
	}
	var list struct {
		Grants []struct {
			ID, Status, Text string
			Used             int
		}
	}
	b.Does(&list, "grant.list", `{}`)
	if len(list.Grants) != 1 || list.Grants[0].Status != "expired" || list.Grants[0].Used != 2 ||
		list.Grants[0].Text != "Pay out: up to $0.50 each time, only for Ana Ruiz, 2 times, until Monday, 2 March 2026, "+
			"02:00" {
		t.Errorf("%+v", list)
	}
}

// holds: A9
func TestA9ABudgetIsForAllUsesTogether(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Grants(forAna, `{"budget":{"amount":100,"currency":"USD"}}`)
	for _, coins := range []int{60, 50, 40, 1} {
		b.Pays("purse_ana", coins)
	}
	if b.Paid() != 100 {
		t.Errorf("%d were paid", b.Paid())
	}
	b.Fails(b.Agent("purse.pay", `{"purse":"purse_ana","amount":{"amount":1,"currency":"EUR"}}`), bus.Forbidden,
		bus.ReasonConstraint, "expired")
}

// holds: A9
func TestA9WhoeverTheGrantIsNotForIsAsked(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Grants(forAna, `{"uses":100}`)
	args := `{"purse":"purse_ana","amount":{"amount":1,"currency":"USD"}}`
	for name, profile := range map[string]bus.ModelID{
		"another model":    {Endpoint: helper.Endpoint, Name: "helper-2"},
		"another endpoint": {Endpoint: "http://elsewhere/v1", Name: helper.Name},
		"the built-in":     {Endpoint: "built-in", Name: "built-in assistant"},
	} {
		if r := b.AgentAs(profile, "chat_1", "purse.pay", "%s", args); r.OK() {
			t.Errorf("%s: not asked", name)
		}
	}
	who := owner
	who.ID, who.Model = "p_clerk", &helper
	if r := b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "purse.pay", Arguments: raw("%s", args), Principal: who,
		Caller: bus.Caller{Type: bus.CallerAgent}}); r.OK() {
		t.Error("another person: not asked")
	}
	who = owner
	if r := b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "purse.pay", Arguments: raw("%s", args), Principal: who,
		Caller: bus.Caller{Type: bus.CallerAgent}}); r.OK() {
		t.Error("no profile: not asked")
	}
	if b.Paid() != 0 {
		t.Errorf("%d were paid", b.Paid())
	}
}

// holds: A9
func TestA9RevokedExpiredAndForeignSessionsFallBack(t *testing.T) {
	b := openBooth(t, policy.Options{})
	id := b.Grants(forAna, `{"uses":100}`)
	b.Does(nil, "grant.revoke", `{"grantId":%q}`, id)
	b.Fails(b.Pays("purse_ana", 1), bus.Forbidden, bus.ReasonConstraint, "revoked")
	b.Fails(b.Person("grant.revoke", `{"grantId":%q}`, id), bus.PreconditionFailed, bus.ReasonState, "already")
	b.Fails(b.Person("grant.revoke", `{"grantId":"grant_x"}`), bus.NotFound, bus.ReasonRecord, "no such")
	b.Grants(forAna, `{"uses":100,"conversation":"chat_2"}`)
	b.Fails(b.Pays("purse_ana", 1), bus.Forbidden, bus.ReasonConstraint, "another conversation")
	if r := b.AgentAs(helper, "chat_2", "purse.pay",
		`{"purse":"purse_ana","amount":{"amount":1,"currency":"USD"}}`); !r.OK() {
		t.Error(r.Err)
	}
	b.Clock.Advance(time.Minute)
	b.Grants(forAna, `{"uses":100}`)
	b.Clock.Advance(time.Hour)
	b.Fails(b.Pays("purse_ana", 1), bus.Forbidden, bus.ReasonConstraint, "expired")
}

// later opens the booth with a program without this capability, or with a changed one.
func (b *booth) later(name string, change func(*bus.Capability)) {
	kept := slices.DeleteFunc(b.Capabilities(), func(c bus.Capability) bool { return change == nil && c.Name == name })
	for i := range kept {
		if kept[i].Name == name {
			change(&kept[i])
		}
	}
	b.Bus = bus.New(b.Bus.Options())
	b.Bus.MustRegister(kept...)
	b.Bus.MustRegister(agent.Capabilities(agent.CapabilityOptions{Store: b.Store, Wording: agenttest.Wording})...)
}

// holds: A9
func TestA9AGrantOfWhatIsNoMoreIsInoperative(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*bus.Capability)
		code   bus.Code
		text   string
	}{
		"as it was":         {func(*bus.Capability) {}, "", "Pay out: "},
		"removed":           {nil, bus.NotFound, "purse.pay"},
		"bound by no field": {func(c *bus.Capability) { c.Assistant.Grantable = nil }, bus.Forbidden, "Pay out: "},
	} {
		b := openBooth(t, policy.Options{})
		b.Grants(forAna, `{"uses":100}`)
		b.later("purse.pay", tc.change)
		if r := b.Pays("purse_ana", 1); r.OK() != (tc.code == "") || !r.OK() && r.Err.Code != tc.code {
			t.Errorf("%s: %v", name, r.Err)
		}
		var list struct {
			Grants []struct {
				Text        string
				Inoperative bool
			}
		}
		b.Does(&list, "grant.list", `{}`)
		if len(list.Grants) != 1 || list.Grants[0].Inoperative != (tc.code != "") ||
			!strings.HasPrefix(list.Grants[0].Text, tc.text) {
			t.Errorf("%s: %+v", name, list)
		}
	}
}

// spoil writes values to the table of grants that this program never writes.
func (b *booth) spoil(set string) {
	b.Bus.MustRegister(bus.Define(bus.Capability{Name: "grant.spoil", Title: "Spoil", Description: "Spoils the grants.",
		SideEffect: bus.UIOnly, Resources: []string{"database:write"}},
		func(ctx context.Context, _ *bus.Call, _ struct{}) (struct{}, error) {
			_, err := audit.Tx(ctx).ExecContext(ctx, "UPDATE assistant_grants SET "+set)
			return struct{}{}, err
		}))
	b.Does(nil, "grant.spoil", `{}`)
}

func TestA9AGrantThatCannotBeReadAllowsNothing(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Grants(forAna, `{"uses":100}`)
	b.spoil(`constraints = '{"owner":{"most":1}}'`)
	if r := b.Pays("purse_ana", 1); r.OK() || b.Paid() != 0 {
		t.Errorf("%v, %d were paid", r.Err, b.Paid())
	}
}

func TestA6ACallIsRefusedWithTheErrorOfItsContext(t *testing.T) {
	b := openBooth(t, policy.Options{})
	ctx := policy.Refuse(t.Context(), bus.Errorf(bus.Forbidden, bus.ReasonLimit, "Enough."))
	who := owner
	who.Model = &helper
	r := b.Bus.Invoke(ctx, bus.Invocation{Capability: "purse.list", Arguments: raw(`{}`), Principal: who,
		Caller: bus.Caller{Type: bus.CallerAgent}})
	b.Fails(r, bus.Forbidden, bus.ReasonLimit, "Enough.")
}

// holds: A9
func TestA9AGrantNeverOverridesDeny(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Grants(forAna, `{"uses":100}`)
	b.Does(nil, "policy.set", `{"rules":[{"class":"destructive","rule":"forbidden"}]}`)
	b.Fails(b.Pays("purse_ana", 1), bus.Forbidden, bus.ReasonCapabilityNotGranted, "")
}

// holds: A9
func TestA9WhatIsTooWideIsRefused(t *testing.T) {
	b := openBooth(t, policy.Options{})
	const end = `"until":1900000000000`
	for terms, want := range map[string]struct {
		code      bus.Code
		reason    bus.Reason
		SplitName string
	}{
		`"capability":"purse.pay","constraints":{"owner":"cus_ana"},` +
			end: {bus.Validation, bus.ReasonArguments, "limit of the amount"},
		`"capability":"purse.pay","constraints":{"amount":{"max":5}},` +
			end: {bus.Validation, bus.ReasonArguments, "one owner"},
		`"capability":"purse.pay","constraints":{"owner":{"not_in":["cus_ben"]}},"limits":{"uses":1},` +
			end: {bus.Validation, bus.ReasonArguments, "one owner"},
		`"capability":"purse.pay","constraints":{"owner":"cus_ana"},"limits":{"uses":1}`: {
			bus.Validation, bus.ReasonArguments, "an end"},
		`"capability":"purse.pay","constraints":{"owner":"cus_ana"},"limits":{"uses":1},"until":1000`: {
			bus.Validation, bus.ReasonArguments, "over already"},
		`"capability":"purse.burn","constraints":{"/purse":"purse_ana"},"limits":{"uses":1},` +
			end: {bus.Validation, bus.ReasonArguments, "never granted"},
		`"capability":"agent.requestCapability"`: {bus.Validation, bus.ReasonArguments,
			"never granted"},
		`"capability":"policy.set"`: {bus.Validation, bus.ReasonArguments,
			"people only"},
		`"capability":"order.rush"`: {
			bus.NotFound, bus.ReasonRecord, "order.rush"},
		`"capability":"remark.add","constraints":{"text":{"exclusiveMinimum":1}}`: {
			bus.Validation, bus.ReasonUnknownOperator, `"exclusiveMinimum"`},
		`"capability":"remark.add","constraints":{"text":{"max":1,"regex":"x"}}`: {
			bus.Validation, bus.ReasonUnknownOperator, `"regex"`},
		`"capability":"remark.add","constraints":{"text":{}}`: {bus.Validation, bus.ReasonArguments,
			"says nothing"},
		`"capability":"remark.add","constraints":{"text":null}`: {bus.Validation, bus.ReasonArguments,
			"no value"},
		`"capability":"remark.add","constraints":{"text":{"in":[]}}`: {bus.Validation, bus.ReasonArguments,
			"list of"},
		`"capability":"remark.add","constraints":{"text":{"max":"z"}}`: {bus.Validation, bus.ReasonArguments,
			"a number"},
		`"capability":"remark.add","constraints":{"titel":"x"}`: {bus.Validation, bus.ReasonArguments,
			`"titel"`},
		`"capability":"remark.add","constraints":{"text":"x","/text":"y"}`: {bus.Validation, bus.ReasonArguments,
			"two constraints"},
		`"capability":"remark.add","limits":{"budget":{"amount":1,"currency":"USD"}}`: {bus.Validation, bus.ReasonArguments,
			"moves no money"},
	} {
		b.Fails(b.Person("grant.create", `{"grantee":{"endpoint":"e","model":"m"},%s}`, terms), want.code, want.reason,
			want.SplitName)
	}
}

// holds: A9
func TestA9WhatCanBeUndoneNeedsNoBounds(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Does(nil, "grant.create", `{"grantee":{"endpoint":%q,"model":%q},"capability":"remark.add"}`, helper.Endpoint,
		helper.Name)
	if r := b.Agent("remark.add", `{"text":"hello"}`); !r.OK() {
		t.Error(r.Err)
	}
}

// holds: A9
func TestA9AStepOutsideUsesItsGrantUpBeforeItBegins(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Does(nil, "grant.create",
		`{"grantee":{"endpoint":%q,"model":%q},"capability":"mail.send","constraints":{"recipient":"ana@example.com"},"limits":{"uses":1}}`, helper.Endpoint, helper.Name)
	b.Fails(b.Agent("mail.send", `{"to":"eve@example.com"}`), bus.Forbidden, bus.ReasonConstraint, "Recipient")
	if r := b.Agent("mail.send", `{"to":"ana@example.com"}`); !r.OK() {
		t.Error(r.Err)
	}
	b.Fails(b.Agent("mail.send", `{"to":"ana@example.com"}`), bus.Forbidden, bus.ReasonConstraint, "expired")
	if b.Mails.Load() != 1 {
		t.Errorf("%d mails", b.Mails.Load())
	}
}

// holds: A9
func TestA9ACardIsShownWhereTheGrantEnds(t *testing.T) {
	var b *booth
	var cards []policy.Card
	b = openBooth(t, policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type == policy.CardOpened {
			cards = append(cards, e.Card)
			if err := b.Policy.Decide(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerAllow,
				By: e.Card.Person}); err != nil {
				t.Error(err)
			}
		}
	}})
	b.Grants(`{"owner":"cus_ana","amount":{"max":50}}`, `{"uses":5}`)
	if r := b.Pays("purse_ana", 50); !r.OK() || len(cards) != 0 {
		t.Fatal(r.Err, cards)
	}
	if r := b.Pays("purse_ana", 70); !r.OK() || len(cards) != 1 ||
		cards[0].Why != "There is a grant for this, but Amount is outside its bounds." {
		t.Error(r.Err, cards)
	}
}

// holds: A9
func TestA9TheAssistantSeesTheStatusOfItsGrants(t *testing.T) {
	b := openBooth(t, policy.Options{})
	status := func() string {
		r := b.Agent("capability.describe", `{"name":"purse.pay"}`)
		_, rest, _ := strings.Cut(string(r.Data), `"grant_status":"`)
		got, _, _ := strings.Cut(rest, `"`)
		return got
	}
	if got := status(); got != string(bus.RuleConfirm) {
		t.Error(got)
	}
	id := b.Grants(forAna, `{"uses":1}`)
	if got := status(); got != policy.GrantActive {
		t.Error(got)
	}
	b.Does(nil, "grant.revoke", `{"grantId":%q}`, id)
	if got := status(); got != policy.GrantRevoked {
		t.Error(got)
	}
}

// holds: A9
func TestA9GrantsAreListedPageByPage(t *testing.T) {
	b := openBooth(t, policy.Options{})
	want := map[string]bool{}
	for range 7 {
		want[b.Grants(forAna, `{"uses":1}`)] = true
	}
	type page struct {
		Grants     []struct{ ID string }
		NextCursor string
		HasMore    bool
	}
	cursor, pages := "", 0
	for {
		var p page
		b.Does(&p, "grant.list", `{"limit":3,"capability":"purse.pay","cursor":%q}`, cursor)
		pages++
		for _, g := range p.Grants {
			delete(want, g.ID)
		}
		if cursor = p.NextCursor; !p.HasMore {
			break
		}
	}
	if len(want) != 0 || pages != 3 {
		t.Errorf("%d pages, not listed: %v", pages, want)
	}
}

// holds: A9
func TestA9RacingUsesNeverExceedAGrant(t *testing.T) {
	b := openBooth(t, policy.Options{})
	b.Grants(forAna, `{"uses":7,"budget":{"amount":1000,"currency":"USD"}}`)
	b.Grants(forAna, `{"budget":{"amount":95,"currency":"USD"}}`)
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 5 { // payments from different purses run at the same time
				b.Pays(fmt.Sprint("purse_", g), 10+g%3+i%2)
			}
		})
	}
	wg.Wait()
	var list struct {
		Grants []struct {
			Used, Spent int64
			Limits      policy.GrantLimits
		}
	}
	b.Does(&list, "grant.list", `{}`)
	spent := int64(0)
	for _, g := range list.Grants {
		if l := g.Limits; l.Uses != 0 && g.Used > l.Uses || l.Budget != nil && g.Spent > l.Budget.Amount {
			t.Errorf("overrun: %+v", g)
		}
		spent += g.Spent
	}
	if spent != b.Paid() || spent == 0 {
		t.Errorf("%d were paid, %d are accounted for", b.Paid(), spent)
	}
}

func lastRequest(t *testing.T, b *booth, capability string, status bus.Status) string {
	t.Helper()
	page := must[auditPage](t)(searchLog(b, capability))
	for _, r := range page.Records {
		if r.Status == status {
			return r.RequestID
		}
	}
	t.Fatal(fmt.Sprint("no record of ", capability))
	return ""
}

// holds: A9
func TestA9AGrantThatWasAskedForIsPendingAndThenDenied(t *testing.T) {
	var b *booth
	status := func(conversation string) string {
		r := b.AgentAs(helper, conversation, "capability.describe", `{"name":"purse.pay"}`)
		_, rest, _ := strings.Cut(string(r.Data), `"grant_status":"`)
		got, _, _ := strings.Cut(rest, `"`)
		return got
	}
	answer := bus.AnswerDeny
	b = openBooth(t, policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		if got := status("chat_2"); got != policy.GrantPending {
			t.Errorf("while it is asked for: %s", got)
		}
		if err := b.Policy.Decide(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: answer, By: e.Card.Person}); err !=
			nil {
			t.Error(err)
		}
	}})
	const wish = `{"capability":"purse.pay","constraints":{"owner":"cus_ana"},"reason":"r"}`
	b.Agent("agent.requestCapability", wish)
	if got := status("chat_1"); got != policy.GrantDenied {
		t.Error(got)
	}
	answer = bus.AnswerAllow
	b.Agent("agent.requestCapability", wish)
	if got := status("chat_1"); got != policy.GrantActive {
		t.Error(got)
	}
}

// holds: A9
func TestA9TheAnswerMayBeAGrant(t *testing.T) {
	b, cards := answering(t, func(int, policy.Card) policy.Answer { return policy.Answer{Answer: bus.AnswerGrant} })
	if r := b.Pays("purse_ana", 30); !r.OK() {
		t.Fatal(r.Err)
	}
	offered := (*cards)[0].Grant
	if offered == nil || string(offered.Constraints["owner"]) != `"cus_ana"` ||
		string(offered.Constraints["amount"]) != `{"max":{"amount":30,"currency":"USD"}}` ||
		offered.Limits.Uses != 5 || offered.Until != b.Clock.Now().Add(8*time.Hour).UnixMilli() {
		t.Fatalf("%+v", offered)
	}
	for range 5 {
		if r := b.Pays("purse_ana", 30); !r.OK() {
			t.Fatal(r.Err)
		}
	}
	if len(*cards) != 1 {
		t.Errorf("%d cards", len(*cards))
	}
	rec := must[auditPage](t)(searchLog(b, "grant.create")).Records[0]
	if rec.Caller.Person != owner.ID || rec.Caller.Type != string(bus.CallerUI) || rec.ParentRequestID == "" ||
		len(rec.Effects) != 1 {
		t.Errorf("%+v", rec)
	}
}

// holds: A9
func TestA9TheBoundsOfAnAnswerMayBeEdited(t *testing.T) {
	terms := &policy.GrantTerms{Constraints: policy.Constraints{"owner": raw(`"cus_ben"`)},
		Limits: policy.GrantLimits{Budget: &policy.Budget{Amount: 25, Currency: "USD"}}, Until: 1900000000000}
	b, cards := answering(t, func(n int, c policy.Card) policy.Answer {
		if n > 1 {
			return policy.Answer{Answer: bus.AnswerDeny}
		}
		return policy.Answer{Answer: bus.AnswerGrant, Grant: terms}
	})
	if r := b.Pays("purse_ben", 30); !r.OK() { // the one that was shown
		t.Fatal(r.Err)
	}
	if r := b.Pays("purse_ben", 25); !r.OK() {
		t.Fatal(r.Err)
	}
	b.Fails(b.Pays("purse_ben", 1), bus.Forbidden, bus.ReasonDeclined, "")
	if len(*cards) != 2 || b.Paid() != 55 {
		t.Errorf("%d cards, %d paid", len(*cards), b.Paid())
	}
}

// holds: A9
func TestA9AGrantThatCannotBeIsNoAnswer(t *testing.T) {
	var b *booth
	var cards int
	b = openBooth(t, policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		cards++
		clerk := owner
		clerk.Scopes = []string{"purse:write"}
		wide := &policy.GrantTerms{Until: 1900000000000}
		for name, a := range map[string]policy.Answer{
			"too wide":       {Grant: wide, Who: owner},
			"without rights": {Who: clerk},
			"with arguments": {Who: owner, Arguments: raw(`{"purse":"purse_ben","amount":{"amount":9,"currency":"USD"}}`)},
		} {
			a.ApprovalID, a.Answer, a.By = e.Card.ApprovalID, bus.AnswerGrant, e.Card.Person
			if err := b.Policy.Decide(a); err == nil {
				t.Errorf("%s: taken", name)
			}
		}
		if e.Card.Capability == "purse.burn" && e.Card.Grant != nil {
			t.Error("a grant is offered for what is never granted")
		}
		if err := b.Policy.Decide(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerDeny,
			By: e.Card.Person}); err != nil {
			t.Error(err)
		}
	}})
	b.Pays("purse_ana", 1)
	b.Agent("purse.burn", `{"purse":"purse_ana"}`)
	if cards != 2 || b.Paid() != 0 {
		t.Errorf("%d cards", cards)
	}
}
