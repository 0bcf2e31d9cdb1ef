package audit

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// maxTrace limits the records of one trace.
const maxTrace = 10_000

// Trace is all records that are related to one request.
type Trace struct {
	RequestID string   `json:"request_id"`
	Records   []Record `json:"records"`             // in the order of their beginning
	Truncated bool     `json:"truncated,omitempty"` // there are more than a trace can hold
}

// Trace follows a request to all records that share request, trace or parent ids with it, in both directions and
// through any number of steps: from the person's sentence, whose id the calls of its turn have, to the last effect,
// reads included. It also accepts a trace id.
func (l *Log) Trace(ctx context.Context, requestID string) (_ Trace, err error) {
	defer func() { err = l.explain(err) }()
	if err := l.writer.flush(ctx); err != nil {
		return Trace{}, err
	}
	t := Trace{RequestID: requestID, Records: []Record{}}
	type place struct {
		segment string
		seq     int64
	}
	have := map[place]bool{}
	asked := map[string]bool{"": true}
	for next := []string{requestID}; len(next) > 0; {
		id := next[0]
		next = next[1:]
		if asked[id] {
			continue
		}
		asked[id] = true
		found, err := l.recordsWithID(ctx, id)
		if err != nil {
			return t, err
		}
		for _, r := range found {
			at := place{r.Segment, r.Seq}
			if have[at] {
				continue
			}
			if len(t.Records) == maxTrace {
				t.Truncated = true
				break
			}
			have[at] = true
			t.Records = append(t.Records, r)
			next = append(next, r.RequestID, r.TraceID, r.ParentRequestID)
		}
	}
	slices.SortStableFunc(t.Records, func(a, b Record) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Segment, b.Segment), cmp.Compare(a.Seq, b.Seq))
	})
	return t, nil
}

// recordsWithID finds the records that have an id in any of their three columns.
func (l *Log) recordsWithID(ctx context.Context, id string) ([]Record, error) {
	var out []Record
	for _, s := range []*stream{mainStream, readsStream} {
		found, err := s.scanRecords(l.readers.db.QueryContext(ctx, s.selectRecords()+`WHERE r.seq IN (
			SELECT seq FROM `+s.records+` WHERE request_id = ?1
			UNION SELECT seq FROM `+s.records+` WHERE trace_id = ?1
			UNION SELECT seq FROM `+s.records+` WHERE parent_request_id = ?1) ORDER BY r.seq LIMIT ?2`, id, maxTrace+1))
		if err != nil {
			return nil, fmt.Errorf("audit: trace %s: %w", id, err)
		}
		out = append(out, found...)
	}
	return out, nil
}

// maxRecalled limits the records that Recall reads.
const maxRecalled = 500

// Recall implements [bus.Remembering]. With ids, it also finds the records of other people; the caller must check for
// audit:read.
func (l *Log) Recall(ctx context.Context, p bus.Principal, until time.Time, ids ...string) ([]bus.Record, error) {
	which, args := "r.person = ?", []any{p.ID}
	if len(ids) > 0 {
		list, err := json.Marshal(ids)
		if err != nil {
			return nil, err
		}
		which = "r.seq IN (SELECT seq FROM audit_records WHERE request_id IN (SELECT value FROM json_each(?1)) " +
			"UNION SELECT seq FROM audit_records WHERE trace_id IN (SELECT value FROM json_each(?1)))"
		args = []any{string(list)}
	}
	found, err := mainStream.scanRecords(Tx(ctx).QueryContext(ctx, mainStream.selectRecords()+"WHERE "+which+
		" AND r.status = 'success' AND r.time <= ? ORDER BY r.seq DESC LIMIT ?", append(args, until.UnixMilli(),
		maxRecalled)...))
	if err != nil || len(found) == 0 {
		return nil, err
	}
	back, err := takenBack(ctx, found[len(found)-1].Seq, until)
	if err != nil {
		return nil, err
	}
	var all []bus.Record
	again := map[string]bool{} // on a replica, a request that ran again has two records
	for i := range found {
		r := &found[i]
		theirs := r.Caller.Person == p.ID || p.Has("audit:read")
		if theirs && r.holds(back) && !again[r.RequestID] {
			again[r.RequestID] = true
			all = append(all, r.Record)
		}
	}
	return all, nil
}

// Standing returns the records of all people that changed something since the log began and are still in effect, as in
// [Log.Recall], oldest first. Repeating them on the initial state of the log leads to the present state. More
// than 10,000 records are an error, and so are more than 64 MB of them.
func (l *Log) Standing(ctx context.Context) (all []bus.Record, err error) {
	err = l.View(ctx, func(ctx context.Context) error {
		back, err := takenBack(ctx, -1, time.UnixMilli(math.MaxInt64))
		if err != nil {
			return err
		}
		rows, err := Tx(ctx).QueryContext(ctx, mainStream.selectRecords()+
			"WHERE r.status = 'success' ORDER BY r.seq")
		var size int
		return each(rows, err, func() error {
			r, err := mainStream.scanRecord(rows)
			if err != nil || !r.holds(back) || len(r.Effects) == 0 {
				return err
			}
			all = append(all, r.Record)
			if size += r.size(); len(all) > l.mostStanding || size > mostStandingBytes {
				return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "More was changed than can be done again at once.").
					WithHint("Discard the copy, and make the changes in several smaller ones.")
			}
			return nil
		})
	})
	return all, err
}

// The limits of Standing, in records and in bytes.
const (
	mostStanding      = 10_000
	mostStandingBytes = 64 << 20
)

// size returns an estimate of the memory that a record takes.
func (r *Record) size() int {
	n := len(r.Arguments) + len(r.Data) + len(r.Response)
	for i := range r.Effects {
		n += 200 * (1 + len(r.Effects[i].Before) + len(r.Effects[i].After))
	}
	return n
}

// holds reports whether a record is a success with a change or a network effect that was not undone.
func (r *Record) holds(back map[string]bool) bool {
	_, isUndo := r.Facts[factUndoes]
	changed := len(r.Effects) > 0 || bus.SideEffect(r.SideEffect) == bus.Network
	return changed && !isUndo && !back[r.RequestID] && !r.DryRun && !r.Replayed && !r.Erased
}

// takenBack returns the requests that were undone after a record, except those whose undo was undone.
func takenBack(ctx context.Context, since int64, until time.Time) (map[string]bool, error) {
	undone, err := mainStream.scanRecords(Tx(ctx).QueryContext(ctx, mainStream.selectRecords()+
		`WHERE r.capability = (SELECT id FROM audit_capabilities WHERE name = 'audit.undo') AND r.seq > ?
		AND r.status = 'success' AND r.time <= ? ORDER BY r.seq DESC`, since, until.UnixMilli()))
	back := map[string]bool{}
	for i := range undone {
		id, _ := undone[i].Facts[factUndoes].(string)
		if id != "" && !undone[i].DryRun && !back[undone[i].RequestID] {
			back[id] = true
		}
	}
	return back, err
}
