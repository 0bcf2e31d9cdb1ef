package audit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// Replay selects the records to run again, and the log to run them on.
type Replay struct {
	After int64 // begin after this record of the main stream; 0: at the first
	UpTo  int64 // end with this one; 0: with the last
	// Into is the log on which the slice runs: an empty one, or a copy in the state after record After. It must not be
	// the log itself.
	Into *Log
	// Invoke runs one invocation on a bus over Into, usually its [bus.Bus.Invoke]. The invocation has the record's ids,
	// clock, seed, caller and person. The person has every scope, because a record does not contain the scopes. The bus
	// needs an approver that allows everything.
	Invoke func(context.Context, bus.Invocation) bus.Result
	// Skip returns the reason why records of a capability are skipped, such as a file that it reads or writes; "" if
	// they run. It may be nil.
	Skip func(capability string) string
	// Each is called with every outcome in turn. It may be nil.
	Each func(Replayed)
}

// Outcomes of replaying one record.
const (
	ReplaySame      = "same"
	ReplayDifferent = "different"
	ReplaySkipped   = "skipped" // not replayable
)

// Replayed is the outcome for one record.
type Replayed struct {
	Seq        int64  `json:"seq"`
	RequestID  string `json:"request_id"`
	Capability string `json:"capability,omitempty"`
	Outcome    string `json:"outcome"`       // one of the constants above
	Why        string `json:"why,omitempty"` // the difference, or the reason why it cannot run again
}

// ReplayReport sums up a slice.
type ReplayReport struct {
	Same      int64            `json:"same"`
	Different int64            `json:"different"`
	Skipped   map[string]int64 `json:"skipped,omitempty"` // by reason
	// the first that differ, or were skipped although they changed something
	Notable   []Replayed `json:"notable,omitempty"`
	State     string     `json:"state"`               // state hash of this log now
	Reached   string     `json:"reached"`             // state hash of the other log at the end
	Truncated bool       `json:"truncated,omitempty"` // Notable is incomplete
}

// maxNotable limits a report.
const maxNotable = 200

// Replay runs a slice of the main stream again and compares every result and every effect with the record. If the slice
// ends with the log, State and Reached are equal unless a record with a change had to be skipped.
//
// It skips network steps, bulk work, dry runs, replayed answers, records that were redacted or erased, requests about
// the log itself, records for which [Replay.Skip] has a reason, and refusals that depended on circumstances, such as
// other people or running calls, and changed nothing. If the record of a skipped change keeps its rows, they change on
// Into too, because later records may need them. An error means that the replay could not continue.
func (l *Log) Replay(ctx context.Context, r Replay) (ReplayReport, error) {
	report := ReplayReport{Skipped: map[string]int64{}}
	for at := r.After; ; {
		page, err := l.list(ctx, mainStream.selectRecords()+"WHERE r.seq > ? ORDER BY r.seq LIMIT ?", at, maxLimit)
		if err != nil {
			return report, err
		}
		for i := range page {
			at = page[i].Seq
			if r.UpTo > 0 && at > r.UpTo {
				break
			}
			if err := ctx.Err(); err != nil {
				return report, err
			}
			done, err := r.one(ctx, &page[i])
			if err != nil {
				return report, fmt.Errorf("audit: replay record %d: %w", at, err)
			}
			report.add(done, &page[i])
			if r.Each != nil {
				r.Each(done)
			}
		}
		if len(page) < maxLimit || r.UpTo > 0 && at >= r.UpTo {
			break
		}
	}
	var err error
	if report.State, err = l.StateHash(ctx); err != nil {
		return report, err
	}
	report.Reached, err = r.Into.StateHash(ctx)
	return report, err
}

// add counts an outcome, and keeps a notable one.
func (p *ReplayReport) add(done Replayed, r *Record) {
	switch done.Outcome {
	case ReplaySame:
		p.Same++
		return
	case ReplayDifferent:
		p.Different++
	default:
		p.Skipped[done.Why]++
		if len(r.Effects) == 0 && !r.Erased || r.DryRun {
			return
		}
	}
	if len(p.Notable) == maxNotable {
		p.Truncated = true
		return
	}
	p.Notable = append(p.Notable, done)
}

// one runs one record again, with its ids, clock and seed, and compares the result.
func (r *Replay) one(ctx context.Context, rec *Record) (Replayed, error) {
	done := Replayed{Seq: rec.Seq, RequestID: rec.RequestID, Capability: rec.Capability, Outcome: ReplaySkipped}
	seed, err := hex.DecodeString(rec.Seed)
	switch done.Why = rec.notReplayable(); {
	case err != nil:
		done.Why = "its id seed was not kept"
	case done.Why == "" && r.Skip != nil:
		done.Why = r.Skip(rec.Capability)
	}
	if done.Why != "" {
		return done, r.Into.redo(ctx, rec)
	}
	res := r.Invoke(ctx, bus.Invocation{
		Capability: rec.Capability, Arguments: rec.Arguments, RequestID: rec.RequestID, TraceID: rec.TraceID,
		Caller: bus.Caller{Type: bus.CallerType(rec.Caller.Type), Source: rec.Caller.Source,
			ParentRequestID: rec.ParentRequestID, TriggeringMessage: rec.TriggeringMessage, Reasoning: rec.Reasoning},
		Principal: bus.Principal{ID: rec.Caller.Person, Role: rec.Caller.Role, Scopes: []string{"*"},
			Authentication: rec.Caller.Authentication, Door: cmp.Or(rec.Caller.Door, "replay"),
			ConversationID: rec.ConversationID, Model: rec.Model},
		PinnedClock: time.UnixMilli(rec.Time), PinnedSeed: seed, PinnedNumbers: rec.Numbers,
	})
	if err := ctx.Err(); err != nil {
		return done, err
	}
	done.Why, err = r.difference(ctx, rec, &res)
	if done.Outcome = ReplaySame; done.Why != "" {
		done.Outcome = ReplayDifferent
	}
	return done, err
}

// notReplayable returns the reason why a record cannot run again, "" if it can.
func (r *Record) notReplayable() string {
	switch {
	case r.Erased:
		return "erased"
	case len(r.Redacted) > 0:
		return "redacted"
	case r.DryRun:
		return "a dry run"
	case r.Replayed:
		return "answered from an earlier request"
	case bus.SideEffect(r.SideEffect) == bus.Network:
		return "reached outside"
	case slices.ContainsFunc(r.Effects, func(e bus.Effect) bool { return e.Op == bus.Bulk }):
		return "bulk work"
	case (strings.HasPrefix(r.Capability, "audit.") || r.Capability == namePurge) && len(r.Effects) == 0:
		return "about the log"
	case r.Status != "success" && !dependsOnData(r.Code, r.Reason):
		return "refused or failed for reasons outside the data"
	}
	return ""
}

// dependsOnData reports whether a refusal depends on the data only, not on a part that the program lacked.
func dependsOnData(code bus.Code, reason bus.Reason) bool {
	return code == bus.PreconditionFailed && reason != bus.ReasonUnavailable || code == bus.NotFound ||
		code == bus.Validation && reason == bus.ReasonArguments
}

// redo makes the changes of a record that cannot run again. Rows that the record does not keep, or that differ, stay as
// they are: the state hash shows it.
func (l *Log) redo(ctx context.Context, rec *Record) error {
	if rec.DryRun || rec.Status != bus.StatusSuccess {
		return nil
	}
	rows := domainRows(rec)
	for i := range rows {
		e := &rows[i]
		e.Before, e.After = e.After, e.Before
		switch e.Op {
		case bus.Insert:
			e.Op = bus.Delete
		case bus.Delete:
			e.Op = bus.Insert
		case bus.Update:
			e.Key = maps.Clone(e.Key)
			for column := range e.Key {
				if moved, ok := e.Before[column]; ok {
					e.Key[column] = moved
				}
			}
		}
	}
	why, err := l.reverse(ctx, "redo", rec, rows, nil)
	if _, coded := errors.AsType[*bus.Error](why); coded {
		return err
	}
	return errors.Join(err, why)
}

// difference describes the difference between the result and the record, "" for none.
func (r *Replay) difference(ctx context.Context, rec *Record, res *bus.Result) (string, error) {
	var code bus.Code
	var reason bus.Reason
	if res.Err != nil {
		code, reason = res.Err.Code, res.Err.Reason
	}
	switch {
	case res.Status != rec.Status || code != rec.Code || reason != rec.Reason:
		return fmt.Sprintf("it ended with %s, not %s", ending(res.Status, code, reason),
			ending(rec.Status, rec.Code, rec.Reason)), nil
	case !sameJSON(rec.Data, res.Data):
		return "its data", nil
	case !sameJSON(rec.Facts, res.Facts):
		return "its facts", nil
	case len(rec.Effects) == 0:
		return "", nil
	}
	again, err := r.Into.list(ctx, mainStream.selectRecords()+"WHERE r.request_id = ? ORDER BY r.seq DESC LIMIT 1",
		rec.RequestID)
	if err != nil {
		return "", err
	}
	if len(again) == 0 || !reflect.DeepEqual(inOrder(again[0].Effects), inOrder(rec.Effects)) {
		return "its effects", nil
	}
	return "", nil
}

// inOrder sorts effects by their rows, because the order of one statement's changes depends on the places of the rows.
func inOrder(effects []bus.Effect) []bus.Effect {
	out := slices.Clone(effects)
	slices.SortStableFunc(out, func(a, b bus.Effect) int {
		return cmp.Compare(rowName(a.Table, a.Op, a.Key), rowName(b.Table, b.Op, b.Key))
	})
	return out
}

func ending(status bus.Status, code bus.Code, reason bus.Reason) string {
	if code == "" {
		return string(status)
	}
	return fmt.Sprintf("%s (%s)", code, reason)
}

// sameJSON reports whether two values are equal as JSON, for any order of their fields.
func sameJSON(a, b any) bool {
	var plain [2]any
	for i, v := range []any{a, b} {
		raw, isRaw := v.(json.RawMessage)
		if isRaw && len(bytes.TrimSpace(raw)) == 0 {
			continue
		}
		text, err := json.Marshal(v)
		if err != nil || decode(text, &plain[i]) != nil {
			return false
		}
	}
	return reflect.DeepEqual(plain[0], plain[1])
}
