package chain

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
)

// Size is the length in bytes of every hash and digest.
const Size = sha256.Size

// formatTag begins the hashed bytes: another format would have another tag.
const formatTag = "audit.record.v1"

// Header holds all values that a record's hash covers. Texts marked optional are "" where the log stores NULL.
type Header struct {
	Seq             int64
	Time            int64 // ms since 1970
	Kind            string
	RequestID       string
	TraceID         string // optional: "" means that it equals RequestID
	ParentRequestID string // optional
	ConversationID  string // optional
	CallerType      string // optional
	Person          string // optional
	Capability      string // optional; its name: the column holds its number in audit_capabilities
	SideEffect      string // optional
	Status          string
	Code            string // optional
	Detail          string // JSON
	PayloadDigest   []byte
}

// Hash returns the hash of the record that follows the one with the hash prev in a stream, "main" or "reads".
func (h *Header) Hash(stream string, prev []byte) [Size]byte {
	return sha256.Sum256(h.Append(nil, stream, prev))
}

// Append appends the bytes that [Header.Hash] hashes.
func (h *Header) Append(buf []byte, stream string, prev []byte) []byte {
	buf = appendText(buf, formatTag)
	buf = appendText(buf, stream)
	buf = appendBlob(buf, prev)
	buf = appendInt(buf, h.Seq)
	buf = appendInt(buf, h.Time)
	buf = appendText(buf, h.Kind)
	buf = appendText(buf, h.RequestID)
	for _, text := range [...]string{
		h.TraceID, h.ParentRequestID, h.ConversationID, h.CallerType, h.Person, h.Capability, h.SideEffect,
	} {
		buf = appendOptional(buf, text)
	}
	buf = appendText(buf, h.Status)
	buf = appendOptional(buf, h.Code)
	buf = appendText(buf, h.Detail)
	return appendBlob(buf, h.PayloadDigest)
}

// PayloadDigest returns SHA-256 over a payload's salt and body. The salt prevents guessing an erased payload from its
// digest.
func PayloadDigest(salt, body []byte) [Size]byte {
	h := sha256.New()
	h.Write(salt)
	h.Write(body)
	return [Size]byte(h.Sum(nil))
}

// AppendValue appends an unambiguous encoding of an SQLite value: 't' or 'b', a 32-bit big-endian length and the bytes
// of a text or blob; 'i' and 64 bits big-endian of an integer; 'f' and the 64 bits of a real's IEEE 754 form; 'n' alone
// for NULL. A value of another Go type is encoded as its text.
func AppendValue(buf []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(buf, 'n')
	case int64:
		return appendInt(buf, v)
	case float64:
		return binary.BigEndian.AppendUint64(append(buf, 'f'), math.Float64bits(v))
	case string:
		return appendText(buf, v)
	case []byte:
		return appendBlob(buf, v)
	default:
		return appendText(buf, fmt.Sprint(v))
	}
}

func appendInt(buf []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(append(buf, 'i'), uint64(n))
}

func appendText(buf []byte, s string) []byte {
	buf = binary.BigEndian.AppendUint32(append(buf, 't'), uint32(len(s)))
	return append(buf, s...)
}

func appendBlob(buf, b []byte) []byte {
	buf = binary.BigEndian.AppendUint32(append(buf, 'b'), uint32(len(b)))
	return append(buf, b...)
}

func appendOptional(buf []byte, s string) []byte {
	if s == "" {
		return append(buf, 'n')
	}
	return appendText(buf, s)
}
