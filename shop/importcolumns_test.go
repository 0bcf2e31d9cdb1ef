package shop_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// The columns of a product export: read with a value, or listed as ignored. Shopify's help describes both forms, the
// current one and the one before 2025, because shops still have older exports.
var (
	formerColumns = []string{"Handle=mug", "Title=Mug", "Body (HTML)=<p>Enamel</p>", "Vendor=Kockums", "Type=Kitchen",
		"Tags=blue", "Published=TRUE", "Status=unlisted", "Option1 Name=Size", "Option1 Value=S", "Option2 Name=Colour",
		"Option2 Value=Blue", "Option3 Name=Lid", "Option3 Value=No", "Variant SKU=MUG-1", "Variant Grams=453.592",
		"Variant Weight Unit=lb", "Variant Inventory Tracker=shopify", "Variant Inventory Qty=7",
		"Variant Inventory Policy=continue", "Variant Price=12.50", "Variant Compare At Price=15.00",
		"Cost per item=6.25", "Variant Taxable=FALSE", "Variant Barcode=4006381333931",
		"Image Src=https://cdn.example.com/2.jpg", "Image Position=2", "Variant Image=https://cdn.example.com/blue.jpg"}
	formerIgnored = []string{"Product Category", "Image Alt Text", "Gift Card", "SEO Title", "SEO Description",
		"Option1 Linked To", "Option2 Linked To", "Option3 Linked To", "Variant Fulfillment Service",
		"Variant Requires Shipping", "Variant Tax Code", "Collection", "Unit Price Total Measure",
		"Unit Price Total Measure Unit", "Unit Price Base Measure", "Unit Price Base Measure Unit",
		"Google Shopping / Google Product Category", "Google Shopping / Gender", "Google Shopping / Age Group",
		"Google Shopping / MPN", "Google Shopping / Condition", "Google Shopping / Custom Product",
		"Google Shopping / Custom Label 0", "Google Shopping / Custom Label 1", "Google Shopping / Custom Label 2",
		"Google Shopping / Custom Label 3", "Google Shopping / Custom Label 4", "Included / United States",
		"Included / International", "Price / International", "Compare At Price / International",
		"Colour (product.metafields.custom.colour)"}
	todaysColumns = []string{"URL handle=mug", "Title=Mug", "Description=<p>Enamel</p>", "Vendor=Kockums",
		"Type=Kitchen", "Tags=blue", "Published on online store=TRUE", "Status=Unlisted", "Option1 name=Size",
		"Option1 value=S", "Option2 name=Colour", "Option2 value=Blue", "Option3 name=Lid", "Option3 value=No",
		"SKU=MUG-1", "Weight value (grams)=453.592", "Weight unit for display=lb", "Inventory tracker=shopify",
		"Inventory quantity=7", "Continue selling when out of stock=CONTINUE", "Price=12.50", "Compare-at price=15.00",
		"Cost per item=6.25", "Charge tax=FALSE", "Barcode=4006381333931",
		"Product image URL=https://cdn.example.com/2.jpg", "Image position=2",
		"Variant image URL=https://cdn.example.com/blue.jpg"}
	todaysIgnored = []string{"Product category", "Image alt text", "Gift card", "SEO title", "SEO description",
		"Option1 Linked To", "Option2 Linked To", "Option3 Linked To", "Fulfillment service", "Requires shipping",
		"Tax code", "Unit price total measure", "Unit price total measure unit", "Unit price base measure",
		"Unit price base measure unit", "Color (product.metafields.shopify.color-pattern)",
		"Google Shopping / Google product category", "Google Shopping / Gender", "Google Shopping / Age group",
		"Google Shopping / Manufacturer part number (MPN)", "Google Shopping / Ad group name",
		"Google Shopping / Ads labels", "Google Shopping / Condition", "Google Shopping / Custom product",
		"Google Shopping / Custom label 0", "Included / International", "Price / International",
		"Compare-at price / International"}
)

func TestEveryColumnOfAProductExportIsKeptOrListed(t *testing.T) {
	for name, form := range map[string]struct{ columns, ignored []string }{
		"former": {formerColumns, formerIgnored}, "today": {todaysColumns, todaysIgnored},
	} {
		t.Run(name, func(t *testing.T) {
			d := openSample(t, "owner")
			var names []string
			for _, c := range form.columns {
				names = append(names, c[:slices.Index([]byte(c), '=')])
			}
			e := newExportOf(append(names, form.ignored...))
			e.row(form.columns...)
			handle, image, position := form.columns[0], names[25], names[26]
			e.row(handle, image+"=https://cdn.example.com/1.jpg", position+"=1")
			e.row(handle, image+"=https://cdn.example.com/3.jpg", position+"=3")
			d.files["f"] = e.String()
			var out struct {
				IgnoredColumns     []string
				Images, ImagesKept int
			}
			d.must("shop.importCSV", `{"file":"f","kind":"products","currency":"USD"}`, &out)
			if diff := cmp.Diff(form.ignored, out.IgnoredColumns); diff != "" {
				t.Errorf("not read (-want +got): %s", diff)
			}
			if out.Images != 3 || out.ImagesKept != 1 {
				t.Errorf("pictures: %+v", out)
			}
			got := d.rows(`SELECT concat_ws('|', p.handle, p.name, p.description, p.vendor, p.kind, p.published, p.image,
				p.tax_class, p.option1, p.option2, p.option3, v.option1, v.option2, v.option3, v.sku, v.barcode, v.price,
				v.compare_at, v.cost, v.stock, v.backorder, v.weight_grams, v.weight_unit, v.image,
				(SELECT tag FROM product_tags WHERE product_id = p.id))
				FROM products p JOIN variants v ON v.product_id = p.id WHERE p.handle = 'mug'`)
			want := "mug|Mug|Enamel|Kockums|Kitchen|1|https://cdn.example.com/1.jpg|none|Size|Colour|Lid|S|Blue|No|MUG-1|" +
				"4006381333931|1250|1500|625|7|1|454|lb|https://cdn.example.com/blue.jpg|blue"
			if len(got) != 1 || got[0].text(0) != want {
				t.Errorf("kept %q, want %q", got, want)
			}
			// The same again changes nothing; no longer reduced is a change.
			var again imported
			d.must("shop.importCSV", `{"file":"f","kind":"products","currency":"USD"}`, &again)
			if again.ProductsUnchanged != 1 {
				t.Errorf("again: %+v", again)
			}
			f := newExportOf(append(names, form.ignored...))
			f.row(append(slices.Clone(form.columns), names[21]+"=")...)
			d.files["full"] = f.String()
			d.must("shop.importCSV", `{"file":"full","kind":"products","currency":"USD"}`, &again)
			if d.number(`SELECT COUNT(*) FROM variants WHERE sku = 'MUG-1' AND compare_at IS NULL AND cost = 625`) != 1 {
				t.Error("it is still reduced")
			}
		})
	}
}

func TestTheCurrencyOfAProductExportIsAskedFor(t *testing.T) {
	d := openSample(t, "owner")
	e := newExport()
	e.row("Handle=tea", "Title=Tea", "Option1 Name=Title", "Option1 Value=Default Title", "Variant Price=4.50")
	d.files["f"] = e.String()
	before := d.hash()
	for _, args := range []string{`{"file":"f","kind":"products"}`, `{"file":"f","kind":"products","currency":"EUR"}`,
		`{"file":"f","kind":"products","currency":"EUR","dryRun":true}`} {
		err := d.refused("shop.importCSV", args, bus.Validation, bus.ReasonArguments)
		if err.Violations[0].Path != "/currency" {
			t.Errorf("%s: %+v", args, err.Violations)
		}
	}
	if d.hash() != before {
		t.Error("something was imported")
	}
	d.must("shop.importCSV", `{"file":"f","kind":"products","dryRun":true}`, nil)
}

// TestNumbersAreReadAsSpreadsheetsWriteThem: exactly, in the notation of the file. A number that a spreadsheet rounded
// is refused with its line.
func TestNumbersAreReadAsSpreadsheetsWriteThem(t *testing.T) {
	type want struct {
		price, stock, grams int64
		says                string // "": it is taken
	}
	for name, tc := range map[string]struct {
		comma                        string
		sku, barcode                 string
		price, stock, grams, compare string
		want                         want
	}{
		"as an export writes them": {",", "A", "4006381333931", "12.50", "3", "250", "", want{price: 1250, stock: 3, grams: 250}},
		"whole pieces with decimals": {",", "A", "", "12", "3.0", "283.4952313", "",
			want{price: 1200, stock: 3, grams: 283}},
		"separators of thousands": {",", "A", "", `"1,234.50"`, `"1,000"`, `"12,000.4"`, `"1,500.00"`,
			want{price: 123450, stock: 1000, grams: 12000}},
		"a file with semicolons": {";", "A", "", "1.234,50", "1.000", "12.000,6", "1500,00",
			want{price: 123450, stock: 1000, grams: 12001}},
		"a file with tabs":             {"\t", "A", "", "1'234,50", "2,00", "250,5", "", want{price: 123450, stock: 2, grams: 251}},
		"two readings of a price":      {",", "A", "", "1.234", "3", "250", "", want{says: "two numbers"}},
		"two readings of pieces":       {",", "A", "", "1", "1.000", "250", "", want{says: "two numbers"}},
		"two readings with semicolons": {";", "A", "", "1,234", "3", "250", "", want{says: "two numbers"}},
		"two readings of a weight":     {",", "A", "", "1", "3", `"1,250"`, "", want{says: "two numbers"}},
		"half a piece":                 {",", "A", "", "1", "3.5", "250", "", want{says: "not a whole number"}},
		"a comma before the cents":     {",", "A", "", `"12,50"`, "3", "250", "", want{says: "not a price"}},
		"a rewritten barcode":          {",", "A", "8.9012E+12", "1", "3", "250", "", want{says: "spreadsheet"}},
		"a rewritten barcode, German":  {";", "A", "4,00638E+12", "1", "3", "250", "", want{says: "spreadsheet"}},
		"a rewritten SKU":              {",", "9E+11", "", "1", "3", "250", "", want{says: "spreadsheet"}},
		"an SKU that looks like one":   {",", "1E5", "", "1", "3", "250", "", want{price: 100, stock: 3, grams: 250}},
	} {
		t.Run(name, func(t *testing.T) {
			d := openSample(t, "owner")
			columns := []string{"Handle", "Title", "Body (HTML)", "Option1 Name", "Option1 Value", "Variant SKU",
				"Variant Barcode", "Variant Price", "Variant Inventory Qty", "Variant Grams", "Variant Compare At Price"}
			cells := []string{"tea", "Tea", "", "Size", "S", tc.sku, tc.barcode, tc.price, tc.stock, tc.grams, tc.compare}
			d.files["f"] = strings.Join(columns, tc.comma) + "\n" + strings.Join(cells, tc.comma) + "\n"
			const args = `{"file":"f","kind":"products","currency":"USD"}`
			if tc.want.says != "" {
				e := d.refused("shop.importCSV", args, bus.Validation, bus.ReasonArguments)
				if len(e.Violations) != 1 || e.Violations[0].Path != "/line/2" {
					t.Fatalf("%+v", e.Violations)
				}
				contains(t, e.Violations[0].Message, tc.want.says)
				return
			}
			d.must("shop.importCSV", args, nil)
			if d.number(`SELECT count(*) FROM variants WHERE sku = ? AND price = ? AND stock = ? AND weight_grams = ?`, tc.sku,
				tc.want.price, tc.want.stock, tc.want.grams) != 1 {
				t.Error(d.rows(`SELECT price, stock, weight_grams FROM variants WHERE sku = ?`, tc.sku))
			}
		})
	}
}
