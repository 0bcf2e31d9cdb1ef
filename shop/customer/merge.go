package customer

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type mergeIn struct {
	Keep   string `json:"keep" jsonschema:"minLength=1,maxLength=100" x:"entity=customer"`
	Remove string `json:"remove" jsonschema:"minLength=1,maxLength=100" x:"entity=customer"`
}

type mergeOut struct {
	CustomerID     string `json:"customerId"`
	Orders         int64  `json:"orders"`
	Addresses      int64  `json:"addresses"`
	PaymentMethods int64  `json:"paymentMethods"`
	Notes          int64  `json:"notes"`
	Carts          int64  `json:"carts"`
}

// merger moves all data from the record gone to the record keep.
type merger struct {
	call       *bus.Call
	keep, gone Customer
}

// merge combines two records of the same person.
func merge(ctx context.Context, call *bus.Call, in mergeIn) (out mergeOut, err error) {
	m := merger{call: call}
	if m.keep, err = ByID(ctx, in.Keep); err != nil {
		return out, err
	}
	if m.gone, err = ByID(ctx, in.Remove); err != nil {
		return out, err
	}
	if m.keep.ID == m.gone.ID {
		return out, core.Invalid("/remove", "Both are the same record.").
			WithHint("Name the record that goes away; customer.search finds it.")
	}
	call.Fact("customerId", m.keep.ID)
	call.Summarize("Merge the customer %s into %s", m.gone.Name, m.keep.Name)
	m.about("/keep", m.keep.words(), "Stays")
	m.about("/remove", m.gone.words(), "Goes away")
	out.CustomerID = m.keep.ID
	if err := m.alike(ctx); err != nil {
		return out, err
	}
	for _, part := range []struct {
		name string
		n    *int64
		move func(context.Context) (int64, error)
	}{
		{"Orders", &out.Orders, m.orders}, {"Addresses", &out.Addresses, m.addresses},
		{"Payment methods", &out.PaymentMethods, m.methods}, {"Notes", &out.Notes, m.notes}, {"Carts", &out.Carts, m.carts},
	} {
		if *part.n, err = part.move(ctx); err != nil {
			return out, err
		}
		if *part.n > 0 {
			m.about("", strconv.FormatInt(*part.n, 10), "%s", part.name)
		}
	}
	return out, m.contact(ctx)
}

// words returns the name with email and phone, to distinguish customers of the same name.
func (c *Customer) words() string {
	words := c.Name
	for _, more := range []string{c.Email, c.Phone} {
		if more != "" {
			words += " · " + more
		}
	}
	return words
}

func (m *merger) about(argument, value, format string, args ...any) {
	b := m.call.Bill()
	b.About = append(b.About, bus.BillValue{Label: fmt.Sprintf(format, args...), Text: value, Argument: argument})
}

func (m *merger) then(format string, args ...any) {
	b := m.call.Bill()
	b.Follows = append(b.Follows, fmt.Sprintf(format, args...))
}

// move assigns the rows of a table to the remaining record. changes are further assignments in SQL.
func (m *merger) move(ctx context.Context, table, changes string) (n int64, err error) {
	if n, _, err = core.Find(ctx, core.ScanInt, `SELECT COUNT(*) FROM `+table+` WHERE customer_id = ?`,
		m.gone.ID); err != nil || n == 0 {
		return n, err
	}
	return n, core.Exec(ctx, `UPDATE `+table+` SET customer_id = ?1`+changes+` WHERE customer_id = ?2`, m.keep.ID,
		m.gone.ID)
}

// firstDefault returns an assignment that preserves the default of the remaining record.
func firstDefault(table string) string {
	return `, is_default = is_default AND NOT EXISTS (SELECT 1 FROM ` + table +
		` d WHERE d.customer_id = ?1 AND d.is_default = 1)`
}

// once removes rows that the remaining record also has, with equal values in the columns. Each change replaces the id
// ?1 by ?2 in orders of the customer ?3 or in parts of them.
func (m *merger) once(ctx context.Context, table, columns, only string, changes ...string) (found bool, err error) {
	own := `(SELECT id, ` + columns + ` FROM ` + table + ` WHERE customer_id = ? ` + only + `)`
	alike, err := core.List(ctx, func(r core.Row) (ids [2]string, err error) { return ids, r.Scan(&ids[0], &ids[1]) },
		`SELECT g.id, MIN(k.id) FROM `+own+` g JOIN `+own+` k USING (`+columns+`) GROUP BY g.id`, m.gone.ID, m.keep.ID)
	for _, ids := range alike {
		for _, change := range changes {
			if err == nil {
				err = core.Exec(ctx, change, ids[0], ids[1], m.gone.ID)
			}
		}
		if err == nil {
			err = core.Exec(ctx, `DELETE FROM `+table+` WHERE id = ?`, ids[0])
		}
	}
	return len(alike) > 0, err
}

const ofTheirOrders = ` AND order_id IN (SELECT id FROM orders WHERE customer_id = ?3)`

func (m *merger) addresses(ctx context.Context) (int64, error) {
	return m.move(ctx, "addresses", firstDefault("addresses"))
}

func (m *merger) methods(ctx context.Context) (int64, error) {
	return m.move(ctx, "payment_methods", firstDefault("payment_methods"))
}

func (m *merger) notes(ctx context.Context) (int64, error) { return m.move(ctx, "customer_notes", "") }

// alike combines the addresses and payment methods that both records have. Gift cards stay separate, because each has
// its own balance.
func (m *merger) alike(ctx context.Context) error {
	places, err := m.once(ctx, "addresses", `line1, line2, city, region, postal_fold, country`, "",
		`UPDATE orders SET address_id = ?2 WHERE address_id = ?1 AND customer_id = ?3`)
	if err != nil {
		return err
	}
	methods, err := m.once(ctx, "payment_methods", `kind, brand, last_four`, `AND kind <> 'giftCard'`,
		`UPDATE payments SET method_id = ?2 WHERE method_id = ?1`+ofTheirOrders,
		`UPDATE order_requests SET method_id = ?2 WHERE method_id = ?1`+ofTheirOrders)
	if places || methods {
		m.then("Addresses and payment methods that both have are kept once.")
	}
	return err
}

func (m *merger) orders(ctx context.Context) (int64, error) {
	all, err := core.List(ctx, core.ScanText, `SELECT id FROM orders WHERE customer_id = ? ORDER BY placed_at, id`,
		m.gone.ID)
	if err != nil || len(all) == 0 {
		return 0, err
	}
	if err := core.Exec(ctx, `UPDATE orders SET customer_id = ?, revision = ? WHERE customer_id = ?`, m.keep.ID,
		m.call.NewID("rev"), m.gone.ID); err != nil {
		return 0, err
	}
	m.call.Announce("order", bus.Textf("Orders belong to %s now.", m.keep.Name), all...)
	for _, id := range all {
		if err := core.RefoldOrder(ctx, id); err != nil {
			return 0, err
		}
	}
	return int64(len(all)), nil
}

// carts moves the carts. If both records have an open cart, that of the remaining record stays open and the other is
// put on hold.
func (m *merger) carts(ctx context.Context) (int64, error) {
	const open = `SELECT id FROM carts WHERE customer_id = ? AND status = 'open'`
	own, has, err := core.Find(ctx, core.ScanText, open, m.keep.ID)
	if err != nil {
		return 0, err
	}
	other, had, err := core.Find(ctx, core.ScanText, open, m.gone.ID)
	if err != nil {
		return 0, err
	}
	if has && had {
		filled, err := core.Exists(ctx, `SELECT 1 FROM cart_lines WHERE cart_id = ?`, other)
		if err != nil {
			return 0, err
		}
		if err := core.Exec(ctx, `UPDATE current_carts SET cart_id = ? WHERE cart_id = ?`, own, other); err != nil {
			return 0, err
		}
		if filled {
			m.then("The open cart of %s is put on hold.", m.gone.Name)
			err = core.Exec(ctx, `UPDATE carts SET status = 'held', label = ?, held_at = ? WHERE id = ?`, m.gone.Name,
				m.call.Now.UnixMilli(), other)
		} else {
			err = core.Exec(ctx, `DELETE FROM carts WHERE id = ?`, other)
		}
		if err != nil {
			return 0, err
		}
	}
	n, err := m.move(ctx, "carts", "")
	if n > 0 || has && had {
		m.call.Announce("cart", bus.Textf("Carts belong to %s now.", m.keep.Name))
	}
	return n, err
}

// contact fills in missing details of the remaining record, adds a note with the details that would be lost, and
// removes the other record.
func (m *merger) contact(ctx context.Context) error {
	was, keep := m.keep, m.keep
	var lost []string
	if text.Fold(m.gone.Name) != text.Fold(keep.Name) {
		lost = append(lost, m.gone.Name)
	}
	for _, f := range []struct {
		own   *string
		other string
	}{{&keep.Email, m.gone.Email}, {&keep.Phone, m.gone.Phone}} {
		switch {
		case *f.own == "":
			*f.own = f.other
		case f.other != "" && !strings.EqualFold(*f.own, f.other):
			lost = append(lost, f.other)
		}
	}
	now := m.call.Now.UnixMilli()
	if keep != was {
		m.then("%s gets: %s", was.Name, differences(was, keep))
	}
	if len(lost) > 0 {
		m.then("A note keeps: %s", strings.Join(lost, " · "))
		if err := core.Insert(ctx, `customer_notes (id, customer_id, text, person, at)`, m.call.NewID("note"), keep.ID,
			strings.Join(lost, " · "), m.call.Person.ID, now); err != nil {
			return err
		}
	}
	quoted := func(id string) string { return strings.Trim(core.JSONList([]string{id}), "[]") }
	for _, stmt := range []struct {
		query string
		args  []any
	}{
		{`UPDATE preferences SET value = replace(value, ?1, ?2)
			WHERE name >= 'view ' AND name < 'view!' AND instr(value, ?1)`, []any{quoted(m.gone.ID), quoted(keep.ID)}},
		{`UPDATE merged_customers SET customer_id = ? WHERE customer_id = ?`, []any{keep.ID, m.gone.ID}},
		{core.InsertInto(`merged_customers (id, customer_id, name, email, phone, at)`, 6),
			[]any{m.gone.ID, keep.ID, m.gone.Name, m.gone.Email, m.gone.Phone, now}},
		{`DELETE FROM customers WHERE id = ?`, []any{m.gone.ID}},
	} {
		if err := core.Exec(ctx, stmt.query, stmt.args...); err != nil {
			return err
		}
	}
	m.call.Announce("customer", bus.Textf("%s is a part of %s now.", m.gone.Name, keep.Name), keep.ID, m.gone.ID)
	return keep.Save(ctx, keep.Name)
}
