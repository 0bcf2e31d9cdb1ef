package shopfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// Writer writes a file, one element a line: the same shop is always the same
// bytes. Begin, then the sections in the order of the schema, then Close.
type Writer struct {
	out     *bufio.Writer
	buf     bytes.Buffer
	enc     *json.Encoder
	section bool // one is open
	first   bool // nothing is in it yet
}

// NewWriter returns a Writer on w.
func NewWriter(w io.Writer) *Writer {
	e := &Writer{out: bufio.NewWriterSize(w, 64<<10)}
	e.enc = json.NewEncoder(&e.buf)
	e.enc.SetEscapeHTML(false)
	return e
}

// Begin writes what a file begins with.
func (w *Writer) Begin(s Shop) error {
	head := "{\n\"format\": \"" + Format + "\",\n\"version\": " + index(Version) + ",\n\"shop\": "
	if _, err := w.out.WriteString(head); err != nil {
		return err
	}
	return w.value(s)
}

// Section begins a member that is a list.
func (w *Writer) Section(name string) error {
	end := ""
	if w.section {
		end = "\n]"
	}
	w.section, w.first = true, true
	_, err := w.out.WriteString(end + ",\n\"" + name + "\": [")
	return err
}

// Element writes the next element of the section.
func (w *Writer) Element(v any) error {
	sep := ",\n"
	if w.first {
		sep, w.first = "\n", false
	}
	if _, err := w.out.WriteString(sep); err != nil {
		return err
	}
	return w.value(v)
}

func (w *Writer) value(v any) error {
	w.buf.Reset()
	if err := w.enc.Encode(v); err != nil {
		return err
	}
	_, err := w.out.Write(bytes.TrimSuffix(w.buf.Bytes(), []byte("\n")))
	return err
}

// Close writes the end; the io.Writer stays open.
func (w *Writer) Close() error {
	if _, err := w.out.WriteString("\n]\n}\n"); err != nil {
		return err
	}
	return w.out.Flush()
}
