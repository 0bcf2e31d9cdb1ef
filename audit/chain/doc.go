// Package chain verifies records of an audit log without the log: it contains only the format of the bytes that a
// record's hash covers. It needs no SQLite.
//
// A record is a [Header] and a payload. Each record has the hash of the record before it, prev, and its own hash:
// [Header.Hash]. A log is unchanged up to a record if every computed hash equals the stored one, every prev is the hash
// before it, every remaining payload has the header's [PayloadDigest], and the last hash was noted elsewhere.
//
// # Format
//
// The hash is SHA-256 over these values, one after the other:
//
//	"audit.record.v1", the stream ("main" or "reads"), prev, seq, time, kind,
//	request_id, trace_id, parent_request_id, conversation_id, caller_type,
//	person, the capability's name, side_effect, status, code, detail,
//	payload_digest
//
// each as its column in the log's file has it, encoded as [AppendValue] does. prev of the first record is 32 zero
// bytes; the columns are those of the tables audit_records and audit_reads, the names of capabilities those of
// audit_capabilities, salts and bodies those of audit_payloads and audit_read_payloads. An empty text is stored as
// NULL, and so is a trace_id that equals the request_id.
//
// The format never changes: another format would have another tag than "audit.record.v1".
package chain
