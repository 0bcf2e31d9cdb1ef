package shop_test

import (
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

type lowVariant struct {
	ID, ProductID, VariantID, Name, Label, SKU, Left string
	Stock                                            int64
}

// low returns all pages of the report of low stock.
func (d *desk) low(threshold, limit int) (all []lowVariant) {
	d.t.Helper()
	for cursor := ""; ; {
		var page struct {
			Threshold  int
			Rows       []lowVariant
			NextCursor string
			HasMore    bool
		}
		d.must("report.lowStock", jsonf(`{"threshold":%d,"limit":%d,"cursor":%q}`, threshold, limit, cursor), &page)
		if page.Threshold != threshold || len(page.Rows) > limit || page.HasMore != (page.NextCursor != "") {
			d.t.Fatalf("page after %q: %+v", cursor, page)
		}
		if all = append(all, page.Rows...); !page.HasMore {
			return all
		}
		cursor = page.NextCursor
	}
}

func TestLowStockIsWhatIsForSaleAndCounted(t *testing.T) {
	d := openSample(t, "manager")
	stock := func(sku string) int64 { return d.number(`SELECT stock FROM variants WHERE sku = ?`, sku) }
	rows := func(threshold int) map[string]int64 {
		m := map[string]int64{}
		for _, v := range d.low(threshold, 200) {
			m[v.SKU] = v.Stock
		}
		return m
	}
	const sku = "NL-GUJ-250-WB"
	d.must("catalog.adjustStock", jsonf(`{"productId":%q,"delta":%d,"reason":"counted"}`, sku, 6-stock(sku)), nil)
	if rows(5)[sku] != 0 || rows(6)[sku] != 6 {
		t.Errorf("six of %s are left: %v and %v", sku, rows(5), rows(6))
	}
	for threshold, want := range map[int]int64{
		0: d.number(`SELECT COUNT(*) FROM variants WHERE stock = 0 AND available = 1`),
		5: d.number(`SELECT COUNT(*) FROM variants WHERE stock <= 5 AND available = 1`),
	} {
		if got := int64(len(rows(threshold))); got != want || want == 0 {
			t.Errorf("%d with %d or fewer, want %d", got, threshold, want)
		}
	}
	d.must("catalog.archiveProduct", `{"productId":"prd_guji_natural"}`, nil)
	if _, listed := rows(1_000_000)[sku]; listed {
		t.Errorf("%s is off sale and running low", sku)
	}
	if n, want := int64(len(rows(1_000_000))),
		d.number(`SELECT COUNT(*) FROM variants v JOIN products p ON p.id = v.product_id WHERE stock IS NOT NULL AND available AND published`); n > want || n < 100 {
		t.Errorf("%d are counted and for sale, want %d or the first 200", n, want)
	}
}

func TestLowStockGoesFromPageToPage(t *testing.T) {
	d := openSample(t, "clerk")
	whole := d.low(5, 200)
	if diff := cmp.Diff(whole, d.low(5, 1)); diff != "" {
		t.Error(diff)
	}
	first := lowVariant{Name: "Boquete Geisha", Label: "250 g, Ground", SKU: "NL-BOQ-250-GR", Left: "none left"}
	got := whole[0]
	if got.ID != got.VariantID || got.ProductID == "" {
		t.Errorf("ids: %+v", got)
	}
	got.ID, got.ProductID, got.VariantID = "", "", ""
	if got != first {
		t.Errorf("first is %+v, want %+v", got, first)
	}
	d.refused("report.lowStock", `{"cursor":"?"}`, bus.Validation, bus.ReasonArguments)
	d.refused("report.lowStock", `{"threshold":-1}`, bus.Validation, bus.ReasonArguments)
	var standard struct{ Threshold int }
	d.must("report.lowStock", `{}`, &standard)
	if standard.Threshold != 5 {
		t.Errorf("the standard threshold is %d", standard.Threshold)
	}
}

// TestWhatSoldBestKeepsItsName: also when it is no longer in the catalog.
func TestWhatSoldBestKeepsItsName(t *testing.T) {
	type row struct{ ProductID, VariantID, Name, Label, SKU string }
	first := func(d *desk) row {
		var out struct{ Rows []row }
		d.must("report.topProducts", `{"period":"today","limit":1}`, &out)
		if len(out.Rows) != 1 {
			t.Fatalf("%d rows, want one", len(out.Rows))
		}
		return out.Rows[0]
	}
	d := openSample(t, "owner")
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":20,"customerId":%q}`,
		gujiBeans, d.ana()), nil)
	d.submit("Home", "Cash")
	d.must("catalog.updateProduct", `{"productId":"prd_guji_natural","name":"Guji"}`, nil)
	if got, want := first(d), (row{"prd_guji_natural", gujiBeans, "Guji", "250 g, Whole bean", "NL-GUJ-250-WB"}); got !=
		want {
		t.Errorf("in the catalog: %+v, want %+v", got, want)
	}
	if err := d.log.Close(); err != nil {
		t.Fatal(err)
	}
	edit(t, d.path, `DELETE FROM cart_lines`, `DELETE FROM variants WHERE id = '`+gujiBeans+`'`)
	gone := openDesk(t, d.path)
	gone.as("clerk")
	if got, want := first(gone), (row{"prd_guji_natural", gujiBeans, "Guji Natural", "250 g, Whole bean",
		"NL-GUJ-250-WB"}); got != want {
		t.Errorf("gone from the catalog: %+v, want %+v", got, want)
	}
}
