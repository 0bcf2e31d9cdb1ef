package catalog

import (
	"context"
	"database/sql"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// Variant is a combination of a product's options. Customers buy variants.
type Variant struct {
	ID        string            `json:"id"`
	SKU       string            `json:"sku,omitempty"`
	Barcode   string            `json:"barcode,omitempty" x:"detail=2"`
	Label     string            `json:"label" doc:"The options as text, for example 250 g, Whole bean."`
	Options   map[string]string `json:"options" x:"detail=1"`
	Price     core.Money        `json:"price"`
	Stock     *int64            `json:"stock,omitempty" doc:"Absent: not counted, there is always enough."`
	Available bool              `json:"available" doc:"It can be bought now."`
	Default   bool              `json:"default,omitempty" doc:"Used when no variant is named."`

	Backorder bool `json:"backorder,omitempty" doc:"It may be sold when there is none."`
	Withdrawn bool `json:"withdrawn,omitempty" doc:"It is not for sale, however many there are."`

	CompareAt    *core.Money `json:"compareAt,omitempty" doc:"The price before it was reduced."`
	WeightGrams  *int64      `json:"weightGrams,omitempty" x:"detail=2"`
	WeightUnit   string      `json:"weightUnit,omitempty" x:"detail=2"`
	ReorderLevel *int64      `json:"reorderLevel,omitempty" doc:"So many or fewer are few. Absent: none of its own."`
	Cost         *core.Money `json:"cost,omitempty" doc:"Of one piece when it was last received; catalog.getProduct only."`

	ProductID   string `json:"-"`
	ProductName string `json:"-"`
	RatePPM     int64  `json:"-"` // tax rate in parts per million
	Offered     bool   `json:"-"` // neither the variant nor its product is off sale

	cost *core.Money
}

// TagFields describes the fields: see bus.Define.
func (Variant) TagFields() map[string]string {
	return map[string]string{"weightUnit": `jsonschema:"enum=g,enum=kg,enum=lb,enum=oz" doc:"It is shown in; absent: g."`}
}

// product is a product of the catalog with all its variants.
type product struct {
	ID               string    `json:"id"`
	Name             string    `json:"name"`
	Kind             string    `json:"kind,omitempty"`
	Tags             []string  `json:"tags"`
	OptionNames      []string  `json:"optionNames"`
	Variants         []Variant `json:"variants"`
	TaxClass         string    `json:"taxClass,omitempty"`
	Archived         bool      `json:"archived,omitempty" doc:"Off sale, with all its variants."`
	Picture          string    `json:"picture,omitempty" doc:"Another one for another picture. Absent: it has none."`
	DefaultVariantID string    `json:"defaultVariantId,omitempty" doc:"Used when no variant is named."`
	MatchedVariantID string    `json:"matchedVariantId,omitempty" doc:"The variant whose SKU or barcode was asked for."`
}

// productText holds the free texts about a product. Lists omit them: a model that has read such a text may no longer
// use grants, and every search for a product would cause that.
type productText struct {
	Description string `json:"description,omitempty" x:"tainted=true"`
	Vendor      string `json:"vendor,omitempty" x:"tainted=true"`
}

func loadProductText(ctx context.Context, id string) (productText, error) {
	t, _, err := core.Find(ctx, func(r core.Row) (t productText, err error) {
		return t, r.Scan(&t.Description, &t.Vendor)
	}, `SELECT description, vendor FROM products WHERE id = ?`, id)
	return t, err
}

// FullName returns the product's name with the variant's options, for a sentence.
func (v *Variant) FullName() string {
	if v.Label == "" {
		return v.ProductName
	}
	return v.ProductName + " (" + v.Label + ")"
}

// enough reports whether n pieces are for sale at the moment.
func (v *Variant) enough(n int64) bool {
	return v.Offered && (v.Stock == nil || v.Backorder || *v.Stock >= n)
}

// Short returns the reason why n pieces are not for sale, or "" if they are.
func (v *Variant) Short(n int64) (why bus.Text) {
	switch {
	case v.enough(n):
		return why
	case !v.Offered:
		return bus.Textf("%s is not for sale.", v.FullName())
	case *v.Stock == 0:
		return bus.Textf("%s is out of stock.", v.FullName())
	}
	return bus.Textf("There are only %d of %s in stock.", *v.Stock, v.FullName())
}

// VariantColumns is the part of a SELECT statement with the columns that ScanVariant reads.
const VariantColumns = `v.id, v.product_id, p.name, v.sku, v.barcode, p.option1, p.option2, p.option3, v.option1,
	v.option2, v.option3,
	v.price, v.stock, v.backorder, NOT v.available, v.available AND p.published, p.default_variant_id = v.id, t.rate_ppm,
	v.reorder_level, v.cost, v.compare_at, v.weight_grams, v.weight_unit
	FROM variants v JOIN products p ON p.id = v.product_id JOIN tax_classes t ON t.id = p.tax_class`

// ScanVariant reads a row of VariantColumns.
func ScanVariant(s *core.Shop, r core.Row) (Variant, error) {
	var v Variant
	var names, values [3]string
	var price int64
	var stock, cost, compareAt sql.NullInt64
	if err := r.Scan(&v.ID, &v.ProductID, &v.ProductName, &v.SKU, &v.Barcode, &names[0], &names[1], &names[2], &values[0],
		&values[1], &values[2], &price, &stock, &v.Backorder, &v.Withdrawn, &v.Offered, &v.Default, &v.RatePPM,
		&v.ReorderLevel, &cost, &compareAt, &v.WeightGrams, &v.WeightUnit); err != nil {
		return v, err
	}
	v.Price, v.cost, v.CompareAt = s.Money(price), known(s, cost), known(s, compareAt)
	if stock.Valid {
		v.Stock = &stock.Int64
	}
	v.Options, v.Label = PairOptions(names, values)
	v.Available = v.enough(1)
	return v, nil
}

// PairOptions pairs names with values, and joins the values for display.
func PairOptions(names, values [3]string) (map[string]string, string) {
	pairs := map[string]string{}
	var label []string
	for i, value := range values {
		if value == "" {
			continue
		}
		label = append(label, value)
		if names[i] != "" {
			pairs[names[i]] = value
		}
	}
	return pairs, strings.Join(label, ", ")
}

// products reads products with their variants and tags, in the order of ids.
func products(ctx context.Context, s *core.Shop, ids []string) ([]product, error) {
	byID := map[string]*product{}
	some := core.JSONList(ids)
	found, err := core.List(ctx, func(r core.Row) (*product, error) {
		p := &product{Tags: []string{}, OptionNames: []string{}, Variants: []Variant{}}
		var names [3]string
		err := r.Scan(&p.ID, &p.Name, &p.Kind, &names[0], &names[1], &names[2], &p.DefaultVariantID, &p.TaxClass, &p.Archived,
			&p.Picture)
		for _, n := range names {
			if n != "" {
				p.OptionNames = append(p.OptionNames, n)
			}
		}
		return p, err
	}, `SELECT id, name, kind, option1, option2, option3, default_variant_id, tax_class, NOT published,
			coalesce((SELECT version FROM product_pictures WHERE product_id = id), '')
		FROM products WHERE id IN (SELECT value FROM json_each(?))`, some)
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		byID[p.ID] = p
	}
	variants, err := core.List(ctx, core.Bind(s, ScanVariant), `SELECT `+VariantColumns+`
		WHERE v.product_id IN (SELECT value FROM json_each(?)) ORDER BY v.product_id, v.position`, some)
	if err != nil {
		return nil, err
	}
	for _, v := range variants {
		p := byID[v.ProductID]
		p.Variants = append(p.Variants, v)
	}
	tags, err := core.List(ctx, func(r core.Row) (t [2]string, err error) { return t, r.Scan(&t[0], &t[1]) },
		`SELECT product_id, tag FROM product_tags WHERE product_id IN (SELECT value FROM json_each(?))
			ORDER BY product_id, tag_fold`, some)
	if err != nil {
		return nil, err
	}
	for _, t := range tags {
		byID[t[0]].Tags = append(byID[t[0]].Tags, t[1])
	}
	all := make([]product, 0, len(ids))
	for _, id := range ids {
		if p := byID[id]; p != nil {
			all = append(all, *p)
		}
	}
	return all, nil
}
