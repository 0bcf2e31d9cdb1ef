// Package sample generates an invented coffee roastery with a year of orders, as a shop for trying out the order desk.
// Products, customers and staff are always the same. Orders are the same for the same moment, because their dates and
// seasons depend on it.
package sample

import "time"

// Shop holds the contents of the sample shop. Amounts are US cents.
type Shop struct {
	Name, Currency, TimeZone   string
	Country, Locale            string
	PricesIncludeTax           bool
	DiscountLimit, RefundLimit int64 // limits of a clerk: percent, cents
	CashStep                   int64 // smallest coin; 0: cash is not rounded
	Staff                      []Staff
	Taxes                      []Tax
	Shipping                   []Shipping
	Products                   []Product
	Customers                  []Customer
	Orders                     []Order // oldest first
	Opened                     time.Time
}

// Staff is a member of staff.
type Staff struct{ ID, Name, Role string }

// Tax is a tax class with its rate in parts per million.
type Tax struct {
	ID, Name string
	RatePPM  int64
}

// Shipping is a shipping method.
type Shipping struct {
	ID, Name    string
	Price, Days int64
	TaxClass    string // "" for the rates of the goods, or core.Untaxed
}

// Product is a product with its variants. Default is an index into them, or -1.
type Product struct {
	ID, Handle, Name, Description, Kind, Tax string
	Tags                                     []string
	Options                                  []string // names
	Default                                  int
	Variants                                 []Variant
	Drawing                                  string // name of its drawing in pictures.txt
}

// Variant is a combination of options. Stock is today's stock; -1 means not counted.
type Variant struct {
	ID, SKU, Barcode string
	Values           []string
	Price, Stock     int64
	Withdrawn        bool // no longer for sale
}

// Customer is a customer with addresses and payment methods, defaults first.
type Customer struct {
	ID, Name, Email, Phone string
	Since                  time.Time
	Addresses              []Address
	Methods                []Method
}

// Address is a saved address.
type Address struct{ ID, Label, Line1, Line2, City, Region, PostalCode, Country string }

// Method is a saved payment method. Only gift cards use Balance.
type Method struct {
	ID, Kind, Brand, LastFour string
	Balance                   int64
}

// Line is a line of an order, with indexes into Products and their Variants.
type Line struct {
	Product, Variant int
	Quantity         int64
}

// Order is a past order. Zero times are in the future.
type Order struct {
	ID                                      string
	Customer, Address, Method, Shipping     int // indexes
	Status                                  string
	Placed, Processed, Delivered, Cancelled time.Time
	CancelReason                            string
	Percent                                 int64 // discount
	DiscountReason                          string
	GiftMessage, Note, Tracking             string
	Noted                                   time.Time
	Back                                    Back
	By                                      string // id of staff
	Lines                                   []Line
}

// Back marks the first line of an order as returned but not restocked. Received is zero before the receipt.
type Back struct {
	Asked, Received time.Time
	Reason          string
}

// Build generates the shop as of now.
func Build(now time.Time) Shop {
	s := Shop{
		Name: "Northlight Coffee", Country: "US", Currency: "USD", TimeZone: "America/New_York", Locale: "en-US",
		DiscountLimit: 10, RefundLimit: 250_00,
		Staff: []Staff{
			{"mara_lindqvist", "Mara Lindqvist", "owner"},
			{"tomas_okafor", "Tomás Okafor", "manager"},
			{"idris_bello", "Idris Bello", "clerk"},
			{"june_park", "June Park", "clerk"},
			{"wen_castellano", "Wen Castellano", "auditor"},
		},
		Taxes: []Tax{{"food", "Coffee and food", 0}, {"none", "Not taxed", 0}, {"standard", "Goods", 55_000}},
		Shipping: []Shipping{{"standard", "Standard", 4_95, 3, "none"}, {"express", "Express", 14_95, 1, "none"},
			{"pickup", "Pickup at the roastery", 0, 0, "none"}},
		Opened: now.AddDate(-2, 0, 0).Truncate(time.Hour),
	}
	r := &dice{state: 20_260_101}
	s.Products = products(r)
	s.Customers = customers(r, now)
	s.Orders = orders(r, &s, now)
	return s
}

// dice generates a fixed pseudorandom sequence (splitmix64). A library's generator could change, and the shop with it.
type dice struct{ state uint64 }

func (d *dice) next() uint64 {
	d.state += 0x9e3779b97f4a7c15
	z := d.state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// roll returns a number in [0, n).
func (d *dice) roll(n int) int { return int(d.next() % uint64(n)) }

// chance reports true with a probability in percent.
func (d *dice) chance(percent int) bool { return d.roll(100) < percent }
