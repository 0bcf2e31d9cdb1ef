package shopify

import (
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"
)

// row is one record of the file.
type row struct {
	line  int
	cells []string       // trimmed
	at    map[string]int // of each column that the header names; shared by all rows
}

// get is the cell of a column, "" when the file does not have it.
func (r *row) get(column string) string {
	if i, ok := r.at[column]; ok {
		return r.cells[i]
	}
	return ""
}

// rows reads a file row by row, and notes what is wrong with it.
type rows struct {
	layout
	n        int            // rows that were read
	has      map[string]int // columns that the header names, by where in a row they are kept
	ignored  []string
	commas   bool // between the cells; spreadsheets of many countries write semicolons, and amounts with a comma
	problems Problems
	err      error // ends the file: it cannot be read, or what is read cannot be used
}

// layout is what an export consists of.
type layout struct {
	what     string            // for people
	columns  []string          // all that are read
	required []string          // without which it is another file
	also     map[string]string // other names of columns, lower case
}

// column is the one that a name in a header means, "" for one that is not read.
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

func (rs *rows) read() Read { return Read{rs.n, rs.ignored} }

// inOrder are the problems by line.
func (rs *rows) inOrder() Problems {
	slices.SortStableFunc(rs.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return rs.problems
}

func (rs *rows) problem(line int, column, format string, args ...any) {
	rs.problems.Add(line, column, format, args...)
}

// each takes the file apart and passes its rows on, one at a time. A record that cannot be read ends it: after a
// broken quote it is unknown where the next record begins.
func (rs *rows) each(file io.Reader, each func(*row)) {
	rs.has = map[string]int{}
	r, other := opened(file)
	if other != "" {
		rs.problem(1, "", "%s", other)
		return
	}
	rs.commas = r.Comma == ','
	header, err := r.Read()
	if errors.Is(err, io.EOF) {
		rs.problem(1, "", "The file is empty.")
		return
	}
	if err != nil {
		rs.unreadable(err)
		return
	}
	columns := rs.header(header)
	if len(rs.problems) > 0 {
		return
	}
	for len(rs.problems) < MaxProblems && rs.err == nil {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			rs.unreadable(err)
			return
		}
		line, _ := r.FieldPos(0)
		if r := rs.record(line, columns, record); r != nil {
			rs.n++
			each(r)
		}
	}
	if rs.n == 0 && len(rs.problems) == 0 {
		rs.problem(2, "", "The file has a header and no rows.")
	}
}

// header maps each position to the column it holds, "" for one that is ignored.
func (rs *rows) header(names []string) []string {
	columns := make([]string, len(names))
	for i, name := range names {
		name = strings.TrimSpace(name)
		column := rs.column(name)
		_, twice := rs.has[column]
		switch {
		case column == "":
			if name != "" {
				rs.ignored = append(rs.ignored, name)
			}
		case twice:
			rs.problem(1, column, "The column stands in the header twice.")
		default:
			columns[i], rs.has[column] = column, len(rs.has)
		}
	}
	for _, c := range rs.required {
		if _, ok := rs.has[c]; !ok {
			rs.problem(1, c, "The column is missing; is this %s?", rs.what)
		}
	}
	return columns
}

// record is a row of the columns that are read; nil when it is empty, or not one of this file.
func (rs *rows) record(line int, columns, record []string) *row {
	if !slices.ContainsFunc(record, func(cell string) bool { return strings.TrimSpace(cell) != "" }) {
		return nil
	}
	if len(record) != len(columns) {
		rs.problem(line, "", "The row has %d cells and the header %d.", len(record), len(columns))
		return nil
	}
	r := &row{line: line, cells: make([]string, len(rs.has)), at: rs.has}
	for i, cell := range record {
		if columns[i] == "" {
			continue
		}
		if !utf8.ValidString(cell) {
			rs.problem(line, columns[i], "The text is not UTF-8.")
			continue
		}
		r.cells[rs.has[columns[i]]] = strings.TrimSpace(cell)
	}
	return r
}

// unreadable explains why a record could not be read.
func (rs *rows) unreadable(err error) {
	var p *csv.ParseError
	switch {
	case !errors.As(err, &p):
		rs.err = err
	case errors.Is(err, csv.ErrQuote) && p.Line > p.StartLine:
		rs.problem(p.StartLine, "", "A quote is opened and not properly closed before line %d.", p.Line)
	case errors.Is(err, csv.ErrQuote):
		rs.problem(p.StartLine, "", "Near character %d there is text after a closing quote, or a quote that is never closed.",
			p.Column)
	case errors.Is(err, csv.ErrBareQuote):
		rs.problem(p.Line, "", "Near character %d there is a quote inside a cell that does not begin with one.", p.Column)
	case errors.Is(err, errEndless):
		rs.problem(p.Line, "", "The row has more than %d cells, or %d MB.", maxCells, maxRecord>>20)
	default:
		rs.problem(p.Line, "", "The row cannot be read: %v.", p.Err)
	}
}
