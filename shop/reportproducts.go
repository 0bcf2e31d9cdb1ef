package shop

import (
	"context"

	"github.com/deskhand/deskhand/bus"
)

type topProductsIn struct {
	reportDays
	Limit int `json:"limit,omitempty" jsonschema:"minimum=1,maximum=200,default=10" jsonschema_description:"At most this many."`
}

type topProduct struct {
	ProductID string `json:"productId"`
	VariantID string `json:"variantId"`
	Name      string `json:"name" jsonschema_description:"The product, as it is called today."`
	Label     string `json:"label,omitempty" jsonschema_description:"The variant's options."`
	SKU       string `json:"sku,omitempty"`
	Quantity  int64  `json:"quantity" jsonschema_description:"Sold less come back."`
	Revenue   Money  `json:"revenue" jsonschema_description:"After discount, without shipping and without tax that is on top of the price."`
}

type topProductsOut struct {
	From string       `json:"from" jsonschema:"format=date"`
	To   string       `json:"to" jsonschema:"format=date"`
	Rows []topProduct `json:"rows" jsonschema_description:"Most pieces first, then most revenue."`
}

func reportTopProducts() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "report.topProducts", Title: "Report what sold best", Category: "report", Type: bus.TypeData,
		Description: "Lists the variants of products that sold best in some days of the shop's time zone, with pieces and revenue; what came back in these days is taken off. " +
			"Use it to answer what sells; report.sales says how much in all. It does not count cancelled orders.",
		SideEffect: bus.Pure, Permissions: []string{"report:read"}, Access: agentMay, Resources: read,
		Phrases: []string{
			"which products sold best {period}", "which products sold best in {period}", "which products sold best since {since}", "which products sold best since {from}",
			"which products sold best from {from} to {to}", "what sold best {period}", "what sold best since {since}", "show the top {limit} products of {period}",
			"show the best sellers of {period}", "what is our best seller {period}", "what are our best sellers {period}", "what are the best sellers {period}",
			"which was the best seller {period}", "what was the best seller {period}", "best sellers {period}", "top sellers {period}", "best selling products {period}",
			"top {limit} products {period}", "top {limit} sellers {period}", "top products {period}", "top products of {period}",
			"what are the top {limit} products {period}", "what are the top sellers {period}", "what sells best", "what sells best {period}",
			"what is selling best {period}", "what is selling well {period}", "what is our most popular product {period}", "what is most popular {period}",
			"most popular products {period}", "what are people buying {period}", "bestsellers {period}", "what did people buy most {period}", "our bestsellers {period}",
			"what is selling {period}", "which product sold most {period}", "what sold most {period}", "what was most popular {period}",
			"what has been our top seller {period}", "what are the {limit} best sellers {period}", "what are our top {limit} sellers {period}",
			"what are the {limit} best selling products {period}", "what was our best selling product {period}", "what is our best selling product {period}",
		},
	}, topProducts)
}

func topProducts(ctx context.Context, call *bus.Call, in topProductsIn) (topProductsOut, error) {
	var out topProductsOut
	s, err := loadShop(ctx)
	if err != nil {
		return out, err
	}
	from, to, err := in.within(s.today(call.Now))
	if err != nil {
		return out, err
	}
	zone := s.zone()
	out.From, out.To = isoDay(from), isoDay(to)
	// Orders are brought into the order of their ids first, as their lines are:
	// over many days that is half the time of looking for lines all over the
	// file. The names are looked up for the few that remain; what is no longer in the
	// catalog has those of an order.
	out.Rows, err = list(ctx, func(r row) (t topProduct, err error) {
		var values [3]string
		var label string
		var revenue int64
		err = r.Scan(&t.ProductID, &t.VariantID, &t.Name, &label, &t.SKU, &values[0], &values[1], &values[2], &t.Quantity, &revenue)
		if _, t.Label = options([3]string{}, values); t.Label == "" {
			t.Label = label
		}
		t.Revenue = s.money(revenue)
		return t, err
	}, `WITH moved AS (
			SELECT l.variant_id, l.quantity, l.total - l.discount AS revenue
				FROM (SELECT id FROM orders WHERE placed_at >= ?1 AND placed_at < ?2 AND status <> '`+statusCancelled+`' ORDER BY id LIMIT -1) o
				CROSS JOIN order_lines l ON l.order_id = o.id
			UNION ALL SELECT l.variant_id, -l.quantity, l.discount - l.total FROM `+cameBack+`),
		best AS (SELECT variant_id, SUM(quantity) AS quantity, SUM(revenue) AS revenue FROM moved
			GROUP BY variant_id HAVING SUM(quantity) > 0 ORDER BY 2 DESC, 3 DESC, 1 LIMIT ?3)
		SELECT COALESCE(p.id, l.product_id), b.variant_id, COALESCE(p.name, l.name), CASE WHEN v.id IS NULL THEN l.label ELSE '' END, COALESCE(v.sku, l.sku),
			COALESCE(v.option1, ''), COALESCE(v.option2, ''), COALESCE(v.option3, ''), b.quantity, b.revenue
		FROM best b LEFT JOIN variants v ON v.id = b.variant_id LEFT JOIN products p ON p.id = v.product_id
			JOIN order_lines l ON (l.order_id, l.line) = (SELECT order_id, line FROM order_lines WHERE variant_id = b.variant_id ORDER BY order_id DESC, line DESC LIMIT 1)
		ORDER BY b.quantity DESC, b.revenue DESC, b.variant_id`, beginning(from, zone), beginning(to.AddDate(0, 0, 1), zone), in.Limit)
	return out, err
}
