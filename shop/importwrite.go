package shop

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// Tax classes that imported products get. A file says only whether a product is
// taxable; the class of a product that is here already stays.
const (
	taxStandard = "standard"
	taxNone     = "none"
)

func taxClasses(ctx context.Context) error {
	return exec(ctx, `INSERT INTO tax_classes (id, name, rate_ppm) VALUES (?, 'Standard', 0), (?, 'Not taxed', 0) ON CONFLICT (id) DO NOTHING`, taxStandard, taxNone)
}

// write brings one product into the state of the file.
func (p *plannedProduct) write(ctx context.Context, call *bus.Call) error {
	f := p.file
	switch {
	case p.id == "":
		p.id, p.head = call.NewID("prd"), true
		class := taxStandard
		if !f.Taxable {
			class = taxNone
		}
		if err := exec(ctx, `INSERT INTO products (id, handle, name, description, vendor, kind, image, option1, option2, option3, tax_class, published, name_fold, search_fold, created_at)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ' ', ?)`, p.id, f.Handle, f.Name, f.Description, f.Vendor, f.Kind, f.Image,
			f.Options[0], f.Options[1], f.Options[2], class, bit(f.Published), text.Fold(f.Name), call.Now.UnixMilli()); err != nil {
			return err
		}
	case p.head:
		if err := exec(ctx, `UPDATE products SET name = ?, description = ?, vendor = ?, kind = ?, image = ?, option1 = ?, option2 = ?, option3 = ?, published = ?, name_fold = ? WHERE id = ?`,
			f.Name, f.Description, f.Vendor, f.Kind, f.Image, f.Options[0], f.Options[1], f.Options[2], bit(f.Published), text.Fold(f.Name), p.id); err != nil {
			return err
		}
	}
	if p.head {
		if err := p.writeTags(ctx); err != nil {
			return err
		}
	}
	for i := range p.variants {
		if err := p.variants[i].write(ctx, call, p.id, "import"); err != nil {
			return err
		}
	}
	return refoldProduct(ctx, p.id)
}

func (p *plannedProduct) writeTags(ctx context.Context) error {
	if err := exec(ctx, `DELETE FROM product_tags WHERE product_id = ?`, p.id); err != nil {
		return err
	}
	for _, tag := range p.file.Tags {
		if err := exec(ctx, `INSERT INTO product_tags (product_id, tag_fold, tag) VALUES (?, ?, ?)`, p.id, text.Fold(tag), tag); err != nil {
			return err
		}
	}
	return nil
}

// write stores a variant; reason is why its stock is what it is.
func (v *plannedVariant) write(ctx context.Context, call *bus.Call, productID, reason string) error {
	n := &v.next
	if v.now == nil {
		n.id = call.NewID("var")
		if err := exec(ctx, `INSERT INTO variants (id, product_id, position, sku, barcode, option1, option2, option3, price, stock, backorder, available)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`, n.id, productID, n.position, n.sku, n.barcode, n.values[0], n.values[1], n.values[2], n.price, n.stock, bit(n.backorder)); err != nil {
			return err
		}
	} else if err := exec(ctx, `UPDATE variants SET sku = ?, barcode = ?, option1 = ?, option2 = ?, option3 = ?, price = ?, stock = ?, backorder = ?, available = ? WHERE id = ?`,
		n.sku, n.barcode, n.values[0], n.values[1], n.values[2], n.price, n.stock, bit(n.backorder), bit(n.available), n.id); err != nil {
		return err
	}
	if v.now != nil && v.now.price != n.price {
		if err := notePrice(ctx, call, n.id, v.now.price, n.price); err != nil {
			return err
		}
	}
	if !n.stock.Valid {
		return nil
	}
	// The movements of a counted variant always add up to its stock, also when it
	// was not counted for a while.
	moved, _, err := find(ctx, scanInt, `SELECT COALESCE(SUM(delta), 0) FROM stock_movements WHERE variant_id = ?`, n.id)
	if err != nil || moved == n.stock.Int64 {
		return err
	}
	return exec(ctx, `INSERT INTO stock_movements (id, variant_id, delta, reason, person, at) VALUES (?, ?, ?, ?, ?, ?)`,
		call.NewID("mov"), n.id, n.stock.Int64-moved, reason, call.Person.Person, call.Now.UnixMilli())
}
