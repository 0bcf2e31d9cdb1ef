package cart

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type cartSummaryIn struct {
	CustomerID string `json:"customerId,omitempty" jsonschema:"maxLength=100" x:"entity=customer"`
}

type cartSummaryOut struct {
	CartID              string                   `json:"cartId,omitempty"`
	Customer            *customer.Customer       `json:"customer,omitempty" doc:"Absent: a walk-in."`
	Items               []cartLine               `json:"items"`
	ItemCount           int64                    `json:"itemCount"`
	Subtotal            core.Money               `json:"subtotal"`
	Discount            core.Money               `json:"discount"`
	DiscountPercent     int64                    `json:"discountPercent,omitempty"`
	DiscountReason      string                   `json:"discountReason,omitempty"`
	Note                string                   `json:"note,omitempty"`
	Fulfilment          string                   `json:"fulfilment" jsonschema:"enum=takeAway,enum=pickUp,enum=deliver"`
	Shipping            core.Money               `json:"shipping"`
	ShippingTax         core.Money               `json:"shippingTax" x:"detail=2"`
	ShippingMethod      *core.ShippingMethod     `json:"shippingMethod,omitempty"`
	ShippingMethods     []core.ShippingMethod    `json:"shippingMethods" doc:"To choose from, if delivered." x:"detail=1"`
	Tax                 core.Money               `json:"tax"`
	Taxes               []core.Rate              `json:"taxes" doc:"Of lines and shipping, by rate." x:"detail=2"`
	TaxIncluded         bool                     `json:"taxIncluded" doc:"The tax is a part of the prices." x:"detail=2"`
	Total               core.Money               `json:"total"`
	Rounding            *core.Money              `json:"rounding,omitempty" doc:"Of the total, when it is paid in cash."`
	SavedAddresses      []customer.Address       `json:"savedAddresses" doc:"The default first." x:"detail=2"`
	SavedPaymentMethods []customer.PaymentMethod `json:"savedPaymentMethods" doc:"The default first." x:"detail=2"`
	Problems            []bus.Text               `json:"problems" doc:"What keeps the cart from being submitted."`
}

func getSummary(ctx context.Context, s *core.Shop, call *bus.Call, in cartSummaryIn) (out cartSummaryOut, err error) {
	var c *Cart
	if in.CustomerID == "" {
		c, err = Current(ctx, s, call.Person.ID)
	} else {
		c, err = openCart(ctx, s, in.CustomerID)
	}
	if err != nil {
		return out, err
	}
	if c == nil {
		c = &Cart{Lines: []cartLine{}}
		if in.CustomerID != "" {
			who, err := customer.ByID(ctx, in.CustomerID)
			if err != nil {
				return out, err
			}
			c.Customer = &who
		}
	}
	out = cartSummaryOut{
		CartID: c.ID, Customer: c.Customer, Items: c.Lines, ItemCount: c.Count(), Subtotal: s.Money(c.Sums.Subtotal),
		Discount: s.Money(c.Sums.Discount), DiscountPercent: c.percent, DiscountReason: c.Reason,
		Note:       c.Note,
		Fulfilment: c.Fulfilment(), Shipping: s.Money(c.Sums.Shipping), ShippingMethod: c.Shipping, Tax: s.Money(c.Sums.Tax),
		ShippingTax: s.Money(c.Sums.ShippingTax), Taxes: s.Rates(c.Sums.Rates(s.PricesIncludeTax)),
		TaxIncluded: s.PricesIncludeTax, Total: s.Money(c.Sums.Total), SavedAddresses: []customer.Address{},
	}
	out.Rounding = s.Rounding(s.Coins(c.Sums.Total) - c.Sums.Total)
	sent := c.Fulfilment() == core.Deliver
	if out.ShippingMethods = []core.ShippingMethod{}; sent {
		if out.ShippingMethods, err = s.ShippingMethods(ctx); err != nil {
			return out, err
		}
	}
	if c.Customer != nil && sent {
		if out.SavedAddresses, err = customer.Addresses(ctx, c.Customer.ID); err != nil {
			return out, err
		}
	}
	if out.SavedPaymentMethods, err = c.PaidBy(ctx, s); err != nil {
		return out, err
	}
	out.Problems, err = Problems(ctx, s, c)
	return out, err
}

type validateOut struct {
	OK       bool       `json:"ok"`
	Problems []bus.Text `json:"problems"`
}

// validateIn holds the arguments of a checkout that determine whether an address is necessary.
type validateIn struct {
	ShippingAddressID string `json:"shippingAddressId,omitempty" jsonschema:"maxLength=100" x:"entity=address"`
	Fulfilment        string `json:"fulfilment,omitempty" jsonschema:"enum=takeAway,enum=pickUp,enum=deliver"`
}

func validate(ctx context.Context, s *core.Shop, call *bus.Call, in validateIn) (validateOut, error) {
	c, err := Current(ctx, s, call.Person.ID)
	if err != nil {
		return validateOut{}, err
	}
	c.For(s, in.Fulfilment, in.ShippingAddressID)
	problems, err := Problems(ctx, s, c)
	return validateOut{len(problems) == 0, problems}, err
}
