package shop_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/deskhand/deskhand/shop/transfer"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// written is an export in memory.
type written struct {
	desk *desk
	name string
	buf  bytes.Buffer
}

func (w *written) Write(p []byte) (int, error) { return w.buf.Write(p) }

func (w *written) Keep() (string, error) {
	w.desk.files[w.name] = w.buf.String()
	return w.name, nil
}

func (w *written) Drop() error {
	w.desk.dropped.Add(1)
	return nil
}

// createFile is shop.Ports.CreateFile. Exported files can be opened.
func (d *desk) createFile(_ context.Context, _, name string) (shop.NewFile, error) {
	if d.onCreate != nil {
		d.onCreate()
	}
	return &written{desk: d, name: name}, nil
}

// export is the shop as shop.export writes it.
func (d *desk) export() string {
	d.t.Helper()
	var out struct {
		File   string
		SHA256 string
	}
	d.must("shop.export", `{}`, &out)
	return d.files[out.File]
}

// openImported is a new shop filled from an export.
func openImported(t testing.TB, file string) *desk {
	t.Helper()
	d := openNew(t)
	d.files["shop.json"] = file
	d.must("shop.import", `{"file":"shop.json"}`, nil)
	return d
}

// openNew is a shop that is set up and empty.
func openNew(t testing.TB) *desk {
	t.Helper()
	d := openEmpty(t)
	d.must("shop.setUp", `{"from":"empty"}`, nil)
	d.as("")
	return d
}

// sameShop compares every row of two shops that a file is made of.
func sameShop(t testing.TB, a, b *desk) {
	t.Helper()
	for _, table := range []string{
		"shop", "tax_classes", "shipping_methods", "products", "product_tags", "product_pictures", "variants", "stock_movements", "customers",
		"addresses", "payment_methods",
		"orders", "order_lines", "order_shipping", "payments", "fulfilments", "fulfilment_lines", "order_requests", "order_request_lines",
		"order_notes", "order_changes", "price_changes",
	} {
		if diff := cmp.Diff(a.dump(table), b.dump(table)); diff != "" {
			t.Errorf("%s differs:\n%.2000s", table, diff)
		}
	}
}

// dump returns every row of a table without derived columns: search texts, and the revision that guards undo.
func (d *desk) dump(table string) []string {
	d.t.Helper()
	var rows []string
	err := d.log.View(context.Background(), func(ctx context.Context) error {
		all, err := audit.Tx(ctx).QueryContext(ctx, `SELECT * FROM `+table)
		if err != nil {
			return err
		}
		defer all.Close()
		columns, err := all.Columns()
		if err != nil {
			return err
		}
		for all.Next() {
			values := make([]any, len(columns))
			into := make([]any, len(columns))
			for i := range values {
				into[i] = &values[i]
			}
			if err := all.Scan(into...); err != nil {
				return err
			}
			var row strings.Builder
			for i, column := range columns {
				if column != "search_fold" && column != "revision" {
					fmt.Fprintf(&row, "%s=%v ", column, values[i])
				}
			}
			rows = append(rows, row.String())
		}
		return all.Err()
	})
	if err != nil {
		d.t.Fatal(err)
	}
	slices.Sort(rows)
	return rows
}

func TestExportOfAnImportIsTheSameFile(t *testing.T) {
	d := openSample(t, "owner")
	d.must("settings.set", `{"section":"shop","values":{"locale":"de-de","address":"Hauptstr. 1\nBerlin",
		"phone":"030 1234","email":"laden@example.com","taxNumber":"DE1","footer":"Danke"}}`, nil)
	d.files["picture"] = pngOf(900, 700)
	d.must("catalog.setPicture", `{"productId":"prd_guji_natural","file":"picture"}`, nil)
	d.must("settings.setLogo", `{"file":"picture"}`, nil)
	d.must("catalog.receiveStock", jsonf(`{"lines":[{"variantId":%q,"quantity":3,"cost":{"amount":900,"currency":"USD"}}],
		"reference":"DN 1"}`, gujiBeans), nil)
	d.must("catalog.setReorder", jsonf(`{"variantId":%q,"level":9}`, gujiBeans), nil)
	d.must("customer.addNote", jsonf(`{"customerId":%q,"text":"Rings twice"}`, d.ana()), nil)
	first := d.export()
	if n := strings.Count(first, "\n"); n < 300 {
		t.Fatalf("the export has %d lines", n)
	}
	imported := openImported(t, first)
	if second := imported.export(); second != first {
		t.Errorf("the second export differs: %s", cmp.Diff(strings.Split(first, "\n"), strings.Split(second, "\n")))
	}
	sameShop(t, d, imported)
	imported.addsUp()
	imported.derived()
	contains(t, first, `"locale":"de-DE"`)
	contains(t, imported.said(), "Exported the shop to shop-20260312-150405.json: ")
}

// TestAPictureThatWasNotMadeHereIsNotImported: one with more behind its end, and one that is cut short.
func TestAPictureThatWasNotMadeHereIsNotImported(t *testing.T) {
	d := openSample(t, "owner")
	d.files["picture"] = pngOf(900, 700)
	d.must("settings.setLogo", `{"file":"picture"}`, nil)
	file := d.export()
	whole := regexp.MustCompile(`"logo":"([^"]*)"`).FindStringSubmatch(file)[1]
	jpeg, err := base64.StdEncoding.DecodeString(whole)
	if err != nil {
		t.Fatal(err)
	}
	imported := openNew(t)
	for _, damaged := range [][]byte{append(slices.Clone(jpeg), "more"...), jpeg[:len(jpeg)-2], jpeg[:60]} {
		imported.files["file"] = strings.Replace(file, whole, base64.StdEncoding.EncodeToString(damaged), 1)
		e := imported.refused("shop.import", `{"file":"file"}`, bus.Validation, bus.ReasonArguments)
		if !strings.Contains(e.Violations[0].Path, "logo") {
			t.Errorf("%+v", e)
		}
	}
}

func TestExportFitsThePublishedSchema(t *testing.T) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(transfer.FileSchema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///s", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:///s")
	if err != nil {
		t.Fatal(err)
	}
	file, err := jsonschema.UnmarshalJSON(strings.NewReader(openSample(t, "owner").export()))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(file); err != nil {
		t.Error(err)
	}
	published, err := os.ReadFile("../docs/shop.schema.json")
	if err != nil || !bytes.Equal(published, transfer.FileSchema()) {
		t.Errorf("docs/shop.schema.json is stale: run make gen (%v)", err)
	}
}

// tiny is the least that a file can say, by hand: the rest is filled in.
const tiny = `{"format":"deskhand.shop","version":1,
"shop":{"name":"Rossi","currency":"USD","timeZone":"America/New_York"},
"taxClasses":[{"id":"none","name":"None","ratePpm":0}],
"shippingMethods":[{"id":"standard","name":"Standard","price":{"amount":0,"currency":"USD"},"days":5}],
"products":[{"id":"1656367028","name":"Mechanical Keyboard","options":["switch type"],"variants":[
 {"id":"7706410293","options":["clicky"],"price":{"amount":26916,"currency":"USD"},"stock":7},
 {"id":"1151293680","options":["linear"],"price":{"amount":27233,"currency":"USD"}}]}],
"customers":[{"id":"yusuf_rossi_9620","name":"Yusuf Rossi","email":"yusuf@example.com",
 "addresses":[{"id":"a1","label":"Home","line1":"763 Broadway","city":"Philadelphia","region":"PA","postalCode":"19122","country":"USA"}],
 "paymentMethods":[{"id":"credit_card_9513926","kind":"card","brand":"mastercard","lastFour":"2478"},{"id":"gift_card_1","kind":"giftCard","balance":{"amount":5000,"currency":"USD"}}]}],
"orders":[{"id":"#W2378156","customerId":"yusuf_rossi_9620","status":"delivered","placedAt":1700000000000,"processedAt":1700000000000,"deliveredAt":1700000000001,
 "total":{"amount":53832,"currency":"USD"},"address":{"id":"a1","label":"Home","line1":"763 Broadway","city":"Philadelphia","region":"PA","postalCode":"19122","country":"USA"},
 "lines":[{"variantId":"7706410293","quantity":2,"price":{"amount":26916,"currency":"USD"}}],
 "payments":[{"kind":"payment","methodId":"credit_card_9513926","amount":{"amount":53832,"currency":"USD"},"at":1700000000000}]}]}`

func TestFilesOfOthersNeedNotSayEverything(t *testing.T) {
	d := openImported(t, tiny)
	d.addsUp()
	var order struct {
		Lines    []struct{ Name, Label string }
		Payments []struct{ Label string }
		Total    money
	}
	d.must("order.get", `{"orderId":"#W2378156"}`, &order)
	if len(order.Lines) != 1 || order.Lines[0].Name != "Mechanical Keyboard" || order.Lines[0].Label != "clicky" ||
		order.Payments[0].Label != "mastercard ending 2478" || order.Total.Text != "$538.32" {
		t.Errorf("the order is %+v", order)
	}
	if n := d.number(`SELECT SUM(delta) FROM stock_movements WHERE variant_id = '7706410293' AND reason = 'opening'`); n !=
		9 {
		t.Errorf("the stock began with %d, want 7 left and 2 sold", n)
	}
	var hits struct{ Customers []struct{ ID string } }
	d.must("customer.search", `{"query":"rossi"}`, &hits)
	if len(hits.Customers) != 1 || hits.Customers[0].ID != "yusuf_rossi_9620" {
		t.Errorf("the customer is found as %+v", hits)
	}
	var returned struct{ RefundDue money }
	d.must("order.return", `{"orderId":"#W2378156","lines":[{"variantId":"7706410293","quantity":1}],"paymentMethodId":"credit_card_9513926"}`, &returned)
	if returned.RefundDue.Amount != 26916 {
		t.Errorf("a return is worth %+v", returned)
	}
	first := d.export()
	again := openImported(t, first)
	if second := again.export(); second != first {
		t.Errorf("the second export differs: %s", cmp.Diff(first, second))
	}
}

// TestALocaleOfAFileIsOne: a file without one is of the United States, as before.
// TestACancelledOrderMayHaveBeenSent: elsewhere an order is cancelled after its parcel left.
func TestACancelledOrderMayHaveBeenSent(t *testing.T) {
	d := openImported(t, strings.NewReplacer(`"delivered"`, `"cancelled"`,
		`"processedAt":1700000000000,"deliveredAt":1700000000001`, `"cancelledAt":1700000000001,"cancelReason":"other",
			"fulfilments":[{"id":"f1","trackingId":"1Z","at":1700000000000}]`,
		`"at":1700000000000}]}]}`, `"at":1700000000000},{"kind":"refund","methodId":"credit_card_9513926",
			"amount":{"amount":53832,"currency":"USD"},"at":1700000000001}]}]}`).Replace(tiny))
	if n := d.number(`SELECT COUNT(*) FROM fulfilments WHERE order_id = '#W2378156'`); n != 1 {
		t.Errorf("%d parcels", n)
	}
}

func TestALocaleOfAFileIsOne(t *testing.T) {
	locale := func(d *desk) string { return d.rows(`SELECT locale FROM shop`)[0].text(0) }
	if got := locale(openImported(t, tiny)); got != "en-US" {
		t.Errorf("a file without a locale is of %q", got)
	}
	with := func(locale string) string {
		return strings.Replace(tiny, `"timeZone":"America/New_York"`, `"timeZone":"America/New_York","locale":"`+locale+`"`,
			1)
	}
	d := openImported(t, with("ja-JP"))
	if got := locale(d); got != "ja-JP" {
		t.Errorf("the locale is %q", got)
	}
	d = openNew(t)
	d.files["bad"] = with("nowhere at all")
	e := d.refused("shop.import", `{"file":"bad"}`, bus.Validation, bus.ReasonArguments)
	contains(t, e.Message, "/shop/locale: There is no locale")
}

func TestImportIsForAnEmptyShop(t *testing.T) {
	d := openSample(t, "owner")
	d.files["shop.json"] = tiny
	e := d.refused("shop.import", `{"file":"shop.json"}`, bus.PreconditionFailed, bus.ReasonUnavailable)
	contains(t, e.Message, "already")
	d.as("manager")
	d.refused("shop.import", `{"file":"shop.json"}`, bus.Forbidden, bus.ReasonPermission)
	d.refused("shop.export", `{}`, bus.Forbidden, bus.ReasonPermission)
}

// TestDryRunOfAnImportChangesNothing: it reports the changes that the import would make.
func TestDryRunOfAnImportChangesNothing(t *testing.T) {
	d := openNew(t)
	d.files["shop.json"] = tiny
	before := d.stateHash()
	res := d.bus.Invoke(context.Background(), bus.Invocation{
		Capability: "shop.import", Arguments: json.RawMessage(`{"file":"shop.json"}`), DryRun: true,
		Caller: bus.Caller{Type: bus.CallerTest}, Principal: d.person,
	})
	var out struct{ Products, Customers, Orders int }
	if err := json.Unmarshal(res.Data, &out); !res.OK() || err != nil ||
		out != struct{ Products, Customers, Orders int }{1, 1, 1} {
		t.Errorf("the dry run says %s %v", res.Data, res.Err)
	}
	if d.stateHash() != before {
		t.Error("the dry run changed the shop")
	}
}

// stateHash sums up everything in the tables.
func (d *desk) stateHash() string {
	d.t.Helper()
	hash, err := d.log.StateHash(context.Background())
	if err != nil {
		d.t.Fatal(err)
	}
	return hash
}

// TestAFileIsImportedWhereThereIsNoShop: with an owner, who is the one at the desk;
// with a mistake in it there is no shop afterwards either.
func TestAFileIsImportedWhereThereIsNoShop(t *testing.T) {
	d := openEmpty(t)
	d.as("")
	d.files["wrong"] = strings.Replace(tiny, `"USD"`, `"XXX9"`, 1)
	if r := d.invoke("shop.import", `{"file":"wrong"}`); r.OK() {
		t.Fatal("a currency that nobody knows was taken")
	}
	if n := d.number(`SELECT COUNT(*) FROM shop`) + d.number(`SELECT COUNT(*) FROM staff`); n != 0 {
		t.Errorf("%d rows are left of what was refused", n)
	}
	d.files["shop"] = tiny
	d.must("shop.import", `{"file":"shop"}`, nil)
	if n := d.number(`SELECT COUNT(*) FROM staff WHERE role = 'owner'`); n != 1 {
		t.Errorf("%d owners", n)
	}
	same := openNew(t)
	same.files["shop"] = tiny
	same.must("shop.import", `{"file":"shop"}`, nil)
	sameShop(t, d, same)
}
