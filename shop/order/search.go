package order

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type orderSearchIn struct {
	Query      string `json:"query,omitempty" jsonschema:"maxLength=200"`
	CustomerID string `json:"customerId,omitempty" jsonschema:"maxLength=100" x:"entity=customer"`
	Status     string `json:"status,omitempty" jsonschema:"enum=pending,enum=processed,enum=delivered,enum=cancelled"`
	From       string `json:"from,omitempty" jsonschema:"format=date" doc:"First day, in the shop's time zone."`
	To         string `json:"to,omitempty" jsonschema:"format=date" doc:"Last day, in the shop's time zone."`
	core.PageIn
}

type orderSearchOut struct {
	Orders []Head `json:"orders" doc:"Newest first."`
	core.PageOut
}

func search(ctx context.Context, s *core.Shop, _ *bus.Call, in orderSearchIn) (out orderSearchOut, err error) {
	var filter core.Filter
	if in.CustomerID != "" {
		filter = filter.And(`t.customer_id = ?`, in.CustomerID)
	}
	if in.Status != "" {
		filter = filter.And(`t.status = ?`, in.Status)
	}
	if in.From != "" {
		from, err := s.StartOf(in.From, "/from")
		if err != nil {
			return out, err
		}
		filter = filter.And(`t.placed_at >= ?`, from.UnixMilli())
	}
	if in.To != "" {
		to, err := s.StartOf(in.To, "/to")
		if err != nil {
			return out, err
		}
		filter = filter.And(`t.placed_at < ?`, to.AddDate(0, 0, 1).UnixMilli())
	}
	hits, paged, err := core.Search(ctx, Source, in.Query, in.PageIn, filter)
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
	Kind: "order", Table: "orders t LEFT JOIN customers c ON c.id = t.customer_id", Order: "t.placed_at DESC, t.id",
	Sort: "printf('%015d', 999999999999999 - t.placed_at)", After: core.AfterTime,
	TitleSQL: "t.id || COALESCE(' · ' || c.name, '')", Sub: "t.status", Flat: true,
	Letters: "derived_words", Terms: "derived_letters",
	// From one time (?2) to another (?3); changed orders are not in the index yet. The
	// limit keeps the order of the subquery.
	Found: `(SELECT rowid AS place FROM derived_words
			WHERE derived_words MATCH ?1 AND rowid BETWEEN ?2 / 1000 << 24 AND ?3 / 1000 << 24 | 16777215
		UNION SELECT place FROM derived_unsorted WHERE place BETWEEN ?2 / 1000 << 24 AND ?3 / 1000 << 24 | 16777215
			ORDER BY place DESC LIMIT -1) f
		CROSS JOIN orders t ON t.id = printf('#W%07d', 16777215 - (f.place & 16777215))
			AND t.placed_at / 1000 = f.place >> 24
		LEFT JOIN customers c ON c.id = t.customer_id`,
	// Also in short, as orderID takes it.
	Exact: "t.id = '#W' || substr('0000000', 1 + length(ltrim(upper(?), '#W'))) || ltrim(upper(?), '#W')",
}
