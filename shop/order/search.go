package order

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type orderSearchIn struct {
	Query      string `json:"query,omitempty" jsonschema:"maxLength=200"`
	CustomerID string `json:"customerId,omitempty" jsonschema:"maxLength=100" x:"lookup=customer.search#/customers"`
	Status     string `json:"status,omitempty" jsonschema:"enum=pending,enum=processed,enum=delivered,enum=cancelled"`
	From       string `json:"from,omitempty" jsonschema:"format=date" doc:"First day, in the shop's time zone."`
	To         string `json:"to,omitempty" jsonschema:"format=date" doc:"Last day, in the shop's time zone."`
	core.PageIn
}

func (orderSearchIn) TagFields() map[string]string {
	return map[string]string{
		"status": `x:"said=open:pending|anything open:pending|waiting:pending|new:pending|outstanding:pending|` +
			`unshipped:pending|pack:pending|process:pending|packed:processed|ready to ship:processed|arrived:delivered|` +
			`cancel:cancelled|deliver:delivered|completed:delivered|done:delivered"`,
	}
}

type orderSearchOut struct {
	Orders []Head `json:"orders" doc:"Newest first."`
	core.PageOut
}

func orderSearch() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "order.search", Texts: texts, Category: "order", Type: bus.TypeData,
		SideEffect: bus.Pure, Permissions: []string{"order:read"}, Access: core.AgentMay, Resources: core.Reads,
		Searchable: true, Filterable: true, Paginated: true,
	}, searchOrders)
}

func searchOrders(ctx context.Context, _ *bus.Call, in orderSearchIn) (orderSearchOut, error) {
	var out orderSearchOut
	s, err := core.LoadShop(ctx)
	if err != nil {
		return out, err
	}
	var filter []string
	var args []any
	narrow := func(condition string, arg any) { filter, args = append(filter, condition), append(args, arg) }
	if in.CustomerID != "" {
		narrow(`t.customer_id = ?`, in.CustomerID)
	}
	if in.Status != "" {
		narrow(`t.status = ?`, in.Status)
	}
	if in.From != "" {
		from, err := s.StartOf(in.From, "/from")
		if err != nil {
			return out, err
		}
		narrow(`t.placed_at >= ?`, from.UnixMilli())
	}
	if in.To != "" {
		to, err := s.StartOf(in.To, "/to")
		if err != nil {
			return out, err
		}
		narrow(`t.placed_at < ?`, to.AddDate(0, 0, 1).UnixMilli())
	}
	hits, paged, err := core.Search(ctx, Source, in.Query, in.PageIn, filter, args)
	if err != nil {
		return out, err
	}
	out.PageOut, out.Orders = paged, make([]Head, len(hits))
	for i, h := range hits {
		if out.Orders[i], err = ByID(ctx, s, h.ID); err != nil {
			return out, err
		}
	}
	return out, nil
}

// Newest first: as a text, the later the smaller.
var Source = core.Source{
	Kind: "order", Table: "orders t CROSS JOIN customers c ON c.id = t.customer_id", Order: "t.placed_at DESC, t.id",
	Sort: "printf('%015d', 999999999999999 - t.placed_at)", After: core.AfterTime,
	TitleSQL: "t.id || ' · ' || c.name", Sub: "t.status", Flat: true,
	Letters: "derived_words", Terms: "derived_letters",
	// Also in short, as orderID takes it.
	Exact: "t.id = '#W' || substr('0000000', 1 + length(ltrim(upper(?), '#W'))) || ltrim(upper(?), '#W')",
}
