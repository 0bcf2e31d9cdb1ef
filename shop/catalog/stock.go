package catalog

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// variantRef identifies a variant by its id or by its product.
type variantRef struct {
	ProductID string `json:"productId,omitempty" jsonschema:"maxLength=100" x:"entity=product"`
	VariantID string `json:"variantId,omitempty" jsonschema:"maxLength=100" x:"entity=variant"`
}

// find returns the variant, and a note if the default was taken.
func (in variantRef) find(ctx context.Context, s *core.Shop) (*Variant, string, error) {
	if in.ProductID == "" && in.VariantID == "" {
		return nil, "", core.Invalid("/productId", "Say of what, by productId or variantId.")
	}
	v, byDefault, err := ChooseVariant(ctx, s, in.ProductID, in.VariantID)
	if err == nil && byDefault {
		return v, fmt.Sprintf("No variant was named, so the default one was taken: %s.", v.Label), nil
	}
	return v, "", err
}

type setPriceIn struct {
	variantRef
	Price core.PriceIn `json:"price"`
}

type setPriceOut struct {
	VariantID string     `json:"variantId"`
	Price     core.Money `json:"price"`
	Was       core.Money `json:"was"`
	Note      string     `json:"note,omitempty"`
}

// prices returns the lowest and highest price in the catalog.
func prices(ctx context.Context, _ *bus.Call) (any, error) {
	s, err := core.LoadShop(ctx)
	if err != nil {
		return nil, err
	}
	var low, high int64
	_, _, err = core.Find(ctx, func(r core.Row) (struct{}, error) { return struct{}{}, r.Scan(&low, &high) },
		`SELECT COALESCE(MIN(price), 0), COALESCE(MAX(price), 0) FROM variants`)
	return map[string]core.Money{"lowest": s.Money(low), "highest": s.Money(high)}, err
}

func setPrice(ctx context.Context, s *core.Shop, call *bus.Call, in setPriceIn) (out setPriceOut, err error) {
	if err := s.CheckCurrency(in.Price, "/price"); err != nil {
		return out, err
	}
	v, note, err := in.find(ctx, s)
	if err != nil {
		return out, err
	}
	if v.Price.Amount == in.Price.Amount {
		return out, core.Refused("%s costs %s already.", v.FullName(), v.Price).
			WithHint("catalog.getProduct shows the prices.")
	}
	call.Fact("amount", s.MoneyFact(in.Price.Amount))
	call.Summarize("Set the price of %s from %s to %s", v.FullName(), v.Price, s.Money(in.Price.Amount))
	call.Announce("catalog", bus.Textf("%s has another price.", v.FullName()), v.ProductID, v.ID)
	if err := core.Exec(ctx, `UPDATE variants SET price = ? WHERE id = ?`, in.Price.Amount, v.ID); err != nil {
		return out, err
	}
	return setPriceOut{v.ID, s.Money(in.Price.Amount), v.Price, note}, notePrice(ctx, call, v.ID, v.Price.Amount,
		in.Price.Amount)
}

// notePrice records a change of price.
func notePrice(ctx context.Context, call *bus.Call, variantID string, was, price int64) error {
	return core.Insert(ctx, `price_changes (id, variant_id, price_was, price, person, at)`,
		call.NewID("prc"), variantID, was, price, call.Person.ID, call.Now.UnixMilli())
}

type adjustStockIn struct {
	variantRef
	Delta  int64  `json:"delta" jsonschema:"minimum=-1000000,maximum=1000000" doc:"How many more, or fewer when negative."`
	Reason string `json:"reason,omitempty" jsonschema:"maxLength=120" doc:"For example delivery, broken or counted."`
}

type adjustStockOut struct {
	VariantID string `json:"variantId"`
	Stock     int64  `json:"stock"`
	Note      string `json:"note,omitempty" doc:"Tell it to the person: which variant was taken because none was named."`
}

func adjustStock(ctx context.Context, s *core.Shop, call *bus.Call, in adjustStockIn) (out adjustStockOut, err error) {
	if in.Delta == 0 {
		return out, core.Invalid("/delta", "Nothing would change.")
	}
	v, note, err := in.find(ctx, s)
	if err != nil {
		return out, err
	}
	switch {
	case v.Stock == nil:
		return out, notCounted(v)
	case in.Delta < 0 && *v.Stock+in.Delta < 0:
		return out, core.Refused("There are only %d of %s in stock.", *v.Stock, v.FullName()).
			WithHint("Take fewer; catalog.getProduct shows the stock.")
	}
	reason := text.Line(in.Reason, core.NameLimit)
	out = adjustStockOut{v.ID, *v.Stock + in.Delta, note}
	call.Summarize("Adjust the stock of %s from %d to %d", v.FullName(), *v.Stock, out.Stock)
	if reason != "" {
		call.Summarize("Adjust the stock of %s from %d to %d: %s", v.FullName(), *v.Stock, out.Stock, reason)
	}
	call.Announce("catalog", bus.Textf("There are %d of %s.", out.Stock, v.FullName()), v.ProductID, v.ID)
	if err := core.Exec(ctx, `UPDATE variants SET stock = stock + ? WHERE id = ?`, in.Delta, v.ID); err != nil {
		return out, err
	}
	return out, core.Exec(ctx, `INSERT INTO stock_movements (id, variant_id, delta, reason, note, person, at)
		VALUES (?, ?, ?, 'adjustment', ?, ?, ?)`,
		call.NewID("mov"), v.ID, in.Delta, reason, call.Person.ID, call.Now.UnixMilli())
}

// notCounted returns the error for a variant whose stock is not counted.
func notCounted(v *Variant) error {
	return core.Refused("%s is not counted.", v.FullName()).
		WithHint("catalog.getProduct shows what is; a variant that is counted from the start is added with " +
			"catalog.updateProduct.")
}

// priceChange is an entry of a product's price history.
type priceChange struct {
	VariantID string     `json:"variantId"`
	Was       core.Money `json:"was"`
	Price     core.Money `json:"price"`
	At        int64      `json:"at" doc:"Milliseconds since 1970." x:"time=true"`
}

// stockMovement is a change of the stock of a variant.
type stockMovement struct {
	VariantID string      `json:"variantId"`
	Delta     int64       `json:"delta"`
	Reason    string      `json:"reason"`
	Note      string      `json:"note,omitempty" x:"tainted=true"`
	OrderID   string      `json:"orderId,omitempty"`
	Cost      *core.Money `json:"cost,omitempty" doc:"Of one piece, when it was received."`
	At        int64       `json:"at" doc:"Milliseconds since 1970." x:"time=true"`
}

func (stockMovement) TagFields() map[string]string {
	return map[string]string{
		"reason": `jsonschema:"enum=opening,enum=sale,enum=cancellation,enum=adjustment,enum=import,enum=return,` +
			`enum=exchange,enum=received"`,
	}
}

// known converts an optional amount.
func known(s *core.Shop, amount sql.NullInt64) *core.Money {
	if !amount.Valid {
		return nil
	}
	m := s.Money(amount.Int64)
	return &m
}

type productHistory struct {
	PriceChanges   []priceChange   `json:"priceChanges" doc:"The last 50, newest first."`
	StockMovements []stockMovement `json:"stockMovements" doc:"The last 50, newest first."`
}

func history(ctx context.Context, s *core.Shop, productID string) (h productHistory, err error) {
	if h.PriceChanges, err = core.List(ctx, func(r core.Row) (priceChange, error) {
		var c priceChange
		var was, price int64
		err := r.Scan(&c.VariantID, &was, &price, &c.At)
		c.Was, c.Price = s.Money(was), s.Money(price)
		return c, err
	}, `SELECT variant_id, price_was, price, at FROM price_changes WHERE variant_id IN (SELECT id FROM variants
		WHERE product_id = ?) ORDER BY at DESC, rowid DESC LIMIT 50`, productID); err != nil {
		return h, err
	}
	h.StockMovements, err = core.List(ctx, func(r core.Row) (m stockMovement, err error) {
		var cost sql.NullInt64
		err = r.Scan(&m.VariantID, &m.Delta, &m.Reason, &m.Note, &m.OrderID, &cost, &m.At)
		m.Cost = known(s, cost)
		return m, err
	}, `SELECT variant_id, delta, reason, note, order_id, cost, at FROM stock_movements WHERE variant_id IN (SELECT id
		FROM variants WHERE product_id = ?) ORDER BY at DESC, rowid DESC LIMIT 50`, productID)
	return h, err
}

// DefaultReorderLevel is the threshold of low stock for a variant without a reorder level.
const DefaultReorderLevel = 5

type setReorderIn struct {
	variantRef
	Level *int64 `json:"level,omitempty" jsonschema:"minimum=0,maximum=1000000" doc:"Absent: no level of its own."`
}

type setReorderOut struct {
	VariantID string `json:"variantId"`
	Level     *int64 `json:"level,omitempty" doc:"Absent: none of its own."`
	Was       *int64 `json:"was,omitempty" doc:"Absent: none of its own."`
	Note      string `json:"note,omitempty" doc:"Tell it to the person: which variant was taken because none was named."`
}

func setReorder(ctx context.Context, s *core.Shop, call *bus.Call, in setReorderIn) (out setReorderOut, err error) {
	v, note, err := in.find(ctx, s)
	if err != nil {
		return out, err
	}
	if (v.ReorderLevel == nil) == (in.Level == nil) && (in.Level == nil || *v.ReorderLevel == *in.Level) {
		return out, core.Refused("%s has that reorder level already.", v.FullName()).
			WithHint("catalog.getProduct shows the levels.")
	}
	if in.Level == nil {
		call.Summarize("Remove the reorder level of %s", v.FullName())
	} else {
		call.Summarize("Reorder %s when %d or fewer are left", v.FullName(), *in.Level)
	}
	call.Announce("catalog", bus.Textf("%s has another reorder level.", v.FullName()), v.ProductID, v.ID)
	return setReorderOut{v.ID, in.Level, v.ReorderLevel, note},
		core.Exec(ctx, `UPDATE variants SET reorder_level = ? WHERE id = ?`, in.Level, v.ID)
}
