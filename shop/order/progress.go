package order

import (
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type orderStateOut struct {
	OrderID string `json:"orderId"`
	Status  string `json:"status"`
}

// advance brings an order into its next state; column holds when.
func advance(status, column string) orderWork[orderIn, orderStateOut] {
	return func(ctx context.Context, _ *core.Shop, call *bus.Call, o Head, _ orderIn) (orderStateOut, error) {
		call.Summarize("Mark order %s of %s as %s: %s", o.ID, o.Buyer(), StatusInWords(status), o.Items)
		o.changed(call, "Order %s of %s is %s.", StatusInWords(status))
		return orderStateOut{o.ID, status}, core.Exec(ctx, `UPDATE orders SET status = ?, `+column+
			` = ?, revision = ? WHERE id = ?`, status, call.Now.UnixMilli(), call.NewID("rev"), o.ID)
	}
}

type fulfilIn struct {
	orderIn
	TrackingID string   `json:"trackingId,omitempty" jsonschema:"maxLength=80" doc:"The carrier's number."`
	VariantIDs []string `json:"variantIds,omitempty" jsonschema:"minItems=1,maxItems=100,uniqueItems=true"`
}

type fulfilOut struct {
	OrderID  string   `json:"orderId"`
	Shipped  []string `json:"shipped" doc:"What is in the parcel."`
	Complete bool     `json:"complete" doc:"Everything of the order was shipped."`
}

// unshipped are the variants that were not shipped yet, each with its pieces and name.
func unshipped(ctx context.Context, orderID string) ([][2]string, error) {
	return core.List(ctx, func(r core.Row) (v [2]string, err error) { return v, r.Scan(&v[0], &v[1]) },
		`SELECT variant_id, MIN(quantity || ' × ' || name) FROM order_lines l WHERE order_id = ?1 AND NOT EXISTS (
			SELECT 1 FROM fulfilments f LEFT JOIN fulfilment_lines i ON i.fulfilment_id = f.id
			WHERE f.order_id = ?1 AND (i.variant_id IS NULL OR i.variant_id = l.variant_id))
		GROUP BY variant_id ORDER BY MIN(line)`, orderID)
}

func fulfil(ctx context.Context, _ *core.Shop, call *bus.Call, o Head, in fulfilIn) (out fulfilOut, err error) {
	out.Shipped = []string{}
	waiting, err := unshipped(ctx, o.ID)
	if err != nil {
		return out, err
	}
	for _, id := range in.VariantIDs {
		if !slices.ContainsFunc(waiting, func(w [2]string) bool { return w[0] == id }) {
			return out, core.Refused("%s is not waiting to be shipped with order %s.", id, o.ID).
				WithHint("order.get shows the lines and what was shipped.")
		}
	}
	parcel := call.NewID("ful")
	tracking := text.Line(in.TrackingID, 80)
	if err := core.Insert(ctx, `fulfilments (id, order_id, tracking_id, at)`, parcel, o.ID, tracking,
		call.Now.UnixMilli()); err != nil {
		return out, err
	}
	for _, w := range waiting {
		if len(in.VariantIDs) > 0 && !slices.Contains(in.VariantIDs, w[0]) {
			continue
		}
		out.Shipped = append(out.Shipped, w[1])
		if err := core.Insert(ctx, `fulfilment_lines (fulfilment_id, variant_id)`, parcel, w[0]); err != nil {
			return out, err
		}
	}
	out.OrderID, out.Complete = o.ID, len(out.Shipped) == len(waiting)
	what := strings.Join(out.Shipped, ", ")
	call.Summarize("Record a parcel of order %s to %s: %s", o.ID, o.Buyer(), what)
	if tracking != "" {
		call.Summarize("Record a parcel of order %s to %s: %s, tracking number %s", o.ID, o.Buyer(), what, tracking)
	}
	o.changed(call, "A parcel of order %s of %s was shipped.")
	return out, touch(ctx, call, o.ID)
}
