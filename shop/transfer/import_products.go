package transfer

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/picture"
	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
)

// Product implements [shopfile.Visitor].
func (im *importing) Product(at shopfile.Place, p *shopfile.Product) error {
	p.Handle = cmp.Or(p.Handle, p.ID)
	p.TaxClass = cmp.Or(p.TaxClass, im.taxClass)
	known, err := core.Exists(im.ctx, `SELECT 1 FROM tax_classes WHERE id = ?`, p.TaxClass)
	if err != nil {
		return err
	}
	if !known {
		return at.Refuse("/taxClass", "There is no tax class %q.", p.TaxClass)
	}
	if p.DefaultVariantID != "" && !slices.ContainsFunc(p.Variants,
		func(v shopfile.Variant) bool { return v.ID == p.DefaultVariantID }) {
		return at.Refuse("/defaultVariantId", "The product has no variant %q.", p.DefaultVariantID)
	}
	var names [3]string
	copy(names[:], p.Options)
	taken := twice(at, "/id", p.ID)
	if same, err := core.Exists(im.ctx, `SELECT 1 FROM products WHERE handle = ?
		AND id <> ?`, p.Handle, p.ID); err != nil {
		return err
	} else if same {
		taken = at.Refuse("/handle", "Another product has the handle %q.", p.Handle)
	}
	p.CreatedAt = cmp.Or(p.CreatedAt, im.call.Now.UnixMilli())
	im.insert(taken, `products (id, handle, name, description, vendor, kind, image, option1, option2, option3, tax_class,
		published, default_variant_id, name_fold, search_fold, created_at)`,
		p.ID, p.Handle, p.Name, p.Description, p.Vendor, p.Kind, p.Image, names[0], names[1], names[2], p.TaxClass,
		core.Bit(p.Published == nil || *p.Published), p.DefaultVariantID, text.Fold(p.Name), searchedBy(p), p.CreatedAt)
	if len(p.Picture) > 0 {
		kept, err := im.picture(at, "/picture", p.Picture)
		if err == nil && im.err == nil {
			err = catalog.WritePicture(im.ctx, p.ID, kept)
		}
		im.note(err)
	}
	for i, tag := range p.Tags {
		im.insert(at.Refuse(item("/tags", i, ""), "The tag %q stands twice.", tag),
			`product_tags (product_id, tag_fold, tag)`, p.ID, text.Fold(tag), tag)
	}
	for i := range p.Variants {
		im.note(im.variant(shopfile.Place{Path: at.Path + item("/variants", i, ""), Line: at.Line}, p, i))
	}
	im.products++
	im.progress("products", im.products)
	return im.err
}

// picture keeps the bytes of a picture unchanged. It refuses a picture over the limits of size.
func (im *importing) picture(at shopfile.Place, path string, jpeg []byte) (picture.Picture, error) {
	kept, err := picture.Kept(bytes.NewReader(jpeg))
	if err != nil {
		return kept, at.Refuse(path, "It is not a JPEG of at most 640 by 640 pixels and 200 KiB.")
	}
	return kept, nil
}

// searchedBy returns the same search text as refoldProduct, without reading the rows.
func searchedBy(p *shopfile.Product) string {
	tags := slices.Clone(p.Tags)
	slices.SortStableFunc(tags, func(a, b string) int { return strings.Compare(text.Fold(a), text.Fold(b)) })
	words := append([]string{p.Name, p.Vendor, p.Kind}, tags...)
	for _, v := range p.Variants {
		words = append(append(words, v.SKU, v.Barcode), v.Options...)
	}
	return text.Fold(words...)
}

func (im *importing) variant(at shopfile.Place, p *shopfile.Product, i int) error {
	v := &p.Variants[i]
	if len(v.Options) > len(p.Options) {
		return at.Refuse("/options", "The product has %d options and this variant %d.", len(p.Options), len(v.Options))
	}
	if v.Stock != nil && *v.Stock < 0 && !v.Backorder {
		return at.Refuse("/stock", "The stock is below zero and the variant may not be sold so.")
	}
	taken := twice(at, "/id", v.ID)
	var values [3]string
	copy(values[:], v.Options)
	im.insert(taken, `variants (id, product_id, position, sku, barcode, option1, option2, option3, price, stock,
		reorder_level, cost, compare_at, weight_grams, weight_unit, image, backorder, available)`, v.ID, p.ID, i+1,
		v.SKU, v.Barcode, values[0], values[1], values[2], v.Price.Amount, v.Stock, v.ReorderLevel,
		known(v.Cost), known(v.CompareAt), v.WeightGrams, v.WeightUnit, v.Image, core.Bit(v.Backorder),
		core.Bit(v.Available == nil || *v.Available))
	for n, c := range v.PriceChanges {
		im.insert(twice(at, item("/priceChanges", n, "/id"), c.ID),
			`price_changes (id, variant_id, price_was, price, person, at)`,
			im.id(c.ID, "prc"), v.ID, c.Was.Amount, c.Is.Amount, c.By, c.Time)
	}
	if v.Movements == nil {
		im.opening[v.ID] = v.Stock != nil
		return nil
	}
	for n := range *v.Movements {
		(*v.Movements)[n].VariantID = v.ID
	}
	im.movements(at, *v.Movements, "")
	return nil
}

// movements writes the movements of an order, or of no order, unchanged.
func (im *importing) movements(at shopfile.Place, all []shopfile.Movement, order string) {
	for i := range all {
		m := &all[i]
		im.insert(twice(at, item("/movements", i, "/id"), m.ID),
			`stock_movements (id, variant_id, delta, reason, note, cost, order_id, person, at)`,
			im.id(m.ID, "mov"), m.VariantID, m.Delta, m.Reason, m.Note, known(m.Cost), order, m.By, m.Time)
	}
}
