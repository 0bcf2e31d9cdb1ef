package document

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/document/internal/sheet"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/order"
)

// The kinds and formats of documents.
const (
	kindReceipt   = "receipt"
	kindClosing   = "closing"
	kindOrders    = "orders"
	kindSales     = "sales"
	kindPayments  = "payments"
	kindReturns   = "returns"
	kindBest      = "bestSellers"
	kindLow       = "lowStock"
	kindCustomers = "customers"
	kindProducts  = "products"

	formatPDF  = "pdf"
	formatCSV  = "csv"
	formatXLSX = "xlsx"
)

// maxPrinted limits the rows of a printed document. Pages are composed in memory, and no one reads more rows.
const maxPrinted = 5000

type documentIn struct {
	Kind string `json:"kind" enum:"receipt,closing,orders,sales,payments,returns,bestSellers,lowStock,customers,products"`

	Format  string `json:"format" jsonschema:"enum=pdf,enum=csv,enum=xlsx"`
	OrderID string `json:"orderId,omitempty" jsonschema:"minLength=1,maxLength=40" x:"entity=order"`
	Receipt string `json:"receiptNumber,omitempty" jsonschema:"maxLength=20" doc:"Absent: the total of the order."`
	Paper   string `json:"paper,omitempty" jsonschema:"enum=a4,enum=letter,enum=80mm" doc:"Absent: the country's."`
	Desk    string `json:"desk,omitempty" jsonschema:"maxLength=60"`
	Closing int64  `json:"closingNumber,omitempty" jsonschema:"minimum=1"`
	core.Days
	core.SpellingIn
	OrderIDs    []string `json:"orderIds,omitempty" jsonschema:"minItems=1,maxItems=1000,uniqueItems=true"`
	CustomerIDs []string `json:"customerIds,omitempty" jsonschema:"minItems=1,maxItems=1000,uniqueItems=true"`
	ProductIDs  []string `json:"productIds,omitempty" jsonschema:"minItems=1,maxItems=1000,uniqueItems=true"`

	By string `json:"by,omitempty" jsonschema:"enum=day,enum=week,enum=month,enum=person,enum=fulfilment,enum=taxRate"`

	Compare string `json:"compare,omitempty" jsonschema:"enum=before,enum=year"`
	Query   string `json:"query,omitempty" jsonschema:"maxLength=200"`
	Status  string `json:"status,omitempty" jsonschema:"enum=pending,enum=processed,enum=delivered,enum=cancelled"`
}

type documentOut struct {
	File    string `json:"file" doc:"Where it is."`
	Rows    int64  `json:"rows" doc:"Without titles and sums."`
	From    string `json:"from,omitempty" jsonschema:"format=date" doc:"The first day that was taken."`
	To      string `json:"to,omitempty" jsonschema:"format=date" doc:"The last day that was taken."`
	Missing string `json:"missing,omitempty" x:"tainted=true"`
}

// preview describes the document to be written.
func preview(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
	var in documentIn
	if err := call.Decode(&in); err != nil {
		return nil, err
	}
	s, err := core.LoadShop(ctx)
	if err != nil {
		return nil, err
	}
	words, err := in.words(ctx, s, call)
	call.Summarize("Write %s to a file (%s)", words, in.Format)
	return call.Arguments, err
}

// words describes the document in a sentence. It refuses arguments that do not fit, and replaces a period by its days.
func (in *documentIn) words(ctx context.Context, s *core.Shop, call *bus.Call) (string, error) {
	if err := in.fits(); err != nil {
		return "", err
	}
	if in.Closing > 0 {
		return fmt.Sprintf("closing %d of %s", in.Closing, in.desk(call)), nil
	}
	today := s.Today(call.Now)
	days, err := in.Dated(today)
	if slices.Contains(reported, in.Kind) {
		var from, to time.Time
		from, to, err = in.Within(today)
		days = core.Days{From: core.ISODay(from), To: core.ISODay(to)}
	}
	if err != nil {
		return "", err
	}
	in.Days = days
	if in.Kind == kindReceipt && in.OrderID != "" {
		o, err := order.ByID(ctx, s, in.OrderID)
		return fmt.Sprintf("the receipt of %s for %s", o.ID, o.Buyer()), err
	}
	what := listed[in.Kind]
	if ids := in.chosen(); len(ids) > 0 {
		what = fmt.Sprintf("%d of %s", len(ids), what)
	}
	switch {
	case in.From != "" && in.To != "":
		what = fmt.Sprintf("%s from %s to %s", what, in.From, in.To)
	case in.From != "":
		what += " from " + in.From
	case in.To != "":
		what += " to " + in.To
	}
	if in.Status != "" {
		what = fmt.Sprintf("%s that are %s", what, order.StatusInWords(in.Status))
	}
	if in.Query != "" {
		what = fmt.Sprintf("%s found with %q", what, in.Query)
	}
	return what, nil
}

// listed describes the rows of each kind of document.
var listed = map[string]string{
	kindReceipt: "the receipts", kindClosing: "the closings",
	kindOrders: "the orders", kindSales: "the sales", kindPayments: "the payments", kindReturns: "the returns",
	kindBest: "the best sellers", kindLow: "what is running low", kindCustomers: "the customers",
	kindProducts: "the products",
}

// reported lists the kinds that report on a range of days.
var reported = []string{kindClosing, kindSales, kindPayments, kindReturns, kindBest}

// chosen returns the ids of the selected records; none means all.
func (in documentIn) chosen() []string {
	return slices.Concat(in.OrderIDs, in.CustomerIDs, in.ProductIDs)
}

// pickable lists the kinds whose rows each list of ids can select.
var pickable = map[string][]string{"/orderIds": {kindReceipt, kindOrders}, "/customerIds": {kindCustomers},
	"/productIds": {kindProducts}}

// fits refuses arguments that belong to another kind of document.
func (in documentIn) fits() error {
	for _, picked := range []struct {
		at  string
		ids []string
	}{{"/orderIds", in.OrderIDs}, {"/customerIds", in.CustomerIDs}, {"/productIds", in.ProductIDs}} {
		if len(picked.ids) > 0 && !slices.Contains(pickable[picked.at], in.Kind) {
			return core.Invalid(picked.at, "A document of this kind has no such rows.")
		}
	}
	for _, own := range []struct {
		given   bool
		at, why string
		kinds   []string
	}{
		{in.OrderID != "", "/orderId", "Only a receipt is of one order.", []string{kindReceipt}},
		{in.Receipt != "", "/receiptNumber", "Only a receipt has a number.", []string{kindReceipt}},
		{in.Paper != "", "/paper", papersOnly, []string{kindReceipt, kindClosing}},
		{in.Desk != "" || in.Closing > 0, "/closingNumber", "Only closings are of a desk and have a number.",
			[]string{kindClosing}},
		{in.Status != "", "/status", "Only orders have a status.", []string{kindOrders}},
		{in.By != "", "/by", "Only sales are put together.", []string{kindSales}},
		{in.Compare != "", "/compare", "Only sales, payments and best sellers are compared.",
			[]string{kindSales, kindPayments, kindBest}},
		{in.Query != "", "/query", "Only orders, customers and products are searched.",
			[]string{kindOrders, kindCustomers, kindProducts}},
	} {
		if own.given && !slices.Contains(own.kinds, in.Kind) {
			return core.Invalid(own.at, "%s", own.why)
		}
	}
	switch {
	case in.Paper != "" && in.Format != formatPDF:
		return core.Invalid("/paper", papersOnly)
	case in.Closing > 0 && in.Days != core.Days{}:
		return core.Invalid("/closingNumber", "Give the number of a closing, or days.")
	case (in.Kind == kindProducts || in.Kind == kindLow) && in.Days != core.Days{}:
		return core.Invalid("/from", "The catalog and its stock have no days.")
	case in.Kind == kindReceipt:
		return in.fitsReceipt()
	}
	return nil
}

const papersOnly = "Only a receipt or a closing as a PDF is printed on another paper."

// fitsReceipt refuses arguments that do not apply to receipts.
func (in documentIn) fitsReceipt() error {
	switch {
	case (in.OrderID == "") == (len(in.OrderIDs) == 0):
		return core.Invalid("/orderId", "A receipt is of one order, receipts are of orderIds.").
			WithHint("Look the order up with order.search.")
	case in.Receipt != "" && in.OrderID == "":
		return core.Invalid("/receiptNumber", "Name the order of the receipt.")
	case in.Days != core.Days{}:
		return core.Invalid("/from", "A receipt has no days.")
	}
	return nil
}

func (p Ports) export(ctx context.Context, s *core.Shop, call *bus.Call, in documentIn) (out documentOut, err error) {
	words, err := in.words(ctx, s, call)
	if err != nil {
		return out, err
	}
	if p.CreateFile == nil {
		return out, core.ErrNoFiles()
	}
	write, name, err := writer(ctx, s, call, p, in)
	if err != nil {
		return out, err
	}
	file, err := p.CreateFile(ctx, "", name+"."+in.Format)
	if err != nil {
		return out, err
	}
	if out, err = write(file); err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return out, errors.Join(err, file.Drop())
	}
	if out.File, err = file.Keep(); err != nil {
		return out, err
	}
	out.From, out.To = in.From, in.To
	call.Summarize("Wrote %s to %s: %d rows", words, out.File, out.Rows)
	if out.Missing != "" {
		call.Notify("warning", "No font on this computer has these characters, a sign stands for them: %s", out.Missing)
	}
	return out, nil
}

// writer returns the function that writes a document, and the name of its file without the extension.
func writer(ctx context.Context, s *core.Shop, call *bus.Call, p Ports, in documentIn) (func(io.Writer) (documentOut,
	error), string, error) {
	if in.Kind == kindReceipt {
		all, err := receiptsOf(ctx, s, call, in)
		if err != nil {
			return nil, "", err
		}
		name := all[0].FileName()
		if in.OrderID == "" {
			name = "receipts-" + core.FileStamp(call)
		}
		if in.Format == formatPDF {
			return func(w io.Writer) (documentOut, error) { return printReceipts(w, p.Font, all, in.Paper) }, name, nil
		}
		return func(w io.Writer) (documentOut, error) { return tabulate(ctx, s, call, w, in.Format, receiptRows(all)) },
			name, nil
	}
	if in.Kind == kindClosing {
		all, err := closingsOf(ctx, s, call, in)
		if err != nil {
			return nil, "", err
		}
		return func(w io.Writer) (documentOut, error) {
			if in.Format == formatPDF {
				return all.write(w, p.Font, in.Paper)
			}
			return tabulate(ctx, s, call, w, in.Format, all.listing())
		}, "closing-" + core.FileStamp(call), nil
	}
	l, err := listingOf(ctx, s, call, in)
	if err != nil {
		return nil, "", err
	}
	name := in.Kind + "-" + core.FileStamp(call)
	if in.Format == formatPDF {
		if l.count > maxPrinted {
			return nil, "", core.Refused("There are %d rows; at most %d are printed.", l.count, maxPrinted).
				WithHint("Take fewer days, or write them as csv or xlsx.")
		}
		return func(w io.Writer) (documentOut, error) { return printListing(ctx, s, call, w, p.Font, l) }, name, nil
	}
	if in.Format == formatXLSX && l.count > sheet.MaxRows {
		return nil, "", core.Refused("There are %d rows; a workbook has room for %d.", l.count, sheet.MaxRows).
			WithHint("Take fewer days, or write them as csv.")
	}
	return func(w io.Writer) (documentOut, error) { return tabulate(ctx, s, call, w, in.Format, l) }, name, nil
}

// tabulate writes a list as CSV or as a workbook.
func tabulate(ctx context.Context, s *core.Shop, call *bus.Call, w io.Writer, format string,
	l listing) (out documentOut, err error) {
	columns := make([]sheet.Column, len(l.columns))
	for i, c := range l.columns {
		columns[i] = c.Column
	}
	var table sheet.Writer
	if digits := core.MinorDigits(s.Currency); format == formatCSV {
		table, err = sheet.NewCSV(w, columns, digits)
	} else {
		table, err = sheet.NewXLSX(w, l.title, columns, digits)
	}
	if err != nil {
		return out, err
	}
	out.Rows, err = l.each(ctx, call, table.Row)
	if err == nil {
		err = table.Close()
	}
	return out, err
}
