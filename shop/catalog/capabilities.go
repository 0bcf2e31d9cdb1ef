// Package catalog manages products, their variants, prices and stock.
package catalog

import (
	_ "embed"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities returns the capabilities of the catalog.
func Capabilities(open core.OpenFile, folder core.OpenFolder) []bus.Capability {
	price := core.WithShop(core.Change(bus.Capability{Name: "catalog.setPrice", Texts: texts, Type: bus.TypeControl,
		Facts:  []string{"amount"},
		Checks: bus.Checks{Access: core.AgentAsks}}), setPrice)
	price.Listing.Current = prices
	return []bus.Capability{
		core.WithShop(core.Read(bus.Capability{Name: "catalog.search", Texts: texts, Type: bus.TypeData,
			Entities: []bus.Entity{{Type: "product", Title: "Product", List: "/products", Get: "catalog.getProduct",
				Link: "catalog/{id}"}}}), search),
		core.WithShop(core.Read(bus.Capability{Name: "catalog.getProduct", Texts: texts, Type: bus.TypeData,
			Entities: []bus.Entity{{Type: "variant", Title: "Variant", List: "/variants", Resolve: core.Named(
				`SELECT v.id, concat_ws(', ', p.name, nullif(concat_ws(' / ', nullif(v.option1, ''), nullif(v.option2, ''),
					nullif(v.option3, '')), '')) FROM variants v JOIN products p ON p.id = v.product_id WHERE v.id`)}}}), getProduct),
		core.WithShop(core.Change(bus.Capability{Name: "catalog.createProduct", Texts: texts,
			Checks: bus.Checks{Access: core.AgentAsks}}),
			createProduct),
		core.WithShop(core.Change(bus.Capability{Name: "catalog.updateProduct", Texts: texts,
			Checks: bus.Checks{Access: core.AgentAsks}}),
			updateProduct),
		core.WithShop(core.Change(bus.Capability{Name: "catalog.archiveProduct", Texts: texts,
			Checks: bus.Checks{Access: core.AgentAsks}}),
			archiveProduct),
		price,
		core.WithShop(core.Change(bus.Capability{Name: "catalog.adjustStock", Texts: texts,
			Checks: bus.Checks{Access: core.AgentAsks}}),
			adjustStock),
		core.WithShop(core.Change(bus.Capability{Name: "catalog.receiveStock", Texts: texts,
			Checks: bus.Checks{Access: core.AgentAsks}}),
			receiveStock),
		core.WithShop(core.Change(bus.Capability{Name: "catalog.setReorder", Texts: texts,
			Checks: bus.Checks{Access: core.AgentAsks}}),
			setReorder),
		core.WithShop(core.Change(bus.Capability{Name: "catalog.setPicture", Texts: texts,
			Resources: []string{"database:write", "filesystem:read"},
			Checks:    bus.Checks{Access: core.AgentAsks},
			Run:       bus.Run{Prepare: makePicture(open)}}),
			setPicture),
		core.WithShop(core.Write(bus.Capability{Name: "catalog.addPictures", Texts: texts,
			Resources: []string{"database:write", "filesystem:read"},
			Checks:    bus.Checks{Access: core.AgentNever},
			Run: bus.Run{Bulk: true, Background: true, Concurrency: bus.Exclusive, Timeout: 2 * time.Hour,
				Prepare: findPictures(folder)}}), addPictures),
		core.WithShop(core.Read(bus.Capability{Name: "catalog.getPicture", Texts: texts, Type: bus.TypeData,
			Checks: bus.Checks{Access: core.AgentNever}, Run: bus.Run{Unrecorded: true}}), getPicture),
	}
}
