package transfer

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopify"
)

// customerPlan is the planned import of customers.
type customerPlan struct {
	shop      *core.Shop
	file      shopify.Read
	customers []*plannedCustomer
	unchanged int
}

// plannedCustomer is a customer who is new or differs. Until the plan is applied a new one has no id.
type plannedCustomer struct {
	line      int
	is        customer.Customer // as it will be
	was       customer.Customer // as it is; without an id: new
	address   *shopify.Address
	createdAt int64                    // milliseconds since 1970; 0: now
	methods   []shopfile.PaymentMethod // to be added, with their ids
	known     map[string]string        // the methods by kind and words: id; nil: not looked up yet
	details   []string
}

// everybody are the customers of the shop and of the file being planned, by what
// they are found again by: the email, without one name and phone together.
type everybody map[string]*plannedCustomer

func loadEverybody(ctx context.Context) (everybody, error) {
	all := everybody{}
	stored, err := core.List(ctx, customer.Scan, `SELECT `+customer.Columns+` WHERE erased_at = 0
		ORDER BY created_at DESC, id DESC`)
	for _, c := range stored {
		all[personKey(c.Email, c.Name, c.Phone)] = &plannedCustomer{is: c, was: c} // of two alike the older one is meant
	}
	return all, err
}

func personKey(email, name, phone string) string {
	if email != "" {
		return strings.ToLower(email)
	}
	return text.Fold(name) + "|" + text.Digits(phone)
}

// planCustomers compares an export of customers with the shop.
func planCustomers(ctx context.Context, s *core.Shop, data io.Reader) (importPlan, shopify.Problems, error) {
	file, problems, err := shopify.ParseCustomers(data)
	if len(problems) > 0 || err != nil {
		return nil, problems, err
	}
	all, err := loadEverybody(ctx)
	if err != nil {
		return nil, nil, err
	}
	plan := &customerPlan{shop: s, file: file.Read}
	for i := range file.Customers {
		c := &file.Customers[i]
		key := personKey(c.Email, c.Name, c.Phone)
		p := all[key]
		switch {
		case p == nil:
			p = &plannedCustomer{is: customer.Customer{Name: c.Name, Email: c.Email, Phone: c.Phone}, address: c.Address,
				details: addressDetails(c.Address)}
			all[key] = p
		case p.line != 0:
			problems.Add(c.Line, "", "%s is on line %d already.", c.Name, p.line)
			continue
		default:
			if err := p.compare(ctx, c); err != nil {
				return nil, nil, err
			}
		}
		if p.line = c.Line; p.was.ID != "" && len(p.details) == 0 {
			plan.unchanged++
			continue
		}
		plan.customers = append(plan.customers, p)
	}
	return plan, problems, nil
}

func addressDetails(a *shopify.Address) []string {
	if a == nil {
		return []string{}
	}
	return []string{"address " + a.Line1 + ", " + a.City}
}

// compare notes what the file says differently; what it does not say stays, and an address is added to those there are.
func (p *plannedCustomer) compare(ctx context.Context, c *shopify.Customer) error {
	p.is.Name = cmp.Or(c.Name, p.was.Name)
	p.is.Phone = cmp.Or(c.Phone, p.was.Phone)
	if p.is.Name != p.was.Name {
		p.details = append(p.details, "name: "+p.was.Name+" → "+p.is.Name)
	}
	if p.is.Phone != p.was.Phone {
		p.details = append(p.details, "phone: "+cmp.Or(p.was.Phone, "none")+" → "+p.is.Phone)
	}
	if c.Address == nil {
		return nil
	}
	saved, err := customer.Addresses(ctx, p.was.ID)
	if !slices.ContainsFunc(saved, func(a customer.Address) bool {
		return text.Fold(a.Line1) == text.Fold(c.Address.Line1) &&
			customer.FoldPostalCode(a.PostalCode) == customer.FoldPostalCode(c.Address.PostalCode)
	}) {
		p.address = c.Address
		p.details = append(p.details, addressDetails(c.Address)...)
	}
	return err
}

// tell implements importPlan.
func (p *customerPlan) tell(out *importOut) (domains []string, what bus.Text) {
	out.read(p.file)
	out.CustomersUnchanged = p.unchanged
	for _, c := range p.customers {
		action := "updated"
		if c.was.ID == "" {
			action = "created"
			out.CustomersCreated++
		} else {
			out.CustomersUpdated++
		}
		out.change(cmp.Or(c.is.Email, c.is.Name), c.is.Name, action, c.details)
	}
	return []string{"customer"}, bus.Textf("%d new customers, %d changed", out.CustomersCreated, out.CustomersUpdated)
}

// apply implements importPlan.
func (p *customerPlan) apply(ctx context.Context, call *bus.Call) error {
	im := &importing{ctx: ctx, call: call, shop: *p.shop, progress: func(string, int64) {}}
	for i, c := range p.customers {
		if err := c.write(im); err != nil {
			return fmt.Errorf("line %d: %w", c.line, err)
		}
		if i%100 == 99 {
			call.Progress(100*(i+1)/len(p.customers), fmt.Sprintf("%d of %d customers", i+1, len(p.customers)))
		}
	}
	return nil
}

// write brings a customer into the state planned.
func (p *plannedCustomer) write(im *importing) error {
	at := shopfile.Place{Line: int64(p.line)}
	c := &shopfile.Customer{ID: p.was.ID, Name: p.is.Name, Email: p.is.Email, Phone: p.is.Phone,
		CreatedAt: cmp.Or(p.createdAt, im.call.Now.UnixMilli()), Methods: p.methods}
	if p.address != nil {
		a := p.address
		c.Addresses = []shopfile.Address{{CreatedAt: im.call.Now.UnixMilli(), Postal: postalOf(a)}}
	}
	if p.was.ID == "" {
		c.ID = customer.NewID(im.call)
		p.is.ID = c.ID
		return im.Customer(at, c)
	}
	if p.is != p.was {
		if err := p.is.Save(im.ctx, p.was.Name); err != nil {
			return err
		}
	}
	for i := range c.Addresses {
		has, err := core.Exists(im.ctx, `SELECT 1 FROM addresses WHERE customer_id = ?`, c.ID)
		im.note(err)
		im.addAddress(at.Refuse("", "The address is here already."), c, &c.Addresses[i], !has)
	}
	for i := range c.Methods {
		c.Methods[i].CreatedAt = im.call.Now.UnixMilli()
		has, err := core.Exists(im.ctx, `SELECT 1 FROM payment_methods WHERE customer_id = ?`, c.ID)
		im.note(err)
		im.addMethod(at.Refuse("", "The payment method is here already."), c, &c.Methods[i], !has)
	}
	return im.err
}

// postalOf is an address of a file as the shop keeps it, under the name of its street.
func postalOf(a *shopify.Address) shopfile.Postal {
	if a == nil {
		return shopfile.Postal{}
	}
	return shopfile.Postal{Label: text.Line(a.Line1, core.LabelLimit), Line1: a.Line1, Line2: a.Line2, City: a.City,
		Region: a.Region, PostalCode: a.PostalCode, Country: a.Country}
}
