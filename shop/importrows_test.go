package shop_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// took imports a file without the rows that cannot be taken, after it was refused with them, and returns the report.
func (d *desk) took(kind, file string) (out imported) {
	d.t.Helper()
	d.files[kind] = file
	currency := map[string]string{"products": `,"currency":"USD"`}[kind]
	var dry imported
	d.must("shop.importCSV", jsonf(`{"file":%q,"kind":%q,"dryRun":true}`, kind, kind), &dry)
	if dry.RowsLeftOut > 0 {
		e := d.refused("shop.importCSV", jsonf(`{"file":%q,"kind":%q`, kind, kind)+currency+`}`, bus.Validation,
			bus.ReasonArguments)
		if !strings.Contains(e.Hint, "leaveOut") {
			d.t.Error(e.Hint)
		}
	}
	d.must("shop.importCSV", jsonf(`{"file":%q,"kind":%q`, kind, kind)+currency+`,"leaveOut":true}`, &out)
	if len(dry.LeftOut) != len(out.LeftOut) || dry.RowsLeftOut != out.RowsLeftOut {
		d.t.Errorf("a dry run leaves out %+v, the import %+v", dry.LeftOut, out.LeftOut)
	}
	d.addsUp()
	return out
}

// left returns the skipped rows, one line each.
func (out imported) left() string {
	var all []string
	for _, l := range out.LeftOut {
		all = append(all, jsonf("%d %s=%s (%s): %s", l.Line, l.Column, l.Value, l.Of, l.Reason))
	}
	return strings.Join(all, "\n")
}

// TestARowThatCannotBeTakenIsLeftOut and reported, and the others are taken.
func TestARowThatCannotBeTakenIsLeftOut(t *testing.T) {
	d := openSample(t, "owner")
	out := d.took("products", "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price\n"+
		"urn,Urnlike,Size,S,KET-S,40\nurn,,,M,KET-M,forty\nurn,,,L,KET-L,60\n"+
		"pan,Pan,Size,S,PAN-S,free\npan,,,M,PAN-M,20\nlid,Lid 12\" wide,,,LID,3\nspoon,Spoon,,,SPOON,2\ntray,Tray\n")
	if out.Rows != 8 || out.RowsLeftOut != 5 || out.ProductsCreated != 2 || out.VariantsCreated != 3 {
		t.Errorf("%+v", out)
	}
	want := `3 Variant Price=forty (urn): "forty" is not a price such as 12.00.
5 Variant Price=free (pan): "free" is not a price such as 12.00.
7 = (): Near character 11 there is a quote inside a cell that does not begin with one.
9 = (): The row has 2 cells and the header 6.`
	if out.left() != want {
		t.Errorf("left out:\n%s\nwant:\n%s", out.left(), want)
	}
	if p := d.found("urnlike"); len(p.Variants) != 2 || p.Variants[1].SKU != "KET-L" {
		t.Errorf("%+v", p)
	}
	out = d.took("customers", "First Name,Last Name,Email,Phone\nJo,Do,jo@example.com,\nBo,No,bo at example.com,\n"+
		"Joe,Do,JO@example.com,\n,,,+49 30 901820\n")
	if out.CustomersCreated != 2 || out.RowsLeftOut != 2 || !strings.Contains(out.left(), "3 Email=bo at example.com") ||
		!strings.Contains(out.left(), "4 =") {
		t.Errorf("%+v", out)
	}
	d.customer("+49 30 901820")
}

// TestOrdersOfATill have no customer, and are taken.
func TestOrdersOfATill(t *testing.T) {
	d := openSample(t, "owner")
	nobodys := []string{"Email=", "Billing Name=", "Shipping Name=", "Billing Phone=", "Shipping Address1=",
		"Shipping City=", "Shipping Zip="}
	e := newExportOf(orderHeader)
	e.orderOf("#T1", append(nobodys, "Fulfillment Status=fulfilled", "Payment Method=Cash")...)
	e.orderOf("#T2", append(nobodys, "Fulfillment Status=fulfilled")...)
	e.orderOf("#T3", append(nobodys, gujiLine, "Payment Method=Gift Card")...)
	e.orderOf("#T4", append(nobodys, "Fulfillment Status=fulfilled", "Financial Status=pending", "Outstanding Balance=10")...)
	e.orderOf("#T5", append(nobodys, "Fulfillment Status=fulfilled", "Billing Phone=+1 617 555 0177")...)
	out := d.took("orders", e.String())
	if out.OrdersCreated != 4 || out.CustomersCreated != 1 || out.RowsLeftOut != 1 ||
		!strings.Contains(out.left(), "(#T4)") {
		t.Errorf("%+v\n%s", out, out.left())
	}
	got := d.rows(`SELECT concat_ws('|', exported_name, customer_id IS NULL, fulfilment, status, (SELECT method_id
		FROM payments p WHERE p.order_id = o.id AND customer_id IS NULL)) FROM orders o WHERE exported_name <> '' ORDER BY 1`)
	want := []string{"#T1|1|takeAway|delivered|cash", "#T2|1|takeAway|delivered|card", "#T3|1|pickUp|pending|other",
		"#T5|0|deliver|delivered"}
	for i, row := range got {
		if i >= len(want) || row.text(0) != want[i] {
			t.Errorf("%s, want %q", row.text(0), want)
		}
	}
	d.derived()
	d.must("order.cancel", `{"orderId":"#T3","reason":"other"}`, nil)
	d.addsUp()
}

// TestTheNameOfAnOrderIsItsIdentity: another name with the same digits is another order, and both are found by name.
func TestTheNameOfAnOrderIsItsIdentity(t *testing.T) {
	d := openSample(t, "owner")
	e := newExportOf(orderHeader)
	for i, name := range []string{"#EU77", "#US77", "77", "2026-0077-000001", "ohne"} {
		e.orderOf(name, "Fulfillment Status=fulfilled", "Fulfilled at=2026-02-08 12:00:00 -0500",
			"Created at=2026-01-1"+jsonf("%d", i)+" 12:00:00 -0500")
	}
	if out := d.took("orders", e.String()); out.OrdersCreated != 5 || out.RowsLeftOut != 0 {
		t.Fatalf("%+v", out)
	}
	if out := d.took("orders", e.String()); out.OrdersCreated != 0 || out.OrdersUnchanged != 5 {
		t.Errorf("again: %+v", out)
	}
	ids := map[string]bool{}
	for _, name := range []string{"#EU77", "#us77", "77", "2026-0077-000001", "ohne"} {
		var o struct{ ID, ExportedName string }
		d.must("order.get", jsonf(`{"orderId":%q}`, name), &o)
		var found struct {
			Orders []struct{ ID, ExportedName string }
		}
		d.must("order.search", jsonf(`{"query":%q}`, name), &found)
		if len(found.Orders) == 0 || found.Orders[0].ID != o.ID || !strings.EqualFold(o.ExportedName, name) {
			t.Errorf("%s: %+v, found %+v", name, o, found)
		}
		ids[o.ID] = true
	}
	if len(ids) != 5 {
		t.Errorf("%v", ids)
	}
	first := d.export()
	if openImported(t, first).export() != first {
		t.Error("the names do not move with the shop")
	}
}

// TestSeveralVariantsHaveOneSKU: they are taken, found again by their options, and an order means the one of its name.
func TestSeveralVariantsHaveOneSKU(t *testing.T) {
	d := openSample(t, "owner")
	const file = "Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Price\n" +
		"scarf,Scarf,Colour,Red,SCARF,30\nscarf,,,Blue,SCARF,%s\nhat,Hat,,,SCARF,25\n"
	if out := d.took("products", jsonf(file, "30")); out.ProductsCreated != 2 || out.VariantsCreated != 3 {
		t.Errorf("%+v", out)
	}
	if out := d.took("products", jsonf(file, "31")); out.VariantsUpdated != 1 || out.VariantsCreated != 0 ||
		!strings.HasPrefix(strings.Join(out.Changes[0].Details, ";"), "Blue: $30.00 → $31.00") {
		t.Errorf("%+v", out)
	}
	e := newExportOf(orderHeader)
	e.orderOf("#1", "Lineitem name=Scarf - Blue", "Lineitem sku=SCARF")
	e.orderOf("#2", "Lineitem name=Something", "Lineitem sku=SCARF")
	out := d.took("orders", e.String())
	if out.OrdersCreated != 1 || !strings.Contains(out.left(), `3 Lineitem sku=SCARF (#2)`) {
		t.Errorf("%+v", out)
	}
	var o struct{ Lines []struct{ Label string } }
	if d.must("order.get", `{"orderId":"#1"}`, &o); o.Lines[0].Label != "Blue" {
		t.Errorf("%+v", o)
	}
	err := d.refused("cart.addItem", `{"productId":"scarf","quantity":1}`, bus.PreconditionFailed, bus.ReasonState)
	if len(err.Choices) == 0 {
		t.Errorf("%+v", err)
	}
	first := d.export()
	if openImported(t, first).export() != first {
		t.Error("they do not move with the shop")
	}
}

// TestFilesThatOthersSaved: Windows-1252 with semicolons and CRLF, cells of two lines, empty columns, a column twice.
func TestFilesThatOthersSaved(t *testing.T) {
	d := openSample(t, "owner")
	out := d.took("products", "\ufeffHandle;Title;;Body (HTML);Variant Price;Vendor;Vendor\r\n"+
		"k;K\xe4se;;\"Zwei\r\nZeilen\";12,50;M\xfcller;M\xfcller\r\nb;Brot;;;1.234,50;;B\xe4cker\r\nc;Caf\xe9;;;3,00;A;B\r\n")
	if out.ProductsCreated != 2 || !out.Latin || !strings.Contains(out.left(), "5 Vendor=A") {
		t.Errorf("%+v\n%s", out, out.left())
	}
	got := d.rows(`SELECT concat_ws('|', name, vendor, description, price) FROM products p JOIN variants v
		ON v.product_id = p.id WHERE handle IN ('k', 'b') ORDER BY handle`)
	if len(got) != 2 || got[0].text(0) != "Brot|Bäcker||123450" || got[1].text(0) != "Käse|Müller|Zwei Zeilen|1250" {
		t.Errorf("%v", got)
	}
}

// TestMergedCustomersAreRecognised by an import and a search, by the data of the removed record.
func TestMergedCustomersAreRecognised(t *testing.T) {
	d := openSample(t, "owner")
	ana := d.ana()
	gone, _ := d.twice()
	d.must("customer.merge", jsonf(`{"keep":%q,"remove":%q}`, ana, gone), nil)
	out := d.took("customers", "First Name,Last Name,Email,Phone\nAnna,Ruis,anna@example.org,\n")
	if out.CustomersUnchanged != 1 {
		t.Errorf("%+v", out)
	}
	for _, query := range []string{"anna@example.org", "0199 ruis"} {
		var found struct{ Customers []struct{ ID string } }
		d.must("customer.search", jsonf(`{"query":%q}`, query), &found)
		if len(found.Customers) == 0 || found.Customers[0].ID != ana {
			t.Errorf("%s: %+v", query, found)
		}
	}
}
