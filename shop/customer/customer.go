package customer

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// Customer is a person or a company that buys from the shop.
type Customer struct {
	ID    string `json:"id" x:"entity=customer"`
	Name  string `json:"name" x:"personal=true"`
	Email string `json:"email,omitempty" x:"personal=true"`
	Phone string `json:"phone,omitempty" x:"personal=true"`
}

// Address is a saved address of a customer.
type Address struct {
	ID         string `json:"id"`
	Label      string `json:"label" x:"personal=true"`
	Text       string `json:"text" doc:"On one line." x:"personal=true"`
	Line1      string `json:"line1" x:"personal=true,detail=1"`
	Line2      string `json:"line2,omitempty" x:"personal=true,detail=1"`
	City       string `json:"city" x:"personal=true,detail=1"`
	Region     string `json:"region,omitempty" x:"personal=true,detail=1"`
	PostalCode string `json:"postalCode" x:"personal=true,detail=1"`
	Country    string `json:"country" x:"detail=1"`
	Default    bool   `json:"default,omitempty"`

	customerID string
}

// PaymentMethod is a saved payment method of a customer. Card numbers are never stored.
type PaymentMethod struct {
	ID       string      `json:"id"`
	Label    string      `json:"label" x:"personal=true"`
	Kind     string      `json:"kind"`
	Brand    string      `json:"brand,omitempty"`
	LastFour string      `json:"lastFour,omitempty" x:"personal=true"`
	Balance  *core.Money `json:"balance,omitempty" doc:"Of a gift card."`
	Default  bool        `json:"default,omitempty"`

	customerID string
}

// Columns is the part of a SELECT statement with the columns that Scan reads.
const Columns = `id, name, email, phone FROM customers`

// Scan reads a row of Columns.
func Scan(r core.Row) (Customer, error) {
	var c Customer
	return c, r.Scan(&c.ID, &c.Name, &c.Email, &c.Phone)
}

// ByID reads one customer.
func ByID(ctx context.Context, id string) (Customer, error) {
	c, found, err := core.Find(ctx, Scan, `SELECT `+Columns+` WHERE id = ? AND erased_at = 0`, id)
	if err != nil || found {
		return c, err
	}
	into, merged, err := core.Find(ctx, Scan, `SELECT `+Columns+` WHERE id = (SELECT customer_id FROM merged_customers
		WHERE id = ?)`, id)
	switch {
	case err != nil:
		return c, err
	case merged:
		return c, core.NotFound("That record was merged into another of %s.", into.Name).
			WithHint("Use the customer with the id %s.", into.ID)
	}
	return c, core.NotFound("There is no customer with the id %q.", id).
		WithHint("Look the customer up with customer.search.")
}

const addressColumns = `id, customer_id, label, line1, line2, city, region, postal_code, country, is_default
	FROM addresses`

func scanAddress(r core.Row) (Address, error) {
	var a Address
	err := r.Scan(&a.ID, &a.customerID, &a.Label, &a.Line1, &a.Line2, &a.City, &a.Region, &a.PostalCode, &a.Country,
		&a.Default)
	a.Text = a.Line()
	return a, err
}

// Line returns the address on one line.
func (a *Address) Line() string {
	town := strings.TrimSpace(a.Region + " " + a.PostalCode)
	var parts []string
	for _, p := range []string{a.Line1, a.Line2, a.City, town, a.Country} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ", ")
}

// Short returns the address for a sentence: "123 Main St (Home)".
func (a *Address) Short() string {
	if a.Label == "" || a.Label == a.Line1 {
		return a.Line1
	}
	return a.Line1 + " (" + a.Label + ")"
}

// Addresses returns a customer's addresses, the default first. If none is the default, as after an undo, the oldest
// becomes it.
func Addresses(ctx context.Context, customerID string) ([]Address, error) {
	all, err := core.List(ctx, scanAddress, `SELECT `+addressColumns+` WHERE customer_id = ?
		ORDER BY is_default DESC, created_at, id`, customerID)
	if len(all) > 0 {
		all[0].Default = true
	}
	return all, err
}

// AddressOf reads an address and refuses one of another customer.
func AddressOf(ctx context.Context, c *Customer, id string) (Address, error) {
	if c == nil {
		return Address{}, core.Refused("A walk-in has no saved address.").
			WithHint("Choose the customer with cart.setCustomer.")
	}
	none := core.NotFound("There is no address with the id %q.", id).WithHint("customer.get lists the saved addresses.")
	a, err := core.One(ctx, scanAddress, none, `SELECT `+addressColumns+` WHERE id = ?`, id)
	if err == nil && a.customerID != c.ID {
		err = core.Refused("That address belongs to another customer, not to %s.", c.Name).
			WithHint("customer.get lists the saved addresses of the customer.")
	}
	return a, err
}

// The methods of the shop. They can pay any order, and customers do not save them.
const (
	CashID     = "cash"
	cardID     = "card" // at the shop's terminal
	transferID = "transfer"
	otherID    = "other"
)

// Unsaved returns the methods of the shop.
func Unsaved() []PaymentMethod {
	return []PaymentMethod{Cash(), {ID: cardID, Kind: "card", Label: "Card"},
		{ID: transferID, Kind: "transfer", Label: "Bank transfer"}, {ID: otherID, Kind: "other", Label: "Other"}}
}

// UnsavedIDs is the SQL list of the ids of the shop's methods.
const UnsavedIDs = `('` + CashID + `', '` + cardID + `', '` + transferID + `', '` + otherID + `')`

// Unsaved reports whether the method belongs to the shop and not to a customer.
func (m *PaymentMethod) Unsaved() bool { return m.customerID == "" }

// UnsavedOf returns the shop's method for a kind of payment method.
func UnsavedOf(kind string) PaymentMethod {
	all := Unsaved()
	if kind == "onAccount" {
		kind = transferID
	}
	for _, m := range all {
		if m.Kind == kind {
			return m
		}
	}
	return all[len(all)-1]
}

// UnsavedByID returns the shop's method with an id.
func UnsavedByID(id string) (PaymentMethod, bool) {
	all := Unsaved()
	i := slices.IndexFunc(all, func(m PaymentMethod) bool { return m.ID == id })
	if i < 0 {
		return PaymentMethod{}, false
	}
	return all[i], true
}

const methodColumns = `id, customer_id, kind, brand, last_four, balance, is_default FROM payment_methods`

func scanMethod(s *core.Shop, r core.Row) (PaymentMethod, error) {
	var m PaymentMethod
	var balance sql.NullInt64
	err := r.Scan(&m.ID, &m.customerID, &m.Kind, &m.Brand, &m.LastFour, &balance, &m.Default)
	if balance.Valid {
		b := s.Money(balance.Int64)
		m.Balance = &b
	}
	m.Label = MethodLabel(m.Kind, m.Brand, m.LastFour)
	return m, err
}

// Left returns the balance of a gift card in minor units, and 0 for other methods.
func (m *PaymentMethod) Left() int64 {
	if m.Balance == nil {
		return 0
	}
	return m.Balance.Amount
}

// Covers reports whether the method can pay an amount. Only a gift card may have too low a balance.
func (m *PaymentMethod) Covers(amount int64) bool { return m.Kind != "giftCard" || m.Left() >= amount }

// MethodLabel describes a payment method in a sentence: "Visa ending 4242".
func MethodLabel(kind, brand, lastFour string) string {
	switch kind {
	case "card":
		if lastFour == "" { // an imported order, of which only the kind is known
			return brand
		}
		return brand + " ending " + lastFour
	case "paypal":
		return "PayPal"
	case "giftCard":
		return "Gift card"
	case "onAccount":
		return "On account"
	}
	return "Cash"
}

// LabelText returns the label of a payment method as part of a sentence.
func LabelText(label string) bus.Text {
	if brand, lastFour, ok := strings.Cut(label, " ending "); ok {
		return bus.Textf("%s ending %s", brand, lastFour)
	}
	for _, kind := range []string{"giftCard", "onAccount", "cash"} {
		if label == MethodLabel(kind, "", "") {
			return bus.Phrase(label)
		}
	}
	return bus.Textf("%s", label)
}

// MethodLabels is the Resolve function of payment methods.
var MethodLabels = core.NamedBy(`SELECT id, kind, brand, last_four FROM payment_methods WHERE id`,
	func(r core.Row) (n [2]string, err error) {
		var kind, brand, lastFour string
		err = r.Scan(&n[0], &kind, &brand, &lastFour)
		n[1] = MethodLabel(kind, brand, lastFour)
		return n, err
	})

// Methods returns a customer's payment methods, the default first. If none is the default, as after an undo, the oldest
// becomes it.
func Methods(ctx context.Context, s *core.Shop, customerID string) ([]PaymentMethod, error) {
	all, err := core.List(ctx, core.Bind(s, scanMethod), `SELECT `+methodColumns+` WHERE customer_id = ?
		ORDER BY is_default DESC, created_at, id`, customerID)
	if len(all) > 0 {
		all[0].Default = true
	}
	return all, err
}

// MethodOf reads a payment method. It refuses one of another customer. c is nil for a walk-in.
func MethodOf(ctx context.Context, s *core.Shop, c *Customer, id string) (PaymentMethod, error) {
	if m, ok := UnsavedByID(id); ok {
		return m, nil
	}
	if c == nil {
		return PaymentMethod{}, core.Refused("A walk-in has no saved payment methods.").
			WithHint("It is %s, %s, %s or %s.", CashID, cardID, transferID, otherID)
	}
	none := core.NotFound("There is no payment method with the id %q.", id).
		WithHint("customer.get lists the saved payment methods.")
	m, err := core.One(ctx, core.Bind(s, scanMethod), none, `SELECT `+methodColumns+` WHERE id = ?`, id)
	if err == nil && m.customerID != c.ID {
		err = core.Refused("That payment method belongs to another customer, not to %s.", c.Name).
			WithHint("customer.get lists the payment methods of the customer.")
	}
	return m, err
}

// Cash returns the shop's method for payments in cash.
func Cash() PaymentMethod { return PaymentMethod{ID: CashID, Kind: "cash", Label: "Cash"} }
