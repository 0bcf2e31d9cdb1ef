package sample

import (
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/deskhand/deskhand/shop/internal/text"
)

// people lists the customers in a readable form.
//
//go:embed people.txt
var people string

func customers(r *dice, now time.Time) []Customer {
	rows := table(people)
	all := make([]Customer, len(rows))
	for i, p := range rows {
		name := p[0]
		c := Customer{
			ID: fmt.Sprintf("cus_%d%02d", 1000+r.roll(9000), i), Name: name, Phone: p[1],
			Email: mailbox(name, i) + "@example.com",
			Since: now.AddDate(-1, 0, -30-r.roll(300)).Truncate(time.Minute),
		}
		for _, a := range p[3:] {
			c.Addresses = append(c.Addresses, c.address(a))
		}
		for _, m := range strings.Split(p[2], ", ") {
			c.Methods = append(c.Methods, c.method(m))
		}
		all[i] = c
	}
	return all
}

// mailbox returns the local part of an email address. A name that ASCII cannot represent gets a number.
func mailbox(name string, i int) string {
	if slug := text.Slug(name, 40); slug != "" {
		return strings.ReplaceAll(slug, "_", ".")
	}
	return fmt.Sprintf("customer%d", i)
}

func (c *Customer) address(s string) Address {
	label, rest, _ := strings.Cut(s, ": ")
	f := strings.Split(rest, "; ")
	return Address{ID: "adr_" + c.ID + "_" + text.Slug(label, 20), Label: label, Line1: f[0], City: f[1], Region: f[2],
		PostalCode: f[3], Country: f[4]}
}

func (c *Customer) method(s string) Method {
	first, second, _ := strings.Cut(s, " ")
	switch first {
	case "paypal", "onAccount":
		return Method{ID: "pm_" + c.ID + "_" + strings.ToLower(first), Kind: first}
	case "giftCard":
		return Method{ID: "pm_" + c.ID + "_gift", Kind: first, Balance: number(second)}
	}
	return Method{ID: "pm_" + c.ID + "_" + strings.ToLower(first), Kind: "card", Brand: first, LastFour: second}
}
