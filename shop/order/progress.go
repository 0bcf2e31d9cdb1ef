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

// advance moves an order to its next state. column stores the time.
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
	LineIDs    []string `json:"lineIds,omitempty" jsonschema:"minItems=1,maxItems=100,uniqueItems=true"`
}

type fulfilOut struct {
	OrderID  string   `json:"orderId"`
	Shipped  []string `json:"shipped" doc:"What is in the parcel."`
	Complete bool     `json:"complete" doc:"Everything of the order was shipped."`
}

// unshippedLine is a line that was not shipped, with a description.
type unshippedLine struct {
	lineRef
	words string
}

func unshipped(ctx context.Context, orderID string) ([]unshippedLine, error) {
	return core.List(ctx, func(r core.Row) (l unshippedLine, err error) {
		return l, r.Scan(&l.LineID, &l.VariantID, &l.words)
	}, `SELECT id, variant_id, quantity || ' × ' || name FROM order_lines l WHERE order_id = ?1 AND NOT EXISTS (
			SELECT 1 FROM fulfilments f LEFT JOIN fulfilment_lines i ON i.fulfilment_id = f.id
			WHERE f.order_id = ?1 AND (i.variant_id IS NULL OR i.variant_id = l.id)) ORDER BY line`, orderID)
}

// inParcel returns the lines of a parcel: all unshipped lines, or the named ones.
func (in fulfilIn) inParcel(o Head, waiting []unshippedLine) (all []unshippedLine, err error) {
	if in.VariantIDs == nil && in.LineIDs == nil {
		return waiting, nil
	}
	for _, named := range []struct {
		ids []string
		of  func(unshippedLine) string
	}{
		{in.VariantIDs, func(l unshippedLine) string { return l.VariantID }},
		{in.LineIDs, func(l unshippedLine) string { return l.LineID }},
	} {
		for _, id := range named.ids {
			found := slices.DeleteFunc(slices.Clone(waiting), func(l unshippedLine) bool { return named.of(l) != id })
			switch {
			case len(found) == 0 || slices.Contains(all, found[0]):
				return nil, core.Refused("%s is not waiting to be shipped with order %s.", id, o.ID).
					WithHint("order.get shows the lines and what was shipped.")
			case len(found) > 1:
				var lines []string
				for _, l := range found {
					lines = append(lines, l.LineID+": "+l.words)
				}
				return nil, core.Refused("%d lines of %s wait to be shipped: %s.", len(found), id, strings.Join(lines, "; ")).
					WithHint("Name the lines with lineIds.")
			}
			all = append(all, found[0])
		}
	}
	return all, nil
}

func fulfil(ctx context.Context, _ *core.Shop, call *bus.Call, o Head, in fulfilIn) (out fulfilOut, err error) {
	out.Shipped = []string{}
	waiting, err := unshipped(ctx, o.ID)
	if err != nil {
		return out, err
	}
	sent, err := in.inParcel(o, waiting)
	if err != nil {
		return out, err
	}
	parcel := call.NewID("ful")
	tracking := text.Line(in.TrackingID, 80)
	if err := core.Insert(ctx, `fulfilments (id, order_id, tracking_id, at)`, parcel, o.ID, tracking,
		call.Now.UnixMilli()); err != nil {
		return out, err
	}
	for _, l := range sent {
		out.Shipped = append(out.Shipped, l.words)
		if err := core.Insert(ctx, `fulfilment_lines (fulfilment_id, variant_id)`, parcel, l.LineID); err != nil {
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
