package catalog

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/code"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// Copy is a snapshot of the catalog in memory. It answers reads while the shop is unreachable. It is safe for
// concurrent use.
type Copy struct {
	mu       sync.Mutex
	products []copied // sorted by name; nil if there is no snapshot
}

// copied is a product with its search words.
type copied struct {
	product
	words string
}

// The capabilities that a copy can answer.
const (
	searchName = "catalog.search"
	getName    = "catalog.getProduct"
)

// Names returns the capabilities that a copy can answer.
func (c *Copy) Names() []string { return []string{searchName, getName} }

// Takes reports whether a state change of a domain makes the copy outdated.
func (c *Copy) Takes(domain string) bool { return domain == "catalog" || domain == "*" }

// Fill reads all products through call, with the rights of its caller. It replaces the snapshot after all were read.
func (c *Copy) Fill(call func(capability string, arguments any) (json.RawMessage, error)) error {
	all := []copied{}
	for in := (catalogSearchIn{Sort: "name"}); ; {
		in.Limit = 200
		raw, err := call(searchName, in)
		if err != nil {
			return err
		}
		var page catalogSearchOut
		if err := json.Unmarshal(raw, &page); err != nil {
			return err
		}
		for _, p := range page.Products {
			all = append(all, copied{p, text.Fold(slices.Concat([]string{p.Name, p.Kind}, p.Tags, codesOf(p))...)})
		}
		if in.Cursor = page.NextCursor; !page.HasMore || in.Cursor == "" {
			break
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.products = all
	return nil
}

// codesOf returns the words and codes of a product's variants.
func codesOf(p product) (all []string) {
	for _, v := range p.Variants {
		all = append(all, v.SKU, v.Barcode, v.Label)
	}
	return all
}

// Forget drops the snapshot.
func (c *Copy) Forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.products = nil
}

// Answer answers a call from the snapshot. It returns false if there is none or the capability is not supported. Each
// word of a query must begin a word of the product, or the whole query must be a code.
func (c *Copy) Answer(capability string, arguments json.RawMessage) (data any, is bool, err error) {
	c.mu.Lock()
	all := c.products
	c.mu.Unlock()
	if all == nil {
		return nil, false, nil
	}
	switch capability {
	case searchName:
		data, err = searchCopy(all, arguments)
	case getName:
		data, err = getCopy(all, arguments)
	default:
		return nil, false, nil
	}
	return data, true, err
}

func searchCopy(all []copied, arguments json.RawMessage) (out catalogSearchOut, err error) {
	var in catalogSearchIn
	if err := json.Unmarshal(arguments, &in); err != nil {
		return out, errArguments(err)
	}
	out.Products = []product{}
	words, tag := text.Words(in.Query), text.Fold(in.Tag)
	meant := matchesIn(all, in.Query)
	skip := in.Cursor != "" // continues after the product with that id
	for _, p := range all {
		if skip {
			skip = p.ID != in.Cursor
			continue
		}
		isMeant := slices.ContainsFunc(meant, func(m Match) bool { return m.ProductID == p.ID })
		if !p.fits(words) && !isMeant || in.Tag != "" && !p.tagged(tag) || in.InStock && !p.available() {
			continue
		}
		if limit := cmp.Or(in.Limit, 50); len(out.Products) == limit {
			out.HasMore, out.NextCursor = true, out.Products[limit-1].ID
			break
		}
		if isMeant && len(meant) == 1 { // of several the user chooses
			p.MatchedVariantID = meant[0].VariantID
		}
		out.Products = append(out.Products, p.product)
	}
	return out, nil
}

// matchesIn is [Find] in a snapshot.
func matchesIn(all []copied, given string) (found []Match) {
	for _, p := range all {
		if p.ID == given {
			found = append(found, Match{ProductID: p.ID, offered: !p.Archived})
		}
		for _, v := range p.Variants {
			if v.ID == given || code.Same(v.SKU, given) || code.Same(v.Barcode, given) {
				found = append(found, Match{ProductID: p.ID, VariantID: v.ID, offered: !p.Archived && !v.Withdrawn})
			}
		}
	}
	return preferred(found)
}

// fits reports whether each word begins a word of the product.
func (p *copied) fits(words []string) bool {
	for _, w := range words {
		if !strings.Contains(p.words, " "+w) {
			return false
		}
	}
	return true
}

// tagged reports whether the product has a folded tag.
func (p *copied) tagged(tag string) bool {
	return slices.ContainsFunc(p.Tags, func(t string) bool { return text.Fold(t) == tag })
}

func (p *copied) available() bool {
	return slices.ContainsFunc(p.Variants, func(v Variant) bool { return v.Available })
}

func getCopy(all []copied, arguments json.RawMessage) (out productPage, err error) {
	var in getProductIn
	if err := json.Unmarshal(arguments, &in); err != nil {
		return out, errArguments(err)
	}
	meant := matchesIn(all, in.ProductID)
	i := slices.IndexFunc(all, func(p copied) bool { return len(meant) == 1 && p.ID == meant[0].ProductID })
	if i < 0 {
		return out, bus.Errorf(bus.NotFound, bus.ReasonRecord, "The copy of the catalog has no such product.").
			WithHint("Look again when the link is back.")
	}
	out.product = all[i].product
	out.MatchedVariantID = meant[0].VariantID
	out.PriceChanges, out.StockMovements = []priceChange{}, []stockMovement{}
	return out, nil
}

func errArguments(err error) error {
	return bus.Errorf(bus.Validation, bus.ReasonArguments, "What was asked of the catalog is not understood.").
		WithCause(err)
}
