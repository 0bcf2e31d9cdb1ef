package shop_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/papertest"
	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"
)

// look keeps the documents that the tests print, to be looked at.
var look = flag.String("look", "", "write the PDFs of the tests into this folder")

// document exports a document and returns the content of the file.
func (d *desk) document(args string) (content string, rows int64, missing string) {
	d.t.Helper()
	var out struct {
		File, Missing string
		Rows          int64
	}
	d.must("document.export", args, &out)
	if *look != "" && strings.HasSuffix(out.File, ".pdf") {
		name := strings.NewReplacer("/", "_", " ", "_").Replace(d.t.Name()) + ".pdf"
		if err := os.WriteFile(filepath.Join(*look, name), []byte(d.files[out.File]), 0o600); err != nil {
			d.t.Fatal(err)
		}
	}
	content, marked := strings.CutPrefix(d.files[out.File], "\ufeff")
	if marked != strings.HasSuffix(out.File, ".csv") {
		d.t.Errorf("%s has a byte order mark: %v", out.File, marked)
	}
	return content, out.Rows, out.Missing
}

// printed are the lines of a PDF, page by page.
func printed(t testing.TB, pdf string) [][]string {
	t.Helper()
	pages, err := papertest.Pages([]byte(pdf))
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// billed is an order in a separate shop, in the form of shop.import.
type billed struct {
	currency, locale string
	included         bool
	customer         string
	names            []string
	price, tax       int64 // of one piece, of one line
	discount         int64 // of all
	shipping         int64
	gift             string
}

func (b billed) total() int64 {
	n := int64(len(b.names))
	sum := 2*n*b.price - b.discount + b.shipping
	if !b.included {
		sum += n * b.tax
	}
	return sum
}

// open is a shop with that order, "#W0000001".
func (b billed) open(t testing.TB) *desk {
	t.Helper()
	money := func(n int64) map[string]any { return map[string]any{"amount": n, "currency": b.currency} }
	place := map[string]any{"label": "Home", "line1": "1 Pier Rd", "city": "Bath", "postalCode": "04530", "country": "US"}
	var products, lines []any
	for i, name := range b.names {
		id := fmt.Sprintf("p%d", i)
		products = append(products, map[string]any{"id": id, "name": name,
			"variants": []any{map[string]any{"id": "v" + id, "sku": "SKU-" + id, "price": money(b.price), "stock": 5}}})
		line := map[string]any{"variantId": "v" + id, "quantity": 2, "price": money(b.price), "tax": money(b.tax)}
		if i == 0 && b.discount > 0 {
			line["discount"] = money(b.discount)
		}
		lines = append(lines, line)
	}
	order := map[string]any{"id": "#W0000001", "customerId": "c1", "status": "delivered", "placedAt": now.UnixMilli() -
		4000,
		"processedAt": now.UnixMilli() - 3000, "deliveredAt": now.UnixMilli() - 2000,
		"taxIncluded": b.included, "total": money(b.total()), "address": place, "lines": lines,
		"payments": []any{map[string]any{"kind": "payment", "methodId": "cash", "amount": money(b.total()),
			"at": now.UnixMilli() - 4000}}}
	if b.shipping > 0 {
		order["shipping"] = money(b.shipping)
	}
	if b.gift != "" {
		order["giftMessage"] = b.gift
	}
	file, err := json.Marshal(orderedShop{"deskhand.shop", 1,
		map[string]any{"name": "Corner Shop", "currency": b.currency, "timeZone": "Asia/Tokyo",
			"pricesIncludeTax": b.included},
		[]any{map[string]any{"id": "standard", "name": "Standard", "ratePpm": 80000}},
		[]any{map[string]any{"id": "post", "name": "Post", "price": money(0), "days": 2}},
		products, []any{map[string]any{"id": "c1", "name": b.customer, "email": "c1@example.com"}}, []any{order}})
	if err != nil {
		t.Fatal(err)
	}
	d := openImported(t, string(file))
	d.as("owner")
	if b.locale != "" {
		d.must("settings.set", jsonf(`{"section":"shop","values":{"locale":%q}}`, b.locale), nil)
	}
	return d
}

// orderedShop has its members in the order of the schema.
type orderedShop struct {
	Format          string         `json:"format"`
	Version         int            `json:"version"`
	Shop            map[string]any `json:"shop"`
	TaxClasses      []any          `json:"taxClasses"`
	ShippingMethods []any          `json:"shippingMethods"`
	Products        []any          `json:"products"`
	Customers       []any          `json:"customers"`
	Orders          []any          `json:"orders"`
}

const theReceipt = `{"kind":"receipt","format":"pdf","orderId":"#W0000001"}`

func goods(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("Thing %d", i+1)
	}
	return all
}

func TestAReceiptAddsUpInEveryCurrency(t *testing.T) {
	for name, tt := range map[string]struct {
		billed
		want []string // lines, spaces as they are printed
	}{
		"dollars, tax on top": {billed{"USD", "en-US", false, "Ana Ruiz", goods(3), 1250, 200, 500, 495, ""},
			[]string{"Thing 1 2 $12.50 $25.00", "Subtotal $75.00", "Discount -$5.00", "Shipping $4.95", "Tax $6.00",
				"Total $80.95", "Cash Mar 13, 2026 $80.95", "Paid $80.95"}},
		"euros, tax included": {billed{"EUR", "de-DE", true, "Jürgen Groß", goods(3), 123456, 9145, 0, 495, ""},
			[]string{"Thing 1 2 1.234,56\u00a0€ 2.469,12\u00a0€", "Zwischensumme 7.407,36\u00a0€", "Gesamt 7.412,31\u00a0€",
				"In den Preisen enthaltene Steuer 274,35\u00a0€", "Bezahlt 7.412,31\u00a0€"}},
		"yen": {billed{"JPY", "en-US", false, "Aiko", goods(2), 1500, 240, 0, 0, ""},
			[]string{"Thing 1 2 ¥1,500 ¥3,000", "Subtotal ¥6,000", "Tax ¥480", "Total ¥6,480"}},
		"dinars": {billed{"KWD", "en-GB", false, "Noor", goods(2), 1234500, 1, 0, 0, ""},
			[]string{"Thing 1 2 1,234.500\u00a0KWD 2,469.000\u00a0KWD", "Tax 0.002\u00a0KWD", "Total 4,938.002\u00a0KWD"}},
	} {
		t.Run(name, func(t *testing.T) {
			pdf, rows, missing := tt.open(t).document(theReceipt)
			pages := printed(t, pdf)
			if len(pages) != 1 || rows != int64(len(tt.names)) || missing != "" {
				t.Fatalf("%d pages, %d rows, missing %q", len(pages), rows, missing)
			}
			for _, line := range tt.want {
				if !slices.Contains(pages[0], line) {
					t.Errorf("no line %q in\n%s", line, strings.Join(pages[0], "\n"))
				}
			}
			if !slices.Contains(pages[0], "Corner Shop Page 1 of 1") {
				t.Errorf("the foot: %q", pages[0][len(pages[0])-1])
			}
		})
	}
}

// TestAReceiptIsOfTheShop: its profile and its words, in the shop's language, on paper and as it is shown.
func TestAReceiptIsOfTheShop(t *testing.T) {
	d := billed{"EUR", "de-DE", true, "Jürgen Groß", goods(1), 123456, 9145, 0, 495, "Alles Gute"}.open(t)
	d.must("settings.set", `{"section":"shop","values":{"address":"Hauptstr. 1\n10115 Berlin","phone":"030 1234",
		"email":"laden@example.com","taxNumber":"USt-IdNr. DE123456789","footer":"Umtausch binnen 14 Tagen"}}`, nil)
	var shown struct {
		Title   string
		Shop    []string
		Columns []string
		Sums    []struct{ Label, Amount string }
		Paid    struct{ Label, Amount string }
		Parts   []struct{ Lines []string }
	}
	d.must("receipt.preview", `{"orderId":"w1"}`, &shown)
	if diff := cmp.Diff([]string{"Corner Shop", "Hauptstr. 1", "10115 Berlin", "030 1234", "laden@example.com",
		"USt-IdNr. DE123456789"}, shown.Shop); diff != "" {
		t.Error(diff)
	}
	if shown.Title != "Beleg #W0000001" || shown.Columns[0] != "Artikel" || shown.Sums[0].Label != "Zwischensumme" ||
		shown.Paid.Label != "Bezahlt" || shown.Parts[1].Lines[0] != "Umtausch binnen 14 Tagen" {
		t.Errorf("shown: %+v", shown)
	}
	pdf, _, _ := d.document(theReceipt)
	for _, line := range []string{"10115 Berlin", "USt-IdNr. DE123456789", "Thing 1 2 1.234,56\u00a0€ 2.469,12\u00a0€",
		"In den Preisen enthaltene Steuer 91,45\u00a0€", "Umtausch binnen 14 Tagen"} {
		if !slices.Contains(printed(t, pdf)[0], line) {
			t.Errorf("no line %q in\n%s", line, strings.Join(printed(t, pdf)[0], "\n"))
		}
	}
	d.must("settings.set", `{"section":"shop","values":{"locale":"en-GB","address":"","footer":""}}`, nil)
	d.must("receipt.preview", `{"orderId":"w1"}`, &shown)
	if len(shown.Shop) != 4 || shown.Title != "Receipt #W0000001" || len(shown.Parts) != 1 {
		t.Errorf("in English: %+v", shown)
	}
}

// TestTheSumsOfAReceiptMakeItsTotal: the lines above the total add up to it, with and without tax in the prices, and
// payments less refunds are right.
func TestTheSumsOfAReceiptMakeItsTotal(t *testing.T) {
	for _, included := range []bool{false, true} {
		b := billed{"USD", "en-US", included, "Ana", goods(3), 1250, 200, 500, 495, ""}
		file, _, _ := b.open(t).document(`{"kind":"receipt","format":"csv","orderId":"W0000001"}`)
		table, err := csv.NewReader(strings.NewReader(file)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		title := table[0]
		var items, above, beside [][]string
		rest := &above
		for _, row := range table[1:] {
			switch {
			case row[1] == "item":
				items = append(items, row)
			case row[1] == "sum" && row[2] == "Total":
				rest = &beside
				if row[6] != jsonf("%d.%02d", b.total()/100, b.total()%100) {
					t.Errorf("included %v: total %s, want %d", included, row[6], b.total())
				}
			case row[1] == "sum":
				*rest = append(*rest, row)
			}
		}
		sum := func(rows [][]string) int64 { return added(t, append([][]string{title}, rows...), "Amount") }
		named := func(prefix string) (n int64) {
			for _, row := range beside {
				if strings.HasPrefix(row[2], prefix) {
					n += sum([][]string{row})
				}
			}
			return n
		}
		if sum(above) != b.total() || sum(above[:1]) != sum(items) || named("Net at ")+named("Tax at ")+495 != b.total() ||
			included != (named("Tax included") == named("Tax at ")) {
			t.Errorf("included %v: items %v, above the total %v, below %v", included, items, above, beside)
		}
	}
}

func TestALongReceiptGoesOnOverPages(t *testing.T) {
	d := billed{"USD", "en-US", false, "Ana Ruiz", goods(80), 1250, 0, 0, 0,
		strings.Repeat("Happy birthday to you! ", 30)}.open(t)
	pdf, rows, _ := d.document(theReceipt)
	pages := printed(t, pdf)
	if rows != 80 || len(pages) < 3 {
		t.Fatalf("%d rows on %d pages", rows, len(pages))
	}
	seen := 0
	for i, page := range pages {
		if !slices.Contains(page, jsonf("Corner Shop Page %d of %d", i+1, len(pages))) {
			t.Errorf("page %d has the foot %q", i+1, page[len(page)-1])
		}
		if i+1 < len(pages) && i > 0 && page[0] != "Item Pieces Price Amount" {
			t.Errorf("page %d begins with %q", i+1, page[0])
		}
		for _, line := range page {
			if strings.HasPrefix(line, "Thing ") {
				seen++
			}
		}
	}
	if last := strings.Join(pages[len(pages)-1], "\n"); seen != 80 || !strings.Contains(last, "Total $2,000.00") ||
		!strings.Contains(last, "Gift message\nHappy birthday") {
		t.Errorf("%d lines; the last page:\n%s", seen, last)
	}
}

func TestALongNameIsWrapped(t *testing.T) {
	long := "An uncommonly long name of a product that nobody would ever want to read aloud at the counter of any shop " +
		strings.Repeat("x", 15)
	d := billed{"USD", "en-US", false, strings.Repeat("Wolfeschlegelsteinhausen ", 4), []string{long}, 100, 0, 0, 0,
		""}.open(t)
	pdf, _, _ := d.document(theReceipt)
	all := strings.Join(printed(t, pdf)[0], " ")
	for word := range strings.FieldsSeq(long) {
		if !strings.Contains(all, word) {
			t.Errorf("%q was lost in %s", word, all)
		}
	}
}

func TestWhatNoFontHasIsSaid(t *testing.T) {
	d := billed{"JPY", "ja-JP", false, "山田 太郎", []string{"抹茶", "😀"}, 500, 0, 0, 0, ""}.open(t)
	pdf, _, missing := d.document(theReceipt)
	if missing != "年月日山田太郎抹茶😀" && !strings.Contains(missing, "山田太郎") {
		t.Errorf("missing %q", missing)
	}
	all := strings.Join(printed(t, pdf)[0], " ")
	for _, want := range []string{"□□ □□", "¥1,000", "Not everything could be printed", "U+5C71", "U+1F600"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in %s", want, all)
		}
	}
}

func TestPaymentsAndRefundsStandOnTheReceipt(t *testing.T) {
	d := openSample(t, "owner")
	id := d.delivered("Cash")
	d.must("order.return", jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"paymentMethodId":"cash"}`, id,
		gujiBeans), nil)
	d.must("order.receiveReturn", jsonf(`{"orderId":%q,"restock":true}`, id), nil)
	var o struct {
		Total    money
		Payments []struct {
			Kind   string
			Amount money
		}
	}
	d.must("order.get", jsonf(`{"orderId":%q}`, id), &o)
	left := int64(0)
	for _, p := range o.Payments {
		if p.Kind == "refund" {
			left -= p.Amount.Amount
		} else {
			left += p.Amount.Amount
		}
	}
	pdf, _, _ := d.document(jsonf(`{"kind":"receipt","format":"pdf","orderId":%q}`, id))
	all := strings.Join(printed(t, pdf)[0], "\n")
	for _, want := range []string{"Total " + o.Total.Text, "Refund to Cash Mar 12, 2026 -$",
		jsonf("Paid $%d.%02d", left/100, left%100), "returned"} {
		if !strings.Contains(all, want) {
			t.Errorf("no %q in\n%s", want, all)
		}
	}
}

func TestTheSameDocumentIsTheSameBytes(t *testing.T) {
	d := openSample(t, "owner")
	args := jsonf(`{"kind":"receipt","format":"pdf","orderId":%q}`, d.anasOrder("PayPal"))
	first, _, _ := d.document(args)
	if second, _, _ := d.document(args); first != second {
		t.Error("two receipts of one order differ")
	}
}

// TestListsAddUp compares every list in every format with the database.
func TestListsAddUp(t *testing.T) {
	d := openSample(t, "owner")
	d.cameBack()
	var sales struct{ Totals struct{ TotalSales money } }
	d.must("report.sales", `{"from":"2026-02-01","to":"2026-03-12"}`, &sales)
	var payments paymentsReport
	d.must("report.payments", `{"period":"year"}`, &payments)
	var returns returnsReport
	d.must("report.returns", `{"period":"year"}`, &returns)
	var revenue int64
	for _, r := range d.topProducts(`{"period":"year","limit":200}`) {
		revenue += r.Revenue
	}
	for kind, want := range map[string]struct {
		rows int64
		sum  int64
		name string
		args string
		foot string // the last text of the PDF
	}{
		"orders": {d.number(`SELECT COUNT(*) FROM orders`), d.number(`SELECT SUM(total) FROM orders`), "Total", "",
			"Total without cancelled orders " + dollars(d.number(`SELECT SUM(total) FROM orders WHERE status <> 'cancelled'`))},
		"customers": {d.number(`SELECT COUNT(*) FROM customers`),
			d.number(`SELECT SUM(total) FROM orders WHERE status <> 'cancelled'`), "Spent", "", ""},
		"sales": {40, sales.Totals.TotalSales.Amount, "Total sales", `,"from":"2026-02-01","to":"2026-03-12"`,
			"Total sales " + dollars(sales.Totals.TotalSales.Amount)},
		"payments": {int64(len(payments.Rows)), payments.Totals.Net.Amount, "Net", `,"period":"year"`,
			"Net " + dollars(payments.Totals.Net.Amount)},
		"returns": {int64(len(returns.Rows)), returns.Totals.Value.Amount, "Value", `,"period":"year"`,
			"Value " + dollars(returns.Totals.Value.Amount)},
		"bestSellers": {int64(len(d.topProducts(`{"period":"year","limit":200}`))), revenue, "Revenue", `,"period":"year"`, ""},
		"lowStock":    {int64(len(d.low(5, 100))), 0, "", "", ""},
	} {
		t.Run(kind, func(t *testing.T) {
			d.t = t
			file, rows, _ := d.document(jsonf(`{"kind":%q,"format":"csv"%s}`, kind, want.args))
			table, err := csv.NewReader(strings.NewReader(file)).ReadAll()
			if err != nil {
				t.Fatal(err)
			}
			if sum := added(t, table, want.name); sum != want.sum || rows != want.rows || len(table) != int(rows)+1 {
				t.Errorf("csv: %d rows of %d, sum %d of %d", rows, want.rows, sum, want.sum)
			}
			file, rows, _ = d.document(jsonf(`{"kind":%q,"format":"xlsx"%s}`, kind, want.args))
			book, err := excelize.OpenReader(bytes.NewReader([]byte(file)))
			if err != nil {
				t.Fatal(err)
			}
			cells, err := book.GetRows(book.GetSheetName(0), excelize.Options{RawCellValue: true})
			if err != nil {
				t.Fatal(err)
			}
			if sum := added(t, cells, want.name); sum != want.sum || rows != want.rows {
				t.Errorf("xlsx: %d rows of %d, sum %d of %d", rows, want.rows, sum, want.sum)
			}
			for _, code := range []string{"pending", "delivered", "cancelled", "giftCard", "onAccount", "cash", "faulty",
				"changed mind", "not said"} {
				if slices.ContainsFunc(table, func(row []string) bool { return slices.Contains(row, code) }) {
					t.Errorf("%s is written as the shop keeps it", code)
				}
			}
			if diff := cmp.Diff(table[0], cells[0]); diff != "" {
				t.Errorf("titles (-csv +xlsx):\n%s", diff)
			}
			file, rows, _ = d.document(jsonf(`{"kind":%q,"format":"pdf"%s}`, kind, want.args))
			pages := printed(t, file)
			if last := pages[len(pages)-1]; rows != want.rows || want.foot != "" && !slices.Contains(last, want.foot) {
				t.Errorf("pdf: %d rows of %d, no %q in %q", rows, want.rows, want.foot, last)
			}
		})
	}
}

func dollars(cents int64) string {
	whole := jsonf("%d", cents/100)
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	return jsonf("$%s.%02d", whole, cents%100)
}

// added is the sum of a column of amounts in cents.
func added(t *testing.T, table [][]string, title string) (sum int64) {
	t.Helper()
	if title == "" {
		return 0
	}
	column := slices.Index(table[0], title)
	for _, row := range table[1:] {
		whole, part, _ := strings.Cut(row[column], ".")
		part = (part + "00")[:2]
		var cents int64
		if _, err := fmt.Sscan(strings.TrimLeft(strings.TrimPrefix(whole, "-")+part, "0")+"", &cents); err != nil &&
			whole+part != "000" {
			t.Fatalf("%q: %v", row[column], err)
		}
		if strings.HasPrefix(whole, "-") {
			cents = -cents
		}
		sum += cents
	}
	return sum
}

func TestDocumentsAreRefusedWithAReason(t *testing.T) {
	d := openSample(t, "owner")
	for args, code := range map[string]bus.Code{
		`{"kind":"receipt","format":"pdf"}`:                                         bus.Validation,
		`{"kind":"receipt","format":"pdf","orderId":"#W1"}`:                         bus.NotFound,
		`{"kind":"receipt","format":"pdf","orderId":"#W1","from":"2026-01-01"}`:     bus.Validation,
		`{"kind":"orders","format":"csv","orderId":"#W1"}`:                          bus.Validation,
		`{"kind":"orders","format":"csv","from":"2026-03-02","to":"2026-03-01"}`:    bus.Validation,
		`{"kind":"sales","format":"csv","from":"2026-03-02","to":"2026-03-01"}`:     bus.Validation,
		`{"kind":"orders","format":"docx"}`:                                         bus.Validation,
		`{"kind":"orders","format":"csv","file":"/etc/passwd"}`:                     bus.Validation,
		`{"kind":"customers","format":"csv","from":"9999-01-01","to":"0001-01-01"}`: bus.Validation,
	} {
		if r := d.invoke("document.export", args); r.OK() || r.Err.Code != code {
			t.Errorf("%s: %v, want %s", args, r.Err, code)
		}
	}
	d.as("auditor")
	d.refused("document.export", `{"kind":"orders","format":"csv"}`, bus.Forbidden, bus.ReasonPermission)
}

// TestAnAgentExportsOnlyWhatAPersonSaw: the card describes the document in a sentence.
func TestAnAgentExportsOnlyWhatAPersonSaw(t *testing.T) {
	d := openSample(t, "owner")
	id := d.anasOrder("PayPal")
	files := len(d.files)
	r := d.bus.Invoke(context.Background(), bus.Invocation{Capability: "document.export", Principal: d.person,
		Caller:    bus.Caller{Type: bus.CallerAgent},
		Arguments: json.RawMessage(jsonf(`{"kind":"receipt","format":"pdf","orderId":%q}`, id))})
	if !r.OK() || d.card == nil || d.card.Summary != "Write the receipt of "+id+" for Ana Ruiz to a file (pdf)" ||
		len(d.files) != files+1 {
		t.Errorf("%v, card %+v", r.Err, d.card)
	}
}

// TestACancelledExportLeavesNoFile.
func TestACancelledExportLeavesNoFile(t *testing.T) {
	d := openSample(t, "owner")
	ctx, cancel := context.WithCancel(context.Background())
	d.onCreate = cancel
	r := d.bus.Invoke(ctx, bus.Invocation{Capability: "document.export",
		Arguments: json.RawMessage(`{"kind":"orders","format":"csv"}`),
		Principal: d.person, Caller: bus.Caller{Type: bus.CallerTest}})
	if r.OK() || r.Err.Reason != bus.ReasonCancelled || d.dropped.Load() != 1 || len(d.files) != 0 {
		t.Errorf("%v, %d dropped, files %d", r.Err, d.dropped.Load(), len(d.files))
	}
}
