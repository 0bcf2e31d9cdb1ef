package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// StateVerdict is the result of comparing the rows of the domain with the log.
type StateVerdict struct {
	OK      bool  `json:"ok"`
	Records int64 `json:"records"` // number of records whose effects were compared
	Rows    int64 `json:"rows"`    // number of compared rows that these records changed
	// Together counts rows that were compared with the digest of their table in the record of a bulk change.
	Together int64 `json:"together,omitempty"`
	// From is the newest record before which the log lacks single rows of some table; 0 is the beginning. Why gives the
	// reason.
	From      int64  `json:"from"`
	Why       string `json:"why,omitempty"`
	Uncovered int64  `json:"uncovered"` // rows that were not compared
	// Unexplained lists sentences, each about a row that differs from the log; at most 200.
	Unexplained []string `json:"unexplained,omitempty"`
	Truncated   bool     `json:"truncated,omitempty"` // Unexplained is incomplete
	// Derived counts the sentences in Unexplained about derived values: see [Options.Check].
	Derived int    `json:"derived,omitempty"`
	Remedy  string `json:"remedy,omitempty"` // the way out
}

// VerifyState compares every row of the domain with the log in one snapshot: it follows the effects from the newest
// record to the first. A bulk change keeps no single rows; the rest of its table is compared with the digest in its
// record, if there is one and all its rows are known. A restore hides the earlier state of every table, an erasure that
// of the rows in the erased records: those rows are counted but not compared. Tables that are not STRICT are not
// compared either. VerifyState does not block writers. It holds the keys of all changed rows in memory.
//
// A row that a migration inserted has no record, and is unexplained. [Options.Check] compares the application's derived
// values, in the same snapshot.
func (l *Log) VerifyState(ctx context.Context, progress func(done, total int64)) (StateVerdict, error) {
	f := fold{l: l, rows: map[string]*past{}, closed: map[*table]bool{}, forgotten: map[string]bool{}}
	err := l.View(ctx, func(ctx context.Context) error {
		var newest int64
		if err := Tx(ctx).QueryRowContext(ctx, "SELECT coalesce(max(seq), 0) FROM audit_records").Scan(&newest); err != nil {
			return err
		}
		if err := f.followBack(ctx, newest, progress); err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(l.store.tables)) {
			if t := l.store.tables[name]; t.strict {
				if err := f.countRows(ctx, t); err != nil {
					return err
				}
			}
		}
		return f.checkDerived(ctx)
	})
	if err != nil {
		return f.StateVerdict, fmt.Errorf("audit: verify the state: %w", err)
	}
	for _, id := range slices.Sorted(maps.Keys(f.rows)) {
		if p := f.rows[id]; !f.hidden(p.table) && p.row != nil && !p.told && !p.unknown {
			f.addDifference("%s was there before the first record.", p.name)
		}
	}
	f.conclude()
	return f.StateVerdict, nil
}

// checkDerived makes the application compare its derived values.
func (f *fold) checkDerived(ctx context.Context) error {
	if f.l.o.Check == nil {
		return nil
	}
	return f.l.o.Check(ctx, func(sentence string) { f.derived = append(f.derived, sentence) })
}

// conclude turns the differences into the verdict.
func (f *fold) conclude() {
	changed := len(f.Unexplained) > 0
	for _, sentence := range f.derived {
		f.addDifference("%s", sentence)
	}
	f.Derived = len(f.derived)
	switch f.OK = len(f.Unexplained) == 0; {
	case changed:
		f.Remedy = "Restore a copy from before the change, or put the rows back as the log has them."
	case !f.OK:
		f.Remedy = "The rows are as the log says. audit.rebuildRollups makes what follows from them again."
	}
}

// fold is the state of the rows that the records read so far changed, before the oldest of these records.
type fold struct {
	StateVerdict
	l    *Log
	rows map[string]*past // by identity
	// forgotten holds the erasing requests whose rows the fold has marked unknown.
	forgotten map[string]bool
	// closed holds the tables at the state after a bulk change that the fold has reached; true if compared with it.
	closed map[*table]bool
	ended  bool // it has reached the first record
	// derived lists the differences that the application found: see [Options.Check].
	derived []string
}

// hidden reports whether the records are incomplete for a table.
func (f *fold) hidden(t *table) bool {
	_, closed := f.closed[t]
	return f.ended || closed
}

// end stores the first record before which single rows of some table are missing.
func (f *fold) end(seq int64, why string) {
	if f.From == 0 {
		f.From, f.Why = seq, why
	}
}

// past is a row at some time.
type past struct {
	table *table
	name  string
	row   []any // nil: it did not exist
	told  bool  // its difference was reported
	// unknown is set if an erasure hides the values; compared if a later record was compared with the row.
	unknown, compared bool
}

// followBack reads the records from newest on, newest first, up to one before which single rows are missing.
func (f *fold) followBack(ctx context.Context, newest int64, progress func(done, total int64)) error {
	base, err := f.l.checkpoint(ctx, mainStream)
	if err != nil {
		return err
	}
	if f.ended = base.seq > 0; f.ended {
		defer f.end(base.seq, "Retention removed the records before.")
	}
	for at := newest; ; {
		page, err := f.l.list(ctx, mainStream.selectRecords()+"WHERE r.seq <= ? AND r.seq > ? ORDER BY r.seq DESC LIMIT ?",
			at, base.seq, maxLimit)
		if err != nil || len(page) == 0 {
			return err
		}
		for i := range page {
			if err := ctx.Err(); err != nil {
				return err
			}
			rec := &page[i]
			why := rec.hidesRows()
			if why == wasErased {
				if why, err = f.forgetErased(ctx, rec); err != nil {
					return err
				}
			}
			if why != "" {
				f.endAt(rec, why)
				f.ended = true
				return nil
			}
			if err := f.takeBack(ctx, rec); err != nil {
				return err
			}
			f.Records++
			at = rec.Seq - 1
		}
		if progress != nil {
			progress(newest-at, newest-base.seq)
		}
	}
}

// wasErased is the reason for a record without a payload.
const wasErased = "Its details were erased."

// forgetErased marks the rows of an erased record as unknown, with those of the records that the same request erased.
// It returns a reason if these rows are not known: an earlier version erased the record.
func (f *fold) forgetErased(ctx context.Context, rec *Record) (why string, err error) {
	request, rows, err := f.l.rowsErasedWith(ctx, rec.Seq)
	if err != nil {
		return "", err
	}
	if rows == nil || (*rows)[""] != nil {
		return wasErased, nil
	}
	if f.forgotten[request] {
		return "", nil
	}
	f.forgotten[request] = true
	for name, keys := range *rows {
		for _, key := range keys {
			if err := f.forget(ctx, rec, wasErased, name, key, false); err != nil {
				return "", err
			}
		}
	}
	return "", nil
}

// forget marks the values of a row before a record as unknown; without a key, those of each row of the table. A row
// that the record deleted must not exist.
func (f *fold) forget(ctx context.Context, rec *Record, why, name string, key map[string]any, deleted bool) error {
	t := f.l.store.tables[name]
	if t == nil || !t.strict {
		return nil
	}
	if _, closed := f.closed[t]; closed {
		return nil
	}
	f.endAt(rec, why)
	if len(key) < len(t.key) {
		f.closed[t] = false
		return nil
	}
	stored, err := t.stored(key)
	if err != nil {
		return fmt.Errorf("record %d: %w", rec.Seq, err)
	}
	p, err := f.at(ctx, t, stored)
	if err != nil {
		return err
	}
	if deleted && !p.unknown && !p.told {
		if p.compared = true; p.row != nil {
			f.addDifference("%s is not as record %d (%s) left it.", p.name, rec.Seq, rec.Capability)
			p.told = true
		}
	}
	p.unknown = true
	return nil
}

func (f *fold) endAt(rec *Record, why string) {
	f.end(rec.Seq, fmt.Sprintf("Record %d (%s): %s", rec.Seq, rec.Capability, why))
}

// hidesRows returns the reason why a record lacks its effect on each row; "" if it has it.
func (r *Record) hidesRows() string {
	switch {
	case r.Unreadable != "":
		return "It cannot be decoded."
	case r.DryRun: // it changed nothing
		return ""
	}
	if r.Erased && r.Status == bus.StatusSuccess && bus.SideEffect(r.SideEffect) != bus.Pure {
		return wasErased
	}
	return ""
}

// takeBack compares the rows that a record changed with the record's result, and sets them back to their earlier state.
// It takes all rows before it sets any, because keys may have been swapped.
func (f *fold) takeBack(ctx context.Context, rec *Record) error {
	if rec.DryRun {
		return nil
	}
	back := map[string]*past{}
	for i := range rec.Effects {
		e := &rec.Effects[i]
		t := f.l.store.tables[e.Table]
		if _, closed := f.closed[t]; closed || isReserved(e.Table) || t != nil && !t.strict {
			continue
		}
		if t != nil && e.Op == bus.Bulk {
			if err := f.close(ctx, t, rec, e); err != nil {
				return err
			}
			continue
		}
		if why := hidesRows(e); why != "" && e.Op != bus.Bulk {
			key := e.Key
			if slices.Contains(slices.Collect(maps.Values(key)), any(erasedText)) {
				key = nil
			}
			if err := f.forget(ctx, rec, why, e.Table, key, e.Op == bus.Delete); err != nil {
				return err
			}
			continue
		}
		s, err := f.l.inverse(e)
		if err != nil {
			return fmt.Errorf("record %d: %w", rec.Seq, err)
		}
		if e.After == nil {
			s.have = nil
		}
		if e.Before == nil {
			s.become = nil
		}
		p, err := f.at(ctx, t, s.key)
		if err != nil {
			return err
		}
		p.compared = p.compared || !p.unknown
		before := past{table: t, name: p.name, told: p.told, unknown: p.unknown, compared: p.compared}
		if !p.told && !p.unknown && !t.holds(p.row, s.have) {
			f.addDifference("%s is not as record %d (%s) left it.", p.name, rec.Seq, rec.Capability)
			before.told = true
		}
		if s.become != nil {
			before.row = slices.Clone(p.row)
			if before.row == nil {
				before.row = make([]any, len(t.columns))
				t.set(before.row, s.key)
			}
			t.set(before.row, s.become)
			back[t.identity(before.row)] = &before
		}
		p.row = nil
	}
	maps.Copy(f.rows, back)
	return nil
}

// at returns a row in its state before the records read so far, which is the present one if none of them changed it.
func (f *fold) at(ctx context.Context, t *table, key map[string]any) (*past, error) {
	row := make([]any, len(t.columns))
	t.set(row, key)
	id := t.identity(row)
	if p := f.rows[id]; p != nil {
		return p, nil
	}
	p := &past{table: t, name: t.nameOf(row), row: row}
	f.rows[id] = p
	s := step{table: t, key: key}
	where, args := s.where()
	into := make([]any, len(row))
	for i := range row {
		into[i] = &row[i]
	}
	err := Tx(ctx).QueryRowContext(ctx, "SELECT "+t.values()+" FROM "+quoteName(t.name)+where, args...).Scan(into...)
	if errors.Is(err, sql.ErrNoRows) {
		p.row, err = nil, nil
	}
	return p, err
}

// close compares a table after a bulk change with the digest in the record, if there is one.
func (f *fold) close(ctx context.Context, t *table, rec *Record, e *bus.Effect) error {
	want, ok := e.After["state"].(string)
	for _, p := range f.rows {
		ok = ok && !(p.table == t && p.unknown) // the digest has that row too
	}
	f.closed[t] = ok
	f.endAt(rec, hidesRows(e))
	if !ok {
		return nil
	}
	var sum stateSum
	rows, err := Tx(ctx).QueryContext(ctx, t.selectAll())
	err = t.eachRow(rows, err, func(row []any) bool {
		if f.rows[t.identity(row)] == nil {
			sum.add(row)
		}
		return true
	})
	for _, p := range f.rows {
		if p.table == t && p.row != nil {
			sum.add(p.row)
		}
	}
	if err == nil && sum.String() != want {
		f.addDifference("Rows of %s are not as record %d (%s) left them, and no later record changed them.", t.name, rec.Seq,
			rec.Capability)
	}
	return err
}

// countRows counts the rows of a table, and reports those without a record.
func (f *fold) countRows(ctx context.Context, t *table) error {
	rows, err := Tx(ctx).QueryContext(ctx, t.selectRows())
	return t.eachRow(rows, err, func(row []any) bool {
		switch {
		case f.rows[t.identity(row)] != nil:
			if p := f.rows[t.identity(row)]; p.unknown && !p.compared {
				f.Uncovered++
			} else {
				f.Rows++
			}
		case f.closed[t]:
			f.Together++
		case f.hidden(t):
			f.Uncovered++
		default:
			f.addDifference("%s has no record.", t.nameOf(row))
		}
		return true
	})
}

func (f *fold) addDifference(format string, args ...any) {
	if f.Truncated = len(f.Unexplained) == maxNotable; !f.Truncated {
		f.Unexplained = append(f.Unexplained, fmt.Sprintf(format, args...))
	}
}

// set writes values into a row by column.
func (t *table) set(row []any, values map[string]any) {
	for i, column := range t.columns {
		if v, ok := values[column]; ok {
			row[i] = v
		}
	}
}

// holds reports whether a row has the values; nil means that the row does not exist.
func (t *table) holds(row []any, values map[string]any) bool {
	if row == nil || values == nil {
		return row == nil && values == nil
	}
	for i, column := range t.columns {
		if v, ok := values[column]; ok && !equalValues(row[i], v) {
			return false
		}
	}
	return true
}

// nameOf names a row for people: its table and key.
func (t *table) nameOf(row []any) string {
	key := make([]string, len(t.key))
	for i, at := range t.key {
		key[i] = fmt.Sprintf("%v", row[at])
	}
	return fmt.Sprintf("The row %s of %s", strings.Join(key, ", "), t.name)
}
