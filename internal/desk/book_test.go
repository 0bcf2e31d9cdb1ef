package desk_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// sell sells one mug's worth of coffee, and returns the number of the receipt.
func sell(t *testing.T, d *desk.Desk) string {
	t.Helper()
	desktest.Must(t, d, bus.CallerTest, "cart.addItem", `{"productId":"prd_guji_natural","quantity":1}`, nil)
	var out struct{ ReceiptNumber string }
	desktest.Must(t, d, bus.CallerTest, "checkout.submit", `{"paymentMethodId":"cash","fulfilment":"takeAway"}`, &out)
	return out.ReceiptNumber
}

// TestAMergeDrawsTheNumbersThatADraftDidNotGive: in the order of the merge, behind what was sold meanwhile.
func TestAMergeDrawsTheNumbersThatADraftDidNotGive(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Allow: true, Clock: atNoon})
	first := sell(t, d)
	var made struct{ DraftID string }
	desktest.Must(t, d, bus.CallerTest, "draft.open", `{}`, &made)
	draft := desktest.Open(t, desk.Options{Folder: d.DraftFolder(made.DraftID), Allow: true, Clock: atNoon})
	if one, two := sell(t, draft), sell(t, draft); one != "" || two != "" {
		t.Errorf("the draft gave %s and %s", one, two)
	}
	desktest.Must(t, d, bus.CallerTest, "draft.merge", `{"draftId":"`+made.DraftID+`"}`, nil)
	next := sell(t, d)
	var numbers []string
	if err := d.Log.View(t.Context(), func(ctx context.Context) error {
		rows, err := audit.Tx(ctx).QueryContext(ctx, `SELECT number FROM receipts ORDER BY series_year, count`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var number string
			if err := rows.Scan(&number); err != nil {
				return err
			}
			numbers = append(numbers, number)
		}
		return rows.Err()
	}); err != nil {
		t.Fatal(err)
	}
	if len(numbers) != 4 || numbers[0] != first || numbers[3] != next || !slices.IsSorted(numbers) ||
		!strings.HasSuffix(next, "-000004") {
		t.Errorf("the receipts have the numbers %q", numbers)
	}
	if v, err := d.Log.VerifyState(t.Context(), nil); err != nil || !v.OK {
		t.Errorf("%+v, %v", v, err)
	}
}

// TestAfterARestoreTheCountGoesOn: behind the last number given. On another computer the next closing says that numbers
// may be given twice.
func TestAfterARestoreTheCountGoesOn(t *testing.T) {
	now := time.Now()
	clock := func() time.Time { now = now.Add(time.Second); return now }
	d := desktest.Sample(t, desk.Options{Allow: true, Clock: clock})
	sell(t, d)
	desktest.Must(t, d, bus.CallerUI, "shop.backup", `{}`, nil)
	var b struct {
		Folder string
		Copies []struct{ Name string }
	}
	desktest.Must(t, d, bus.CallerUI, "shop.listBackups", `{}`, &b)
	copied, err := os.ReadFile(filepath.Join(b.Folder, b.Copies[0].Name))
	if err != nil {
		t.Fatal(err)
	}
	sell(t, d)
	sell(t, d)
	doubted := func(d *desk.Desk) bool {
		t.Helper()
		var out struct{ InDoubt bool }
		desktest.Must(t, d, bus.CallerUI, "day.close", `{"counted":{"amount":0,"currency":"USD"}}`, &out)
		if v, err := d.Log.VerifyState(t.Context(), nil); err != nil || !v.OK {
			t.Errorf("%+v, %v", v, err)
		}
		return out.InDoubt
	}
	desktest.Must(t, d, bus.CallerUI, "shop.restore", `{"file":"`+b.Copies[0].Name+`"}`, nil)
	if n := sell(t, d); !strings.HasSuffix(n, "-000004") {
		t.Errorf("after the restore the number is %s", n)
	}
	if doubted(d) {
		t.Error("the closing says that numbers may have been given twice")
	}

	other := desktest.Sample(t, desk.Options{Allow: true, Clock: clock})
	desktest.Must(t, other, bus.CallerUI, "shop.listBackups", `{}`, &b)
	if err := os.MkdirAll(b.Folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(b.Folder, "shop-elsewhere.db"), copied, 0o600); err != nil {
		t.Fatal(err)
	}
	desktest.Must(t, other, bus.CallerUI, "shop.restore", `{"file":"shop-elsewhere.db"}`, nil)
	if n := sell(t, other); !strings.HasSuffix(n, "-000002") {
		t.Errorf("elsewhere the number is %s", n)
	}
	if !doubted(other) {
		t.Error("the closing does not say that numbers may have been given twice")
	}
	if doubted(other) {
		t.Error("the closing after that says it again")
	}
}
