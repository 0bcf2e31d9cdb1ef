// Package desktest opens desks on sample shops for tests.
package desktest

import (
	"context"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/zalando/go-keyring"
)

// sample makes the sample shop once and keeps its files in memory; tests copy it.
var sample = sync.OnceValues(func() (files fstest.MapFS, err error) {
	folder, err := os.MkdirTemp("", "deskhand-sample-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	d, err := desk.Open(context.Background(), desk.Options{Folder: folder, Create: true, Door: "cli"})
	if err != nil {
		return nil, err
	}
	r, err := d.Invoke(context.Background(), "shop.setUp", map[string]string{"from": "sample"}, "init")
	if err == nil && !r.OK() {
		err = r.Err
	}
	if err = errors.Join(err, d.Close()); err != nil {
		return nil, err
	}
	file, err := os.ReadFile(filepath.Join(folder, "shop.db"))
	return fstest.MapFS{"shop.db": {Data: file, Mode: 0o600}}, err
})

// Copy returns a folder with a copy of the sample shop.
func Copy(t testing.TB) string {
	t.Helper()
	files, err := sample()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	if err := os.CopyFS(folder, files); err != nil {
		t.Fatal(err)
	}
	return folder
}

// Open opens a desk; it is closed when the test ends.
func Open(t testing.TB, o desk.Options) *desk.Desk {
	t.Helper()
	if o.Door == "" {
		o.Door = "test"
	}
	d, err := desk.Open(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d
}

// Sample opens a desk on a copy of the sample shop.
func Sample(t testing.TB, o desk.Options) *desk.Desk {
	t.Helper()
	o.Folder = Copy(t)
	return Open(t, o)
}

// WithoutKeychain opens a desk on a copy of the sample shop, trusting some certificates, on a machine without a
// keychain.
func WithoutKeychain(t testing.TB, roots *x509.CertPool) *desk.Desk {
	t.Helper()
	keyring.MockInitWithError(keyring.ErrUnsupportedPlatform)
	return Sample(t, desk.Options{Roots: roots})
}

// Must invokes a capability as a kind of caller and decodes its data into out, if that is not nil.
func Must(t testing.TB, d *desk.Desk, kind bus.CallerType, name, args string, out any) bus.Result {
	t.Helper()
	r := d.Bus.Invoke(context.Background(), bus.Invocation{Capability: name, Arguments: json.RawMessage(args),
		Principal: d.Person, Caller: bus.Caller{Type: kind, Source: "test"}})
	if !r.OK() {
		t.Fatalf("%s %s: %v %s", name, args, r.Err, r.Err.Hint)
	}
	if out != nil {
		if err := json.Unmarshal(r.Data, out); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// OwnersPIN is the PIN of the owner of [LockedShop].
const OwnersPIN = "2468013579"

// LockedShop returns the folder of a sample shop whose owner has a PIN.
func LockedShop(t testing.TB) (folder string) {
	t.Helper()
	folder = Copy(t)
	d, err := desk.Open(t.Context(), desk.Options{Folder: folder, Door: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	Must(t, d, bus.CallerTest, "staff.setPin", `{"staffId":"mara_lindqvist","pin":"`+OwnersPIN+`"}`, nil)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	return folder
}

// staffed makes a sample shop in which everyone has a PIN once; tests copy it.
var staffed = sync.OnceValues(func() (files fstest.MapFS, err error) {
	from, err := sample()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "deskhand-staffed-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if err := os.CopyFS(folder, from); err != nil {
		return nil, err
	}
	d, err := desk.Open(context.Background(), desk.Options{Folder: folder, Door: "cli"})
	if err != nil {
		return nil, err
	}
	for _, person := range []string{"june_park", "idris_bello", "tomas_okafor", "mara_lindqvist"} {
		r, err := d.Invoke(context.Background(), "staff.setPin", json.RawMessage(SignIn(person)), "test")
		if err == nil {
			err = r.Error()
		}
		if err != nil {
			return nil, errors.Join(err, d.Close())
		}
	}
	if err := d.Close(); err != nil {
		return nil, err
	}
	file, err := os.ReadFile(filepath.Join(folder, "shop.db"))
	return fstest.MapFS{"shop.db": {Data: file, Mode: 0o600}}, err
})

// StaffedShop returns the folder of a sample shop in which everyone has the PIN [OwnersPIN], as people at a till do.
func StaffedShop(t testing.TB) (folder string) {
	t.Helper()
	files, err := staffed()
	if err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	if err := os.CopyFS(folder, files); err != nil {
		t.Fatal(err)
	}
	return folder
}

// PIN is the [desk.Options].PIN of the people of a [StaffedShop].
func PIN(context.Context, string) (string, error) { return OwnersPIN, nil }

// SignIn returns the arguments of session.signIn for a person of a [StaffedShop].
func SignIn(person string) string { return fmt.Sprintf(`{"staffId":%q,"pin":%q}`, person, OwnersPIN) }

// OverTheLimit returns the folder of a [LockedShop] with an order that a clerk may not cancel.
func OverTheLimit(t testing.TB) (folder, order string) {
	t.Helper()
	folder = LockedShop(t)
	pin := func(context.Context, string) (string, error) { return OwnersPIN, nil }
	owner, err := desk.Open(t.Context(), desk.Options{Folder: folder, Door: "cli", PIN: pin})
	if err != nil {
		t.Fatal(err)
	}
	order = PlaceOrder(t, owner, 12)
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	return folder, order
}

// PlaceOrder sells pieces of Guji to Ana Ruiz, to be delivered, and returns the id of the order.
func PlaceOrder(t testing.TB, d *desk.Desk, pieces int) string {
	t.Helper()
	Must(t, d, bus.CallerTest, "cart.addItem",
		fmt.Sprintf(`{"productId":%q,"quantity":%d,"customerId":"cus_201100"}`, Guji(t, d), pieces), nil)
	var cart struct{ SavedAddresses, SavedPaymentMethods []struct{ ID string } }
	Must(t, d, bus.CallerTest, "cart.getSummary", `{}`, &cart)
	var placed struct{ OrderID string }
	Must(t, d, bus.CallerTest, "checkout.submit", fmt.Sprintf(`{"shippingAddressId":%q,"paymentMethodId":%q}`,
		cart.SavedAddresses[0].ID, cart.SavedPaymentMethods[0].ID), &placed)
	return placed.OrderID
}

// Guji returns the id of the first product of that name.
func Guji(t testing.TB, d *desk.Desk) string {
	t.Helper()
	var found struct{ Products []struct{ ID string } }
	Must(t, d, bus.CallerTest, "catalog.search", `{"query":"Guji"}`, &found)
	return found.Products[0].ID
}

// AnasOrder returns the id of an order of Ana Ruiz's.
func AnasOrder(t testing.TB, d *desk.Desk) string {
	t.Helper()
	var found struct{ Orders []struct{ ID string } }
	Must(t, d, bus.CallerTest, "order.search", `{"customerId":"cus_201100"}`, &found)
	return found.Orders[0].ID
}
