package shop

import (
	"context"
	"database/sql"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// customer is a person or a company that buys here.
type customer struct {
	ID    string `json:"id"`
	Name  string `json:"name" jsonschema_extras:"x-personal=true"`
	Email string `json:"email,omitempty" jsonschema_extras:"x-personal=true"`
	Phone string `json:"phone,omitempty" jsonschema_extras:"x-personal=true"`
}

// address is one saved address of a customer.
type address struct {
	ID         string `json:"id"`
	Label      string `json:"label" jsonschema_extras:"x-personal=true"`
	Text       string `json:"text" jsonschema_description:"On one line." jsonschema_extras:"x-personal=true"`
	Line1      string `json:"line1" jsonschema_extras:"x-personal=true"`
	Line2      string `json:"line2,omitempty" jsonschema_extras:"x-personal=true"`
	City       string `json:"city" jsonschema_extras:"x-personal=true"`
	Region     string `json:"region,omitempty" jsonschema_extras:"x-personal=true"`
	PostalCode string `json:"postalCode" jsonschema_extras:"x-personal=true"`
	Country    string `json:"country"`
	Default    bool   `json:"default,omitempty"`

	customerID string
}

// paymentMethod is one way a customer pays. Card numbers are never stored.
type paymentMethod struct {
	ID       string `json:"id"`
	Label    string `json:"label" jsonschema_extras:"x-personal=true"`
	Kind     string `json:"kind"`
	Brand    string `json:"brand,omitempty"`
	LastFour string `json:"lastFour,omitempty" jsonschema_extras:"x-personal=true"`
	Balance  *Money `json:"balance,omitempty" jsonschema_description:"Of a gift card."`
	Default  bool   `json:"default,omitempty"`

	customerID string
	balance    int64
}

const customerColumns = `id, name, email, phone FROM customers`

func scanCustomer(r row) (customer, error) {
	var c customer
	return c, r.Scan(&c.ID, &c.Name, &c.Email, &c.Phone)
}

// customerByID reads one customer.
func customerByID(ctx context.Context, id string) (customer, error) {
	c, found, err := find(ctx, scanCustomer, `SELECT `+customerColumns+` WHERE id = ? AND erased_at = 0`, id)
	if err == nil && !found {
		err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no customer with the id %q.", id).WithHint("Look the customer up with customer.search.")
	}
	return c, err
}

const addressColumns = `id, customer_id, label, line1, line2, city, region, postal_code, country, is_default FROM addresses`

func scanAddress(r row) (address, error) {
	var a address
	err := r.Scan(&a.ID, &a.customerID, &a.Label, &a.Line1, &a.Line2, &a.City, &a.Region, &a.PostalCode, &a.Country, &a.Default)
	a.Text = a.line()
	return a, err
}

// line is the address on one line.
func (a *address) line() string {
	town := strings.TrimSpace(a.Region + " " + a.PostalCode)
	var parts []string
	for _, p := range []string{a.Line1, a.Line2, a.City, town, a.Country} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, ", ")
}

// short is the address in a sentence: "123 Main St (Home)".
func (a *address) short() string {
	if a.Label == "" || a.Label == a.Line1 {
		return a.Line1
	}
	return a.Line1 + " (" + a.Label + ")"
}

// addresses are a customer's own, the default first. Without one, as after an
// undo, the oldest is.
func addresses(ctx context.Context, customerID string) ([]address, error) {
	all, err := list(ctx, scanAddress, `SELECT `+addressColumns+` WHERE customer_id = ? ORDER BY is_default DESC, created_at, id`, customerID)
	if len(all) > 0 {
		all[0].Default = true
	}
	return all, err
}

// addressOf reads an address that must be the customer's own.
func addressOf(ctx context.Context, c customer, id string) (address, error) {
	a, found, err := find(ctx, scanAddress, `SELECT `+addressColumns+` WHERE id = ?`, id)
	switch {
	case err != nil:
	case !found:
		err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no address with the id %q.", id).WithHint("customer.get lists the saved addresses.")
	case a.customerID != c.ID:
		err = bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "That address belongs to another customer, not to %s.", c.Name).
			WithHint("customer.get lists the saved addresses of the customer.")
	}
	return a, err
}

// cashID stands for cash: everybody can pay with it and nobody has it saved.
const cashID = "cash"

const methodColumns = `id, customer_id, kind, brand, last_four, balance, is_default FROM payment_methods`

func (s *deskShop) scanMethod(r row) (paymentMethod, error) {
	var m paymentMethod
	var balance sql.NullInt64
	err := r.Scan(&m.ID, &m.customerID, &m.Kind, &m.Brand, &m.LastFour, &balance, &m.Default)
	if balance.Valid {
		m.balance = balance.Int64
		b := s.money(m.balance)
		m.Balance = &b
	}
	m.Label = methodLabel(m.Kind, m.Brand, m.LastFour)
	return m, err
}

// methodLabel is a payment method in a sentence: "Visa ending 4242".
func methodLabel(kind, brand, lastFour string) string {
	switch kind {
	case "card":
		if lastFour == "" { // of an order that was brought in: only how it was paid is known
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

// methods are a customer's own payment methods, the default first. Without one,
// as after an undo, the oldest is.
func (s *deskShop) methods(ctx context.Context, customerID string) ([]paymentMethod, error) {
	all, err := list(ctx, s.scanMethod, `SELECT `+methodColumns+` WHERE customer_id = ? ORDER BY is_default DESC, created_at, id`, customerID)
	if len(all) > 0 {
		all[0].Default = true
	}
	return all, err
}

// methodOf reads a payment method that must be the customer's own, or cash.
func (s *deskShop) methodOf(ctx context.Context, c customer, id string) (paymentMethod, error) {
	if id == cashID {
		return cash(), nil
	}
	m, found, err := find(ctx, s.scanMethod, `SELECT `+methodColumns+` WHERE id = ?`, id)
	switch {
	case err != nil:
	case !found:
		err = bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no payment method with the id %q.", id).WithHint("customer.get lists the saved payment methods.")
	case m.customerID != c.ID:
		err = bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "That payment method belongs to another customer, not to %s.", c.Name).
			WithHint("customer.get lists the payment methods of the customer.")
	}
	return m, err
}

func cash() paymentMethod { return paymentMethod{ID: cashID, Kind: "cash", Label: "Cash"} }

type customerSearchIn struct {
	Query      string `json:"query,omitempty" jsonschema:"maxLength=200"`
	Email      string `json:"email,omitempty" jsonschema:"maxLength=200" jsonschema_description:"The whole email address."`
	Phone      string `json:"phone,omitempty" jsonschema:"maxLength=40"`
	Name       string `json:"name,omitempty" jsonschema:"maxLength=120" jsonschema_description:"Words of the name."`
	PostalCode string `json:"postalCode,omitempty" jsonschema:"maxLength=20"`
	pageIn
}

func (customerSearchIn) DescribeFields() map[string]string {
	return map[string]string{
		"query":      "Part of a name, email or phone number.",
		"phone":      "The phone number or its end.",
		"postalCode": "Of any of the customer's addresses.",
	}
}

type customerSearchOut struct {
	Customers []customer `json:"customers"`
	pageOut
}

func customerSearch() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "customer.search", Title: "Search customers", Category: "customer", Type: bus.TypeData,
		Description: "Finds customers by name, email, phone or postal code, best match first; case and accents do not matter. " +
			"Use it to find the id of a customer somebody named. It does not open the customer's cart.",
		SideEffect: bus.Pure, Permissions: []string{"customer:read"}, Access: agentMay, Resources: read,
		Searchable: true, Paginated: true,
	}, func(ctx context.Context, _ *bus.Call, in customerSearchIn) (customerSearchOut, error) {
		var out customerSearchOut
		var filter []string
		var args []any
		narrow := func(condition string, arg any) { filter, args = append(filter, condition), append(args, arg) }
		if in.Email != "" {
			narrow(`t.email = ? AND t.email <> ''`, strings.TrimSpace(in.Email))
		}
		if digits := text.Digits(in.Phone); digits != "" {
			narrow(`t.phone_digits LIKE '%' || ?`, strings.TrimLeft(digits, "0"))
		}
		for _, w := range text.Words(in.Name) {
			narrow(`instr(t.name_fold, ?)`, " "+w)
		}
		if in.PostalCode != "" {
			narrow(`t.id IN (SELECT customer_id FROM addresses WHERE postal_fold = ?)`, postalFold(in.PostalCode))
		}
		query := in.Query
		if query == "" {
			query = in.Name // the filter is by words; this ranks
		}
		hits, paged, err := search(ctx, customerSource, query, in.pageIn, filter, args)
		if err != nil {
			return out, err
		}
		out.pageOut, out.Customers = paged, make([]customer, len(hits))
		for i, h := range hits {
			if out.Customers[i], err = customerByID(ctx, h.ID); err != nil {
				return out, err
			}
		}
		return out, nil
	})
}

// postalFold makes "sw1a 1aa" and "SW1A1AA" equal.
func postalFold(s string) string { return strings.ReplaceAll(text.Fold(s), " ", "") }

type customerGetIn struct {
	CustomerID string `json:"customerId" jsonschema:"minLength=1,maxLength=100" jsonschema_extras:"x-lookup=customer.search#/customers"`
}

type customerGetOut struct {
	customer
	Addresses      []address       `json:"addresses"`
	PaymentMethods []paymentMethod `json:"paymentMethods"`
	Orders         []orderHead     `json:"orders" jsonschema_description:"The last 50, newest first."`
}

func customerGet() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "customer.get", Title: "Show a customer", Category: "customer", Type: bus.TypeData,
		Description: "Shows one customer with saved addresses, payment methods and past orders. " +
			"Use it when more than the name is needed. It does not open the customer's cart.",
		SideEffect: bus.Pure, Permissions: []string{"customer:read"}, Access: agentMay, Resources: read,
	}, func(ctx context.Context, _ *bus.Call, in customerGetIn) (customerGetOut, error) {
		var out customerGetOut
		s, err := loadShop(ctx)
		if err != nil {
			return out, err
		}
		if out.customer, err = customerByID(ctx, in.CustomerID); err != nil {
			return out, err
		}
		if out.Addresses, err = addresses(ctx, in.CustomerID); err != nil {
			return out, err
		}
		if out.PaymentMethods, err = s.methods(ctx, in.CustomerID); err != nil {
			return out, err
		}
		out.Orders, err = list(ctx, s.scanOrderHead, `SELECT `+orderHeadColumns+` WHERE o.customer_id = ? ORDER BY o.placed_at DESC, o.id DESC LIMIT 50`, in.CustomerID)
		return out, err
	})
}
