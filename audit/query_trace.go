package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// maxTrace bounds the records of one trace.
const maxTrace = 10_000

// Trace is all records that belong together with one request.
type Trace struct {
	RequestID string   `json:"request_id"`
	Records   []Record `json:"records"`             // in the order in which they began
	Truncated bool     `json:"truncated,omitempty"` // there are more than a trace can hold
}

// Trace follows a request to everything it is joined to by request, trace and parent ids, in both directions and
// through any number of steps: from the person's sentence, whose id the calls of its turn carry, to the last effect,
// reads included. It also takes a trace id.
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
		found, err := l.touching(ctx, id)
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

// touching finds the records that carry an id in any of their three places.
func (l *Log) touching(ctx context.Context, id string) ([]Record, error) {
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
