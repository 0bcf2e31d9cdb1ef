package customer

import (
	"cmp"
	"context"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

// AddressIn is an address in a request.
type AddressIn struct {
	Label      string `json:"label,omitempty" jsonschema:"maxLength=60" x:"personal=true" doc:"For example Home or Work."`
	Line1      string `json:"line1" jsonschema:"minLength=1,maxLength=120" x:"personal=true" doc:"Street and number."`
	Line2      string `json:"line2,omitempty" jsonschema:"maxLength=120" x:"personal=true"`
	City       string `json:"city" jsonschema:"minLength=1,maxLength=80" x:"personal=true"`
	Region     string `json:"region,omitempty" jsonschema:"maxLength=80" x:"personal=true" doc:"State or province."`
	PostalCode string `json:"postalCode" jsonschema:"minLength=1,maxLength=20" x:"personal=true"`
	Country    string `json:"country" jsonschema:"minLength=2,maxLength=60"`
}

// Clean makes the address safe to display and to store.
func (in AddressIn) Clean(path string) (AddressIn, error) {
	for _, f := range []struct {
		name     string
		value    *string
		limit    int
		required bool
	}{
		{"label", &in.Label, core.LabelLimit, false}, {"line1", &in.Line1, core.NameLimit, true}, {"line2", &in.Line2,
			core.NameLimit, false},
		{"city", &in.City, 80, true}, {"region", &in.Region, 80, false}, {"postalCode", &in.PostalCode, 20, true},
		{"country", &in.Country, 60, true},
	} {
		*f.value = text.Line(*f.value, f.limit)
		if f.required && *f.value == "" {
			return in, core.Invalid(path+"/"+f.name, "%s is empty.", f.name)
		}
	}
	in.Label = cmp.Or(in.Label, text.Line(in.Line1, core.LabelLimit))
	return in, nil
}

// Address converts the request to a saved address without an id.
func (in AddressIn) Address() Address {
	a := Address{Label: in.Label, Line1: in.Line1, Line2: in.Line2, City: in.City, Region: in.Region,
		PostalCode: in.PostalCode, Country: in.Country}
	a.Text = a.Line()
	return a
}

type customerCreateIn struct {
	Name    string     `json:"name" jsonschema:"minLength=1,maxLength=120" x:"personal=true"`
	Email   string     `json:"email,omitempty" jsonschema:"format=email,maxLength=200" x:"personal=true"`
	Phone   string     `json:"phone,omitempty" jsonschema:"maxLength=40" x:"personal=true"`
	Address *AddressIn `json:"address,omitempty"`
}

type customerCreateOut struct {
	CustomerID string `json:"customerId"`
	AddressID  string `json:"addressId,omitempty"`
}

func createCustomer(ctx context.Context, call *bus.Call, in customerCreateIn) (customerCreateOut, error) {
	var out customerCreateOut
	name := text.Line(in.Name, core.NameLimit)
	if name == "" {
		return out, core.Invalid("/name", "The name is empty.")
	}
	phone := text.Line(in.Phone, 40)
	email := text.Line(in.Email, 200)
	if err := emailFree(ctx, email, ""); err != nil {
		return out, err
	}
	id := NewID(call)
	out.CustomerID = id
	digits := text.Digits(phone)
	if err := core.Insert(ctx, `customers (id, name, email, phone, phone_digits, name_fold, search_fold, created_at)`,
		id, name, email, phone, digits, text.Fold(name), text.Fold(name, email, phone, digits),
		call.Now.UnixMilli()); err != nil {
		return out, err
	}
	if in.Address != nil {
		var err error
		if out.AddressID, err = insertAddress(ctx, call, id, *in.Address, "/address", true); err != nil {
			return out, err
		}
	}
	call.Summarize("Add the customer %s", name)
	call.Announce("customer", bus.Textf("%s is a customer now.", name), id)
	return out, nil
}

// NewID returns an id that reveals nothing about the customer, because it survives in the record of the erasure.
func NewID(call *bus.Call) string { return call.NewID("cus") }

// insertAddress stores an address. The first address of a customer becomes the default.
func insertAddress(ctx context.Context, call *bus.Call, customerID string, in AddressIn, path string,
	asDefault bool) (string, error) {
	a, err := in.Clean(path)
	if err != nil {
		return "", err
	}
	first, err := core.Exists(ctx, `SELECT 1 FROM addresses WHERE customer_id = ?`, customerID)
	if err != nil {
		return "", err
	}
	if first = !first; asDefault && !first {
		if err := noDefaultAddress(ctx, customerID); err != nil {
			return "", err
		}
	}
	id := call.NewID("adr")
	if err := core.Insert(ctx, `addresses (id, customer_id, label, line1, line2, city, region, postal_code,
		postal_fold, country, is_default, created_at)`,
		id, customerID, a.Label, a.Line1, a.Line2, a.City, a.Region, a.PostalCode, FoldPostalCode(a.PostalCode), a.Country,
		core.Bit(asDefault || first), call.Now.UnixMilli()); err != nil {
		return "", err
	}
	return id, core.RefoldCustomer(ctx, customerID)
}

type addAddressIn struct {
	CustomerID string    `json:"customerId" jsonschema:"minLength=1,maxLength=100" x:"entity=customer"`
	Address    AddressIn `json:"address"`
	Default    bool      `json:"default,omitempty" doc:"Use it unless another is named."`
}

type addAddressOut struct {
	AddressID string `json:"addressId"`
}

func addAddress(ctx context.Context, call *bus.Call, in addAddressIn) (addAddressOut, error) {
	c, err := ByID(ctx, in.CustomerID)
	if err != nil {
		return addAddressOut{}, err
	}
	had, err := Addresses(ctx, c.ID)
	if err != nil {
		return addAddressOut{}, err
	}
	id, err := insertAddress(ctx, call, c.ID, in.Address, "/address", in.Default)
	line := text.Line(in.Address.Line1, core.NameLimit)
	call.Summarize("Add the address %s for %s", line, c.Name)
	if in.Default && len(had) > 0 {
		call.Summarize("Add the address %s for %s and make it the default in place of %s", line, c.Name, had[0].Short())
	}
	call.Announce("customer", bus.Textf("%s has a new address.", c.Name), c.ID, id)
	return addAddressOut{id}, err
}

type addPaymentMethodIn struct {
	CustomerID string        `json:"customerId" jsonschema:"minLength=1,maxLength=100"`
	Kind       string        `json:"kind" jsonschema:"enum=card,enum=paypal,enum=giftCard,enum=onAccount"`
	Brand      string        `json:"brand,omitempty" jsonschema:"maxLength=30" doc:"Of a card, for example Visa."`
	LastFour   string        `json:"lastFour,omitempty" jsonschema:"pattern=^[0-9]{4}$" x:"personal=true"`
	Balance    *core.PriceIn `json:"balance,omitempty" doc:"Of a gift card."`
	Default    bool          `json:"default,omitempty" doc:"Use it unless another is named."`
}

type addPaymentMethodOut struct {
	PaymentMethodID string `json:"paymentMethodId"`
}

func addPaymentMethod(ctx context.Context, s *core.Shop, call *bus.Call, in addPaymentMethodIn) (
	out addPaymentMethodOut, err error) {
	c, err := ByID(ctx, in.CustomerID)
	if err != nil {
		return out, err
	}
	brand, balance, err := in.details(s)
	if err != nil {
		return out, err
	}
	label := MethodLabel(in.Kind, brand, in.LastFour)
	if in.Kind == "paypal" || in.Kind == "onAccount" {
		has, err := core.Exists(ctx, `SELECT 1 FROM payment_methods WHERE customer_id = ? AND kind = ?`, c.ID, in.Kind)
		if err != nil {
			return out, err
		}
		if has {
			return out, core.Refused("%s already has %s.", c.Name, label).WithHint("customer.get lists the payment methods.")
		}
	}
	had, err := Methods(ctx, s, c.ID)
	if err != nil {
		return out, err
	}
	call.Summarize("Add %s as a payment method of %s", label, c.Name)
	if in.Default && len(had) > 0 {
		call.Summarize("Add %s as a payment method of %s and make it the default in place of %s", label, c.Name,
			LabelText(had[0].Label))
		if err := core.Exec(ctx, `UPDATE payment_methods SET is_default = 0 WHERE customer_id = ?
			AND is_default = 1`, c.ID); err != nil {
			return out, err
		}
	}
	out.PaymentMethodID = call.NewID("pm")
	call.Announce("customer", bus.Textf("%s has a new payment method.", c.Name), c.ID, out.PaymentMethodID)
	return out, core.Insert(ctx, `payment_methods (id, customer_id, kind, brand, last_four, balance, is_default,
		created_at)`,
		out.PaymentMethodID, c.ID, in.Kind, brand, in.LastFour, balance, core.Bit(in.Default || len(had) == 0),
		call.Now.UnixMilli())
}

// details checks that the fields of the payment method match its kind.
func (in addPaymentMethodIn) details(s *core.Shop) (brand string, balance any, err error) {
	brand = text.Line(in.Brand, 30)
	if card := in.Kind == "card"; card != (brand != "") || card != (in.LastFour != "") {
		if card {
			return "", nil, core.Invalid("/lastFour", "A card needs a brand and its last four digits.")
		}
		return "", nil, core.Invalid("/brand", "Only a card has a brand and last four digits.")
	}
	if strings.ContainsAny(brand, "0123456789") {
		return "", nil, core.Invalid("/brand", "A brand has no digits; card numbers are never stored.")
	}
	if (in.Kind == "giftCard") != (in.Balance != nil) {
		return "", nil, core.Invalid("/balance", "A gift card, and nothing else, has a balance.")
	}
	if in.Balance != nil {
		if err := s.CheckCurrency(*in.Balance, "/balance"); err != nil {
			return "", nil, err
		}
		balance = in.Balance.Amount
	}
	return brand, balance, nil
}
