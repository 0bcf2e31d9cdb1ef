package desk_test

import (
	"bytes"
	"compress/gzip"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// keepShop writes testdata/shop-VERSION.db.gz: do it once, at a release.
//
//	go test ./internal/desk -run TestKeepShop -keep-shop
var keepShop = flag.Bool("keep-shop", false, "write the shop that is kept of this version")

// TestKeepShop makes the shop that is kept of this version, and opens it as a later version would.
func TestKeepShop(t *testing.T) {
	folder := t.TempDir()
	makeShop(t, folder)
	path := filepath.Join(folder, desk.DatabaseName)
	db, err := sql.Open("sqlite", path)
	if err == nil {
		_, err = db.ExecContext(t.Context(), "PRAGMA journal_mode = DELETE; VACUUM")
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	if !*keepShop {
		openKept(t, folder)
		return
	}
	plain, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	_, err = w.Write(plain)
	if err := errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("testdata/shop-"+desk.Version+".db.gz", packed.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestShopsOfReleasedVersionsAreOpened, verified and worked with: one of each version is kept.
func TestShopsOfReleasedVersionsAreOpened(t *testing.T) {
	kept, err := filepath.Glob("testdata/shop-*.db.gz")
	if err != nil || len(kept) == 0 {
		t.Fatalf("no shop is kept: %v", err)
	}
	for _, file := range kept {
		t.Run(filepath.Base(file), func(t *testing.T) {
			packed, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r, err := gzip.NewReader(bytes.NewReader(packed))
			if err != nil {
				t.Fatal(err)
			}
			plain, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, desk.DatabaseName), plain, 0o600); err != nil {
				t.Fatal(err)
			}
			openKept(t, folder)
		})
	}
}

// makeShop makes a shop in which something was done with most of its tables: sales, a return, notes, a held cart, what
// was said to an assistant, a routine, an erased customer.
func makeShop(t *testing.T, folder string) {
	t.Helper()
	d, err := desk.Open(t.Context(), desk.Options{Folder: folder, Create: true, Allow: true, Door: "test"})
	if err != nil {
		t.Fatal(err)
	}
	must := func(out any, name, args string, values ...any) {
		t.Helper()
		desktest.Must(t, d, bus.CallerTest, name, fmt.Sprintf(args, values...), out)
	}
	must(nil, "shop.setUp", `{"from":"empty","name":"Corner Shop","currency":"EUR"}`)
	must(nil, "catalog.createProduct", `{"name":"Apricot Jam","variants":[
		{"sku":"JAM","price":{"amount":790,"currency":"EUR"},"stock":12}]}`)
	var ana, gone struct{ CustomerID string }
	must(&ana, "customer.create", `{"name":"Ana Fixture","email":"ana@example.org"}`)
	must(&gone, "customer.create", `{"name":"Zofia Wisniewska","email":"zofia@example.org"}`)
	must(nil, "customer.erase", `{"customerId":%q}`, gone.CustomerID)
	must(nil, "customer.addNote", `{"customerId":%q,"text":"Prefers the large jar."}`, ana.CustomerID)
	var sold struct{ OrderID string }
	for n := range 3 {
		must(nil, "cart.setCustomer", `{"customerId":%q}`, ana.CustomerID)
		must(nil, "cart.addItem", `{"productId":"JAM","quantity":%d}`, n+1)
		must(nil, "cart.setShipping", `{"fulfilment":"takeAway"}`)
		must(&sold, "checkout.submit", `{"paymentMethodId":"cash"}`)
	}
	must(nil, "order.addNote", `{"orderId":%q,"text":"A lid was loose."}`, sold.OrderID)
	var order struct{ Lines []struct{ VariantID string } }
	must(&order, "order.get", `{"orderId":%q}`, sold.OrderID)
	must(nil, "order.returnNow", `{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"paymentMethodId":"cash",
		"reason":"faulty","restock":false}`, sold.OrderID, order.Lines[0].VariantID)
	must(nil, "routine.save", `{"name":"Called","steps":[{"capability":"customer.addNote",
		"arguments":{"customerId":{"$blank":"customerId"},"text":"Called"}}]}`)
	if err := errors.Join(d.Bridge.Send(t.Context(), agent.Turn{ConversationID: "c", Text: "add a jar of the apricot jam",
		Principal: d.Person}, func(agent.Update) {}), d.Close()); err != nil {
		t.Fatal(err)
	}
}

// openKept opens a shop of makeShop: its log and rows are whole, its orders are found, and what was done is undone.
func openKept(t *testing.T, folder string) {
	t.Helper()
	d := desktest.Open(t, desk.Options{Folder: folder, Allow: true})
	if v, err := d.Log.Verify(t.Context(), nil); err != nil || !v.OK || v.Records < 15 || v.Erased == 0 {
		t.Errorf("log: %+v, %v", v, err)
	}
	if v, err := d.Log.VerifyState(t.Context(), nil); err != nil || !v.OK || v.Rows < 20 {
		t.Errorf("rows: %+v, %v", v, err)
	}
	var found struct{ Orders []struct{ ID string } }
	desktest.Must(t, d, bus.CallerTest, "order.search", `{"query":"Ana Fixture"}`, &found)
	if len(found.Orders) != 3 {
		t.Fatalf("orders: %+v", found)
	}
	stock := func() int {
		var p struct{ Variants []struct{ Stock int } }
		desktest.Must(t, d, bus.CallerTest, "catalog.getProduct", `{"productId":"JAM"}`, &p)
		return p.Variants[0].Stock
	}
	if n := stock(); n != 6 {
		t.Errorf("%d jars, not 6", n)
	}
	newest := desktest.Must(t, d, bus.CallerTest, "order.addNote",
		fmt.Sprintf(`{"orderId":%q,"text":"Opened again."}`, found.Orders[0].ID), nil)
	desktest.Must(t, d, bus.CallerTest, "audit.undo", fmt.Sprintf(`{"requestId":%q}`, newest.RequestID), nil)
	if v, err := d.Log.Verify(t.Context(), nil); err != nil || !v.OK {
		t.Errorf("log, written to: %+v, %v", v, err)
	}
}
