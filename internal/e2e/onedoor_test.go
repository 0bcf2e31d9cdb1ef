package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

const oneWrite = `UPDATE variants SET stock = stock + 1`

// TestOneDoorNoWriteOutsideAnInvocation: the only handle to the database there
// is refuses to write unless the bus runs a capability that may.
func TestOneDoorNoWriteOutsideAnInvocation(t *testing.T) {
	d := desktest.Sample(t, desk.Options{})
	before := stockOf(t, d)
	if _, err := audit.Tx(t.Context()).ExecContext(t.Context(), oneWrite); err == nil {
		t.Error("a write without a journal went through")
	}
	err := d.Log.View(t.Context(), func(ctx context.Context) error {
		_, err := audit.Tx(ctx).ExecContext(ctx, oneWrite)
		return err
	})
	if err == nil {
		t.Error("a write in a view went through")
	}
	var kept context.Context
	d.Bus.MustRegister(
		bus.Capability{Name: "test.sneak", Title: "Sneak", Description: "Writes without the right to.",
			SideEffect: bus.UIOnly,
			Handler: func(ctx context.Context, _ *bus.Call) (out jsonRaw, err error) {
				_, err = audit.Tx(ctx).ExecContext(ctx, oneWrite)
				return nil, err
			}},
		bus.Capability{Name: "test.keep", Title: "Keep", Description: "Keeps its transaction for later.",
			SideEffect: bus.UIOnly,
			Resources:  []string{"database:write"},
			Handler: func(ctx context.Context, _ *bus.Call) (jsonRaw, error) {
				kept = ctx
				return nil, nil
			}})
	r := d.Bus.Invoke(t.Context(), bus.Invocation{Capability: "test.sneak", Principal: d.Person,
		Caller: bus.Caller{Type: bus.CallerTest}})
	if r.OK() {
		t.Error("a capability without database:write wrote")
	}
	desktest.Must(t, d, bus.CallerTest, "test.keep", `{}`, nil)
	if _, err := audit.Tx(kept).ExecContext(context.Background(), oneWrite); err == nil {
		t.Error("a transaction was used after its invocation ended")
	}
	if after := stockOf(t, d); after != before {
		t.Errorf("stock went from %d to %d", before, after)
	}
}

type jsonRaw = json.RawMessage

func stockOf(t *testing.T, d *desk.Desk) (n int) {
	t.Helper()
	err := d.Log.View(t.Context(), func(ctx context.Context) error {
		return audit.Tx(ctx).QueryRowContext(ctx, `SELECT sum(stock) FROM variants`).Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestOneDoorEveryChangeHasARecord runs every capability there is, with arguments
// where one needs them, and compares: whenever a row changed there is a success
// record with effects, and the other way round.
func TestOneDoorEveryChangeHasARecord(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Allow: true})
	changes := 0
	run := func(name, args string) {
		t.Helper()
		c, _ := d.Bus.Lookup(name)
		before := fingerprint(t, d)
		r := d.Bus.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: json.RawMessage(args), Principal: d.Person,
			Caller: bus.Caller{Type: bus.CallerTest}})
		if name == "shop.restore" { // brings rows back that other records tell of
			return
		}
		changed := before != fingerprint(t, d)
		trace, err := d.Log.Trace(t.Context(), r.RequestID)
		if err != nil || len(trace.Records) != 1 {
			t.Fatalf("%s left %d records (%v)", name, len(trace.Records), err)
		}
		record := trace.Records[0]
		if changed != (len(record.Effects) > 0) || changed && (record.Status != "success" || c.SideEffect == bus.Pure) {
			t.Errorf("%s: changed %v, %d effects, %s", name, changed, len(record.Effects), record.Status)
		}
		if changed {
			changes++
		} else if args != "{}" {
			t.Errorf("%s %s changed nothing: %v", name, args, r.Err)
		}
	}
	for _, c := range d.Bus.Capabilities() {
		run(c.Name, "{}")
	}
	const ana = "cus_201100"
	run("theme.set", `{"theme":"contrast"}`)
	run("customer.create", `{"name":"Kim Example"}`)
	run("customer.addAddress",
		`{"customerId":"`+ana+`","address":{"label":"Boat","line1":"1 Pier","city":"Portland","postalCode":"04101","country":"US"}}`)
	run("customer.addPaymentMethod", `{"customerId":"`+ana+`","kind":"onAccount"}`)
	run("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2,"customerId":"`+ana+`"}`)
	run("cart.setQuantity", `{"productId":"NL-GUJ-250-WB","quantity":3}`)
	run("cart.applyDiscount", `{"percent":10}`)
	run("cart.hold", `{"label":"back soon"}`)
	run("cart.addItem", `{"productId":"NL-GUJ-250-WB","quantity":2,"customerId":"`+ana+`"}`)
	run("checkout.submit", `{"shippingAddressId":"adr_`+ana+`_home","paymentMethodId":"pm_`+ana+`_visa"}`)
	var orders struct{ Orders []struct{ ID string } }
	desktest.Must(t, d, bus.CallerTest, "order.search", `{"customerId":"`+ana+`","status":"pending"}`, &orders)
	run("order.addNote", `{"orderId":"`+orders.Orders[0].ID+`","text":"Ring twice"}`)
	run("order.cancel", `{"orderId":"`+orders.Orders[0].ID+`","reason":"other"}`)
	if changes < 12 {
		t.Errorf("only %d capabilities changed anything", changes)
	}
}

// fingerprint is everything in the domain's tables.
func fingerprint(t *testing.T, d *desk.Desk) string {
	t.Helper()
	var b strings.Builder
	err := d.Log.View(t.Context(), func(ctx context.Context) error {
		tx := audit.Tx(ctx)
		rows, err := tx.QueryContext(ctx,
			`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT GLOB 'audit_*' AND name NOT GLOB 'agent_*' AND name NOT GLOB 'derived_*' AND name NOT GLOB '*goose*' AND name NOT GLOB 'sqlite_*' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name`)
		if err != nil {
			return err
		}
		var tables []string
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				return err
			}
			tables = append(tables, name)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		for _, name := range tables {
			if err := dump(ctx, tx, name, "ORDER BY 1, 2", &b); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func dump(ctx context.Context, tx *audit.Txn, table, order string, b *strings.Builder) error {
	rows, err := tx.QueryContext(ctx, `SELECT * FROM "`+table+`" `+order)
	if err != nil {
		return err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		b.WriteString(table)
		for _, v := range values {
			if raw, is := v.([]byte); is {
				v = string(raw)
			}
			fmt.Fprintf(b, " %v", v)
		}
		b.WriteByte('\n')
	}
	return rows.Err()
}
