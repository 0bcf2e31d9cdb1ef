package catalog

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type catalogSearchIn struct {
	Query   string `json:"query,omitempty" jsonschema:"maxLength=200"`
	Tag     string `json:"tag,omitempty" jsonschema:"maxLength=60" doc:"Only products with this tag."`
	InStock bool   `json:"inStock,omitempty" doc:"Only products that can be bought now."`
	Sort    string `json:"sort,omitempty" jsonschema:"title=Sorted,enum=name,enum=newest,enum=cheapest,enum=dearest"`
	core.SpellingIn
	core.PageIn
}

type catalogSearchOut struct {
	Products []product `json:"products"`
	core.FoundOut
}

func search(ctx context.Context, s *core.Shop, _ *bus.Call, in catalogSearchIn) (out catalogSearchOut,
	err error) {
	var filter core.Filter
	if in.Tag != "" {
		filter = filter.And(`EXISTS (SELECT 1 FROM product_tags g WHERE g.product_id = t.id AND g.tag_fold = ?)`,
			text.Fold(in.Tag))
	}
	if in.InStock {
		filter = filter.And(`t.published AND EXISTS (SELECT 1 FROM variants v WHERE v.product_id = t.id AND v.available
				AND (v.stock IS NULL OR v.stock > 0 OR v.backorder))`)
	}
	hits, paged, err := core.Search(ctx, sorted(in.Sort).As(in.SpellingIn), in.Query, in.PageIn, filter)
	if err != nil {
		return out, err
	}
	ids := make([]string, len(hits))
	for i, h := range hits {
		ids[i] = h.ID
	}
	out.FoundOut = paged
	if out.Products, err = products(ctx, s, ids); err != nil {
		return out, err
	}
	meant, err := Find(ctx, in.Query)
	if meant = preferred(meant); len(meant) == 1 { // of several the user chooses
		for i := range out.Products {
			if out.Products[i].ID == meant[0].ProductID {
				out.Products[i].MatchedVariantID = meant[0].VariantID
			}
		}
	}
	return out, err
}

// sorted returns the source with the given sort order; the default is by match quality.
func sorted(by string) core.Source {
	src := Source
	switch by {
	case "newest":
		return src.By("t.created_at", true)
	case "cheapest":
		return src.By("(SELECT MIN(v.price) FROM variants v WHERE v.product_id = t.id)", false)
	case "dearest":
		return src.By("(SELECT MAX(v.price) FROM variants v WHERE v.product_id = t.id)", true)
	case "name":
		src.Sorted = true
	}
	return src
}

type getProductIn struct {
	ProductID string `json:"productId" jsonschema:"minLength=1,maxLength=100" x:"entity=product"`
}

type productPage struct {
	product
	productText
	productHistory
}

func getProduct(ctx context.Context, s *core.Shop, _ *bus.Call, in getProductIn) (p productPage, err error) {
	ref, err := Resolve(ctx, in.ProductID)
	if err != nil {
		return p, err
	}
	all, err := products(ctx, s, []string{ref.ProductID})
	if err != nil {
		return p, err
	}
	p.product = all[0]
	p.MatchedVariantID = ref.VariantID
	for i := range p.Variants {
		p.Variants[i].Cost = p.Variants[i].cost
	}
	if p.productText, err = loadProductText(ctx, ref.ProductID); err != nil {
		return p, err
	}
	p.productHistory, err = history(ctx, s, ref.ProductID)
	return p, err
}

// Source defines the search for products, by name among equal hits.
var Source = core.Source{
	Kind: "product", Table: "products t", Order: "t.name_fold, t.id", Sort: "t.name_fold", After: core.AfterName,
	TitleSQL: "t.name", Sub: "t.kind", Names: "SELECT name_fold FROM products",
	// Not correlated: SQLite then looks it up by index once instead of for each row.
	Exact: "t.id IN (SELECT id FROM products WHERE id = ? UNION ALL SELECT product_id FROM variants WHERE id " +
		"IN (" + byText + "))",
	Named: func(query string) []any { return []any{query, query, formsOf(query), formsOf(query)} },
}
