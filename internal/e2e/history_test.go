package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/shop/staff"
	"github.com/google/uuid"
)

var (
	historyFolder = flag.String("history", "",
		"folder of the shop of TestALongHistory, made if there is none in it; default: one that is removed again")
	historyRecords = flag.Int("records", 3_000, "how many records the log of that shop has at least")
)

const (
	// desksAtOnce is how many desks tell the day at the same time: they share a
	// commit, and a time.
	desksAtOnce = 128
	// busyFor is how many steps a desk makes, one a second, before a pause.
	busyFor = 12
)

// TestALongHistory makes a sample shop with a log of a year. Its records are real ones: a day at the desk, with every
// kind of caller, is repeated through the journal. With -history and -records it makes the shop of the audit's
// browser flows.
func TestALongHistory(t *testing.T) {
	folder := *historyFolder
	if folder == "" {
		folder = filepath.Join(t.TempDir(), "shop")
	}
	start := time.Now().AddDate(-1, 0, 0)
	var day []audit.Record
	if _, err := os.Stat(filepath.Join(folder, desk.DatabaseName)); errors.Is(err, fs.ErrNotExist) {
		day = aDay(t, folder, start)
	}
	d := desktest.Open(t, desk.Options{Folder: folder})
	if day != nil {
		tell(t, d.Log, day, *historyRecords-int(lastSeq(t, d)), start)
	}
	for behind := int64(1); behind > 0; {
		page, err := d.Log.Search(t.Context(), audit.Query{Text: "guji", CallerType: bus.CallerAgent})
		if err != nil || len(page.Records) == 0 {
			t.Fatalf("the Guji is not found: %v", err)
		}
		behind = page.Unindexed
	}
	if v, err := d.Log.Verify(t.Context(), nil); err != nil || !v.OK || v.Records < int64(*historyRecords) {
		t.Errorf("%+v %v", v, err)
	}
}

func lastSeq(t *testing.T, d *desk.Desk) int64 {
	t.Helper()
	last, err := d.Log.Tail(t.Context(), 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if len(last) == 0 {
		return 0
	}
	return last[0].Seq
}

// tell records n records of the days of many desks, each in the order of its
// day, between start and an hour ago.
func tell(t *testing.T, log *audit.Log, day []audit.Record, n int, start time.Time) {
	t.Helper()
	pause := (time.Since(start) - time.Hour) / time.Duration(max(n/desksAtOnce/busyFor, 1))
	for told := 0; told < n && !t.Failed(); told += desksAtOnce {
		var group sync.WaitGroup
		for desk := range min(desksAtOnce, n-told) {
			group.Go(func() {
				place := told/desksAtOnce + desk*len(day)/desksAtOnce
				e := again(&day[place%len(day)], fmt.Sprintf("desk %d, day %d", desk, place/len(day)))
				step := told / desksAtOnce
				e.Started = start.Add(time.Duration(step/busyFor)*pause + time.Duration(step%busyFor)*time.Second)
				if err := log.Record(context.Background(), e); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	}
}

// again copies a record to another day, with other ids.
func again(r *audit.Record, day string) *bus.Entry {
	on := func(id string) string {
		if id == "" {
			return ""
		}
		return "req_" + uuid.NewSHA1(uuid.Nil, []byte(day+id)).String()
	}
	result := bus.Result{Status: r.Status, RequestID: on(r.RequestID), Data: r.Data, Facts: r.Facts, Events: r.Events,
		ExecutionTime: time.Duration(r.DurationMS) * time.Millisecond, CostEstimate: r.CostEstimate, Replayed: r.Replayed, DryRun: r.DryRun}
	if r.Code != "" {
		result.Err = &bus.Error{Code: r.Code, Reason: r.Reason, Message: r.Message, Hint: r.RecoveryHint,
			Violations: r.Violations, SchemaSide: r.SchemaSide}
	}
	conversation := r.ConversationID
	if conversation != "" {
		conversation = "chat_" + uuid.NewSHA1(uuid.Nil, []byte(day+conversation)).String()
	}
	return &bus.Entry{
		Kind: r.Kind, Version: r.Version, SideEffect: bus.SideEffect(r.SideEffect), Seed: r.Seed, Decision: r.Decision,
		Result:  result,
		Summary: r.Summary, Effects: r.Effects, Response: r.Response, Redacted: r.Redacted, Attempts: r.Attempts,
		Invocation: bus.Invocation{
			Capability: r.Capability, Arguments: r.Arguments, RequestID: on(r.RequestID), TraceID: on(r.TraceID),
			Caller: bus.Caller{Type: bus.CallerType(r.Caller.Type), Source: r.Caller.Source,
				ParentRequestID:   on(r.ParentRequestID),
				TriggeringMessage: r.TriggeringMessage, Reasoning: r.Reasoning},
			Principal: bus.Principal{ID: r.Caller.Person, Role: r.Caller.Role, Door: r.Caller.Door,
				Authentication: r.Caller.Authentication, ConversationID: conversation, Model: r.Model},
		},
	}
}

// aDay makes a sample shop, works at its desk for a day and returns its records, oldest first.
func aDay(t *testing.T, folder string, start time.Time) []audit.Record {
	t.Helper()
	now := start
	clock := func() time.Time { now = now.Add(time.Millisecond); return now }
	var first int64
	for _, allow := range []bool{false, true} { // in the morning nobody is there to say yes
		d, err := desk.Open(t.Context(), desk.Options{Folder: folder, Create: true, Door: "window", Allow: allow,
			Clock: clock})
		if err != nil {
			t.Fatal(err)
		}
		if !allow {
			desktest.Must(t, d, bus.CallerCLI, "shop.setUp", `{"from":"sample"}`, nil)
			first = lastSeq(t, d)
		}
		w := shift{t: t, d: d, people: signedIn(t, d)}
		w.serve()
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	d := desktest.Open(t, desk.Options{Folder: folder})
	var day []audit.Record
	for after := first; ; {
		some, err := d.Log.Tail(t.Context(), after, 500)
		if err != nil {
			t.Fatal(err)
		}
		if len(some) == 0 {
			return day
		}
		day, after = append(day, some...), some[len(some)-1].Seq
	}
}

func signedIn(t *testing.T, d *desk.Desk) []bus.Principal {
	t.Helper()
	var people []bus.Principal
	err := d.Log.View(t.Context(), func(ctx context.Context) error {
		for _, name := range []string{"owner", "manager", "june_park", "tomas_okafor"} {
			p, err := staff.SignIn(ctx, name)
			if err != nil {
				return err
			}
			people = append(people, p)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return people
}

// shift is the staff at the desk, serving one customer after another.
type shift struct {
	t      *testing.T
	d      *desk.Desk
	people []bus.Principal
	turns  int
}

// serve serves every customer of the sample with something of the catalog.
func (w *shift) serve() {
	var found struct {
		Customers []struct{ ID, Name string }
		Products  []struct{ ID, Name string }
	}
	w.ask(bus.Invocation{}, "customer.search", `{"limit":100}`, &found)
	w.ask(bus.Invocation{}, "catalog.search", `{"limit":50}`, &found)
	for i, c := range found.Customers {
		p, q := found.Products[i%len(found.Products)], found.Products[(i*7+3)%len(found.Products)]
		w.byHand(c.ID, p.ID, i)
		w.byAssistant(c.Name, c.ID, q.ID, q.Name, i)
	}
}

// byHand does what people do in the window and on the command line.
func (w *shift) byHand(customer, product string, i int) {
	person := w.people[i%len(w.people)]
	person.Door = "window"
	ui := func(source string) bus.Invocation {
		return bus.Invocation{Caller: bus.Caller{Type: bus.CallerUI, Source: source}, Principal: person}
	}
	w.ask(ui("NavRail"), "navigation.go", `{"page":"counter"}`, nil)
	w.ask(ui("CustomerPicker"), "cart.setCustomer", fmt.Sprintf(`{"customerId":%q}`, customer), nil)
	w.ask(ui("ProductSearch"), "cart.addItem", fmt.Sprintf(`{"productId":%q,"quantity":%d}`, product, 1+i%4), nil)
	w.ask(ui("CartLine"), "cart.setQuantity", fmt.Sprintf(`{"productId":%q,"quantity":%d}`, product, i%3), nil)
	w.ask(ui("CartLine"), "cart.setQuantity", fmt.Sprintf(`{"productId":%q,"quantity":%d}`, product, 2+i%3), nil)
	switch i % 4 {
	case 0:
		w.ask(ui("Palette"), "cart.applyDiscount", `{"percent":30,"reason":"A regular customer, and the bag was torn"}`, nil)
		w.ask(ui("Shortcut"), "cart.hold", `{"label":"Comes back at noon with the voucher"}`, nil)
	case 1:
		w.ask(ui("CartLine"), "cart.removeItem", fmt.Sprintf(`{"productId":%q}`, product), nil)
	case 2:
		person.Door = "cli"
		cli := bus.Invocation{Caller: bus.Caller{Type: bus.CallerCLI, Source: "invoke"}, Principal: person}
		w.ask(cli, "cart.clear", `{}`, nil)
		w.ask(cli, "checkout.submit", `{"shippingAddressId":"a","paymentMethodId":"b"}`, nil)
	case 3:
		w.ask(ui("OrderPage"), "order.addNote",
			`{"orderId":"#W2314115","text":"Rang twice, will call again tomorrow after the delivery"}`, nil)
	}
}

// byAssistant says one sentence to the assistant.
func (w *shift) byAssistant(name, customer, product, title string, i int) {
	person := w.people[(i+1)%len(w.people)]
	person.Door, person.ConversationID = "bridge", fmt.Sprintf("chat_%02d", i/3)
	person.Model = &bus.ModelID{Endpoint: "builtin", Name: "deskhand-builtin"}
	w.turns++
	trace := fmt.Sprintf("turn_%03d", w.turns)
	agent := bus.Invocation{TraceID: trace, Principal: person,
		Caller: bus.Caller{Type: bus.CallerAgent, Source: person.ConversationID, ParentRequestID: trace,
			TriggeringMessage: fmt.Sprintf("Add two of the %s to the cart of %s and submit the order.", title, name)}}
	w.ask(agent, "customer.search", fmt.Sprintf(`{"name":%q}`, name), nil)
	agent.Caller.Reasoning = fmt.Sprintf("%s is a customer of the shop; the product is named.", name)
	w.ask(agent, "cart.addItem", fmt.Sprintf(`{"productId":%q,"quantity":2,"customerId":%q}`, product, customer), nil)
	var cart struct {
		SavedAddresses, SavedPaymentMethods []struct{ ID string }
	}
	w.ask(agent, "cart.getSummary", `{}`, &cart)
	if len(cart.SavedAddresses) == 0 || len(cart.SavedPaymentMethods) == 0 {
		w.ask(agent, "order.rush", `{}`, nil) // what a model thinks there should be
		return
	}
	var order struct{ OrderID string }
	w.ask(agent, "checkout.submit", fmt.Sprintf(`{"shippingAddressId":%q,"paymentMethodId":%q}`, cart.SavedAddresses[0].ID,
		cart.SavedPaymentMethods[0].ID), &order)
	if order.OrderID != "" && i%2 == 0 {
		w.ask(agent, "order.cancel", fmt.Sprintf(`{"orderId":%q,"reason":"ordered by mistake"}`, order.OrderID), nil)
	}
}

// ask invokes a capability; a refusal is no failure of the test.
func (w *shift) ask(inv bus.Invocation, name, args string, out any) {
	inv.Capability, inv.Arguments = name, json.RawMessage(args)
	if inv.Caller.Type == "" {
		inv.Caller, inv.Principal = bus.Caller{Type: bus.CallerTest, Source: "history"}, w.d.Person
	}
	r := w.d.Bus.Invoke(w.t.Context(), inv)
	if out != nil && r.OK() {
		if err := json.Unmarshal(r.Data, out); err != nil {
			w.t.Fatal(err)
		}
	}
}
