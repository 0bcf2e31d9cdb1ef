package audit

import (
	"context"
	"fmt"
	"strings"
)

// chooseIndex is the condition whose index is walked, -1 for none. Among those
// that the roll-ups count it is the one with the fewest records, before words if
// the budget of a page reaches for all of them. The second result is false when
// the roll-ups know of no record that fits.
func (l *Log) chooseIndex(ctx context.Context, s *stream, all []condition) (best int, possible bool, err error) {
	counts, both, err := l.rollupCounts(ctx, s, all)
	if err == nil && both == 0 {
		if possible, err = l.writer.countTail(ctx); err != nil || !possible {
			return -1, false, err
		}
		counts, both, err = l.rollupCounts(ctx, s, all)
		possible = refuseNested(ctx) != nil // then it counts what there was before
	}
	if err != nil || both == 0 && !possible {
		return -1, false, err
	}
	best = -1
	for i := range all {
		if s.indexed(all[i].index) && (best < 0 || counts[i] < counts[best]) {
			best = i
		}
	}
	return best, true, nil
}

// rollupCounts is how many records fit each condition and how many fit all that
// the roll-ups know; a guess for the others, and for a condition that is alone.
func (l *Log) rollupCounts(ctx context.Context, s *stream, all []condition) (counts []int64, both int64, err error) {
	counts = make([]int64, len(all))
	var columns, known []string
	var into, args, knownArgs []any
	for i, c := range all {
		switch {
		case c.rollup != "":
			columns, args = append(columns, countOf(c.rollup)), append(args, c.rollupArgs...)
			into = append(into, &counts[i])
		case c.index == indexText || c.index == indexKind:
			counts[i] = l.budget
		}
		if c.rollup != "" && !c.approximate {
			known, knownArgs = append(known, c.rollup), append(knownArgs, c.rollupArgs...)
		}
	}
	if len(all) < 2 || len(known) == 0 {
		return counts, 1, nil
	}
	columns, into = append(columns, countOf(strings.Join(known, " AND "))), append(into, &both)
	args = append(append(args, knownArgs...), s.name, allDays)
	err = l.readers.db.QueryRowContext(ctx, "SELECT "+strings.Join(columns, ", ")+" FROM audit_counts k WHERE stream = ? AND day = ?", args...).Scan(into...)
	if err != nil {
		return nil, 0, fmt.Errorf("audit: search: %w", err)
	}
	return counts, both, nil
}

func countOf(cells string) string { return "coalesce(sum(calls) FILTER (WHERE " + cells + "), 0)" }
