package order

import (
	"cmp"
	"context"
	"math"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type orderSearchIn struct {
	Query      string `json:"query,omitempty" jsonschema:"maxLength=200"`
	CustomerID string `json:"customerId,omitempty" jsonschema:"maxLength=100" x:"entity=customer"`
	Status     string `json:"status,omitempty" jsonschema:"enum=pending,enum=processed,enum=delivered,enum=cancelled"`
	Fulfilment string `json:"fulfilment,omitempty" jsonschema:"title=Handed over,enum=takeAway,enum=pickUp,enum=deliver"`
	PersonID   string `json:"personId,omitempty" jsonschema:"title=Taken by,maxLength=100" x:"entity=person"`
	core.Days

	MinTotal *core.PriceIn `json:"minTotal,omitempty" jsonschema:"title=Total from"`
	MaxTotal *core.PriceIn `json:"maxTotal,omitempty" jsonschema:"title=Total up to"`

	Sort string `json:"sort,omitempty" jsonschema:"title=Sorted,enum=newest,enum=oldest,enum=highest,enum=lowest"`
	core.SpellingIn
	core.PageIn
}

type orderSearchOut struct {
	Orders []Head `json:"orders" doc:"Newest first, unless sorted otherwise."`
	From   string `json:"from,omitempty" jsonschema:"format=date" doc:"The first day that was taken, if one was."`
	To     string `json:"to,omitempty" jsonschema:"format=date" doc:"The last day that was taken, if one was."`
	core.FoundOut
}

// filter returns the conditions besides the search words.
func (in orderSearchIn) filter(s *core.Shop) (filter core.Filter, err error) {
	for _, equal := range []struct{ column, value string }{{"customer_id", in.CustomerID}, {"status", in.Status},
		{"fulfilment", in.Fulfilment}, {"placed_by", in.PersonID}} {
		if equal.value != "" {
			filter = filter.And(`t.`+equal.column+` = ?`, equal.value)
		}
	}
	if in.Days != (core.Days{}) {
		from, to, err := s.Moments(in.Days)
		if err != nil {
			return filter, err
		}
		filter = filter.And(`t.placed_at >= ? AND t.placed_at < ?`, from, to)
	}
	for _, bound := range []struct {
		total    *core.PriceIn
		sign, at string
	}{{in.MinTotal, ">=", "/minTotal"}, {in.MaxTotal, "<=", "/maxTotal"}} {
		if bound.total == nil {
			continue
		}
		if err := s.CheckCurrency(*bound.total, bound.at); err != nil {
			return filter, err
		}
		filter = filter.And(`t.total `+bound.sign+` ?`, bound.total.Amount)
	}
	return filter, nil
}

// known returns an error if an id in the search belongs to no record. The search calls it when it found nothing.
func (in *orderSearchIn) known(ctx context.Context) error {
	for _, of := range []struct {
		query, id string
		wrong     error
	}{
		{"SELECT 1 FROM customers WHERE id = ?", in.CustomerID,
			core.NotFound("There is no customer with the id %q.", in.CustomerID)},
		{"SELECT 1 FROM staff WHERE id = ?", in.PersonID,
			core.NotFound("There is no person with the id %q.", in.PersonID)},
	} {
		if of.id == "" {
			continue
		}
		if is, err := core.Exists(ctx, of.query, of.id); err != nil || !is {
			return cmp.Or(err, of.wrong)
		}
	}
	return nil
}

func search(ctx context.Context, s *core.Shop, call *bus.Call, in orderSearchIn) (out orderSearchOut, err error) {
	if in.Days, err = in.Dated(s.Today(call.Now)); err != nil {
		return out, err
	}
	out.From, out.To = in.From, in.To
	filter, err := in.filter(s)
	if err != nil {
		return out, err
	}
	src := sorted(in.Sort).As(in.SpellingIn)
	if in.MinTotal != nil || in.MaxTotal != nil {
		if src, err = in.byTotal(ctx, src); err != nil {
			return out, err
		}
	}
	hits, paged, err := core.Search(ctx, src, in.Query, in.PageIn, filter)
	if err != nil {
		return out, err
	}
	if len(hits) == 0 {
		if err := in.known(ctx); err != nil {
			return out, err
		}
	}
	out.FoundOut, out.Orders = paged, make([]Head, len(hits))
	for i, h := range hits {
		if out.Orders[i], err = ByID(ctx, s, h.ID); err != nil {
			return out, err
		}
	}
	return out, nil
}

// Source defines the search for orders, newest first. Its sort key is a text that falls with the time.
var Source = core.Source{
	Kind: "order", Table: "orders t LEFT JOIN customers c ON c.id = t.customer_id", Order: "t.placed_at DESC, t.id",
	Sort: "printf('%015d', 999999999999999 - t.placed_at)", After: core.AfterTime,
	TitleSQL: "t.id || COALESCE(' · ' || c.name, '')", Sub: "t.status", Flat: true,
	Letters: "derived_words", Terms: "derived_letters",
	Names: "SELECT name_fold FROM customers WHERE erased_at = 0 UNION ALL SELECT name_fold FROM products",
	// Searches between the times ?2 and ?3. Changed orders are not in the index yet. The limit keeps the order of the
	// subquery.
	Found: `(SELECT rowid AS place FROM derived_words
			WHERE derived_words MATCH ?1 AND rowid BETWEEN ?2 / 1000 << 24 AND ?3 / 1000 << 24 | 16777215
		UNION SELECT place FROM derived_unsorted WHERE place BETWEEN ?2 / 1000 << 24 AND ?3 / 1000 << 24 | 16777215
			ORDER BY place DESC LIMIT -1) f
		CROSS JOIN orders t ON t.id = printf('#W%07d', 16777215 - (f.place & 16777215))
			AND t.placed_at / 1000 = f.place >> 24
		LEFT JOIN customers c ON c.id = t.customer_id`,
	// Also matches the short forms that orderID accepts.
	Exact: "(t.id = '#W' || substr('0000000', 1 + length(ltrim(upper(?), '#W'))) || ltrim(upper(?), '#W')" +
		" OR t.exported_name = ? COLLATE NOCASE AND t.exported_name <> '')",
}

// byTotal searches with the index of totals and sorts afterwards when few orders have such a total. A walk in another
// sort order would read nearly all orders.
func (in orderSearchIn) byTotal(ctx context.Context, src core.Source) (core.Source, error) {
	const few = 2000
	low, high := int64(0), int64(math.MaxInt64)
	if in.MinTotal != nil {
		low = in.MinTotal.Amount
	}
	if in.MaxTotal != nil {
		high = in.MaxTotal.Amount
	}
	n, _, err := core.Find(ctx, core.ScanInt, `SELECT COUNT(*) FROM (SELECT 1 FROM orders WHERE total BETWEEN ? AND ?
		LIMIT ?)`, low, high, few+1)
	if n <= few {
		src.Sorted, src.Order = true, "+"+src.Order // the plus sign prevents SQLite from walking in that order
	}
	return src, err
}

// sorted returns the source with the given sort order; the default is newest first.
func sorted(by string) core.Source {
	switch by {
	case "oldest": // the reverse of newest first
		src := Source.By("t.placed_at", false)
		src.Order, src.After = "t.placed_at, t.id DESC", core.AfterNumber("t.placed_at", ">", "<")
		return src
	case "highest":
		return Source.By("t.total", true)
	case "lowest":
		return Source.By("t.total", false)
	}
	return Source
}
