package document

import (
	"context"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/document/internal/sheet"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/report"
)

// reports holds the functions that build the document of each report.
var reports = map[string]func(context.Context, *core.Shop, *bus.Call, documentIn) (listing, error){
	kindSales: salesListing, kindPayments: paymentsListing, kindReturns: returnsListing, kindBest: bestListing,
	kindLow: lowListing,
}

// reportListing lists existing rows. It omits currencies.
func reportListing(title string, rows [][]any, columns ...listColumn) listing {
	return listing{title: title, what: "rows", count: int64(len(rows)), columns: columns,
		rows: func(_ context.Context, emit func(values ...any) error) error {
			for _, row := range rows {
				if err := emit(row...); err != nil {
					return err
				}
			}
			return nil
		}}
}

// amountOf returns an amount for a row, or an empty cell for nil.
func amountOf(m *core.Money) any {
	if m == nil {
		return nil
	}
	return m.Amount
}

// compared keeps the last two columns, Before and Difference, only in a report with a comparison.
func (l listing) compared(in documentIn) listing {
	if in.Compare != "" {
		return l
	}
	n, all := len(l.columns)-2, l.rows
	l.columns = l.columns[:n]
	l.rows = func(ctx context.Context, emit func(values ...any) error) error {
		return all(ctx, func(values ...any) error { return emit(values[:n]...) })
	}
	return l
}

func text(title string, width int) listColumn {
	return listColumn{sheet.Column{Title: title, Width: width}, true}
}

func count(title string) listColumn {
	return listColumn{sheet.Column{Title: title, Kind: sheet.Count, Width: 11}, true}
}

func amount(title string) listColumn {
	return listColumn{sheet.Column{Title: title, Kind: sheet.Amount, Width: 13}, true}
}

var currency = listColumn{sheet.Column{Title: "Currency", Width: 9}, false}

// longestByDay limits the days that a sales report lists one by one. A longer range is listed by month.
const longestByDay = 366

func salesListing(ctx context.Context, s *core.Shop, call *bus.Call, in documentIn) (listing, error) {
	from, to, err := in.Within(s.Today(call.Now))
	if err != nil {
		return listing{}, err
	}
	if in.By == "" {
		in.By = report.ByDay
		if to.Sub(from) > longestByDay*24*time.Hour {
			in.By = report.ByMonth
		}
	}
	sales, err := report.Sales(ctx, s, call, report.SalesIn{Days: in.Days, By: in.By, Compare: in.Compare})
	if err != nil {
		return listing{}, err
	}
	when, ok := map[string]string{"person": "Person", "fulfilment": "Fulfilment", report.ByTaxRate: "Tax rate"}[in.By]
	if !ok {
		when = "When"
	}
	rows := make([][]any, len(sales.Rows))
	for i, r := range sales.Rows {
		period := r.Period
		if in.By == "fulfilment" {
			period = inWords(period)
		}
		rows[i] = []any{period, r.Orders, r.GrossSales.Amount, r.Discounts.Amount, r.Returns.Amount, r.NetSales.Amount,
			r.Shipping.Amount, r.Tax.Amount, r.TotalSales.Amount, s.Currency, amountOf(r.Before), amountOf(r.Difference)}
	}
	l := reportListing("Sales", rows, text(when, 18), count("Orders"), amount("Gross sales"), amount("Discounts"),
		amount("Returns"), amount("Net sales"), amount("Shipping"), amount("Tax"), amount("Total sales"), currency,
		amount("Before"), amount("Difference"))
	l.sum, l.sumTitle = "Total sales", "Total sales"
	return l.compared(in), nil
}

func paymentsListing(ctx context.Context, s *core.Shop, call *bus.Call, in documentIn) (listing, error) {
	payments, err := report.Payments(ctx, s, call, report.PaymentsIn{Days: in.Days, Compare: in.Compare})
	if err != nil {
		return listing{}, err
	}
	rows := make([][]any, len(payments.Rows))
	for i, r := range payments.Rows {
		rows[i] = []any{inWords(r.Method), r.Payments, r.Paid.Amount, r.Refunds, r.Refunded.Amount, r.Net.Amount, s.Currency,
			amountOf(r.Before), amountOf(r.Difference)}
	}
	l := reportListing("Payments", rows, text("Method", 18), count("Payments"), amount("Paid"), count("Refunds"),
		amount("Refunded"), amount("Net"), currency, amount("Before"), amount("Difference"))
	l.sum, l.sumTitle = "Net", "Net"
	return l.compared(in), nil
}

func returnsListing(ctx context.Context, s *core.Shop, call *bus.Call, in documentIn) (listing, error) {
	returns, err := report.Returns(ctx, s, call, report.ReturnsIn{Days: in.Days})
	if err != nil {
		return listing{}, err
	}
	rows := make([][]any, len(returns.Rows))
	for i, r := range returns.Rows {
		rows[i] = []any{inWords(r.Reason), r.Returns, r.Pieces, r.Value.Amount, r.Tax.Amount, s.Currency}
	}
	l := reportListing("Returns", rows, text("Reason", 22), count("Returns"), count("Pieces"), amount("Value"),
		amount("Tax"), currency)
	l.sum, l.sumTitle = "Value", "Value"
	return l, nil
}

// listedBest is the number of best sellers in a document.
const listedBest = 200

func bestListing(ctx context.Context, s *core.Shop, call *bus.Call, in documentIn) (listing, error) {
	best, err := report.TopProducts(ctx, s, call, report.TopProductsIn{Days: in.Days, Limit: listedBest,
		Compare: in.Compare})
	if err != nil {
		return listing{}, err
	}
	rows := make([][]any, len(best.Rows))
	for i, r := range best.Rows {
		rows[i] = []any{r.Name, r.Label, r.SKU, r.Quantity, r.Revenue.Amount, s.Currency, amountOf(r.Before),
			amountOf(r.Difference)}
	}
	return reportListing("Best sellers", rows, text("Product", 34), text("Variant", 24), text("SKU", 18),
		count("Pieces"), amount("Revenue"), currency, amount("Before"), amount("Difference")).compared(in), nil
}

// listedLow is the number of variants with low stock in a document.
const listedLow = 10_000

func lowListing(ctx context.Context, s *core.Shop, call *bus.Call, _ documentIn) (listing, error) {
	low, err := report.LowStock(ctx, s, call, report.LowStockIn{PageIn: core.PageIn{Limit: listedLow}})
	if err != nil {
		return listing{}, err
	}
	rows := make([][]any, len(low.Rows))
	for i, r := range low.Rows {
		rows[i] = []any{r.Name, r.Label, r.SKU, r.Stock}
	}
	return reportListing("Low stock", rows, text("Product", 34), text("Variant", 24), text("SKU", 18),
		count("Stock")), nil
}
