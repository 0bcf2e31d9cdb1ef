package sheet

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/deskhand/deskhand/shop/document/internal/locale"
	"github.com/xuri/excelize/v2"
)

// MaxRows is how many rows a sheet of a workbook has under its titles.
const MaxRows = excelize.TotalRows - 1

// longestCell is how many characters Excel takes in a cell.
const longestCell = excelize.TotalCellChars

// workbook is a file with one sheet.
type workbook struct {
	file    *excelize.File
	out     *excelize.StreamWriter
	to      io.Writer
	columns []Column
	digits  int
	title   int // style of the titles
	amount  int // style of amounts
	day     int // style of days
	row     int // the next
	cells   []any
}

// NewXLSX begins a workbook with one sheet of that name and a row of titles that stays in sight. Amounts and days are
// numbers that can be added up and sorted; a text is never a formula.
func NewXLSX(w io.Writer, name string, columns []Column, digits int) (Writer, error) {
	b := &workbook{file: excelize.NewFile(), to: w, columns: columns, digits: digits, row: 1, cells: make([]any,
		len(columns))}
	if err := b.begin(name); err != nil {
		return nil, errors.Join(err, b.file.Close())
	}
	return b, nil
}

func (b *workbook) begin(name string) (err error) {
	if err = b.file.SetSheetName("Sheet1", name); err != nil {
		return err
	}
	if b.out, err = b.file.NewStreamWriter(name); err != nil {
		return err
	}
	format := "#,##0"
	if b.digits > 0 {
		format += "." + strings.Repeat("0", b.digits)
	}
	iso := "yyyy-mm-dd"
	for _, style := range []struct {
		id  *int
		how excelize.Style
	}{
		{&b.title, excelize.Style{Font: &excelize.Font{Bold: true}}},
		{&b.amount, excelize.Style{CustomNumFmt: &format}},
		{&b.day, excelize.Style{CustomNumFmt: &iso}},
	} {
		if *style.id, err = b.file.NewStyle(&style.how); err != nil {
			return err
		}
	}
	if err = b.out.SetPanes(&excelize.Panes{Freeze: true, YSplit: 1, TopLeftCell: "A2",
		ActivePane: "bottomLeft"}); err != nil {
		return err
	}
	for i, c := range b.columns {
		if err = b.out.SetColWidth(i+1, i+1, float64(c.Width)); err != nil {
			return err
		}
		b.cells[i] = excelize.Cell{StyleID: b.title, Value: c.Title}
	}
	return b.write()
}

func (b *workbook) write() error {
	cell := "A" + strconv.Itoa(b.row)
	b.row++
	return b.out.SetRow(cell, b.cells)
}

func (b *workbook) Row(values ...any) error {
	for i, v := range values {
		cell, err := b.cell(b.columns[i].Kind, v)
		if err != nil {
			return err
		}
		b.cells[i] = cell
	}
	return b.write()
}

func (b *workbook) cell(k Kind, v any) (any, error) {
	switch v := v.(type) {
	case string:
		return clip(v), nil
	case int64:
		if k != Amount {
			return v, nil
		}
		// A workbook knows no other numbers. Nothing is reckoned with it here.
		n, err := strconv.ParseFloat(locale.Plain(v, b.digits), 64)
		if err != nil {
			return nil, fmt.Errorf("sheet: %w", err)
		}
		return excelize.Cell{StyleID: b.amount, Value: n}, nil
	case time.Time:
		if !v.IsZero() {
			day := time.Date(v.Year(), v.Month(), v.Day(), 0, 0, 0, 0, time.UTC)
			return excelize.Cell{StyleID: b.day, Value: day}, nil
		}
	}
	return nil, nil
}

// clip is as much of a text as a cell takes.
func clip(s string) string {
	n := 0
	for i := range s {
		if n == longestCell {
			return s[:i]
		}
		n++
	}
	return s
}

func (b *workbook) Close() error {
	if err := b.out.Flush(); err != nil {
		return err
	}
	_, err := b.file.WriteTo(b.to)
	return errors.Join(err, b.file.Close())
}

func (b *workbook) Drop() error { return b.file.Close() }
