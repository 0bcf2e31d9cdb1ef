// Package setup makes a new shop, empty or with the sample.
package setup

import (
	"context"
	_ "embed"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/deskhand/deskhand/shop/setup/internal/sample"
)

type setUpIn struct {
	From string `json:"from" jsonschema:"enum=sample,enum=empty"`
	Name string `json:"name,omitempty" jsonschema:"maxLength=120" doc:"The shop's name."`
}

type setUpOut struct {
	Name      string `json:"name"`
	Products  int    `json:"products"`
	Customers int    `json:"customers"`
	Orders    int    `json:"orders"`
}

func noShopYet(ctx context.Context, _ *bus.Call) error {
	return core.NeedNone(ctx, core.Unavailable("There is a shop here already.").
		WithHint("Choose another data folder for a new shop."), `SELECT 1 FROM shop`)
}

func setUp(ctx context.Context, call *bus.Call, in setUpIn) (setUpOut, error) {
	data := emptyShop()
	if in.From == "sample" {
		data = sample.Build(call.Now)
	}
	if name := text.Line(in.Name, core.NameLimit); name != "" {
		data.Name = name
	}
	if err := seed(ctx, call, &data); err != nil {
		return setUpOut{}, err
	}
	call.Summarize("Set up the shop %s", data.Name)
	call.Changed("shop", data.Name+" is set up.")
	return setUpOut{data.Name, len(data.Products), len(data.Customers), len(data.Orders)}, nil
}

// emptyShop is a shop with an owner and one free way to send things.
func emptyShop() sample.Shop {
	return sample.Shop{
		Name: "My shop", Currency: "USD", TimeZone: "UTC", DiscountLimit: 10, RefundLimit: 250_00,
		Staff:    []sample.Staff{{ID: core.OwnerID, Name: "Owner", Role: core.RoleOwner}},
		Taxes:    []sample.Tax{{ID: "standard", Name: "Standard"}},
		Shipping: []sample.Shipping{{ID: "standard", Name: "Standard", Days: 3}},
	}
}

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities are all of this room.
func Capabilities() []bus.Capability {
	return []bus.Capability{bus.Define(core.Write(bus.Capability{
		Name: "shop.setUp", Texts: texts,
		Checks: bus.Checks{Access: core.AgentNever, Available: noShopYet},
		Run:    bus.Run{Bulk: true, Concurrency: bus.Exclusive, Timeout: 2 * time.Minute},
	}), setUp)}
}

// BeginEmpty makes an empty shop where there is none.
func BeginEmpty(ctx context.Context, call *bus.Call) error {
	if found, err := core.Exists(ctx, `SELECT 1 FROM shop`); err != nil || found {
		return err
	}
	empty := emptyShop()
	return seed(ctx, call, &empty)
}
