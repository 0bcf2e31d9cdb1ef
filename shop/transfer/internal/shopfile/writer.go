package shopfile

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// Writer writes a file with one element on each line. The same shop always yields the same bytes. Call Begin, then the
// sections in the order of the schema, then Close.
type Writer struct {
	out     *bufio.Writer
	buf     bytes.Buffer
	enc     *json.Encoder
	section bool // a section is open
	first   bool // the section is empty so far
}

// NewWriter returns a Writer on w.
func NewWriter(w io.Writer) *Writer {
	e := &Writer{out: bufio.NewWriterSize(w, 64<<10)}
	e.enc = json.NewEncoder(&e.buf)
	e.enc.SetEscapeHTML(false)
	return e
}

// Begin writes the header and the shop.
func (w *Writer) Begin(s Shop) error {
	head := "{\n\"format\": \"" + Format + "\",\n\"version\": " + index(Version) + ",\n\"shop\": "
	if _, err := w.out.WriteString(head); err != nil {
		return err
	}
	return w.value(s)
}

// Section starts a list with the given name.
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

// Close writes the end of the file. It does not close the io.Writer.
func (w *Writer) Close() error {
	if _, err := w.out.WriteString("\n]\n}\n"); err != nil {
		return err
	}
	return w.out.Flush()
}
