package order

import (
	"context"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// Head is an order in a list of orders.
type Head struct {
	ID         string             `json:"id"`
	Exported   string             `json:"exportedName,omitempty" doc:"In the shop it was brought in from."`
	Title      string             `json:"title" x:"personal=true" doc:"Number, customer and total."`
	Customer   *customer.Customer `json:"customer,omitempty" doc:"Absent: a walk-in's."`
	Status     string             `json:"status" jsonschema:"enum=pending,enum=processed,enum=delivered,enum=cancelled"`
	PlacedAt   int64              `json:"placedAt" doc:"Milliseconds since 1970." x:"detail=1,time=true"`
	Date       string             `json:"date" jsonschema:"format=date" doc:"The day it was placed."`
	ItemCount  int64              `json:"itemCount"`
	Items      string             `json:"items" doc:"What was ordered, in short."`
	Total      core.Money         `json:"total"`
	Fulfilment string             `json:"fulfilment" jsonschema:"enum=takeAway,enum=pickUp,enum=deliver"`

	ItemsChanged bool   `json:"itemsChanged,omitempty" doc:"Items became other variants."`
	OpenRequest  string `json:"openRequest,omitempty" jsonschema:"enum=return,enum=exchange"`
}

// TagFields describes the fields: see bus.Define.
func (Head) TagFields() map[string]string {
	return map[string]string{"openRequest": `doc:"Asked for and not received yet."`}
}

// HeadColumns is the part of a SELECT statement with the columns that ScanHead reads.
const HeadColumns = `o.id, o.exported_name, o.status, o.placed_at, o.total, o.fulfilment,
	COALESCE(c.id, ''), COALESCE(c.name, ''),
	COALESCE(c.email, ''), COALESCE(c.phone, ''),
	(SELECT COALESCE(SUM(quantity), 0) FROM order_lines l WHERE l.order_id = o.id),
	(SELECT COALESCE(group_concat(what, ', '), '') FROM (SELECT l.quantity || ' × ' || l.name AS what FROM order_lines l
	WHERE l.order_id = o.id ORDER BY l.line LIMIT 3))
	|| CASE WHEN EXISTS (SELECT 1 FROM order_lines l WHERE l.order_id = o.id LIMIT 1 OFFSET 3) THEN ', …' ELSE '' END,
	o.items_changed_at > 0, COALESCE((SELECT kind FROM order_requests q WHERE q.order_id = o.id
	AND q.status = 'requested'), '')
	FROM orders o LEFT JOIN customers c ON c.id = o.customer_id`

// ScanHead reads a row of HeadColumns.
func ScanHead(s *core.Shop, r core.Row) (Head, error) {
	var o Head
	var total int64
	var c customer.Customer
	err := r.Scan(&o.ID, &o.Exported, &o.Status, &o.PlacedAt, &total, &o.Fulfilment, &c.ID, &c.Name, &c.Email, &c.Phone,
		&o.ItemCount, &o.Items, &o.ItemsChanged, &o.OpenRequest)
	o.Total, o.Date = s.Money(total), s.Day(time.UnixMilli(o.PlacedAt))
	o.Title = o.ID + " · " + o.Total.Text
	if c.ID != "" {
		o.Customer, o.Title = &c, o.ID+" · "+c.Name+" · "+o.Total.Text
	}
	return o, err
}

// Buyer returns the customer's name for a sentence.
func (o *Head) Buyer() bus.Text { return BuyerOf(o.Customer) }

// BuyerOf returns the customer's name for a sentence; a nil customer is a walk-in.
func BuyerOf(c *customer.Customer) bus.Text {
	if c == nil {
		return bus.Textf("a walk-in")
	}
	return bus.Textf("%s", c.Name)
}

// NormalID converts an order number to its canonical form. "w1234567" becomes "#W1234567", and "#1001" from an imported
// shop becomes "#W0001001".
func NormalID(given string) string {
	id := strings.ToUpper(strings.TrimSpace(given))
	id = strings.TrimPrefix(strings.TrimPrefix(id, "#"), "W")
	return "#W" + strings.Repeat("0", max(0, 7-len(id))) + id
}

// ByID reads the head of one order.
func ByID(ctx context.Context, s *core.Shop, given string) (Head, error) {
	id := NormalID(given)
	if given != id { // the number in the previous shop, or a short form
		exported, found, err := core.Find(ctx, core.ScanText, `SELECT id FROM orders
			WHERE exported_name = ? COLLATE NOCASE AND exported_name <> ''`, strings.TrimSpace(given))
		if err != nil {
			return Head{}, err
		}
		if found {
			id = exported
		}
	}
	return core.One(ctx, core.Bind(s, ScanHead), core.NotFound("There is no order %s.", id).
		WithHint("Look it up with order.search."), `SELECT `+HeadColumns+` WHERE o.id = ?`, id)
}

// changed announces a change of the order. format receives the order's id, its buyer and args.
func (o Head) changed(call *bus.Call, format string, args ...any) {
	call.Announce("order", bus.Textf(format, append([]any{o.ID, o.Buyer()}, args...)...), o.ids()...)
}

// ids returns the ids that a change of the order affects.
func (o *Head) ids() []string {
	if o.Customer == nil {
		return []string{o.ID}
	}
	return []string{o.ID, o.Customer.ID}
}

// recordChange adds a change to the order's timeline and gives the order a new revision.
func recordChange(ctx context.Context, call *bus.Call, orderID, what string) error {
	if err := touch(ctx, call, orderID); err != nil {
		return err
	}
	return core.Insert(ctx, `order_changes (id, order_id, text, person, at)`, call.NewID("chg"), orderID, what,
		call.Person.ID, call.Now.UnixMilli())
}

// touch gives the order a new revision. Every change of an order calls it.
func touch(ctx context.Context, call *bus.Call, orderID string) error {
	return core.Exec(ctx, `UPDATE orders SET revision = ? WHERE id = ?`, call.NewID("rev"), orderID)
}
