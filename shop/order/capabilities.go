// Package order turns carts into orders (checkout) and handles the orders afterwards: progress, changes, returns,
// exchanges.
package order

import (
	"context"
	_ "embed"
	"errors"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/cart"
	"github.com/deskhand/deskhand/shop/internal/book"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities returns the capabilities of orders.
func Capabilities() []bus.Capability {
	grantable := []string{"amount", "customerId"}
	withStock := []string{"order", "catalog"}
	return []bus.Capability{
		core.WithShop(core.Read(bus.Capability{Name: "order.search", Texts: texts, Type: bus.TypeData,
			Provides: []string{"order", "customer"},
			Entities: []bus.Entity{{Type: "order", Title: "Order", List: "/orders", Get: "order.get", Display: "{title}",
				Link: "orders/{id}"}}}), search),
		core.WithShop(core.Read(bus.Capability{Name: "order.get", Texts: texts, Type: bus.TypeData,
			Provides: []string{"order", "customer"},
			Entities: []bus.Entity{{Type: "variant", List: "/lines"},
				{Type: "address", List: "/savedAddresses"},
				{Type: "paymentMethod", List: "/savedPaymentMethods"},
				{Type: "alternative", Title: "Other variant", List: "/alternatives"},
				{Type: "payment", Title: "Payment", List: "/payments", Display: "{label}"}}}), get),
		core.WithShop(core.Final(bus.Capability{Name: "checkout.submit", Texts: texts,
			Permissions: []string{"checkout:write", "checkout.ready"},
			Facts:       factNames,
			Changes:     []string{"order", "cart", "catalog"},
			Listing:     bus.Listing{Shortcut: "F9", Next: []string{"email.sendReceipt", "order.process", "document.export"}},
			Checks: bus.Checks{
				Requires: []string{"cart.validate"},
				Preconditions: []bus.Precondition{{Name: "cart.items",
					Message: "The cart is empty.", Hint: "Put something in with cart.addItem.", Check: cart.NeedsItems}},
			},
			Run:       bus.Run{Concurrency: bus.Exclusive, QueueDepth: 8},
			Assistant: bus.Assistant{Grantable: grantable}}), submit),
		core.WithShop(core.Change(bus.Capability{Name: "order.addNote", Texts: texts}), addNote),
		core.WithShop(core.Change(bus.Capability{Name: "cart.fromOrder", Texts: texts}), fromOrder),
		onOrder(core.Final(bus.Capability{Name: "order.cancel", Changes: withStock,
			Checks:    bus.Checks{Limit: limited(cancellable)},
			Assistant: bus.Assistant{Grantable: grantable}}), cancel),
		onOrder(core.Change(bus.Capability{Name: "order.changeAddress"}), changeAddress),
		onOrder(core.Final(bus.Capability{Name: "order.changePayment", Assistant: bus.Assistant{Grantable: grantable}}),
			changePayment),
		onOrder(core.Final(bus.Capability{Name: "order.changeItems", Changes: withStock,
			Checks:    bus.Checks{Limit: limited(planItems)},
			Assistant: bus.Assistant{Grantable: grantable}}),
			changeItems),
		onOrder(core.Change(bus.Capability{Name: "order.process"}), advance(StatusProcessed, "processed_at")),
		onOrder(core.Change(bus.Capability{Name: "order.fulfil"}), fulfil),
		onOrder(core.Change(bus.Capability{Name: "order.deliver"}), advance(StatusDelivered, "delivered_at")),
		onOrder(core.Change(bus.Capability{Name: "order.return"}), requestReturn),
		onOrder(core.Final(bus.Capability{Name: "order.returnNow", Changes: withStock,
			Checks: bus.Checks{Limit: limited(planReturnNow)}}),
			returnNow),
		onOrder(core.Final(bus.Capability{Name: "order.receiveReturn", Changes: withStock,
			Checks: bus.Checks{Limit: limited(planReturn)}}),
			receiveReturn),
		onOrder(core.Change(bus.Capability{Name: "order.exchange", Changes: withStock}), requestExchange),
		onOrder(core.Final(bus.Capability{Name: "order.receiveExchange", Changes: withStock,
			Checks: bus.Checks{Limit: limited(planExchange)}}),
			receiveExchange),
	}
}

// factNames are the facts of every change of an order.
var factNames = []string{"amount", "customerId", "orderId"}

// orderIn holds the id of the order that a call works on.
type orderIn struct {
	OrderID string `json:"orderId" jsonschema:"minLength=1,maxLength=40" x:"entity=order"`
}

func (in orderIn) orderID() string { return in.OrderID }

// orderWork implements a capability on a loaded order.
type orderWork[In, Out any] = func(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in In) (Out, error)

// onOrder defines a capability that changes an order. The order must be in the state that the capability's rule
// requires. Facts that work does not set are taken from the order.
func onOrder[In interface{ orderID() string }, Out any](c bus.Capability, work orderWork[In, Out]) bus.Capability {
	c.Texts, c.Checks.Access, c.Facts, c.Checks.Preconditions = texts, core.AgentAsks, factNames, orderState(c.Name)
	return core.WithShop(c, func(ctx context.Context, s *core.Shop, call *bus.Call, in In) (out Out, err error) {
		o, err := orderFor(ctx, s, call, in.orderID())
		if err != nil {
			return out, err
		}
		orderFacts(s, call, o, o.Total.Amount)
		before, err := moved(ctx, o.ID)
		if err != nil {
			return out, err
		}
		was, err := book.Of(ctx, o.ID)
		if err != nil {
			return out, err
		}
		if out, err = work(ctx, s, call, o, in); err != nil {
			return out, err
		}
		number, err := book.Write(ctx, s, call, o.ID, was)
		if err != nil {
			return out, err
		}
		if r, is := any(&out).(interface{ setReceipt(number string) }); is {
			r.setReceipt(number)
		}
		if r := billOf(s, call); len(r.Sums) > 0 {
			r.About = slices.Insert(r.About, 0, bus.BillValue{Label: "Customer", Text: o.Buyer().String()})
			return out, r.stock(ctx, o.ID, before)
		}
		return out, nil
	})
}

// receiptOut holds the number of the receipt that a call issued.
type receiptOut struct {
	ReceiptNumber string `json:"receiptNumber,omitempty" doc:"A preview shows none."`
}

func (out *receiptOut) setReceipt(number string) { out.ReceiptNumber = number }

// orderFacts records the facts of a change of an order.
func orderFacts(s *core.Shop, call *bus.Call, o Head, amount int64) {
	call.Fact("amount", s.MoneyFact(amount))
	if o.Customer != nil {
		call.Fact("customerId", o.Customer.ID)
	}
	call.Fact("orderId", o.ID)
}

// limited returns a check that runs work's plan before any change. It reports only an amount over the person's limit;
// the handler reports all other errors.
func limited[In interface{ orderID() string }, Plan any](work orderWork[In, Plan]) func(context.Context,
	*bus.Call) error {
	return bus.Check(func(ctx context.Context, call *bus.Call, in In) error {
		s, err := core.LoadShop(ctx)
		if err != nil {
			return nil
		}
		o, err := orderFor(ctx, s, call, in.orderID())
		if err != nil {
			return nil
		}
		_, err = work(ctx, s, call, o, in)
		if coded := (*bus.Error)(nil); errors.As(err, &coded) && coded.Code == bus.Forbidden {
			return coded
		}
		return nil
	})
}
