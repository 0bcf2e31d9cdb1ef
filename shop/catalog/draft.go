package catalog

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/code"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// variantIn changes or adds a variant. Absent fields stay the same.
type variantIn struct {
	VariantID string            `json:"variantId,omitempty" jsonschema:"maxLength=100"`
	SKU       *string           `json:"sku,omitempty" jsonschema:"maxLength=60"`
	Barcode   *string           `json:"barcode,omitempty" jsonschema:"maxLength=60"`
	Options   map[string]string `json:"options,omitempty" doc:"Values by the name of the option, for example Size: M."`
	Price     *core.PriceIn     `json:"price,omitempty" doc:"A new variant needs one."`
	Stock     *int64            `json:"stock,omitempty" jsonschema:"minimum=0,maximum=1000000"`
	Backorder *bool             `json:"backorder,omitempty" doc:"It may be sold when there is none."`
	Available *bool             `json:"available,omitempty" doc:"It is for sale."`
	Default   *bool             `json:"default,omitempty" doc:"Use it when no variant is named."`
}

// productDraft is a product during the change of its variants.
type productDraft struct {
	shop     *core.Shop
	id       string
	names    [3]string // names of the options
	variants []PlannedVariant
	was      string // the current default
	standard int    // index of the new default; or asItIs, or none
}

// The values of productDraft.standard that are no index.
const (
	asItIs = -1
	none   = -2
)

func newDraft(s *core.Shop, id string) *productDraft {
	return &productDraft{shop: s, id: id, standard: asItIs}
}

// load reads the stored product and returns its name.
func (d *productDraft) load(ctx context.Context) (name string, err error) {
	if _, _, err = core.Find(ctx, func(r core.Row) (struct{}, error) {
		return struct{}{}, r.Scan(&name, &d.names[0], &d.names[1], &d.names[2], &d.was)
	}, `SELECT name, option1, option2, option3, default_variant_id FROM products WHERE id = ?`, d.id); err != nil {
		return "", err
	}
	stored, err := core.List(ctx, ScanStored, SelectStored+` WHERE product_id = ? ORDER BY position`, d.id)
	for _, v := range stored {
		d.variants = append(d.variants, PlannedVariant{Now: v, Next: *v})
	}
	return name, err
}

// renamed renames the options.
func (d *productDraft) renamed(given []string) ([3]string, error) {
	names, err := optionNames(given)
	if err != nil {
		return names, err
	}
	if OptionCount(names) != OptionCount(d.names) {
		return names, core.Invalid("/options", "The product has %d options; their number cannot change.",
			OptionCount(d.names))
	}
	d.names = names
	return names, nil
}

// plan adds one change and checks it against the others.
func (d *productDraft) plan(in variantIn, path string) error {
	at, err := d.target(in, path)
	if err != nil {
		return err
	}
	v := &d.variants[at]
	next := &v.Next
	if in.SKU != nil {
		next.SKU = text.Line(*in.SKU, 60)
	}
	if in.Barcode != nil {
		next.Barcode = text.Line(code.Stored(*in.Barcode), 60)
	}
	if in.Price != nil {
		if err := d.shop.CheckCurrency(*in.Price, path+"/price"); err != nil {
			return err
		}
		next.Price = in.Price.Amount
	}
	if in.Backorder != nil {
		if next.Backorder = *in.Backorder; !next.Backorder && next.Stock.Int64 < 0 {
			return core.Refused("More of it were sold than there are.").WithHint("Count it with catalog.adjustStock first.")
		}
	}
	if in.Available != nil {
		next.Available = *in.Available
	}
	if in.Default != nil {
		if *in.Default {
			d.standard = at
		} else if v.Now != nil && v.Now.id == d.was {
			d.standard = none
		}
	}
	return d.choose(v, in.Options, path)
}

// target returns the index of the variant to change. It adds a variant for a new one.
func (d *productDraft) target(in variantIn, path string) (int, error) {
	if in.VariantID != "" {
		for i := range d.variants {
			if now := d.variants[i].Now; now != nil && now.id == in.VariantID {
				if in.Stock != nil {
					return 0, core.Invalid(path+"/stock", "The stock of a variant that is there is counted with catalog.adjustStock.")
				}
				return i, nil
			}
		}
		return 0, core.NotFound("The product has no variant %q.", in.VariantID).
			WithHint("catalog.getProduct lists the variants of a product.")
	}
	if in.Price == nil {
		return 0, core.Invalid(path+"/price", "A new variant needs a price.")
	}
	last := int64(0)
	for i := range d.variants {
		last = max(last, d.variants[i].Next.Position)
	}
	next := StoredVariant{Position: last + 1, Available: true}
	if in.Stock != nil {
		next.Stock = sql.NullInt64{Int64: *in.Stock, Valid: true}
	}
	d.variants = append(d.variants, PlannedVariant{Next: next})
	return len(d.variants) - 1, nil
}

// choose sets the values of a variant's options. Every option needs a value, and no two variants may be equal.
func (d *productDraft) choose(v *PlannedVariant, values map[string]string, path string) error {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		i := slices.Index(d.names[:], name)
		if i < 0 || name == "" {
			return core.Invalid(path+"/options", "The product has no option %q.", name)
		}
		v.Next.Values[i] = text.Line(values[name], core.LabelLimit)
	}
	for i, name := range d.names {
		if name != "" && v.Next.Values[i] == "" {
			return core.Invalid(path+"/options", "A value for %s is missing.", name)
		}
	}
	for i := range d.variants {
		if other := &d.variants[i]; other != v && other.Next.Values == v.Next.Values {
			return core.Invalid(path+"/options", "Two variants would be the same.")
		}
	}
	return nil
}

// words describes the changes to the variants in a sentence.
func (d *productDraft) words() []bus.Text {
	var all []bus.Text
	for i := range d.variants {
		v := &d.variants[i]
		_, label := PairOptions(v.Next.Values, v.Next.Values)
		switch {
		case v.Now == nil:
			all = append(all, labelled(bus.Textf("new variant"), bus.Textf("new variant %s", label), label))
		case v.Now.Price != v.Next.Price:
			all = append(all, bus.Textf("%s from %s to %s", label, d.shop.Money(v.Now.Price), d.shop.Money(v.Next.Price)))
		case *v.Now != v.Next:
			all = append(all, labelled(bus.Textf("variant"), bus.Textf("variant %s", label), label))
		}
	}
	if d.defaultID() != d.was {
		all = append(all, bus.Textf("default variant"))
	}
	return all
}

// labelled returns the text for a variant: only if it has no label, or else one.
func labelled(only, one bus.Text, label string) bus.Text {
	if label == "" {
		return only
	}
	return one
}

// defaultID returns the default variant after the change. A new variant has an id only after write.
func (d *productDraft) defaultID() string {
	switch d.standard {
	case asItIs:
		return d.was
	case none:
		return ""
	}
	return d.variants[d.standard].Next.id
}

// prices describes the range of prices in a sentence.
func (d *productDraft) prices() bus.Text {
	low, high := d.variants[0].Next.Price, d.variants[0].Next.Price
	for i := range d.variants {
		low, high = min(low, d.variants[i].Next.Price), max(high, d.variants[i].Next.Price)
	}
	if low == high {
		return bus.Textf("%s", d.shop.Money(low))
	}
	return bus.Textf("%s up to %s", d.shop.Money(low), d.shop.Money(high))
}

// write stores the changed variants.
func (d *productDraft) write(ctx context.Context, call *bus.Call) error {
	for i := range d.variants {
		v := &d.variants[i]
		if v.Now != nil && *v.Now == v.Next {
			continue
		}
		if err := d.skuFree(ctx, &v.Next); err != nil {
			return err
		}
		if err := v.Write(ctx, call, d.id, "opening"); err != nil {
			return err
		}
	}
	if id := d.defaultID(); id != d.was {
		if err := core.Exec(ctx, `UPDATE products SET default_variant_id = ? WHERE id = ?`, id, d.id); err != nil {
			return err
		}
	}
	return Refold(ctx, d.id)
}

func (d *productDraft) skuFree(ctx context.Context, v *StoredVariant) error {
	if v.SKU == "" {
		return nil
	}
	owner, taken, err := core.Find(ctx, core.ScanText, `SELECT p.name FROM variants v
		JOIN products p ON p.id = v.product_id WHERE v.sku <> '' AND `+
		strings.ReplaceAll(code.Key, "COLUMN", "v.sku")+` = ? AND v.id <> ?`, code.Clean(v.SKU), v.id)
	if err == nil && taken {
		err = core.Refused("The SKU %s belongs to %s.", v.SKU, owner).
			WithHint("Choose another SKU; catalog.search finds who has one.")
	}
	return err
}

// Refold updates the search text of a product.
func Refold(ctx context.Context, id string) error {
	words, err := core.List(ctx, core.ScanText, `SELECT name || ' ' || vendor || ' ' || kind FROM products WHERE id = ?1
		UNION ALL SELECT tag FROM (SELECT tag FROM product_tags WHERE product_id = ?1 ORDER BY tag_fold)
		UNION ALL SELECT w FROM (SELECT sku || ' ' || barcode || ' ' || option1 || ' ' || option2 || ' ' || option3 AS w
		FROM variants WHERE product_id = ?1 ORDER BY position)`, id)
	if err != nil {
		return err
	}
	return core.Exec(ctx, `UPDATE products SET search_fold = ? WHERE id = ?`, text.Fold(words...), id)
}
