package shop_test

import (
	"fmt"
	"testing"
)

// BenchmarkSearchAmongTenThousand: a search and a page of the catalog, through
// the bus, in a shop of ten thousand products.
func BenchmarkSearchAmongTenThousand(b *testing.B) {
	d := openSample(b, "owner")
	e := newExport()
	for i := range 10_000 {
		e.row(fmt.Sprintf("Handle=p-%05d", i), fmt.Sprintf("Title=Article %05d of the %s line", i, []string{"harbour", "forest", "mountain"}[i%3]), "Published=true",
			fmt.Sprintf("Variant SKU=SKU-%05d", i), "Variant Price=10.00", "Variant Inventory Tracker=shopify", "Variant Inventory Qty=5", "Status=active")
	}
	d.files["all"] = e.String()
	d.must("shop.importCSV", `{"file":"all","kind":"products"}`, nil)
	for _, bm := range []struct{ name, args string }{
		{"word", `{"query":"harbour line"}`}, {"SKU", `{"query":"SKU-04711"}`}, {"prefix", `{"query":"arti"}`}, {"nothing", `{"query":"zzz"}`}, {"page", `{}`},
	} {
		b.Run(bm.name, func(b *testing.B) {
			for b.Loop() {
				d.must("catalog.search", bm.args, nil)
			}
		})
	}
}
