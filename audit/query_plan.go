package audit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// condition is one filter of a query, as SQL about the record r.
type condition struct {
	sql  string
	args []any
	// index is the end of the name of the index that finds the matches in the order of the log. "" if most records
	// match, or there is none.
	index string
	// rollup is the condition on a cell k of the roll-ups; "" if they do not have it.
	rollup      string
	rollupArgs  []any
	approximate bool // rollup is only nearly equivalent: for an estimate
}

// accessPath is one way to read records in the order of the log: an index or the log itself. SQLite's planner does not
// choose it, because without statistics it prefers to sort.
type accessPath struct {
	from  string // the tables, up to r
	seq   string // the column of the record number
	where []condition
	rest  []condition // checked for each record
	scans string      // the table of r, if no index is used: it has one record for each number
	span
}

// span is a range of record numbers.
type span struct{ from, to int64 } // from inclusive, to exclusive

// conditions returns the filters of q without its times, the most selective first as far as that is known without
// counting. It returns false if nothing can match.
func (l *Log) conditions(ctx context.Context, s *stream, q *Query) ([]condition, bool, error) {
	var out []condition
	add := func(index, sql string, args ...any) { out = append(out, condition{sql: sql, args: args, index: index}) }
	if q.RequestID != "" {
		add("request", "r.request_id = ?", q.RequestID)
	}
	if q.TraceID != "" {
		add(indexTrace, "(r.trace_id = ? OR r.trace_id IS NULL AND r.request_id = ?)", q.TraceID, q.TraceID)
	}
	if q.ConversationID != "" {
		add("conversation", "r.conversation_id = ?", q.ConversationID)
	}
	if q.Subject != "" {
		add(indexSubject, "EXISTS (SELECT 1 FROM "+s.subjects+" x WHERE x.subject = ? AND x.seq = r.seq)", q.Subject)
	}
	if q.Text != "" {
		match := ftsQuery(q.Text)
		if match == "" {
			return nil, false, nil
		}
		add(indexText, "EXISTS (SELECT 1 FROM "+s.texts+" WHERE "+s.texts+" MATCH ? AND rowid = r.seq)", match)
	}
	for _, f := range []struct{ value, common, index, some, sql, inRollups string }{
		{string(q.Kind), string(bus.KindInvocation), indexKind, "r.kind <> 'invocation'", "r.kind = ?", ""},
		{string(q.Code), "", "code", "", "r.code = ?", "k.code = ?"},
		{string(q.Status), string(bus.StatusSuccess), indexFailed, "r.status <> 'success'", "r.status = ?",
			"(k.code = '') = (? = 'success')"},
		{string(q.SideEffect), "", "risk", "r.side_effect <> 'pure' AND r.side_effect <> 'ui-only'", "r.side_effect = ?",
			"k.side_effect = ?"},
		{q.Person, "", "person", "", "r.person = ?", "k.person = ?"},
		{string(q.CallerType), string(bus.CallerUI), "caller", "r.caller_type <> 'ui'", "r.caller_type = ?",
			"k.caller_type = ?"},
	} {
		switch {
		case f.value == "":
		case f.value == f.common || f.index == "risk" && q.SideEffect != bus.Network && q.SideEffect != bus.Destructive:
			add("", f.sql, f.value)
		case f.some != "": // the index's own condition, literally
			add(f.index, f.some+" AND "+f.sql, f.value)
		default:
			add(f.index, f.sql, f.value)
		}
		if f.value != "" && f.inRollups != "" {
			last := &out[len(out)-1]
			last.rollup, last.rollupArgs, last.approximate = f.inRollups, []any{f.value}, f.index == indexFailed
		}
	}
	if len(q.Exclude) > 0 {
		without, err := l.excludeConditions(ctx, q.Exclude)
		if err != nil {
			return nil, false, err
		}
		out = append(out, without...)
	}
	if q.Capability == "" {
		return out, true, nil
	}
	var number int64
	err := l.readers.db.QueryRowContext(ctx, "SELECT id FROM audit_capabilities WHERE name = ?", q.Capability).
		Scan(&number)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, fmt.Errorf("audit: search: %w", err)
	}
	if add(indexCapability, "r.capability = ?", number); s == mainStream {
		last := &out[len(out)-1]
		last.sql, last.args = "(r.capability = ? OR "+l.isPlan()+" AND "+hasStep+")", []any{number, q.Capability}
	}
	out[len(out)-1].rollup, out[len(out)-1].rollupArgs = "k.capability = ?", []any{number}
	return out, true, nil
}

// plans lists the conditions of records that are also found under the capabilities of their steps. Each is a search in
// the index.
func (l *Log) plans() (each []string) {
	names := slices.Concat([]string{"plan.propose", "plan.repeat"}, l.o.Plans)
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		each = append(each, "r.capability = (SELECT id FROM audit_capabilities WHERE name = '"+
			strings.ReplaceAll(name, "'", "''")+"')")
	}
	return each
}

func (l *Log) isPlan() string { return "(" + strings.Join(l.plans(), " OR ") + ")" }

const (
	steps   = "json_each(iif(json_valid(r.detail), r.detail, '{}'), '$.steps')"
	hasStep = "EXISTS (SELECT 1 FROM " + steps + " WHERE value = ?)"
)

const (
	indexTrace   = "trace"
	indexFailed  = "failed"
	indexKind    = "kind"
	indexSubject = "subject"
	indexText    = "text"

	indexCapability = "capability"
)

// accessPaths returns the query plan of q: paths that together find each record once.
func (l *Log) accessPaths(ctx context.Context, s *stream, q *Query) ([]accessPath, error) {
	all, possible, err := l.conditions(ctx, s, q)
	if err != nil || !possible {
		return nil, err
	}
	best, possible, err := l.chooseIndex(ctx, s, all)
	if err != nil || !possible {
		return nil, err
	}
	found := []accessPath{{from: s.records + " r NOT INDEXED", seq: "r.seq", rest: all, scans: s.records}}
	if best >= 0 {
		rest := append(append([]condition{}, all[:best]...), all[best+1:]...)
		found = l.pathsBy(s, all[best], rest)
	}
	return l.within(ctx, s, q, found, all)
}

// pathsBy returns the paths of a condition's index.
func (l *Log) pathsBy(s *stream, c condition, rest []condition) []accessPath {
	of := func(index, sql string, args ...any) accessPath {
		return accessPath{from: s.records + " r INDEXED BY " + s.records + "_" + index, seq: "r.seq",
			where: []condition{{sql: sql, args: args}}, rest: rest}
	}
	switch c.index {
	case indexTrace:
		return []accessPath{of("trace", "r.trace_id = ?", c.args[0]),
			of("request", "r.request_id = ? AND r.trace_id IS NULL", c.args[0])}
	case indexCapability:
		found := []accessPath{of(c.index, "r.capability = ?", c.args[0])}
		if s != mainStream {
			return found
		}
		for _, isOne := range l.plans() {
			path := of(c.index, isOne)
			path.rest = append(rest[:len(rest):len(rest)], condition{sql: hasStep, args: c.args[1:]})
			found = append(found, path)
		}
		return found
	case indexSubject:
		return []accessPath{{from: s.subjects + " x CROSS JOIN " + s.records + " r ON r.seq = x.seq", seq: "x.seq",
			where: []condition{{sql: "x.subject = ?", args: c.args}}, rest: rest}}
	case indexText:
		return []accessPath{{from: s.texts + " CROSS JOIN " + s.records + " r ON r.seq = " + s.texts + ".rowid",
			seq: s.texts + ".rowid", where: []condition{{sql: s.texts + " MATCH ?", args: c.args}}, rest: rest}}
	}
	return []accessPath{of(c.index, c.sql, c.args...)}
}

// within narrows paths to the time range of q. Records that began long before they were written have a separate path.
func (l *Log) within(ctx context.Context, s *stream, q *Query, found []accessPath,
	all []condition) ([]accessPath, error) {
	time := span{1, math.MaxInt64}
	var limits []condition
	if q.Since > 0 {
		limits = append(limits, condition{sql: "r.time >= ?", args: []any{q.Since}})
		first, err := l.firstSince(ctx, s, q.Since/hourMS)
		if err != nil {
			return nil, err
		}
		time.from = first
	}
	late := false
	if q.Until > 0 {
		limits = append(limits, condition{sql: "r.time < ?", args: []any{q.Until}})
		first, err := l.firstSince(ctx, s, q.Until/hourMS+1)
		if err != nil {
			return nil, err
		}
		time.to, late = first, first < math.MaxInt64
	}
	for i := range found {
		found[i].span, found[i].rest = time, append(found[i].rest[:len(found[i].rest):len(found[i].rest)], limits...)
	}
	if late {
		found = append(found, accessPath{from: "audit_late y CROSS JOIN " + s.records + " r ON r.seq = y.seq", seq: "y.seq",
			where: []condition{{sql: "y.stream = ?", args: []any{s.name}}}, rest: append(all[:len(all):len(all)], limits...),
			span: span{max(time.from, time.to), math.MaxInt64}})
	}
	return found, nil
}

// firstSince returns the number of the first record that began in an hour or later; beyond all numbers if there is
// none.
func (l *Log) firstSince(ctx context.Context, s *stream, hour int64) (int64, error) {
	var first int64
	err := l.readers.db.QueryRowContext(ctx,
		"SELECT first FROM audit_hours WHERE stream = ? AND hour >= ? ORDER BY hour LIMIT 1", s.name, hour).Scan(&first)
	if errors.Is(err, sql.ErrNoRows) {
		return math.MaxInt64, nil
	}
	if err != nil {
		return 0, fmt.Errorf("audit: search: %w", err)
	}
	return first, nil
}

// clause writes conditions and a range of numbers as WHERE.
func (path *accessPath) clause(in span, conditions ...[]condition) (string, []any) {
	texts, args := []string{path.seq + " >= ?", path.seq + " < ?"}, []any{in.from, in.to}
	for _, list := range conditions {
		for _, c := range list {
			texts, args = append(texts, c.sql), append(args, c.args...)
		}
	}
	return " WHERE " + strings.Join(texts, " AND "), args
}

// statement finds the first records of a path within a range of numbers. The function wanted makes a SELECT of the
// path's tables.
func (path *accessPath) statement(s *stream, wanted func(from string) string, in span, d direction,
	limit int) (string, []any) {
	where, args := path.clause(in, path.where, path.rest)
	return wanted(path.from) + where + " ORDER BY " + path.seq + string(d) + " LIMIT ?", append(args, limit)
}

// numbers selects record numbers only, without the record's table if no filter needs it.
func (path *accessPath) numbers(from string) string {
	if len(path.rest) == 0 {
		from, _, _ = strings.Cut(from, " CROSS JOIN ")
	}
	return "SELECT " + path.seq + " FROM " + from
}

// direction is the order of reading the log.
type direction string

const (
	newestFirst direction = " DESC"
	oldestFirst direction = " ASC"
)

// withinBudget cuts a range to the records that one page may read, from the end that is read first.
func (l *Log) withinBudget(ctx context.Context, path *accessPath, in span, d direction, budget int64) (span, error) {
	if len(path.rest) == 0 || in.from >= in.to {
		return in, nil
	}
	if path.scans != "" && d == oldestFirst {
		return span{in.from, min(in.to, in.from+budget)}, nil
	}
	if path.scans != "" {
		var newest int64
		if err := l.readers.db.QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM "+path.scans).
			Scan(&newest); err != nil {
			return in, fmt.Errorf("audit: search: %w", err)
		}
		in.to = min(in.to, newest+1)
		return span{max(in.from, in.to-budget), in.to}, nil
	}
	where, args := path.clause(in, path.where)
	from, _, _ := strings.Cut(path.from, " CROSS JOIN ")
	var edge int64
	err := l.readers.db.QueryRowContext(ctx, "SELECT "+path.seq+" FROM "+from+where+" ORDER BY "+path.seq+string(
		d)+" LIMIT 1 OFFSET ?", append(args, budget-1)...).Scan(&edge)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return in, nil
	case err != nil:
		return in, fmt.Errorf("audit: search: %w", err)
	case d == oldestFirst:
		return span{in.from, edge + 1}, nil
	}
	return span{edge, in.to}, nil
}

// matchesAny reports whether a capability has one of the names, or begins with one of them and a dot.
func matchesAny(names []string, capability string) bool {
	return capability != "" && slices.ContainsFunc(names, func(name string) bool {
		return capability == name || strings.HasPrefix(capability, name+".")
	})
}

// excludeConditions returns conditions that exclude the records of some capabilities.
func (l *Log) excludeConditions(ctx context.Context, names []string) ([]condition, error) {
	list, err := json.Marshal(names)
	if err != nil {
		return nil, fmt.Errorf("audit: search: %w", err)
	}
	rows, err := l.readers.db.QueryContext(ctx, `SELECT c.id FROM json_each(?) n JOIN audit_capabilities c
		ON c.name = n.value OR c.name > n.value || '.' AND c.name < n.value || '/'`, string(list)) // / follows on .
	numbers, err := collect(rows, err, func(number *string) []any { return []any{number} })
	if err != nil {
		return nil, fmt.Errorf("audit: search: %w", err)
	}
	if len(numbers) == 0 {
		return nil, nil
	}
	not := "NOT IN (" + strings.Join(numbers, ", ") + ")"
	return []condition{{sql: "coalesce(r.capability, 0) " + not, rollup: "k.capability " + not}}, nil
}

// chooseIndex returns the condition whose index is read, -1 for none. Among the conditions that the roll-ups count it
// is the one with the fewest records; a search by words comes after it if the budget of a page covers all of them. It
// returns false if the roll-ups have no record that matches.
func (l *Log) chooseIndex(ctx context.Context, s *stream, all []condition) (best int, possible bool, err error) {
	counts, both, err := l.rollupCounts(ctx, s, all)
	if err == nil && both == 0 {
		if possible, err = l.writer.countTail(ctx); err != nil || !possible {
			return -1, false, err
		}
		counts, both, err = l.rollupCounts(ctx, s, all)
		possible = refuseNested(ctx) != nil // then it counts the earlier records
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

// rollupCounts returns the number of records that match each condition, and the number that match all conditions of the
// roll-ups; both are estimates for other conditions, and for a single condition.
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
	args = append(append(args, knownArgs...), s.name, s.steps(), allDays)
	err = l.readers.db.QueryRowContext(ctx, "SELECT "+strings.Join(columns,
		", ")+" FROM audit_counts k WHERE stream IN (?, ?) AND day = ?", args...).Scan(into...)
	if err != nil {
		return nil, 0, fmt.Errorf("audit: search: %w", err)
	}
	return counts, both, nil
}

func countOf(cells string) string { return "coalesce(sum(calls) FILTER (WHERE " + cells + "), 0)" }
