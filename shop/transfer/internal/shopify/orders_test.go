package shopify_test

import (
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/shop/transfer/internal/shopify"
)

const orderHead = "Name,Email,Financial Status,Fulfillment Status,Subtotal,Shipping,Taxes,Total,Discount " +
	"Amount,Created at,Cancelled at,Refunded Amount,Outstanding Balance,Lineitem quantity,Lineitem name,Lineitem " +
	"price,Lineitem discount,Lineitem taxable\n"

var taxedHead = strings.Replace(orderHead, "\n", ",Tax 1 Name\n", 1)

// FuzzOrders: the amounts of any accepted order add up.
func FuzzOrders(f *testing.F) {
	for _, rows := range []string{
		"#1,a@b.c,paid,fulfilled,10.00,0,0,10.00,0,2026-01-08,,0,0,1,x,10.00,0,true\n",
		"#1,a@b.c,paid,,20.01,5.00,1.65,26.66,3.00,2026-01-08,,,,3,x,7.67,0,true\n#1,,,,,,,,,,,,,1,y,0.01,0.01,false\n",
		"#1,a@b.c,partially_refunded,fulfilled,20.00,5.00,2.00,27.00,0,2026-01-08,,26.99,0,3,x,6.66,0,true\n#1,,,,,,,,,,,,,1,y,0.02,,true\n",
		"#1,a@b.c,partially_refunded,fulfilled,20.00,5.00,2.00,25.00,0,2026-01-08,,24.00,0,2,x,10.00,0,true\n",
		"#1,a@b.c,refunded,,10.00,0,0.80,10.80,0,2026-01-08,2026-01-09,10.80,0,1,x,10.00,0,true\n",
		"#1,a@b.c,partially_paid,,0,4.00,9.00,13.00,10.00,2026-01-08,,,5.00,1,x,10.00,,false\n",
	} {
		if read, _ := shopify.ParseOrders(strings.NewReader(orderHead+rows), "USD", 2, time.UTC); read.Problems.Total > 0 {
			f.Fatalf("%s%v", rows, read.Problems)
		}
		f.Add(orderHead + rows)
	}
	for _, money := range []string{"19.95,124.95,0,2026-01-08,,123.00", "16.76,105.00,0,2026-01-08,,103.00"} {
		f.Add(taxedHead + "#1,a@b.c,partially_refunded,fulfilled,100.00,5.00," + money + ",0,1,x,100.00,0,true,VAT 19%\n")
	}
	f.Fuzz(func(t *testing.T, file string) {
		read, _ := shopify.ParseOrders(strings.NewReader(file), "USD", 2, time.UTC)
		for _, o := range read.Orders {
			parts, paid := o.Shipping, int64(0)
			if o.TaxIncluded == nil || !*o.TaxIncluded {
				parts += o.ShippingTax
			}
			for _, l := range o.Lines {
				parts += l.Price*l.Quantity - l.Discount
				if o.TaxIncluded == nil || !*o.TaxIncluded {
					parts += l.Tax
				}
				if l.Discount < 0 || l.Discount > l.Price*l.Quantity || l.Tax < 0 || l.Quantity < 1 {
					t.Errorf("a line is %+v", l)
				}
			}
			for _, p := range o.Payments {
				if p.Amount < 1 || p.At.Before(o.PlacedAt) {
					t.Errorf("a payment is %+v", p)
				}
				if p.Refund {
					p.Amount = -p.Amount
				}
				paid += p.Amount
			}
			kept := o.Total
			if o.Status == shopify.Cancelled {
				kept = 0
			}
			if parts != o.Total || paid != kept || o.Shipping < 0 || o.ShippingTax < 0 || o.Total < 0 {
				t.Errorf("the total is %d, its parts %d, paid and kept %d: %+v", o.Total, parts, paid, o)
			}
		}
	})
}

// TestShippingIsTaxedWhereOneRateIsNamed and the tax is that of goods and shipping together.
func TestShippingIsTaxedWhereOneRateIsNamed(t *testing.T) {
	for row, want := range map[string][3]int64{ // the tax of the line, of shipping, and its rate
		"100.00,5.00,19.95,124.95,0,2026-01-08,,0,0,1,x,100.00,0,true,VAT 19%":    {1900, 95, 190_000},
		"119.00,5.95,19.95,124.95,0,2026-01-08,,0,0,1,x,119.00,0,true,USt. 19%":   {1900, 95, 190_000},
		"100.00,5.00,0.95,105.95,0,2026-01-08,,0,0,1,x,100.00,0,false,GB VAT 19%": {0, 95, 190_000},
		"100.00,5.00,19.00,124.00,0,2026-01-08,,0,0,1,x,100.00,0,true,VAT 19%":    {1900, 0, 0},
		"100.00,5.00,19.95,124.95,0,2026-01-08,,0,0,1,x,100.00,0,true,Sales tax":  {1995, 0, 0},
		"100.00,0,19.00,119.00,0,2026-01-08,,0,0,1,x,100.00,0,true,VAT 19%":       {1900, 0, 0},
	} {
		read, err := shopify.ParseOrders(strings.NewReader(taxedHead+"#1,a@b.c,paid,,"+row+"\n"), "USD", 2, time.UTC)
		if err != nil || read.Problems.Total > 0 {
			t.Errorf("%s: %v %v", row, err, read.Problems)
			continue
		}
		o := read.Orders[0]
		if got := [3]int64{o.Lines[0].Tax, o.ShippingTax, o.ShippingRate}; got != want {
			t.Errorf("%s: %v, want %v", row, got, want)
		}
	}
}
