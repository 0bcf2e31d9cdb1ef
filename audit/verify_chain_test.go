package audit_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// full is an entry that uses every field.
func full() *bus.Entry {
	e := entry("req_full")
	e.Invocation.TraceID, e.Invocation.IdempotencyKey = "trace_1", "key-1"
	e.Invocation.Caller = bus.Caller{Type: bus.CallerAgent, Source: "chat_1", ParentRequestID: "turn_1",
		TriggeringMessage: "Add two bags", Reasoning: "The person said so."}
	e.Invocation.Principal.ConversationID = "conv_1"
	e.Invocation.Principal.Model = &bus.ModelID{Endpoint: "http://localhost/v1", Name: "m", PromptVersion: "1"}
	e.Decision = &bus.Decision{Rule: bus.RuleConfirm, By: "u1", ApprovalID: "ap_1", Answer: "allow", Reason: "fine by me",
		Asked: 1200 * time.Millisecond, Digest: "d1", Allowed: true}
	e.Result.Facts = map[string]any{"amount": 4783}
	e.Result.CostEstimate = map[string]string{"usd": "0.01"}
	e.Result.Events = []bus.Event{{Type: bus.EventStateChange, Domain: "cart", RequestID: "req_full",
		Time: epoch}}
	e.Summary, e.Redacted = "Add 2 × Guji for Ana Ruiz", []string{"/data/pin"}
	return e
}

const goldenRecord = `{"seq":1,"time":1772366400000,"kind":"invocation","request_id":"req_full",` +
	`"trace_id":"trace_1","parent_request_id":"turn_1","conversation_id":"conv_1",` +
	`"caller":{"type":"agent","source":"chat_1","door":"window","person":"u1","role":"clerk","authentication":"pin"},` +
	`"model":{"endpoint":"http://localhost/v1","name":"m","prompt_version":"1"},"capability":"item.add",` +
	`"version":"1.0.0","side_effect":"ui-only",` +
	`"triggering_message":"Add two bags","reasoning":"The person said so.","arguments":{"id":"a"},` +
	`"decision":{"rule":"confirmation_required","by":"u1","approval_id":"ap_1","answer":"allow",` +
	`"reason":"fine by me","asked_ms":1200,"digest":"d1"},` +
	`"status":"success","data":{"ok":true},"facts":{"amount":4783},"summary":"Add 2 × Guji for Ana Ruiz",` +
	`"effects":[{"table":"counters","key":{"id":1},"op":"insert","after":{"id":1,"n":1}}],` +
	`"events":[{"type":"stateChange","request_id":"req_full","timestamp":1772366400000,"domain":"cart"}],` +
	`"duration_ms":3,"cost_estimate":{"usd":"0.01"},"seed":"00","idempotency_key":"key-1","attempts":1,` +
	`"redacted":["/data/pin"],` +
	`"prev":"0000000000000000000000000000000000000000000000000000000000000000","hash":"HASH"}`

// goldenHash must never change: it would make every log that exists fail.
const goldenHash = "31e3007763dedf7d67deff2523fa18e463d810b5f9515c2d21c021d9beacbfcc"

// holds: U1
func TestU1TheRecordFormatIsWhatItWas(t *testing.T) {
	o := options()
	o.Rand = zeros{}
	l := open(t, filepath.Join(t.TempDir(), "log.db"), o)
	must(t, do(t, l, full(), `INSERT INTO counters VALUES (1, 1)`))
	found, err := l.Tail(context.Background(), 0, 1)
	must(t, err)
	got, err := json.Marshal(found[0])
	must(t, err)
	if diff := cmp.Diff(strings.Replace(goldenRecord, "HASH", goldenHash, 1), string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// hashOf computes a record's hash from nothing but the documentation.
func hashOf(t testing.TB, l *audit.Log, seq int) []byte {
	t.Helper()
	var buf []byte
	text := func(s string) {
		buf = append(binary.BigEndian.AppendUint32(append(buf, 't'), uint32(len(s))), s...)
	}
	blob := func(b []byte) {
		buf = append(binary.BigEndian.AppendUint32(append(buf, 'b'), uint32(len(b))), b...)
	}
	number := func(n int64) { buf = binary.BigEndian.AppendUint64(append(buf, 'i'), uint64(n)) }
	var time int64
	var digest, prev []byte
	texts := make([]sql.NullString, 12)
	must(t, l.View(context.Background(), func(ctx context.Context) error {
		into := []any{&time}
		for i := range texts {
			into = append(into, &texts[i])
		}
		return audit.Tx(ctx).QueryRowContext(ctx,
			`SELECT time, kind, request_id, trace_id, parent_request_id, conversation_id, caller_type, person, name,
			side_effect, status, code, detail, payload_digest, prev
			FROM audit_records LEFT JOIN audit_capabilities ON id = capability WHERE seq = ?`, seq).
			Scan(append(into, &digest, &prev)...)
	}))
	text("audit.record.v1")
	text("main")
	blob(prev)
	number(int64(seq))
	number(time)
	for _, s := range texts {
		if s.Valid {
			text(s.String)
		} else {
			buf = append(buf, 'n')
		}
	}
	blob(digest)
	sum := sha256.Sum256(buf)
	return sum[:]
}

// holds: U6
func TestU6AnybodyCanComputeTheHashFromTheDocumentation(t *testing.T) {
	l := newLog(t)
	must(t, do(t, l, full(), `INSERT INTO counters VALUES (1, 1)`))
	must(t, l.Record(context.Background(), failed("r2", bus.Forbidden, bus.ReasonDeclined)))
	for seq := 1; seq <= 2; seq++ {
		var want, digest, salt, body []byte
		must(t, l.View(context.Background(), func(ctx context.Context) error {
			return audit.Tx(ctx).QueryRowContext(ctx,
				`SELECT payload_digest, hash, salt, body FROM audit_records JOIN audit_payloads USING (seq) WHERE seq = ?`, seq).
				Scan(&digest, &want, &salt, &body)
		}))
		if got := hashOf(t, l, seq); !bytes.Equal(got, want) {
			t.Errorf("the hash is %x, not %x", want, got)
		}
		if sum := sha256.Sum256(append(salt, body...)); len(salt) != 16 || !bytes.Equal(sum[:], digest) {
			t.Errorf("the payload digest is %x, not %x", digest, sum)
		}
	}
}

// holds: U4
func TestU4AReplacedRecordBreaksTheOneAfterIt(t *testing.T) {
	path, _ := written(t, false)
	l := open(t, path, options())
	audit.Execute(t, l, `UPDATE audit_records SET person = 'u2' WHERE seq = 20`)
	audit.Execute(t, l, fmt.Sprintf(`UPDATE audit_records SET hash = x'%x' WHERE seq = 20`, hashOf(t, l, 20)))
	v, err := l.Verify(context.Background(), nil)
	must(t, err)
	if v.OK || v.FirstBad != 21 || !strings.Contains(v.Problem, "does not follow record 20") {
		t.Errorf("verdict: %+v", v)
	}
}

func TestNothingPersonalIsInAHeader(t *testing.T) {
	l := newLog(t)
	must(t, do(t, l, full(), `INSERT INTO items (id, name) VALUES ('x', 'Ana Ruiz')`))
	header, err := os.ReadFile(exportHeader(t, l))
	must(t, err)
	for _, words := range []string{"Add two bags", "The person said so", "fine by me", "Guji", "Ana Ruiz", "4783", "key-1",
		"d1"} {
		if strings.Contains(string(header), words) {
			t.Errorf("the header has %q: %s", words, header)
		}
	}
}

// exportHeader writes all columns of all records to a file.
func exportHeader(t *testing.T, l *audit.Log) string {
	var all strings.Builder
	must(t, l.View(context.Background(), func(ctx context.Context) error {
		rows, err := audit.Tx(ctx).QueryContext(ctx, `SELECT * FROM audit_records`)
		must(t, err)
		columns, err := rows.Columns()
		must(t, err)
		for rows.Next() {
			values := make([]any, len(columns))
			for i := range values {
				values[i] = new(any)
			}
			must(t, rows.Scan(values...))
			for _, v := range values {
				fmt.Fprintf(&all, "%v ", *v.(*any))
			}
		}
		return rows.Err()
	}))
	path := filepath.Join(t.TempDir(), "header")
	must(t, os.WriteFile(path, []byte(all.String()), 0o600))
	return path
}

const records = 50

// written makes a log of 50 records, closes it and returns its file and DSN.
func written(t testing.TB, reads bool) (path, dsn string) {
	path = filepath.Join(t.TempDir(), "log.db")
	l, err := audit.Open(context.Background(), path, options())
	must(t, err)
	for n := range records {
		e := entry(fmt.Sprint("r", n))
		e.Read = reads
		if n%7 == 3 && !reads {
			e = failed(fmt.Sprint("r", n), bus.Conflict, bus.ReasonBusy)
		}
		must(t, l.Record(context.Background(), e))
	}
	must(t, l.Close())
	return path, audit.DSN(l)
}

func verdict(t testing.TB, path string) audit.Verdict {
	t.Helper()
	l, err := audit.Open(context.Background(), path, options())
	must(t, err)
	v, err := l.Verify(context.Background(), nil)
	must(t, err)
	must(t, l.Close())
	return v
}

// holds: U4
func TestU4VerifyNamesTheFirstBadRecord(t *testing.T) {
	path, _ := written(t, false)
	l := open(t, path, options())
	verify := func() audit.Verdict {
		v, err := l.Verify(context.Background(), nil)
		must(t, err)
		return v
	}
	tables := []string{"audit_records", "audit_payloads", "audit_heads"}
	var restore []string
	for _, table := range tables {
		audit.Execute(t, l, fmt.Sprintf(`CREATE TEMP TABLE whole_%[1]s AS SELECT * FROM %[1]s`, table))
		restore = append(restore, fmt.Sprintf(`DELETE FROM %[1]s`, table),
			fmt.Sprintf(`INSERT INTO %[1]s SELECT * FROM whole_%[1]s`, table))
	}
	if v := verify(); !v.OK || v.Records != records || v.FirstBad != 0 || len(v.Head) != 64 {
		t.Fatalf("untouched: %+v", v)
	}
	for name, tt := range map[string]struct {
		tamper func(seq int) string
		bad    func(seq int) int
		upTo   int
	}{
		"edited": {tamper: func(s int) string {
			return fmt.Sprintf(`UPDATE audit_records SET person = 'u2' WHERE seq = %d`,
				s)
		}},
		"emptied": {tamper: func(s int) string {
			return fmt.Sprintf(`UPDATE audit_records SET conversation_id = '' WHERE seq = %d`, s)
		}},
		"outcome edited": {tamper: func(s int) string {
			return fmt.Sprintf(`UPDATE audit_records SET code = iif(code IS NULL, 'INTERNAL', NULL) WHERE seq = %d`, s)
		}},
		"other capability": {tamper: func(s int) string {
			return fmt.Sprintf(`UPDATE audit_records SET capability = 99 WHERE seq = %d`, s)
		}},
		"hash edited": {tamper: func(s int) string {
			return fmt.Sprintf(`UPDATE audit_records SET hash = zeroblob(32) WHERE seq = %d`, s)
		}},
		"link edited": {tamper: func(s int) string {
			return fmt.Sprintf(`UPDATE audit_records SET prev = x'01' WHERE seq = %d`, s)
		}},
		"payload edited": {tamper: func(s int) string {
			return fmt.Sprintf(`UPDATE audit_payloads SET body = x'7b7d' WHERE seq = %d`, s)
		}},
		"salt edited": {tamper: func(s int) string {
			return fmt.Sprintf(`UPDATE audit_payloads SET salt = zeroblob(16) WHERE seq = %d`, s)
		}},
		"deleted": {tamper: func(s int) string { return fmt.Sprintf(`DELETE FROM audit_records WHERE seq = %d`, s) }},
		"deleted and closed up": {tamper: func(s int) string {
			return fmt.Sprintf(`DELETE FROM audit_records WHERE seq = %[1]d; DELETE FROM audit_payloads WHERE seq = %[1]d;
				UPDATE audit_records SET seq = seq - 1 WHERE seq > %[1]d;
				UPDATE audit_payloads SET seq = seq - 1 WHERE seq > %[1]d`, s)
		}},
		"inserted": {tamper: func(s int) string {
			return fmt.Sprintf(`UPDATE audit_records SET seq = -seq - 1 WHERE seq >= %[1]d;
					UPDATE audit_records SET seq = -seq WHERE seq < 0;
				UPDATE audit_payloads SET seq = -seq - 1 WHERE seq >= %[1]d; UPDATE audit_payloads SET seq = -seq WHERE seq < 0;
				INSERT INTO audit_records SELECT %[1]d, time, kind, 'forged', trace_id, parent_request_id,
						conversation_id, caller_type, person, capability,
				side_effect, status, code, detail, payload_digest, prev, hash FROM audit_records WHERE seq = %[1]d + 1`, s)
		}},
		"swapped with the next": {upTo: records - 1, tamper: func(s int) string {
			return fmt.Sprintf(`UPDATE audit_records SET seq = -seq WHERE seq IN (%[1]d, %[1]d + 1);
					UPDATE audit_records SET seq = 2 * %[1]d + 1 + seq WHERE seq < 0;
				UPDATE audit_payloads SET seq = -seq WHERE seq IN (%[1]d, %[1]d + 1);
				UPDATE audit_payloads SET seq = 2 * %[1]d + 1 + seq WHERE seq < 0`, s)
		}},
		"all after it cut off": {tamper: func(s int) string {
			return fmt.Sprintf(`DELETE FROM audit_records WHERE seq > %d`, s)
		}, upTo: records - 1,
			bad: func(s int) int { return s + 1 }},
		"head moved back": {tamper: func(s int) string {
			return fmt.Sprintf(`UPDATE audit_heads SET (seq, hash) = (SELECT seq, hash FROM audit_records
					WHERE seq = %d) WHERE stream = 'main'`, s)
		}, upTo: records - 1, bad: func(s int) int { return s + 1 }},
	} {
		t.Run(name, func(t *testing.T) {
			if tt.upTo == 0 {
				tt.upTo = records
			}
			for seq := 1; seq <= tt.upTo; seq++ {
				audit.Execute(t, l, slices.Concat(restore, strings.Split(tt.tamper(seq), ";"))...)
				want := int64(seq)
				if tt.bad != nil {
					want = int64(tt.bad(seq))
				}
				v := verify()
				if v.OK || v.FirstBad != want || v.Problem == "" || v.Segment != "" {
					t.Errorf("at %d: %+v", seq, v)
				}
			}
		})
	}
}

// holds: U4
func TestU4VerifyLooksAtReadsToo(t *testing.T) {
	path, dsn := written(t, true)
	if v := verdict(t, path); !v.OK || v.Records != 0 || v.Reads != records {
		t.Fatalf("untouched: %+v", v)
	}
	audit.Tamper(t, dsn, `UPDATE audit_reads SET person = 'u2' WHERE seq = 17`)
	if v := verdict(t, path); v.OK || v.FirstBad != 17 || v.Segment != "reads" {
		t.Errorf("edited: %+v", v)
	}
}

// holds: U4
func TestU4ARecordCannotMoveToTheOtherStream(t *testing.T) {
	path, dsn := written(t, true)
	audit.Tamper(t, dsn, `INSERT INTO audit_records SELECT * FROM audit_reads`,
		`INSERT INTO audit_payloads SELECT * FROM audit_read_payloads`,
		`UPDATE audit_heads SET (seq, hash) = (SELECT seq, hash FROM audit_heads WHERE stream = 'reads')`)
	if v := verdict(t, path); v.OK || v.FirstBad != 1 || v.Segment != "" {
		t.Errorf("verdict: %+v", v)
	}
}

// TestTheFirstBadRecordIsSaidInWords: a verdict names the first bad record, the last good one before it, and the
// problem.
func TestTheFirstBadRecordIsSaidInWords(t *testing.T) {
	path, dsn := written(t, false)
	l := open(t, path, options())
	nameless := entry("nameless")
	nameless.Invocation.Capability = ""
	must(t, l.Record(t.Context(), nameless))
	must(t, l.Close())
	whole, err := os.ReadFile(path)
	must(t, err)
	const twice = ` SELECT %d, time, kind, request_id, trace_id, parent_request_id, conversation_id, caller_type, person,
		capability, side_effect, status, code, detail, payload_digest, prev, hash FROM audit_records WHERE seq = 1`
	for _, tt := range []struct {
		statement string
		bad, upTo int64
		says      string
	}{
		{`INSERT INTO audit_payloads VALUES (52, zeroblob(16), x'')`, 52, 51,
			"There is a payload 52 that belongs to no record."},
		{`INSERT INTO audit_payloads VALUES (0, zeroblob(16), x'')`, 1, 0, "There is a payload 0 that belongs to no record."},
		{`INSERT INTO audit_records` + fmt.Sprintf(twice, 0), 1, 0, "There is a record 0, before the first."},
		{`INSERT INTO audit_records` + fmt.Sprintf(twice, 52), 52, 51,
			"Record 52 was added after the last one that the log noted."},
		{`DELETE FROM audit_heads WHERE stream = 'main'`, 1, 0, "What the log noted of its last record is gone."},
		{`UPDATE audit_heads SET hash = zeroblob(32)`, 51, 51, "Record 51 is not the one that the log noted as its last."},
		{`DELETE FROM audit_records`, 1, 0,
			"The log noted 51 records, but it ends with record 0: the last ones were removed."},
		{`DELETE FROM audit_records WHERE seq > 30`, 31, 30,
			"The log noted 51 records, but it ends with record 30: the last ones were removed."},
		{`DELETE FROM audit_records WHERE seq IN (20, 21)`, 20, 19, "Record 20 is missing."},
		{`DELETE FROM audit_records WHERE seq IN (49, 50)`, 49, 48, "Record 49 is missing."},
		{`DELETE FROM audit_payloads WHERE seq IN (20, 30)`, 20, 19,
			"The payload of record 20 is gone, and nobody asked for its erasure."},
		{`UPDATE audit_payloads SET body = x'7b7d' WHERE seq = 20`, 20, 19,
			"The payload of record 20 is not as it was written."},
		{`UPDATE audit_capabilities SET name = 'item.remove'`, 1, 0, "Record 1 is not as it was written."},
		{`UPDATE audit_records SET capability = 99 WHERE seq = 51`, 51, 50, "Record 51 is not as it was written."},
		{`UPDATE audit_records SET conversation_id = '' WHERE seq = 20`, 20, 19, "Record 20 is not as it was written."},
		{`UPDATE audit_records SET prev = x'01' WHERE seq = 20`, 20, 19, "Record 20 is not as it was written."},
	} {
		must(t, os.WriteFile(path, whole, 0o600))
		audit.Tamper(t, dsn, tt.statement)
		if v := verdict(t, path); v.OK || v.FirstBad != tt.bad || v.Records != tt.upTo || v.Problem != tt.says {
			t.Errorf("%s: %+v", tt.statement, v)
		}
	}
}

// holds: U11
func TestU11AnErasureIsOneThatItsRecordNames(t *testing.T) {
	path, dsn := written(t, false)
	audit.Tamper(t, dsn, `DELETE FROM audit_payloads WHERE seq IN (1, 20, 50)`)
	if v := verdict(t, path); v.OK || v.FirstBad != 1 || !strings.Contains(v.Problem, "nobody asked") {
		t.Errorf("nobody asked: %+v", v)
	}
	audit.Tamper(t, dsn, `INSERT INTO audit_erasures VALUES ('main', 1, 'r5'), ('main', 20, 'r5'), ('main', 50, 'r3')`)
	if v := verdict(t, path); v.OK || v.FirstBad != 1 || !strings.Contains(v.Problem, "no request r5 that erased it") {
		t.Errorf("by a request that erased nothing: %+v", v)
	}
	l := open(t, path, options())
	found, err := l.Search(context.Background(), audit.Query{RequestID: "r19"})
	must(t, err)
	if r := found.Records[0]; !r.Erased || r.Arguments != nil || r.Caller.Person != "u1" {
		t.Errorf("record: %+v", r)
	}
}

func TestTheLogGoesOnAfterReopening(t *testing.T) {
	path, _ := written(t, false)
	l := open(t, path, options())
	must(t, l.Record(context.Background(), entry("later")))
	var last, total int64
	v, err := l.Verify(context.Background(), func(done, all int64) { last, total = done, all })
	must(t, err)
	if !v.OK || v.Records != records+1 || last != total || total != records+1 {
		t.Errorf("verdict: %+v, progress %d of %d", v, last, total)
	}
}
