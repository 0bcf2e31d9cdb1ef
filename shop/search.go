package shop

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/catalog"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/order"
)

type searchIn struct {
	Query string   `json:"query" jsonschema:"minLength=1,maxLength=200"`
	Kinds []string `json:"kinds,omitempty" jsonschema:"enum=product,enum=customer,enum=order,uniqueItems=true"`
	core.PageIn
}

type searchOut struct {
	Hits []core.Hit `json:"hits"`
	core.FoundOut
}

func searchEverything(ctx context.Context, _ *bus.Call, in searchIn) (out searchOut, err error) {
	sources := slices.DeleteFunc([]core.Source{catalog.Source, customer.Source, order.Source}, func(src core.Source) bool {
		return len(in.Kinds) > 0 && !slices.Contains(in.Kinds, src.Kind)
	})
	out.Hits, out.FoundOut, err = core.SearchAll(ctx, sources, in.Query, in.PageIn)
	return out, err
}
