package order

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// orderIn names the order that something is done with.
type orderIn struct {
	OrderID string `json:"orderId" jsonschema:"minLength=1,maxLength=40" x:"lookup=order.search#/orders"`
}

type orderStateOut struct {
	OrderID string `json:"orderId"`
	Status  string `json:"status"`
}

// orderFactNames are the facts that a change of an order states.
var orderFactNames = []string{"amount", "customerId", "orderId"}

func orderProcess() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "order.process", Texts: texts, Category: "order",
		SideEffect: bus.UIOnly, Permissions: []string{"order:write"}, Access: core.AgentAsks, Resources: core.Writes,
		Reversible:    true,
		Preconditions: orderState("order.process"), Facts: orderFactNames,
	}, func(ctx context.Context, call *bus.Call, in orderIn) (orderStateOut, error) {
		return advance(ctx, call, "order.process", in.OrderID, StatusProcessed, "processed_at")
	})
}

func orderDeliver() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "order.deliver", Texts: texts, Category: "order",
		SideEffect: bus.UIOnly, Permissions: []string{"order:write"}, Access: core.AgentAsks, Resources: core.Writes,
		Reversible:    true,
		Preconditions: orderState("order.deliver"), Facts: orderFactNames,
	}, func(ctx context.Context, call *bus.Call, in orderIn) (orderStateOut, error) {
		return advance(ctx, call, "order.deliver", in.OrderID, StatusDelivered, "delivered_at")
	})
}

// advance brings an order into its next state; column holds when.
func advance(ctx context.Context, call *bus.Call, capability, id, status, column string) (orderStateOut, error) {
	s, o, err := orderFor(ctx, capability, id)
	if err != nil {
		return orderStateOut{}, err
	}
	orderFacts(s, call, o, o.Total.Amount)
	call.Summarize("Mark order %s of %s as %s: %s", o.ID, o.Customer.Name, status, o.Items)
	call.Changed("order", fmt.Sprintf("Order %s of %s is %s.", o.ID, o.Customer.Name, status), o.ID, o.Customer.ID)
	return orderStateOut{o.ID, status}, core.Exec(ctx, `UPDATE orders SET status = ?, `+column+
		` = ?, revision = ? WHERE id = ?`,
		status, call.Now.UnixMilli(), call.NewID("rev"), o.ID)
}

type fulfilIn struct {
	orderIn
	TrackingID string   `json:"trackingId,omitempty" jsonschema:"maxLength=80" doc:"The carrier's number."`
	VariantIDs []string `json:"variantIds,omitempty" jsonschema:"minItems=1,maxItems=100,uniqueItems=true"`
}

func (fulfilIn) TagFields() map[string]string {
	return map[string]string{"variantIds": `x:"lookup=order.get#/lines"`}
}

type fulfilOut struct {
	OrderID  string   `json:"orderId"`
	Shipped  []string `json:"shipped" doc:"What is in the parcel."`
	Complete bool     `json:"complete" doc:"Everything of the order was shipped."`
}

func orderFulfil() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "order.fulfil", Texts: texts, Category: "order",
		SideEffect: bus.UIOnly, Permissions: []string{"order:write"}, Access: core.AgentAsks, Resources: core.Writes,
		Reversible:    true,
		Preconditions: orderState("order.fulfil"), Facts: orderFactNames,
	}, fulfil)
}

func fulfil(ctx context.Context, call *bus.Call, in fulfilIn) (fulfilOut, error) {
	out := fulfilOut{Shipped: []string{}}
	s, o, err := orderFor(ctx, "order.fulfil", in.OrderID)
	if err != nil {
		return out, err
	}
	waiting, err := core.List(ctx, func(r core.Row) (v [2]string, err error) { return v, r.Scan(&v[0], &v[1]) },
		`SELECT variant_id, MIN(quantity || ' × ' || name) FROM order_lines l WHERE order_id = ?1 AND NOT EXISTS (
			SELECT 1 FROM fulfilments f LEFT JOIN fulfilment_lines i ON i.fulfilment_id = f.id
			WHERE f.order_id = ?1 AND (i.variant_id IS NULL OR i.variant_id = l.variant_id))
		GROUP BY variant_id ORDER BY MIN(line)`, o.ID)
	if err != nil {
		return out, err
	}
	if len(waiting) == 0 {
		return out, core.Refused("Everything of order %s was shipped.", o.ID).WithHint("order.deliver says that it arrived.")
	}
	for _, id := range in.VariantIDs {
		if !slices.ContainsFunc(waiting, func(w [2]string) bool { return w[0] == id }) {
			return out, core.Refused("%s is not waiting to be shipped with order %s.", id, o.ID).
				WithHint("order.get shows the lines and what was shipped.")
		}
	}
	parcel := call.NewID("ful")
	tracking := text.Line(in.TrackingID, 80)
	if err := core.Exec(ctx, `INSERT INTO fulfilments (id, order_id, tracking_id, at)
		VALUES (?, ?, ?, ?)`, parcel, o.ID, tracking, call.Now.UnixMilli()); err != nil {
		return out, err
	}
	for _, w := range waiting {
		if len(in.VariantIDs) > 0 && !slices.Contains(in.VariantIDs, w[0]) {
			continue
		}
		out.Shipped = append(out.Shipped, w[1])
		if err := core.Exec(ctx, `INSERT INTO fulfilment_lines (fulfilment_id, variant_id)
			VALUES (?, ?)`, parcel, w[0]); err != nil {
			return out, err
		}
	}
	out.OrderID, out.Complete = o.ID, len(out.Shipped) == len(waiting)
	orderFacts(s, call, o, o.Total.Amount)
	what := strings.Join(out.Shipped, ", ")
	call.Summarize("Record a parcel of order %s to %s: %s", o.ID, o.Customer.Name, what)
	if tracking != "" {
		call.Summarize("Record a parcel of order %s to %s: %s, tracking number %s", o.ID, o.Customer.Name, what, tracking)
	}
	call.Changed("order", fmt.Sprintf("A parcel of order %s of %s was shipped.", o.ID, o.Customer.Name), o.ID,
		o.Customer.ID)
	return out, touch(ctx, call, o.ID)
}
