// Package sheet writes tables row by row, as CSV or as an Excel workbook, in constant memory for any number of rows.
package sheet

import (
	"encoding/csv"
	"io"
	"strconv"
	"time"

	"github.com/deskhand/deskhand/internal/spreadsheet"
	"github.com/deskhand/deskhand/shop/document/internal/locale"
)

// Kind is the kind of the cells of a column.
type Kind int

// The kinds.
const (
	Text   Kind = iota // a string, possibly from outside
	Count              // an int64
	Amount             // an int64 in minor units
	Day                // a time.Time in its zone; the zero time is an empty cell
)

// Column is a column of a table.
type Column struct {
	Title string
	Kind  Kind
	Width int // in characters
}

// Writer receives a table row by row. A row has a value for each column, of the type for its Kind. nil is an empty
// cell.
type Writer interface {
	Row(values ...any) error
	// Close completes the table. The file is unusable without it.
	Close() error
}

// table writes CSV.
type table struct {
	out     *csv.Writer
	columns []Column
	digits  int
	cells   []string
}

// NewCSV starts a CSV file by RFC 4180 in UTF-8, with a byte order mark for spreadsheets and a row of titles. Amounts
// have decimal digits and no sign. Days look like 2026-01-31. An apostrophe precedes a text that a spreadsheet would
// interpret as a formula.
func NewCSV(w io.Writer, columns []Column, digits int) (Writer, error) {
	if _, err := io.WriteString(w, "\ufeff"); err != nil {
		return nil, err
	}
	t := &table{out: csv.NewWriter(w), columns: columns, digits: digits, cells: make([]string, len(columns))}
	t.out.UseCRLF = true
	for i, c := range columns {
		t.cells[i] = c.Title
	}
	return t, t.out.Write(t.cells)
}

func (t *table) Row(values ...any) error {
	for i, v := range values {
		t.cells[i] = t.cell(t.columns[i].Kind, v)
	}
	return t.out.Write(t.cells)
}

func (t *table) cell(k Kind, v any) string {
	switch v := v.(type) {
	case string:
		return spreadsheet.Text(v)
	case int64:
		if k == Amount {
			return locale.Plain(v, t.digits)
		}
		return strconv.FormatInt(v, 10)
	case time.Time:
		if !v.IsZero() {
			return v.Format(time.DateOnly)
		}
	}
	return ""
}

func (t *table) Close() error {
	t.out.Flush()
	return t.out.Error()
}
