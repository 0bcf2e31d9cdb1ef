package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// TestKillLosesNothing runs two `deskhand bus` on one shop and kills one or both
// in the middle of writes, again and again. Each time it looks: the chain is
// whole, every order has its record and every success record its order, what was
// answered is there, and a key that was used gives the same order. (A killed
// process cannot show that a power cut loses nothing: that rests on the log's
// synchronous commits.)
func TestKillLosesNothing(t *testing.T) {
	k := &killed{t: t, folder: t.TempDir()}
	k.prepare()
	random := rand.New(rand.NewPCG(1, 2))
	for round := range *kills {
		k.round(round, random)
		// Looking costs more with every order: a long soak looks now and then.
		if *kills <= 100 || round%25 == 0 || round == *kills-1 {
			k.examine(round)
		}
	}
	orders := len(k.desks[0].orders) + len(k.desks[1].orders)
	if orders < *kills {
		t.Errorf("only %d orders came through: the test kills too early to mean anything", orders)
	}
	t.Logf("%d kills of one or both of two programs, %d orders answered and found again", *kills, orders)
}

// killed is the shop and the two desks that write to it.
type killed struct {
	t      *testing.T
	folder string
	desks  [2]*killedDesk
}

// killedDesk is one person at one `deskhand bus`, serving one customer.
type killedDesk struct {
	person   string
	customer string
	args     string            // of checkout.submit
	orders   map[string]string // idempotency key → order id, as answered
	sent     []string          // keys of this round
	answers  int               // lines that came back in this round
	pending  []string          // keys of this round that were not answered
}

const stockCSV = "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price\nbean,Bean,Title,Default Title,BEAN,1000000,5.00\n"

func (k *killed) prepare() {
	k.t.Helper()
	if err := os.CopyFS(k.folder, os.DirFS(sampleShop(k.t))); err != nil {
		k.t.Fatal(err)
	}
	csv := filepath.Join(k.t.TempDir(), "stock.csv")
	if err := os.WriteFile(csv, []byte(stockCSV), 0o600); err != nil {
		k.t.Fatal(err)
	}
	d, err := openDesk(k.t.Context(), deskOptions{Folder: k.folder, Door: "test", FilePath: true})
	if err != nil {
		k.t.Fatal(err)
	}
	d.must(k.t, bus.CallerTest, "shop.importCSV", fmt.Sprintf(`{"file":%q,"kind":"products"}`, csv), nil)
	for i, person := range []string{"tomas_okafor", "june_park"} {
		var made struct{ CustomerID string }
		d.must(k.t, bus.CallerTest, "customer.create", fmt.Sprintf(`{"name":"Kim Example %d"}`, i), &made)
		d.must(k.t, bus.CallerTest, "customer.addAddress", fmt.Sprintf(`{"customerId":%q,"address":{"label":"Home","line1":"1 Way","city":"Town","postalCode":"10001","country":"US"}}`, made.CustomerID), nil)
		var summary struct{ SavedAddresses []struct{ ID string } }
		d.must(k.t, bus.CallerTest, "cart.getSummary", fmt.Sprintf(`{"customerId":%q}`, made.CustomerID), &summary)
		k.desks[i] = &killedDesk{person: person, customer: made.CustomerID, orders: map[string]string{},
			args: fmt.Sprintf(`{"shippingAddressId":%q,"paymentMethodId":"cash"}`, summary.SavedAddresses[0].ID)}
	}
	if err := d.close(); err != nil {
		k.t.Fatal(err)
	}
}

func (k *killedDesk) lines(key string) string {
	return fmt.Sprintf(`{"capability":"cart.addItem","arguments":{"productId":"BEAN","quantity":1,"customerId":%q},"idempotency_key":"add-%s"}`+"\n"+
		`{"capability":"checkout.submit","arguments":%s,"idempotency_key":%q}`+"\n", k.customer, key, k.args, key)
}

const ordersPerRound = 8

// round lets both desks send orders and kills them at random points; sometimes
// the second may finish.
func (k *killed) round(round int, random *rand.Rand) {
	k.t.Helper()
	var done sync.WaitGroup
	for i, desk := range k.desks {
		after := random.IntN(2*ordersPerRound + 1)
		if i == 1 && random.IntN(3) == 0 {
			after = 2 * ordersPerRound
		}
		done.Go(func() { desk.work(k.t, k.folder, fmt.Sprintf("%s-%d", desk.person, round), after) })
	}
	done.Wait()
}

// work runs one program, takes answers until it has so many, and kills it.
func (k *killedDesk) work(t *testing.T, folder, name string, answers int) {
	cmd := exec.Command("deskhand", "--data", folder, "--as", k.person, "bus", "--approve", "allow")
	var all strings.Builder
	k.sent, k.answers, k.pending = nil, 0, nil
	for i := range ordersPerRound {
		key := fmt.Sprintf("%s-%d", name, i)
		k.sent = append(k.sent, key)
		all.WriteString(k.lines(key))
	}
	cmd.Stdin = strings.NewReader(all.String())
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Error(err)
		return
	}
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for k.answers < answers && lines.Scan() {
		k.answered(t, lines.Bytes())
	}
	_ = cmd.Process.Kill() // it may have ended by itself
	for lines.Scan() {     // answers that were already on their way count too
		k.answered(t, lines.Bytes())
	}
	_ = cmd.Wait() // it was killed
	for i, key := range k.sent {
		if 2*(i+1) > k.answers {
			k.pending = append(k.pending, key)
		}
	}
}

// answered notes the next answer: every second one is an order.
func (k *killedDesk) answered(t *testing.T, line []byte) {
	var r bus.Result
	if err := json.Unmarshal(line, &r); err != nil {
		return // cut by the kill: not an answer
	}
	k.answers++
	if !r.OK() {
		t.Errorf("answer %d of %s: %s", k.answers, k.person, line)
		return
	}
	if k.answers%2 == 0 {
		k.orders[k.sent[k.answers/2-1]] = orderID(t, r)
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
	stored, recorded := map[string]bool{}, k.inLog(d)
	for _, desk := range k.desks {
		k.inShop(d, desk.customer, stored)
	}
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
	for _, desk := range k.desks {
		for key, id := range desk.orders {
			if !stored[id] {
				k.t.Fatalf("round %d: order %s was answered for %s and is lost", round, id, key)
			}
		}
		k.again(d, desk, stored)
	}
}

// again sends keys a second time: a known one gives the same order, and one that
// was not answered gives the order it made, if it made one.
func (k *killed) again(d *desk, desk *killedDesk, stored map[string]bool) {
	k.t.Helper()
	var person bus.Principal
	err := d.log.View(k.t.Context(), func(ctx context.Context) (err error) {
		person, err = shop.SignIn(ctx, desk.person)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	resend := append([]string(nil), desk.pending...)
	for key := range desk.orders {
		if len(resend) > len(desk.pending)+3 {
			break
		}
		resend = append(resend, key)
	}
	for _, key := range resend {
		r := d.bus.Invoke(k.t.Context(), bus.Invocation{Capability: "checkout.submit", Arguments: json.RawMessage(desk.args), IdempotencyKey: key,
			Principal: person, Caller: bus.Caller{Type: bus.CallerCLI}})
		known := desk.orders[key]
		switch {
		case known != "" && (!r.Replayed || orderID(k.t, r) != known):
			k.t.Fatalf("key %s gave %s before and now %+v", key, known, r)
		case known == "" && r.Replayed:
			id := orderID(k.t, r)
			if !stored[id] {
				k.t.Fatalf("key %s replays order %s, which is not there", key, id)
			}
			desk.orders[key] = id
		case known == "" && r.OK(): // its item was in the cart, and it had not come further
			desk.orders[key] = orderID(k.t, r)
		}
	}
}

func (k *killed) inShop(d *desk, customer string, ids map[string]bool) {
	k.t.Helper()
	cursor := ""
	for {
		var page struct {
			Orders     []struct{ ID string }
			NextCursor string
			HasMore    bool
		}
		d.must(k.t, bus.CallerTest, "order.search", fmt.Sprintf(`{"limit":100,"cursor":%q,"customerId":%q}`, cursor, customer), &page)
		for _, o := range page.Orders {
			ids[o.ID] = true
		}
		if !page.HasMore {
			return
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
