package shop_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"
)

var reckonedShop = flag.String("shop", "",
	"folder of a shop whose log is replayed from its opening.db on, a copy of it")

// TestAShopAgreesWithTheReckoner replays the log of a shop from a copy of it on: money, stock, tax, receipts and
// closings are the same to the unit. Without -shop it is a small day of the sample.
func TestAShopAgreesWithTheReckoner(t *testing.T) {
	folder := *reckonedShop
	if folder == "" {
		folder = smallDay(t)
	}
	before, after := openCopy(t, filepath.Join(folder, "opening.db")), openCopy(t, filepath.Join(folder, "shop.db"))
	r := before.reckoner()
	seq, last := before.lastRecord(), after.lastRecord()
	after.readKinds()
	for seq < last {
		seq = after.replay(r, seq)
	}
	after.agreesWith(r)
	after.bookAgreesWith(r)
	after.closedAs(r)
	if len(r.Receipts()) == 0 || len(r.Closings()) == 0 {
		t.Errorf("%d receipts and %d closings say nothing", len(r.Receipts()), len(r.Closings()))
	}
	t.Logf("%d receipts and %d closings agree", len(r.Receipts()), len(r.Closings()))
}

func (d *desk) lastRecord() int64 { return d.number(`SELECT COALESCE(MAX(seq), 0) FROM audit_records`) }

// openCopy opens a copy of a file that a program may have open.
func openCopy(t *testing.T, path string) *desk {
	t.Helper()
	to := filepath.Join(t.TempDir(), "shop.db")
	for _, part := range []string{"", "-wal"} {
		data, err := os.ReadFile(path + part)
		if part != "" && os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = os.WriteFile(to+part, data, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return openDesk(t, to)
}

// smallDay is the folder of a sample shop after a day: a payment by two methods that comes back in part, an open item,
// a cash move and a closing with a difference.
func smallDay(t *testing.T) string {
	t.Helper()
	d := openSample(t, "owner")
	folder := filepath.Dir(d.path)
	data, err := os.ReadFile(sampleFile)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "opening.db"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	var sold struct{ OrderID string }
	d.must("cart.setCustomer", `{"walkIn":true}`, nil)
	d.must("cart.addItem", jsonf(`{"productId":"prd_guji_natural","variantId":%q,"quantity":2}`, gujiBeans), nil)
	d.must("checkout.submit", `{"payments":[{"paymentMethodId":"cash","amount":{"amount":1000,"currency":"USD"}},
		{"paymentMethodId":"card"}]}`, &sold)
	d.must("order.returnNow", jsonf(`{"orderId":%q,"lines":[{"variantId":%q,"quantity":1}],"reason":"faulty",
		"restock":false}`, sold.OrderID, gujiBeans), nil)
	d.must("cart.addOpenItem", `{"title":"Gift wrap","unitPrice":{"amount":350,"currency":"USD"}}`, nil)
	d.must("checkout.submit", `{"paymentMethodId":"cash","tendered":{"amount":2000,"currency":"USD"}}`, nil)
	d.must("cash.move", `{"amount":{"amount":5000,"currency":"USD"},"reason":"change"}`, nil)
	d.must("day.close", `{"counted":{"amount":6000,"currency":"USD"}}`, nil)
	return folder
}
