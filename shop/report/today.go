package report

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/day"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/order"
)

// waiting counts the orders in a state that needs action by the staff.
type waiting struct {
	Status string      `json:"status" jsonschema:"enum=pending,enum=processed"`
	Orders int64       `json:"orders"`
	Oldest *orderSince `json:"oldest,omitempty" doc:"Waits the longest; absent: none waits."`
}

type orderSince struct {
	OrderID string `json:"orderId"`
	Since   int64  `json:"since" doc:"Milliseconds since 1970." x:"time=true"`
}

// toReceive is a requested return or exchange that has not arrived.
type toReceive struct {
	orderSince
	Kind   string `json:"kind" jsonschema:"enum=return,enum=exchange"`
	Reason string `json:"reason,omitempty"`
}

type todayOut struct {
	Day          string      `json:"day" jsonschema:"format=date"`
	Sales        takings     `json:"sales"`
	Waiting      []waiting   `json:"waiting" doc:"Pending, to be processed; processed, to be delivered."`
	Returns      int64       `json:"returns" doc:"Returns and exchanges to receive."`
	ReturnOrders []toReceive `json:"returnOrders" doc:"The first of them, the oldest first."`
	LowStock     int64       `json:"lowStock" doc:"Variants that report.lowStock lists."`
	LowStockMore bool        `json:"lowStockMore,omitempty" doc:"There are more than counted."`

	Methods []methodToday `json:"methods" doc:"Takings of all desks by kind of payment, the most first."`
	Till    tillToday     `json:"till"`
}

// methodToday holds the payments by one kind of method less refunds.
type methodToday struct {
	Method    string     `json:"method" enum:"cash,card,transfer,paypal,giftCard,onAccount,other,erased"`
	Taken     core.Money `json:"taken"`
	Yesterday core.Money `json:"yesterday"`
}

// tillToday holds the cash of this desk.
type tillToday struct {
	Desk string `json:"desk"`
	day.Last
	Expected core.Money `json:"expected" doc:"Cash that should be in the drawer."`
}

const (
	receivedShown   = 10
	lowStockCounted = 99
)

// today reports the day's figures so far and the open work.
func today(ctx context.Context, s *core.Shop, call *bus.Call, _ struct{}) (out todayOut, err error) {
	now := s.Today(call.Now)
	out.Day = core.ISODay(now)
	sold, _, err := byTime(ctx, s, now, now, ByDay, earlier{})
	if err != nil {
		return out, err
	}
	p := whole(s, now, now)
	if err := out.cash(ctx, s, call, p); err != nil {
		return out, err
	}
	out.Sales = takingsOf(s, sold, p.words())
	for _, status := range []string{order.StatusPending, order.StatusProcessed} {
		w := waiting{Status: status}
		if w.Orders, _, err = core.Find(ctx, core.ScanInt, `SELECT COUNT(*) FROM orders WHERE status = ?`,
			status); err != nil {
			return out, err
		}
		oldest, found, err := core.Find(ctx, func(r core.Row) (o orderSince, err error) {
			return o, r.Scan(&o.OrderID, &o.Since)
		}, `SELECT id, placed_at FROM orders WHERE status = ? ORDER BY placed_at, id DESC LIMIT 1`, status)
		if err != nil {
			return out, err
		}
		if found {
			w.Oldest = &oldest
		}
		out.Waiting = append(out.Waiting, w)
	}
	if out.Returns, _, err = core.Find(ctx, core.ScanInt, `SELECT COUNT(*) FROM order_requests
		WHERE status = 'requested'`); err != nil {
		return out, err
	}
	if out.ReturnOrders, err = core.List(ctx, func(r core.Row) (t toReceive, err error) {
		return t, r.Scan(&t.OrderID, &t.Since, &t.Kind, &t.Reason)
	}, `SELECT order_id, requested_at, kind, reason FROM order_requests WHERE status = 'requested'
		ORDER BY requested_at, order_id LIMIT ?`, receivedShown); err != nil {
		return out, err
	}
	low, err := LowStock(ctx, s, call, LowStockIn{PageIn: core.PageIn{Limit: lowStockCounted}})
	out.LowStock, out.LowStockMore = int64(len(low.Rows)), low.HasMore
	return out, err
}

// cash reads the day's takings from the book, those of the day before, and the cash drawer of this desk.
func (out *todayOut) cash(ctx context.Context, s *core.Shop, call *bus.Call, p span) error {
	sums, last, err := day.Now(ctx, s, call)
	if err != nil {
		return err
	}
	out.Till = tillToday{sums.Desk, last, sums.Expected}
	before := p.from.AddDate(0, 0, -1)
	out.Methods, err = core.List(ctx, func(r core.Row) (m methodToday, err error) {
		var now, was int64
		err = r.Scan(&m.Method, &now, &was)
		m.Taken, m.Yesterday = s.Money(now), s.Money(was)
		return m, err
	}, `SELECT kind, SUM(CASE WHEN at >= ?2 THEN amount ELSE 0 END) AS now, SUM(CASE WHEN at < ?2 THEN amount ELSE 0 END)
		FROM receipts JOIN receipt_payments USING (number) WHERE at >= ?1 AND at < ?3 GROUP BY 1 ORDER BY now DESC, 1`,
		whole(s, before, before).start, p.start, p.end)
	return err
}
