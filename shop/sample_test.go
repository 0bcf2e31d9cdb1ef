package shop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
)

// TestSampleShopAddsUp: money and stock of a year of orders are consistent to
// the cent and the piece. Each query finds offenders.
func TestSampleShopAddsUp(t *testing.T) {
	d := openSample(t, "auditor")
	d.addsUp()
}

// addsUp checks the invariants of money and stock.
func (d *desk) addsUp() {
	d.t.Helper()
	for rule, offenders := range map[string]string{
		"an order's total is its parts": `SELECT COUNT(*) FROM orders WHERE total <> subtotal - discount + shipping + CASE tax_included WHEN 1 THEN 0 ELSE tax END`,
		"an order's parts are its lines": `SELECT COUNT(*) FROM orders o WHERE (subtotal, discount, tax) <>
			(SELECT SUM(total), SUM(discount), SUM(tax) FROM order_lines l WHERE l.order_id = o.id)`,
		"a line's total is price times quantity": `SELECT COUNT(*) FROM order_lines WHERE total <> price * quantity`,
		"what is paid and not refunded is what the customer keeps, and shipping": `SELECT COUNT(*) FROM orders o WHERE
			(SELECT COALESCE(SUM(CASE kind WHEN 'payment' THEN amount ELSE -amount END), 0) FROM payments p WHERE p.order_id = o.id)
			<> CASE o.status WHEN 'cancelled' THEN 0 ELSE o.shipping + (SELECT COALESCE(SUM(l.total - l.discount + CASE o.tax_included WHEN 1 THEN 0 ELSE l.tax END), 0)
				FROM order_lines l WHERE l.order_id = o.id AND l.returned_by = '') END`,
		"payments are by the customer's own methods": `SELECT COUNT(*) FROM payments p JOIN orders o ON o.id = p.order_id
			JOIN payment_methods m ON m.id = p.method_id WHERE m.customer_id <> o.customer_id`,
		"addresses are the customer's own": `SELECT COUNT(*) FROM orders o JOIN addresses a ON a.id = o.address_id WHERE a.customer_id <> o.customer_id`,
		"stock is what moved": `SELECT COUNT(*) FROM variants v WHERE v.stock IS NOT NULL AND v.stock <>
			(SELECT COALESCE(SUM(delta), 0) FROM stock_movements m WHERE m.variant_id = v.id)`,
		"what is not counted does not move": `SELECT COUNT(*) FROM stock_movements m JOIN variants v ON v.id = m.variant_id WHERE v.stock IS NULL`,
		// Pieces that the customer has, unsellable returned pieces, and pieces reserved for an open exchange.
		"an order takes what its lines say": `WITH had AS (
				SELECT l.order_id, l.variant_id, l.quantity AS n FROM order_lines l JOIN orders o ON o.id = l.order_id
					LEFT JOIN order_requests q ON q.id = l.returned_by WHERE o.status <> 'cancelled' AND (l.returned_by = '' OR q.restocked = 0)
				UNION ALL SELECT q.order_id, i.variant_id, i.received FROM order_requests q JOIN order_request_lines i ON i.request_id = q.id WHERE q.kind = 'exchange' AND q.restocked = 0
				UNION ALL SELECT q.order_id, i.new_variant_id, i.quantity FROM order_requests q JOIN order_request_lines i ON i.request_id = q.id WHERE q.kind = 'exchange' AND q.status = 'requested'
				UNION ALL SELECT m.order_id, m.variant_id, m.delta FROM stock_movements m WHERE m.order_id <> '')
			SELECT COUNT(*) FROM (SELECT SUM(had.n) AS n FROM had JOIN variants v ON v.id = had.variant_id WHERE v.stock IS NOT NULL GROUP BY had.order_id, had.variant_id) WHERE n <> 0`,
		"stock was never negative": `SELECT COUNT(*) FROM (SELECT SUM(m.delta) OVER (PARTITION BY m.variant_id ORDER BY m.at, m.rowid) AS level
			FROM stock_movements m JOIN variants v ON v.id = m.variant_id WHERE NOT v.backorder) WHERE level < 0`,
		"times are in order": fmt.Sprintf(
			`SELECT COUNT(*) FROM orders WHERE (processed_at > 0 AND processed_at < placed_at) OR (delivered_at > 0 AND delivered_at < processed_at)
			OR max(placed_at, processed_at, delivered_at, cancelled_at) > %d`, d.clock.UnixMilli()),
		"states have their times": `SELECT COUNT(*) FROM orders WHERE (status = 'processed' AND processed_at = 0) OR (status = 'delivered' AND delivered_at = 0)
			OR (status = 'cancelled' AND (cancelled_at = 0 OR cancel_reason = '')) OR (status = 'pending' AND processed_at > 0)`,
		"requests are about delivered orders": `SELECT COUNT(*) FROM order_requests q JOIN orders o ON o.id = q.order_id WHERE o.status <> 'delivered'`,
		"what is asked for is there": `SELECT COUNT(*) FROM (SELECT q.order_id, i.variant_id, SUM(i.quantity) AS n FROM order_requests q JOIN order_request_lines i ON i.request_id = q.id
				WHERE q.status = 'requested' GROUP BY q.order_id, i.variant_id) a
			WHERE n > (SELECT COALESCE(SUM(l.quantity), 0) FROM order_lines l WHERE l.order_id = a.order_id AND l.variant_id = a.variant_id AND l.returned_by = '')`,
		"what was shipped was processed":     `SELECT COUNT(*) FROM fulfilments f JOIN orders o ON o.id = f.order_id WHERE o.processed_at = 0`,
		"customers have one default address": `SELECT COUNT(*) FROM customers c WHERE (SELECT COUNT(*) FROM addresses a WHERE a.customer_id = c.id AND a.is_default = 1) > 1`,
		"and one default method":             `SELECT COUNT(*) FROM customers c WHERE (SELECT COUNT(*) FROM payment_methods m WHERE m.customer_id = c.id AND m.is_default = 1) > 1`,
	} {
		if n := d.number(offenders); n != 0 {
			d.t.Errorf("%s: %d offenders", rule, n)
		}
	}
}

func TestSampleShopIsWhatWasPromised(t *testing.T) {
	d := openSample(t, "")
	for what, least := range map[string]int64{"products": 40, "customers": 60, "orders": 300, "variants": 120,
		"staff": 5} {
		if n := d.number(`SELECT COUNT(*) FROM ` + what); n < least {
			t.Errorf("%d %s, want %d", n, what, least)
		}
	}
	for query, want := range map[string]int64{
		`SELECT COUNT(*) FROM products WHERE name LIKE '%guji%' OR search_fold LIKE '%guji%'`:                                     1,
		`SELECT COUNT(*) FROM customers WHERE name_fold LIKE ' ana %'`:                                                            1,
		`SELECT COUNT(*) FROM payment_methods WHERE last_four = '4242'`:                                                           1,
		`SELECT price FROM variants v JOIN products p ON p.default_variant_id = v.id WHERE p.name = 'Guji Natural'`:               2144,
		`SELECT COUNT(*) FROM addresses a JOIN customers c ON c.id = a.customer_id WHERE c.name = 'Ana Ruiz'`:                     2,
		`SELECT COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.name = 'Ana Ruiz' AND status = 'pending'`: 1,
		`SELECT COUNT(*) FROM order_requests WHERE status = 'received' AND restocked = 0 AND reason = 'faulty'`:                   1,
		`SELECT COUNT(*) FROM order_notes WHERE text LIKE '%crushed%' OR text LIKE 'ANGRY%'`:                                      2,
		`SELECT COUNT(*) FROM carts`:                            0,
		`SELECT COUNT(*) FROM staff WHERE role = 'owner'`:       1,
		`SELECT COUNT(*) FROM staff WHERE role = 'clerk'`:       2,
		`SELECT COUNT(DISTINCT status) FROM orders`:             4,
		`SELECT COUNT(*) FROM products WHERE search_fold = ' '`: 0,
	} {
		if n := d.number(query); n != want {
			t.Errorf("%s: %d, want %d", query, n, want)
		}
	}
	december := d.number(`SELECT COUNT(*) FROM orders WHERE strftime('%m', placed_at / 1000, 'unixepoch') = '12'`)
	july := d.number(`SELECT COUNT(*) FROM orders WHERE strftime('%m', placed_at / 1000, 'unixepoch') = '07'`)
	if december < july*3/2 {
		t.Errorf("%d orders in December and %d in July: no season", december, july)
	}
}

func TestSampleShopIsTheSameOnEveryRun(t *testing.T) {
	dump := func(d *desk) (all []string) {
		for _, table := range []string{"products", "variants", "customers", "addresses", "payment_methods", "orders",
			"order_lines", "payments", "stock_movements"} {
			err := d.log.View(context.Background(), func(ctx context.Context) error {
				rows, err := audit.Tx(ctx).QueryContext(ctx, `SELECT * FROM `+table+` ORDER BY 1, 2`)
				if err != nil {
					return err
				}
				defer rows.Close()
				columns, err := rows.Columns()
				if err != nil {
					return err
				}
				row, into := make([]any, len(columns)), make([]any, len(columns))
				for i := range row {
					into[i] = &row[i]
				}
				for rows.Next() {
					if err := rows.Scan(into...); err != nil {
						return err
					}
					all = append(all, fmt.Sprint(table, row))
				}
				return rows.Err()
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	again := openEmpty(t)
	again.must("shop.setUp", `{"from":"sample"}`, nil)
	if diff := cmp.Diff(dump(openSample(t, "")), dump(again)); diff != "" {
		t.Error(diff)
	}
}

func TestEmptyShopHasAnOwnerAndNothingElse(t *testing.T) {
	d := openEmpty(t)
	var out struct {
		Name                        string
		Products, Customers, Orders int
	}
	d.must("shop.setUp", `{"from":"empty","name":"Corner \u202eShop"}`, &out)
	if out.Name != "Corner Shop" || out.Products+out.Customers+out.Orders != 0 {
		t.Errorf("set up: %+v", out)
	}
	d.as("")
	if d.person.Role != "owner" {
		t.Errorf("signed in as %+v", d.person)
	}
	d.refused("shop.setUp", `{"from":"sample"}`, bus.PreconditionFailed, bus.ReasonUnavailable)
}

// TestAnEmptyShopHasTheTermsOfItsCountry: terms that are not given are the usual ones of the country.
func TestAnEmptyShopHasTheTermsOfItsCountry(t *testing.T) {
	type place struct {
		Country, Currency, TimeZone, Locale string
		PricesIncludeTax                    bool
	}
	for args, want := range map[string]struct {
		place
		ratePPM int64
	}{
		`{"from":"empty"}`: {place{"", "USD", "UTC", "en-US", false}, 0},
		`{"from":"empty","country":"DE","locale":"de-DE"}`: {place{"DE", "EUR", "Europe/Berlin", "de-DE", true}, 190_000},
		`{"from":"empty","country":"DE"}`:                  {place{"DE", "EUR", "Europe/Berlin", "en-US", true}, 190_000},
		`{"from":"empty","country":"US","timeZone":"America/Denver","ratePpm":55000}`: {
			place{"US", "USD", "America/Denver", "en-US", false}, 55_000},
		`{"from":"empty","country":"CH","currency":"EUR","timeZone":"UTC","locale":"fr-CH","ratePpm":0,"pricesIncludeTax":false}`: {
			place{"CH", "EUR", "UTC", "fr-CH", false}, 0},
	} {
		d := openEmpty(t)
		d.must("shop.setUp", args, nil)
		d.as("")
		var got struct {
			Shop place
			Tax  []struct{ RatePPM int64 }
		}
		d.must("settings.get", `{}`, &got)
		if got.Shop != want.place || got.Tax[0].RatePPM != want.ratePPM {
			t.Errorf("%s: %+v", args, got)
		}
	}
	d := openEmpty(t)
	for args, path := range map[string]string{
		`{"from":"sample","country":"DE"}`:                 "/from",
		`{"from":"empty","country":"XX"}`:                  "/country",
		`{"from":"empty","country":"DE","currency":"XQQ"}`: "/currency",
		`{"from":"empty","timeZone":"Mars/Olympus"}`:       "/timeZone",
		`{"from":"empty","locale":"not a locale"}`:         "/locale",
	} {
		if e := d.refused("shop.setUp", args, bus.Validation, bus.ReasonArguments); e.Violations[0].Path != path {
			t.Errorf("%s: %+v", args, e.Violations)
		}
	}
}

// TestWhoSetsUpAShopKeepsTheirWindow: the language chosen before there is a shop is the owner's of the sample too.
func TestWhoSetsUpAShopKeepsTheirWindow(t *testing.T) {
	d := openEmpty(t)
	d.must("language.set", `{"language":"de"}`, nil)
	d.must("shop.setUp", `{"from":"sample"}`, nil)
	d.as("owner")
	m, err := d.bus.Manifest(context.Background(), bus.View{Caller: bus.CallerUI, Principal: d.person})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Capabilities {
		if c.Name == "language.set" && c.Current != "de" {
			t.Errorf("the language is %v", c.Current)
		}
	}
}

func TestWhatIsUsualIsSuggested(t *testing.T) {
	d := openEmpty(t)
	for args, want := range map[string]string{
		`{"timeZone":"Europe/Vienna","locale":"de-DE"}`: `{"country":"AT","currency":"EUR","timeZone":"Europe/Vienna",` +
			`"timeZones":["Europe/Vienna"],"locale":"de-AT","ratePpm":200000,"ratesOf":"2026-01-01","pricesIncludeTax":true}`,
		`{"country":"NZ","timeZone":"Europe/Vienna","locale":"de-DE"}`: `{"country":"NZ","currency":"NZD",` +
			`"timeZone":"Pacific/Auckland","timeZones":["Pacific/Auckland","Pacific/Chatham"],"locale":"de-NZ","ratePpm":150000,` +
			`"ratesOf":"2026-01-01","pricesIncludeTax":true}`,
		`{"timeZone":"Mars/Olympus"}`: `{"timeZones":[],"pricesIncludeTax":false}`,
	} {
		var got json.RawMessage
		d.must("shop.suggest", args, &got)
		if string(got) != want {
			t.Errorf("%s: %s", args, got)
		}
	}
}

func TestNothingWorksBeforeThereIsAShop(t *testing.T) {
	d := openEmpty(t)
	for _, name := range []string{"catalog.search", "customer.search", "cart.getSummary", "cart.validate", "order.search",
		"settings.get"} {
		e := d.refused(name, `{}`, bus.PreconditionFailed, bus.ReasonUnavailable)
		contains(t, e.Hint, "shop.setUp")
	}
	d.must("session.get", `{}`, nil)
	d.must("navigation.go", `{"page":"counter"}`, nil)
	m, err := d.bus.Manifest(context.Background(), bus.View{Caller: bus.CallerUI, Principal: d.person})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Capabilities {
		if c.Name == "shop.setUp" && !c.Available {
			t.Errorf("shop.setUp is not available: %s", c.UnavailableReason)
		}
		if c.Name == "checkout.submit" && c.Available {
			t.Error("checkout.submit is available")
		}
	}
}

func TestOnlyAnOwnerSetsUpOrImports(t *testing.T) {
	d := openSample(t, "manager")
	d.refused("shop.setUp", `{"from":"empty"}`, bus.Forbidden, bus.ReasonPermission)
	d.refused("shop.importCSV", `{"file":"x","kind":"products"}`, bus.Forbidden, bus.ReasonPermission)
}
