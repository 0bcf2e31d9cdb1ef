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
	Locale           string
}

// loadShop reads the shop, or says that there is none yet.
func loadShop(ctx context.Context) (*deskShop, error) {
	s, found, err := find(ctx, func(r row) (*deskShop, error) {
		var s deskShop
		return &s, r.Scan(&s.Name, &s.Currency, &s.TimeZone, &s.PricesIncludeTax, &s.DiscountLimit, &s.RefundLimit, &s.Locale)
	}, `SELECT name, currency, time_zone, prices_include_tax, discount_limit, refund_limit, locale FROM shop`)
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
