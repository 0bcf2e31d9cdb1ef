package order

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// Payment is a payment or refund of an order.
type Payment struct {
	ID              string      `json:"id"`
	Kind            string      `json:"kind" jsonschema:"enum=payment,enum=refund"`
	PaymentMethodID string      `json:"paymentMethodId"`
	Label           string      `json:"label" x:"personal=true"`
	Amount          core.Money  `json:"amount"`
	Due             *core.Money `json:"due,omitempty" doc:"Before cash was rounded; absent: the amount."`
	Left            *core.Money `json:"left,omitempty" doc:"What of a payment was not given back; absent: nothing."`
	Tendered        *core.Money `json:"tendered,omitempty" doc:"Cash handed over."`
	Change          *core.Money `json:"change,omitempty" doc:"Cash given back."`
	At              int64       `json:"at" doc:"Milliseconds since 1970." x:"time=true"`
}

// payments returns the payments and refunds of an order, oldest first.
func payments(ctx context.Context, s *core.Shop, orderID string) ([]Payment, error) {
	left, err := unrefundedPayments(ctx, s, orderID)
	if err != nil {
		return nil, err
	}
	return core.List(ctx, func(r core.Row) (Payment, error) {
		var p Payment
		var due, amount, tendered int64
		err := r.Scan(&p.ID, &p.Kind, &p.PaymentMethodID, &p.Label, &due, &amount, &tendered, &p.At)
		if p.Amount = s.Money(amount); due != amount {
			before := s.Money(due)
			p.Due = &before
		}
		if i := slices.IndexFunc(left, func(f methodAmount) bool { return f.of == p.ID }); i >= 0 {
			p.Left = &left[i].Amount
		}
		if tendered > 0 {
			given, back := s.Money(tendered), s.Money(tendered-amount)
			p.Tendered, p.Change = &given, &back
		}
		return p, err
	}, `SELECT id, kind, method_id, label, amount, amount + rounding, tendered, at FROM payments WHERE order_id = ?
		ORDER BY at, rowid`, orderID)
}

// due returns the amount before cash rounding, which counts towards the order's total.
func (p *Payment) due() int64 {
	if p.Due != nil {
		return p.Due.Amount
	}
	return p.Amount.Amount
}

// fulfilment is one parcel.
type fulfilment struct {
	TrackingID string   `json:"trackingId,omitempty"`
	VariantIDs []string `json:"variantIds" doc:"What was in it; empty: everything."`
	LineIDs    []string `json:"lineIds" doc:"What was in it; empty: everything."`
	At         int64    `json:"at" doc:"Milliseconds since 1970." x:"time=true"`
}

func fulfilments(ctx context.Context, orderID string) ([]fulfilment, error) {
	return core.List(ctx, func(r core.Row) (fulfilment, error) {
		var f fulfilment
		var lines, variants string
		if err := r.Scan(&f.TrackingID, &f.At, &lines, &variants); err != nil {
			return f, err
		}
		if err := json.Unmarshal([]byte(lines), &f.LineIDs); err != nil {
			return f, err
		}
		return f, json.Unmarshal([]byte(variants), &f.VariantIDs)
	}, `SELECT tracking_id, at, (SELECT json_group_array(variant_id) FROM fulfilment_lines i WHERE i.fulfilment_id = f.id),
		(SELECT json_group_array(COALESCE((SELECT variant_id FROM order_lines l WHERE l.order_id = f.order_id
			AND l.id = i.variant_id), variant_id)) FROM fulfilment_lines i WHERE i.fulfilment_id = f.id)
		FROM fulfilments f WHERE order_id = ? ORDER BY at, id`, orderID)
}

// request is a return or an exchange.
type request struct {
	ID     string `json:"id"`
	Kind   string `json:"kind" jsonschema:"enum=return,enum=exchange"`
	Status string `json:"status" jsonschema:"enum=requested,enum=received"`
	reasonIn
	Lines           []requestLine `json:"lines"`
	PaymentMethodID string        `json:"paymentMethodId,omitempty"`
	Label           string        `json:"label,omitempty" x:"personal=true" doc:"The payment method."`
	Difference      core.Money    `json:"difference"`
	Restocked       bool          `json:"restocked,omitempty"`
	RequestedAt     int64         `json:"requestedAt" doc:"Milliseconds since 1970." x:"time=true"`
	ReceivedAt      int64         `json:"receivedAt,omitempty" doc:"Milliseconds since 1970." x:"time=true"`
}

type requestLine struct {
	LineID       string `json:"lineId,omitempty"`
	VariantID    string `json:"variantId"`
	NewVariantID string `json:"newVariantId,omitempty"`
	Quantity     int64  `json:"quantity"`
	Received     int64  `json:"received"`
}

func requests(ctx context.Context, s *core.Shop, orderID string) ([]request, error) {
	all, err := core.List(ctx, func(r core.Row) (request, error) {
		var q request
		var amount int64
		err := r.Scan(&q.ID, &q.Kind, &q.Status, &q.PaymentMethodID, &q.Label, &amount, &q.Restocked, &q.RequestedAt,
			&q.ReceivedAt, &q.Reason)
		q.Difference = s.Money(amount)
		return q, err
	}, `SELECT id, kind, status, method_id, method_label, amount, restocked, requested_at, received_at,
		reason FROM order_requests WHERE order_id = ? ORDER BY requested_at, rowid`, orderID)
	for i := range all {
		if err != nil {
			return nil, err
		}
		all[i].Lines, err = core.List(ctx, func(r core.Row) (l requestLine, err error) {
			return l, r.Scan(&l.LineID, &l.VariantID, &l.NewVariantID, &l.Quantity, &l.Received)
		}, `SELECT line_id, variant_id, new_variant_id, quantity, received FROM order_request_lines WHERE request_id = ?
			ORDER BY position`, all[i].ID)
	}
	return all, err
}

// alternatives returns the variants for sale that can replace items of an order. It returns none when the items can
// neither be changed nor exchanged. Only an exchange may use the same variant.
func alternatives(ctx context.Context, s *core.Shop, o Head) ([]alternative, error) {
	exchange := ruleOf("order.exchange").unmet(o) == nil
	if !exchange && (o.ItemsChanged || ruleOf("order.changeItems").unmet(o) != nil) {
		return []alternative{}, nil
	}
	return replacements(ctx, s, o, exchange)
}

// replacements returns the variants for sale that can replace some item of an order. same includes the items' own
// variants, for an exchange.
func replacements(ctx context.Context, s *core.Shop, o Head, same bool) ([]alternative, error) {
	variants, err := core.List(ctx, core.Bind(s, catalog.ScanVariant), `SELECT `+catalog.VariantColumns+`
		WHERE v.product_id IN (SELECT product_id FROM order_lines WHERE order_id = ?1 AND returned_by = '') AND (?2 OR EXISTS
			(SELECT 1 FROM order_lines l WHERE l.order_id = ?1 AND l.returned_by = '' AND l.product_id = v.product_id
			AND l.variant_id <> v.id))
		ORDER BY v.product_id, v.position`, o.ID, same)
	all := []alternative{}
	for _, v := range variants {
		if v.Available {
			all = append(all, alternative{v.ID, v.ProductID, v.FullName(), v.Price})
		}
	}
	return all, err
}
