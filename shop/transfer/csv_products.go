package transfer

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/internal/code"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopify"
)

// plannedProduct is a new or changed product.
type plannedProduct struct {
	file     *shopify.Product
	id       string // "" if new
	head     bool   // the product's own columns differ
	variants []catalog.PlannedVariant
	details  []string
}

// storedProduct is a product as stored in the tables.
type storedProduct struct {
	id, handle, name, description, vendor, kind, image string
	options                                            [3]string
	published                                          bool
	tags                                               []string
	variants                                           []*catalog.StoredVariant
}

// addProducts plans the import of products.
func (p *csvPlan) addProducts(ctx context.Context, f *shopify.Products) error {
	p.out.Images, p.out.ImagesKept = f.Images, f.Kept
	p.steps = append(p.steps, planStep{1, func(im *importing) error { return catalog.EnsureTaxClasses(im.ctx) }})
	products, err := byKey(ctx, `SELECT handle, id FROM products`)
	if err != nil {
		return err
	}
	owners, err := byKey(ctx, `SELECT `+strings.ReplaceAll(code.Key, "COLUMN", "sku")+`, product_id
		FROM variants WHERE sku <> ''`)
	if err != nil {
		return err
	}
	for i := range f.Products {
		file := f.Products[i]
		id := ""
		if known := products[strings.ToLower(file.Handle)]; known != nil {
			id = known[0]
		}
		if whole, err := p.free(ctx, &file, id, owners); err != nil {
			return err
		} else if !whole {
			continue
		}
		now, err := loadStored(ctx, id)
		if err != nil {
			return err
		}
		planned := planProduct(p.shop, &file, now)
		if planned.id != "" && !planned.head && len(planned.variants) == 0 {
			p.out.ProductsUnchanged++
			continue
		}
		p.tellProduct(&planned)
		planned.details = nil
		p.steps = append(p.steps, planStep{file.Line, planned.write})
	}
	return nil
}

// free skips variants whose SKU belongs to another product, and the whole product if its first variant is one of them.
// It reports whether the product is importable.
func (p *csvPlan) free(ctx context.Context, f *shopify.Product, id string, owners map[string][]string) (bool, error) {
	taken := func(v shopify.Variant) bool {
		owner := owners[strings.ToLower(code.Clean(v.SKU))]
		return owner != nil && !slices.Contains(owner, id)
	}
	for i, v := range f.Variants {
		if !taken(v) {
			continue
		}
		owner := owners[strings.ToLower(code.Clean(v.SKU))]
		name, _, err := core.Find(ctx, core.ScanText, `SELECT name FROM products WHERE id = ?`, owner[0])
		if err != nil {
			return false, err
		}
		rows := 1
		if i == 0 {
			rows = f.Rows
		}
		p.leave(rows, v.Line, f.Name, "Variant SKU", v.SKU, "The SKU %q belongs to another product, %s.", v.SKU, name)
		if i == 0 {
			return false, nil
		}
	}
	if slices.ContainsFunc(f.Variants, taken) {
		f.Variants = slices.DeleteFunc(slices.Clone(f.Variants), taken) // the same file may be planned again
	}
	return true, nil
}

// byKey reads pairs and groups the second values by the first one in lower case.
func byKey(ctx context.Context, query string) (map[string][]string, error) {
	all := map[string][]string{}
	_, err := core.List(ctx, func(r core.Row) (struct{}, error) {
		var key, value string
		err := r.Scan(&key, &value)
		key = strings.ToLower(key)
		all[key] = append(all[key], value)
		return struct{}{}, err
	}, query)
	return all, err
}

func planProduct(s *core.Shop, p *shopify.Product, now *storedProduct) plannedProduct {
	out := plannedProduct{file: p, details: []string{}}
	if now == nil {
		for i := range p.Variants {
			out.variants = append(out.variants, catalog.PlannedVariant{Next: merged(nil, &p.Variants[i], int64(i+1))})
		}
		out.details = append(out.details, fmt.Sprintf("%d variants", len(p.Variants)))
		return out
	}
	out.id = now.id
	differs := func(what string, yes bool) {
		if yes {
			out.head = true
			out.details = append(out.details, what)
		}
	}
	differs(fmt.Sprintf("name: %s → %s", now.name, p.Name), now.name != p.Name)
	differs("description", now.description != p.Description)
	differs("vendor", now.vendor != p.Vendor)
	differs("type", now.kind != p.Kind)
	differs("picture", now.image != p.Image)
	differs("options", now.options != p.Options)
	differs(map[bool]string{true: "published", false: "no longer published"}[p.Published], now.published != p.Published)
	differs("tags", !slices.Equal(now.tags, folded(p.Tags)))
	last := int64(0)
	free := map[*catalog.StoredVariant]bool{} // two rows must not match the same variant
	for _, v := range now.variants {
		last, free[v] = max(last, v.Position), true
	}
	for i := range p.Variants {
		v := &p.Variants[i]
		was := now.match(v, free)
		delete(free, was)
		if was == nil {
			last++
			out.variants = append(out.variants, catalog.PlannedVariant{Next: merged(nil, v, last)})
			out.details = append(out.details, "new variant "+variantName(v))
			continue
		}
		next := merged(was, v, was.Position)
		if next != *was {
			out.variants = append(out.variants, catalog.PlannedVariant{Now: was, Next: next})
			out.details = append(out.details, difference(s, was, &next, v)...)
		}
	}
	if catalog.OptionCount(now.options) != catalog.OptionCount(p.Options) {
		out.withdraw(now, free)
	}
	return out
}

// withdraw takes the variants that the file omits off sale, because with another number of options they could no longer
// be selected.
func (p *plannedProduct) withdraw(now *storedProduct, left map[*catalog.StoredVariant]bool) {
	for _, v := range now.variants {
		if left[v] && v.Available {
			next := *v
			next.Available = false
			p.variants = append(p.variants, catalog.PlannedVariant{Now: v, Next: next})
			_, label := catalog.PairOptions(v.Values, v.Values)
			p.details = append(p.details, "no longer for sale: "+label)
		}
	}
}

// match returns the variant of the shop for a row of the file, by SKU, then by options, then by barcode. It considers
// only the free ones.
func (p *storedProduct) match(v *shopify.Variant, free map[*catalog.StoredVariant]bool) *catalog.StoredVariant {
	var bySKU *catalog.StoredVariant
	for _, was := range p.variants {
		if !free[was] || v.SKU == "" || code.Clean(was.SKU) != code.Clean(v.SKU) {
			continue
		}
		if bySKU = cmp.Or(bySKU, was); was.Values == v.Values { // several variants may have the SKU
			return was
		}
	}
	if bySKU != nil {
		return bySKU
	}
	for _, was := range p.variants {
		if free[was] && was.Values == v.Values && (v.SKU == "" || was.SKU == "") {
			return was
		}
	}
	for _, was := range p.variants {
		if free[was] && code.Same(was.Barcode, v.Barcode) && (v.SKU == "" || was.SKU == "") {
			return was
		}
	}
	return nil
}

// merged returns the variant after the import. Fields that the file omits stay the same.
func merged(was *catalog.StoredVariant, v *shopify.Variant, position int64) catalog.StoredVariant {
	next := catalog.StoredVariant{Position: position}
	if was != nil {
		next = *was
	}
	next.Values, next.Price, next.Backorder, next.Available = v.Values, v.Price, v.Backorder, true
	next.SKU = cmp.Or(v.SKU, next.SKU)
	if v.Barcode != "" && !code.Same(v.Barcode, next.Barcode) { // another form of the same code is no change
		next.Barcode = code.Stored(v.Barcode)
	}
	if v.Reduced {
		next.CompareAt = sql.NullInt64{}
	}
	for to, given := range map[*sql.NullInt64]*int64{&next.CompareAt: v.CompareAt, &next.Cost: v.Cost,
		&next.WeightGrams: v.Grams} {
		if given != nil {
			*to = sql.NullInt64{Int64: *given, Valid: true}
		}
	}
	next.WeightUnit, next.Image = cmp.Or(v.Unit, next.WeightUnit), cmp.Or(v.Image, next.Image)
	switch {
	case v.Uncounted:
		next.Stock = sql.NullInt64{}
	case v.Stock != nil:
		next.Stock = sql.NullInt64{Int64: *v.Stock, Valid: true}
	}
	return next
}

func difference(s *core.Shop, was, next *catalog.StoredVariant, v *shopify.Variant) []string {
	var out []string
	add := func(format string, args ...any) {
		out = append(out, variantName(v)+": "+fmt.Sprintf(format, args...))
	}
	if was.Price != next.Price {
		add("%s → %s", s.Money(was.Price), s.Money(next.Price))
	}
	if was.Stock != next.Stock {
		add("stock %s → %s", stockText(was.Stock), stockText(next.Stock))
	}
	if was.CompareAt != next.CompareAt || was.Cost != next.Cost {
		add("price before the reduction, or cost")
	}
	if was.WeightGrams != next.WeightGrams || was.WeightUnit != next.WeightUnit || was.Image != next.Image {
		add("weight or picture")
	}
	if was.Values != next.Values {
		add("options")
	}
	if !was.Available {
		add("for sale again")
	}
	if was.SKU != next.SKU || was.Barcode != next.Barcode || was.Backorder != next.Backorder {
		add("SKU, barcode or policy")
	}
	return out
}

func stockText(n sql.NullInt64) string {
	if !n.Valid {
		return "not counted"
	}
	return fmt.Sprint(n.Int64)
}

func variantName(v *shopify.Variant) string {
	if _, label := catalog.PairOptions(v.Values, v.Values); label != "" {
		return label
	}
	if v.SKU != "" {
		return v.SKU
	}
	return "the only one"
}

func folded(tags []string) []string {
	out := []string{}
	for _, t := range tags {
		out = append(out, text.Fold(t))
	}
	slices.Sort(out)
	return out
}

// tellProduct counts a new or changed product in the report.
func (p *csvPlan) tellProduct(planned *plannedProduct) {
	out, action := &p.out, "updated"
	if planned.id == "" {
		action = "created"
		out.ProductsCreated++
	} else {
		out.ProductsUpdated++
	}
	for _, v := range planned.variants {
		if v.Now == nil {
			out.VariantsCreated++
		} else {
			out.VariantsUpdated++
		}
	}
	out.change(planned.file.Handle, planned.file.Name, action, planned.details)
}

// loadStored reads a product, or nil if there is none.
func loadStored(ctx context.Context, id string) (*storedProduct, error) {
	if id == "" {
		return nil, nil
	}
	p := &storedProduct{}
	_, _, err := core.Find(ctx, func(r core.Row) (struct{}, error) {
		return struct{}{}, r.Scan(&p.id, &p.handle, &p.name, &p.description, &p.vendor, &p.kind, &p.image, &p.options[0],
			&p.options[1], &p.options[2], &p.published)
	}, `SELECT id, handle, name, description, vendor, kind, image, option1, option2, option3, published FROM products
		WHERE id = ?`, id)
	if err == nil {
		p.variants, err = core.List(ctx, catalog.ScanStored, catalog.SelectStored+`
			WHERE product_id = ? ORDER BY position`, id)
	}
	if err == nil {
		p.tags, err = core.List(ctx, core.ScanText, `SELECT tag_fold FROM product_tags WHERE product_id = ?
			ORDER BY tag_fold`, id)
	}
	return p, err
}

// write brings a product into the state of the file.
func (p *plannedProduct) write(im *importing) error {
	ctx, call := im.ctx, im.call
	f := p.file
	switch {
	case p.id == "":
		p.id, p.head = call.NewID("prd"), true
		class := catalog.TaxStandard
		if !f.Taxable {
			class = catalog.TaxNone
		}
		if err := core.Insert(ctx, `products (id, handle, name, description, vendor, kind, image, option1, option2, option3,
			tax_class, published, name_fold, search_fold, created_at)`, p.id, f.Handle, f.Name, f.Description, f.Vendor,
			f.Kind, f.Image, f.Options[0], f.Options[1], f.Options[2], class, core.Bit(f.Published), text.Fold(f.Name), " ",
			call.Now.UnixMilli()); err != nil {
			return err
		}
	case p.head:
		if err := core.Exec(ctx, `UPDATE products SET name = ?, description = ?, vendor = ?, kind = ?, image = ?, option1 = ?,
			option2 = ?, option3 = ?, published = ?, name_fold = ? WHERE id = ?`,
			f.Name, f.Description, f.Vendor, f.Kind, f.Image, f.Options[0], f.Options[1], f.Options[2], core.Bit(f.Published),
			text.Fold(f.Name), p.id); err != nil {
			return err
		}
	}
	if p.head {
		if err := p.writeTags(ctx); err != nil {
			return err
		}
	}
	for i := range p.variants {
		if err := p.variants[i].Write(ctx, call, p.id, "import"); err != nil {
			return err
		}
	}
	return catalog.Refold(ctx, p.id)
}

func (p *plannedProduct) writeTags(ctx context.Context) error {
	if err := core.Exec(ctx, `DELETE FROM product_tags WHERE product_id = ?`, p.id); err != nil {
		return err
	}
	for _, tag := range p.file.Tags {
		if err := core.Insert(ctx, `product_tags (product_id, tag_fold, tag)`, p.id, text.Fold(tag), tag); err != nil {
			return err
		}
	}
	return nil
}
