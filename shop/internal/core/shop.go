// Package core holds the parts that all packages of the shop share: money, days, rows, pages, search, staff and roles.
package core

import (
	"context"
	"errors"
	"time"
	_ "time/tzdata" // time zones for systems without a database of them

	"github.com/deskhand/deskhand/bus"
)

// Shop is the record of the shop's settings.
type Shop struct {
	Name             string
	Currency         string
	TimeZone         string
	PricesIncludeTax bool
	DiscountLimit    int64 // percent a clerk may give
	RefundLimit      int64 // minor units a clerk may refund at once
	CashStep         int64 // the smallest coin in minor units; 1: cash is not rounded
	Locale           string
	Logo             string // changes with the image; "" for none
	Profile
	zone *time.Location // LoadShop sets it, since loading a zone for each row is slow
}

// Profile is the shop's location and the details on its receipts besides its name. The address and the footer may have
// several lines.
type Profile struct {
	Country   string `json:"country,omitempty" doc:"ISO 3166: new addresses begin with it."`
	Address   string `json:"address,omitempty"`
	Phone     string `json:"phone,omitempty"`
	Email     string `json:"email,omitempty"`
	TaxNumber string `json:"taxNumber,omitempty"`
	Footer    string `json:"footer,omitempty"`
}

// LoadShop reads the shop. It returns an error if none was set up.
func LoadShop(ctx context.Context) (*Shop, error) {
	s, found, err := Find(ctx, func(r Row) (*Shop, error) {
		var s Shop
		return &s, r.Scan(&s.Name, &s.Currency, &s.TimeZone, &s.PricesIncludeTax, &s.DiscountLimit, &s.RefundLimit, &s.Locale,
			&s.Country, &s.Address, &s.Phone, &s.Email, &s.TaxNumber, &s.Footer, &s.CashStep, &s.Logo)
	}, `SELECT name, currency, time_zone, prices_include_tax, discount_limit, refund_limit, locale, country, address,
		phone, email, tax_number, footer, cash_step, COALESCE((SELECT version FROM shop_logo), '') FROM shop`)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, errNoShop()
	}
	s.zone = s.Zone()
	return s, nil
}

// Zone returns the shop's time zone, or UTC before a shop exists. ctx is the context of a handler.
func Zone(ctx context.Context) (*time.Location, error) {
	s, err := LoadShop(ctx)
	if errors.As(err, new(*bus.Error)) {
		return time.UTC, nil
	}
	if err != nil {
		return nil, err
	}
	return s.Zone(), nil
}

func errNoShop() error {
	return Unavailable("There is no shop here yet.").WithHint("Make one with shop.setUp.")
}

// ShippingMethod is a way to send an order.
type ShippingMethod struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Price Money  `json:"price"`
	Days  int64  `json:"days" doc:"Business days until delivery."`

	TaxClassID string `json:"taxClassId,omitempty" doc:"Absent: taxed as the goods; none: not taxed."`
	ratePPM    *int64 // of the tax class
}

// Untaxed is the tax class of shipping without tax.
const Untaxed = "none"

// Costs returns the price of the method and its tax. A nil method costs nothing.
func (m *ShippingMethod) Costs() Shipping {
	if m == nil {
		return Shipping{}
	}
	return Shipping{m.Price.Amount, m.ratePPM, m.TaxClassID == ""}
}

// ShippingMethods returns the shipping methods, the default first.
func (s *Shop) ShippingMethods(ctx context.Context) ([]ShippingMethod, error) {
	return List(ctx, func(r Row) (ShippingMethod, error) {
		var m ShippingMethod
		var price int64
		err := r.Scan(&m.ID, &m.Name, &price, &m.Days, &m.TaxClassID, &m.ratePPM)
		m.Price = s.Money(price)
		return m, err
	}, `SELECT m.id, m.name, price, days, tax_class, rate_ppm FROM shipping_methods m LEFT JOIN tax_classes t
		ON t.id = tax_class AND t.id <> ? ORDER BY position, m.id`, Untaxed)
}

// The ways in which the buyer receives the goods.
const (
	TakeAway = "takeAway" // taken along from the counter
	PickUp   = "pickUp"   // collected from the shop later
	Deliver  = "deliver"  // sent to an address
)

// Fulfilled describes the way of delivery in a sentence.
func Fulfilled(fulfilment string) bus.Text {
	switch fulfilment {
	case TakeAway:
		return bus.Textf("taken along")
	case PickUp:
		return bus.Textf("picked up")
	}
	return bus.Textf("delivered")
}
