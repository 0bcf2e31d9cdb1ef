package shop

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// variantIn changes a variant, or is a new one. What is absent stays.
type variantIn struct {
	VariantID string            `json:"variantId,omitempty" jsonschema:"maxLength=100" jsonschema_extras:"x-lookup=catalog.getProduct#/variants"`
	SKU       *string           `json:"sku,omitempty" jsonschema:"maxLength=60"`
	Barcode   *string           `json:"barcode,omitempty" jsonschema:"maxLength=60"`
	Options   map[string]string `json:"options,omitempty"`
	Price     *priceIn          `json:"price,omitempty" jsonschema_description:"A new variant needs one."`
	Stock     *int64            `json:"stock,omitempty" jsonschema:"minimum=0,maximum=1000000"`
	Backorder *bool             `json:"backorder,omitempty" jsonschema_description:"It may be sold when there is none."`
	Available *bool             `json:"available,omitempty" jsonschema_description:"It is for sale."`
	Default   *bool             `json:"default,omitempty" jsonschema_description:"Use it when no variant is named."`
}

func (variantIn) DescribeFields() map[string]string {
	return map[string]string{
		"variantId": "Absent: a new one.",
		"options":   "Values by the name of the option, for example Size: M.",
		"stock":     "Of a new variant; absent: not counted. Afterwards catalog.adjustStock counts.",
	}
}

// productDraft is a product while its variants are made or changed.
type productDraft struct {
	shop     *deskShop
	id       string
	names    [3]string // of the options
	variants []plannedVariant
	was      string // the default there is
	standard int    // index of another default; asItIs, or none
}

// What productDraft.standard is when it is no index.
const (
	asItIs = -1
	none   = -2
)

func newDraft(s *deskShop, id string) *productDraft {
	return &productDraft{shop: s, id: id, standard: asItIs}
}

// load reads what there is of the product and returns its name.
func (d *productDraft) load(ctx context.Context) (name string, err error) {
	if _, _, err = find(ctx, func(r row) (struct{}, error) {
		return struct{}{}, r.Scan(&name, &d.names[0], &d.names[1], &d.names[2], &d.was)
	}, `SELECT name, option1, option2, option3, default_variant_id FROM products WHERE id = ?`, d.id); err != nil {
		return "", err
	}
	stored, err := list(ctx, scanStoredVariant, storedVariants+` WHERE product_id = ? ORDER BY position`, d.id)
	for _, v := range stored {
		d.variants = append(d.variants, plannedVariant{now: v, next: *v})
	}
	return name, err
}

// renamed gives the options other names.
func (d *productDraft) renamed(given []string) ([3]string, error) {
	names, err := optionNames(given)
	if err != nil {
		return names, err
	}
	if count(names) != count(d.names) {
		return names, invalid("/options", "The product has %d options; their number cannot change.", count(d.names))
	}
	d.names = names
	return names, nil
}

// plan adds one change, checked against the others.
func (d *productDraft) plan(in variantIn, path string) error {
	at, err := d.target(in, path)
	if err != nil {
		return err
	}
	v := &d.variants[at]
	next := &v.next
	if in.SKU != nil {
		next.sku = text.Line(*in.SKU, 60)
	}
	if in.Barcode != nil {
		next.barcode = text.Line(*in.Barcode, 60)
	}
	if in.Price != nil {
		if err := d.shop.own(*in.Price, path+"/price"); err != nil {
			return err
		}
		next.price = in.Price.Amount
	}
	if in.Backorder != nil {
		if next.backorder = *in.Backorder; !next.backorder && next.stock.Int64 < 0 {
			return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "More of it were sold than there are.").WithHint("Count it with catalog.adjustStock first.")
		}
	}
	if in.Available != nil {
		next.available = *in.Available
	}
	if in.Default != nil {
		if *in.Default {
			d.standard = at
		} else if v.now != nil && v.now.id == d.was {
			d.standard = none
		}
	}
	return d.choose(v, in.Options, path)
}

// target is the index of the variant that a change means; a new one is added.
func (d *productDraft) target(in variantIn, path string) (int, error) {
	if in.VariantID != "" {
		for i := range d.variants {
			if now := d.variants[i].now; now != nil && now.id == in.VariantID {
				if in.Stock != nil {
					return 0, invalid(path+"/stock", "The stock of a variant that is there is counted with catalog.adjustStock.")
				}
				return i, nil
			}
		}
		return 0, bus.Errorf(bus.NotFound, bus.ReasonRecord, "The product has no variant %q.", in.VariantID).WithHint("catalog.getProduct lists the variants of a product.")
	}
	if in.Price == nil {
		return 0, invalid(path+"/price", "A new variant needs a price.")
	}
	last := int64(0)
	for i := range d.variants {
		last = max(last, d.variants[i].next.position)
	}
	next := storedVariant{position: last + 1, available: true}
	if in.Stock != nil {
		next.stock = sql.NullInt64{Int64: *in.Stock, Valid: true}
	}
	d.variants = append(d.variants, plannedVariant{next: next})
	return len(d.variants) - 1, nil
}

// choose sets the values of the options: one for each, and no two variants alike.
func (d *productDraft) choose(v *plannedVariant, values map[string]string, path string) error {
	for name, value := range values {
		i := slices.Index(d.names[:], name)
		if i < 0 || name == "" {
			return invalid(path+"/options", "The product has no option %q.", name)
		}
		v.next.values[i] = text.Line(value, labelLimit)
	}
	for i, name := range d.names {
		if name != "" && v.next.values[i] == "" {
			return invalid(path+"/options", "A value for %s is missing.", name)
		}
	}
	for i := range d.variants {
		if other := &d.variants[i]; other != v && other.next.values == v.next.values {
			return invalid(path+"/options", "Two variants would be the same.")
		}
	}
	return nil
}

// words are what changes about the variants, for a sentence.
func (d *productDraft) words() []string {
	var all []string
	for i := range d.variants {
		v := &d.variants[i]
		_, label := options(v.next.values, v.next.values)
		switch {
		case v.now == nil:
			all = append(all, strings.TrimSpace("new variant "+label))
		case v.now.price != v.next.price:
			all = append(all, fmt.Sprintf("%s from %s to %s", label, d.shop.text(v.now.price), d.shop.text(v.next.price)))
		case *v.now != v.next:
			all = append(all, strings.TrimSpace("variant "+label))
		}
	}
	if d.defaultID() != d.was {
		all = append(all, "default variant")
	}
	return all
}

// defaultID is the default variant as it will be; a new one has its id once it is written.
func (d *productDraft) defaultID() string {
	switch d.standard {
	case asItIs:
		return d.was
	case none:
		return ""
	}
	return d.variants[d.standard].next.id
}

// prices is the range of prices, for a sentence.
func (d *productDraft) prices() string {
	low, high := d.variants[0].next.price, d.variants[0].next.price
	for i := range d.variants {
		low, high = min(low, d.variants[i].next.price), max(high, d.variants[i].next.price)
	}
	if low == high {
		return d.shop.text(low)
	}
	return d.shop.text(low) + " to " + d.shop.text(high)
}

// write stores what differs.
func (d *productDraft) write(ctx context.Context, call *bus.Call) error {
	for i := range d.variants {
		v := &d.variants[i]
		if v.now != nil && *v.now == v.next {
			continue
		}
		if err := d.skuFree(ctx, &v.next); err != nil {
			return err
		}
		if err := v.write(ctx, call, d.id, "opening"); err != nil {
			return err
		}
	}
	if id := d.defaultID(); id != d.was {
		if err := exec(ctx, `UPDATE products SET default_variant_id = ? WHERE id = ?`, id, d.id); err != nil {
			return err
		}
	}
	return refoldProduct(ctx, d.id)
}

func (d *productDraft) skuFree(ctx context.Context, v *storedVariant) error {
	if v.sku == "" {
		return nil
	}
	owner, taken, err := find(ctx, scanText, `SELECT p.name FROM variants v JOIN products p ON p.id = v.product_id WHERE v.sku = ? AND v.id <> ?`, v.sku, v.id)
	if err == nil && taken {
		err = bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The SKU %s belongs to %s.", v.sku, owner).WithHint("Choose another SKU; catalog.search finds who has one.")
	}
	return err
}

// refoldProduct renews what a product is found by.
func refoldProduct(ctx context.Context, id string) error {
	words, err := list(ctx, scanText, `SELECT name || ' ' || vendor || ' ' || kind FROM products WHERE id = ?1
		UNION ALL SELECT tag FROM (SELECT tag FROM product_tags WHERE product_id = ?1 ORDER BY tag_fold)
		UNION ALL SELECT w FROM (SELECT sku || ' ' || barcode || ' ' || option1 || ' ' || option2 || ' ' || option3 AS w FROM variants WHERE product_id = ?1 ORDER BY position)`, id)
	if err != nil {
		return err
	}
	return exec(ctx, `UPDATE products SET search_fold = ? WHERE id = ?`, text.Fold(words...), id)
}
