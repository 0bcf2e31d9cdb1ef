package audit

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/deskhand/deskhand/bus"
)

// jsonWriter writes a JSON object member by member, with the same bytes as json.Marshal for a struct with omitempty.
// All entries of a commit wait for it, and reflection takes three times as long.
type jsonWriter struct {
	buf bytes.Buffer
	err error // of the first value that has no JSON
}

// add appends the object that write fills in to the buffer.
func (o *jsonWriter) add(write func(*jsonWriter)) (text []byte, err error) {
	begin := o.buf.Len()
	o.buf.WriteByte('{')
	write(o)
	o.buf.WriteByte('}')
	return o.buf.Bytes()[begin:], o.err
}

// jsonWriters keeps writers with their grown buffers for the next record.
type jsonWriters struct{ pool sync.Pool }

// maxKept limits the size of such a buffer.
const maxKept = 64 << 10

func (p *jsonWriters) get() *jsonWriter {
	if o, ok := p.pool.Get().(*jsonWriter); ok {
		return o
	}
	return new(jsonWriter)
}

// put returns a writer; the caller must no longer use any part of it.
func (p *jsonWriters) put(o *jsonWriter) {
	if o.buf.Cap() <= maxKept {
		o.buf.Reset()
		o.err = nil
		p.pool.Put(o)
	}
}

func (o *jsonWriter) name(name string) {
	o.comma('{')
	o.buf.WriteByte('"')
	o.buf.WriteString(name)
	o.buf.WriteString(`":`)
}

// comma writes a comma before all members but the first, which follows a bracket: a value never ends with an opening
// one.
func (o *jsonWriter) comma(opening byte) {
	if b := o.buf.Bytes(); b[len(b)-1] != opening {
		o.buf.WriteByte(',')
	}
}

func (o *jsonWriter) text(name, s string) {
	if s != "" {
		o.name(name)
		o.string(s)
	}
}

func (o *jsonWriter) number(name string, n int64) {
	o.name(name)
	o.buf.Write(strconv.AppendInt(o.buf.AvailableBuffer(), n, 10))
}

func (o *jsonWriter) flag(name string, b bool) {
	if b {
		o.name(name)
		o.buf.WriteString("true")
	}
}

// raw writes JSON without spaces, and other bytes as a text, because refused malformed arguments are recorded too.
func (o *jsonWriter) raw(name string, raw json.RawMessage) {
	if len(raw) == 0 {
		return
	}
	o.name(name)
	begin := o.buf.Len()
	if json.Compact(&o.buf, raw) != nil {
		o.buf.Truncate(begin)
		o.string(string(raw))
		return
	}
	if v := o.buf.Bytes()[begin:]; bytes.ContainsAny(v, "<>&\u2028\u2029") {
		v = bytes.Clone(v)
		o.buf.Truncate(begin)
		json.HTMLEscape(&o.buf, v)
	}
}

// any writes a value if there is one.
func (o *jsonWriter) any(name string, there bool, v any) {
	if there {
		o.name(name)
		o.value(v)
	}
}

func (o *jsonWriter) value(v any) {
	switch v := v.(type) {
	case nil:
		o.buf.WriteString("null")
	case string:
		o.string(v)
	case int64:
		o.buf.Write(strconv.AppendInt(o.buf.AvailableBuffer(), v, 10))
	default:
		o.marshal(v)
	}
}

func (o *jsonWriter) marshal(v any) {
	text, err := json.Marshal(v)
	if err != nil && o.err == nil {
		o.err = err
	}
	o.buf.Write(text)
}

func (o *jsonWriter) string(s string) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '<' || c == '>' || c == '&' {
			o.marshal(s)
			return
		}
	}
	o.buf.WriteByte('"')
	o.buf.WriteString(s)
	o.buf.WriteByte('"')
}

func (o *jsonWriter) effects(name string, list []bus.Effect) {
	if len(list) == 0 {
		return
	}
	o.name(name)
	o.buf.WriteByte('[')
	for _, e := range list {
		o.comma('[')
		o.buf.WriteByte('{')
		o.name("table")
		o.string(e.Table)
		o.row("key", e.Key)
		o.name("op")
		o.string(string(e.Op))
		o.row("before", e.Before)
		o.row("after", e.After)
		o.buf.WriteByte('}')
	}
	o.buf.WriteByte(']')
}

// row writes a row's columns in the order of their names.
func (o *jsonWriter) row(name string, columns map[string]any) {
	if len(columns) == 0 {
		return
	}
	o.name(name)
	o.buf.WriteByte('{')
	for _, column := range slices.Sorted(maps.Keys(columns)) {
		o.comma('{')
		o.string(column)
		o.buf.WriteByte(':')
		o.value(columns[column])
	}
	o.buf.WriteByte('}')
}
