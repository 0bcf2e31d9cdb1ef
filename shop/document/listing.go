package document

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/document/internal/locale"
	"github.com/deskhand/deskhand/shop/document/internal/paper"
	"github.com/deskhand/deskhand/shop/document/internal/sheet"
	"github.com/deskhand/deskhand/shop/internal/core"
	"golang.org/x/text/language"
)

// listing is a table for every format.
type listing struct {
	title   string
	what    string // name of its rows for display
	columns []listColumn
	count   int64 // number of rows
	// rows passes the rows to emit one after the other. It reads them page by page.
	rows func(ctx context.Context, emit func(values ...any) error) error
	sum  string // the column with a printed sum; "" for none

	sumTitle string                  // label of the sum
	counts   func(values []any) bool // selects the rows in the sum; nil for all
}

// listColumn is a column of a listing. Paper has no room for all columns.
type listColumn struct {
	sheet.Column
	printed bool
}

// listRow is a row of a listing with its sort key.
type listRow struct{ key, values []any }

// paged reads rows page by page, continuing after a key. The arguments of the query are the key, the arguments of the
// filter and the page size.
func paged(scan func(core.Row) (listRow, error), query string, n core.Filter, from ...any) func(context.Context,
	func(values ...any) error) error {
	return func(ctx context.Context, emit func(values ...any) error) error {
		for key := from; ; {
			page, err := core.List(ctx, scan, query, slices.Concat(key, n.Args, []any{core.BatchSize})...)
			if err != nil || len(page) == 0 {
				return err
			}
			for _, row := range page {
				if err := emit(row.values...); err != nil {
					return err
				}
				key = row.key
			}
		}
	}
}

// each passes the rows to emit, reports progress and counts the rows.
func (l listing) each(ctx context.Context, call *bus.Call, emit func(values ...any) error) (n int64, err error) {
	err = l.rows(ctx, func(values ...any) error {
		if n++; n%core.BatchSize == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			call.Progress(int(99*n/max(l.count, n)), fmt.Sprintf("%s: %d", l.what, n))
		}
		return emit(values...)
	})
	return n, err
}

// style returns the formats of the shop's documents.
func style(s *core.Shop) locale.Style {
	return locale.New(s.Locale, locale.Currency{Code: s.Currency, Sign: core.CurrencySigns[s.Currency],
		Digits: core.MinorDigits(s.Currency)})
}

// newPaper starts a printed document of the shop on the paper of its country.
func newPaper(s *core.Shop, title string, at time.Time, font core.FontFor) (*paper.Doc, error) {
	return paper.New(options(s, title, at, font))
}

// options returns the options of a document on the paper of the shop's country.
func options(s *core.Shop, title string, at time.Time, font core.FontFor) paper.Options {
	o := paper.Options{Title: title, Foot: s.Name, Created: at, Font: font}
	if tag, err := language.Parse(s.Locale); err == nil {
		region, _ := tag.Region()
		o.Letter = region.String() == "US" || region.String() == "CA"
	}
	return o
}

// printListing prints a list.
func printListing(ctx context.Context, s *core.Shop, call *bus.Call, w io.Writer, font core.FontFor,
	l listing) (out documentOut, err error) {
	in := style(s)
	doc, err := newPaper(s, l.title+" · "+s.Name, call.Now, font)
	if err != nil {
		return out, err
	}
	doc.Heading(l.title, in.Day(call.Now.In(s.Zone())))
	doc.Gap(4)
	var columns []paper.Column
	for _, c := range l.columns {
		if c.printed {
			columns = append(columns, paper.Column{Title: c.Title, Share: float64(c.Width), Right: c.Kind == sheet.Amount ||
				c.Kind == sheet.Count})
		}
	}
	doc.Table(columns...)
	var sum int64
	out.Rows, err = l.each(ctx, call, func(values ...any) error {
		var cells []string
		for i, v := range values {
			c := l.columns[i]
			if amount, ok := v.(int64); ok && c.Title == l.sum && (l.counts == nil || l.counts(values)) {
				sum += amount
			}
			if c.printed {
				cells = append(cells, shown(in, c.Kind, v))
			}
		}
		doc.Row(cells...)
		return nil
	})
	if err != nil {
		return out, err
	}
	doc.End()
	doc.Rule()
	if l.sum != "" {
		doc.Sum(l.sumTitle, in.Money(sum), true)
	}
	out.Missing = string(doc.Missing())
	return out, doc.Write(w)
}

// shown formats a value for print.
func shown(in locale.Style, kind sheet.Kind, v any) string {
	switch v := v.(type) {
	case string:
		return v
	case int64:
		if kind == sheet.Amount {
			return in.Money(v)
		}
		return in.Count(v)
	case time.Time:
		if !v.IsZero() {
			return in.Day(v)
		}
	}
	return ""
}
