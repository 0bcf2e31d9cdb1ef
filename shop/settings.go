package shop

import (
	"context"
	"errors"
	"time"
	_ "time/tzdata" // a day is a day in the shop's zone, on systems without zones too

	"github.com/deskhand/deskhand/bus"
)

// deskShop is the shop's own row.
type deskShop struct {
	Name             string
	Currency         string
	TimeZone         string
	PricesIncludeTax bool
	DiscountLimit    int64 // percent a clerk may give
	RefundLimit      int64 // minor units a clerk may refund at once
}

// loadShop reads the shop, or says that there is none yet.
func loadShop(ctx context.Context) (*deskShop, error) {
	s, found, err := find(ctx, func(r row) (*deskShop, error) {
		var s deskShop
		return &s, r.Scan(&s.Name, &s.Currency, &s.TimeZone, &s.PricesIncludeTax, &s.DiscountLimit, &s.RefundLimit)
	}, `SELECT name, currency, time_zone, prices_include_tax, discount_limit, refund_limit FROM shop`)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errNoShop()
	}
	return s, nil
}

// Zone is the shop's time zone, UTC before there is a shop. ctx is a handler's.
func Zone(ctx context.Context) (*time.Location, error) {
	s, err := loadShop(ctx)
	var none *bus.Error
	if errors.As(err, &none) {
		return time.UTC, nil
	}
	if err != nil {
		return nil, err
	}
	return s.zone(), nil
}

func errNoShop() error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "There is no shop here yet.").WithHint("Make one with shop.setUp.")
}

// zone is where the shop's days begin. The name was checked when it was set.
func (s *deskShop) zone() *time.Location {
	z, err := time.LoadLocation(s.TimeZone)
	if err != nil {
		return time.UTC
	}
	return z
}

// day is the date of t in the shop's time zone.
func (s *deskShop) day(t time.Time) string { return t.In(s.zone()).Format(time.DateOnly) }

// businessDay is the date n business days after t: Saturdays and Sundays do not count.
func (s *deskShop) businessDay(t time.Time, n int64) string {
	local := t.In(s.zone())
	for n > 0 {
		local = local.AddDate(0, 0, 1)
		if d := local.Weekday(); d != time.Saturday && d != time.Sunday {
			n--
		}
	}
	return local.Format(time.DateOnly)
}

// shippingMethod is one way to send an order.
type shippingMethod struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Price Money  `json:"price"`
	Days  int64  `json:"days" jsonschema_description:"Business days until delivery."`
}

// shippingMethods are all of them, the default first.
func (s *deskShop) shippingMethods(ctx context.Context) ([]shippingMethod, error) {
	return list(ctx, func(r row) (shippingMethod, error) {
		var m shippingMethod
		var price int64
		err := r.Scan(&m.ID, &m.Name, &price, &m.Days)
		m.Price = s.money(price)
		return m, err
	}, `SELECT id, name, price, days FROM shipping_methods ORDER BY position, id`)
}

type taxClass struct {
	ID      string `json:"id"`
	Name    string `json:"name"`
	RatePPM int64  `json:"ratePpm" jsonschema_description:"Parts per million: 80000 is 8 %."`
}

type settingsShop struct {
	Name             string `json:"name"`
	Currency         string `json:"currency"`
	TimeZone         string `json:"timeZone"`
	PricesIncludeTax bool   `json:"pricesIncludeTax"`
}

type settingsLimits struct {
	DiscountPercent int64 `json:"discountPercent" jsonschema_description:"What a clerk may take off, in percent."`
	Refund          Money `json:"refund" jsonschema_description:"What a clerk may refund at once."`
}

type settingsIn struct {
	Section string `json:"section,omitempty" jsonschema:"enum=shop,enum=limits,enum=shipping,enum=tax" jsonschema_description:"Only this part."`
}

type settingsOut struct {
	Shop     *settingsShop    `json:"shop,omitempty"`
	Limits   *settingsLimits  `json:"limits,omitempty"`
	Shipping []shippingMethod `json:"shipping,omitempty"`
	Tax      []taxClass       `json:"tax,omitempty"`
}

func settingsGet() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "settings.get", Title: "Show the settings", Category: "settings", Type: bus.TypeData,
		Description: "Shows the shop's name, currency and time zone, what a clerk may give away, shipping methods and tax classes. " +
			"Use it to answer questions about how the shop is set up. It holds no secrets and does not change anything.",
		SideEffect: bus.Pure, Permissions: []string{"settings:read"}, Access: agentMay, Resources: read,
		Phrases: []string{"show the settings", "show the {section} settings", "what are the shipping methods", "how much discount may a clerk give"},
	}, func(ctx context.Context, _ *bus.Call, in settingsIn) (settingsOut, error) {
		var out settingsOut
		s, err := loadShop(ctx)
		if err != nil {
			return out, err
		}
		all := in.Section == ""
		if all || in.Section == "shop" {
			out.Shop = &settingsShop{s.Name, s.Currency, s.TimeZone, s.PricesIncludeTax}
		}
		if all || in.Section == "limits" {
			out.Limits = &settingsLimits{s.DiscountLimit, s.money(s.RefundLimit)}
		}
		if all || in.Section == "shipping" {
			if out.Shipping, err = s.shippingMethods(ctx); err != nil {
				return out, err
			}
		}
		if all || in.Section == "tax" {
			out.Tax, err = list(ctx, func(r row) (taxClass, error) {
				var c taxClass
				return c, r.Scan(&c.ID, &c.Name, &c.RatePPM)
			}, `SELECT id, name, rate_ppm FROM tax_classes ORDER BY id`)
		}
		return out, err
	})
}
