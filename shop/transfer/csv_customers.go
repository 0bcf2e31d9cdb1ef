package transfer

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/shop/customer"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopify"
)

// plannedCustomer is a new or changed customer. A new one gets its id when the plan is applied.
type plannedCustomer struct {
	line      int
	is        customer.Customer // after the import
	was       customer.Customer // before the import; no id if new
	address   *shopify.Address
	createdAt int64                    // Unix milliseconds; 0: now
	methods   []shopfile.PaymentMethod // methods to add, with their ids
	known     map[string]string        // ids of methods by kind and label; nil until loaded
	details   []string
}

// everybody holds the customers of the shop and of the planned file by their key: the email, or without one the name
// and phone.
type everybody map[string]*plannedCustomer

func loadEverybody(ctx context.Context) (everybody, error) {
	all := everybody{}
	stored, err := core.List(ctx, customer.Scan, `SELECT `+customer.Columns+` WHERE erased_at = 0
		ORDER BY created_at DESC, id DESC`)
	byID := map[string]*plannedCustomer{}
	for _, c := range stored {
		p := &plannedCustomer{is: c, was: c}
		byID[c.ID], all[personKey(c.Email, c.Name, c.Phone)] = p, p // of two equal keys, the older customer wins
	}
	if err != nil {
		return nil, err
	}
	merged, err := core.List(ctx, func(r core.Row) (c customer.Customer, err error) {
		return c, r.Scan(&c.ID, &c.Name, &c.Email, &c.Phone)
	}, `SELECT customer_id, name, email, phone FROM merged_customers ORDER BY at DESC, id`)
	for _, c := range merged {
		if key := personKey(c.Email, c.Name, c.Phone); all[key] == nil && byID[c.ID] != nil {
			all[key] = byID[c.ID]
		}
	}
	return all, err
}

func personKey(email, name, phone string) string {
	if email != "" {
		return strings.ToLower(email)
	}
	return text.Fold(name) + "|" + text.Digits(phone)
}

// addCustomers plans the import of customers.
func (p *csvPlan) addCustomers(ctx context.Context, file []shopify.Customer) (err error) {
	if p.people, err = loadEverybody(ctx); err != nil {
		return err
	}
	for i := range file {
		f := &file[i]
		key := personKey(f.Email, f.Name, f.Phone)
		c := p.people[key]
		switch {
		case c == nil:
			c = &plannedCustomer{is: customer.Customer{Name: f.Name, Email: f.Email, Phone: f.Phone}, address: f.Address,
				details: addressDetails(f.Address)}
			p.people[key] = c
		case c.line != 0:
			p.leave(1, f.Line, cmp.Or(f.Email, f.Name), "", "", "%s is on line %d already.", f.Name, c.line)
			continue
		default:
			if err := c.compare(ctx, f); err != nil {
				return err
			}
		}
		c.line = f.Line
		switch {
		case c.was.ID == "":
			p.out.CustomersCreated++
			p.out.change(cmp.Or(c.is.Email, c.is.Name), c.is.Name, "created", c.details)
		case len(c.details) == 0:
			p.out.CustomersUnchanged++
			continue
		default:
			p.out.CustomersUpdated++
			p.out.change(cmp.Or(c.is.Email, c.is.Name), c.is.Name, "updated", c.details)
		}
		p.steps = append(p.steps, planStep{c.line, c.write})
	}
	return nil
}

func addressDetails(a *shopify.Address) []string {
	if a == nil {
		return []string{}
	}
	return []string{"address " + a.Line1 + ", " + a.City}
}

// compare records the differences to the file. Fields that the file leaves out stay the same. A new address is added to
// the existing ones.
func (p *plannedCustomer) compare(ctx context.Context, c *shopify.Customer) error {
	if c.Email == "" || strings.EqualFold(c.Email, p.was.Email) { // otherwise the row is of a merged record
		p.is.Name = cmp.Or(c.Name, p.was.Name)
		p.is.Phone = cmp.Or(c.Phone, p.was.Phone)
	}
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

// write brings a customer into the planned state.
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

// postalOf converts an address of a file, under the name of its street.
func postalOf(a *shopify.Address) shopfile.Postal {
	if a == nil {
		return shopfile.Postal{}
	}
	return shopfile.Postal{Label: text.Line(a.Line1, core.LabelLimit), Line1: a.Line1, Line2: a.Line2, City: a.City,
		Region: a.Region, PostalCode: a.PostalCode, Country: a.Country}
}
