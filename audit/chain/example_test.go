package chain_test

import (
	"bytes"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/audit/chain"
)

// records.jsonl has the rows of a log, one JSON object a line, as any program that
// reads SQLite files writes them:
//
//	SELECT json_object('seq', r.seq, 'time', time, 'kind', kind, …, 'capability', name, …,
//	    'payload_digest', lower(hex(payload_digest)), 'prev', lower(hex(prev)), 'hash', lower(hex(hash)),
//	    'salt', lower(hex(salt)), 'body', CAST(body AS TEXT))
//	FROM audit_records r LEFT JOIN audit_capabilities ON id = capability
//	    LEFT JOIN audit_payloads p ON p.seq = r.seq ORDER BY r.seq;
//
//go:embed testdata/records.jsonl
var exported string

// row is one line.
type row struct {
	Seq             int64  `json:"seq"`
	Time            int64  `json:"time"`
	Kind            string `json:"kind"`
	RequestID       string `json:"request_id"`
	TraceID         string `json:"trace_id"`
	ParentRequestID string `json:"parent_request_id"`
	ConversationID  string `json:"conversation_id"`
	CallerType      string `json:"caller_type"`
	Person          string `json:"person"`
	Capability      string `json:"capability"`
	SideEffect      string `json:"side_effect"`
	Status          string `json:"status"`
	Code            string `json:"code"`
	Detail          string `json:"detail"`
	PayloadDigest   digest `json:"payload_digest"`
	Prev            digest `json:"prev"`
	Hash            digest `json:"hash"`
	Salt            digest `json:"salt"` // absent with the body: the payload was erased
	Body            string `json:"body"`
}

// digest is bytes that JSON has as hexadecimal digits.
type digest []byte

func (d *digest) UnmarshalText(text []byte) (err error) {
	*d, err = hex.DecodeString(string(text))
	return err
}

func (r *row) header() chain.Header {
	return chain.Header{Seq: r.Seq, Time: r.Time, Kind: r.Kind, RequestID: r.RequestID, TraceID: r.TraceID,
		ParentRequestID: r.ParentRequestID, ConversationID: r.ConversationID, CallerType: r.CallerType, Person: r.Person,
		Capability: r.Capability, SideEffect: r.SideEffect, Status: r.Status, Code: r.Code, Detail: r.Detail,
		PayloadDigest: r.PayloadDigest}
}

// verify names the first record that is not as it was written.
func verify(lines string) string {
	last := digest(make([]byte, chain.Size))
	var count int64
	for line := range strings.Lines(lines) {
		var r row
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return err.Error()
		}
		h := r.header()
		hash := h.Hash("main", r.Prev)
		payload := chain.PayloadDigest(r.Salt, []byte(r.Body))
		switch {
		case r.Seq != count+1:
			return fmt.Sprintf("record %d is missing", count+1)
		case !bytes.Equal(r.Prev, last):
			return fmt.Sprintf("record %d does not follow record %d", r.Seq, count)
		case !bytes.Equal(hash[:], r.Hash):
			return fmt.Sprintf("record %d is not as it was written", r.Seq)
		case r.Salt != nil && !bytes.Equal(payload[:], r.PayloadDigest):
			return fmt.Sprintf("the payload of record %d is not as it was written", r.Seq)
		}
		last, count = r.Hash, r.Seq
	}
	return fmt.Sprintf("%d records, head %x…", count, last[:4])
}

// A stranger verifies records with nothing but this package.
func Example() {
	fmt.Println(verify(exported))
	fmt.Println(verify(strings.Replace(exported, `"person":"u1"`, `"person":"u2"`, 1)))
	fmt.Println(verify(strings.Replace(exported, "Buy tea", "Buy gin", 1)))
	_, rest, _ := strings.Cut(exported, "\n")
	fmt.Println(verify(rest))
	// Output:
	// 2 records, head 111cb267…
	// record 1 is not as it was written
	// the payload of record 1 is not as it was written
	// record 1 is missing
}
