package audit

import (
	"context"
	"strings"
)

// stream is one chain of records. Each record's hash covers its name, so that no record can move to the other stream.
type stream struct {
	name          string
	records       string // table
	payloads      string // table
	texts         string // table
	subjects      string // table
	indexes       string // ends of the names of the indexes on records, each between spaces
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

// steps returns the stream in which the roll-ups count the steps of its plans.
func (s *stream) steps() string {
	if s == mainStream {
		return countedSteps
	}
	return s.name
}

// lastHead returns the number and hash of the last record of a stream.
func (l *Log) lastHead(ctx context.Context, s *stream) (h head, err error) {
	err = l.readers.db.QueryRowContext(ctx, "SELECT seq, hash FROM audit_heads WHERE stream = ?", s.name).
		Scan(&h.seq, &h.hash)
	return h, err
}

// indexed reports whether the stream has an index.
func (s *stream) indexed(index string) bool {
	return index == indexText || index == indexSubject || index != "" && strings.Contains(s.indexes, " "+index+" ")
}
