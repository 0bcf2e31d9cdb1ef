package desk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/google/go-cmp/cmp"
)

// testApp is the bound App on a fresh sample shop, with its events collected.
type testApp struct {
	desk.Boundary
	desk   *desk.Desk // opened by the first call
	mu     sync.Mutex // guards events
	events []string
}

func newTestApp(t *testing.T) *testApp {
	t.Helper()
	a := &testApp{}
	a.Context = t.Context()
	a.Open = func() (*desk.Desk, error) { return a.desk, nil }
	a.Emit = func(name string, payload any) {
		raw, err := json.Marshal(payload)
		if err != nil {
			t.Error(err)
		}
		a.mu.Lock()
		a.events = append(a.events, name+" "+string(raw))
		a.mu.Unlock()
	}
	a.desk = desktest.Sample(t, desk.Options{Door: "window", OnCard: func(e policy.CardEvent) {
		a.Emit("approval", e)
		if e.Type == policy.CardOpened {
			answer, _ := json.Marshal(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerAllow,
				By: e.Card.Person})
			go a.Decide(string(answer))
		}
	}})
	return a
}

func TestBoundMethodsNeverFail(t *testing.T) {
	a := newTestApp(t)
	a.Pick = func(string, string) (string, error) { return "", nil }
	for name, method := range map[string]func(string) string{
		"Invoke": a.Invoke, "Cancel": a.Cancel, "Manifest": a.Manifest, "Send": a.Send, "Stop": a.Stop, "Decide": a.Decide,
		"PickFile": a.PickFile, "DropFile": a.DropFile,
	} {
		for _, bad := range []string{"", "{", "null", `{"x":`, "\x00", `[1]`, strings.Repeat("[", 20000)} {
			got := method(bad)
			if !json.Valid([]byte(got)) || strings.Contains(got, `"code":"INTERNAL"`) {
				t.Errorf("%s(%.20q) answered %.200s", name, bad, got)
			}
		}
	}
}

func TestPanicAtTheBoundaryIsAnAnswer(t *testing.T) {
	a := newTestApp(t)
	a.Pick = nil
	if got := a.PickFile(`{}`); !strings.Contains(got, `"panic"`) || strings.Contains(got, "nil pointer") {
		t.Errorf("answered %s", got)
	}
}

// TestClosingLeavesARecord closes the desk while a card is open.
func TestClosingLeavesARecord(t *testing.T) {
	opened := make(chan struct{})
	folder := desktest.Copy(t)
	d, err := desk.Open(t.Context(), desk.Options{Folder: folder, Door: "window", OnCard: func(e policy.CardEvent) {
		if e.Type == policy.CardOpened {
			close(opened)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	desktest.Must(t, d, bus.CallerTest, "cart.addItem",
		fmt.Sprintf(`{"productId":%q,"quantity":1,"customerId":"cus_201100"}`, desktest.Guji(t, d)), nil)
	go func() {
		_ = d.Bridge.Send(t.Context(), agent.Turn{ConversationID: "c", Text: "submit my order to my home address",
			Principal: d.Person}, func(agent.Update) {})
	}()
	<-opened
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = desktest.Open(t, desk.Options{Folder: folder})
	page, err := d.Log.Search(t.Context(), audit.Query{Capability: "checkout.submit"})
	if err != nil || len(page.Records) != 1 || page.Records[0].Reason != bus.ReasonCancelled {
		t.Errorf("%+v %v", page.Records, err)
	}
}

// TestAPageLoadedAgainGetsItsCardsBack asks for the manifest while a card is open.
func TestAPageLoadedAgainGetsItsCardsBack(t *testing.T) {
	a := newTestApp(t)
	opened := make(chan policy.Card, 1)
	folder := desktest.Copy(t)
	a.desk = desktest.Open(t, desk.Options{Folder: folder, Door: "window", OnCard: func(e policy.CardEvent) {
		if e.Type == policy.CardOpened {
			opened <- e.Card
		}
	}})
	desktest.Must(t, a.desk, bus.CallerTest, "cart.addItem",
		fmt.Sprintf(`{"productId":%q,"quantity":1,"customerId":"cus_201100"}`, desktest.Guji(t, a.desk)), nil)
	a.Send(`{"text":"submit my order to my home address"}`)
	card := <-opened
	if n := a.count("approval "); n != 0 {
		t.Fatalf("%d cards before", n)
	}
	for _, request := range []string{`{"loading":true}`, `{"cards":true}`} {
		if has := strings.Contains(a.Manifest(request), card.ApprovalID); has != strings.Contains(request, "cards") {
			t.Errorf("after %s: %v", request, has)
		}
	}
	if n := a.count("approval "); n != 0 {
		t.Errorf("%d cards were sent as well", n)
	}
}

// TestE4APageTellsNamesOnly refuses what a page is not to tell: an unknown key may hold what was typed.
//
// holds: E4 R11
func TestE4APageTellsNamesOnly(t *testing.T) {
	a := newTestApp(t)
	for pages, refused := range map[string]bool{
		`[{"step":"orders","ids":["#W1"]},{"step":"order.cancel","wrong":["/reason"],"empty":[]}]`: false,
		`[{"step":"order.cancel","values":{"note":"typed"}}]`:                                      true,
		`{"step":"orders"}`: true,
	} {
		got := a.Send(`{"text":"hello","pages":` + pages + `}`)
		if strings.Contains(got, `"VALIDATION"`) != refused || strings.Contains(got, "typed") {
			t.Errorf("%s: %s", pages, got)
		}
	}
}

// TestThePageNeedsTheManifestOnce compares what is asked for after every change with the manifest.
func TestThePageNeedsTheManifestOnce(t *testing.T) {
	a := newTestApp(t)
	type entry struct {
		Name      string `json:"name"`
		Available bool   `json:"available"`
		Reason    string `json:"unavailable_reason"`
	}
	read := func(request string) (list []entry, size int) {
		t.Helper()
		var m struct{ Capabilities []entry }
		answer := a.Manifest(request)
		if err := json.Unmarshal([]byte(answer), &m); err != nil || len(m.Capabilities) == 0 {
			t.Fatalf("%v: %.200s", err, answer)
		}
		return m.Capabilities, len(answer)
	}
	whole, _ := read(`{}`)
	desktest.Must(t, a.desk, bus.CallerUI, "cart.addItem",
		fmt.Sprintf(`{"productId":%q,"quantity":1}`, desktest.Guji(t, a.desk)), nil)
	now, size := read(`{}`)
	states, small := read(`{"states":true}`)
	if !slices.Equal(now, states) || slices.Equal(whole, now) {
		t.Errorf("before %v\nnow %v\nstates %v", whole, now, states)
	}
	if small*10 > size {
		t.Errorf("%d bytes of %d", small, size)
	}
}

func TestWindowCallerIsAlwaysUI(t *testing.T) {
	a := newTestApp(t)
	var r bus.Result
	if err := json.Unmarshal(
		[]byte(a.Invoke(`{"capability":"cart.getSummary","request_id":"mine","idempotency_key":"k","caller":{"type":"agent","source":"X"}}`)), &r); err != nil || !r.OK() {
		t.Fatalf("%+v %v", r, err)
	}
	trace, err := a.desk.Log.Trace(t.Context(), "mine")
	if err != nil || len(trace.Records) != 1 {
		t.Fatalf("%+v %v", trace, err)
	}
	if c := trace.Records[0].Caller; c.Type != "ui" || c.Door != "window" || c.Source != "X" {
		t.Errorf("%+v", c)
	}
}

func TestWorkedExampleThroughTheWindowsDoor(t *testing.T) {
	a := newTestApp(t)
	var sent struct {
		ConversationID string `json:"conversation_id"`
		TurnID         string `json:"turn_id"`
	}
	say := func(text string) {
		t.Helper()
		in, _ := json.Marshal(map[string]string{"conversation_id": sent.ConversationID, "text": text})
		if err := json.Unmarshal([]byte(a.Send(string(in))), &sent); err != nil || sent.TurnID == "" {
			t.Fatalf("%+v %v", sent, err)
		}
		a.wait(t, `"turn_ended"`, sent.TurnID)
	}
	say("add two bags of the Guji to Ana's cart")
	if a.count("approval ") != 0 {
		t.Error("adding to the cart was asked")
	}
	say("submit my order to my home address")
	if got := a.count("approval "); got != 2 {
		t.Errorf("%d approval events, want opened and closed", got)
	}
	a.mu.Lock()
	all := strings.Join(a.events, "\n")
	a.mu.Unlock()
	for _, want := range []string{"Submit order for Ana Ruiz: $47.83, to 123 Main St (Home), paid by Visa ending 4242",
		`"origin":"said"`} {
		if !strings.Contains(all, want) {
			t.Errorf("no %s in the events:\n%s", want, all)
		}
	}
	page, err := a.desk.Log.Search(t.Context(), audit.Query{Capability: "checkout.submit"})
	if err != nil || len(page.Records) != 1 {
		t.Fatalf("%+v %v", page.Records, err)
	}
	order := page.Records[0]
	trace, err := a.desk.Log.Trace(t.Context(), order.RequestID)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range trace.Records {
		names = append(names, r.Capability)
	}
	if d := cmp.Diff([]string{"cart.getSummary", "checkout.submit", "approval.answer", "agent.turn"},
		names); d != "" {
		t.Errorf("trace (-want +got):\n%s", d)
	}
	if order.TriggeringMessage != "submit my order to my home address" || order.Decision.Answer != "allow" ||
		len(order.Effects) == 0 {
		t.Errorf("%+v", order)
	}
}

func (a *testApp) count(prefix string) (n int) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, e := range a.events {
		if strings.HasPrefix(e, prefix) {
			n++
		}
	}
	return n
}

// wait returns when an event contains all parts.
func (a *testApp) wait(t *testing.T, parts ...string) {
	t.Helper()
	for t.Context().Err() == nil {
		a.mu.Lock()
		for _, e := range a.events {
			all := true
			for _, p := range parts {
				all = all && strings.Contains(e, p)
			}
			if all {
				a.mu.Unlock()
				return
			}
		}
		a.mu.Unlock()
		time.Sleep(time.Millisecond)
	}
}

// TestCallersLeaveEqualRecords runs one sequence as each caller kind on copies of
// one shop with one clock and one seed: the records differ in caller and
// decision only.
func TestCallersLeaveEqualRecords(t *testing.T) {
	var first []audit.Record
	for _, kind := range []bus.CallerType{bus.CallerUI, bus.CallerAgent, bus.CallerTest, bus.CallerCLI} {
		d := desktest.Sample(t, fixed(desk.Options{Allow: true}))
		var found struct{ Customers []struct{ ID string } }
		desktest.Must(t, d, kind, "customer.search", `{"query":"Ana Ruiz"}`, &found)
		ana := found.Customers[0].ID
		desktest.Must(t, d, kind, "cart.addItem", fmt.Sprintf(`{"productId":%q,"quantity":2,"customerId":%q}`,
			desktest.Guji(t, d), ana), nil)
		var cart struct {
			SavedAddresses, SavedPaymentMethods []struct{ ID string }
		}
		desktest.Must(t, d, kind, "cart.getSummary", `{}`, &cart)
		desktest.Must(t, d, kind, "checkout.submit", fmt.Sprintf(`{"shippingAddressId":%q,"paymentMethodId":%q}`,
			cart.SavedAddresses[0].ID, cart.SavedPaymentMethods[0].ID), nil)
		r := d.Bus.Invoke(context.Background(), bus.Invocation{Capability: "checkout.submit", Principal: d.Person,
			Caller: bus.Caller{Type: kind, Source: "test"}})
		if r.OK() {
			t.Fatal("an order without arguments went through")
		}
		records := writes(t, d)
		for i := range records {
			blankIdentity(&records[i])
		}
		if first == nil {
			first = records
		}
		if len(records) != 3 {
			t.Fatalf("%s: %d records", kind, len(records))
		}
		if diff := cmp.Diff(first, records); diff != "" {
			t.Errorf("%s (-ui +%s):\n%s", kind, kind, diff)
		}
	}
}

// fixed gives a desk a clock that stands still, and ids and seeds that count.
func fixed(o desk.Options) desk.Options {
	options, _, clock := bustest.Options()
	o.Clock, o.NewRequestID, o.Seed = clock.Now, options.NewRequestID, options.Seed
	return o
}

// writes are the records of the sequence but for its look-ups, oldest first: an
// agent's look-ups lie in the main segment, people's in the other.
func writes(t *testing.T, d *desk.Desk) []audit.Record {
	t.Helper()
	page, err := d.Log.Search(t.Context(), audit.Query{Limit: 500})
	if err != nil {
		t.Fatal(err)
	}
	var list []audit.Record
	for _, r := range page.Records {
		if r.SideEffect != string(bus.Pure) && r.Capability != "shop.setUp" {
			list = append([]audit.Record{r}, list...)
		}
	}
	return list
}

// blankIdentity takes out what may differ: the caller, the decision, and what
// follows from a record's place in the chain.
func blankIdentity(r *audit.Record) {
	r.Caller.Type, r.Decision = "", nil
	r.Seq, r.Prev, r.Hash = 0, "", ""
}
