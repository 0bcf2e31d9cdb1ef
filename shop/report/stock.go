package report

import (
	"context"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// LowStockIn sets the threshold of a report of low stock.
type LowStockIn struct {
	Threshold *int64 `json:"threshold,omitempty" jsonschema:"minimum=0,maximum=1000000"`
	core.PageIn
}

type lowVariant struct {
	ID        string `json:"id" doc:"The variant."`
	ProductID string `json:"productId"`
	VariantID string `json:"variantId"`
	Name      string `json:"name" doc:"The product."`
	Label     string `json:"label,omitempty" doc:"The variant's options."`
	SKU       string `json:"sku,omitempty"`
	Stock     int64  `json:"stock" doc:"Below zero: sold and still to come."`
	Left      string `json:"left" doc:"The stock in words."`
	Level     int64  `json:"level" doc:"The variant is listed while it has so many pieces or fewer."`

	sort string
}

type lowStockOut struct {
	Threshold int64        `json:"threshold" doc:"Of variants without a reorder level, or of all if it was asked for."`
	Rows      []lowVariant `json:"rows" doc:"Fewest first."`
	core.PageOut
}

// LowStock reports the variants for sale whose stock is low.
func LowStock(ctx context.Context, _ *core.Shop, _ *bus.Call, in LowStockIn) (lowStockOut, error) {
	out := lowStockOut{Threshold: catalog.DefaultReorderLevel}
	if in.Threshold != nil {
		out.Threshold = *in.Threshold
	}
	after, err := core.DecodeCursor(in.Cursor)
	if err != nil {
		return out, err
	}
	if out.Rows, err = core.List(ctx, func(r core.Row) (v lowVariant, err error) {
		var values [3]string
		err = r.Scan(&v.ID, &v.ProductID, &v.Name, &v.SKU, &values[0], &values[1], &values[2], &v.Stock, &v.Level, &v.sort)
		v.VariantID, v.Left = v.ID, left(v.Stock)
		_, v.Label = catalog.PairOptions([3]string{}, values)
		return v, err
	}, `SELECT v.id, p.id, p.name, v.sku, v.option1, v.option2, v.option3, v.stock,
			coalesce(?1, v.reorder_level, ?2) AS level, p.name_fold
		FROM variants v JOIN products p ON p.id = v.product_id
		WHERE v.stock <= level AND v.available AND p.published AND (?3 OR (v.stock, p.name_fold, v.id) > (?4, ?5, ?6))
		ORDER BY v.stock, p.name_fold, v.id LIMIT ?7`, in.Threshold, catalog.DefaultReorderLevel, core.Bit(in.Cursor == ""),
		after.Score, after.Sort, after.ID, in.Limit+1); err != nil {
		return out, err
	}
	if len(out.Rows) > in.Limit {
		out.Rows = out.Rows[:in.Limit]
		last := out.Rows[in.Limit-1]
		out.PageOut = core.PageOut{HasMore: true, NextCursor: core.EncodeCursor(core.CursorKey{Score: int(last.Stock),
			Sort: last.sort, ID: last.ID})}
	}
	return out, nil
}

func left(stock int64) string {
	switch {
	case stock < 0:
		return fmt.Sprintf("%d too few", -stock)
	case stock == 0:
		return "none left"
	}
	return fmt.Sprintf("%d left", stock)
}
