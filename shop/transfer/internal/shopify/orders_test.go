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

// FuzzOrders: whatever is in a file, an order that comes out of it adds up.
func FuzzOrders(f *testing.F) {
	for _, rows := range []string{
		"#1,a@b.c,paid,fulfilled,10.00,0,0,10.00,0,2026-01-08,,0,0,1,x,10.00,0,true\n",
		"#1,a@b.c,paid,,20.01,5.00,1.65,26.66,3.00,2026-01-08,,,,3,x,7.67,0,true\n#1,,,,,,,,,,,,,1,y,0.01,0.01,false\n",
		"#1,a@b.c,partially_refunded,fulfilled,20.00,5.00,2.00,27.00,0,2026-01-08,,26.99,0,3,x,6.66,0,true\n#1,,,,,,,,,,,,,1,y,0.02,,true\n",
		"#1,a@b.c,partially_refunded,fulfilled,20.00,5.00,2.00,25.00,0,2026-01-08,,24.00,0,2,x,10.00,0,true\n",
		"#1,a@b.c,refunded,,10.00,0,0.80,10.80,0,2026-01-08,2026-01-09,10.80,0,1,x,10.00,0,true\n",
		"#1,a@b.c,partially_paid,,0,4.00,9.00,13.00,10.00,2026-01-08,,,5.00,1,x,10.00,,false\n",
	} {
		if _, problems, _ := shopify.ParseOrders(strings.NewReader(orderHead+rows), "USD", 2, time.UTC); len(problems) > 0 {
			f.Fatalf("%s%v", rows, problems)
		}
		f.Add(orderHead + rows)
	}
	f.Fuzz(func(t *testing.T, file string) {
		read, problems, _ := shopify.ParseOrders(strings.NewReader(file), "USD", 2, time.UTC)
		if len(problems) > 0 {
			return
		}
		for _, o := range read.Orders {
			parts, paid := o.Shipping, int64(0)
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
			if parts != o.Total || paid != kept || o.Shipping < 0 || o.Total < 0 {
				t.Errorf("the total is %d, its parts %d, paid and kept %d: %+v", o.Total, parts, paid, o)
			}
		}
	})
}
