// Package setup creates a new shop, empty or with sample data.
package setup

import (
	"cmp"
	"context"
	_ "embed"
	"slices"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/deskhand/deskhand/shop/setup/internal/country"
	"github.com/deskhand/deskhand/shop/setup/internal/sample"
)

type setUpIn struct {
	From string `json:"from" jsonschema:"enum=sample,enum=empty"`
	Name string `json:"name,omitempty" jsonschema:"maxLength=120" doc:"The shop's name."`
	terms
}

// terms holds the settings of a shop that depend on its country.
type terms struct {
	Country          string `json:"country,omitempty" jsonschema:"pattern=^[A-Z]{2}$"`
	Currency         string `json:"currency,omitempty" jsonschema:"pattern=^[A-Z]{3}$"`
	TimeZone         string `json:"timeZone,omitempty" jsonschema:"minLength=1,maxLength=60"`
	Locale           string `json:"locale,omitempty" jsonschema:"minLength=2,maxLength=35"`
	RatePPM          *int64 `json:"ratePpm,omitempty" jsonschema:"minimum=0,maximum=1000000"`
	PricesIncludeTax *bool  `json:"pricesIncludeTax,omitempty"`
}

type setUpOut struct {
	Name      string `json:"name"`
	Products  int    `json:"products"`
	Customers int    `json:"customers"`
	Orders    int    `json:"orders"`
}

// NoneYet returns an error if a folder already contains a shop. ctx is the context of a handler.
func NoneYet(ctx context.Context) error {
	return core.NeedNone(ctx, core.Unavailable("There is a shop here already.").
		WithHint("Choose another data folder for a new shop."), `SELECT 1 FROM shop`)
}

func noShopYet(ctx context.Context, _ *bus.Call) error { return NoneYet(ctx) }

func setUp(ctx context.Context, call *bus.Call, in setUpIn) (setUpOut, error) {
	data := emptyShop()
	if in.From == "sample" {
		if in.terms != (terms{}) {
			return setUpOut{}, core.Invalid("/from", "The sample has its own country, money, tax and time zone.")
		}
		data = sample.Build(call.Now)
	} else if err := settle(&data, in.terms); err != nil {
		return setUpOut{}, err
	}
	if name := text.Line(in.Name, core.NameLimit); name != "" {
		data.Name = name
	}
	if err := seed(ctx, call, &data); err != nil {
		return setUpOut{}, err
	}
	// The person who sets up the shop becomes its owner and keeps the preferences of the window.
	owner := slices.IndexFunc(data.Staff, func(p sample.Staff) bool { return p.Role == core.RoleOwner })
	if err := core.Exec(ctx, `UPDATE preferences SET person = ? WHERE person = ?`, data.Staff[owner].ID,
		core.OwnerID); err != nil {
		return setUpOut{}, err
	}
	call.Summarize("Set up the shop %s", data.Name)
	call.Announce("shop", bus.Textf("%s is set up.", data.Name))
	call.Changed("*", "")
	return setUpOut{data.Name, len(data.Products), len(data.Customers), len(data.Orders)}, nil
}

// settle fills in the terms of a new shop: the given ones, or else the usual ones of its country.
func settle(data *sample.Shop, in terms) error {
	usual := suggest(suggestIn{Country: in.Country, TimeZone: in.TimeZone, Locale: in.Locale})
	if in.Country == "" {
		usual = suggestOut{}
	}
	data.Country = in.Country
	data.Currency = cmp.Or(in.Currency, usual.Currency, data.Currency)
	data.TimeZone = cmp.Or(in.TimeZone, usual.TimeZone, data.TimeZone)
	if err := core.CheckPlace("", data.Country, data.Currency, data.TimeZone); err != nil {
		return err
	}
	var err error
	if data.Locale, err = core.LocaleOf(cmp.Or(in.Locale, usual.Locale, data.Locale)); err != nil {
		return core.Invalid("/locale", "There is no locale %q.", in.Locale)
	}
	data.Taxes[0].RatePPM, data.PricesIncludeTax = usual.RatePPM, usual.PricesIncludeTax
	of := country.Of(data.Country)
	if of.RatePPM > 0 {
		data.Shipping[0].TaxClass = "" // shipping is taxed like the goods if there is a value-added tax
	}
	if of.Currency == data.Currency {
		data.CashStep = of.CashStep
	}
	if in.RatePPM != nil {
		data.Taxes[0].RatePPM = *in.RatePPM
	}
	if in.PricesIncludeTax != nil {
		data.PricesIncludeTax = *in.PricesIncludeTax
	}
	return nil
}

type suggestIn struct {
	Country  string `json:"country,omitempty" jsonschema:"pattern=^[A-Z]{2}$"`
	TimeZone string `json:"timeZone,omitempty" jsonschema:"maxLength=60"`
	Locale   string `json:"locale,omitempty" jsonschema:"maxLength=35"`
}

type suggestOut struct {
	Country          string   `json:"country,omitempty"`
	Currency         string   `json:"currency,omitempty"`
	TimeZone         string   `json:"timeZone,omitempty"`
	TimeZones        []string `json:"timeZones"`
	Locale           string   `json:"locale,omitempty"`
	RatePPM          int64    `json:"ratePpm,omitempty"`
	RatesOf          string   `json:"ratesOf,omitempty" jsonschema:"format=date"`
	PricesIncludeTax bool     `json:"pricesIncludeTax"`
}

// suggest returns the usual settings of a shop in a country, as far as they are known.
func suggest(in suggestIn) suggestOut {
	if _, err := time.LoadLocation(in.TimeZone); err != nil || in.TimeZone == "Local" {
		in.TimeZone = ""
	}
	out := suggestOut{Country: cmp.Or(in.Country, country.Guess(in.TimeZone, in.Locale))}
	usual := country.Of(out.Country)
	out.Currency, out.TimeZones = usual.Currency, append([]string{}, usual.Zones...)
	out.TimeZone, out.Locale = usual.Zone(in.TimeZone), country.Locale(out.Country, in.Locale)
	if usual.RatePPM > 0 {
		out.RatePPM, out.RatesOf, out.PricesIncludeTax = usual.RatePPM, country.RatesOf, true
	}
	return out
}

// emptyShop returns a shop with an owner and one free shipping method.
func emptyShop() sample.Shop {
	return sample.Shop{
		Name: "My shop", Currency: "USD", TimeZone: "UTC", Locale: core.DefaultLocale,
		DiscountLimit: 10, RefundLimit: 250_00,
		Staff:    []sample.Staff{{ID: core.OwnerID, Name: "Owner", Role: core.RoleOwner}},
		Taxes:    []sample.Tax{{ID: "standard", Name: "Standard"}},
		Shipping: []sample.Shipping{{ID: "standard", Name: "Standard", Days: 3, TaxClass: core.Untaxed}},
	}
}

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// Capabilities returns the capabilities of setup.
func Capabilities() []bus.Capability {
	return []bus.Capability{
		bus.Define(core.Write(bus.Capability{
			Name: "shop.setUp", Texts: texts, Changes: []string{"shop", "*"},
			Checks: bus.Checks{Access: core.AgentNever, Available: noShopYet},
			Run:    bus.Run{Bulk: true, Concurrency: bus.Exclusive, Timeout: 2 * time.Minute},
		}), setUp),
		bus.Define(core.Read(bus.Capability{
			Name: "shop.suggest", Texts: texts, Provides: []string{}, Checks: bus.Checks{Access: core.AgentNever},
		}), func(_ context.Context, _ *bus.Call, in suggestIn) (suggestOut, error) { return suggest(in), nil }),
	}
}

// BeginEmpty creates an empty shop unless there is one.
func BeginEmpty(ctx context.Context, call *bus.Call) error {
	if found, err := core.Exists(ctx, `SELECT 1 FROM shop`); err != nil || found {
		return err
	}
	empty := emptyShop()
	return seed(ctx, call, &empty)
}
