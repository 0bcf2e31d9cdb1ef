package customer

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type customerUpdateIn struct {
	CustomerID string  `json:"customerId" jsonschema:"minLength=1,maxLength=100" x:"entity=customer"`
	Name       *string `json:"name,omitempty" jsonschema:"minLength=1,maxLength=120" x:"personal=true"`
	Email      *string `json:"email,omitempty" jsonschema:"pattern=^([^@ ]+@[^@ ]+)?$,maxLength=200" x:"personal=true"`
	Phone      *string `json:"phone,omitempty" jsonschema:"maxLength=40" x:"personal=true" doc:"Empty: none any more."`
}

func updateCustomer(ctx context.Context, call *bus.Call, in customerUpdateIn) (Customer, error) {
	c, err := ByID(ctx, in.CustomerID)
	if err != nil {
		return c, err
	}
	was := c
	if in.Name != nil {
		if c.Name = text.Line(*in.Name, core.NameLimit); c.Name == "" {
			return c, core.Invalid("/name", "The name is empty.")
		}
	}
	if in.Email != nil {
		c.Email = text.Line(*in.Email, 200)
	}
	if in.Phone != nil {
		c.Phone = text.Line(*in.Phone, 40)
	}
	if c == was {
		return c, core.Refused("%s has these details already.", was.Name).
			WithHint("customer.get shows them; name what is to be different.")
	}
	if c.Email != was.Email {
		if err := emailFree(ctx, c.Email, c.ID); err != nil {
			return c, err
		}
	}
	call.Fact("customerId", c.ID)
	call.Summarize("Change the customer %s: %s", was.Name, differences(was, c))
	call.Announce("customer", bus.Textf("%s has new details.", c.Name), c.ID)
	return c, c.Save(ctx, was.Name)
}

// Save stores the details of a customer. was is the previous name.
func (c *Customer) Save(ctx context.Context, was string) error {
	if err := core.Exec(ctx, `UPDATE customers SET name = ?, email = ?, phone = ?, phone_digits = ?, name_fold = ?
		WHERE id = ?`, c.Name, c.Email, c.Phone, text.Digits(c.Phone), text.Fold(c.Name), c.ID); err != nil {
		return err
	}
	if err := core.RefoldCustomer(ctx, c.ID); err != nil || c.Name == was {
		return err
	}
	return renameInOrders(ctx, c.ID)
}

// differences describes the changes to a customer in a sentence.
func differences(was, now Customer) (words bus.Text) {
	add := func(what bus.Text, a, b string) {
		if a == b {
			return
		}
		part := bus.Textf("%s %s", what, b)
		if b == "" {
			part = bus.Textf("%s %s", what, bus.Textf("none"))
		}
		if !words.IsZero() {
			part = bus.Textf("%s, %s", words, part)
		}
		words = part
	}
	add(bus.Textf("name"), was.Name, now.Name)
	add(bus.Textf("email"), was.Email, now.Email)
	add(bus.Textf("phone"), was.Phone, now.Phone)
	return words
}

// emailFree refuses an email address that another customer has.
func emailFree(ctx context.Context, email, customerID string) error {
	if email == "" {
		return nil
	}
	return core.NeedNone(ctx, core.Refused("There is already a customer with the email %s.", email).
		WithHint("Find the customer with customer.search."),
		`SELECT 1 FROM customers WHERE email = ?1 AND id <> ?2 UNION ALL SELECT 1 FROM merged_customers
		WHERE email = ?1 COLLATE NOCASE AND customer_id <> ?2`, email, customerID)
}

// renameInOrders updates the search text of a customer's orders.
func renameInOrders(ctx context.Context, customerID string) error {
	ids, err := core.List(ctx, core.ScanText, `SELECT id FROM orders WHERE customer_id = ?`, customerID)
	for _, id := range ids {
		if err != nil {
			return err
		}
		err = core.RefoldOrder(ctx, id)
	}
	return err
}

type setAddressIn struct {
	CustomerID string    `json:"customerId" jsonschema:"minLength=1,maxLength=100" x:"entity=customer"`
	AddressID  string    `json:"addressId,omitempty" jsonschema:"maxLength=100" x:"entity=address"`
	Address    AddressIn `json:"address"`
	Default    bool      `json:"default,omitempty" doc:"Use it unless another is named."`
}

func setAddress(ctx context.Context, call *bus.Call, in setAddressIn) (addAddressOut, error) {
	c, was, err := savedAddress(ctx, in.CustomerID, in.AddressID)
	if err != nil {
		return addAddressOut{}, err
	}
	if in.Address.Label == "" {
		in.Address.Label = was.Label
		if was.Label == was.Line1 {
			in.Address.Label = ""
		}
	}
	given, err := in.Address.Clean("/address")
	if err != nil {
		return addAddressOut{}, err
	}
	a := given.Address()
	call.Fact("customerId", c.ID)
	call.Summarize("Change the address %s of %s to %s", was.Short(), c.Name, a.Line())
	call.Announce("customer", bus.Textf("%s has another address.", c.Name), c.ID, was.ID)
	if in.Default && !was.Default {
		had, err := Addresses(ctx, c.ID)
		if err != nil {
			return addAddressOut{}, err
		}
		call.Summarize("Change the address %s of %s to %s and make it the default in place of %s", was.Short(), c.Name,
			a.Line(), had[0].Short())
		if err := noDefaultAddress(ctx, c.ID); err != nil {
			return addAddressOut{}, err
		}
	}
	if err := core.Exec(ctx, `UPDATE addresses SET label = ?, line1 = ?, line2 = ?, city = ?, region = ?,
		postal_code = ?, postal_fold = ?, country = ?, is_default = ? WHERE id = ?`,
		a.Label, a.Line1, a.Line2, a.City, a.Region, a.PostalCode, FoldPostalCode(a.PostalCode), a.Country,
		core.Bit(in.Default || was.Default), was.ID); err != nil {
		return addAddressOut{}, err
	}
	return addAddressOut{was.ID}, core.RefoldCustomer(ctx, c.ID)
}

// savedAddress returns an address of a customer, or the default one for an empty id.
func savedAddress(ctx context.Context, customerID, addressID string) (Customer, Address, error) {
	c, err := ByID(ctx, customerID)
	if err != nil {
		return c, Address{}, err
	}
	if addressID != "" {
		a, err := AddressOf(ctx, &c, addressID)
		return c, a, err
	}
	all, err := Addresses(ctx, c.ID)
	if err == nil && len(all) == 0 {
		err = core.Refused("%s has no saved address.", c.Name).WithHint("Save one with customer.addAddress.")
	}
	if err != nil {
		return c, Address{}, err
	}
	return c, all[0], nil
}

func noDefaultAddress(ctx context.Context, customerID string) error {
	return core.Exec(ctx, `UPDATE addresses SET is_default = 0 WHERE customer_id = ? AND is_default = 1`, customerID)
}

type removeAddressIn struct {
	CustomerID string `json:"customerId" jsonschema:"minLength=1,maxLength=100" x:"entity=customer"`
	AddressID  string `json:"addressId" jsonschema:"minLength=1,maxLength=100" x:"entity=address"`
}

type removedOut struct {
	CustomerID string `json:"customerId"`
}

func removeAddress(ctx context.Context, call *bus.Call, in removeAddressIn) (removedOut, error) {
	c, a, err := savedAddress(ctx, in.CustomerID, in.AddressID)
	if err != nil {
		return removedOut{}, err
	}
	call.Fact("customerId", c.ID)
	call.Summarize("Remove the address %s of %s", a.Short(), c.Name)
	call.Announce("customer", bus.Textf("%s has an address less.", c.Name), c.ID, a.ID)
	if err := remove(ctx, "addresses", a.ID, c.ID, a.Default); err != nil {
		return removedOut{}, err
	}
	return removedOut{c.ID}, core.RefoldCustomer(ctx, c.ID)
}

type removePaymentMethodIn struct {
	CustomerID      string `json:"customerId" jsonschema:"minLength=1,maxLength=100" x:"entity=customer"`
	PaymentMethodID string `json:"paymentMethodId" jsonschema:"minLength=1,maxLength=100"`
}

func removePaymentMethod(ctx context.Context, s *core.Shop, call *bus.Call, in removePaymentMethodIn) (out removedOut,
	err error) {
	c, err := ByID(ctx, in.CustomerID)
	if err != nil {
		return removedOut{}, err
	}
	m, err := MethodOf(ctx, s, &c, in.PaymentMethodID)
	if err != nil {
		return removedOut{}, err
	}
	if err := removable(ctx, s, c, m); err != nil {
		return removedOut{}, err
	}
	call.Fact("customerId", c.ID)
	call.Summarize("Remove %s of %s", LabelText(m.Label), c.Name)
	call.Announce("customer", bus.Textf("%s has a payment method less.", c.Name), c.ID, m.ID)
	return removedOut{c.ID}, remove(ctx, "payment_methods", m.ID, c.ID, m.Default)
}

// remove deletes a row that belongs to a customer. If it was the default, the oldest remaining row becomes it.
func remove(ctx context.Context, table, id, customerID string, isDefault bool) error {
	if err := core.Exec(ctx, `DELETE FROM `+table+` WHERE id = ?`, id); err != nil || !isDefault {
		return err
	}
	return core.Exec(ctx, `UPDATE `+table+` SET is_default = 1 WHERE id = (SELECT id FROM `+table+`
		WHERE customer_id = ? ORDER BY created_at, id LIMIT 1)`, customerID)
}

// removable refuses a method with a balance, and one that an unfinished order may refund to.
func removable(ctx context.Context, s *core.Shop, c Customer, m PaymentMethod) error {
	switch {
	case m.Unsaved():
		return core.Refused("%s is not saved, so it cannot be removed.", LabelText(m.Label)).
			WithHint("customer.get lists the saved payment methods.")
	case m.Left() > 0:
		return core.Refused("The gift card still has %s.", s.Money(m.Left())).
			WithHint("It can pay an order with checkout.submit; one added by mistake is taken back with audit.undo.")
	}
	order, needed, err := core.Find(ctx, core.ScanText, `SELECT o.id FROM orders o WHERE o.customer_id = ?1 AND (
			o.status IN ('pending', 'processed') AND EXISTS (SELECT 1 FROM payments p WHERE p.order_id = o.id
			AND p.method_id = ?2)
			OR EXISTS (SELECT 1 FROM order_requests q WHERE q.order_id = o.id AND q.status = 'requested' AND q.method_id = ?2))
		ORDER BY o.placed_at LIMIT 1`, c.ID, m.ID)
	if err == nil && needed {
		err = core.Refused("Order %s is not finished and goes by %s.", order, LabelText(m.Label)).
			WithHint("Change how it is paid with order.changePayment, or finish it; order.get shows what can be done.")
	}
	return err
}
