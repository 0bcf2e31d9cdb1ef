package shop_test

import (
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

var header = []string{"Handle", "Title", "Body (HTML)", "Vendor", "Product Category", "Type", "Tags", "Published",
	"Option1 Name", "Option1 Value",
	"Option2 Name", "Option2 Value", "Option3 Name", "Option3 Value", "Variant SKU", "Variant Grams",
	"Variant Inventory Tracker", "Variant Inventory Qty",
	"Variant Inventory Policy", "Variant Fulfillment Service", "Variant Price", "Variant Compare At Price",
	"Variant Requires Shipping", "Variant Taxable",
	"Variant Barcode", "Image Src", "Image Position", "Image Alt Text", "Gift Card", "Status"}

// export is an export being written.
type export struct {
	b      strings.Builder
	csv    *csv.Writer
	header []string
	n      int // rows
}

func newExport() *export { return newExportOf(header) }

func newExportOf(header []string) *export {
	e := &export{header: header}
	e.csv = csv.NewWriter(&e.b)
	e.csv.UseCRLF = true
	_ = e.csv.Write(header)
	return e
}

// row adds a row; cells are "Column=value".
func (e *export) row(cells ...string) {
	record := make([]string, len(e.header))
	for _, c := range cells {
		name, value, _ := strings.Cut(c, "=")
		found := false
		for i, h := range e.header {
			if h == name {
				record[i], found = value, true
			}
		}
		if !found {
			panic("no column " + name)
		}
	}
	e.n++
	_ = e.csv.Write(record)
}

func (e *export) String() string {
	e.csv.Flush()
	return "\ufeff" + e.b.String()
}

// everyOddity writes an export of more than 200 rows with all that real ones have.
func everyOddity() *export {
	e := newExport()
	// Three options, a quoted body of several lines, prices that inherit, rows that are only images.
	e.row("Handle=wool-jumper", "Title=Wool “Fisher” Jumper, heavy", "Body (HTML)=<p>Knitted in "+
		"<b>Åland</b>.</p>\n<ul><li>Warm &amp; dry</li>\n<li>Says \"hello\"</li></ul><script>alert(1)</script>",
		"Vendor=Skärgård & Söner", "Type=Knitwear", "Tags=wool, winter,  Wool , Été", "Published=true",
		"Option1 Name=Size", "Option1 Value=S", "Option2 Name=Colour", "Option2 Value=Navy",
		"Option3 Name=Collar", "Option3 Value=High", "Variant SKU=WJ-S-N-H", "Variant Inventory Tracker=shopify",
		"Variant Inventory Qty=4", "Variant Inventory Policy=deny",
		"Variant Price=129.90", "Variant Taxable=true", "Variant Barcode='4006381333931",
		"Image Src=https://cdn.example.com/a/jumper.jpg?v=1", "Image Position=1", "Status=active")
	for _, size := range []string{"M", "L", "XL"} {
		for _, collar := range []string{"High", "Low"} {
			e.row("Handle=wool-jumper", "Option1 Value="+size, "Option2 Value=Navy", "Option3 Value="+collar,
				"Variant SKU=WJ-"+size+"-N-"+collar,
				"Variant Inventory Tracker=shopify", "Variant Inventory Qty=2")
		}
	}
	for i := range 5 {
		e.row("Handle=wool-jumper", fmt.Sprintf("Image Src=https://cdn.example.com/a/jumper-%d.jpg", i),
			fmt.Sprintf("Image Position=%d", i+2), "Image Alt Text=Seen from the side")
	}
	// No options at all, as an export says it; not counted; no tax.
	e.row("Handle=gift-voucher", "Title=Gift voucher", "Published=TRUE", "Option1 Name=Title",
		"Option1 Value=Default Title", "Variant Price=25", "Variant Taxable=false", "Gift Card=true", "Status=active")
	// Sold below zero; a handle that is not ASCII; a name with invisible characters.
	e.row("Handle=café-crème", "Title=Café \u202eCrème\u0007 №5", "Published=true", "Option1 Name=Title",
		"Option1 Value=Default Title", "Variant SKU=CC-5", "Variant Inventory Tracker=shopify",
		"Variant Inventory Qty=-3", "Variant Inventory Policy=continue", "Variant Price=0.5", "Status=active")
	// Draft, and archived.
	e.row("Handle=draft", "Title=Not yet", "Published=false", "Option1 Name=Title", "Option1 Value=Default Title",
		"Variant Price=1.00", "Variant Inventory Tracker=shopify", "Variant Inventory Qty=1", "Status=draft")
	// A CJK product, and one whose only text is in the body.
	e.row("Handle=matcha", "Title=抹茶 有機", "Body (HTML)="+strings.Repeat("長い説明。<br>", 40),
		"Published=true", "Option1 Name=重さ", "Option1 Value=30 g", "Variant SKU=MAT-30", "Variant Price=1800.00",
		"Variant Inventory Tracker=shopify", "Variant Inventory Qty=12", "Status=active")
	e.row("Handle=matcha", "Option1 Value=100 g", "Variant SKU=MAT-100", "Variant Price=4800",
		"Variant Inventory Tracker=shopify", "Variant Inventory Qty=0")
	// And the crowd.
	for p := range 65 {
		handle := fmt.Sprintf("Handle=socks-%02d", p)
		e.row(handle, fmt.Sprintf("Title=Socks no. %d", p), "Body (HTML)=<p>Line one\r\nline two</p>", "Vendor=Strømper",
			"Tags=socks", "Published=true", "Option1 Name=Size", "Option1 Value=36-40",
			fmt.Sprintf("Variant SKU=SO-%02d-1", p), "Variant Inventory Tracker=shopify", "Variant Inventory Qty=10",
			"Variant Price=12.00", fmt.Sprintf("Image Src=http://cdn.example.com/%d.png", p), "Status=active")
		e.row(handle, "Option1 Value=41-46", fmt.Sprintf("Variant SKU=SO-%02d-2", p), "Variant Inventory Tracker=shopify",
			"Variant Inventory Qty=20")
		e.row(handle, fmt.Sprintf("Image Src=https://cdn.example.com/%d-back.png", p))
	}
	return e
}

type imported struct {
	File, SHA256                                        string
	Rows, Images                                        int
	ProductsCreated, ProductsUpdated, ProductsUnchanged int
	VariantsCreated, VariantsUpdated                    int
	CustomersCreated, CustomersUpdated                  int
	CustomersUnchanged                                  int
	Latin                                               bool
	OrdersCreated, OrdersUnchanged, RowsLeftOut         int
	LeftOut                                             []struct {
		Line                      int
		Column, Value, Of, Reason string
	}
	IgnoredColumns []string
	Changes        []struct {
		Handle, Action string
		Details        []string
	}
}

// state is a number that changes when any product, variant or stock does.
func (d *desk) state() int64 {
	return d.number(`SELECT (SELECT COUNT(*) FROM products) * 1000003 + (SELECT COUNT(*) FROM variants) * 10007 + (SELECT COALESCE(SUM(price), 0) FROM variants)
		+ (SELECT COUNT(*) FROM stock_movements) * 101 + (SELECT COALESCE(SUM(length(name) + length(description) + length(search_fold)), 0) FROM products) * 7`)
}

// foundProduct is a product as a search gives it.
type foundProduct struct {
	ID, Name, Description, Vendor string
	Tags, OptionNames             []string
	Variants                      []struct {
		SKU, Barcode, Label string
		Options             map[string]string
		Price               money
		Stock               *int64
		Available           bool
	}
}

// found is the one product that a query finds.
func (d *desk) found(query string) foundProduct {
	d.t.Helper()
	var out struct{ Products []foundProduct }
	d.must("catalog.search", jsonf(`{"query":%q}`, query), &out)
	if len(out.Products) != 1 {
		d.t.Fatalf("%q finds %d products", query, len(out.Products))
	}
	return out.Products[0]
}

func TestImportOfEveryOddity(t *testing.T) {
	d := openSample(t, "owner")
	e := everyOddity()
	if e.n < 200 {
		t.Fatalf("the export has %d rows", e.n)
	}
	d.files["products"] = e.String()
	before := d.state()

	var dry, done imported
	d.must("shop.importCSV", `{"file":"products","kind":"products","dryRun":true}`, &dry)
	if d.state() != before {
		t.Fatal("a dry run changed something")
	}
	d.must("shop.importCSV", `{"file":"products","kind":"products","currency":"USD"}`, &done)
	if diff := cmp.Diff(dry, done); diff != "" {
		t.Errorf("a dry run tells something else than the import: %s", diff)
	}
	if done.ProductsCreated != 70 || done.VariantsCreated != 7+1+1+1+2+130 || done.Images != 1+5+65+65 ||
		done.Rows != e.n || done.File != "products.csv" || len(done.SHA256) != 64 {
		t.Errorf("imported: %+v", done)
	}
	for _, c := range []string{"Product Category", "Image Alt Text", "Gift Card"} {
		contains(t, strings.Join(done.IgnoredColumns, ","), c)
	}
	d.addsUp()

	p := d.found("fisher jumper")
	d.must("catalog.getProduct", jsonf(`{"productId":%q}`, p.ID), &p) // lists omit its texts
	if p.Name != "Wool “Fisher” Jumper, heavy" ||
		p.Description != "Knitted in Åland.\n\n• Warm & dry\n\n• Says \"hello\"" || p.Vendor != "Skärgård & Söner" {
		t.Errorf("jumper: %q %q %q", p.Name, p.Description, p.Vendor)
	}
	if diff := cmp.Diff([]string{"Été", "winter", "wool"}, p.Tags); diff != "" {
		t.Error(diff)
	}
	if len(p.Variants) != 7 || p.Variants[0].Barcode != "4006381333931" || p.Variants[6].Label != "XL, Navy, Low" ||
		p.Variants[6].Price.Amount != 12990 || *p.Variants[6].Stock != 2 {
		t.Errorf("variants: %+v", p.Variants)
	}
	p = d.found("cafe creme")
	if p.Name != "Café Crème №5" || *p.Variants[0].Stock != -3 || !p.Variants[0].Available ||
		p.Variants[0].Price.Amount != 50 {
		t.Errorf("café crème: %+v", p)
	}
	p = d.found("gift voucher")
	if v := p.Variants[0]; v.Stock != nil || !v.Available || v.Label != "" || v.Price.Amount != 2500 {
		t.Errorf("gift voucher: %+v", v)
	}
	p = d.found("not yet")
	if p.Variants[0].Available {
		t.Error("a draft is for sale")
	}
	p = d.found("抹茶")
	if p.Variants[1].Price.Amount != 480000 || p.Variants[1].Available {
		t.Errorf("matcha: %+v", p)
	}
}

func TestImportAgainUpdatesByHandleAndSKU(t *testing.T) {
	d := openSample(t, "owner")
	d.files["first"] = everyOddity().String()
	d.must("shop.importCSV", `{"file":"first","kind":"products","currency":"USD"}`, nil)
	var again imported
	before := d.state()
	d.must("shop.importCSV", `{"file":"first","kind":"products","currency":"USD"}`, &again)
	if again.ProductsUnchanged != 70 || len(again.Changes) != 0 || d.state() != before {
		t.Errorf("the same file again: %+v", again)
	}

	e := newExport()
	e.row("Handle=Socks-00", "Title=Socks, new name", "Vendor=Strømper", "Tags=socks", "Published=true",
		"Option1 Name=Size", "Option1 Value=36-41", "Variant SKU=so-00-1",
		"Variant Inventory Tracker=shopify", "Variant Inventory Qty=7", "Variant Price=13.50")
	e.row("Handle=Socks-00", "Option1 Value=One size", "Variant SKU=SO-00-9", "Variant Price=9.00")
	d.files["second"] = e.String()
	var out imported
	d.must("shop.importCSV", `{"file":"second","kind":"products","currency":"USD"}`, &out)
	if out.ProductsUpdated != 1 || out.VariantsUpdated != 1 || out.VariantsCreated != 1 {
		t.Errorf("update: %+v", out)
	}
	contains(t, strings.Join(out.Changes[0].Details, "; "), "$12.00 → $13.50")
	contains(t, strings.Join(out.Changes[0].Details, "; "), "stock 10 → 7")
	var p struct {
		Name     string
		Variants []struct {
			SKU   string
			Price money
			Stock *int64
		}
	}
	d.must("catalog.getProduct", `{"productId":"SO-00-2"}`, &p)
	if p.Name != "Socks, new name" || len(p.Variants) != 3 || *p.Variants[0].Stock != 7 ||
		p.Variants[1].Price.Amount != 1200 || p.Variants[2].Stock != nil {
		t.Errorf("product: %+v", p)
	}
	d.addsUp()
}

func TestNoTwoRowsMeanTheSameVariant(t *testing.T) {
	d := openSample(t, "owner")
	e := newExport()
	e.row("Handle=pickle", "Title=Pickle", "Published=true", "Option1 Name=Size", "Option1 Value=Small",
		"Variant SKU=PICKLE-1", "Variant Price=1")
	d.files["one"] = e.String()
	d.must("shop.importCSV", `{"file":"one","kind":"products","currency":"USD"}`, nil)
	e = newExport()
	// by SKU
	e.row("Handle=pickle", "Title=Pickle", "Published=true", "Option1 Name=Size", "Option1 Value=Large",
		"Variant SKU=PICKLE-1", "Variant Price=2")
	e.row("Handle=pickle", "Option1 Value=Small", "Variant Price=1") // by options the same one
	d.files["two"] = e.String()
	var out imported
	d.must("shop.importCSV", `{"file":"two","kind":"products","currency":"USD"}`, &out)
	if out.VariantsUpdated != 1 || out.VariantsCreated != 1 {
		t.Errorf("imported: %+v", out)
	}
	if p := d.found("pickle-1"); p.Variants[0].Label != "Large" || p.Variants[1].Label != "Small" {
		t.Errorf("variants: %+v", p.Variants)
	}
}

func TestVariantsThatNobodyCouldChooseAreWithdrawn(t *testing.T) {
	d := openSample(t, "owner")
	e := newExport()
	e.row("Handle=gift-card", "Title=Gift Card", "Published=true", "Option1 Name=Title", "Option1 Value=Default Title",
		"Variant SKU=NL-GFT-ANY", "Variant Price=10")
	d.files["f"] = e.String()
	var out imported
	d.must("shop.importCSV", `{"file":"f","kind":"products","currency":"USD"}`, &out)
	contains(t, strings.Join(out.Changes[0].Details, "; "), "no longer for sale: $50")
	d.refused("cart.addItem", `{"productId":"NL-GFT-02","quantity":1}`, bus.PreconditionFailed, bus.ReasonState)
	d.must("cart.addItem", `{"productId":"prd_gift_card","quantity":1}`, nil) // the only one left
}

func TestBrokenFilesChangeNothingAndNameTheLines(t *testing.T) {
	const head = "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price,Variant Inventory " +
		"Qty,Published,Image Src,Tags\n"
	good := "a,Product A,Size,S,A-S,10.00,1,true,,\n"
	tests := map[string]struct {
		file string
		line int
		says string
	}{
		"empty file":                {"", 1, "empty"},
		"only a header":             {head, 2, "no rows"},
		"no Title column":           {"Handle,Variant Price\na,1\n", 1, "Title"},
		"no price column":           {"Handle,Title\na,A\n", 1, "Variant Price"},
		"a column twice":            {"Handle,Title,Variant Price,title\na,A,1,B\n", 2, "twice, with \"A\" and with \"B\""},
		"semicolons and two commas": {"Handle;Title;Variant Price;Tags\na;A;1,00,0;\n", 2, "1,00,0"},
		"UTF-16":                    {"\xff\xfeH\x00", 1, "UTF-16"},
		"a workbook":                {"PK\x03\x04\x14\x00\x06\x00", 1, "workbook (.xlsx or .xls); save it as CSV"},
		"a workbook of old":         {"\xd0\xcf\x11\xe0\xa1\xb1", 1, "workbook (.xlsx or .xls); save it as CSV"},
		"a header of commas":        {strings.Repeat(",", 1<<20), 1, "more than 4096 cells"},
		"a row of commas":           {head + good + strings.Repeat(",", 1<<20) + "\n", 3, "more than 4096 cells"},
		"a row that does not end": {head + good + "b,\"" + strings.Repeat("x,\n", 1<<19) + "\",Size\n", 3,
			"or 1 MB"},
		"a product of 2049 variants": {head + "b,B,Size,0,,1,1,true,,\n" + rowsOf(2048, "b,,,%d,,,,,,\n", 1), 2050,
			"more than 2048 variants"},
		"a product of 251 tags": {head + "b,B,Size,S,,1,1,true,,\"" + rowsOf(251, "tag %d,", 0) + "\"\n", 2,
			"more than 250 tags"},
		"lines ended by CR": {strings.ReplaceAll(head+good+"b,B,Size,S,B-S,ten,1,true,,\n", "\n", "\r"), 3, "ten"},
		"not text": {head + good + "b,Caf\x81,Size,S,B-S,10.00,1,true,,\n", 3,
			"Title: The text is not UTF-8"},
		"a quote that never ends": {head + good + "b,\"Product B,Size,S,B-S,10.00,1,true,,\nc,C,Size,S,C-S,1,1,true,,\n", 3,
			"quote"},
		"a quote in the middle": {head + good + "b,12\" record,Size,S,B-S,10.00,1,true,,\n", 3, "quote"},
		"too few cells":         {head + good + "b,Product B,Size\n", 3, "3 cells and the header 10"},
		"too many cells":        {head + good + "b,B,Size,S,B-S,1,1,true,,,,\n", 3, "12 cells"},
		"no handle":             {head + good + ",B,Size,S,B-S,1,1,true,,\n", 3, "Handle"},
		"a handle with spaces":  {head + "my shirt,B,Size,S,B-S,1,1,true,,\n", 2, "spaces"},
		"no title":              {head + good + "b,,Size,S,B-S,1,1,true,,\n", 3, "Title"},
		"another title":         {head + good + "a,Product Z,,M,A-M,1,1,,,\n", 3, "Product Z"},
		"rows apart":            {head + good + "b,B,Size,S,B-S,1,1,true,,\na,,,M,A-M,1,1,,,\n", 4, "line 2"},
		"no price to inherit":   {head + "b,B,Size,S,B-S,,1,true,,\n", 2, "price"},
		"price in words": {head + "b,B,Size,S,B-S,ten,1,true,,\n", 2,
			"Variant Price: \"ten\" is not a price such as 12.00"},
		"price below zero":          {head + "b,B,Size,S,B-S,-1,1,true,,\n", 2, "-1"},
		"price with a comma":        {head + "b,B,Size,S,B-S,\"1,50\",1,true,,\n", 2, "1,50"},
		"half a cent":               {head + "b,B,Size,S,B-S,1.005,1,true,,\n", 2, "1.005"},
		"price in exponents":        {head + "b,B,Size,S,B-S,1e3,1,true,,\n", 2, "1e3"},
		"too high a price":          {head + "b,B,Size,S,B-S,10000000.01,1,true,,\n", 2, "too high"},
		"stock in fractions":        {head + "b,B,Size,S,B-S,1,1.5,true,,\n", 2, "Variant Inventory Qty"},
		"stock below zero":          {head + "b,B,Size,S,B-S,1,-1,true,,\n", 2, "-1"},
		"SKU of another product":    {head + good + "b,B,Size,S,NL-GUJ-250-WB,1,1,true,,\n", 3, "Guji Natural"},
		"the same options twice":    {head + good + "a,,,S,A-S2,1,1,,,\n", 3, "Line 2 has the same options"},
		"a variant without value":   {head + good + "a,,,,A-S2,1,1,,,\n", 3, "no value for the option"},
		"a value without option":    {head + "b,B,,S,B-S,1,1,true,,\n", 2, "no option 1"},
		"another option name":       {head + good + "a,,Colour,M,A-M,1,1,,,\n", 3, "Colour"},
		"neither variant nor image": {head + good + "a,,,,,,,,,tag\n", 3, "neither"},
		"published maybe":           {head + "b,B,Size,S,B-S,1,1,maybe,,\n", 2, "maybe"},
		"not a picture":             {head + "b,B,Size,S,B-S,1,1,true,javascript:alert(1),\n", 2, "picture"},
		"a title of 300 letters":    {head + "b," + strings.Repeat("x", 300) + ",Size,S,B-S,1,1,true,,\n", 2, "255"},
		"a tag of 100 letters":      {head + "b,B,Size,S,B-S,1,1,true,," + strings.Repeat("x", 100) + "\n", 2, "60"},
		"after a cell of two lines": {head + "b,\"Two\nlines\",Size,S,B-S,1,1,true,,\nc,C,Size,S,C-S,nothing,1,true,,\n", 4,
			"nothing"},
	}
	d := openSample(t, "owner")
	before := d.state()
	for name, tc := range tests {
		t.Run(name, func(t *testing.T) {
			d.files[name] = tc.file
			e := d.refused("shop.importCSV", jsonf(`{"file":%q,"kind":"products","currency":"USD"}`, name), bus.Validation, bus.ReasonArguments)
			if len(e.Violations) == 0 || e.Violations[0].Path != fmt.Sprintf("/line/%d", tc.line) {
				t.Fatalf("violations: %+v, want line %d", e.Violations, tc.line)
			}
			contains(t, e.Violations[0].Message, tc.says)
			contains(t, e.Violations[0].Message, fmt.Sprintf("Line %d", tc.line))
		})
	}
	if d.state() != before {
		t.Error("a broken file changed something")
	}
}

// rowsOf are so many rows, numbered from first.
func rowsOf(n int, row string, first int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, row, first+i)
	}
	return b.String()
}

// TestOldAndForeignLinesAreRead: spreadsheets separate cells by tabs and end lines by CR alone, too.
func TestOldAndForeignLinesAreRead(t *testing.T) {
	for name, end := range map[string]string{"LF": "\n", "CR": "\r", "CRLF": "\r\n"} {
		for of, comma := range map[string]string{"commas": ",", "tabs": "\t", "semicolons": ";"} {
			d := openSample(t, "owner")
			price := map[bool]string{true: "12.50", false: "12,50"}[comma == ","]
			d.files["f"] = strings.NewReplacer(",", comma, "\n", end).Replace("Handle,Title,Body (HTML),Variant Price\n"+
				"ladle,Ladle,\"Two\nlines\",") + price + end
			var out imported
			d.must("shop.importCSV", `{"file":"f","kind":"products","currency":"USD"}`, &out)
			if p := d.found("ladle"); out.Rows != 1 || p.Variants[0].Price.Amount != 1250 {
				t.Errorf("%s, %s: %+v, %+v", of, name, out, p)
			}
		}
	}
}

// TestADryRunTellsOfTheShopAsItWas: a value that one row of the file gives up is not free for an earlier row.
func TestADryRunTellsOfTheShopAsItWas(t *testing.T) {
	d := openSample(t, "owner")
	d.files["before"] = "Handle,Title,Variant SKU,Variant Price\nbowl,Bowl,SKU-1,1\n"
	d.must("shop.importCSV", `{"file":"before","kind":"products","currency":"USD"}`, nil)
	d.files["after"] = "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price\n" +
		"bowl,Bowl,Title,Default Title,SKU-2,1\nladle,Ladle,Title,Default Title,SKU-1,1\n"
	e := d.refused("shop.importCSV", `{"file":"after","kind":"products","currency":"USD"}`, bus.Validation,
		bus.ReasonArguments)
	contains(t, e.Message, "Line 3, column Variant SKU: The SKU \"SKU-1\" belongs to another product, Bowl.")
	var dry, done imported
	d.must("shop.importCSV", `{"file":"after","kind":"products","dryRun":true}`, &dry)
	d.must("shop.importCSV", `{"file":"after","kind":"products","currency":"USD","leaveOut":true}`, &done)
	if diff := cmp.Diff(dry, done); diff != "" || done.RowsLeftOut != 1 ||
		done.ProductsUpdated != 1 || done.ProductsCreated != 0 || done.LeftOut[0].Value != "SKU-1" {
		t.Errorf("%+v, %s", done, diff)
	}
}

func TestEveryMistakeIsNamedAtOnce(t *testing.T) {
	d := openSample(t, "owner")
	var b strings.Builder
	b.WriteString("Handle,Title,Variant Price\n")
	for i := range 150 {
		fmt.Fprintf(&b, "h%d,T,free\n", i)
	}
	d.files["bad"] = b.String()
	e := d.refused("shop.importCSV", `{"file":"bad","kind":"products","currency":"USD"}`, bus.Validation, bus.ReasonArguments)
	if len(e.Violations) != 100 || e.Violations[99].Path != "/line/101" {
		t.Errorf("%d violations, the last %+v", len(e.Violations), e.Violations[len(e.Violations)-1])
	}
	contains(t, e.Message, "and 149 more")
}

func TestFileThatCannotBeOpened(t *testing.T) {
	d := openSample(t, "owner")
	e := d.refused("shop.importCSV", `{"file":"/etc/passwd","kind":"products","currency":"USD"}`, bus.Validation, bus.ReasonArguments)
	if strings.Contains(e.Message, "passwd") {
		t.Errorf("the message tells of the path: %s", e.Message)
	}
}
