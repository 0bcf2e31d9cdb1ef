package shop

import (
	"context"

	"github.com/deskhand/deskhand/bus"
)

type cartSummaryIn struct {
	CustomerID string `json:"customerId,omitempty" jsonschema:"maxLength=100" jsonschema_extras:"x-lookup=customer.search#/customers"`
}

func (cartSummaryIn) DescribeFields() map[string]string {
	return map[string]string{"customerId": "Whose cart; absent: the current one."}
}

type cartSummaryOut struct {
	CartID              string          `json:"cartId,omitempty"`
	Customer            *customer       `json:"customer,omitempty" jsonschema_description:"Absent: nobody chosen yet."`
	Items               []cartLine      `json:"items"`
	ItemCount           int64           `json:"itemCount"`
	Subtotal            Money           `json:"subtotal"`
	Discount            Money           `json:"discount"`
	DiscountPercent     int64           `json:"discountPercent,omitempty"`
	DiscountReason      string          `json:"discountReason,omitempty"`
	Shipping            Money           `json:"shipping"`
	ShippingMethod      *shippingMethod `json:"shippingMethod,omitempty"`
	Tax                 Money           `json:"tax"`
	Total               Money           `json:"total"`
	SavedAddresses      []address       `json:"savedAddresses" jsonschema_description:"The default first."`
	SavedPaymentMethods []paymentMethod `json:"savedPaymentMethods" jsonschema_description:"The default first, cash last."`
	Problems            []string        `json:"problems"`
}

func (cartSummaryOut) DescribeFields() map[string]string {
	return map[string]string{"problems": "What keeps the cart from being submitted."}
}

func cartGetSummary() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.getSummary", Title: "Show the cart", Category: "cart", Type: bus.TypeData,
		Description: "Shows a cart: customer, items, what it comes to, the customer's saved addresses and payment methods, and what keeps it from being submitted. " +
			"Use it before checkout.submit to find the address and payment method that are meant. It does not change the cart and does not make it the current one.",
		SideEffect: bus.Pure, Permissions: []string{"cart:read"}, Access: agentMay, Resources: read,
	}, func(ctx context.Context, call *bus.Call, in cartSummaryIn) (cartSummaryOut, error) {
		var out cartSummaryOut
		s, err := loadShop(ctx)
		if err != nil {
			return out, err
		}
		var c *cart
		if in.CustomerID == "" {
			c, err = s.currentCart(ctx, call.Person.Person)
		} else {
			c, err = s.openCart(ctx, in.CustomerID)
		}
		if err != nil {
			return out, err
		}
		if c == nil {
			c = &cart{lines: []cartLine{}}
			if in.CustomerID != "" {
				who, err := customerByID(ctx, in.CustomerID)
				if err != nil {
					return out, err
				}
				c.customer = &who
			}
		}
		return s.summary(ctx, c)
	})
}

// summary is a cart as it is shown.
func (s *deskShop) summary(ctx context.Context, c *cart) (out cartSummaryOut, err error) {
	out = cartSummaryOut{
		CartID: c.id, Customer: c.customer, Items: c.lines, ItemCount: c.count(),
		Subtotal: s.money(c.sums.subtotal), Discount: s.money(c.sums.discount), DiscountPercent: c.percent, DiscountReason: c.reason,
		Shipping: s.money(c.sums.shipping), ShippingMethod: c.shipping, Tax: s.money(c.sums.tax), Total: s.money(c.sums.total),
		SavedAddresses: []address{}, SavedPaymentMethods: []paymentMethod{},
	}
	if c.customer != nil {
		if out.SavedAddresses, err = addresses(ctx, c.customer.ID); err != nil {
			return out, err
		}
		if out.SavedPaymentMethods, err = s.methods(ctx, c.customer.ID); err != nil {
			return out, err
		}
		out.SavedPaymentMethods = append(out.SavedPaymentMethods, cash())
	}
	out.Problems, err = s.problems(ctx, c)
	return out, err
}

type validateOut struct {
	OK       bool     `json:"ok"`
	Problems []string `json:"problems"`
}

func cartValidate() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "cart.validate", Title: "Check the cart", Category: "cart", Type: bus.TypeState,
		Description: "Checks whether the current cart can be submitted, and lists what is missing: customer, address, items, stock, an approved discount. " +
			"Use it when checkout.submit is refused or before promising anything. It does not reserve stock.",
		SideEffect: bus.Pure, Permissions: []string{"cart:read"}, Access: agentMay, Resources: read,
	}, func(ctx context.Context, call *bus.Call, _ struct{}) (validateOut, error) {
		s, err := loadShop(ctx)
		if err != nil {
			return validateOut{}, err
		}
		c, err := s.currentCart(ctx, call.Person.Person)
		if err != nil {
			return validateOut{}, err
		}
		problems, err := s.problems(ctx, c)
		return validateOut{len(problems) == 0, problems}, err
	})
}
