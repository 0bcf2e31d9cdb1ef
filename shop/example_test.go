package shop_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/deskhand/deskhand/shop/staff"
)

// A shop without a window: a journal, a bus, and a person at the desk.
func Example() {
	ctx := context.Background()
	dir, _ := os.MkdirTemp("", "shop")
	defer os.RemoveAll(dir)
	log, err := audit.Open(ctx, filepath.Join(dir, "shop.db"), audit.Options{Migrations: shop.Migrations()})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer log.Close()
	b := bus.New(bus.Options{Journal: log, Conditions: shop.Conditions()})
	b.MustRegister(shop.Capabilities(shop.Ports{})...)

	var owner bus.Principal
	do := func(capability, arguments string) bus.Result {
		return b.Invoke(ctx, bus.Invocation{
			Capability: capability, Arguments: json.RawMessage(arguments),
			Caller: bus.Caller{Type: bus.CallerCLI}, Principal: owner,
		})
	}
	_ = log.View(ctx, func(ctx context.Context) error { owner, err = staff.SignIn(ctx, ""); return err })
	fmt.Println(do("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2}`).Err)
	do("shop.setUp", `{"from":"sample"}`)
	var out struct{ CartTotal shop.Money }
	_ = json.Unmarshal(do("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2}`).Data, &out)
	fmt.Println(out.CartTotal.Text)
	// Output:
	// PRECONDITION_FAILED: There is no shop here yet.
	// $42.88
}
