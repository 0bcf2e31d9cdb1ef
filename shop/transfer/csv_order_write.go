package transfer

import (
	"context"
	"errors"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/order"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopify"
)

// tell implements importPlan.
func (p *orderPlan) tell(out *importOut) (domains []string, what bus.Text) {
	out.read(p.file.Read)
	out.OrdersCreated, out.OrdersUnchanged = len(p.orders), p.unchanged
	for _, c := range p.customer {
		if c.was.ID == "" {
			out.CustomersCreated++
		}
	}
	for _, o := range p.orders {
		if o.customer.was.ID == "" {
			o.details = append(o.details, "a new customer")
		}
		status := order.StatusInWords(o.order.Status)
		details := append([]string{status.String() + ", " + p.shop.Text(o.order.Total.Amount)}, o.details...)
		out.change(o.order.ID, o.customer.is.Name, "created", details)
	}
	return []string{"order", "customer"}, bus.Textf("%d new orders", len(p.orders))
}

// apply implements importPlan: customers first, then their orders, held to what is true of every order. What these took
// from stock was taken before the shop came here, so that the stock stays what it is.
func (p *orderPlan) apply(ctx context.Context, call *bus.Call) error {
	im := &importing{ctx: ctx, call: call, shop: *p.shop, progress: func(_ string, done int64) {
		if done%100 == 0 {
			call.Progress(int(100*done)/len(p.orders), fmt.Sprintf("%d of %d orders", done, len(p.orders)))
		}
	}}
	for _, c := range p.customer {
		if err := c.write(im); err != nil {
			return fmt.Errorf("line %d: %w", c.line, err)
		}
	}
	before := call.Now.UnixMilli()
	for _, o := range p.orders {
		o.order.CustomerID = o.customer.is.ID
		if err := im.Order(shopfile.Place{Line: int64(o.file.Line)}, &o.order); err != nil {
			if problem := (*shopfile.Problem)(nil); errors.As(err, &problem) {
				return fileErrors(bus.Textf("The file"), shopify.Problems{{Line: o.file.Line, Message: problem.Message}})
			}
			return err
		}
		before = min(before, o.order.PlacedAt)
	}
	back, err := core.List(ctx, func(r core.Row) (shopfile.Movement, error) {
		m := shopfile.Movement{Reason: "import", Note: "Sold before it came here", By: call.Person.ID, Time: before - 1}
		return m, r.Scan(&m.VariantID, &m.Delta)
	}, `SELECT variant_id, -SUM(delta) FROM stock_movements
		WHERE order_id`+ofOrders+` GROUP BY variant_id HAVING SUM(delta) <> 0 ORDER BY variant_id`,
		core.JSONList(idsOf(p.orders, func(o **plannedOrder) string { return (*o).order.ID })))
	if err != nil {
		return err
	}
	im.movements(shopfile.Place{}, back, "")
	return im.err
}
