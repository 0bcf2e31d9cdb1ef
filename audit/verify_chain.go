package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"sync"

	"github.com/deskhand/deskhand/audit/chain"
)

// verifyStep is the number of records read at a time, because a long read would prevent checkpoints of the write-ahead
// log.
const verifyStep = 5000

// maxVerifiers limits the chunks of a stream that are checked at once.
const maxVerifiers = 4

// finding is the first problem found.
type finding struct {
	seq     int64
	problem string // "" for none
}

// streamVerifier checks one stream. It checks chunks in parallel, each against the stored hash of the record before it;
// that hash is right if the previous chunk is. So the finding of the lowest chunk is the first.
type streamVerifier struct {
	l        *Log
	stream   *stream
	stored   *storedRollups // the roll-ups to compare with the records
	progress func(done int64)

	base                      head  // the record before the first: a checkpoint, or none
	storedHead                head  // the last record according to audit_heads
	firstRecord, lastRecord   int64 // the lowest and highest number of a record
	firstPayload, lastPayload int64 // the lowest and highest number of a payload

	mu       sync.Mutex // guards the fields below while chunks are checked
	next     int64      // the record before the next chunk
	done     int64
	badAfter int64 // the record before the chunk with the finding
	bad      finding
	failed   error
	last     head // the last correct record
	erased   int64
	names    map[int64]string // the dictionary of capabilities; a change replaces it
	sums     rollup           // of the records in the roll-ups
	runs     []hourRun        // in no order
}

// end returns the number of the last record to check.
func (w *streamVerifier) end() int64 { return max(w.storedHead.seq, w.lastRecord, w.base.seq) }

func (w *streamVerifier) fail(seq int64, format string, args ...any) {
	w.bad = finding{seq, fmt.Sprintf(format, args...)}
}

// verifyChunks checks all chunks.
func (w *streamVerifier) verifyChunks(ctx context.Context) error {
	w.next, w.names = w.base.seq, map[int64]string{}
	var all sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), maxVerifiers, int(1+(w.end()-w.base.seq)/verifyStep)) {
		all.Go(func() {
			if err := w.worker(ctx); err != nil {
				w.mu.Lock()
				w.failed = errors.Join(w.failed, err)
				w.mu.Unlock()
			}
		})
	}
	all.Wait()
	return w.failed
}

// worker checks one chunk after another on a separate connection.
func (w *streamVerifier) worker(ctx context.Context) error {
	conn, err := w.l.readers.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	return conn.Raw(func(raw any) error {
		// This bypasses database/sql, whose conversions cost more than the hashes.
		db, ok := raw.(driver.QueryerContext)
		if !ok {
			return fmt.Errorf("the driver %T cannot be queried", raw)
		}
		for {
			after, upTo, ok := w.nextChunk()
			if !ok {
				return nil
			}
			p := &chunk{of: w, last: head{seq: after}, names: w.dictionary()}
			if after == w.base.seq {
				p.last.hash = w.base.hash
			}
			if err := p.check(ctx, db, upTo); err != nil {
				return err
			}
			w.finishChunk(p, after, upTo)
		}
	})
}

// nextChunk returns the next chunk, none after a faulty one.
func (w *streamVerifier) nextChunk() (after, upTo int64, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed != nil || w.bad.problem != "" || w.next >= w.end() {
		return 0, 0, false
	}
	after = w.next
	w.next = min(w.end(), after+verifyStep)
	return after, w.next, true
}

// finishChunk adds the results of a chunk to those of the stream. The finding of the lowest chunk stays.
func (w *streamVerifier) finishChunk(p *chunk, after, upTo int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done += upTo - after
	w.erased += p.erased
	w.sums.merge(&p.sums)
	w.runs = append(w.runs, p.runs...)
	switch {
	case p.bad.problem != "" && (w.bad.problem == "" || after < w.badAfter):
		w.bad, w.badAfter, w.last = p.bad, after, p.last
	case w.bad.problem == "" && upTo == w.end():
		w.last = p.last
	}
	w.names = p.names
	w.progress(w.done)
}

func (w *streamVerifier) dictionary() map[int64]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.names
}

// chunk is a range of records that one worker checks.
type chunk struct {
	of             *streamVerifier
	last           head // the last correct record
	names          map[int64]string
	buf            []byte
	erased         int64
	withoutPayload []int64 // records without a payload
	sums           rollup
	runs           []hourRun
	tiles          map[int64][]byte // of the tree whose leaves are these records
	bad            finding
}

func (p *chunk) fail(seq int64, format string, args ...any) {
	p.bad = finding{seq, fmt.Sprintf(format, args...)}
}

// Columns of a record in the query of a chunk.
const (
	colSeq = iota
	colTime
	colKind
	colRequest
	colTrace
	colParent
	colConvo
	colCallerType
	colPerson
	colCapability
	colSideEffect
	colStatus
	colCode
	colDetail
	colDigest
	colPrev
	colHash
	colSalt
	colBody
	columnCount
)

func (s *stream) selectHashed() string {
	return `SELECT r.seq, r.time, r.kind, r.request_id, r.trace_id, r.parent_request_id, r.conversation_id, r.caller_type,
		r.person, r.capability, r.side_effect, r.status, r.code, r.detail, r.payload_digest, r.prev, r.hash, p.salt, p.body
		FROM ` + s.records + ` r LEFT JOIN ` + s.payloads +
		` p ON p.seq = r.seq WHERE r.seq >= ? AND r.seq <= ? ORDER BY r.seq`
}

// check reads the records up to a number, and the one before them for its hash.
func (p *chunk) check(ctx context.Context, db driver.QueryerContext, upTo int64) error {
	if err := p.readTiles(ctx, upTo); err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, p.of.stream.selectHashed(),
		[]driver.NamedValue{{Ordinal: 1, Value: p.last.seq}, {Ordinal: 2, Value: upTo}})
	if err != nil {
		return err
	}
	defer rows.Close()
	row := make([]driver.Value, columnCount)
	for p.bad.problem == "" {
		if err = rows.Next(row); err == nil {
			err = p.record(ctx, row)
		}
		if errors.Is(err, io.EOF) {
			if p.last.seq < upTo {
				p.missing(p.last.seq + 1)
			}
			break
		}
		if err != nil {
			return err
		}
	}
	return p.checkErased(ctx)
}

// missing reports a missing record: the end of the log was cut off, or a record in between was removed.
func (p *chunk) missing(seq int64) {
	if seq > p.of.lastRecord {
		p.fail(seq, "The log noted %d records, but it ends with record %d: the last ones were removed.", p.of.storedHead.seq,
			seq-1)
		return
	}
	p.fail(seq, "Record %d is missing.", seq)
}

// record checks one row against the record before it.
func (p *chunk) record(ctx context.Context, row []driver.Value) error {
	seq, _ := row[colSeq].(int64)
	prev, _ := row[colPrev].([]byte)
	hash, _ := row[colHash].([]byte)
	if seq == p.last.seq { // the one before the chunk
		p.last.hash = hash
		return nil
	}
	h, ok, err := p.header(ctx, row)
	if err != nil {
		return err
	}
	p.buf = h.Append(p.buf[:0], p.of.stream.name, prev)
	sum := sha256.Sum256(p.buf)
	switch {
	case seq != p.last.seq+1:
		p.missing(p.last.seq + 1)
	case seq > p.of.storedHead.seq:
		p.fail(seq, "Record %d was added after the last one that the log noted.", seq)
	case !ok || !bytes.Equal(sum[:], hash):
		p.fail(seq, "Record %d is not as it was written.", seq)
	case !bytes.Equal(prev, p.last.hash):
		p.fail(seq, "Record %d does not follow record %d as it is now.", seq, seq-1)
	case row[colBody] == nil:
		p.erased++
		p.withoutPayload = append(p.withoutPayload, seq)
	default:
		salt, _ := row[colSalt].([]byte)
		body, _ := row[colBody].([]byte)
		if digest := chain.PayloadDigest(salt, body); !bytes.Equal(digest[:], h.PayloadDigest) {
			p.fail(seq, "The payload of record %d is not as it was written.", seq)
		}
	}
	if p.bad.problem == "" && p.of.stream == mainStream {
		p.leaf(seq, hash)
	}
	if p.bad.problem == "" {
		p.last = head{seq: seq, hash: hash}
		p.derive(&h, row[colCapability])
	}
	return nil
}

// header reads the values that a row's hash covers. It returns ok = false if a column has a value that is never
// written: an empty text in place of NULL, or a number that is not in the dictionary.
func (p *chunk) header(ctx context.Context, row []driver.Value) (h chain.Header, ok bool, err error) {
	ok = true
	h.Seq, _ = row[colSeq].(int64)
	h.Time, _ = row[colTime].(int64)
	h.PayloadDigest, _ = row[colDigest].([]byte)
	for at, into := range [columnCount]*string{colKind: &h.Kind, colRequest: &h.RequestID, colStatus: &h.Status,
		colDetail: &h.Detail} {
		if into != nil {
			*into, _ = row[at].(string)
		}
	}
	for at, into := range [columnCount]*string{colTrace: &h.TraceID, colParent: &h.ParentRequestID,
		colConvo: &h.ConversationID, colCallerType: &h.CallerType,
		colPerson: &h.Person, colSideEffect: &h.SideEffect, colCode: &h.Code} {
		if into != nil && row[at] != nil {
			*into, _ = row[at].(string)
			ok = ok && *into != ""
		}
	}
	if number, numbered := row[colCapability].(int64); numbered {
		if h.Capability = p.names[number]; h.Capability == "" {
			if p.names, err = p.of.l.capabilityNames(ctx); err != nil {
				return h, false, err
			}
			h.Capability = p.names[number]
			ok = ok && h.Capability != ""
		}
	}
	return h, ok, nil
}

// capabilityNames reads the dictionary.
func (l *Log) capabilityNames(ctx context.Context) (map[int64]string, error) {
	rows, err := l.readers.db.QueryContext(ctx, "SELECT id, name FROM audit_capabilities")
	names := map[int64]string{}
	return names, each(rows, err, func() error {
		var id int64
		var name string
		err := rows.Scan(&id, &name)
		names[id] = name
		return err
	})
}

// checkErased checks that each missing payload has an erasure. All of these records are before the first faulty one.
func (p *chunk) checkErased(ctx context.Context) error {
	if len(p.withoutPayload) == 0 {
		return nil
	}
	rows, err := p.of.l.readers.db.QueryContext(ctx,
		"SELECT seq FROM audit_erasures WHERE stream = ? AND seq >= ? AND seq <= ? ORDER BY seq",
		p.of.stream.name, p.withoutPayload[0], p.withoutPayload[len(p.withoutPayload)-1])
	noted, err := collect(rows, err, func(seq *int64) []any { return []any{seq} })
	if err != nil {
		return err
	}
	for _, seq := range p.withoutPayload {
		if _, found := slices.BinarySearch(noted, seq); !found {
			p.fail(seq, "The payload of record %d is gone, and nobody asked for its erasure.", seq)
			p.last = head{seq: seq - 1}
			break
		}
	}
	return nil
}
