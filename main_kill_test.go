package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// TestKillLosesNothing kills `deskhand bus` in the middle of writes, again and
// again on one shop, and looks each time: the chain is whole, every order has its
// record and every success record its order, what was answered is there, and a
// key that was used gives the same order.
func TestKillLosesNothing(t *testing.T) {
	folder := t.TempDir()
	k := &killed{t: t, folder: folder, orders: map[string]string{}}
	k.prepare()
	random := rand.New(rand.NewPCG(1, 2))
	for round := range *kills {
		k.round(round, random.IntN(24))
	}
	if len(k.orders) < *kills/2 {
		t.Errorf("only %d orders came through: the test kills too early to mean anything", len(k.orders))
	}
	t.Logf("%d kills, %d orders", *kills, len(k.orders))
}

type killed struct {
	t       *testing.T
	folder  string
	args    string            // of checkout.submit
	person  string            // customer
	orders  map[string]string // idempotency key → order id, as answered
	pending []string          // keys sent in the last round and not answered
}

const stockCSV = "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price\nbean,Bean,Title,Default Title,BEAN,1000000,5.00\n"

func (k *killed) prepare() {
	k.t.Helper()
	csv := filepath.Join(k.t.TempDir(), "stock.csv")
	if err := os.WriteFile(csv, []byte(stockCSV), 0o600); err != nil {
		k.t.Fatal(err)
	}
	if out, err := exec.Command("deskhand", "--data", k.folder, "init", "--from", csv).CombinedOutput(); err != nil {
		k.t.Fatalf("%v\n%s", err, out)
	}
	d, err := openDesk(k.t.Context(), deskOptions{Folder: k.folder, Door: "test"})
	if err != nil {
		k.t.Fatal(err)
	}
	var customer struct{ CustomerID string }
	d.must(k.t, bus.CallerTest, "customer.create", `{"name":"Kim Example"}`, &customer)
	k.person = customer.CustomerID
	d.must(k.t, bus.CallerTest, "customer.addAddress", fmt.Sprintf(`{"customerId":%q,"address":{"label":"Home","line1":"1 Way","city":"Town","postalCode":"10001","country":"US"}}`, k.person), nil)
	d.must(k.t, bus.CallerTest, "customer.addPaymentMethod", fmt.Sprintf(`{"customerId":%q,"kind":"onAccount"}`, k.person), nil)
	var summary struct {
		SavedAddresses, SavedPaymentMethods []struct{ ID string }
	}
	d.must(k.t, bus.CallerTest, "cart.getSummary", fmt.Sprintf(`{"customerId":%q}`, k.person), &summary)
	k.args = fmt.Sprintf(`{"shippingAddressId":%q,"paymentMethodId":%q}`, summary.SavedAddresses[0].ID, summary.SavedPaymentMethods[0].ID)
	if err := d.close(); err != nil {
		k.t.Fatal(err)
	}
}

func (k *killed) lines(key string) string {
	return fmt.Sprintf(`{"capability":"cart.addItem","arguments":{"productId":"BEAN","quantity":1,"customerId":%q},"idempotency_key":"add-%s"}`+"\n"+
		`{"capability":"checkout.submit","arguments":%s,"idempotency_key":%q}`+"\n", k.person, key, k.args, key)
}

// round sends orders, kills after some answers, and examines what is left.
func (k *killed) round(round, answers int) {
	k.t.Helper()
	cmd := exec.Command("deskhand", "--data", k.folder, "bus", "--approve", "allow")
	in, err := cmd.StdinPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		k.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		k.t.Fatal(err)
	}
	sent := k.feed(round, in)
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	n := 0
	for n < answers && lines.Scan() {
		n++
		k.answered(lines.Bytes(), sent, n)
	}
	if err := cmd.Process.Kill(); err != nil {
		k.t.Fatal(err)
	}
	for lines.Scan() { // answers that were already on their way count too
		n++
		k.answered(lines.Bytes(), sent, n)
	}
	_ = cmd.Wait() // it was killed
	k.pending = nil
	for i, key := range sent {
		if 2*(i+1) > n {
			k.pending = append(k.pending, key)
		}
	}
	k.examine(round)
}

const ordersPerRound = 12

func (k *killed) feed(round int, in io.WriteCloser) []string {
	var sent []string
	var all strings.Builder
	for i := range ordersPerRound {
		key := fmt.Sprintf("order-%d-%d", round, i)
		sent = append(sent, key)
		all.WriteString(k.lines(key))
	}
	go func() { _, _ = io.WriteString(in, all.String()) }() // the reader is killed on purpose
	return sent
}

// answered notes the nth answer: every second one is an order.
func (k *killed) answered(line []byte, sent []string, n int) {
	k.t.Helper()
	var r bus.Result
	if err := json.Unmarshal(line, &r); err != nil {
		return // cut by the kill: not an answer
	}
	if !r.OK() {
		k.t.Fatalf("answer %d: %s", n, line)
	}
	if n%2 == 0 {
		k.orders[sent[n/2-1]] = orderID(k.t, r)
	}
}

func orderID(t testing.TB, r bus.Result) string {
	t.Helper()
	var data struct{ OrderID string }
	if err := json.Unmarshal(r.Data, &data); err != nil || data.OrderID == "" {
		t.Fatalf("no order id in %s (%v)", r.Data, err)
	}
	return data.OrderID
}

func (k *killed) examine(round int) {
	k.t.Helper()
	d, err := openDesk(k.t.Context(), deskOptions{Folder: k.folder, Door: "test"})
	if err != nil {
		k.t.Fatalf("round %d: the shop does not open again: %v", round, err)
	}
	defer func() {
		if err := d.close(); err != nil {
			k.t.Fatal(err)
		}
	}()
	v, err := d.log.Verify(k.t.Context(), nil)
	if err != nil || !v.OK {
		k.t.Fatalf("round %d: the chain does not verify: %+v %v", round, v, err)
	}
	stored, recorded := k.inShop(d), k.inLog(d)
	for id := range stored {
		if recorded[id] != 1 {
			k.t.Fatalf("round %d: order %s has %d records", round, id, recorded[id])
		}
	}
	for id := range recorded {
		if !stored[id] {
			k.t.Fatalf("round %d: a success record without its order %s", round, id)
		}
	}
	for key, id := range k.orders {
		if !stored[id] {
			k.t.Fatalf("round %d: order %s was answered for %s and is lost", round, id, key)
		}
	}
	k.again(d, stored)
}

// again sends keys a second time: a known one gives the same order, and one that
// was not answered gives the order it made, if it made one.
func (k *killed) again(d *desk, stored map[string]bool) {
	k.t.Helper()
	resend := append([]string(nil), k.pending...)
	for key := range k.orders {
		if len(resend) > len(k.pending)+3 {
			break
		}
		resend = append(resend, key)
	}
	for _, key := range resend {
		r := d.bus.Invoke(k.t.Context(), bus.Invocation{Capability: "checkout.submit", Arguments: json.RawMessage(k.args), IdempotencyKey: key,
			Principal: d.person, Caller: bus.Caller{Type: bus.CallerCLI}})
		known := k.orders[key]
		switch {
		case known != "" && (!r.Replayed || orderID(k.t, r) != known):
			k.t.Fatalf("key %s gave %s before and now %+v", key, known, r)
		case known == "" && r.Replayed:
			if id := orderID(k.t, r); !stored[id] {
				k.t.Fatalf("key %s replays order %s, which is not there", key, id)
			} else {
				k.orders[key] = id
			}
		case known == "" && r.OK(): // it had left its item in the cart and not come further
			k.orders[key] = orderID(k.t, r)
		}
	}
}

func (k *killed) inShop(d *desk) map[string]bool {
	k.t.Helper()
	ids := map[string]bool{}
	cursor := ""
	for {
		var page struct {
			Orders     []struct{ ID string }
			NextCursor string
			HasMore    bool
		}
		d.must(k.t, bus.CallerTest, "order.search", fmt.Sprintf(`{"limit":100,"cursor":%q}`, cursor), &page)
		for _, o := range page.Orders {
			ids[o.ID] = true
		}
		if !page.HasMore {
			return ids
		}
		cursor = page.NextCursor
	}
}

func (k *killed) inLog(d *desk) map[string]int {
	k.t.Helper()
	ids := map[string]int{}
	q := audit.Query{Capability: "checkout.submit", Status: "success", Limit: 500}
	for {
		page, err := d.log.Search(k.t.Context(), q)
		if err != nil {
			k.t.Fatal(err)
		}
		for _, r := range page.Records {
			if r.Replayed {
				continue
			}
			var data struct{ OrderID string }
			if err := json.Unmarshal(r.Data, &data); err != nil {
				k.t.Fatal(err)
			}
			ids[data.OrderID]++
		}
		if !page.HasMore {
			return ids
		}
		q.Cursor = page.NextCursor
	}
}
