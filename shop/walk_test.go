package shop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// TestRandomDeskWorkAddsUp: people make random calls on the real bus and journal, many of them invalid. Afterwards all
// money balances to the last cent, stock equals its movements and is never negative, every order is in a reachable
// state, and every refusal has a code and a hint.
func TestRandomDeskWorkAddsUp(t *testing.T) {
	seeds, steps := soak(3, 110), 1000
	done := map[string][2]int{} // capability → succeeded, refused
	for seed := range seeds {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWalk(t, uint64(seed))
			w.closes = true
			for step := 1; step <= steps && !t.Failed(); step++ {
				w.step()
				if step%100 == 0 || step == steps {
					w.check()
				}
				if t.Failed() {
					t.Logf("at step %d, last done: %s", step, w.last)
				}
			}
			for name, n := range w.done {
				sum := done[name]
				done[name] = [2]int{sum[0] + n[0], sum[1] + n[1]}
			}
		})
	}
	for _, a := range slices.Concat(walkActions, walkClosings) {
		if n := done[a.capability]; n[0] == 0 && *soaking >= 1 {
			t.Errorf("%s never succeeded, and was refused %d times: the walk does not test it", a.capability, n[1])
		}
		t.Logf("%-32s %6d done %6d refused", a.capability, done[a.capability][0], done[a.capability][1])
	}
}

// walk is a desk with random activity.
type walk struct {
	*desk
	r      *rand.Rand
	staff  []bus.Principal
	owed   map[string]int64 // order → paid less refunded, from the responses
	filled map[string]int64 // gift card → amount filled less amount paid, from the responses
	status map[string]string
	undo   []string // requests that changed something
	last   string
	closes bool // the cash of two desks moves, and their days are closed
	erases bool // customers are erased
	done   map[string][2]int
}

func newWalk(t *testing.T, seed uint64) *walk {
	path := filepath.Join(t.TempDir(), "shop.db")
	copyFile(t, sampleFile, path)
	w := openWalk(t, path, fmt.Sprint(seed), rand.New(rand.NewPCG(seed, 20260312)))
	if seed%2 == 1 {
		r := w.bus.Invoke(t.Context(), bus.Invocation{Capability: "settings.set",
			Arguments: json.RawMessage(`{"section":"shop","values":{"pricesIncludeTax":true}}`),
			Caller:    bus.Caller{Type: bus.CallerTest}, Principal: w.staff[3]})
		if !r.OK() {
			t.Fatal(r.Err)
		}
	}
	return w
}

// openWalk opens a shop as a desk whose requests have its name in their ids.
func openWalk(t testing.TB, path, name string, r *rand.Rand) *walk {
	w := &walk{desk: &desk{t: t, clock: now, kinds: map[string]string{}}, r: r, owed: map[string]int64{},
		status: map[string]string{}, filled: map[string]int64{}, erases: true, done: map[string][2]int{}}
	log, err := audit.Open(context.Background(), path, audit.Options{Migrations: shop.Migrations(), Undoable: shop.Undoable,
		Plans: []string{mergeName}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	requests := 0
	b := bus.New(bus.Options{
		Journal: log, Conditions: shop.Conditions(), Clock: func() time.Time { return w.clock },
		NewRequestID: func() string { requests++; return fmt.Sprintf("req_%s_%d", name, requests) },
		Seed:         func() []byte { return fmt.Appendf(nil, "%s %d", name, requests) },
	})
	b.MustRegister(shop.Capabilities(shop.Ports{Erase: func(ctx context.Context, terms ...string) (int, error) {
		gone, err := log.Erase(ctx, terms...)
		return gone.Records, err
	}})...)
	b.MustRegister(audit.UndoCapability(log), w.mergeCapability())
	w.bus, w.log, w.path = b, log, path
	for _, role := range []string{"clerk", "clerk", "manager", "owner", "auditor"} {
		w.as(role)
		w.staff = append(w.staff, w.person)
	}
	w.readStates()
	return w
}

// readStates reads the current state of each order and gift card, which others may have changed.
func (w *walk) readStates() {
	w.t.Helper()
	for _, c := range w.rows(`SELECT id, balance FROM payment_methods WHERE kind = 'giftCard'`) {
		w.filled[c.text(0)] = c.number(1)
	}
	for _, o := range w.rows(
		`SELECT id, status, (SELECT SUM(CASE kind WHEN 'payment' THEN amount ELSE -amount END) FROM payments p WHERE p.order_id = o.id) FROM orders o`) {
		w.status[o.text(0)], w.owed[o.text(0)] = o.text(1), o.number(2)
	}
}

// step makes one call as a random person, sometimes twice with one key, or as a dry run.
func (w *walk) step() {
	w.clock = w.clock.Add(time.Duration(w.r.IntN(90)) * time.Second)
	w.person = w.staff[min(w.r.IntN(12)/2, len(w.staff)-1)] // an auditor now and then
	if w.r.IntN(12) > 0 && w.person.Role == "auditor" {
		w.person = w.staff[2]
	}
	if w.closes && w.r.IntN(3) == 0 {
		w.person.Door = "till:Window"
	}
	a := w.pick()
	args, raw := w.ask(a)
	for try := 0; try < 5 && strings.Contains(string(raw), nothing) || a.capability == "customer.erase" && !w.erases; try++ {
		a = w.pick() // rarely about nothing
		args, raw = w.ask(a)
	}
	inv := bus.Invocation{Capability: a.capability, Arguments: raw, Caller: bus.Caller{Type: bus.CallerTest},
		Principal: w.person, IdempotencyKey: fmt.Sprint("key ", w.r.Uint64())}
	w.last = fmt.Sprintf("%s %s by %s", a.capability, raw, w.person.Role)
	if w.r.IntN(20) == 0 {
		before := w.fingerprint()
		trial := inv
		trial.DryRun, trial.IdempotencyKey = true, ""
		w.judge(w.bus.Invoke(context.Background(), trial))
		if after := w.fingerprint(); after != before {
			w.t.Errorf("a dry run changed %s to %s", before, after)
		}
	}
	res := w.bus.Invoke(context.Background(), inv)
	w.judge(res)
	n := w.done[a.capability]
	if !res.OK() {
		w.done[a.capability] = [2]int{n[0], n[1] + 1}
		return
	}
	w.done[a.capability] = [2]int{n[0] + 1, n[1]}
	w.account(a.capability, args, res)
	if w.r.IntN(10) == 0 && a.capability != "customer.erase" {
		before := w.fingerprint()
		if again := w.bus.Invoke(context.Background(), inv); !again.OK() || !again.Replayed {
			w.t.Errorf("the same key again: %+v %+v", again, again.Err)
		}
		if after := w.fingerprint(); after != before {
			w.t.Errorf("a replay changed %s to %s", before, after)
		}
	}
	if a.capability != "audit.undo" {
		w.undo = append(w.undo, res.RequestID)
	}
}

// ask makes up arguments for an action; only an owner may undo.
func (w *walk) ask(a walkAction) (args map[string]any, raw []byte) {
	if a.capability == "audit.undo" {
		w.person = w.staff[3]
	}
	args = a.arguments(w)
	raw, err := json.Marshal(args)
	if err != nil {
		w.t.Fatal(err)
	}
	return args, raw
}

// judge checks the form of a refusal.
func (w *walk) judge(res bus.Result) {
	w.t.Helper()
	if res.OK() {
		return
	}
	codes := []bus.Code{bus.Validation, bus.Forbidden, bus.PreconditionFailed, bus.Conflict, bus.NotFound, bus.Transient}
	if e := res.Err; !slices.Contains(codes, e.Code) || e.Hint == "" || e.Message == "" {
		w.t.Errorf("refused with %s (%s) %q, hint %q: %v", e.Code, e.Reason, e.Message, e.Hint, e.Unwrap())
	}
}

// comesFrom are the states that an order may have been in before a capability
// brought it into one.
var comesFrom = map[string]string{
	"order.cancel": "pending cancelled", "order.process": "pending processed", "order.deliver": "processed delivered",
	"checkout.submit": " pending",
}

// account records the amounts of a response, and checks the order's new state.
func (w *walk) account(capability string, args map[string]any, res bus.Result) {
	w.t.Helper()
	var out struct {
		OrderID         string
		Fulfilment      string
		PaymentMethodID string
		Total           money
		Difference      money
		Paid            walkRefund
		Refunds         []walkRefund
		Payments        []walkRefund
	}
	if err := json.Unmarshal(res.Data, &out); err != nil {
		w.t.Fatal(err)
	}
	move := func(method string, paid int64) {
		w.owed[out.OrderID] += paid
		if _, card := w.filled[method]; card {
			w.filled[method] -= paid
		}
	}
	for _, r := range out.Refunds {
		if capability != "order.return" && capability != "order.exchange" { // refunded when they are received
			move(r.PaymentMethodID, -r.Amount.Amount)
		}
	}
	move(out.Paid.PaymentMethodID, out.Paid.Amount.Amount)
	switch capability {
	case "checkout.submit":
		for _, p := range out.Payments {
			move(p.PaymentMethodID, p.Amount.Amount)
		}
	case "order.changeItems", "order.receiveExchange":
		if out.Difference.Amount > 0 {
			move(w.rows(`SELECT method_id FROM payments WHERE order_id = ? ORDER BY rowid DESC LIMIT 1`,
				out.OrderID)[0].text(0), out.Difference.Amount)
		}
	case "customer.addPaymentMethod":
		if balance, ok := args["balance"].(map[string]any); ok {
			w.filled[out.PaymentMethodID] = balance["amount"].(int64)
		}
	}
	if out.OrderID == "" {
		if capability == "audit.undo" {
			for _, o := range w.rows(`SELECT id, status FROM orders`) {
				w.status[o.text(0)] = o.text(1) // check judges calls that may be undone
			}
		}
		return
	}
	is := w.rows(`SELECT status FROM orders WHERE id = ?`, out.OrderID)[0].text(0)
	was := w.status[out.OrderID]
	if capability == "checkout.submit" && out.Fulfilment == "takeAway" {
		was, is = "", "pending" // and then delivered at once
	}
	if step := was + " " + is; was != is && step != comesFrom[capability] {
		w.t.Errorf("%s brought order %s from %q to %q", capability, out.OrderID, was, is)
	}
	w.status[out.OrderID] = w.rows(`SELECT status FROM orders WHERE id = ?`, out.OrderID)[0].text(0)
}

type walkRefund struct {
	PaymentMethodID string
	Amount          money
}

// check looks at the whole shop.
func (w *walk) check() {
	if v, err := w.log.VerifyState(w.t.Context(), nil); err != nil || !v.OK || v.Rows == 0 {
		w.t.Errorf("the log does not explain the rows: %+v %v", v, err)
	}
	w.t.Helper()
	w.addsUp()
	w.derived()
	for _, o := range w.rows(
		`SELECT o.id, o.status, (SELECT COALESCE(SUM(CASE kind WHEN 'payment' THEN amount ELSE -amount END), 0) FROM payments p WHERE p.order_id = o.id) FROM orders o`) {
		if id, paid := o.text(0), o.number(2); paid != w.owed[id] || o.text(1) != w.status[id] {
			w.t.Errorf("order %s is %s with %d paid; the answers said %s and %d", id, o.text(1), paid, w.status[id], w.owed[id])
		}
	}
	for _, c := range w.rows(`SELECT id, balance FROM payment_methods WHERE kind = 'giftCard'`) {
		if c.number(1) != w.filled[c.text(0)] {
			w.t.Errorf("gift card %s has %d; the answers said %d", c.text(0), c.number(1), w.filled[c.text(0)])
		}
	}
	if n := w.number(`SELECT COUNT(*) FROM variants WHERE stock < 0 AND backorder = 0`); n > 0 {
		w.t.Errorf("%d variants have less than nothing", n)
	}
}

// fingerprint returns a text that differs after any change of the walk.
func (w *walk) fingerprint() string {
	return w.rows(`SELECT (SELECT COUNT(*) || '/' || COALESCE(SUM(amount), 0) FROM payments) || ' ' || (SELECT COUNT(*) || '/' || SUM(delta) FROM stock_movements) || ' ' ||
		(SELECT SUM(stock) || '/' || SUM(price) FROM variants) || ' ' || (SELECT COUNT(*) || '/' || SUM(length(revision)) || '/' || SUM(total) FROM orders) || ' ' ||
		(SELECT COALESCE(SUM(balance), 0) FROM payment_methods) || ' ' || (SELECT COUNT(*) FROM addresses) || ' ' || (SELECT COUNT(*) || '/' || COALESCE(SUM(quantity), 0) FROM cart_lines)`)[0].text(0)
}

// walkRow is a row of a query, by column.
type walkRow []any

func (r walkRow) text(i int) string  { s, _ := r[i].(string); return s }
func (r walkRow) number(i int) int64 { n, _ := r[i].(int64); return n }

func (d *desk) rows(query string, args ...any) (all []walkRow) {
	d.t.Helper()
	err := d.log.View(context.Background(), func(ctx context.Context) error {
		rows, err := audit.Tx(ctx).QueryContext(ctx, query, args...)
		if err != nil {
			return err
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			return err
		}
		for rows.Next() {
			row, into := make(walkRow, len(columns)), make([]any, len(columns))
			for i := range row {
				into[i] = &row[i]
			}
			if err := rows.Scan(into...); err != nil {
				return err
			}
			all = append(all, row)
		}
		return rows.Err()
	})
	if err != nil {
		d.t.Fatalf("%s: %v", query, err)
	}
	return all
}
