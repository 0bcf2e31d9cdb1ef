package document

import (
	"database/sql"

	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/document/internal/sheet"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// productsListing lists the catalog by product name, with a row for each variant.
func productsListing(s *core.Shop, n core.Filter) listing {
	scan := func(r core.Row) (f listRow, err error) {
		var fold, id, product, vendor, kind, tax, sku, barcode string
		var values [3]string
		var position, price int64
		var stock sql.NullInt64
		var sold, backorder bool
		err = r.Scan(&fold, &id, &position, &product, &vendor, &kind, &tax, &values[0], &values[1], &values[2], &sku,
			&barcode, &price, &stock, &sold, &backorder)
		_, label := catalog.PairOptions([3]string{}, values)
		f.key = []any{fold, id, position}
		f.values = []any{product, label, sku, barcode, vendor, kind, tax, price, nil, yesNo(sold), yesNo(backorder),
			s.Currency}
		if stock.Valid {
			f.values[8] = stock.Int64
		}
		return f, err
	}
	return listing{
		title: "Products", what: "variants",
		columns: []listColumn{
			{sheet.Column{Title: "Product", Width: 34}, true},
			{sheet.Column{Title: "Variant", Width: 24}, true},
			{sheet.Column{Title: "SKU", Width: 18}, true},
			{sheet.Column{Title: "Barcode", Width: 16}, false},
			{sheet.Column{Title: "Vendor", Width: 20}, false},
			{sheet.Column{Title: "Kind", Width: 16}, false},
			{sheet.Column{Title: "Tax", Width: 14}, false},
			{sheet.Column{Title: "Price", Kind: sheet.Amount, Width: 13}, true},
			{sheet.Column{Title: "Stock", Kind: sheet.Count, Width: 11}, true},
			{sheet.Column{Title: "For sale", Width: 9}, true},
			{sheet.Column{Title: "Backorder", Width: 10}, false},
			{sheet.Column{Title: "Currency", Width: 9}, false},
		},
		rows: paged(scan, `SELECT t.name_fold, t.id, v.position, t.name, t.vendor, t.kind, x.name,
			v.option1, v.option2, v.option3, v.sku, v.barcode,
			v.price, v.stock, v.available AND t.published, v.backorder
			FROM products t JOIN variants v ON v.product_id = t.id JOIN tax_classes x ON x.id = t.tax_class
			WHERE (t.name_fold, t.id, v.position) > (?, ?, ?)
			AND `+n.String()+` ORDER BY t.name_fold, t.id, v.position LIMIT ?`, n, "", "", 0),
	}
}

// yesNo formats a boolean for a table.
func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
