package catalog

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/code"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// Match is a product found by its id, or a variant found by its id, SKU or barcode.
type Match struct {
	ProductID, VariantID string

	name, label, sku string
	offered          bool
}

// byText selects the ids of the variants with an id, or with a SKU or barcode in two lists of forms.
var byText = `SELECT ? UNION SELECT id FROM variants WHERE sku <> '' AND ` +
	strings.ReplaceAll(code.Key, "COLUMN", "sku") + ` IN (SELECT value FROM json_each(?))
	UNION SELECT id FROM variants WHERE barcode <> '' AND ` +
	strings.ReplaceAll(code.Key, "COLUMN", "barcode") + ` IN (SELECT value FROM json_each(?))`

// formsOf returns the forms of a text as JSON.
func formsOf(given string) string {
	raw, _ := json.Marshal(code.Forms(given)) // strings always marshal
	return string(raw)
}

// Find returns all matches of a scanned or typed text.
func Find(ctx context.Context, given string) ([]Match, error) {
	given, forms := strings.TrimSpace(given), formsOf(given)
	all, err := core.List(ctx, func(r core.Row) (m Match, err error) {
		var names, values [3]string
		err = r.Scan(&m.ProductID, &m.VariantID, &m.name, &m.sku, &m.offered, &values[0], &values[1], &values[2])
		_, m.label = PairOptions(names, values)
		return m, err
	}, `SELECT id, '', name, '', published, '', '', '' FROM products WHERE id = ?
		UNION ALL SELECT v.product_id, v.id, p.name, v.sku, v.available AND p.published, v.option1, v.option2, v.option3
		FROM variants v JOIN products p ON p.id = v.product_id WHERE v.id IN (`+byText+`)`, given, given, forms, forms)
	slices.SortStableFunc(all, func(a, b Match) int {
		return cmp.Or(strings.Compare(a.title(), b.title()), strings.Compare(a.VariantID, b.VariantID))
	})
	return all, err
}

// preferred returns the matches that are for sale, or all if none is. So an archived product does not hide another.
func preferred(all []Match) []Match {
	if slices.ContainsFunc(all, func(m Match) bool { return m.offered }) {
		all = slices.DeleteFunc(all, func(m Match) bool { return !m.offered })
	}
	return all
}

// title returns the name of a match in a list of choices.
func (m *Match) title() string {
	name := m.name
	if m.label != "" {
		name += " (" + m.label + ")"
	}
	return strings.TrimSuffix(name+" · "+m.sku, " · ")
}

// meantBy returns the preferred matches of a text. It refuses a text without a match.
func meantBy(ctx context.Context, given string) ([]Match, error) {
	all, err := Find(ctx, given)
	all = preferred(all)
	if err == nil && len(all) == 0 {
		err = core.NotFound("There is no product with the id, SKU or barcode %q.", given).
			WithHint("Look it up with catalog.search.")
	}
	return all, err
}

// severalMean returns the error for a text with several matches.
func severalMean(given, field string, all []Match) error {
	var options []bus.Option
	for _, m := range all {
		value := m.VariantID
		if field == "productId" {
			value = m.ProductID
		}
		if !slices.ContainsFunc(options, func(o bus.Option) bool { return o.Value == value }) {
			options = append(options, bus.Option{Value: value, Title: m.title()})
		}
	}
	return core.Refused("%q is the code of %d products.", given, len(all)).WithHint("Choose one of them.").
		WithChoice(field, options...)
}

// Resolve finds the product for a productId, SKU or barcode, and the variant if the text identifies one.
func Resolve(ctx context.Context, given string) (Match, error) {
	all, err := meantBy(ctx, given)
	if err != nil {
		return Match{}, err
	}
	for _, m := range all {
		if m.ProductID != all[0].ProductID {
			return Match{}, severalMean(given, "productId", all)
		}
	}
	if len(all) > 1 {
		return Match{ProductID: all[0].ProductID}, nil
	}
	return all[0], nil
}

// VariantByID reads one variant.
func VariantByID(ctx context.Context, s *core.Shop, id string) (*Variant, error) {
	none := core.NotFound("There is no variant with the id %q.", id).
		WithHint("catalog.getProduct lists the variants of a product.")
	v, err := core.One(ctx, core.Bind(s, ScanVariant), none, `SELECT `+VariantColumns+` WHERE v.id = ?`, id)
	return &v, err
}

// variantMeant reads the variant in a field, which may contain an id, SKU or barcode.
func variantMeant(ctx context.Context, s *core.Shop, given, field string) (*Variant, error) {
	all, err := Find(ctx, given)
	if err != nil {
		return nil, err
	}
	all = preferred(slices.DeleteFunc(all, func(m Match) bool { return m.VariantID == "" }))
	switch len(all) {
	case 0:
		none := core.NotFound("There is no variant with the id, SKU or barcode %q.", given).
			WithHint("catalog.search finds the variants of a product.")
		return nil, orVariants(ctx, s, none, field, given)
	case 1:
		return VariantByID(ctx, s, all[0].VariantID)
	}
	return nil, severalMean(given, field, all)
}

// ChooseVariant finds the variant for a productId (or SKU, or barcode) and a variantId, either of which may be empty.
// For a product alone it returns the default variant and sets byDefault, or the only variant for sale. If several are
// for sale, the error lists them.
func ChooseVariant(ctx context.Context, s *core.Shop, productID, variantID string) (v *Variant, byDefault bool,
	err error) {
	if productID == "" {
		v, err = variantMeant(ctx, s, variantID, "variantId")
		return v, false, err
	}
	all, err := meantBy(ctx, productID)
	if err != nil {
		return nil, false, err
	}
	ref := all[0]
	if len(all) > 1 {
		i := slices.IndexFunc(all, func(m Match) bool { return variantID != "" && m.VariantID == variantID })
		if i < 0 {
			return nil, false, severalMean(productID, "variantId", all)
		}
		ref = all[i]
	}
	variantID = cmp.Or(variantID, ref.VariantID)
	if variantID != "" {
		v, err = VariantByID(ctx, s, variantID)
		if err != nil && !isUnknown(err) {
			return nil, false, err
		}
		if err == nil && (v.ProductID != ref.ProductID || (ref.VariantID != "" && ref.VariantID != v.ID)) {
			err = core.Invalid("/variantId", "The variant %s is not one of the product %s.", variantID, productID)
		}
		if refusal, refused := errors.AsType[*bus.Error](err); refused {
			of, err := products(ctx, s, []string{ref.ProductID})
			if err != nil {
				return nil, false, err
			}
			return nil, false, refusal.WithChoice("variantId", variantOptions(of[0].Variants)...)
		}
		return v, false, nil
	}
	of, err := products(ctx, s, []string{ref.ProductID})
	if err != nil {
		return nil, false, err
	}
	p := of[0]
	choice := slices.DeleteFunc(slices.Clone(p.Variants), func(v Variant) bool { return !v.Offered })
	if len(choice) == 0 {
		choice = p.Variants
	}
	if len(choice) == 1 {
		return &choice[0], false, nil
	}
	if i := slices.IndexFunc(choice, func(v Variant) bool { return v.Default }); i >= 0 {
		return &choice[i], true, nil
	}
	return nil, false, core.Refused("%s comes in several variants and none is the default.", p.Name).
		WithHint("Choose one of them.").WithChoice("variantId", variantOptions(choice)...)
}

// isUnknown reports whether an error means that no record has the id.
func isUnknown(err error) bool {
	e, is := errors.AsType[*bus.Error](err)
	return is && e.Code == bus.NotFound
}

// orVariants adds the variants that match the words to an error about an unknown variant.
func orVariants(ctx context.Context, s *core.Shop, err error, field, words string) error {
	const mostProducts, mostVariants = 3, 8
	if !isUnknown(err) {
		return err
	}
	parts := strings.FieldsFunc(words, func(r rune) bool { return !unicode.IsLetter(r) })
	parts = slices.DeleteFunc(parts, func(part string) bool { return len(part) <= len("var") })
	page := core.PageIn{Limit: mostProducts}
	hits, _, wrong := core.Search(ctx, Source, words, page, core.Filter{})
	if made := strings.Join(parts, " "); len(hits) == 0 && made != "" && wrong == nil { // an id that a model invented
		hits, _, wrong = core.Search(ctx, Source, made, page, core.Filter{})
	}
	ids := make([]string, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	found, failed := products(ctx, s, ids)
	if wrong = errors.Join(wrong, failed); wrong != nil {
		return wrong
	}
	var options []bus.Option
	for _, p := range found {
		for _, v := range p.Variants {
			options = append(options, bus.Option{Value: v.ID, Title: v.FullName()})
		}
	}
	refusal, _ := errors.AsType[*bus.Error](err)
	return refusal.WithChoice(field, options[:min(len(options), mostVariants)]...)
}

func variantOptions(variants []Variant) (options []bus.Option) {
	for _, v := range variants {
		options = append(options, bus.Option{Value: v.ID, Title: v.Label})
	}
	return options
}
