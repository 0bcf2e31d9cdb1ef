package catalog

import (
	"context"
	"database/sql"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// The tax classes of imported products. A file only says whether a product is taxable. An existing product keeps its
// class.
const (
	TaxStandard = "standard"
	TaxNone     = "none"
)

// EnsureTaxClasses adds the tax classes of imported products, with a rate of 0, unless they exist.
func EnsureTaxClasses(ctx context.Context) error {
	return core.Exec(ctx, `INSERT INTO tax_classes (id, name, rate_ppm) VALUES (?, 'Standard', 0), (?, 'Not taxed', 0)
		ON CONFLICT (id) DO NOTHING`, TaxStandard, TaxNone)
}

// Write stores a variant. reason explains the change of its stock.
func (v *PlannedVariant) Write(ctx context.Context, call *bus.Call, productID, reason string) error {
	n := &v.Next
	if v.Now == nil {
		n.id = call.NewID("var")
		if err := core.Exec(ctx, `INSERT INTO variants (id, product_id, position, sku, barcode, option1, option2, option3,
			price, stock, backorder, available, compare_at, cost, weight_grams, weight_unit, image)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)`, n.id, productID, n.Position, n.SKU, n.Barcode,
			n.Values[0], n.Values[1], n.Values[2], n.Price, n.Stock, core.Bit(n.Backorder), n.CompareAt, n.Cost,
			n.WeightGrams, n.WeightUnit, n.Image); err != nil {
			return err
		}
	} else if err := core.Exec(ctx, `UPDATE variants SET sku = ?, barcode = ?, option1 = ?, option2 = ?, option3 = ?,
		price = ?, stock = ?, backorder = ?, available = ?, compare_at = ?, cost = ?, weight_grams = ?, weight_unit = ?,
		image = ? WHERE id = ?`,
		n.SKU, n.Barcode, n.Values[0], n.Values[1], n.Values[2], n.Price, n.Stock, core.Bit(n.Backorder),
		core.Bit(n.Available), n.CompareAt, n.Cost, n.WeightGrams, n.WeightUnit, n.Image, n.id); err != nil {
		return err
	}
	if v.Now != nil && v.Now.Price != n.Price {
		if err := notePrice(ctx, call, n.id, v.Now.Price, n.Price); err != nil {
			return err
		}
	}
	if !n.Stock.Valid {
		return nil
	}
	// The movements of a counted variant always add up to its stock, also when it was not counted for a while.
	moved, _, err := core.Find(ctx, core.ScanInt, `SELECT COALESCE(SUM(delta), 0) FROM stock_movements
		WHERE variant_id = ?`, n.id)
	if err != nil || moved == n.Stock.Int64 {
		return err
	}
	return core.Insert(ctx, `stock_movements (id, variant_id, delta, reason, person, at)`,
		call.NewID("mov"), n.id, n.Stock.Int64-moved, reason, call.Person.ID, call.Now.UnixMilli())
}

// PlannedVariant is a new or changed variant.
type PlannedVariant struct {
	Now  *StoredVariant // nil for a new one
	Next StoredVariant  // after the change
}

// StoredVariant is a variant as stored in its table.
type StoredVariant struct {
	id, ProductID string
	Position      int64
	SKU, Barcode  string
	Values        [3]string
	Price         int64
	Stock         sql.NullInt64
	Backorder     bool
	Available     bool

	CompareAt, Cost, WeightGrams sql.NullInt64
	WeightUnit, Image            string
}

// SelectStored selects the columns that ScanStored reads.
const SelectStored = `SELECT id, product_id, position, sku, barcode, option1, option2, option3, price, stock, backorder,
	available, compare_at, cost, weight_grams, weight_unit, image FROM variants`

// ScanStored reads a row of SelectStored.
func ScanStored(r core.Row) (*StoredVariant, error) {
	v := &StoredVariant{}
	return v, r.Scan(&v.id, &v.ProductID, &v.Position, &v.SKU, &v.Barcode, &v.Values[0], &v.Values[1], &v.Values[2],
		&v.Price, &v.Stock, &v.Backorder, &v.Available, &v.CompareAt, &v.Cost, &v.WeightGrams, &v.WeightUnit, &v.Image)
}

// OptionCount returns the number of options before the first empty one.
func OptionCount(options [3]string) int { return slices.Index(append(options[:], ""), "") }
