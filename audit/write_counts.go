package audit

import (
	"context"
	"fmt"
)

// countEvery limits the records that are missing in the roll-ups. A commit with few records writes fewer pages without
// them, and one with many counts them all. A reader of the roll-ups makes the writer count the rest first. The heads
// are in every commit: with older ones a removed end of the log would not be noticed.
const countEvery = 256

// count adds the transaction's records to the roll-ups, and the uncounted ones of earlier commits, if they are many or
// countNow is set.
func (b *batch) count() error {
	var sums rollup
	sums.merge(&b.w.uncounted)
	sums.merge(&b.sums)
	if sums.records == 0 || sums.records < countEvery && !b.countNow {
		return nil
	}
	b.counted, b.sums = true, rollup{}
	return b.store(&sums)
}

// countForeign adds the uncounted records of other programs, and of this one before the log was opened.
func (b *batch) countForeign() error {
	var sums rollup
	b.w.uncounted = rollup{}
	for _, s := range []*stream{mainStream, readsStream} {
		h, err := b.head(s)
		if err == nil && h.counted < h.seq {
			err = b.sumTail(s, h.counted, &sums)
		}
		if err != nil {
			return fmt.Errorf("count: %w", err)
		}
	}
	return b.store(&sums)
}

func (b *batch) store(sums *rollup) error {
	for _, s := range []*stream{mainStream, readsStream} {
		h, err := b.head(s)
		if err != nil {
			return err
		}
		h.counted = h.seq
	}
	return sums.store(b.w.session)
}

// sumTail adds the stored records after one.
func (b *batch) sumTail(s *stream, after int64, sums *rollup) error {
	rows, err := b.w.session.conn.QueryContext(context.Background(),
		`SELECT time, coalesce(capability, 0), coalesce(caller_type, ''),
		coalesce(person, ''), coalesce(side_effect, ''), coalesce(code, ''), detail FROM `+s.records+` WHERE seq > ?`, after)
	return each(rows, err, func() error {
		r := row{stream: s}
		var capability int64
		var text string
		if err := rows.Scan(&r.Time, &capability, &r.CallerType, &r.Person, &r.SideEffect, &r.Code, &text); err != nil {
			return err
		}
		r.figures = figuresIn(text)
		sums.add(&r, capability)
		return nil
	})
}

// countTail counts all uncounted records, of any program, and reports whether there were any. Inside a handler of the
// writer it counts nothing and reports true.
func (w *writer) countTail(ctx context.Context) (behind bool, err error) {
	if refuseNested(ctx) != nil {
		return true, nil
	}
	if behind = w.unawaited.Load() > 0; !behind {
		err = w.l.readers.db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM audit_heads WHERE counted < seq)").
			Scan(&behind)
	}
	if err != nil || !behind {
		return false, err
	}
	return true, w.bookkeep(func(b *batch) error {
		b.countNow, b.wrote = true, true
		return nil
	})
}

// noteHour stores the first record of an hour, and a record that comes after one of a later hour. A search by time uses
// both to find its place in the log.
func (b *batch) noteHour(s *stream, h *head, seq, time int64) error {
	hour := time / hourMS
	var err error
	switch {
	case hour > h.hour:
		h.hour = hour
		_, err = b.w.session.exec("INSERT OR REPLACE INTO audit_hours VALUES (?, ?, ?)", s.name, hour, seq)
	case hour < h.hour:
		_, err = b.w.session.exec("INSERT OR REPLACE INTO audit_late VALUES (?, ?)", s.name, seq)
	}
	if err != nil {
		return fmt.Errorf("note the hour: %w", err)
	}
	return nil
}
