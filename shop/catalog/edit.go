package catalog

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// newVariantIn is a variant of a new product.
type newVariantIn struct {
	SKU       string            `json:"sku,omitempty" jsonschema:"maxLength=60"`
	Barcode   string            `json:"barcode,omitempty" jsonschema:"maxLength=60"`
	Options   map[string]string `json:"options,omitempty"`
	Price     core.PriceIn      `json:"price"`
	Stock     *int64            `json:"stock,omitempty" jsonschema:"minimum=0,maximum=1000000"`
	Backorder bool              `json:"backorder,omitempty" doc:"It may be sold when there is none."`
	Default   bool              `json:"default,omitempty" doc:"Use it when no variant is named."`
}

type createProductIn struct {
	Name        string         `json:"name" jsonschema:"minLength=1,maxLength=120"`
	Description string         `json:"description,omitempty" jsonschema:"maxLength=2000"`
	Options     []string       `json:"options,omitempty" jsonschema:"maxItems=3,uniqueItems=true"`
	Variants    []newVariantIn `json:"variants" jsonschema:"minItems=1,maxItems=100"`
	Tags        []string       `json:"tags,omitempty" jsonschema:"maxItems=50"`
	TaxClass    string         `json:"taxClass,omitempty" jsonschema:"maxLength=60" x:"entity=taxClass"`
}

type productOut struct {
	ProductID string `json:"productId"`
	product
	productText
}

func createProduct(ctx context.Context, s *core.Shop, call *bus.Call, in createProductIn) (out productOut, err error) {
	name := text.Line(in.Name, core.NameLimit)
	if name == "" {
		return out, core.Invalid("/name", "The name is empty.")
	}
	d := newDraft(s, call.NewID("prd"))
	if d.names, err = optionNames(in.Options); err != nil {
		return out, err
	}
	class, err := taxClassID(ctx, in.TaxClass)
	if err != nil {
		return out, err
	}
	handle, err := newHandle(ctx, call, name)
	if err != nil {
		return out, err
	}
	for i, v := range in.Variants {
		change := variantIn{SKU: &v.SKU, Barcode: &v.Barcode, Options: v.Options, Price: &v.Price, Stock: v.Stock,
			Backorder: &v.Backorder, Default: &v.Default}
		if err := d.plan(change, fmt.Sprintf("/variants/%d", i)); err != nil {
			return out, err
		}
	}
	if err := core.Exec(ctx, `INSERT INTO products (id, handle, name, description, option1, option2, option3, tax_class,
		published, name_fold, search_fold, created_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, 1, ?, ' ', ?)`, d.id, handle, name, text.Block(in.Description, core.MessageLimit),
		d.names[0], d.names[1], d.names[2], class,
		text.Fold(name), call.Now.UnixMilli()); err != nil {
		return out, err
	}
	if err := setTags(ctx, d.id, in.Tags); err != nil {
		return out, err
	}
	if err := d.write(ctx, call); err != nil {
		return out, err
	}
	call.Summarize("Add the product %s with %d variants at %s", name, len(d.variants), d.prices())
	call.Announce("catalog", bus.Textf("%s is in the catalog.", name), d.id)
	return productAfter(ctx, s, d.id)
}

func productAfter(ctx context.Context, s *core.Shop, id string) (productOut, error) {
	all, err := products(ctx, s, []string{id})
	if err != nil {
		return productOut{}, err
	}
	text, err := loadProductText(ctx, id)
	return productOut{id, all[0], text}, err
}

// optionNames checks up to three option names.
func optionNames(given []string) (names [3]string, err error) {
	for i, n := range given {
		if names[i] = text.Line(n, core.LabelLimit); names[i] == "" || slices.Contains(names[:i], names[i]) {
			return names, core.Invalid(fmt.Sprintf("/options/%d", i), "Options need names, each its own.")
		}
	}
	return names, nil
}

// taxClassID finds a tax class by id or name; "" is the standard class.
func taxClassID(ctx context.Context, given string) (string, error) {
	if given == "" {
		return TaxStandard, EnsureTaxClasses(ctx)
	}
	all, err := core.List(ctx, func(r core.Row) (c [2]string, err error) { return c, r.Scan(&c[0], &c[1]) }, `SELECT id,
		name FROM tax_classes ORDER BY id`)
	if err != nil {
		return "", err
	}
	for _, c := range all {
		if c[0] == given || text.Fold(c[1]) == text.Fold(given) {
			return c[0], nil
		}
	}
	return "", core.NotFound("There is no tax class %q.", given).WithHint("settings.get lists them.")
}

// newHandle makes a readable name for addresses and files that no other product has.
func newHandle(ctx context.Context, call *bus.Call, name string) (string, error) {
	slug := cmp.Or(strings.ReplaceAll(text.Slug(name, 60), "_", "-"), "product")
	for handle := slug; ; handle = fmt.Sprintf("%s-%d", slug, call.Number(10_000)) {
		taken, err := core.Exists(ctx, `SELECT 1 FROM products WHERE handle = ?`, handle)
		if err != nil || !taken {
			return handle, err
		}
	}
}

// setTags replaces the tags of a product.
func setTags(ctx context.Context, productID string, tags []string) error {
	if err := core.Exec(ctx, `DELETE FROM product_tags WHERE product_id = ?`, productID); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, tag := range tags {
		tag = text.Line(tag, core.LabelLimit)
		fold := text.Fold(tag)
		if strings.TrimSpace(fold) == "" || seen[fold] {
			continue
		}
		seen[fold] = true
		if err := core.Insert(ctx, `product_tags (product_id, tag_fold, tag)`, productID, fold, tag); err != nil {
			return err
		}
	}
	return nil
}

type updateProductIn struct {
	ProductID   string      `json:"productId" jsonschema:"minLength=1,maxLength=100" x:"entity=product"`
	Name        *string     `json:"name,omitempty" jsonschema:"minLength=1,maxLength=120"`
	Description *string     `json:"description,omitempty" jsonschema:"maxLength=2000"`
	Options     []string    `json:"options,omitempty" jsonschema:"minItems=1,maxItems=3,uniqueItems=true"`
	Variants    []variantIn `json:"variants,omitempty" jsonschema:"minItems=1,maxItems=100"`
	Tags        []string    `json:"tags,omitempty" jsonschema:"maxItems=50" doc:"All of them, in place of those it has."`
	TaxClass    string      `json:"taxClass,omitempty" jsonschema:"maxLength=60" x:"entity=taxClass"`
}

func updateProduct(ctx context.Context, s *core.Shop, call *bus.Call, in updateProductIn) (out productOut, err error) {
	ref, err := Resolve(ctx, in.ProductID)
	if err != nil {
		return out, err
	}
	d := newDraft(s, ref.ProductID)
	name, err := d.load(ctx)
	if err != nil {
		return out, err
	}
	columns, what, err := in.columns(ctx, d)
	if err != nil {
		return out, err
	}
	for _, c := range columns {
		if err := core.Exec(ctx, `UPDATE products SET `+c.name+` = ? WHERE id = ?`, c.value, d.id); err != nil {
			return out, err
		}
	}
	if in.Tags != nil {
		what = append(what, bus.Textf("tags"))
		if err := setTags(ctx, d.id, in.Tags); err != nil {
			return out, err
		}
	}
	for i, v := range in.Variants {
		if err := d.plan(v, fmt.Sprintf("/variants/%d", i)); err != nil {
			return out, err
		}
	}
	if what = append(what, d.words()...); len(what) == 0 {
		return out, core.Refused("Nothing about %s would be different.", name).
			WithHint("Name what is to change; catalog.getProduct shows the product.")
	}
	if err := d.write(ctx, call); err != nil {
		return out, err
	}
	call.Summarize("Change the product %s: %s", name, core.Listed(what))
	call.Announce("catalog", bus.Textf("%s was changed.", name), d.id)
	return productAfter(ctx, s, d.id)
}

// column is a column of the product with its new value.
type column struct {
	name  string
	value any
}

// columns returns the changed columns of the product, and the changes in words.
func (in updateProductIn) columns(ctx context.Context, d *productDraft) (set []column, what []bus.Text, err error) {
	if in.Name != nil {
		name := text.Line(*in.Name, core.NameLimit)
		if name == "" {
			return nil, nil, core.Invalid("/name", "The name is empty.")
		}
		set, what = append(set, column{"name", name}, column{"name_fold", text.Fold(name)}),
			append(what, bus.Textf("name %s", name))
	}
	if in.Description != nil {
		set, what = append(set, column{"description", text.Block(*in.Description, core.MessageLimit)}),
			append(what, bus.Textf("description"))
	}
	if in.Options != nil {
		names, err := d.renamed(in.Options)
		if err != nil {
			return nil, nil, err
		}
		set, what = append(set, column{"option1", names[0]}, column{"option2", names[1]}, column{"option3", names[2]}),
			append(what, bus.Textf("options"))
	}
	if in.TaxClass != "" {
		class, err := taxClassID(ctx, in.TaxClass)
		if err != nil {
			return nil, nil, err
		}
		set, what = append(set, column{"tax_class", class}), append(what, bus.Textf("tax class %s", class))
	}
	return set, what, nil
}

type archiveProductIn struct {
	ProductID string `json:"productId" jsonschema:"minLength=1,maxLength=100" x:"entity=product"`
}

type archiveProductOut struct {
	ProductID string `json:"productId"`
}

func archiveProduct(ctx context.Context, _ *core.Shop, call *bus.Call, in archiveProductIn) (archiveProductOut, error) {
	ref, err := Resolve(ctx, in.ProductID)
	if err != nil {
		return archiveProductOut{}, err
	}
	name, offered, err := core.Find(ctx, core.ScanText, `SELECT name FROM products
			WHERE id = ? AND published = 1`, ref.ProductID)
	if err != nil {
		return archiveProductOut{}, err
	}
	if !offered {
		return archiveProductOut{}, core.Refused("It is off sale already.").WithHint("catalog.getProduct shows the product.")
	}
	call.Summarize("Take %s off sale", name)
	call.Announce("catalog", bus.Textf("%s is off sale.", name), ref.ProductID)
	return archiveProductOut{ref.ProductID}, core.Exec(ctx, `UPDATE products SET published = 0
			WHERE id = ?`, ref.ProductID)
}
