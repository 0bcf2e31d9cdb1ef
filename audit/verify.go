package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
)

// verifyStep is how many records are read at a time: a long read would keep the
// file from being tidied up.
const verifyStep = 5000

// Verdict is what Verify found.
type Verdict struct {
	OK        bool   `json:"ok"`
	Records   int64  `json:"records"`              // of the main stream that were checked
	Head      string `json:"head"`                 // hash of the last of them, hex; note it elsewhere to notice a rewrite
	Reads     int64  `json:"reads"`                // of the reads stream
	ReadsHead string `json:"reads_head,omitempty"` //
	Erased    int64  `json:"erased,omitempty"`     // records whose payload was erased
	FirstBad  int64  `json:"first_bad,omitempty"`  // number of the first record that is not as it was written
	Segment   string `json:"segment,omitempty"`    // "reads" when it is one of those
	Problem   string `json:"problem,omitempty"`    // one sentence
}

// Verify checks every record and every payload against the chain. It reports
// progress now and then, if asked to, and does not keep others from writing.
func (l *Log) Verify(ctx context.Context, progress func(done, total int64)) (Verdict, error) {
	if err := l.writer.flush(ctx); err != nil {
		return Verdict{}, err
	}
	var v Verdict
	walks := make([]*walk, 0, 2)
	var total int64
	for _, s := range []*stream{mainStream, readsStream} {
		w := &walk{l: l, stream: s, prev: make([]byte, digestSize), progress: func(int64) {}}
		if err := w.start(ctx); err != nil {
			return v, fmt.Errorf("audit: verify: %w", err)
		}
		total += w.head.seq
		walks = append(walks, w)
	}
	var done int64
	for _, w := range walks {
		if progress != nil {
			w.progress = func(n int64) { progress(done+n, total) }
		}
		if err := w.run(ctx); err != nil {
			return v, fmt.Errorf("audit: verify: %w", err)
		}
		done += w.last
		v.Erased += w.erased
		if w.problem != "" && v.Problem == "" {
			v.FirstBad, v.Problem = w.bad, w.problem
			if w.stream == readsStream {
				v.Segment = readsStream.name
			}
		}
	}
	main, reads := walks[0], walks[1]
	v.Records, v.Head, v.Reads = main.last, hex.EncodeToString(main.prev), reads.last
	if reads.last > 0 {
		v.ReadsHead = hex.EncodeToString(reads.prev)
	}
	v.OK = v.Problem == ""
	return v, nil
}

// walk is the verification of one stream.
type walk struct {
	l        *Log
	stream   *stream
	progress func(done int64)

	head           head  // as the log has it noted
	oldest, newest int64 // the lowest and highest number there is
	loneLo, loneHi int64 // the lowest and highest number of a payload

	last    int64  // the last record that was right
	prev    []byte // its hash
	buf     []byte
	erased  int64
	bad     int64
	problem string
}

func (w *walk) start(ctx context.Context) error {
	err := w.l.readers.db.QueryRowContext(ctx, `SELECT seq, hash,
		(SELECT coalesce(max(seq), 0) FROM `+w.stream.records+`), (SELECT coalesce(min(seq), 1) FROM `+w.stream.records+`),
		(SELECT coalesce(min(seq), 1) FROM `+w.stream.payloads+`), (SELECT coalesce(max(seq), 0) FROM `+w.stream.payloads+`)
		FROM audit_heads WHERE stream = ?`, w.stream.name).Scan(&w.head.seq, &w.head.hash, &w.newest, &w.oldest, &w.loneLo, &w.loneHi)
	if errors.Is(err, sql.ErrNoRows) {
		w.found(1, "What the log noted of its last record is gone.")
		return nil
	}
	return err
}

func (w *walk) found(seq int64, format string, args ...any) {
	w.bad, w.problem = seq, fmt.Sprintf(format, args...)
}

func (w *walk) run(ctx context.Context) error {
	switch {
	case w.problem != "":
		return nil
	case w.oldest < 1:
		w.found(1, "There is a record %d, before the first.", w.oldest)
		return nil
	case w.loneLo < 1:
		w.found(1, "There is a payload %d that belongs to no record.", w.loneLo)
		return nil
	}
	for end := max(w.head.seq, w.newest); w.last < end && w.problem == ""; {
		before := w.last
		if err := w.step(ctx, min(end, w.last+verifyStep)); err != nil {
			return err
		}
		if w.last == before && w.problem == "" {
			w.missing(w.last + 1)
		}
		w.progress(w.last)
	}
	switch {
	case w.problem != "":
	case w.last == w.head.seq && !bytes.Equal(w.prev, w.head.hash):
		w.found(w.last, "Record %d is not the one that the log noted as its last.", w.last)
	case w.loneHi > w.last:
		w.found(w.last+1, "There is a payload %d that belongs to no record.", w.loneHi)
	}
	return nil
}

func (w *walk) missing(seq int64) {
	if seq > w.newest {
		w.found(seq, "The log noted %d records, but it ends with record %d: the last ones were removed.", w.head.seq, seq-1)
		return
	}
	w.found(seq, "Record %d is missing.", seq)
}

// step checks the records up to a number.
func (w *walk) step(ctx context.Context, upTo int64) error {
	rows, err := w.l.readers.db.QueryContext(ctx, `SELECT r.seq, r.time, r.kind, r.request_id, r.trace_id, r.parent_request_id,
		r.conversation_id, r.caller_type, r.person, c.name, r.capability, r.side_effect, r.status, r.code, r.detail, r.payload_digest,
		r.prev, r.hash, p.salt, p.body
		FROM `+w.stream.records+` r LEFT JOIN audit_capabilities c ON c.id = r.capability
		LEFT JOIN `+w.stream.payloads+` p ON p.seq = r.seq WHERE r.seq > ? AND r.seq <= ? ORDER BY r.seq`, w.last, upTo)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() && w.problem == "" {
		if err := w.record(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

func (w *walk) record(rows *sql.Rows) error {
	var h header
	var optional [8]sql.NullString // in the order of their columns
	var number sql.NullInt64
	var prev, hash, salt, body sql.RawBytes
	if err := rows.Scan(&h.seq, &h.time, &h.kind, &h.request, &optional[0], &optional[1], &optional[2],
		&optional[3], &optional[4], &optional[5], &number, &optional[6], &h.status, &optional[7], &h.detail, &h.payloadHash, &prev, &hash, &salt, &body); err != nil {
		return err
	}
	alien := number.Valid != optional[5].Valid // a number that is not in the dictionary
	for i, into := range [...]*string{&h.trace, &h.parent, &h.convo, &h.callerType, &h.person, &h.capability, &h.sideEffect, &h.code} {
		*into = optional[i].String
		alien = alien || optional[i].Valid && *into == "" // an empty text where only NULL is written
	}
	w.buf = h.appendHashed(w.buf[:0], w.stream, prev)
	sum := sha256.Sum256(w.buf)
	switch {
	case h.seq != w.last+1:
		w.missing(w.last + 1)
	case h.seq > w.head.seq:
		w.found(h.seq, "Record %d was added after the last one that the log noted.", h.seq)
	case alien || !bytes.Equal(sum[:], hash):
		w.found(h.seq, "Record %d is not as it was written.", h.seq)
	case !bytes.Equal(prev, w.prev):
		w.found(h.seq, "Record %d does not follow record %d as it is now.", h.seq, h.seq-1)
	case salt == nil:
		w.erased++
	default:
		if digest := payloadDigest(salt, body); !bytes.Equal(digest[:], h.payloadHash) {
			w.found(h.seq, "The payload of record %d is not as it was written.", h.seq)
		}
	}
	if w.problem == "" {
		w.last, w.prev = h.seq, append(w.prev[:0], hash...)
	}
	return nil
}
