package audit

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/audit/internal/tiles"
	"github.com/deskhand/deskhand/bus"
)

// removalEffect returns the effect in a purging request's record. It ties the checkpoint to the chain.
func removalEffect(s *stream, records int64, last *head) bus.Effect {
	return bus.Effect{Table: s.records, Op: bus.Bulk, After: map[string]any{
		"deleted": records, "up_to": last.seq, "hash": hex.EncodeToString(last.hash)}}
}

// verifyRemovals checks that the request of every checkpoint has a record with the same hash. For the reads stream that
// record may itself have been removed from the main stream.
func (l *Log) verifyRemovals(ctx context.Context, v *Verdict, t tree) error {
	rows, err := l.readers.db.QueryContext(ctx,
		"SELECT stream, seq, hash, time, request_id FROM audit_checkpoints ORDER BY stream")
	purged := map[*stream]bool{}
	return each(rows, err, func() error {
		var r Removal
		var in string
		last := head{}
		if err := rows.Scan(&in, &last.seq, &last.hash, &r.Time, &r.RequestID); err != nil {
			return err
		}
		s := streamNamed(in)
		if r.UpTo = last.seq; s == readsStream {
			r.Segment = readsStream.name
		}
		v.Removals = append(v.Removals, r)
		purged[s] = true
		recorded, err := l.recordedRemoval(ctx, s, &r, &last)
		switch {
		case err != nil:
			return err
		case recorded == nil && (s == mainStream || !purged[mainStream]):
			v.report(s, finding{last.seq + 1,
				fmt.Sprintf("The records up to %d are gone, and there is no request %s that removed just them.", last.seq,
					r.RequestID)})
		case recorded != nil && s == mainStream:
			return l.verifyRemovedLeaves(v, recorded, t, last.seq)
		}
		return nil
	})
}

// recordedRemoval returns the effect of a removal in the record of its request; nil if there is none.
func (l *Log) recordedRemoval(ctx context.Context, s *stream, r *Removal, last *head) (map[string]any, error) {
	found, err := l.list(ctx, mainStream.selectRecords()+"WHERE r.request_id = ? AND r.status = 'success'", r.RequestID)
	if err != nil {
		return nil, err
	}
	hash := hex.EncodeToString(last.hash)
	for i := range found {
		for _, e := range found[i].Effects {
			if e.Table == s.records && e.Op == bus.Bulk && e.After["hash"] == hash &&
				e.After["up_to"] == json.Number(fmt.Sprint(last.seq)) {
				return e.After, nil
			}
		}
	}
	return nil, nil
}

// verifyRemovedLeaves compares the tree's first record and its leaves of removed records with the record of the
// removal. A program without a tree recorded neither: then the tree begins after the removal. So does the tree of an
// archive that got only the rest of a log.
func (l *Log) verifyRemovedLeaves(v *Verdict, removal map[string]any, t tree, last int64) error {
	want, kept := removal["tree_root"]
	if t.base == last && (!kept || l.store.archive) {
		return nil
	}
	root, err := t.root(last)
	switch {
	case errors.Is(err, tiles.ErrMissing), err == nil && (want != hex.EncodeToString(root) ||
		removal["tree_from"] != json.Number(fmt.Sprint(t.base+1))):
		v.report(mainStream, finding{last + 1,
			fmt.Sprintf("The tree of the log was changed after the records up to %d were removed.", last)})
		return nil
	}
	return err
}

// Erasure is one request that erased payloads.
type Erasure struct {
	RequestID string `json:"request_id"`
	Records   int64  `json:"records"` // records in the log whose payloads it erased
}

// Removal is the range that retention removed from the beginning of a stream.
type Removal struct {
	Segment   string `json:"segment,omitempty"`                    // "reads" for that stream
	UpTo      int64  `json:"up_to"`                                // the last removed record
	Time      int64  `json:"time" jsonschema_extras:"x-time=true"` // ms since 1970
	RequestID string `json:"request_id"`                           // the request that removed it
}

const selectCheckpoint = "SELECT seq, hash FROM audit_checkpoints WHERE stream = ?"

// checkpoint returns the last record that was removed from the beginning of a stream.
func (l *Log) checkpoint(ctx context.Context, s *stream) (head, error) {
	return checkpointFrom(l.readers.db.QueryRowContext(ctx, selectCheckpoint, s.name).Scan)
}

// checkpoint is [Log.checkpoint] inside the transaction.
func (b *batch) checkpoint(s *stream) (head, error) {
	return checkpointFrom(func(dest ...any) error { return b.w.session.scan(selectCheckpoint, []any{s.name}, dest...) })
}

func checkpointFrom(scan func(...any) error) (head, error) {
	h := head{hash: make([]byte, chain.Size)}
	err := scan(&h.seq, &h.hash)
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	return h, err
}

// verifyErasures checks that the record of every erasing request names the erased records.
func (l *Log) verifyErasures(ctx context.Context, v *Verdict) error {
	rows, err := l.readers.db.QueryContext(ctx, `SELECT request_id, stream, seq FROM audit_erasures
		ORDER BY seq, stream`)
	at, named := map[string]int{}, map[string]map[string][]span{}
	return each(rows, err, func() error {
		var request, in string
		var seq int64
		err := rows.Scan(&request, &in, &seq)
		if err != nil {
			return err
		}
		if _, known := named[request]; !known {
			at[request] = len(v.Erasures)
			v.Erasures = append(v.Erasures, Erasure{RequestID: request})
			if named[request], err = l.erasedBy(ctx, request); err != nil {
				return err
			}
		}
		v.Erasures[at[request]].Records++
		if !slices.ContainsFunc(named[request][in], func(r span) bool { return r.from <= seq && seq < r.to }) {
			v.report(streamNamed(in), finding{seq, fmt.Sprintf(
				"The payload of record %d is gone, and there is no request %s that erased it.", seq, request)})
		}
		return nil
	})
}

// erasedBy returns the numbers that a request's record names as erased, by stream.
func (l *Log) erasedBy(ctx context.Context, request string) (map[string][]span, error) {
	out := map[string][]span{}
	var err error
	if out[mainStream.name], err = l.erasedByOthers(ctx, request); err != nil {
		return nil, err
	}
	rows, err := l.readers.db.QueryContext(ctx,
		"SELECT detail FROM audit_records WHERE request_id = ? AND status = 'success'", request)
	return out, each(rows, err, func() error {
		var text []byte
		if err := rows.Scan(&text); err != nil {
			return err
		}
		var d detail
		if decode(text, &d) == nil { // text that is not JSON is a fault of its record
			for in, ranges := range d.Erased {
				out[in] = append(out[in], parseRanges(ranges)...)
			}
		}
		return nil
	})
}
