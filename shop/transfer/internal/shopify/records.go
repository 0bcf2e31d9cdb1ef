package shopify

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
)

// Limits of a record, which is held in memory.
const (
	maxCells  = 4096
	maxRecord = 1 << 20
)

// foreign holds the first bytes of files that users confuse with CSV, and the error for each.
var foreign = [][2]string{{"\xff\xfe", utf16}, {"\xfe\xff", utf16}, {"PK\x03\x04", workbook},
	{"\xd0\xcf\x11\xe0", workbook}}

const (
	utf16    = "The file is UTF-16; save it as CSV in UTF-8."
	workbook = "The file is a workbook (.xlsx or .xls); save it as CSV in UTF-8."
)

var errEndless = errors.New("a record is too large")

// guard passes a file to a CSV reader and stops at a record that is too large for memory.
type guard struct {
	file        io.Reader
	comma       byte
	returns     bool // lines end in CR alone
	line, begun int  // current line, and line of the record's beginning
	cells, size int  // counts for the record
	quoted      bool
	opens       bool // a quote here opens a quoted cell: at its beginning, or after another quote
}

// Read implements io.Reader.
func (g *guard) Read(p []byte) (int, error) {
	n, err := g.file.Read(p)
	for i, c := range p[:n] {
		if g.returns && c == '\r' {
			c, p[i] = '\n', '\n'
		}
		g.size++
		switch {
		case c == '"' && (g.quoted || g.opens):
			g.quoted = !g.quoted
		case c == '\n':
			if g.line++; !g.quoted {
				g.begun, g.cells, g.size = g.line, 0, 0
			}
		case c == g.comma && !g.quoted:
			g.cells++
		}
		g.opens = !g.quoted && (c == '"' || c == '\n' || c == g.comma)
		if g.cells >= maxCells || g.size > maxRecord {
			return i, &csv.ParseError{Line: g.begun, Err: errEndless}
		}
	}
	return n, err
}

// opened opens a CSV file with any cell separator and any line ending. For a file of another type it returns the error
// message in other.
func opened(file io.Reader) (r *csv.Reader, other string) {
	b := bufio.NewReaderSize(file, 1<<16)
	head, _ := b.Peek(1 << 16) // the next read returns the error
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		_, _ = b.Discard(3)
		head = head[3:]
	}
	for _, f := range foreign {
		if bytes.HasPrefix(head, []byte(f[0])) {
			return nil, f[1]
		}
	}
	g := &guard{file: b, comma: ',', line: 1, begun: 1, opens: true}
	if end := bytes.IndexAny(head, "\r\n"); end >= 0 {
		g.returns = head[end] == '\r' && !bytes.HasPrefix(head[end:], []byte("\r\n"))
		head = head[:end]
	}
	for _, c := range []byte(";\t") {
		if bytes.Count(head, []byte{c}) > bytes.Count(head, []byte{g.comma}) {
			g.comma = c
		}
	}
	r = csv.NewReader(g)
	r.FieldsPerRecord, r.Comma = -1, rune(g.comma)
	return r, ""
}
