package shop

import (
	"context"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// orderHead is an order in a list.
type orderHead struct {
	ID        string   `json:"id"`
	Title     string   `json:"title" jsonschema_extras:"x-personal=true"`
	Customer  customer `json:"customer"`
	Status    string   `json:"status" jsonschema:"enum=pending,enum=processed,enum=delivered,enum=cancelled"`
	PlacedAt  int64    `json:"placedAt" jsonschema_description:"Milliseconds since 1970."`
	Date      string   `json:"date" jsonschema:"format=date" jsonschema_description:"The day it was placed."`
	ItemCount int64    `json:"itemCount"`
	Items     string   `json:"items" jsonschema_description:"What was ordered, in short."`
	Total     Money    `json:"total"`

	ItemsChanged bool   `json:"itemsChanged,omitempty"`
	OpenRequest  string `json:"openRequest,omitempty" jsonschema:"enum=return,enum=exchange"`
}

func (orderHead) DescribeFields() map[string]string {
	return map[string]string{
		"title":        "Number, customer and total.",
		"itemsChanged": "The items are not those it was placed with.",
		"openRequest":  "Asked for and not received yet.",
	}
}

const orderHeadColumns = `o.id, o.status, o.placed_at, o.total, c.id, c.name, c.email, c.phone,
	(SELECT COALESCE(SUM(quantity), 0) FROM order_lines l WHERE l.order_id = o.id),
	(SELECT COALESCE(group_concat(what, ', '), '') FROM (SELECT l.quantity || ' × ' || l.name AS what FROM order_lines l WHERE l.order_id = o.id ORDER BY l.line LIMIT 3)),
	o.items_changed_at > 0, COALESCE((SELECT kind FROM order_requests q WHERE q.order_id = o.id AND q.status = 'requested'), '')
	FROM orders o JOIN customers c ON c.id = o.customer_id`

func (s *deskShop) scanOrderHead(r row) (orderHead, error) {
	var o orderHead
	var total int64
	err := r.Scan(&o.ID, &o.Status, &o.PlacedAt, &total, &o.Customer.ID, &o.Customer.Name, &o.Customer.Email, &o.Customer.Phone, &o.ItemCount, &o.Items, &o.ItemsChanged, &o.OpenRequest)
	o.Total, o.Date = s.money(total), s.day(time.UnixMilli(o.PlacedAt))
	o.Title = o.ID + " · " + o.Customer.Name + " · " + o.Total.Text
	return o, err
}

// orderID brings a number as people say it into its one form: "w1234567" is
// "#W1234567", and "#1001" of the shop before is "#W0001001" here.
func orderID(given string) string {
	id := strings.ToUpper(strings.TrimSpace(given))
	id = strings.TrimPrefix(strings.TrimPrefix(id, "#"), "W")
	return "#W" + strings.Repeat("0", max(0, 7-len(id))) + id
}

// orderByID reads the head of one order.
func (s *deskShop) orderByID(ctx context.Context, given string) (orderHead, error) {
	o, found, err := find(ctx, s.scanOrderHead, `SELECT `+orderHeadColumns+` WHERE o.id = ?`, orderID(given))
	if err == nil && !found {
		err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no order %s.", orderID(given)).WithHint("Look it up with order.search.")
	}
	return o, err
}

type orderSearchIn struct {
	Query      string `json:"query,omitempty" jsonschema:"maxLength=200"`
	CustomerID string `json:"customerId,omitempty" jsonschema:"maxLength=100" jsonschema_extras:"x-lookup=customer.search#/customers"`
	Status     string `json:"status,omitempty" jsonschema:"enum=pending,enum=processed,enum=delivered,enum=cancelled" jsonschema_extras:"x-said=open:pending|anything open:pending|waiting:pending|new:pending|outstanding:pending|unshipped:pending|pack:pending|process:pending|packed:processed|ready to ship:processed|arrived:delivered|cancel:cancelled|deliver:delivered|completed:delivered|done:delivered"`
	From       string `json:"from,omitempty" jsonschema:"format=date"`
	To         string `json:"to,omitempty" jsonschema:"format=date"`
	pageIn
}

func (orderSearchIn) DescribeFields() map[string]string {
	return map[string]string{
		"query": "Order number, customer or product, or parts of them.",
		"from":  "First day, in the shop's time zone.",
		"to":    "Last day, in the shop's time zone.",
	}
}

type orderSearchOut struct {
	Orders []orderHead `json:"orders" jsonschema_description:"Newest first."`
	pageOut
}

func orderSearch() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "order.search", Title: "Search orders", Category: "order", Type: bus.TypeData,
		Description: "Finds orders by number, customer, product, status or day, newest first. " +
			"Use it to find the number of an order somebody means, or to answer what is still to be done. It does not show lines and payments: use order.get.",
		SideEffect: bus.Pure, Permissions: []string{"order:read"}, Access: agentMay, Resources: read,
		Searchable: true, Filterable: true, Paginated: true,
	}, searchOrders)
}

func searchOrders(ctx context.Context, _ *bus.Call, in orderSearchIn) (orderSearchOut, error) {
	var out orderSearchOut
	s, err := loadShop(ctx)
	if err != nil {
		return out, err
	}
	var filter []string
	var args []any
	narrow := func(condition string, arg any) { filter, args = append(filter, condition), append(args, arg) }
	if in.CustomerID != "" {
		narrow(`t.customer_id = ?`, in.CustomerID)
	}
	if in.Status != "" {
		narrow(`t.status = ?`, in.Status)
	}
	if in.From != "" {
		from, err := s.startOf(in.From, "/from")
		if err != nil {
			return out, err
		}
		narrow(`t.placed_at >= ?`, from.UnixMilli())
	}
	if in.To != "" {
		to, err := s.startOf(in.To, "/to")
		if err != nil {
			return out, err
		}
		narrow(`t.placed_at < ?`, to.AddDate(0, 0, 1).UnixMilli())
	}
	hits, paged, err := search(ctx, orderSource, in.Query, in.pageIn, filter, args)
	if err != nil {
		return out, err
	}
	out.pageOut, out.Orders = paged, make([]orderHead, len(hits))
	for i, h := range hits {
		if out.Orders[i], err = s.orderByID(ctx, h.ID); err != nil {
			return out, err
		}
	}
	return out, nil
}

// startOf is the first instant of a day in the shop's time zone.
func (s *deskShop) startOf(day, path string) (time.Time, error) {
	t, err := time.ParseInLocation(time.DateOnly, day, s.zone())
	if err != nil {
		return t, invalid(path, "%q is not a day such as 2026-01-31.", day)
	}
	return t, nil
}
