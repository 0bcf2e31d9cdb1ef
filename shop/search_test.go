package shop_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

func (d *desk) customerNames(args string) []string {
	d.t.Helper()
	var out struct{ Customers []struct{ Name string } }
	d.must("customer.search", args, &out)
	names := []string{}
	for _, c := range out.Customers {
		names = append(names, c.Name)
	}
	return names
}

func (d *desk) productNames(args string) []string {
	d.t.Helper()
	var out struct{ Products []struct{ Name string } }
	d.must("catalog.search", args, &out)
	names := []string{}
	for _, p := range out.Products {
		names = append(names, p.Name)
	}
	return names
}

func TestWholeWordsComeBeforeBeginningsBeforeTheRest(t *testing.T) {
	d := openSample(t, "clerk")
	want := []string{"Ana Ruiz", "Anaïs Lefèvre", "Diana Prewitt", "Ioana Țăranu"}
	if diff := cmp.Diff(want, d.customerNames(`{"query":"Ana"}`)); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"Aqix Lee", "Qixby Ames", "Zed Qix"} { // the other way round by name
		d.must("customer.create", jsonf(`{"name":%q}`, name), nil)
	}
	if diff := cmp.Diff([]string{"Zed Qix", "Qixby Ames", "Aqix Lee"}, d.customerNames(`{"query":"qix"}`)); diff != "" {
		t.Error(diff)
	}
}

func TestCustomersAreFound(t *testing.T) {
	d := openSample(t, "clerk")
	for args, want := range map[string][]string{
		`{"query":"anais LEFEVRE"}`:                    {"Anaïs Lefèvre"},
		`{"query":"soren moller"}`:                     {"Søren Møller"},
		`{"query":"weiss"}`:                            {"Jürgen Weiß"},
		`{"query":"lukasz"}`:                           {"Łukasz Nowak"},
		`{"query":"yildiz"}`:                           {"Mehmet Yıldız"},
		`{"query":"oconnor"}`:                          {"Renée O'Connor"},
		`{"query":"Renée O’Connor's"}`:                 {"Renée O'Connor"},
		`{"query":"渡辺"}`:                               {"渡辺 健"},
		`{"query":"김서연"}`:                              {"김서연"},
		`{"query":"παπαδακη"}`:                         {"Ελένη Παπαδάκη"},
		`{"query":"ana.ruiz@example.com"}`:             {"Ana Ruiz"},
		`{"query":"555 0142"}`:                         {"Ana Ruiz"},
		`{"email":"ANA.RUIZ@example.com"}`:             {"Ana Ruiz"},
		`{"phone":"(207) 555-0142"}`:                   {"Ana Ruiz"},
		`{"postalCode":"eh21en"}`:                      {"Isla MacLeod"},
		`{"name":"ruiz"}`:                              {"Ana Ruiz"},
		`{"name":"grace","postalCode":"04240"}`:        {"Grace Thibodeau"},
		`{"query":"the customer Ana Ruiz"}`:            {},
		`{"query":"nobody at all"}`:                    {},
		`{"query":"!?"}`:                               {},
		`{"query":"Ana Ruiz","email":"x@example.com"}`: {},
	} {
		if diff := cmp.Diff(want, d.customerNames(args)); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
}

func TestCustomersAreFoundByNameAndPostalCode(t *testing.T) {
	d := openSample(t, "clerk")
	ana := d.ana()
	for _, code := range []string{"SW1A 1AA", "04530"} {
		d.must("customer.addAddress",
			jsonf(`{"customerId":%q,"address":{"line1":"9 New Rd","city":"Bath","postalCode":%q,"country":"US"}}`,
				ana, code), nil)
	}
	for query, want := range map[string]int{"Ana Ruiz 04530": 1, "ruiz sw1a 1aa": 1, "ana sw1a1aa": 1, "Ana Ruiz 99999": 0,
		"Zoe 04530": 0} {
		var out struct{ Customers []struct{ ID string } }
		d.must("customer.search", jsonf(`{"query":%q}`, query), &out)
		if len(out.Customers) != want || want == 1 && out.Customers[0].ID != ana {
			t.Errorf("%s: %+v, want %d", query, out, want)
		}
	}
}

func TestProductsAreFound(t *testing.T) {
	d := openSample(t, "clerk")
	for args, want := range map[string][]string{
		`{"query":"guji"}`:                   {"Guji Natural"},
		`{"query":"bags of the Guji"}`:       {"Guji Natural"},
		`{"query":"NL-GUJ-250-WB"}`:          {"Guji Natural"},
		`{"query":"prd_guji_natural"}`:       {"Guji Natural"},
		`{"query":"narino"}`:                 {"Nariño Washed"},
		`{"query":"stoneware mugs"}`:         {"Stoneware Mug"},
		`{"query":"mug"}`:                    {"Enamel Camp Mug", "Stoneware Mug"},
		`{"tag":"Decaf"}`:                    {"Evening Tide Decaf"},
		`{"query":"light","tag":"espresso"}`: {"Harbor Light Espresso"},
		`{"query":"mocha java"}`:             {},
	} {
		if diff := cmp.Diff(want, d.productNames(args)); diff != "" {
			t.Errorf("%s: %s", args, diff)
		}
	}
}

func TestScannedCodeNamesItsVariant(t *testing.T) {
	d := openSample(t, "clerk")
	var p struct {
		Variants []struct{ ID, Barcode string }
	}
	d.must("catalog.getProduct", `{"productId":"prd_guji_natural"}`, &p)
	for _, code := range []string{"nl-guj-250-gr", p.Variants[1].Barcode, gujiGround} {
		var out struct {
			Products []struct{ MatchedVariantID string }
		}
		d.must("catalog.search", jsonf(`{"query":%q}`, code), &out)
		if len(out.Products) != 1 || out.Products[0].MatchedVariantID != gujiGround {
			t.Errorf("%s: %+v", code, out)
		}
	}
}

func TestOnlyWhatIsInStock(t *testing.T) {
	d := openSample(t, "clerk")
	all, stocked := d.productNames(`{"limit":200}`), d.productNames(`{"limit":200,"inStock":true}`)
	d.sell("prd_level_tamper")
	if after := d.productNames(`{"limit":200,"inStock":true}`); len(all) < len(stocked) || len(after) != len(stocked)-1 {
		t.Errorf("%d products, %d in stock, %d after one sold out", len(all), len(stocked), len(after))
	}
}

// sell empties the stock of a product through the counter.
func (d *desk) sell(productID string) {
	d.t.Helper()
	var p struct {
		Variants []struct {
			ID    string
			Stock int64
		}
	}
	d.must("catalog.getProduct", jsonf(`{"productId":%q}`, productID), &p)
	d.must("cart.setCustomer", jsonf(`{"customerId":%q}`, d.ana()), nil)
	for _, v := range p.Variants {
		d.must("cart.addItem", jsonf(`{"productId":%q,"variantId":%q,"quantity":%d}`, productID, v.ID, v.Stock), nil)
	}
	d.submit("Home", "PayPal")
}

func TestProductsArePagedInOrderOfNames(t *testing.T) {
	d := openSample(t, "clerk")
	whole := d.productNames(`{"limit":200}`)
	var paged []string
	for cursor := ""; ; {
		var out struct {
			Products   []struct{ Name string }
			NextCursor string
			HasMore    bool
		}
		d.must("catalog.search", jsonf(`{"limit":7,"cursor":%q}`, cursor), &out)
		for _, p := range out.Products {
			paged = append(paged, p.Name)
		}
		if cursor = out.NextCursor; !out.HasMore {
			break
		}
	}
	if diff := cmp.Diff(whole, paged); diff != "" {
		t.Error(diff)
	}
}

func TestSearchEverythingMixesKindsBestFirst(t *testing.T) {
	d := openSample(t, "clerk")
	type hit struct{ Kind, ID, Title string }
	var out struct {
		Hits       []hit
		NextCursor string
		HasMore    bool
	}
	d.must("search.query", `{"query":"Ana Ruiz"}`, &out)
	kinds := map[string]int{}
	for _, h := range out.Hits {
		kinds[h.Kind]++
	}
	if diff := cmp.Diff(map[string]int{"customer": 1, "order": 5}, kinds); diff != "" {
		t.Error(diff)
	}
	d.must("search.query", `{"query":"guji","kinds":["product"]}`, &out)
	if len(out.Hits) != 1 || out.Hits[0].ID != "prd_guji_natural" {
		t.Errorf("hits: %+v", out.Hits)
	}
	seen := map[string]bool{}
	for cursor := ""; ; {
		d.must("search.query", jsonf(`{"query":"e","limit":50,"cursor":%q}`, cursor), &out)
		for _, h := range out.Hits {
			if seen[h.Kind+h.ID] {
				t.Fatalf("%s %s came twice", h.Kind, h.ID)
			}
			seen[h.Kind+h.ID] = true
		}
		if cursor = out.NextCursor; !out.HasMore {
			break
		}
	}
	all := d.number(`SELECT (SELECT COUNT(*) FROM products WHERE instr(search_fold, 'e')) + (SELECT COUNT(*) FROM customers WHERE instr(search_fold, 'e')) + (SELECT COUNT(*) FROM orders WHERE instr(search_fold, 'e'))`)
	if int64(len(seen)) != all {
		t.Errorf("the pages have %d of %d hits", len(seen), all)
	}
	d.refused("search.query", `{"query":""}`, bus.Validation, bus.ReasonArguments)
}

// TestPagesAreTheWhole: however a list is read, its pages one after the other are
// the list read at once.
// TestOrdersAreFoundByWhereTheyGo: by street and postal code, at once when that changes; customers by every address.
func TestOrdersAreFoundByWhereTheyGo(t *testing.T) {
	d := openSample(t, "clerk")
	orders := func(query string) (ids []string) {
		var out struct{ Orders []struct{ ID string } }
		d.must("order.search", query, &out)
		for _, o := range out.Orders {
			ids = append(ids, o.ID)
		}
		return ids
	}
	customers := func(query string) string {
		var out struct{ Customers []struct{ Name string } }
		d.must("customer.search", jsonf(`{"query":%q}`, query), &out)
		return fmt.Sprint(out.Customers)
	}
	id := d.anasOrder("PayPal")
	for _, query := range []string{"123 main st", "04101 ruiz", id, "ruiz NL-GUJ-250"} {
		if got := orders(jsonf(`{"query":%q}`, query)); !slices.Contains(got, id) {
			t.Errorf("%q finds %v, not %s", query, got, id)
		}
	}
	d.must("order.changeAddress", jsonf(
		`{"orderId":%q,"address":{"line1":"9 Großer Hof","city":"London","postalCode":"SW1A 1AA","country":"GB"}}`, id), nil)
	for query, finds := range map[string]bool{"grosser hof": true, "sw1a1aa": true, "sw1a 1aa": true, "hof main": false} {
		if got := orders(jsonf(`{"query":%q}`, query)); slices.Contains(got, id) != finds {
			t.Errorf("%q finds %v, %s is wanted: %v", query, got, id, finds)
		}
	}
	added := d.must("customer.addAddress", jsonf(`{"customerId":%q,"address":{"line1":"7 Quai d'Orsay","city":"Paris",
		"postalCode":"75007","country":"FR"}}`, d.ana()), nil)
	contains(t, customers("quai orsay"), "Ana Ruiz")
	contains(t, customers("75007"), "Ana Ruiz")
	d.must("customer.update", jsonf(`{"customerId":%q,"phone":"555 0199"}`, d.ana()), nil)
	contains(t, customers("quai 0199"), "Ana Ruiz")
	var c struct{ Addresses []struct{ ID, Line1 string } }
	d.must("customer.get", jsonf(`{"customerId":%q}`, d.ana()), &c)
	d.must("customer.removeAddress", jsonf(`{"customerId":%q,"addressId":%q}`, d.ana(), c.Addresses[2].ID), nil)
	if got := customers("quai"); strings.Contains(got, "Ana") {
		t.Errorf("found by an address that is gone (%s): %s", added.RequestID, got)
	}
}

// TestOrdersAreSortedAndNarrowed: each order once, in the order asked for, page by page, with words and without.
func TestOrdersAreSortedAndNarrowed(t *testing.T) {
	d := openSample(t, "clerk")
	mine := d.anasOrder("PayPal")
	type order struct {
		ID, Status, Fulfilment string
		PlacedAt               int64
		Total                  money
	}
	all := func(args string) (all []order) {
		cursor := ""
		for {
			var page struct {
				Orders     []order
				NextCursor string
			}
			d.must("order.search", jsonf(`{"limit":7,"cursor":%q%s}`, cursor, args), &page)
			all = append(all, page.Orders...)
			if cursor = page.NextCursor; cursor == "" {
				return all
			}
		}
	}
	key := map[string]func(o order) int64{"newest": func(o order) int64 { return -o.PlacedAt },
		"oldest": func(o order) int64 { return o.PlacedAt }, "highest": func(o order) int64 { return -o.Total.Amount },
		"lowest": func(o order) int64 { return o.Total.Amount }}
	for _, words := range []string{"", `,"query":"guji"`, `,"query":"an","status":"delivered"`} {
		want := all(words)
		for sort, by := range key {
			got := all(words + `,"sort":"` + sort + `"`)
			if len(got) != len(want) || len(got) == 0 {
				t.Errorf("%s %s: %d orders, want %d", words, sort, len(got), len(want))
			}
			seen := map[string]bool{}
			for i, o := range got {
				if seen[o.ID] || i > 0 && by(got[i-1]) > by(o) {
					t.Errorf("%s %s: %+v after %+v", words, sort, o, got[max(0, i-1)])
				}
				seen[o.ID] = true
			}
		}
	}
	for args, holds := range map[string]func(o order) bool{
		`,"minTotal":{"amount":5000,"currency":"USD"},"maxTotal":{"amount":9000,"currency":"USD"}`: func(o order) bool {
			return o.Total.Amount >= 5000 && o.Total.Amount <= 9000
		},
		jsonf(`,"personId":%q`, d.person.ID): func(o order) bool { return o.ID == mine || o.PlacedAt < now.UnixMilli() },
		`,"fulfilment":"deliver"`:            func(o order) bool { return o.Fulfilment == "deliver" },
	} {
		got := all(args)
		if len(got) == 0 || len(got) == len(all("")) && !strings.Contains(args, "deliver") {
			t.Errorf("%s: %d orders", args, len(got))
		}
		for _, o := range got {
			if !holds(o) {
				t.Errorf("%s finds %+v", args, o)
			}
		}
	}
	d.refused("order.search", `{"minTotal":{"amount":5,"currency":"EUR"}}`, bus.Validation, bus.ReasonArguments)
}

func TestPagesAreTheWhole(t *testing.T) {
	d := openSample(t, "clerk")
	number := d.order(d.anasOrder("PayPal")).ID
	for capability, queries := range map[string][]string{
		"order.search": {"{}", `{"query":"guji"}`, `{"query":"an"}`, `{"status":"delivered"}`,
			jsonf(`{"customerId":%q}`, d.ana()), jsonf(`{"query":%q}`, number), `{"query":"e","status":"processed"}`},
		"customer.search": {"{}", `{"query":"an"}`, `{"query":"ana"}`, `{"query":"example com"}`,
			`{"query":"ana.ruiz@example.com"}`, `{"name":"an"}`},
		"catalog.search": {"{}", `{"query":"mug"}`, `{"query":"washed"}`, `{"query":"roast coffee"}`,
			`{"query":"NL-GUJ-250-WB"}`, `{"inStock":true}`},
		"search.query": {`{"query":"an"}`, `{"query":"ana"}`, `{"query":"guji"}`, `{"query":"o e"}`,
			`{"query":"the stoneware mugs"}`, jsonf(`{"query":%q}`, number)},
	} {
		for _, query := range queries {
			whole, paged := d.hits(capability, query, 200), d.hits(capability, query, 3)
			if diff := cmp.Diff(whole, paged); diff != "" || len(whole) == 0 {
				t.Errorf("%s %s, %d at once: %s", capability, query, len(whole), diff)
			}
		}
	}
}

// hits are the ids of everything that a search finds, read in pages.
func (d *desk) hits(capability, query string, limit int) (ids []string) {
	d.t.Helper()
	type hit struct{ ID string }
	for cursor := ""; ; {
		var page struct {
			Hits, Orders, Customers, Products []hit
			NextCursor                        string
		}
		d.must(capability, strings.Replace(jsonf(`{"limit":%d,"cursor":%q,%s`, limit, cursor, query[1:]), ",}", "}", 1),
			&page)
		for _, h := range slices.Concat(page.Hits, page.Orders, page.Customers, page.Products) {
			ids = append(ids, h.ID)
		}
		if cursor = page.NextCursor; cursor == "" {
			return ids
		}
		if len(ids) > 5000 {
			d.t.Fatalf("%s %s does not end", capability, query)
		}
	}
}

// TestSearchUsesNoInputAsSQL: all input is passed as parameters.
func TestSearchUsesNoInputAsSQL(t *testing.T) {
	d := openSample(t, "clerk")
	for _, q := range []string{`' OR 1=1 --`, `%`, `_`, `"; DROP TABLE products; --`, `a b c d e f g h i j k l`} {
		d.must("catalog.search", jsonf(`{"query":%q,"tag":%q}`, q, q), nil)
		d.must("customer.search", jsonf(`{"query":%q,"name":%q,"postalCode":"'"}`, q, q), nil)
		d.must("search.query", jsonf(`{"query":%q}`, q), nil)
	}
}

// TestListsAreSorted: each row once, in the order asked for, page by page, with words and without.
func TestListsAreSorted(t *testing.T) {
	d := openSample(t, "owner")
	d.must("customer.create", `{"name":"Aaron Last-Added"}`, nil)
	d.must("catalog.createProduct", `{"name":"Amber Guji","variants":[{"price":{"amount":1,"currency":"USD"}}]}`, nil)
	before := func(table string) string {
		return `SELECT COUNT(*) FROM ` + table + ` o JOIN ` + table + ` t ON t.id = ? WHERE (o.name_fold, o.id) <
			(t.name_fold, t.id)`
	}
	for capability, sorts := range map[string]map[string]string{
		"customer.search": {"name": before("customers"), "newest": `SELECT -created_at FROM customers WHERE id = ?`,
			"oldest": `SELECT created_at FROM customers WHERE id = ?`},
		"catalog.search": {"name": before("products"), "newest": `SELECT -created_at FROM products WHERE id = ?`,
			"cheapest": `SELECT MIN(price) FROM variants WHERE product_id = ?`,
			"dearest":  `SELECT -MAX(price) FROM variants WHERE product_id = ?`},
	} {
		for _, words := range []string{"", `,"query":"a"`, `,"query":"guji"`, `,"query":"an e"`} {
			want := d.hits(capability, `{`+strings.TrimPrefix(words, ",")+`}`, 200)
			for sort, value := range sorts {
				got := d.hits(capability, `{"sort":"`+sort+`"`+words+`}`, 3)
				if diff := cmp.Diff(slices.Sorted(slices.Values(want)), slices.Sorted(slices.Values(got))); diff != "" {
					t.Errorf("%s %s %s (-all +sorted):\n%s", capability, sort, words, diff)
				}
				for i := 1; i < len(got); i++ {
					if d.number(value, got[i-1]) > d.number(value, got[i]) {
						t.Errorf("%s %s %s: %s after %s", capability, sort, words, got[i], got[i-1])
					}
				}
			}
		}
	}
}

// TestOrdersOfAPeriod: a period is given by name or by dates, and the response contains the dates.
func TestOrdersOfAPeriod(t *testing.T) {
	d := openSample(t, "clerk")
	d.anasOrder("PayPal")
	type answer struct {
		Orders   []struct{ ID string }
		From, To string
	}
	ask := func(args string) (a answer) {
		d.must("order.search", `{"limit":200,`+args+`}`, &a)
		return a
	}
	for named, dated := range map[string]string{
		`"period":"today"`: `"from":"2026-03-12","to":"2026-03-12"`, `"period":"week"`: `"from":"2026-03-09","to":"2026-03-12"`,
		`"period":"last month"`:                    `"from":"2026-02-01","to":"2026-02-28"`,
		`"since":"last week","status":"delivered"`: `"from":"2026-03-02","to":"2026-03-12","status":"delivered"`,
	} {
		by, want := ask(named), ask(dated)
		if diff := cmp.Diff(want, by); diff != "" || want.From == "" {
			t.Errorf("%s (-%s +it):\n%s", named, dated, diff)
		}
	}
	if all := ask(`"sort":"newest"`); all.From != "" || len(all.Orders) <= len(ask(`"period":"week"`).Orders) {
		t.Errorf("without days: from %q, %d orders", all.From, len(all.Orders))
	}
	d.refused("order.search", `{"period":"today","from":"2026-03-01"}`, bus.Validation, bus.ReasonArguments)
	d.refused("order.search", `{"from":"2026-03-02","to":"2026-03-01"}`, bus.Validation, bus.ReasonArguments)
}

// A search that finds nothing says why: which words no record has.
func TestASearchThatFindsNothingSaysWhy(t *testing.T) {
	d := openSample(t, "clerk")
	for _, c := range []struct{ capability, args, want string }{
		{"customer.search", `{"query":"Ana Zebra"}`, "zebra"},
		{"customer.search", `{"query":"Ana Prewitt"}`, ""}, // both are there, and no customer has both
		{"customer.search", `{"query":"Ana"}`, ""},
		{"catalog.search", `{"query":"guji of unicorns qqq"}`, "unicorns qqq"},
		{"catalog.search", `{"query":"guji","tag":"no such tag"}`, ""},
		{"order.search", `{"query":"Ana unicorn"}`, "unicorn"},
		{"search.query", `{"query":"Ana guji unicorn"}`, "unicorn"},
	} {
		var out struct{ NotFound []string }
		d.must(c.capability, c.args, &out)
		if got := strings.Join(out.NotFound, " "); got != c.want {
			t.Errorf("%s %s: no record has %q, want %q", c.capability, c.args, got, c.want)
		}
	}
	for _, args := range []string{`{"customerId":"cus_of_nobody"}`, `{"personId":"per_of_nobody"}`} {
		d.refused("order.search", args, bus.NotFound, bus.ReasonRecord)
	}
}

// searched are the ids that a capability of search finds, of its first page.
func (d *desk) searched(capability, query string) (ids []string) {
	d.t.Helper()
	var out struct {
		Hits, Products, Customers, Orders []struct{ ID string }
	}
	d.must(capability, jsonf(`{"query":%q,"limit":10}`, query), &out)
	for _, h := range slices.Concat(out.Hits, out.Products, out.Customers, out.Orders) {
		ids = append(ids, h.ID)
	}
	return ids
}

// TestWhatIsCalledSoComesFirst among many whose name has the word too.
func TestWhatIsCalledSoComesFirst(t *testing.T) {
	d := openSample(t, "owner")
	var b strings.Builder
	b.WriteString("Handle,Title,Variant Price\n")
	for i := range 60 {
		fmt.Fprintf(&b, "tea-%d,%s Tea,4\ncup-%d,Cup of %d,3\n", i, string(rune('A'+i%26))+"l Tea Leaf", i, i)
	}
	b.WriteString("tea,Tea,4\nzz,zest & tea,4\n")
	d.files["f"] = b.String()
	d.must("shop.importCSV", `{"file":"f","kind":"products","currency":"USD"}`, nil)
	tea := d.rows(`SELECT id FROM products WHERE handle = 'tea'`)[0].text(0)
	for _, capability := range []string{"catalog.search", "search.query"} {
		for _, query := range []string{"Tea", " tea. "} {
			if ids := d.searched(capability, query); ids[0] != tea {
				t.Errorf("%s %q finds %v first, want %s", capability, query, ids[0], tea)
			}
		}
	}
	var max, first struct{ CustomerID string }
	d.must("customer.create", `{"name":"Adam Max"}`, &first)
	d.must("customer.create", `{"name":"Max"}`, &max)
	if ids := d.searched("customer.search", "max"); ids[0] != max.CustomerID {
		t.Errorf("customers: %v", ids)
	}
}

// TestUmlautsAreFoundAsTheyAreTyped on a keyboard without them, and the other way round.
func TestUmlautsAreFoundAsTheyAreTyped(t *testing.T) {
	d := openSample(t, "owner")
	ids := map[string]string{}
	for _, name := range []string{"Jürgen Müßig", "Juergen Muessig", "Blumen Öhler", "Søren Kjær"} {
		var made struct{ CustomerID string }
		d.must("customer.create", jsonf(`{"name":%q}`, name), &made)
		ids[name] = made.CustomerID
	}
	for query, want := range map[string][]string{
		"juergen muessig": {"Jürgen Müßig", "Juergen Muessig"}, "Jürgen Müßig": {"Jürgen Müßig", "Juergen Muessig"},
		"Müß": {"Jürgen Müßig", "Juergen Muessig"}, "oehler": {"Blumen Öhler"}, "öhler": {"Blumen Öhler"},
		"soeren kjaer": {"Søren Kjær"}, "blue": {},
	} {
		for _, capability := range []string{"customer.search", "search.query"} {
			found := d.searched(capability, query)
			for name, id := range ids {
				if slices.Contains(found, id) != slices.Contains(want, name) {
					t.Errorf("%s %q finds %s: %v", capability, query, name, !slices.Contains(want, name))
				}
			}
		}
	}
	d.files["f"] = "Handle,Title,Variant SKU,Variant Price\ng,Grüne Soße,GS,4\nh,Gruene Sosse,HS,4\n"
	d.must("shop.importCSV", `{"file":"f","kind":"products","currency":"USD"}`, nil)
	for _, query := range []string{"gruene sosse", "Grüne Soße", "GRÜNE SOSSE"} {
		if found := d.searched("catalog.search", query); len(found) != 2 {
			t.Errorf("%q finds %v", query, found)
		}
	}
	d.must("cart.addItem", jsonf(`{"productId":"GS","quantity":1,"customerId":%q}`, ids["Jürgen Müßig"]), nil)
	var sold receipt
	d.must("checkout.submit", `{"fulfilment":"takeAway","paymentMethodId":"cash"}`, &sold)
	for _, query := range []string{"muessig", "Gruene", "müßig soße"} {
		if found := d.searched("order.search", query); !slices.Contains(found, sold.OrderID) {
			t.Errorf("%q finds %v", query, found)
		}
	}
}
