package e2e

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// dayShop holds the parts of a file of docs/shop.schema.json that a day at the desk changes. It is declared again
// here, so that the expected result needs no code of the shop.
type dayShop struct {
	Format          string
	Version         int
	Shop            dayHouse
	TaxClasses      []dayTax
	ShippingMethods []dayShipping
	Products        []*dayProduct
	Customers       []*dayCustomer
	Orders          []*dayOrder
}

type (
	dayMoney struct {
		Amount   int64
		Currency string
	}
	dayHouse struct {
		Name, Currency, TimeZone string
		PricesIncludeTax         bool
		DiscountLimit            int64
		RefundLimit              dayMoney
	}
	dayTax struct {
		ID, Name string
		RatePpm  int64
	}
	dayShipping struct {
		ID, Name string
		Price    dayMoney
		Days     int
	}
	dayProduct struct {
		ID, Handle, Name, TaxClass, DefaultVariantID string
		Options                                      []string
		Published                                    bool
		CreatedAt                                    int64
		Variants                                     []*dayVariant
	}
	dayVariant struct {
		ID, SKU              string
		Options              []string
		Price                dayMoney
		Stock                *int64
		Backorder, Available bool
		PriceChanges         []dayPrice
		Movements            []dayMove
	}
	dayPrice struct {
		ID, By  string
		Was, Is dayMoney
		At      int64
	}
	dayMove struct {
		ID, VariantID    string
		Delta            int64
		Reason, Note, By string
		At               int64
	}
	dayCustomer struct {
		ID, Name, Email, Phone string
		CreatedAt              int64
		Addresses              []*dayAddress
		PaymentMethods         []*dayMethod
	}
	dayAddress struct {
		ID string
		dayPostal
		Default   bool
		CreatedAt int64
	}
	dayPostal struct {
		Label, Line1, Line2, City, Region, PostalCode, Country string
	}
	dayMethod struct {
		ID, Kind, Brand, LastFour string
		Balance                   *dayMoney
		Default                   bool
		CreatedAt, LastUsedAt     int64
	}
	dayOrder struct {
		ID, CustomerID, Status                          string
		PlacedAt, ProcessedAt, DeliveredAt, CancelledAt int64
		PlacedBy, CancelledBy, CancelReason             string
		ItemsChangedAt                                  int64
		TaxIncluded                                     bool
		Shipping, Total, DiscountAmount                 dayMoney
		DiscountPercent                                 int64
		DiscountReason, ShippingMethod, GiftMessage     string
		EstimatedDelivery                               string
		Address                                         dayGoesTo
		Lines                                           []*dayLine
		Payments                                        []dayPayment
		Fulfilments                                     []dayParcel
		Requests                                        []*dayRequest
		Notes                                           []dayNote
		Changes                                         []dayNote
		Movements                                       []dayMove
	}
	dayGoesTo struct {
		ID      string
		Removed bool
		dayPostal
	}
	dayLine struct {
		ID, ProductID, VariantID, SKU, Name, Label string
		Quantity, RatePpm                          int64
		Price, Discount, Tax                       dayMoney
		DiscountPercent                            int64
		DiscountAmount                             *dayMoney
		ReturnedBy                                 string
		taken                                      bool // by the step being worked out
	}
	dayPayment struct {
		ID, Kind, MethodID, Label, GivesBack string
		Removed                              bool
		Amount, Tendered                     dayMoney
		At                                   int64
	}
	dayParcel struct {
		ID, TrackingID string
		At             int64
		VariantIDs     []string
	}
	dayRequest struct {
		ID, Kind, Status, MethodID, MethodLabel, By string
		RequestedAt, ReceivedAt                     int64
		Amount                                      dayMoney
		Restocked, Removed                          bool
		Lines                                       []*dayAsked
	}
	dayAsked struct {
		LineID, VariantID, NewVariantID string
		Quantity, Received              int64
		NewPrice                        dayMoney
		NewRatePpm                      int64
	}
	dayNote struct {
		ID, Text, By string
		At           int64
	}
)

// readDayShop reads a file and refuses unknown fields.
func readDayShop(t testing.TB, text []byte) *dayShop {
	t.Helper()
	s := &dayShop{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		t.Fatal(err)
	}
	return s
}

// today replaces every time of the day itself; times in the opening file are before dayBegins, in ms since 1970.
const (
	today     = 1
	dayBegins = 1_750_000_000_000
)

// plain removes from a shop what is random or worded rather than computed: generated ids, the time of day, the day of
// delivery that depends on it, the order of unordered lists, and the sentences of the timeline. Requests are
// numbered, so that the lines returned by them can be compared.
func (s *dayShop) plain() *dayShop {
	for _, p := range s.Products {
		for _, v := range p.Variants {
			plainMoves(v.Movements)
			for i := range v.PriceChanges {
				v.PriceChanges[i].ID = ""
				plainTime(&v.PriceChanges[i].At)
			}
		}
	}
	for _, c := range s.Customers {
		plainTime(&c.CreatedAt)
		for _, a := range c.Addresses {
			plainTime(&a.CreatedAt)
		}
		for _, m := range c.PaymentMethods {
			plainTime(&m.CreatedAt, &m.LastUsedAt)
		}
		slices.SortFunc(c.Addresses, func(a, b *dayAddress) int { return strings.Compare(a.ID, b.ID) })
		slices.SortFunc(c.PaymentMethods, func(a, b *dayMethod) int { return strings.Compare(a.ID, b.ID) })
	}
	slices.SortFunc(s.Customers, func(a, b *dayCustomer) int { return strings.Compare(a.ID, b.ID) })
	for _, o := range s.Orders {
		o.plain()
	}
	slices.SortFunc(s.Orders, func(a, b *dayOrder) int { return strings.Compare(a.ID, b.ID) })
	return s
}

func (o *dayOrder) plain() {
	plainTime(&o.PlacedAt, &o.ProcessedAt, &o.DeliveredAt, &o.CancelledAt, &o.ItemsChangedAt)
	if o.PlacedAt == today {
		o.EstimatedDelivery = ""
	}
	for i := range o.Payments {
		o.Payments[i].ID, o.Payments[i].GivesBack = "", ""
		plainTime(&o.Payments[i].At)
	}
	for i := range o.Fulfilments {
		o.Fulfilments[i].ID = ""
		plainTime(&o.Fulfilments[i].At)
		for n, id := range o.Fulfilments[i].VariantIDs { // they are ids of lines
			for _, l := range o.Lines {
				if l.ID == id {
					o.Fulfilments[i].VariantIDs[n] = l.VariantID
				}
			}
		}
		slices.Sort(o.Fulfilments[i].VariantIDs)
	}
	for i, q := range o.Requests {
		number := fmt.Sprint("request ", i+1)
		for _, l := range o.Lines {
			if l.ReturnedBy == q.ID {
				l.ReturnedBy = number
			}
		}
		q.ID = number
		for _, l := range q.Lines {
			l.LineID = ""
		}
		plainTime(&q.RequestedAt, &q.ReceivedAt)
	}
	o.DiscountPercent, o.DiscountAmount = 0, dayMoney{} // the day changes no items of orders that have them
	for _, l := range o.Lines {
		l.ID, l.DiscountPercent, l.DiscountAmount = "", 0, nil
	}
	for i := range o.Notes {
		o.Notes[i].ID = ""
		plainTime(&o.Notes[i].At)
	}
	o.Changes = nil
	plainMoves(o.Movements)
}

func plainTime(times ...*int64) {
	for _, t := range times {
		if *t > dayBegins {
			*t = today
		}
	}
}

func plainMoves(all []dayMove) {
	for i := range all {
		all[i].ID = ""
		plainTime(&all[i].At)
	}
	slices.SortFunc(all, func(a, b dayMove) int {
		return cmp.Or(cmp.Compare(a.At, b.At), strings.Compare(a.VariantID, b.VariantID), strings.Compare(a.Reason, b.Reason),
			cmp.Compare(a.Delta, b.Delta))
	})
}

// dayScript is a day at the desk: who works there, and what people ask for.
type dayScript struct {
	People   []struct{ Name, Role string }
	Requests []dayWish
}

// dayWish is a request in a sentence, the person who handles it, and its steps. One test says the sentence, another
// takes the steps.
type dayWish struct {
	Who, Says string
	Steps     []dayStep
}

// dayStep is one invocation. A name beginning with $ stands for an id that an
// earlier answer gave.
type dayStep struct {
	Do      string            // the capability
	With    json.RawMessage   // its arguments
	Refused string            // the code; "" when it must succeed
	Gives   map[string]any    // what is at a path of the answer
	Keep    map[string]string // name → path of the answer
}

func readDayScript(t testing.TB, file string) *dayScript {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := &dayScript{}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(s); err != nil {
		t.Fatal(err)
	}
	return s
}
