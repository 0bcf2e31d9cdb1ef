package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"strings"
)

// stream is one chain of records: its name is hashed into each of them, so that
// no record can move to the other.
type stream struct {
	name          string
	records       string // table
	payloads      string // table
	texts         string // table
	subjects      string // table
	indexes       string // ends of the names of the indexes on records, each in spaces
	insertRecord  string // SQL
	insertPayload string // SQL
}

var (
	mainStream = newStream("main", "audit_records", "audit_payloads", "audit_texts", "audit_subjects",
		" request trace parent conversation kind code failed risk person caller capability ")
	readsStream = newStream("reads", "audit_reads", "audit_read_payloads", "audit_read_texts", "audit_read_subjects",
		" request trace parent person capability ")
)

func newStream(name, records, payloads, texts, subjects, indexes string) *stream {
	return &stream{
		name: name, records: records, payloads: payloads, texts: texts, subjects: subjects, indexes: indexes,
		insertRecord: "INSERT INTO " + records + ` (seq, time, kind, request_id, trace_id, parent_request_id, conversation_id,
			caller_type, person, capability, side_effect, status, code, detail, payload_digest, prev, hash)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		insertPayload: "INSERT INTO " + payloads + " (seq, salt, body) VALUES (?, ?, ?)",
	}
}

// indexed reports whether records of the stream are found by an index.
func (s *stream) indexed(index string) bool {
	return index == indexText || index == indexSubject || index != "" && strings.Contains(s.indexes, " "+index+" ")
}

// digestSize is the length of every hash and digest in the journal.
const digestSize = sha256.Size

// formatTag begins what is hashed: another format would have another tag.
const formatTag = "audit.record.v1"

// header is everything of a record that its hash covers, as it is stored. A text
// that may be absent is "" here and NULL there, never an empty text.
type header struct {
	seq         int64
	time        int64 // ms since 1970
	kind        string
	request     string
	trace       string // may be absent: it is the request's own id then
	parent      string // may be absent
	convo       string // may be absent
	callerType  string // may be absent
	person      string // may be absent
	capability  string // may be absent; the column holds its number in the dictionary
	sideEffect  string // may be absent
	status      string
	code        string // may be absent
	detail      string // JSON
	payloadHash []byte
}

// appendHashed appends the canonical form of the header that follows prev in a
// stream. See the package documentation for the format.
func (h *header) appendHashed(buf []byte, s *stream, prev []byte) []byte {
	buf = appendText(buf, formatTag)
	buf = appendText(buf, s.name)
	buf = appendBlob(buf, prev)
	buf = appendInt(buf, h.seq)
	buf = appendInt(buf, h.time)
	buf = appendText(buf, h.kind)
	buf = appendText(buf, h.request)
	for _, text := range [...]string{h.trace, h.parent, h.convo, h.callerType, h.person, h.capability, h.sideEffect} {
		buf = appendOptional(buf, text)
	}
	buf = appendText(buf, h.status)
	buf = appendOptional(buf, h.code)
	buf = appendText(buf, h.detail)
	return appendBlob(buf, h.payloadHash)
}

func appendInt(buf []byte, n int64) []byte {
	return binary.BigEndian.AppendUint64(append(buf, 'i'), uint64(n))
}

func appendOptional(buf []byte, s string) []byte {
	if s == "" {
		return append(buf, 'n')
	}
	return appendText(buf, s)
}

// payloadDigest binds a payload to its record. The salt keeps anyone from
// guessing a payload that was erased.
func payloadDigest(salt, body []byte) [digestSize]byte {
	h := sha256.New()
	h.Write(salt)
	h.Write(body)
	return [digestSize]byte(h.Sum(nil))
}
