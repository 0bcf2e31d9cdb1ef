package shop_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// repeated is the response of plan.repeat.
type repeated struct {
	Steps []struct {
		Capability, Summary string
	}
	Subjects int
	Left     []struct {
		Subject struct{ Type, ID string }
		Name    string
		Why     string
	}
}

func (r repeated) left() (ids []string) {
	for _, l := range r.Left {
		ids = append(ids, l.Subject.ID)
	}
	return ids
}

// openRepeating opens a sample shop with plans and undoing.
func openRepeating(t *testing.T) *desk {
	t.Helper()
	d := openUndoable(t)
	d.bus.MustRegister(bus.Capabilities()...)
	return d
}

func repeatArguments(kind string, requests, ids []string) string {
	type subject struct {
		Type string `json:"type"`
		ID   string `json:"id"`
	}
	in := struct {
		RequestIDs []string  `json:"requestIds,omitempty"`
		Subjects   []subject `json:"subjects"`
	}{RequestIDs: requests}
	for _, id := range ids {
		in.Subjects = append(in.Subjects, subject{kind, id})
	}
	raw, _ := json.Marshal(in) // texts
	return string(raw)
}

var world = []string{"orders", "order_lines", "order_notes", "fulfilments", "fulfilment_lines", "payments",
	"stock_movements", "variants", "customers", "addresses", "customer_notes", "order_requests", "order_changes"}

// made are ids of this run of a handler.
var made = regexp.MustCompile(`\b[a-z]+_[0-9a-z]{16}\b`)

// everything is every row of an order's world. Ids that are not among those known are alike.
func (d *desk) everything(known map[string]bool) (rows []string) {
	for _, table := range world {
		for _, row := range d.dump(table) {
			rows = append(rows, table+" "+made.ReplaceAllStringFunc(row, func(id string) string {
				if known[id] {
					return id
				}
				return "new"
			}))
		}
	}
	slices.Sort(rows)
	return rows
}

// known are the ids that there are.
func (d *desk) known() map[string]bool {
	all := map[string]bool{}
	for _, table := range world {
		for _, row := range d.dump(table) {
			for _, id := range made.FindAllString(row, -1) {
				all[id] = true
			}
		}
	}
	return all
}

// repeatable is an action with an order: its arguments for one, "" where the address of it is not known.
type repeatable struct {
	capability string
	arguments  func(d *desk, id string) string
}

var repeatables = []repeatable{
	{"order.process", func(_ *desk, id string) string { return jsonf(`{"orderId":%q}`, id) }},
	{"order.fulfil", func(_ *desk, id string) string { return jsonf(`{"orderId":%q,"trackingId":"NLC 7"}`, id) }},
	{"order.deliver", func(_ *desk, id string) string { return jsonf(`{"orderId":%q}`, id) }},
	{"order.addNote", func(_ *desk, id string) string { return jsonf(`{"orderId":%q,"text":"Packed on Thursday."}`, id) }},
	{"order.changeAddress", func(d *desk, id string) string {
		saved := d.order(id).SavedAddresses
		if len(saved) != 1 {
			return ""
		}
		return jsonf(`{"orderId":%q,"addressId":%q}`, id, saved[0].ID)
	}},
	{"customer.addNote", func(d *desk, id string) string {
		of := d.rows(`SELECT customer_id FROM orders WHERE id = ?`, id)[0].text(0)
		return jsonf(`{"customerId":%q,"text":"A regular."}`, of)
	}},
}

// byHand does actions with one order, all or none.
func (d *desk) byHand(acts []repeatable, id string) (requests []string, done bool) {
	for _, a := range acts {
		args := a.arguments(d, id)
		if args != "" {
			if r := d.invoke(a.capability, args); r.OK() {
				requests = append(requests, r.RequestID)
				continue
			}
		}
		d.undo(requests)
		return nil, false
	}
	return requests, true
}

// undo takes requests back, the last first.
func (d *desk) undo(requests []string) {
	for _, id := range slices.Backward(requests) {
		d.must("audit.undo", jsonf(`{"requestId":%q}`, id), nil)
	}
}

// TestTheSameIsAsByHand: repeating any actions for other orders has the same effect as making them by hand for each.
// Orders that do not allow the actions are skipped, and one undo reverts everything.
func TestTheSameIsAsByHand(t *testing.T) {
	for seed := range 2 {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			w := newWalk(t, uint64(seed))
			for range 240 { // so that there are orders in each state
				w.step()
			}
			if err := w.log.Close(); err != nil {
				t.Fatal(err)
			}
			d := openDesk(t, w.path)
			d.clock = w.clock.Add(time.Hour) // the actions of the walk are not among the last ones
			d.as("owner")
			d.bus.MustRegister(append(bus.Capabilities(), audit.UndoCapability(d.log))...)
			d.must("settings.get", `{}`, nil) // the id of the first request is in the sample's log already
			var orders []string
			for _, o := range d.rows(`SELECT id FROM orders WHERE customer_id IS NOT NULL ORDER BY status = 'pending' DESC, placed_at DESC LIMIT 40`) {
				orders = append(orders, o.text(0))
			}
			many, none := 0, 0
			rapid.Check(t, func(r *rapid.T) {
				acts := rapid.SliceOfNDistinct(rapid.SampledFrom(repeatables), 1, 3,
					func(a repeatable) string { return a.capability }).Draw(r, "acts")
				ids := rapid.SliceOfNDistinct(rapid.SampledFrom(orders), 2, 8, rapid.ID).Draw(r, "orders")
				start := d.hash()
				var first []string
				example := slices.IndexFunc(orders, func(id string) (done bool) {
					first, done = d.byHand(acts, id)
					return done
				})
				if example < 0 { // no order is ready for all of them
					return
				}
				ids = slices.DeleteFunc(ids, func(id string) bool { return id == orders[example] })
				before, known, named := d.hash(), d.known(), first
				ofCustomer := func(a repeatable) bool { return a.capability == "customer.addNote" }
				switch {
				case len(acts) == 1 && ofCustomer(acts[0]): // nothing was done with an order
					d.undo(first)
					return
				case !slices.ContainsFunc(acts, ofCustomer) && rapid.Bool().Draw(r, "the last"):
					named = nil
				}
				var out repeated
				res := d.invoke("plan.repeat", repeatArguments("order", named, ids))
				var state []string
				var left []string
				if res.OK() {
					many++
					if err := json.Unmarshal(res.Data, &out); err != nil {
						r.Fatal(err)
					}
					state, left = d.everything(known), out.left()
					d.undo([]string{res.RequestID})
				} else {
					none++
					if res.Err.Code != bus.PreconditionFailed {
						r.Fatalf("%+v", res.Err)
					}
					state, left = d.everything(known), ids
				}
				if d.hash() != before {
					r.Fatal("it is not taken back")
				}
				var requests, unfit []string
				for _, id := range ids {
					all, done := d.byHand(acts, id)
					requests = append(requests, all...)
					if !done {
						unfit = append(unfit, id)
					}
				}
				if diff := gocmp.Diff(unfit, left); diff != "" {
					r.Fatalf("left out (by hand, repeated): %s\n%+v", diff, out.Left)
				}
				if diff := gocmp.Diff(d.everything(known), state); diff != "" {
					r.Fatalf("by hand, repeated: %.3000s", diff)
				}
				d.undo(requests)
				d.undo(first)
				if d.hash() != start {
					r.Fatal("the shop is not as it was")
				}
			})
			t.Logf("%d were done, %d not at all", many, none)
			if many == 0 || none == 0 { // about 14 and 26 of 100
				t.Errorf("%d were done, %d not at all", many, none)
			}
		})
	}
}

// TestWhatWasTakenBackIsNotDoneAgain: nor are actions of others that the person may not read in the log.
func TestWhatWasTakenBackIsNotDoneAgain(t *testing.T) {
	d := openRepeating(t)
	one, other := d.anasOrder("PayPal"), d.anasOrder("PayPal")
	did := d.must("order.process", jsonf(`{"orderId":%q}`, one), nil).RequestID
	same := repeatArguments("order", nil, []string{other})
	undo := d.must("audit.undo", jsonf(`{"requestId":%q}`, did), nil).RequestID
	d.refused("plan.repeat", same, bus.NotFound, bus.ReasonRecord)
	d.refused("plan.repeat", repeatArguments("order", []string{did}, []string{other}), bus.NotFound, bus.ReasonRecord)
	d.must("audit.undo", jsonf(`{"requestId":%q}`, undo), nil) // and so it is done
	again := d.must("plan.repeat", same, nil).RequestID
	if len(d.card.Effects) == 0 || d.order(other).Status != "processed" {
		t.Errorf("%+v", d.card)
	}
	d.undo([]string{again})
	if d.order(other).Status != "pending" {
		t.Error("it is not taken back")
	}
	owner := d.person
	d.as("clerk")
	d.person.Scopes = slices.DeleteFunc(slices.Clone(d.person.Scopes), func(s string) bool { return s == "audit:read" })
	d.refused("plan.repeat", repeatArguments("order", []string{did}, []string{other}), bus.NotFound, bus.ReasonRecord)
	d.refused("plan.repeat", same, bus.NotFound, bus.ReasonRecord)
	d.person.Scopes = append(d.person.Scopes, "audit:read")
	d.must("plan.repeat", repeatArguments("order", []string{did}, []string{other}), nil)
	d.person = owner
	d.clock = d.clock.Add(20 * time.Minute) // the last actions are near each other, whenever they were
	d.must("order.addNote", jsonf(`{"orderId":%q,"text":"Late."}`, one), nil)
	var out repeated
	d.must("plan.repeat", same, &out)
	if len(out.Steps) != 1 || out.Steps[0].Capability != "order.addNote" {
		t.Errorf("%+v", out)
	}
}

// BenchmarkTheSame compares two notes on a hundred orders in one plan with a hundred plans of the same steps, each
// tried and rolled back. "x plans" is the ratio of the first to the second.
func BenchmarkTheSame(b *testing.B) {
	d := openSample(b, "owner")
	d.bus.MustRegister(bus.Capabilities()...)
	var ids []string
	for _, o := range d.rows(`SELECT id FROM orders ORDER BY placed_at DESC LIMIT 101`) {
		ids = append(ids, o.text(0))
	}
	note := func(id string) string { return jsonf(`{"orderId":%q,"text":"Packed on Thursday."}`, id) }
	requests := []string{d.must("order.addNote", note(ids[0]), nil).RequestID,
		d.must("order.addNote", note(ids[0]), nil).RequestID}
	try := func(name, args string) time.Duration {
		began := time.Now()
		r := d.bus.Invoke(b.Context(), bus.Invocation{Capability: name, Arguments: json.RawMessage(args), DryRun: true,
			Caller: bus.Caller{Type: bus.CallerTest}, Principal: d.person})
		if !r.OK() {
			b.Fatal(r.Err)
		}
		return time.Since(began)
	}
	var same, plans time.Duration
	for b.Loop() {
		same += try("plan.repeat", repeatArguments("order", requests, ids))
		for _, id := range ids {
			step := jsonf(`{"capability":"order.addNote","arguments":%s}`, note(id))
			plans += try("plan.propose", `{"steps":[`+step+`,`+step+`]}`)
		}
	}
	b.ReportMetric(float64(same)/float64(plans), "x-plans")
}
