package audit

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// Verdict is the result of Verify.
type Verdict struct {
	OK bool `json:"ok"`
	// number of records in the main stream up to the first fault, purged ones included
	Records int64 `json:"records"`
	// hash of the last of them, hex; note it elsewhere to detect a rewrite
	Head      string    `json:"head"`
	Reads     int64     `json:"reads"`                // number of records in the reads stream
	ReadsHead string    `json:"reads_head,omitempty"` //
	Noted     int       `json:"noted,omitempty"`      // number of compared heads that were noted outside
	Erased    int64     `json:"erased,omitempty"`     // number of records with an erased payload
	Erasures  []Erasure `json:"erasures,omitempty"`   // the requests that erased payloads
	Removals  []Removal `json:"removals,omitempty"`   // the ranges that retention removed from the beginning
	FirstBad  int64     `json:"first_bad,omitempty"`  // number of the first faulty record
	Segment   string    `json:"segment,omitempty"`    // "reads" for a record of that stream
	Problem   string    `json:"problem,omitempty"`    // a sentence about the first fault
	Remedy    string    `json:"remedy,omitempty"`     // the advice for a fault outside the records, see [Options]
	// Rollups counts wrong values in the statistics and the time index, which follow from the intact records.
	Rollups int `json:"rollups,omitempty"`
	// Schema counts tables, indexes, triggers and views that differ from those of the migrations.
	Schema int `json:"schema,omitempty"`
}

// Verify asks SQLite whether the file is intact, and checks every record and every payload against the chain, missing
// ones against the requests that erased or removed them, and the chain against the heads that were noted outside, see
// [Options]. It calls progress, if not nil, and does not block writers. The heads are hashes of records, hex, that must
// be in the log, such as those of exports and copies.
//
// It proves that the log is unchanged up to the last head that was noted outside. It proves nothing about later
// records, nor that the program which wrote the log recorded the truth.
func (l *Log) Verify(ctx context.Context, progress func(done, total int64), heads ...string) (Verdict, error) {
	err := l.writer.flush(ctx)
	var v Verdict
	var wrong []rollupRow
	if err == nil {
		v, wrong, _, err = l.verify(ctx, progress)
	}
	for _, hash := range heads {
		if err == nil {
			err = l.lookForHead(ctx, hash, &v)
		}
	}
	check := quickCheck
	if err != nil && !IsDamaged(err) || v.Problem != "" {
		check = fullCheck // a damaged file may be the reason
	}
	if bad := l.store.sound(ctx, check, &l.o); err == nil || IsDamaged(bad) && !IsDamaged(err) {
		err = bad
	}
	if err == nil && v.FirstBad > 0 {
		err = l.payloadReadable(ctx, streamNamed(v.Segment), v.FirstBad)
	}
	var told *bus.Error
	switch {
	case IsDamaged(err) && errors.As(l.explain(err), &told):
		v.Problem, v.Remedy = strings.TrimSpace(told.Message+" "+v.Problem), told.Hint
	case err != nil:
		return v, fmt.Errorf("audit: verify: %w", err)
	}
	if v.Problem == "" {
		if err := l.verifySchema(ctx, &v); err != nil {
			return v, fmt.Errorf("audit: verify: %w", l.explain(err))
		}
	}
	switch v.OK = v.Problem == ""; {
	case !v.OK:
	case v.Records == 0 && v.Reads == 0:
		v.OK, v.Problem = false, "The log has no record: it is new, or this is not the file that it was."
		v.Remedy = "Restore a copy if something was done here before."
	case len(wrong) > 0:
		v.OK, v.Rollups = false, len(wrong)
		v.Problem = fmt.Sprintf("The records are as they were written, but %d figures of the statistics and of the index of "+
			"times do not follow from them.", len(wrong))
		v.Remedy = "audit.rebuildRollups counts them again."
	}
	return v, nil
}

// verify also returns the wrong values in the roll-ups, and the right ones.
func (l *Log) verify(ctx context.Context, progress func(done, total int64)) (v Verdict, wrong []rollupRow,
	want rollupRows, err error) {
	if progress == nil {
		progress = func(int64, int64) {}
	}
	stored, err := l.storedRollups(ctx)
	if err != nil {
		return v, nil, nil, err
	}
	walks := make([]*streamVerifier, 2)
	var done, total int64
	for i, s := range []*stream{mainStream, readsStream} {
		walks[i] = &streamVerifier{l: l, stream: s, stored: stored}
		if err := walks[i].start(ctx); err != nil {
			return v, nil, nil, err
		}
		total += walks[i].end() - walks[i].base.seq
	}
	for _, w := range walks {
		w.progress = func(n int64) { progress(done+n, total) }
		if err := w.run(ctx); err != nil {
			return v, nil, nil, err
		}
		if moved, err := w.purgedMeanwhile(ctx); err != nil || moved {
			if err == nil {
				return l.verify(ctx, progress)
			}
			return v, nil, nil, err
		}
		done += w.end() - w.base.seq
		v.Erased += w.erased
		v.report(w.stream, w.bad)
	}
	main, reads := walks[0], walks[1]
	v.Records, v.Head, v.Reads = main.last.seq, hex.EncodeToString(main.last.hash), reads.last.seq
	if reads.last.seq > 0 {
		v.ReadsHead = hex.EncodeToString(reads.last.hash)
	}
	if err := l.verifyHeads(ctx, &v); err != nil {
		return v, nil, nil, err
	}
	if err := l.verifyErasures(ctx, &v); err != nil {
		return v, nil, nil, err
	}
	if err := l.verifyRemovals(ctx, &v, tree{q: l.readers.db, base: main.storedHead.tree}); err != nil || v.Problem != "" {
		return v, nil, nil, err
	}
	if err := l.verifyTree(ctx, &v); err != nil || v.Problem != "" {
		return v, nil, nil, err
	}
	wrong, want, err = l.compareRollups(ctx, stored, walks)
	return v, wrong, want, err
}

// report keeps the first problem: that of the lowest record, in the main stream before the other.
func (v *Verdict) report(s *stream, f finding) {
	segment := ""
	if s == readsStream {
		segment = readsStream.name
	}
	if f.problem == "" || v.Problem != "" && (segment > v.Segment || segment == v.Segment && f.seq >= v.FirstBad) {
		return
	}
	v.FirstBad, v.Problem, v.Segment = f.seq, f.problem, segment
}

// start reads the beginning and the end of the stream.
func (w *streamVerifier) start(ctx context.Context) error {
	db := w.l.readers.db
	var err error
	if w.base, err = w.l.checkpoint(ctx, w.stream); err != nil {
		return err
	}
	w.last = w.base
	err = db.QueryRowContext(ctx, `SELECT seq, hash, tree,
		(SELECT coalesce(max(seq), 0) FROM `+w.stream.records+`), (SELECT coalesce(min(seq), ?2) FROM `+w.stream.records+`),
		(SELECT coalesce(min(seq), ?2) FROM `+w.stream.payloads+`), (SELECT coalesce(max(seq), 0) FROM `+w.stream.payloads+`)
		FROM audit_heads WHERE stream = ?1`, w.stream.name, w.base.seq+1).
		Scan(&w.storedHead.seq, &w.storedHead.hash, &w.storedHead.tree, &w.lastRecord,
			&w.firstRecord, &w.firstPayload, &w.lastPayload)
	if errors.Is(err, sql.ErrNoRows) {
		w.fail(1, "What the log noted of its last record is gone.")
		return nil
	}
	return err
}

// purgedMeanwhile reports whether segments were removed during the check, so that a problem may have that cause.
func (w *streamVerifier) purgedMeanwhile(ctx context.Context) (bool, error) {
	if w.bad.problem == "" {
		return false, nil
	}
	now, err := w.l.checkpoint(ctx, w.stream)
	return now.seq > w.base.seq, err
}

// run checks the whole stream.
func (w *streamVerifier) run(ctx context.Context) error {
	first := w.base.seq + 1
	switch {
	case w.bad.problem != "":
		return nil
	case w.firstRecord < first:
		w.fail(first, "There is a record %d, before the first.", w.firstRecord)
		return nil
	case w.firstPayload < first:
		w.fail(first, "There is a payload %d that belongs to no record.", w.firstPayload)
		return nil
	case w.storedHead.tree < 0 || w.storedHead.tree > w.base.seq || w.stream == readsStream && w.storedHead.tree != 0:
		w.fail(first, "The tree of the log begins with record %d, but the log begins with record %d.",
			w.storedHead.tree+1, first)
		return nil
	case w.storedHead.seq < w.base.seq:
		w.fail(first, "The log noted %d records, but %d were removed from its beginning.", w.storedHead.seq, w.base.seq)
		return nil
	}
	if err := w.verifyChunks(ctx); err != nil {
		return err
	}
	switch {
	case w.bad.problem != "":
	case w.last.seq == w.storedHead.seq && !bytes.Equal(w.last.hash, w.storedHead.hash):
		w.fail(w.last.seq, "Record %d is not the one that the log noted as its last.", w.last.seq)
	case w.lastPayload > w.last.seq:
		w.fail(w.last.seq+1, "There is a payload %d that belongs to no record.", w.lastPayload)
	}
	return nil
}

func streamNamed(name string) *stream {
	if name == readsStream.name {
		return readsStream
	}
	return mainStream
}
