package audit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

// rollups lists the columns that follow from the records, by the keys of their tables; late has no other column.
var rollups = [...]struct{ table, key, value string }{
	rollupCounts:    {"audit_counts", "day, stream, capability, caller_type, person, side_effect, code", "calls"},
	rollupDurations: {"audit_durations", "day, capability, caller_type, bucket", "calls"},
	rollupAnswers:   {"audit_answers", "day, capability, side_effect, answer, bucket", "calls"},
	rollupHours:     {"audit_hours", "hour, stream", "first"},
	rollupLate:      {"audit_late", "seq, stream", ""},
	rollupHour:      {"audit_heads", "stream", "hour"},
	rollupCounted:   {"audit_heads", "stream", "counted"},
}

const (
	rollupCounts = iota
	rollupDurations
	rollupAnswers
	rollupHours
	rollupLate
	rollupHour
	rollupCounted
)

// rollupRow identifies a value of a roll-up.
type rollupRow struct {
	of  int // index in rollups
	key [7]any
}

// errBytes means that a key is neither a number nor a text, so that another program wrote it.
var errBytes = errors.New("audit: a roll-up has bytes in its key")

type rollupRows map[rollupRow]int64

// storedRollups holds the roll-ups of one snapshot.
type storedRollups struct {
	rows rollupRows
	seq  map[string]int64 // the last record, by stream
}

// storedRollups reads the committed roll-ups, even inside a handler.
func (l *Log) storedRollups(ctx context.Context) (*storedRollups, error) {
	out := &storedRollups{rollupRows{}, map[string]int64{}}
	return out, l.View(withTxn(ctx, &Txn{ended: errNoJournal}), func(ctx context.Context) error {
		rows, err := Tx(ctx).QueryContext(ctx, "SELECT stream, seq FROM audit_heads")
		err = each(rows, err, func() error {
			var in string
			var seq int64
			err := rows.Scan(&in, &seq)
			out.seq[in] = seq
			return err
		})
		for i := 0; err == nil && i < len(rollups); i++ {
			u := rollups[i]
			rows, err = Tx(ctx).QueryContext(ctx, "SELECT "+cmp.Or(u.value, "0")+", "+u.key+" FROM "+u.table)
			err = each(rows, err, func() error {
				row, n := rollupRow{of: i}, new(int64)
				into := []any{n}
				for at := range 1 + strings.Count(u.key, ",") {
					into = append(into, &row.key[at])
				}
				if err := rows.Scan(into...); err != nil {
					return err
				}
				if slices.ContainsFunc(row.key[:], func(v any) bool { _, bytes := v.([]byte); return bytes }) {
					return damaged(l.store.path, &l.o, errBytes)
				}
				out.rows[row] = *n
				return nil
			})
		}
		return err
	})
}

// hourRun is a range of records that began in the same hour.
type hourRun struct{ hour, from, to int64 }

// derive adds a record to the right values of the roll-ups.
func (p *chunk) derive(h *chain.Header, capability any) {
	if h.Seq > p.of.stored.seq[p.of.stream.name] {
		return
	}
	hour := h.Time / hourMS
	if n := len(p.runs); n > 0 && p.runs[n-1].hour == hour {
		p.runs[n-1].to = h.Seq
	} else {
		p.runs = append(p.runs, hourRun{hour, h.Seq, h.Seq})
	}
	if h.Seq <= p.of.stored.rows[rollupRow{rollupCounted, [7]any{p.of.stream.name}}] {
		r := row{stream: p.of.stream, Header: *h, figures: figuresIn(h.Detail)}
		number, _ := capability.(int64)
		p.sums.add(&r, number)
	}
}

// figuresIn reads the figures in a stored detail. Most details have only a duration, which needs no decoding.
func figuresIn(text string) figures {
	const mark = `"duration_ms":`
	rare := func(name string) bool { return strings.Contains(text, name) }
	_, rest, _ := strings.Cut(text, mark)
	if !slices.ContainsFunc([]string{`"steps":`, `"decision":`, `"replayed":`, `"dry_run":`}, rare) {
		digits := rest[:max(strings.IndexAny(rest, ",}"), 0)]
		if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
			return figures{duration: n, timed: true}
		}
	}
	var d detail
	if decode([]byte(text), &d) != nil {
		return figures{} // such a record cannot be counted
	}
	return figuresOf(&d)
}

// wanted returns the right values of the roll-ups, from the checked records. Hours with removed records keep their
// counts, unless these are less than the remaining records.
func (s *storedRollups) wanted(numbers map[string]int64, walks []*streamVerifier) rollupRows {
	want, hours, removed := rollupRows{}, rollupRows{}, int64(-1)
	var sums rollup
	for _, w := range walks {
		in, latest := w.stream.name, int64(-1)
		for row, n := range s.rows {
			first := n
			if row.of == rollupLate {
				first, _ = row.key[0].(int64)
			}
			if (row.of == rollupHours || row.of == rollupLate) && row.key[1] == in && first <= w.base.seq {
				want[row] = n
				if hour, _ := row.key[0].(int64); row.of == rollupHours {
					latest = max(latest, hour)
				}
			}
		}
		removed = max(removed, latest)
		slices.SortStableFunc(w.runs, func(a, b hourRun) int { return cmp.Compare(a.from, b.from) })
		for _, run := range w.runs {
			if run.hour > latest {
				want[rollupRow{rollupHours, [7]any{run.hour, in}}], latest = run.from, run.hour
			}
			for seq := run.from; seq <= run.to && run.hour < latest; seq++ {
				want[rollupRow{rollupLate, [7]any{seq, in}}] = 0
			}
		}
		want[rollupRow{rollupHour, [7]any{in}}] = latest
		counted := rollupRow{rollupCounted, [7]any{in}}
		want[counted] = min(s.rows[counted], s.seq[in])
		sums.merge(&w.sums)
	}
	for k, n := range sums.counts {
		if k.step != "" {
			k.capability = numbers[k.step]
		}
		hours[rollupRow{rollupCounts, [7]any{firstHour - k.hour, k.stream, k.capability, k.callerType, k.person, k.effect,
			k.code}}] += n
	}
	for k, n := range sums.durations {
		hours[rollupRow{rollupDurations, [7]any{firstHour - k.hour, k.capability, k.callerType, k.bucket}}] = n
	}
	for k, n := range sums.answers {
		hours[rollupRow{rollupAnswers, [7]any{firstHour - k.hour, k.capability, k.effect, k.answer, k.bucket}}] = n
	}
	for row, n := range s.rows {
		if day, _ := row.key[0].(int64); row.of <= rollupAnswers && day <= firstHour && firstHour-day <= removed {
			hours[row] = max(hours[row], n)
		}
	}
	for row, n := range hours {
		period, _ := row.key[0].(int64)
		for _, day := range []int64{period, (firstHour - period) / hoursOfDay, allDays} {
			row.key[0] = day
			want[row] += n
		}
	}
	return want
}

// compareRollups returns the missing and the wrong values of the roll-ups, and all right values.
func (l *Log) compareRollups(ctx context.Context, s *storedRollups, walks []*streamVerifier) (wrong []rollupRow,
	want rollupRows, err error) {
	names, err := l.capabilityNames(ctx)
	numbers := make(map[string]int64, len(names))
	for number, name := range names {
		numbers[name] = number
	}
	want = s.wanted(numbers, walks)
	for row, n := range want {
		if have, ok := s.rows[row]; !ok || have != n {
			wrong = append(wrong, row)
		}
	}
	for row := range s.rows {
		if _, ok := want[row]; !ok {
			wrong = append(wrong, row)
		}
	}
	return wrong, want, err
}

// RebuildRollups restores the statistics and the time index from the records. It is part of the transaction of ctx,
// which must belong to a handler that writes. It also restores the indexes, triggers and views of the migrations, and
// runs [Options.Rebuild] if [Options.Check] finds a difference. It returns the number of wrong values and objects.
// Counts of records that retention removed stay. Other writers wait while it reads the whole log.
func (l *Log) RebuildRollups(ctx context.Context, progress func(done, total int64)) (corrected int, err error) {
	t := Tx(ctx)
	err = t.ownChange(ctx, func(b *batch) error {
		if !b.alone { // it reads committed data
			return errTransactionLost
		}
		v, wrong, want, err := l.verify(ctx, progress)
		if err == nil && v.Problem != "" {
			err = bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The log was changed. %s", v.Problem).
				WithHint("Restore a copy whose records are whole.")
		}
		var remade int
		if err == nil {
			remade, err = b.rebuildSchema(ctx)
		}
		if err == nil {
			var derived int
			reading := &Txn{checked: t.checked, session: t.session} // t itself is in use
			derived, err = b.rebuildDerived(withTxn(context.WithoutCancel(ctx), reading))
			remade += derived
		}
		for _, row := range wrong {
			if err == nil {
				n, wanted := want[row]
				err = b.correct(row, n, wanted)
			}
		}
		if corrected = len(wrong) + remade; corrected > 0 {
			t.ownEffects = append(t.ownEffects, bus.Effect{Table: rollups[rollupCounts].table, Op: bus.Bulk,
				After: map[string]any{"corrected": corrected}})
		}
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("audit: rebuild the roll-ups: %w", err)
	}
	return corrected, nil
}

// correct writes one value of a roll-up, or removes it.
func (b *batch) correct(row rollupRow, n int64, wanted bool) error {
	u := rollups[row.of]
	if u.table == "audit_heads" && wanted {
		in, _ := row.key[0].(string)
		h, err := b.head(streamNamed(in))
		if err == nil {
			*map[int]*int64{rollupHour: &h.hour, rollupCounted: &h.counted}[row.of] = n
		}
		return err
	}
	key := row.key[:1+strings.Count(u.key, ",")]
	_, err := b.w.session.exec("DELETE FROM "+u.table+" WHERE "+strings.ReplaceAll(u.key, ", ", " = ? AND ")+" = ?",
		key...)
	if err != nil || !wanted {
		return err
	}
	columns, values := u.key, key
	if u.value != "" {
		columns, values = u.key+", "+u.value, append(slices.Clone(key), n)
	}
	_, err = b.w.session.exec("INSERT INTO "+u.table+" ("+columns+") VALUES (?"+
		strings.Repeat(", ?", len(values)-1)+")", values...)
	return err
}
