package order

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type cancelIn struct {
	orderIn
	Reason string `json:"reason" jsonschema:"enum=no longer needed,enum=ordered by mistake,enum=out of stock,enum=other"`
	Note   string `json:"note,omitempty" jsonschema:"maxLength=2000" doc:"Kept with the order."`
	settledBy
}

type cancelOut struct {
	OrderID string         `json:"orderId"`
	Status  string         `json:"status"`
	Refunds []methodAmount `json:"refunds" doc:"Recorded, not transferred."`
	receiptOut
}

// cancellable plans the cancellation of an order and refuses a refund over the person's limit.
func cancellable(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in cancelIn) (p itemsPlan, err error) {
	p.order = o
	if err := mayRefund(s, o.Total.Amount, call.Person); err != nil {
		return p, err
	}
	if p.method, err = in.refundTo(ctx, s, o); err != nil {
		return p, err
	}
	paid, err := paidLeft(ctx, o.ID)
	if err != nil {
		return p, err
	}
	p.difference = -max(paid, 0)
	if err := p.mayRefund(ctx, s, call); err != nil {
		return p, err
	}
	return p, p.planSettlement(ctx, s)
}

func cancel(ctx context.Context, s *core.Shop, call *bus.Call, o Head, in cancelIn) (out cancelOut, err error) {
	p, err := cancellable(ctx, s, call, o, in)
	if err != nil {
		return out, err
	}
	r := billOf(s, call)
	if err := r.whole(ctx, o.ID); err != nil {
		return out, err
	}
	out = cancelOut{OrderID: o.ID, Status: StatusCancelled, Refunds: p.refunds}
	if err := p.recordSettlement(ctx, s, call); err != nil {
		return out, err
	}
	if err := restock(ctx, call, o.ID); err != nil {
		return out, err
	}
	if err := core.Exec(ctx, `UPDATE orders SET status = ?, cancelled_at = ?, cancelled_by = ?, cancel_reason = ?,
		revision = ? WHERE id = ?`,
		StatusCancelled, call.Now.UnixMilli(), call.Person.ID, in.Reason, call.NewID("rev"), o.ID); err != nil {
		return out, err
	}
	if words := text.Block(in.Note, core.MessageLimit); words != "" {
		if _, err := insertNote(ctx, call, o.ID, words); err != nil {
			return out, err
		}
	}
	call.Summarize("Cancel order %s of %s", o.ID, o.Buyer())
	if len(p.refunds) > 0 {
		call.Summarize("Cancel order %s of %s and refund %s", o.ID, o.Buyer(), refundWords(p.refunds))
	}
	call.Fact("amount", s.MoneyFact(-p.difference))
	r.refunds(out.Refunds)
	o.changed(call, "Order %s of %s was cancelled.")
	call.Announce("catalog", bus.Textf("Stock changed."))
	return out, nil
}

// restock returns the pieces of an order to stock, at most as many as the order took.
func restock(ctx context.Context, call *bus.Call, orderID string) error {
	type taken struct {
		variantID string
		pieces    int64
	}
	all, err := core.List(ctx, func(r core.Row) (t taken, err error) { return t, r.Scan(&t.variantID, &t.pieces) },
		`SELECT variant_id, -SUM(delta) AS pieces FROM stock_movements WHERE order_id = ?
			GROUP BY variant_id HAVING pieces > 0 ORDER BY variant_id`, orderID)
	if err != nil {
		return err
	}
	for _, t := range all {
		if err := moveStock(ctx, call, t.variantID, t.pieces, "cancellation", orderID); err != nil {
			return err
		}
	}
	return nil
}

type addNoteIn struct {
	orderIn
	Text string `json:"text" jsonschema:"title=Note,minLength=1,maxLength=2000"`
}

type addNoteOut struct {
	NoteID string `json:"noteId"`
}

func addNote(ctx context.Context, s *core.Shop, call *bus.Call, in addNoteIn) (out addNoteOut, err error) {
	o, err := ByID(ctx, s, in.OrderID)
	if err != nil {
		return out, err
	}
	words := text.Block(in.Text, core.MessageLimit)
	if words == "" {
		return out, core.Invalid("/text", "The note is empty.")
	}
	call.Summarize("Add a note to order %s of %s: “%s”", o.ID, o.Buyer(), text.Line(words, 100))
	call.Announce("order", bus.Textf("Order %s has a new note.", o.ID), o.ID)
	out.NoteID, err = insertNote(ctx, call, o.ID, words)
	return out, err
}

func insertNote(ctx context.Context, call *bus.Call, orderID, words string) (string, error) {
	id := call.NewID("note")
	return id, core.Insert(ctx, `order_notes (id, order_id, text, person, at)`, id, orderID, words, call.Person.ID,
		call.Now.UnixMilli())
}
