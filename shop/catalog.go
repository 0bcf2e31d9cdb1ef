package shop

import (
	"context"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type catalogSearchIn struct {
	Query   string `json:"query,omitempty" jsonschema:"maxLength=200"`
	Tag     string `json:"tag,omitempty" jsonschema:"maxLength=60" jsonschema_description:"Only products with this tag."`
	InStock bool   `json:"inStock,omitempty" jsonschema_description:"Only products that can be bought now."`
	pageIn
}

func (catalogSearchIn) DescribeFields() map[string]string {
	return map[string]string{"query": "Part of a name, or a SKU or barcode. Absent: everything."}
}

type catalogSearchOut struct {
	Products []product `json:"products"`
	pageOut
}

func catalogSearch() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "catalog.search", Title: "Search products", Category: "catalog", Type: bus.TypeData,
		Description: "Finds products by name, tag, SKU or barcode, with the price and stock of every variant; best match first. " +
			"Use it to find the id of a product somebody named, or to answer what there is and what it costs. It does not put anything in the cart.",
		SideEffect: bus.Pure, Permissions: []string{"catalog:read"}, Access: agentMay, Resources: read,
		Searchable: true, Filterable: true, Paginated: true,
	}, func(ctx context.Context, _ *bus.Call, in catalogSearchIn) (catalogSearchOut, error) {
		var out catalogSearchOut
		s, err := loadShop(ctx)
		if err != nil {
			return out, err
		}
		var filter []string
		var args []any
		if in.Tag != "" {
			filter, args = append(filter, `EXISTS (SELECT 1 FROM product_tags g WHERE g.product_id = t.id AND g.tag_fold = ?)`), append(args, text.Fold(in.Tag))
		}
		if in.InStock {
			filter = append(filter, `t.published AND EXISTS (SELECT 1 FROM variants v WHERE v.product_id = t.id AND v.available AND (v.stock IS NULL OR v.stock > 0 OR v.backorder))`)
		}
		hits, paged, err := search(ctx, productSource, in.Query, in.pageIn, filter, args)
		if err != nil {
			return out, err
		}
		ids := make([]string, len(hits))
		for i, h := range hits {
			ids[i] = h.ID
		}
		out.pageOut = paged
		if out.Products, err = s.products(ctx, ids); err != nil {
			return out, err
		}
		for i := range out.Products {
			out.Products[i].match(in.Query)
		}
		return out, nil
	})
}

// match notes which variant a scanned code means.
func (p *product) match(code string) {
	for _, v := range p.Variants {
		if code != "" && (strings.EqualFold(v.SKU, code) || v.Barcode == code) {
			p.MatchedVariantID = v.ID
		}
	}
}

type getProductIn struct {
	ProductID string `json:"productId" jsonschema:"minLength=1,maxLength=100" jsonschema_extras:"x-lookup=catalog.search#/products"`
}

func (getProductIn) DescribeFields() map[string]string {
	return map[string]string{"productId": "The product's id; a SKU or barcode also serves."}
}

type productPage struct {
	product
	productText
	productHistory
}

func catalogGetProduct() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "catalog.getProduct", Title: "Show a product", Category: "catalog", Type: bus.TypeData,
		Description: "Shows one product: description, tags and every variant with options, price and stock, and how prices and stock changed. " +
			"Use it when one product is meant and its variants matter. It does not change the product.",
		SideEffect: bus.Pure, Permissions: []string{"catalog:read"}, Access: agentMay, Resources: read,
	}, func(ctx context.Context, _ *bus.Call, in getProductIn) (productPage, error) {
		var p productPage
		s, err := loadShop(ctx)
		if err != nil {
			return p, err
		}
		ref, err := resolveProduct(ctx, in.ProductID)
		if err != nil {
			return p, err
		}
		all, err := s.products(ctx, []string{ref.productID})
		if err != nil {
			return p, err
		}
		p.product = all[0]
		p.MatchedVariantID = ref.variantID
		if p.productText, err = loadProductText(ctx, ref.productID); err != nil {
			return p, err
		}
		p.productHistory, err = s.history(ctx, ref.productID)
		return p, err
	})
}
