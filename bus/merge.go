package bus

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus/internal/plan"
)

// Merge makes c a plan that repeats actions from another place, such as a copy of the data. done returns the records of
// these actions in order. They run here in one transaction, with the ids of the original calls and the current clock,
// and each step is authorised for the person who merges. A record is skipped, with the reason, if a step is refused
// here, or if it would change other data than the original. A row that differs only in a number that changes by the
// same amount, such as a stock, is reported and merged. The plan's steps are those of the records, so done must return
// the same records as long as a person looks at the card.
func Merge[In any](c Capability, done func(ctx context.Context, call *Call, in In) ([]Record, error)) Capability {
	m := Define(c, func(ctx context.Context, call *Call, in In) (mergeOutput, error) {
		all, err := done(ctx, call, in)
		if err != nil {
			return mergeOutput{}, err
		}
		return call.b.executeMerge(ctx, call, all)
	})
	m.plan, m.merges = true, true
	return m
}

type mergeOutput struct {
	planOutput
	Subjects int        `json:"subjects" doc:"How many records were done."`
	Left     []leftOut  `json:"left"`
	Moved    []movedRow `json:"moved" doc:"Rows of which a number was another one here before, and moved on by as much."`
}

// movedRow is a row that had other values here than in the original, and changed by the same amount.
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
	there map[string]*plan.Row // the original changes of the merged records, by row
	moved map[string]movedRow  // by row
	out   mergeOutput
}

func (b *Bus) executeMerge(ctx context.Context, call *Call, records []Record) (mergeOutput, error) {
	m := &merging{b: b, call: call, there: map[string]*plan.Row{}, moved: map[string]movedRow{},
		out: mergeOutput{planOutput: planOutput{Steps: []planDone{}}, Left: []leftOut{}, Moved: []movedRow{}}}
	if !call.takesParts() {
		return m.out, Errorf(PreconditionFailed, ReasonUnavailable, "The journal of this application cannot merge.")
	}
	call.stepRefused(nil)
	for i := range records {
		if err := m.redo(ctx, i, &records[i]); err != nil {
			return m.out, err
		}
	}
	return m.out, m.finish(len(records))
}

// redo repeats record i, or skips it.
func (m *merging) redo(ctx context.Context, i int, r *Record) error {
	there := maps.Clone(m.there)
	for _, e := range plan.Changes(r.Effects) {
		row := e.Row()
		there[row] = there[row].Then(&e, r.Time)
	}
	steps, why := m.b.stepsOf(r)
	moved := map[string]movedRow{}
	judged := m.call.numbers.judged(i)
	if judged != nil {
		why, moved = judged.why, judged.moved
	}
	if why == nil {
		var err error
		why, err = m.call.partly(&m.out.planOutput, func() error {
			var results []any
			for _, s := range steps {
				done, value, err := m.b.executeStep(ctx, m.call, len(m.out.Steps), s, results)
				if err != nil {
					return err
				}
				done.Arguments = nil // the merged record contains them
				results, m.out.Steps = append(results, value), append(m.out.Steps, done)
			}
			if judged != nil {
				return nil
			}
			return m.compare(r, there, moved)
		})
		if err != nil {
			return err
		}
	}
	m.call.numbers.judge(why, moved)
	if why != nil {
		m.out.Left = append(m.out.Left, leftOut{subject{"request", r.RequestID}, r.Summary, coded(why).MessageText()})
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

// compare refuses a record that changes other data here than the original.
func (m *merging) compare(r *Record, there map[string]*plan.Row, moved map[string]movedRow) error {
	now := m.call.Now.UnixMilli()
	here := map[string]*plan.Row{}
	effects := plan.Changes(m.call.exec.Effects())
	for i := range effects {
		here[effects[i].Row()] = (*plan.Row)(nil).Then(&effects[i], now)
	}
	// there lacks the changes of skipped records; every other row here belongs to a merged record.
	rows := maps.Clone(here)
	for _, e := range plan.Changes(r.Effects) {
		rows[e.Row()] = nil
	}
	for _, row := range slices.Sorted(maps.Keys(rows)) {
		was, is := there[row], here[row]
		if was.IsNothing() && is.IsNothing() {
			continue
		}
		same, by := false, false
		if !was.IsNothing() && !is.IsNothing() && was.Op == is.Op {
			same, by = was.Agrees(is, now)
		}
		switch {
		case by:
			moved[row] = movedRow{was.Table, was.Key, is.Before, is.After, was.After}
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

// stepsOf returns the steps of a record, each with the seed of its numbers.
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
		return []planStep{{Capability: r.Capability, Arguments: r.Arguments, seed: seed}}, nil
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
		s := planStep{Capability: done.Capability, Arguments: done.Arguments, seed: stepSeed(seed, i)}
		if s.Arguments == nil && i < len(in.Steps) {
			s.Arguments = in.Steps[i].Arguments
		}
		steps = append(steps, s)
	}
	return steps, nil
}

// finish sets the summary and facts. It returns an error if no record was merged.
func (m *merging) finish(all int) error {
	var left []Text
	for _, l := range m.out.Left {
		left = append(left, Textf("%s: %s", l.Name, l.Why))
	}
	switch {
	case all == 0:
		return Errorf(PreconditionFailed, ReasonState, "Nothing was changed there: there is nothing to merge.").
			WithHint("Change something on the copy first, or discard it.")
	case m.out.Subjects == 0:
		return Errorf(PreconditionFailed, ReasonState, "Nothing of it can be merged. %s", joined(left, " ")).
			WithHint("Do it here, on the data as it is now, or discard the copy.")
	}
	for _, row := range slices.Sorted(maps.Keys(m.moved)) {
		m.out.Moved = append(m.out.Moved, m.moved[row])
	}
	m.call.Fact("steps", len(m.out.Steps))
	m.call.Fact("left", len(m.out.Left))
	m.call.Summarize("Merge %d of %d changes made on a copy", m.out.Subjects, all)
	return nil
}
