package shopify

import (
	"cmp"
	"io"
	"strings"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// Columns of a customer export.
const (
	colFirstName = "First Name"
	colLastName  = "Last Name"
	colEmail     = "Email"
	colPhone     = "Phone"

	home = "Default Address " // prefix of the address columns
)

// customers holds the columns of current exports and of exports before 2023, whose address columns had no prefix.
var customers = layout{
	what:     "a customer export",
	columns:  append(addressColumns(home), colFirstName, colLastName, colEmail, colPhone, home+colPhone),
	required: []string{colFirstName, colLastName, colEmail},
	also: map[string]string{
		"default address province code": home + colProvince, "default address country code": home + colCountry,
		"address1": home + colAddress1, "address2": home + colAddress2, "company": home + colCompany, "city": home + colCity,
		"zip": home + colZip, "province code": home + colProvince, "country code": home + colCountry,
	},
}

// Customers is a parsed customer export.
type Customers struct {
	Read
	Customers []Customer
}

// Customer is a customer of a file. At least one of name, email and phone is present.
type Customer struct {
	Line               int
	Name, Email, Phone string
	Address            *Address // nil if the file has none
}

// ParseCustomers parses a customer export.
func ParseCustomers(data io.Reader) (Customers, error) {
	rs := &rows{layout: customers}
	var file Customers
	rs.each(data, func(r *row) {
		rs.of = cmp.Or(r.get(colEmail), r.get(colLastName), r.get(colFirstName))
		var c Customer
		if rs.fails(func() { c = rs.customer(r) }) {
			rs.Left++
			return
		}
		file.Customers = append(file.Customers, c)
	})
	file.Read = rs.Read
	return file, rs.err
}

func (rs *rows) customer(r *row) Customer {
	c := Customer{Line: r.line, Email: rs.email(r, colEmail), Phone: rs.phone(r, colPhone), Address: rs.address(r, home)}
	if c.Phone == "" {
		c.Phone = rs.phone(r, home+colPhone)
	}
	before, _, _ := strings.Cut(c.Email, "@")
	name := text.Line(rs.short(r, colFirstName, maxShort)+" "+rs.short(r, colLastName, maxShort), maxShort)
	if c.Name = cmp.Or(name, rs.short(r, home+colCompany, maxShort), before, c.Phone); c.Name == "" {
		rs.problem(r, "", "The row has neither a name nor an email nor a phone number.")
	}
	return c
}
