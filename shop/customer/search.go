package customer

import (
	"cmp"
	"context"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type customerSearchIn struct {
	Query      string `json:"query,omitempty" jsonschema:"maxLength=200" doc:"Parts of a name, email, phone or address."`
	Email      string `json:"email,omitempty" jsonschema:"maxLength=200" doc:"The whole email address."`
	Phone      string `json:"phone,omitempty" jsonschema:"maxLength=40" doc:"The phone number or its end."`
	Name       string `json:"name,omitempty" jsonschema:"maxLength=120" doc:"Words of the name."`
	PostalCode string `json:"postalCode,omitempty" jsonschema:"maxLength=20" doc:"Of any of the customer's addresses."`
	Sort       string `json:"sort,omitempty" jsonschema:"title=Sorted,enum=name,enum=newest,enum=oldest"`
	core.SpellingIn
	core.PageIn
}

type customerSearchOut struct {
	Customers []Customer `json:"customers"`
	core.FoundOut
}

func search(ctx context.Context, _ *bus.Call, in customerSearchIn) (customerSearchOut, error) {
	var out customerSearchOut
	var filter core.Filter
	if in.Email != "" {
		email := strings.TrimSpace(in.Email)
		filter = filter.And(`t.email = ? AND t.email <> '' OR t.id IN (SELECT customer_id FROM merged_customers
			WHERE email = ? COLLATE NOCASE AND email <> '')`, email, email)
	}
	if digits := text.Digits(in.Phone); digits != "" {
		filter = filter.And(`t.phone_digits LIKE '%' || ?`, strings.TrimLeft(digits, "0"))
	}
	if n := core.CalledSo(in.Name); len(n.Args) > 0 {
		filter = filter.And(n.String(), n.Args...)
	}
	if in.PostalCode != "" {
		filter = filter.And(`t.id IN (SELECT customer_id FROM addresses WHERE postal_fold = ?)`,
			FoldPostalCode(in.PostalCode))
	}
	// The filter uses all the words; this search only ranks.
	hits, paged, err := core.Search(ctx, sorted(in.Sort).As(in.SpellingIn), cmp.Or(in.Query, in.Name), in.PageIn, filter)
	if err != nil {
		return out, err
	}
	out.FoundOut, out.Customers = paged, make([]Customer, len(hits))
	for i, h := range hits {
		if out.Customers[i], err = ByID(ctx, h.ID); err != nil {
			return out, err
		}
	}
	return out, nil
}

// sorted returns the source with the given sort order; the default is by match quality.
func sorted(by string) core.Source {
	src := Source
	switch by {
	case "newest", "oldest":
		return src.By("t.created_at", by == "newest")
	case "name":
		src.Sorted = true
	}
	return src
}

// FoldPostalCode makes "sw1a 1aa" and "SW1A1AA" equal.
func FoldPostalCode(s string) string { return strings.ReplaceAll(text.Fold(s), " ", "") }

// Source defines the search for customers, by name among equal hits. It omits erased customers.
var Source = core.Source{
	Kind: "customer", Table: "customers t", Order: "t.name_fold, t.id", Sort: "t.name_fold", After: core.AfterName,
	TitleSQL: "t.name", Sub: "t.email", Only: "t.erased_at = 0",
	// Two separate queries, because the index of addresses has no empty ones.
	Exact: "t.id IN (SELECT id FROM customers WHERE id = ? UNION ALL SELECT id FROM customers WHERE email = ? " +
		"AND email <> '' UNION ALL SELECT customer_id FROM merged_customers WHERE email = ? COLLATE NOCASE " +
		"AND email <> '')",
	Names:   "SELECT name_fold FROM customers WHERE erased_at = 0",
	Letters: "derived_people", Terms: "derived_people_letters",
	Found: "(SELECT rowid FROM derived_people WHERE derived_people MATCH ?) f " +
		"CROSS JOIN derived_places l ON l.place = f.rowid CROSS JOIN customers t ON t.id = l.id",
}
