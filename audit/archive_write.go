package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

// OpenArchive opens an archive of another program's log. Only [Log.Append] adds records to it. OpenArchive creates the
// file if necessary, marks it as an archive, and refuses the log of a program. [Open] also opens an archive, for
// searches, exports and verification; it refuses all changes. Reads of the archive are recorded in its own segment of
// reads.
func OpenArchive(ctx context.Context, path string, o Options) (*Log, error) {
	o.archive = true
	return Open(ctx, path, o)
}

// markArchive determines whether the file is an archive. If wanted, it makes an empty file an archive.
func (s *store) markArchive(ctx context.Context, wanted bool) error {
	isArchive := func() error {
		return s.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'audit_archive')").
			Scan(&s.archive)
	}
	if wanted { // only making the mark waits for other writers
		leave := s.fair.Enter(ctx)
		defer leave()
	}
	if err := isArchive(); err != nil || s.archive || !wanted {
		return err
	}
	_, err := s.db.ExecContext(ctx, createArchive)
	if err != nil {
		return errors.Join(fmt.Errorf("audit: %s is the log of a program, not an archive: it was left as it is", s.path), err)
	}
	return isArchive()
}

const archiveTable = `CREATE TABLE audit_archive AS SELECT '' AS request_id, x'' AS record`

// createArchive marks a file as an archive in one statement, so that a program that begins to write at the same time
// keeps its log. The table holds records of other archives whose requests erased records here: see [Log.EraseAs].
const createArchive = archiveTable + `
	WHERE json(CASE WHEN
	EXISTS (SELECT 1 FROM audit_records) OR EXISTS (SELECT 1 FROM audit_reads) OR EXISTS (SELECT 1 FROM audit_checkpoints)
	OR EXISTS (SELECT 1 FROM sqlite_schema WHERE name GLOB 'goose_*')
	THEN 'in use' ELSE '1' END) <> '1'`

// errArchive is the error for a change of an archive.
func errArchive() error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "This is the archive of a log: nothing can be done in it.").
		WithHint("Do it where the log is written.")
}

// Archive reports whether the log is an archive: see [OpenArchive].
func (l *Log) Archive() bool { return l.store.archive }

// MismatchKind is the reason why an archive refuses a record.
type MismatchKind string

// The kinds of a Mismatch.
const (
	MismatchAltered   MismatchKind = "altered"   // its hash or its payload's digest does not match
	MismatchGap       MismatchKind = "gap"       // records before it are missing
	MismatchFork      MismatchKind = "fork"      // it does not follow the last record in the archive
	MismatchRewritten MismatchKind = "rewritten" // the archive has another record with this number
)

// Mismatch is the error for a record that does not continue the chain of an archive.
type Mismatch struct {
	Kind    MismatchKind
	Seq     int64  // number of the record
	Hash    []byte // the hash that it claims
	Problem string // one sentence
}

// Error implements error.
func (m *Mismatch) Error() string { return "audit: " + m.Problem }

// Append checks records against the chain of an archive and adds them unchanged, in one commit. It ends at the first
// one that does not continue the chain, with a [*Mismatch], and stores those before it. It skips records that the
// archive has. If a record belongs to an erasure, it deletes the erased payloads, as [Log.Erase] does. It accepts a
// record without a payload, because a later one may confirm its erasure; until then [Log.Verify] reports it.
func (l *Log) Append(ctx context.Context, records []Chained) error {
	if !l.store.archive {
		return fmt.Errorf("audit: %s is the log of a program: nothing is appended to it", l.store.path)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	var bad *Mismatch
	var erased bool
	err := l.writer.bookkeep(func(b *batch) (err error) {
		bad, erased, err = b.appendChained(records)
		return err
	})
	if err == nil && erased {
		l.scrubber.wait()
	}
	switch {
	case err != nil:
		return fmt.Errorf("audit: append to an archive: %w", err)
	case bad != nil:
		return bad
	}
	return nil
}

// AppendAfter is [Log.Append] to an empty archive if the beginning of the log was removed before its first record here.
// The chain begins with the first record; the record of the removal must be among the later ones.
func (l *Log) AppendAfter(ctx context.Context, removed Removal, records []Chained) error {
	if l.store.archive && removed.UpTo > 0 && len(records) > 0 && records[0].Seq == removed.UpTo+1 {
		err := l.writer.bookkeep(func(b *batch) error {
			h, err := b.head(mainStream)
			if err != nil || h.seq > 0 {
				return err
			}
			b.wrote = true
			h.seq, h.hash, h.indexed, h.counted = removed.UpTo, records[0].Prev, removed.UpTo, removed.UpTo
			h.tree = removed.UpTo
			_, err = b.w.session.exec("INSERT INTO audit_checkpoints (stream, seq, hash, time, request_id) "+
				"VALUES (?, ?, ?, ?, ?)", mainStream.name, h.seq, h.hash, removed.Time, removed.RequestID)
			return err
		})
		if err != nil {
			return fmt.Errorf("audit: begin an archive: %w", err)
		}
	}
	return l.Append(ctx, records)
}

// appendChained also reports whether payloads were erased.
func (b *batch) appendChained(records []Chained) (bad *Mismatch, erased bool, err error) {
	h, err := b.head(mainStream)
	for i := 0; err == nil && i < len(records); i++ {
		r := &records[i]
		var known bool
		if bad, known, err = b.mismatch(h, r); bad != nil || err != nil || known {
			if bad != nil {
				break
			}
			continue
		}
		if err = b.appendOne(h, r); err == nil {
			err = b.eraseAsRecorded(r, &erased)
		}
	}
	return bad, erased, err
}

// mismatch checks a record. It reports known if the archive has the record.
func (b *batch) mismatch(h *head, r *Chained) (bad *Mismatch, known bool, err error) {
	no := func(kind MismatchKind, format string, args ...any) (*Mismatch, bool, error) {
		return &Mismatch{kind, r.Seq, r.Hash, fmt.Sprintf(format, args...)}, false, nil
	}
	b.buf = r.Header.Append(b.buf[:0], mainStream.name, r.Prev)
	if hash := sha256.Sum256(b.buf); !bytes.Equal(hash[:], r.Hash) {
		return no(MismatchAltered, "Record %d is not as it was written.", r.Seq)
	}
	if digest := chain.PayloadDigest(r.Salt, r.Body); r.Body != nil && !bytes.Equal(digest[:], r.PayloadDigest) {
		return no(MismatchAltered, "The payload of record %d is not as it was written.", r.Seq)
	}
	switch {
	case r.Seq > h.seq+1:
		return no(MismatchGap, "The records %d to %d are missing before record %d.", h.seq+1, r.Seq-1, r.Seq)
	case r.Seq == h.seq+1 && !bytes.Equal(r.Prev, h.hash):
		return no(MismatchFork, "Record %d does not follow the record %d that the archive has.", r.Seq, h.seq)
	case r.Seq == h.seq+1:
		return nil, false, nil
	}
	base, err := b.checkpoint(mainStream)
	if err != nil {
		return nil, false, err
	}
	if r.Seq <= base.seq {
		return no(MismatchRewritten, "Record %d came, but the archive begins with record %d.", r.Seq, base.seq+1)
	}
	var have []byte
	if err := b.w.session.scan("SELECT hash FROM audit_records WHERE seq = ?", []any{r.Seq}, &have); err != nil {
		return nil, false, err
	}
	if !bytes.Equal(have, r.Hash) {
		return no(MismatchRewritten, "Record %d is another one than the archive has: the log was rewritten.", r.Seq)
	}
	return nil, true, nil
}

// appendOne stores a checked record.
func (b *batch) appendOne(h *head, r *Chained) error {
	number, err := b.number(r.Capability)
	if err != nil {
		return err
	}
	as := row{stream: mainStream, Header: r.Header, figures: figuresIn(r.Detail)}
	for _, step := range as.steps {
		if _, err := b.number(step); err != nil {
			return err
		}
	}
	b.wrote = true
	if _, err := b.w.session.exec(mainStream.insertRecord, r.Seq, r.Time, r.Kind, r.RequestID, null(r.TraceID),
		null(r.ParentRequestID), null(r.ConversationID), null(r.CallerType), null(r.Person), number, null(r.SideEffect),
		r.Status, null(r.Code), r.Detail, r.PayloadDigest, r.Prev, r.Hash); err != nil {
		return fmt.Errorf("store a record: %w", err)
	}
	if r.Body != nil {
		if _, err := b.w.session.exec(mainStream.insertPayload, r.Seq, r.Salt, r.Body); err != nil {
			return fmt.Errorf("store a payload: %w", err)
		}
	}
	if err := b.noteHour(mainStream, h, r.Seq, r.Time); err != nil {
		return err
	}
	b.sums.add(&as, number.Int64)
	h.seq, h.hash = r.Seq, r.Hash
	b.hashes = append(b.hashes, [chain.Size]byte(r.Hash))
	return nil
}

// EraseAs repeats an erasure of another archive in the records that both have: the archives of one log before and after
// a restore share their first records. It keeps the record of the erasure in this file, so that Verify accepts the
// missing payloads.
func (l *Log) EraseAs(ctx context.Context, by *Chained, other *Log) error {
	if !l.store.archive {
		return fmt.Errorf("audit: %s is the log of a program: nothing is erased in it by another one", l.store.path)
	}
	var shared [][2]int64
	for _, of := range by.Erased() {
		rows, err := l.readers.db.QueryContext(ctx, `SELECT r.seq, r.hash FROM audit_records r WHERE r.seq >= ? AND r.seq <= ?
			AND NOT EXISTS (SELECT 1 FROM audit_erasures e WHERE e.stream = 'main' AND e.seq = r.seq)`, of[0], of[1])
		here, err := collect(rows, err, func(h *head) []any { return []any{&h.seq, &h.hash} })
		if err != nil {
			return fmt.Errorf("audit: erase in an archive: %w", l.explain(err))
		}
		for _, h := range here {
			if hash, err := other.HashOf(ctx, h.seq); err != nil {
				return err
			} else if bytes.Equal(hash, h.hash) {
				shared = append(shared, [2]int64{h.seq, h.seq})
			}
		}
	}
	if len(shared) == 0 {
		return nil
	}
	err := l.writer.bookkeep(func(b *batch) error {
		b.wrote = true
		if _, err := b.w.session.exec("INSERT INTO audit_archive (request_id, record) VALUES (?, ?)", by.RequestID,
			by.Header.Append(nil, mainStream.name, by.Prev)); err != nil {
			return err
		}
		return b.eraseRanges(shared, by.RequestID)
	})
	if err != nil {
		return fmt.Errorf("audit: erase in an archive: %w", err)
	}
	l.scrubber.wait()
	return nil
}

// erasedByOthers returns the records whose erasure by this request EraseAs received.
func (l *Log) erasedByOthers(ctx context.Context, request string) (erased []span, err error) {
	if !l.store.archive {
		return nil, nil
	}
	rows, err := l.readers.db.QueryContext(ctx, "SELECT record FROM audit_archive WHERE request_id = ?", request)
	return erased, each(rows, err, func() error {
		var data []byte
		if err := rows.Scan(&data); err != nil {
			return err
		}
		if h, _, _, err := chain.Parse(data); err == nil && h.RequestID == request {
			for _, of := range (&Chained{Header: h}).Erased() {
				erased = append(erased, span{of[0], of[1] + 1})
			}
		}
		return nil
	})
}

// eraseAsRecorded deletes the payloads that a record's request erased, and stores the request.
func (b *batch) eraseAsRecorded(r *Chained, some *bool) error {
	ranges := r.Erased()
	if len(ranges) == 0 {
		return nil
	}
	*some = true
	if err := b.eraseRanges(ranges, r.RequestID); err != nil {
		return fmt.Errorf("erase what record %d erased: %w", r.Seq, err)
	}
	return nil
}

// eraseRanges deletes payloads of the main stream, and stores the request.
func (b *batch) eraseRanges(ranges [][2]int64, request string) error {
	for _, of := range ranges {
		rows, err := b.w.session.conn.QueryContext(context.Background(),
			"SELECT seq FROM audit_payloads WHERE seq >= ? AND seq <= ?", of[0], of[1])
		there, err := collect(rows, err, func(seq *int64) []any { return []any{seq} })
		if err != nil {
			return err
		}
		for _, seq := range there {
			if err := b.queueTextErasure(mainStream, seq-1, seq); err != nil {
				return err
			}
		}
		for _, text := range []string{
			"DELETE FROM audit_payloads WHERE seq >= ?1 AND seq <= ?2 AND ?3 <> ''",
			"INSERT OR IGNORE INTO audit_erasures (stream, seq, request_id) SELECT 'main', seq, ?3 FROM audit_records " +
				"WHERE seq >= ?1 AND seq <= ?2",
		} {
			if _, err := b.w.session.exec(text, of[0], of[1], request); err != nil {
				return err
			}
		}
	}
	return b.requestScrub()
}
