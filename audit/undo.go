package audit

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/deskhand/deskhand/bus"
)

// errChangedSince is the error if the rows are no longer as the request left them, or later changes depend on them.
var errChangedSince = bus.Errorf(bus.Conflict, bus.ReasonChanged,
	"What this request changed was changed again since, so it was not undone.").
	WithHint("Look at the present state, undo what came later first, or change it by hand.")

// errUndone is the error if the rows are as an undo left them.
var errUndone = bus.Errorf(bus.Conflict, bus.ReasonChanged, "This request was undone already.").
	WithHint("To have it back, undo the undo.")

// undo applies the inverse of effects in the transaction of ctx. It compares every row with their result, restores
// every row, and checks that no other row was changed: a newer row that would be deleted with its parent is a CONFLICT
// too.
func (l *Log) undo(ctx context.Context, effects []bus.Effect) error {
	steps, err := l.invert(effects)
	if err != nil {
		return err
	}
	for _, s := range steps {
		if err := s.compare(ctx); err != nil {
			return err
		}
	}
	if err := applySteps(ctx, steps); err != nil {
		return err
	}
	return checkNothingElseChanged(ctx, steps)
}

// invert returns the steps that reverse effects: rows are restored before rows that refer to them change, and rows are
// deleted last.
func (l *Log) invert(effects []bus.Effect) ([]*step, error) {
	var back, change, gone []*step
	for i := range effects {
		s, err := l.inverse(&effects[i])
		if err != nil {
			return nil, err
		}
		switch s.op {
		case bus.Insert:
			back = append(back, s)
		case bus.Update:
			change = append(change, s)
		case bus.Delete:
			gone = append(gone, s)
		}
	}
	slices.Reverse(back)
	slices.Reverse(change)
	slices.Reverse(gone)
	return slices.Concat(back, change, gone), nil
}

// applySteps runs the steps in a sequence that the constraints allow: a step that violates a constraint waits for the
// others. Every pass reverses the direction, so that a chain of rows takes two passes instead of one for each row.
// Steps that depend on each other, such as two rows that refer to each other or swapped a unique value, cannot be
// reversed.
func applySteps(ctx context.Context, steps []*step) error {
	stuck := 0
	for len(steps) > 0 && stuck < 2 {
		var waiting []*step
		for _, s := range steps {
			switch err := s.apply(ctx); {
			case isConstraint(err):
				waiting = append(waiting, s)
			case err != nil:
				return err
			}
		}
		if stuck++; len(waiting) < len(steps) {
			stuck = 0
		}
		slices.Reverse(waiting)
		steps = waiting
	}
	if len(steps) > 0 {
		return errChangedSince
	}
	return nil
}

func isConstraint(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_CONSTRAINT
}

// checkNothingElseChanged compares the changes of the transaction with the steps.
func checkNothingElseChanged(ctx context.Context, steps []*step) error {
	wanted := make(map[string]bool, len(steps))
	for _, s := range steps {
		wanted[rowName(s.table.name, s.op, s.key)] = true
	}
	t := Tx(ctx)
	t.mu.Lock()
	did := t.capture.effects()
	t.mu.Unlock()
	for _, e := range did {
		if !wanted[rowName(e.Table, e.Op, e.Key)] {
			return errChangedSince
		}
	}
	if len(did) != len(steps) {
		return errChangedSince
	}
	return nil
}

func rowName(table string, op bus.Op, key map[string]any) string {
	name, err := json.Marshal([]any{table, op, key})
	if err != nil {
		return "" // a column's value can always be marshalled
	}
	return string(name)
}
