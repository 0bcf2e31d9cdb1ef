package shop

import (
	"context"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type catalogSearchIn struct {
	Query   string `json:"query,omitempty" jsonschema:"maxLength=200" jsonschema_description:"Part of a name, or a SKU or barcode. Absent: everything."`
	Tag     string `json:"tag,omitempty" jsonschema:"maxLength=60" jsonschema_description:"Only products with this tag."`
	InStock bool   `json:"inStock,omitempty" jsonschema_description:"Only products that can be bought now."`
	pageIn
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
		Phrases: []string{
			"search products for {query}", "do we (have|sell|carry|stock) {query}", "how much (is|are) {query}", "(is|any|are) {query} in stock",
			"do we have {query} in stock", "how many {query} do we have", "which products are tagged {tag}", "show all products",
			"how much (does|do) {query} cost", "how much does {query} go for", "what (does|do) {query} cost", "what do we charge for {query}",
			"what is the (price|stock) of {query}", "(price|stock) of {query}", "price check on {query}", "how many {query} are (left|there)",
			"how many {query} have we got", "how (many|much) {query} do we have left", "how many {query} are in stock", "how much {query} is left",
			"(is|are) there any {query} left", "(is|are) there {query}", "have we (got|any) {query}", "have we got any {query} left",
			"do you (have|sell) {query}", "got any {query}", "any {query} left", "(what|which) {query} do we have", "what kinds of {query} do we have",
			"find product {query}", "find the product {query}", "show the {query}", "show all the {query}", "show products with {query}", "are we out of {query}",
			"did we run out of {query}", "(is|are) {query} available", "what products do we have", "what do we sell", "show the catalog",
			"search the catalog for {query}", "how many {query} do we have in stock", "how many {query} have we got in stock",
			"how many {query} are left in stock", "have we got {query} in stock", "how many {query} left", "what is left of {query}", "what is the {query} price",
			"what do the {query} cost", "is there a product called {query}", "do we have {query} on the shelf",
			"show (everything|products|all products) tagged {tag}", "(everything|products) tagged {tag}", "what do we have tagged {tag}",
			"do we still have {query}", "is {query} still (in stock|available)", "what is the going price of {query}", "(find|show) products tagged {tag}",
			"do we have {query} left", "do we still have {query} left", "have (you|we) got anything (with|called) {query}",
			"is there anything (with|called) {query}", "anything (with|called) {query}", "products (with|called) {query} in the name",
			"anything with {query} in the name", "how many {query} have we got left", "have (you|we) got anything with {query} in the name",
			"(do|can) we (offer|sell) {query}", "what (kinds|sorts) of {query} are there", "is there still {query}", "how many {query} can we sell",
			"(what|which) {query} are there", "list (our|all) {query}", "(look|search) for (the product|a product called) {query}",
			"what is the stock level of {query}", "stock level of {query}", "how much stock of {query} is left",
		},
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
	ProductID string `json:"productId" jsonschema:"minLength=1,maxLength=100" jsonschema_description:"The product's id; a SKU or barcode also serves." jsonschema_extras:"x-lookup=catalog.search#/products"`
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
		Phrases: []string{
			"show the product {productId}", "tell me about {productId}", "which variants does {productId} have",
			"what (sizes|colours|colors|variants|options) does {productId} come in", "(which|what) sizes of {productId} do we have",
			"which colours does {productId} come in", "what does {productId} come in", "what options does {productId} have",
			"what variants of {productId} are there", "describe {productId}", "what is {productId}", "what is {productId} like", "details of {productId}",
			"show the details of {productId}", "does {productId} come in other (sizes|colours)", "(describe|open) the product {productId}",
			"which (sizes|colors|variants) of {productId} are there",
		},
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
