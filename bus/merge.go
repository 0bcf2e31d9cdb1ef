package bus

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus/internal/schema"
)

// Merge makes c a plan of what was done elsewhere, as on a copy of the data: what done returns, in its order, is done
// here in one transaction, with the ids of there and the clock of now, and each step is judged as for the one who asks.
// A record is left out, with the reason, whose step is refused here, or that would change something else than it did
// there; rows of which only a number moved on, such as a stock, are named and done. Its steps are those of the records:
// done must return the same ones for as long as a person looks at the whole.
func Merge[In any](c Capability, done func(ctx context.Context, call *Call, in In) ([]Record, error)) Capability {
	m := Define(c, func(ctx context.Context, call *Call, in In) (mergeOutput, error) {
		all, err := done(ctx, call, in)
		if err != nil {
			return mergeOutput{}, err
		}
		return call.b.executeMerge(ctx, call, all)
	})
	m.plan = true
	return m
}

type mergeOutput struct {
	planOutput
	Subjects int        `json:"subjects" doc:"How many records were done."`
	Left     []leftOut  `json:"left"`
	Moved    []movedRow `json:"moved" doc:"Rows of which a number was another one here before, and moved on by as much."`
}

// movedRow is a row that was not as it was there, and that changed by as much.
type movedRow struct {
	Table  string         `json:"table"`
	Key    map[string]any `json:"key"`
	Before map[string]any `json:"before" doc:"As it was here."`
	After  map[string]any `json:"after"`
	Shown  map[string]any `json:"shown" doc:"What it became there."`
}

// merging is one run of a [Merge].
type merging struct {
	b     *Bus
	call  *Call
	there map[string]*fate    // what the records that were done changed there, by row
	moved map[string]movedRow // by row
	out   mergeOutput
}

// fate is what became of a row: the values of its columns, and when each was written.
type fate struct {
	table         string
	key           map[string]any
	op            Op
	before, after map[string]any
	at            map[string]int64 // ms since 1970
}

func (b *Bus) executeMerge(ctx context.Context, call *Call, records []Record) (mergeOutput, error) {
	m := &merging{b: b, call: call, there: map[string]*fate{}, moved: map[string]movedRow{},
		out: mergeOutput{planOutput: planOutput{Steps: []planDone{}}, Left: []leftOut{}, Moved: []movedRow{}}}
	if !call.takesParts() {
		return m.out, Errorf(PreconditionFailed, ReasonUnavailable, "The journal of this application cannot merge.")
	}
	call.stepRefused(nil)
	for i := range records {
		if err := m.redo(ctx, &records[i]); err != nil {
			return m.out, err
		}
	}
	return m.out, m.finish(len(records))
}

// redo does what a record says, or leaves it out.
func (m *merging) redo(ctx context.Context, r *Record) error {
	there := maps.Clone(m.there)
	for _, e := range plainEffects(r.Effects) {
		row := rowOf(&e)
		there[row] = there[row].then(&e, r.Time)
	}
	steps, why := m.b.stepsOf(r)
	moved := map[string]movedRow{}
	if why == nil {
		var err error
		why, err = m.call.partly(&m.out.planOutput, func() error {
			var results []any
			for _, s := range steps {
				done, value, err := m.b.executeStep(ctx, m.call, len(m.out.Steps), s, results)
				if err != nil {
					return err
				}
				results, m.out.Steps = append(results, value), append(m.out.Steps, done)
			}
			return m.compare(r, there, moved)
		})
		if err != nil {
			return err
		}
	}
	if why != nil {
		m.out.Left = append(m.out.Left, leftOut{subject{"request", r.RequestID}, r.Summary, coded(why).Message})
		return nil
	}
	m.there = there
	m.moved = moved
	m.out.Subjects++
	for _, s := range steps {
		m.call.did = append(m.call.did, s.Capability)
	}
	return nil
}

// compare refuses a record that changes something else here than it did there.
func (m *merging) compare(r *Record, there map[string]*fate, moved map[string]movedRow) error {
	now := m.call.Now.UnixMilli()
	here := map[string]*fate{}
	effects := plainEffects(m.call.exec.Effects())
	for i := range effects {
		here[rowOf(&effects[i])] = (*fate)(nil).then(&effects[i], now)
	}
	// What records that are left out would have changed is not there; every other row here is of one that was done.
	rows := maps.Clone(here)
	for _, e := range plainEffects(r.Effects) {
		rows[rowOf(&e)] = nil
	}
	for _, row := range slices.Sorted(maps.Keys(rows)) {
		was, is := there[row], here[row]
		if was.nothing() && is.nothing() {
			continue
		}
		same, by := false, false
		if !was.nothing() && !is.nothing() && was.op == is.op {
			same, by = was.agrees(is, now)
		}
		switch {
		case by:
			moved[row] = movedRow{was.table, was.key, is.before, is.after, was.after}
		case !same:
			table, _, _ := strings.Cut(row, " ")
			return changedMeanwhile(table)
		}
	}
	return nil
}

func changedMeanwhile(table string) error {
	return Errorf(PreconditionFailed, ReasonState,
		"It would not do what was shown: what it is about was changed meanwhile (%s).", strings.ReplaceAll(table, "_", " "))
}

// then is what becomes of a row by a further change.
func (f *fate) then(e *Effect, at int64) *fate {
	n := &fate{table: e.Table, key: e.Key, op: e.Op, before: e.Before, after: e.After, at: map[string]int64{}}
	if f != nil && !f.nothing() {
		n.before, n.after = maps.Clone(e.Before), maps.Clone(f.after)
		maps.Copy(n.at, f.at)
		if n.after == nil {
			n.after = map[string]any{}
		}
		maps.Copy(n.after, e.After)
		if n.before == nil {
			n.before = map[string]any{}
		}
		maps.Copy(n.before, f.before)
		switch {
		case f.op == Insert:
			n.op, n.before = Insert, nil
		case e.Op == Insert: // what was deleted is there again
			n.op = Update
		}
		if e.Op == Delete {
			n.op, n.after = Delete, nil
			if f.op == Insert {
				return &fate{}
			}
		}
	}
	for column := range e.After {
		n.at[column] = at
	}
	if n.op == Update { // a column that is as it was is no change
		for column, v := range n.after {
			if was, has := n.before[column]; has && reflect.DeepEqual(v, was) {
				delete(n.after, column)
				delete(n.before, column)
			}
		}
		if len(n.after) == 0 {
			return &fate{}
		}
	}
	return n
}

// nothing reports whether the row is as it was.
func (f *fate) nothing() bool { return f == nil || f.op == "" }

// agrees compares what became of a row there and here. moved: it differs, by numbers that changed by as much.
func (f *fate) agrees(here *fate, now int64) (same, moved bool) {
	if len(f.before) != len(here.before) || len(f.after) != len(here.after) {
		return false, false
	}
	same = true
	for column, was := range f.before {
		if reflect.DeepEqual(was, here.before[column]) {
			continue
		}
		same = false
		to, other := f.after[column], here.after[column]
		if f.op != Update || !sameStep(was, to, here.before[column], other) && !f.sameTime(column, other, now) {
			return false, false
		}
	}
	for column, v := range f.after {
		other, has := here.after[column]
		switch {
		case has && reflect.DeepEqual(v, other), f.sameTime(column, other, now):
		case f.op == Update && sameStep(f.before[column], v, here.before[column], other):
			same = false
		default:
			return false, false
		}
	}
	return same, !same
}

// sameTime reports whether a column holds a time that the clock gave, there and here, such as when something was last
// used: each lies as far from the clock of its own transaction. A later time overwrites nothing that a person decided.
func (f *fate) sameTime(column string, other any, now int64) bool {
	return sameStep(json.Number(fmt.Sprint(f.at[column])), f.after[column], json.Number(fmt.Sprint(now)), other)
}

// sameStep reports whether two whole numbers lie as far apart as two others.
func sameStep(from, to, from2, to2 any) bool {
	var n [4]int64
	for i, v := range []any{from, to, from2, to2} {
		number, is := v.(json.Number)
		var err error
		if n[i], err = number.Int64(); !is || err != nil {
			return false
		}
	}
	return n[1]-n[0] == n[3]-n[2]
}

// plainEffects are effects with the values that JSON has.
func plainEffects(effects []Effect) (plain []Effect) {
	text, err := json.Marshal(effects)
	if err == nil {
		d := json.NewDecoder(strings.NewReader(string(text)))
		d.UseNumber()
		err = d.Decode(&plain)
	}
	if err != nil {
		panic(err) // they came from a journal
	}
	return plain
}

// rowOf names the row of an effect.
func rowOf(e *Effect) string {
	key, _ := schema.AppendCanonical(nil, map[string]any(e.Key)) // values of JSON
	return e.Table + " " + string(key)
}

// stepsOf are the steps of a record, with what each drew its numbers from.
func (b *Bus) stepsOf(r *Record) (steps []planStep, why error) {
	seed, err := hex.DecodeString(r.Seed)
	if err != nil || len(seed) == 0 || len(r.Redacted) > 0 {
		return nil, Errorf(PreconditionFailed, ReasonState, "What was done was not kept whole.")
	}
	c := b.find(r.Capability)
	if c == nil {
		return nil, Errorf(NotFound, ReasonCapability, "There is no capability %q.", r.Capability)
	}
	if !c.plan {
		return []planStep{{r.Capability, r.Arguments, seed}}, nil
	}
	var in planInput
	var out planOutput
	if err := json.Unmarshal(r.Arguments, &in); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(r.Data, &out); err != nil {
		return nil, err
	}
	for i, done := range out.Steps {
		s := planStep{done.Capability, done.Arguments, stepSeed(seed, i)}
		if i < len(in.Steps) {
			s.Arguments = in.Steps[i].Arguments
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// finish says what comes of it; it is an error if nothing does.
func (m *merging) finish(all int) error {
	var left []string
	for _, l := range m.out.Left {
		left = append(left, l.Name+": "+l.Why)
	}
	switch {
	case all == 0:
		return Errorf(PreconditionFailed, ReasonState, "Nothing was changed there: there is nothing to merge.")
	case m.out.Subjects == 0:
		return Errorf(PreconditionFailed, ReasonState, "Nothing of it can be merged. %s", strings.Join(left, " "))
	}
	for _, row := range slices.Sorted(maps.Keys(m.moved)) {
		m.out.Moved = append(m.out.Moved, m.moved[row])
	}
	m.call.Fact("steps", len(m.out.Steps))
	m.call.Fact("left", len(m.out.Left))
	m.call.Summarize("Merge %d of %d changes made on a copy", m.out.Subjects, all)
	return nil
}
