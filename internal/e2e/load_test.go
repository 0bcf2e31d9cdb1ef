package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// seat is one person at one program, serving one customer, and the lines sent there.
type seat struct {
	person   string
	customer string
	address  string
	undoes   bool // has the right to
	said     []*saying
}

// saying is one line and its answer.
type saying struct {
	inv    bus.Invocation
	want   bus.Code    // of the answer, when nothing goes wrong
	look   bool        // a person's look-up, which is stored a little later than answered
	answer *bus.Result // nil: none came
}

// order returns the lines for one order: changes, each with a key, one of them twice; a person's and an agent's
// look-ups; a network step; an undo; calls that fail.
func (s *seat) order(name string) []*saying {
	line := func(capability, key, args string, more ...any) *saying {
		return &saying{inv: bus.Invocation{Capability: capability, IdempotencyKey: key,
			Arguments: json.RawMessage(fmt.Sprintf(args, more...))}}
	}
	failing := func(l *saying, code bus.Code) *saying {
		l.want = code
		return l
	}
	look := line("cart.getSummary", "", `{"customerId":%q}`, s.customer)
	look.look = true
	agents := line("catalog.getProduct", "", `{"productId":"BEAN"}`)
	agents.inv.Caller = bus.Caller{Type: bus.CallerAgent, Source: "chat_" + s.person}
	made := line("customer.create", "new-"+name, `{"name":"Lee Example"}`)
	made.inv.RequestID = "req-new-" + name
	add := func() *saying {
		return line("cart.addItem", "add-"+name, `{"productId":"BEAN","quantity":1,"customerId":%q}`, s.customer)
	}
	submit := fmt.Sprintf(`{"shippingAddressId":%q,"paymentMethodId":"cash"}`, s.address)
	undo := line("audit.undo", "undo-"+name, `{"requestId":%q}`, made.inv.RequestID)
	if !s.undoes {
		undo.want = bus.Forbidden
	}
	return []*saying{
		add(), add(), look, agents,
		line("checkout.submit", name, "%s", submit),
		failing(line("checkout.submit", "", "%s", submit), bus.PreconditionFailed),
		line("letter.post", "post-"+name, `{"to":%q}`, name),
		made, undo,
		failing(line("cart.addItem", "bad-"+name, `{"quantity":0}`), bus.Validation),
	}
}

// wire returns the line as the program reads it.
func (l *saying) wire(t testing.TB) []byte {
	t.Helper()
	raw, err := json.Marshal(l.inv)
	if err != nil {
		t.Fatal(err)
	}
	return append(raw, '\n')
}

// heard keeps an answer, unless it was cut off.
func (l *saying) heard(line []byte) bool {
	var r bus.Result
	if json.Unmarshal(line, &r) != nil {
		return false
	}
	l.answer = &r
	return true
}

// asWanted reports whether the answer is the one expected without any fault.
func (l *saying) asWanted() bool { return codeOf(*l.answer) == l.want }

const stockCSV = "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant " +
	"Price\nbean,Bean,Title,Default Title,BEAN,1000000,5.00\n"

// twoSeats makes a sample shop with enough of one product, and two persons with a customer each.
func twoSeats(t testing.TB, folder string) [2]*seat {
	t.Helper()
	if err := os.CopyFS(folder, os.DirFS(desktest.Copy(t))); err != nil {
		t.Fatal(err)
	}
	csv := filepath.Join(t.TempDir(), "stock.csv")
	if err := os.WriteFile(csv, []byte(stockCSV), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := desk.Open(t.Context(), desk.Options{Folder: folder, Door: "test", FilePath: true})
	if err != nil {
		t.Fatal(err)
	}
	desktest.Must(t, d, bus.CallerTest, "shop.importCSV", fmt.Sprintf(`{"file":%q,"kind":"products","currency":"USD"}`, csv), nil)
	seats := [2]*seat{{person: "mara_lindqvist", undoes: true}, {person: "june_park"}}
	for i, s := range seats {
		var made struct{ CustomerID string }
		desktest.Must(t, d, bus.CallerTest, "customer.create", fmt.Sprintf(`{"name":"Kim Example %d"}`, i), &made)
		s.customer = made.CustomerID
		desktest.Must(t, d, bus.CallerTest, "customer.addAddress",
			fmt.Sprintf(`{"customerId":%q,"address":{"label":"Home","line1":"1 Way","city":"Town","postalCode":"10001","country":"US"}}`, s.customer), nil)
		var summary struct{ SavedAddresses []struct{ ID string } }
		desktest.Must(t, d, bus.CallerTest, "cart.getSummary", fmt.Sprintf(`{"customerId":%q}`, s.customer), &summary)
		s.address = summary.SavedAddresses[0].ID
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return seats
}
