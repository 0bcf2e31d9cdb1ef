package audit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// erasedNumbers holds the numbers of the records whose payloads one request erased, by the name of their stream. They
// are in the hashed part of the request's record. Otherwise any program that can write the file could erase a payload
// and attribute it to a request.
type erasedNumbers map[string][]int64

func (n erasedNumbers) add(s *stream, seq int64) { n[s.name] = append(n[s.name], seq) }

// ranges returns the numbers as "3-5,9" for each stream.
func (n erasedNumbers) ranges() map[string]string {
	out := make(map[string]string, len(n))
	for name, list := range n {
		slices.Sort(list)
		var b strings.Builder
		for i := 0; i < len(list); {
			from, to := list[i], list[i]
			for i++; i < len(list) && list[i] <= to+1; i++ {
				to = list[i]
			}
			if b.Len() > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.FormatInt(from, 10))
			if to > from {
				fmt.Fprintf(&b, "-%d", to)
			}
		}
		out[name] = b.String()
	}
	return out
}

// parseRanges reads the output of ranges; it skips a part that is no number.
func parseRanges(text string) (out []span) {
	for part := range strings.SplitSeq(text, ",") {
		low, high, is := strings.Cut(part, "-")
		if !is {
			high = low
		}
		from, err1 := strconv.ParseInt(low, 10, 64)
		to, err2 := strconv.ParseInt(high, 10, 64)
		if err1 == nil && err2 == nil {
			out = append(out, span{from, to + 1})
		}
	}
	return out
}

// erasedRows are the rows that the erased records of one request had changed: their keys by table, without values. The
// request's own record keeps them, so that the other rows can be compared with the log, see [Log.VerifyState]. A key
// that is nil stands for each row of the table, and one of the table "" for each row.
type erasedRows map[string][]map[string]any

// addPayload adds the rows of a payload that is erased.
func (r erasedRows) addPayload(body []byte) {
	var p payload
	if decode(body, &p) != nil {
		r[""] = []map[string]any{nil}
		return
	}
	for i := range p.Effects {
		e := &p.Effects[i]
		if isReserved(e.Table) {
			continue
		}
		r[e.Table] = append(r[e.Table], e.Key) // of a bulk change: nil
		moved := maps.Clone(e.Key)
		for column := range moved {
			if v, ok := e.After[column]; ok {
				moved[column] = v
			}
		}
		if e.Op == bus.Update {
			r[e.Table] = append(r[e.Table], moved)
		}
	}
	if p.ErasedRows != nil {
		for table, keys := range *p.ErasedRows {
			r[table] = append(r[table], keys...)
		}
	}
}

// without returns each row once. A key that holds a term becomes nil.
func (r erasedRows) without(terms *erasureTerms) *erasedRows {
	out := erasedRows{}
	for table, keys := range r {
		once := map[string]map[string]any{}
		for _, key := range keys {
			text, err := json.Marshal(key)
			if err != nil || terms.mentionedIn(text) {
				text, key = []byte("null"), nil
			}
			once[string(text)] = key
		}
		if _, whole := once["null"]; whole {
			out[table] = []map[string]any{nil}
			continue
		}
		for _, text := range slices.Sorted(maps.Keys(once)) {
			out[table] = append(out[table], once[text])
		}
	}
	return &out
}

// rowsErasedWith returns the rows of the records that were erased together with a record, and the erasing request; nil
// if they are not known. If that request's record was erased too, the later one has its rows.
func (l *Log) rowsErasedWith(ctx context.Context, seq int64) (request string, rows *erasedRows, err error) {
	for {
		var body []byte
		err := Tx(ctx).QueryRowContext(ctx, `SELECT r.seq, r.request_id, p.body FROM audit_erasures e JOIN audit_records r
			ON r.request_id = e.request_id AND r.status = 'success' LEFT JOIN audit_payloads p ON p.seq = r.seq
			WHERE e.stream = ? AND e.seq = ? AND r.seq > e.seq ORDER BY r.seq DESC LIMIT 1`, mainStream.name, seq).
			Scan(&seq, &request, &body)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return "", nil, nil
		case err != nil:
			return "", nil, err
		case body != nil:
			var p payload
			err := decode(body, &p)
			return request, p.ErasedRows, err
		}
	}
}
