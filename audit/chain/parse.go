package chain

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// errFormat is the error for bytes that are not those of a record.
var errFormat = errors.New("chain: these are not the bytes of a record")

// Parse reads the bytes that [Header.Append] writes: the header of a record, the name of its stream and the hash before
// it. The SHA-256 of the bytes is the record's hash. It refuses bytes that Append does not write.
func Parse(data []byte) (h Header, stream string, prev []byte, err error) {
	r := reader{rest: data, ok: true}
	if r.text() != formatTag {
		return Header{}, "", nil, errFormat
	}
	stream = r.text()
	prev = r.bytes('b')
	h.Seq, h.Time = r.number(), r.number()
	h.Kind, h.RequestID = r.text(), r.text()
	for _, into := range [...]*string{&h.TraceID, &h.ParentRequestID, &h.ConversationID, &h.CallerType, &h.Person,
		&h.Capability, &h.SideEffect} {
		*into = r.optional()
	}
	h.Status, h.Code, h.Detail = r.text(), r.optional(), r.text()
	h.PayloadDigest = r.bytes('b')
	if !r.ok || len(r.rest) > 0 || len(prev) != Size || len(h.PayloadDigest) != Size {
		return Header{}, "", nil, errFormat
	}
	return h, stream, prev, nil
}

// reader takes encoded values from the beginning of rest. After a missing value ok is false.
type reader struct {
	rest []byte
	ok   bool
}

// take returns the next n bytes, nil if fewer are left.
func (r *reader) take(n int) []byte {
	if r.ok = r.ok && n <= len(r.rest); !r.ok {
		return nil
	}
	out := r.rest[:n]
	r.rest = r.rest[n:]
	return out
}

func (r *reader) tag(want byte) bool {
	tag := r.take(1)
	r.ok = r.ok && tag[0] == want
	return r.ok
}

// bytes reads a text or blob: its tag, a 32-bit length and the bytes.
func (r *reader) bytes(tag byte) []byte {
	if !r.tag(tag) {
		return nil
	}
	length := r.take(4)
	if !r.ok || uint64(binary.BigEndian.Uint32(length)) > uint64(len(r.rest)) {
		r.ok = false
		return nil
	}
	return bytes.Clone(r.take(int(binary.BigEndian.Uint32(length))))
}

func (r *reader) text() string { return string(r.bytes('t')) }

// optional reads a text, or "" for NULL.
func (r *reader) optional() string {
	if r.ok && len(r.rest) > 0 && r.rest[0] == 'n' {
		r.rest = r.rest[1:]
		return ""
	}
	s := r.text()
	r.ok = r.ok && s != "" // an empty text is encoded as NULL
	return s
}

func (r *reader) number() int64 {
	if !r.tag('i') {
		return 0
	}
	b := r.take(8)
	if !r.ok {
		return 0
	}
	return int64(binary.BigEndian.Uint64(b))
}
