package audit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// Replica is a temporary copy of a log with a bus, for one caller who runs recorded requests again.
type Replica struct {
	Log *Log
	// Invoke runs one invocation on the bus, whose approver must allow every call.
	Invoke func(context.Context, bus.Invocation) bus.Result
	// Skip returns the reason why records of a capability do not run: see [Replay]. It may be nil.
	Skip func(capability string) string
	// Close closes the bus and the log, and removes the copy.
	Close func() error

	at   int64 // the record of the log whose state the copy has; 0 for a new copy
	head int64 // the last record of the copy at that time
}

// Rewind brings the copy into the state after a record of the log; each call must go further back. It reverses the
// calls on the copy since then, and the changes of later records, newest first. The same records as with [Log.ReplayOn]
// cannot be reversed. After an error the copy is unusable.
func (r *Replica) Rewind(ctx context.Context, to int64) error {
	return r.rewindTo(ctx, to, func(Replayed) {})
}

// rewindTo reverses the calls on the copy, then the changes of the records after to, and calls each with the outcomes.
func (r *Replica) rewindTo(ctx context.Context, to int64, each func(Replayed)) error {
	newest, err := r.Log.lastHead(ctx, mainStream)
	if err != nil {
		return err
	}
	if r.at == 0 {
		r.at, r.head = newest.seq, newest.seq
	}
	if err := r.rewind(ctx, newest.seq, r.head, each); err != nil {
		return err
	}
	if err := r.rewind(ctx, r.at, to, each); err != nil {
		return err
	}
	newest, err = r.Log.lastHead(ctx, mainStream)
	r.at, r.head = min(r.at, to), newest.seq
	return err
}

// ReplayOn runs the records from to to of this log again on a replica, as [Log.Replay] does. Before, it reverses their
// changes and those of later records there. With to = 0 it ends at the replica's last record. In the report, State is
// the hash that the last of the records once left, and Reached the hash that the replay reached.
//
// Bulk work, a restore, an erased record and one without its rows cannot be reversed: PRECONDITION_FAILED, reason
// state. Rows that a call with a secret only updated, as a sign-in does, stay as they are now. The function progress
// may be nil.
func (l *Log) ReplayOn(ctx context.Context, r *Replica, from, to int64,
	progress func(done, total int64)) (ReplayReport, error) {
	newest, err := r.Log.lastHead(ctx, mainStream)
	if err != nil {
		return ReplayReport{}, err
	}
	last := newest.seq
	base, err := l.checkpoint(ctx, mainStream)
	if err != nil {
		return ReplayReport{}, err
	}
	if to == 0 || to > last {
		to = last
	}
	if from <= base.seq || from > to {
		return ReplayReport{}, bus.Errorf(bus.Validation, bus.ReasonArguments, "There are no records from %d to %d.", from,
			to).
			WithHint("The log has records %d to %d.", base.seq+1, last)
	}
	done, total := int64(0), last-from+1+to-from+1
	step := func(Replayed) {
		if done++; progress != nil {
			progress(done, total)
		}
	}
	if err := r.rewindTo(ctx, to, step); err != nil {
		return ReplayReport{}, err
	}
	then, err := r.Log.StateHash(ctx)
	if err != nil {
		return ReplayReport{}, err
	}
	if err := r.rewindTo(ctx, from-1, step); err != nil {
		return ReplayReport{}, err
	}
	report, err := l.Replay(ctx, Replay{After: from - 1, UpTo: to, Into: r.Log, Invoke: r.Invoke,
		Skip: r.Skip, Each: step})
	report.State = then
	return report, err
}

// rewind reverses the changes of the records after to and up to from, newest first.
func (r *Replica) rewind(ctx context.Context, from, to int64, each func(Replayed)) error {
	for from > to {
		page, err := r.Log.list(ctx, mainStream.selectRecords()+"WHERE r.seq <= ? AND r.seq > ? ORDER BY r.seq DESC LIMIT ?",
			from, to, maxLimit)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			return nil
		}
		for i := range page {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := r.takeBack(ctx, &page[i]); err != nil {
				return err
			}
			from = page[i].Seq - 1
			each(Replayed{})
		}
	}
	return nil
}

// takeBack reverses the changes of one record.
func (r *Replica) takeBack(ctx context.Context, rec *Record) error {
	rows := slices.DeleteFunc(domainRows(rec), func(e bus.Effect) bool { return len(rec.Redacted) > 0 && onlyUpdates(e) })
	unknown := rec.Erased && rec.Status == bus.StatusSuccess && bus.SideEffect(rec.SideEffect) != bus.Pure
	if rec.DryRun || len(rows) == 0 && !unknown {
		return nil
	}
	why := notUndoable("Its details were erased.")
	if !unknown {
		var err error
		if why, err = r.Log.reverse(ctx, "rewind", rec, rows, rec.Numbers); err != nil {
			return err
		}
	}
	if coded, ok := errors.AsType[*bus.Error](why); ok {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The copy cannot be taken back behind record %d (%s). %s",
			rec.Seq, rec.Capability, coded.Message).
			WithHint("Begin with a later record: %d.", rec.Seq+1)
	}
	if why != nil {
		return fmt.Errorf("audit: take back record %d: %w", rec.Seq, why)
	}
	return nil
}

// onlyUpdates reports whether bulk work neither inserted nor deleted a row. Its counts are numbers of any type.
func onlyUpdates(e bus.Effect) bool {
	return e.Op == bus.Bulk && fmt.Sprintf("%v %v", e.After["inserted"], e.After["deleted"]) == "0 0"
}

// domainRows returns the effects of a record without those on the log itself, which are no rows of the domain.
func domainRows(rec *Record) []bus.Effect {
	return slices.DeleteFunc(slices.Clone(rec.Effects), func(e bus.Effect) bool {
		return e.Op == bus.Bulk && isReserved(e.Table) && e.Before == nil
	})
}

// reverse reverses effects in a separate request, and counts the series back behind numbers.
func (l *Log) reverse(ctx context.Context, name string, rec *Record, effects []bus.Effect,
	numbers map[string][]int64) (why, err error) {
	if len(effects) == 0 {
		return nil, nil
	}
	id := name + " " + rec.RequestID
	e := &bus.Entry{Kind: bus.KindInvocation, Invocation: bus.Invocation{Capability: "audit." + name, RequestID: id,
		TraceID: id, Arguments: json.RawMessage("{}")}, Result: bus.Result{Status: bus.StatusSuccess}}
	err = l.Do(ctx, e, func(ctx context.Context, _ bus.Exec) error {
		if why = l.undo(ctx, effects); why != nil {
			return why
		}
		return Tx(ctx).ownChange(ctx, func(b *batch) error { return b.countBack(numbers) })
	})
	return why, err
}
