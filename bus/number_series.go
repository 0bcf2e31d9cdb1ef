package bus

import (
	"context"
	"encoding/json"
	"errors"
)

// numbered is an [Exec] with numbers of series, see there.
type numbered interface {
	Partial
	Next(series string, pinned int64) (int64, error)
}

// numbering supplies the numbers of series for the calls of one attempt.
type numbering struct {
	exec     numbered // nil: the journal has no series
	withheld bool     // calls get 0 because their effects are compared first
	asked    bool     // a call drew a number that was withheld
	pinned   map[string][]int64
	given    map[string][]int64
	merged   []judgement // of the records of a merge, while numbers were withheld
}

// judgement is the outcome of a record of a merge: the reason for skipping it, or the rows with other numbers.
type judgement struct {
	why   error
	moved map[string]movedRow
}

// Next draws the next number of a series without gaps, such as the receipts of a year: 1, 2, 3 and so on in the order
// of the commits. A number whose transaction is discarded goes to the next call. Runs that are compared have no
// numbers: a preview, the digest of an approval and a draft get 0, and so does a call outside of a transaction. A
// handler must do the same with 0 as with a number, except that it writes and returns the number.
func (c *Call) Next(series string) (int64, error) {
	n := c.numbers
	switch {
	case series == "":
		return 0, errors.New("bus: a series needs a name")
	case n == nil:
		return 0, nil
	case n.exec == nil:
		return 0, Errorf(PreconditionFailed, ReasonUnavailable, "The journal of this application counts no series.")
	case n.withheld:
		n.asked = true
		return 0, nil
	}
	pinned := int64(0)
	if i := len(n.given[series]); i < len(n.pinned[series]) {
		pinned = n.pinned[series][i]
	}
	number, err := n.exec.Next(series, pinned)
	if err != nil || number == 0 {
		return 0, err
	}
	if n.given == nil {
		n.given = map[string][]int64{}
	}
	n.given[series] = append(n.given[series], number)
	return number, nil
}

// errNumbers undoes a run without numbers.
var errNumbers = errors.New("bus: do it again with numbers")

// attemptInTransaction runs the handler in its transaction. A run that is compared with a preview or with a copy has no
// numbers of series. If it drew some, it is undone, and the handler runs again with numbers.
func (r *run) attemptInTransaction(ctx context.Context, x Exec) (out json.RawMessage, call *Call, err error) {
	counts, _ := x.(numbered)
	without := &numbering{exec: counts, pinned: r.inv.PinnedNumbers}
	without.withheld = counts != nil && (r.shown != nil || r.cap.merges)
	compared := func() {
		out, call, err = r.attemptWith(ctx, r.checkedHandler, r.cap.out, without)
		if err == nil && !r.matchesCard(out, call, x) {
			err = ErrVoid
		}
	}
	if !without.withheld {
		compared()
		return out, call, err
	}
	back := counts.Part(func() error {
		if compared(); err == nil && without.asked {
			return errNumbers
		}
		return nil // a failure ends the whole transaction
	})
	switch {
	case back == nil || err != nil:
		return out, call, err
	case !errors.Is(back, errNumbers):
		return nil, nil, back
	}
	with := &numbering{exec: counts, pinned: without.pinned, merged: without.merged}
	return r.attemptWith(ctx, r.checkedHandler, r.cap.out, with)
}

// judged returns the judgement of record i of a merge from the run without numbers; nil means that it must be compared.
func (n *numbering) judged(i int) *judgement {
	if n == nil || n.withheld || i >= len(n.merged) {
		return nil
	}
	return &n.merged[i]
}

// judge stores the judgement of the next record of a merge.
func (n *numbering) judge(why error, moved map[string]movedRow) {
	if n != nil && n.withheld {
		n.merged = append(n.merged, judgement{why, moved})
	}
}
