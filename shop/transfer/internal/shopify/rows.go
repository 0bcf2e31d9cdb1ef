package shopify

import (
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/deskhand/deskhand/bus"
)

// row is a record of the file.
type row struct {
	line  int
	cells []string       // trimmed
	at    map[string]int // indexes of the columns in the header; shared by all rows
}

// get returns the cell of a column, or "" if the file does not have the column.
func (r *row) get(column string) string {
	if i, ok := r.at[column]; ok {
		return r.cells[i]
	}
	return ""
}

// rows reads a file row by row and collects its problems.
type rows struct {
	layout
	Read
	has    map[string]int    // indexes of the columns in the header
	names  map[string]string // the columns' names in the file
	commas bool              // cells are separated by commas; many spreadsheets use semicolons, with commas in amounts
	of     string            // the product, customer or order of the row, for its problems
	err    error             // stops the reading: the file is unreadable
}

// layout describes an export.
type layout struct {
	what     string            // name for display
	columns  []string          // all columns that are read
	required []string          // columns without which it is another file
	also     map[string]string // alternative column names in lower case
}

// column returns the column for a name in a header, or "" for an unused one.
func (l layout) column(name string) string {
	if column := l.also[strings.ToLower(name)]; column != "" {
		return column
	}
	for _, column := range l.columns {
		if strings.EqualFold(column, name) {
			return column
		}
	}
	return ""
}

// problem adds the reason for refusing a row.
func (rs *rows) problem(r *row, column, format string, args ...any) {
	rs.Problems.Add(Problem{r.line, cmp.Or(rs.names[column], column), r.get(column), rs.of, bus.Textf(format, args...)})
}

// broken records that the file is unreadable from a line on.
func (rs *rows) broken(line int, column, format string, args ...any) {
	rs.Broken = true
	rs.Problems.Add(Problem{Line: line, Column: column, Message: bus.Textf(format, args...)})
}

// fails reports whether read adds a problem.
func (rs *rows) fails(read func()) bool {
	known := rs.Problems.Total
	read()
	return rs.Problems.Total > known
}

// each parses the file and passes its rows on, one at a time. It stops at an unreadable record, because after a broken
// quote the beginning of the next record is unknown.
func (rs *rows) each(file io.Reader, each func(*row)) {
	rs.has, rs.names = map[string]int{}, map[string]string{}
	r, other := opened(file)
	if other != "" {
		rs.broken(1, "", "%s", other)
		return
	}
	rs.commas = r.Comma == ','
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		rs.broken(1, "", "The file is empty.")
		return
	}
	if err != nil {
		line, why := rs.unreadable(err)
		rs.broken(line, "", "%s", why)
		return
	}
	columns := rs.header(header)
	for !rs.Broken && rs.err == nil {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		rs.of = ""
		var p *csv.ParseError
		if errors.As(err, &p) && p.StartLine == p.Line && !errors.Is(err, errEndless) { // the next line is another row
			line, why := rs.unreadable(err)
			rs.Rows, rs.Left = rs.Rows+1, rs.Left+1
			rs.problem(&row{line: line}, "", "%s", why)
			continue
		}
		if err != nil {
			line, why := rs.unreadable(err)
			rs.broken(line, "", "%s", why)
			return
		}
		line, _ := r.FieldPos(0)
		if blank(record) {
			continue
		}
		rs.Rows++
		var read *row
		if rs.fails(func() { read = rs.record(line, columns, record) }) {
			rs.Left++
			continue
		}
		each(read)
	}
	if rs.Rows == 0 && !rs.Broken {
		rs.broken(2, "", "The file has a header and no rows.")
	}
}

// blank reports whether all cells of a record are empty.
func blank(record []string) bool {
	return !slices.ContainsFunc(record, func(cell string) bool { return strings.TrimSpace(cell) != "" })
}

// header maps each position to its column, "" for an ignored one. A column may occur twice.
func (rs *rows) header(names []string) []string {
	columns := make([]string, len(names))
	for i, name := range names {
		name = strings.TrimSpace(name)
		column := rs.column(name)
		if columns[i] = column; column == "" {
			if name != "" {
				rs.Ignored = append(rs.Ignored, name)
			}
		} else if _, twice := rs.has[column]; !twice {
			rs.has[column], rs.names[column] = len(rs.has), name
		}
	}
	for _, c := range rs.required {
		if _, ok := rs.has[c]; !ok {
			rs.broken(1, c, "The column is missing; is this %s?", rs.what)
		}
	}
	return columns
}

// record returns a row of the columns that are read.
func (rs *rows) record(line int, columns, record []string) *row {
	r := &row{line: line, cells: make([]string, len(rs.has)), at: rs.has}
	if len(record) != len(columns) {
		rs.problem(r, "", "The row has %d cells and the header %d.", len(record), len(columns))
		return r
	}
	for i, cell := range record {
		if columns[i] == "" {
			continue
		}
		if !utf8.ValidString(cell) {
			rs.Latin = true
			cell, _ = charmap.Windows1252.NewDecoder().String(cell) // unknown bytes become U+FFFD
		}
		cell = strings.TrimSpace(cell)
		switch kept := &r.cells[rs.has[columns[i]]]; {
		case strings.ContainsRune(cell, utf8.RuneError):
			rs.problem(r, columns[i], "The text is not UTF-8.")
		case *kept == "":
			*kept = cell
		case cell != "" && cell != *kept:
			rs.problem(r, columns[i], "The column stands in the header twice, with %q and with %q here.", *kept, cell)
		}
	}
	return r
}

// unreadable explains an error of reading a record. An error of the disk stops the reading.
func (rs *rows) unreadable(err error) (line int, why bus.Text) {
	var p *csv.ParseError
	switch {
	case !errors.As(err, &p):
		rs.err = err
		return 0, bus.Textf("The file cannot be read.")
	case errors.Is(err, csv.ErrQuote) && p.Line > p.StartLine:
		return p.StartLine, bus.Textf("A quote is opened and not properly closed before line %d.", p.Line)
	case errors.Is(err, csv.ErrQuote):
		return p.StartLine, bus.Textf(
			"Near character %d there is text after a closing quote, or a quote that is never closed.", p.Column)
	case errors.Is(err, csv.ErrBareQuote):
		return p.Line, bus.Textf("Near character %d there is a quote inside a cell that does not begin with one.", p.Column)
	case errors.Is(err, errEndless):
		return p.Line, bus.Textf("The row has more than %d cells, or %d MB.", maxCells, maxRecord>>20)
	}
	return p.Line, bus.Textf("The row cannot be read: %v.", p.Err)
}
