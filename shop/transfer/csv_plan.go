package transfer

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopfile"
	"github.com/deskhand/deskhand/shop/transfer/internal/shopify"
)

// csvFile is a parsed export of one kind.
type csvFile struct {
	shopify.Read
	products  *shopify.Products
	customers []shopify.Customer
	orders    []shopify.Order
}

// readCSV parses an export of a kind.
func readCSV(from io.Reader, kind string, s *core.Shop) (*csvFile, error) {
	f := &csvFile{}
	switch kind {
	case "customers":
		read, err := shopify.ParseCustomers(from)
		f.Read, f.customers = read.Read, read.Customers
		return f, err
	case "orders":
		read, err := shopify.ParseOrders(from, s.Currency, core.MinorDigits(s.Currency), s.Zone())
		f.Read, f.orders = read.Read, read.Orders
		return f, err
	}
	read, err := shopify.ParseProducts(from, core.MinorDigits(s.Currency))
	f.Read, f.products = read.Read, &read
	return f, err
}

// csvPlan is an import before it is written. It compares with the shop's state before the import, so a dry run and an
// import report the same.
type csvPlan struct {
	shop *core.Shop
	call *bus.Call
	out  importOut
	left shopify.Problems // problems of the file, and rows that the shop refuses
	rows int              // number of rows that the shop refuses

	people    everybody
	variants  map[string][]string // ids by SKU and by folded name with options
	customers []*plannedCustomer
	steps     []planStep
	sold      []*plannedOrder
}

// planStep writes one product, customer or order.
type planStep struct {
	line  int
	write func(*importing) error
}

// planImport compares an export with the shop.
func planImport(ctx context.Context, s *core.Shop, call *bus.Call, f *csvFile) (*csvPlan, error) {
	p := &csvPlan{shop: s, call: call, left: f.Problems}
	p.left.First = append([]shopify.Problem(nil), p.left.First...) // the same file may be planned again
	p.out = importOut{IgnoredColumns: []string{}, LeftOut: []leftOut{}, Changes: []importChange{}}
	var err error
	switch {
	case f.products != nil:
		err = p.addProducts(ctx, f.products)
	case f.customers != nil:
		err = p.addCustomers(ctx, f.customers)
	case f.orders != nil:
		err = p.addOrders(ctx, f.orders)
	}
	p.left.Sort()
	return p, err
}

// leave records rows that the shop refuses.
func (p *csvPlan) leave(rows, line int, of, column, value, format string, args ...any) {
	p.rows += rows
	p.left.Add(shopify.Problem{Line: line, Of: of, Column: column, Value: value, Message: bus.Textf(format, args...)})
}

// report returns the report of the import, before or after it runs.
func (p *csvPlan) report(f *csvFile) importOut {
	out := p.out
	out.Rows, out.Latin, out.RowsLeftOut = f.Rows, f.Latin, f.Left+p.rows
	out.IgnoredColumns = append(out.IgnoredColumns, f.Ignored...)
	for _, l := range p.left.First {
		out.LeftOut = append(out.LeftOut, leftOut{l.Line, l.Column, l.Value, l.Of, l.Message})
	}
	return out
}

// apply writes the whole plan, or nothing after an error.
func (p *csvPlan) apply(ctx context.Context, call *bus.Call) error {
	im := &importing{ctx: ctx, call: call, shop: *p.shop, progress: func(string, int64) {}}
	for i, step := range p.steps {
		err := step.write(im)
		if problem := (*shopfile.Problem)(nil); errors.As(err, &problem) {
			var all shopify.Problems
			all.Add(shopify.Problem{Line: step.line, Message: problem.Message})
			return notImported(bus.Textf("The file"), &all, true)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", step.line, err)
		}
		if i%100 == 99 {
			call.Progress(100*(i+1)/len(p.steps), fmt.Sprintf("%d of %d", i+1, len(p.steps)))
		}
	}
	return p.restock(im)
}
