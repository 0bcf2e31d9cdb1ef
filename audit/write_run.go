package audit

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/deskhand/deskhand/bus"
)

// run executes a handler's part behind a savepoint, and writes its record outside of it, because a failed handler is
// recorded too.
func (b *batch) run(k *work) error {
	c := &capture{}
	k.erased = false
	if k.entry.Bulk {
		c.bulk = newBulk()
	}
	txn := &Txn{checked: &b.w.l.checked, session: b.w.session, capture: c, batch: b, entry: k.entry, search: k.search}
	b.w.capture = c
	x := &exec{b: b, capture: c, txn: txn, key: k.entry.Key}
	k.runErr = b.w.l.explain(guarded(k.run, withTxn(k.ctx, txn), x))
	txn.end()
	b.w.capture, b.next = nil, txn.next
	if txn.saved {
		if err := captureChanges(b.w.session.conn, nil, nil); err != nil {
			return err
		}
	}

	k.entry.Effects = c.effects()
	if caller := &k.entry.Invocation.Caller; caller.ParentRequestID == "" {
		caller.ParentRequestID = txn.parent
	}
	switch {
	case errors.Is(c.err, errTransactionLost):
		return errTransactionLost
	case errors.As(c.err, new(*needsSearchError)): // it runs again
		k.err = c.err
		return b.rollbackRun(txn)
	case k.kind == workDry:
		if k.err = k.runErr; k.err == nil {
			k.err = c.err
		}
		return b.rollbackRun(txn)
	case k.kind == workBridge:
		return b.finishBridge(k, txn)
	case k.runErr != nil:
		return b.recordFailure(k, txn)
	case c.err != nil: // even if the handler hid it
		k.err = c.err
		return b.rollbackRun(txn)
	}
	return b.recordSuccess(k, txn, x.free)
}

// recordSuccess keeps the changes of a run and writes its record. A run that restores a copy is recorded in the copy.
func (b *batch) recordSuccess(k *work, txn *Txn, keyIsFree bool) error {
	if b.next != nil && len(k.entry.Effects) > 0 {
		k.err = errors.New("audit: a handler that restores changes nothing else")
		return b.rollbackRun(txn)
	}
	if err := b.addStates(k.entry.Effects); err != nil {
		return err
	}
	k.entry.Effects = append(k.entry.Effects, txn.ownEffects...)
	var rows *erasedRows
	if txn.erased {
		k.erased = true
		about := newErasureTerms(txn.search.terms)
		stripContent(k.entry, about)
		rows = txn.erasedRows.without(about.identifying())
	}
	r, err := b.w.l.newRow(k.entry, txn.erasedNumbers, rows)
	if err == nil && !keyIsFree {
		err = b.claim(k.entry)
	}
	if err != nil {
		k.err = err
		return b.rollbackRun(txn)
	}
	if txn.saved {
		if _, err := b.w.session.exec("RELEASE " + savepoint); err != nil {
			return fmt.Errorf("%w: %w", errTransactionLost, err)
		}
	}
	if b.next != nil {
		b.last, b.entry = r, k.entry
		return nil
	}
	return b.record(r, k.entry)
}

// recordFailure rolls back the changes of a failed run and writes its record without effects.
func (b *batch) recordFailure(k *work, txn *Txn) error {
	k.entry.Effects = nil
	if err := b.rollbackRun(txn); err != nil {
		return err
	}
	if !recordable(k.runErr) {
		k.err = k.runErr
		return nil
	}
	r, err := b.w.l.newRow(k.entry, nil, nil)
	if err != nil {
		k.err = err
		return nil
	}
	return b.record(r, k.entry)
}

// recordable reports whether a run has a result to record.
func recordable(outcome error) bool {
	return outcome != nil && !errors.Is(outcome, bus.ErrDiscard) && !errors.As(outcome, new(*panicError))
}

// rollbackRun rolls back the changes of a run.
func (b *batch) rollbackRun(txn *Txn) error {
	if !txn.saved {
		return nil
	}
	for _, text := range []string{"ROLLBACK TO " + savepoint, "RELEASE " + savepoint} {
		if _, err := b.w.session.exec(text); err != nil {
			return fmt.Errorf("%w: %w", errTransactionLost, err)
		}
	}
	return nil
}

// exec implements [bus.Exec] for a running handler.
type exec struct {
	b       *batch
	txn     *Txn
	capture *capture
	key     *bus.Key
	free    bool // the key was looked up in this transaction and had no result
}

// Prior implements [bus.Exec].
func (x *exec) Prior() *bus.Stored {
	if x.key == nil {
		return nil
	}
	x.txn.mu.Lock()
	defer x.txn.mu.Unlock()
	if x.txn.ended != nil {
		return nil
	}
	prior, err := x.b.prior(x.key)
	if err != nil {
		x.capture.err = err // the run cannot be kept: it might be the second one
	}
	x.free = prior == nil && err == nil
	return prior
}

// Effects implements [bus.Exec].
func (x *exec) Effects() []bus.Effect {
	x.txn.mu.Lock()
	defer x.txn.mu.Unlock()
	return x.capture.effects()
}

// part is the name of the savepoint around a part of an entry's changes.
const part = "part"

// Part implements [bus.Partial].
func (x *exec) Part(run func() error) error {
	t := x.txn
	mark, err := t.beginPart()
	if err != nil {
		return err
	}
	failed := run()
	return errors.Join(failed, t.endPart(mark, failed != nil))
}

// Next draws a number of a series, as [bus.Exec] describes.
func (x *exec) Next(series string, pinned int64) (number int64, err error) {
	err = x.txn.ownChange(context.Background(), func(b *batch) error {
		number, err = b.drawNumber(series, pinned)
		return err
	})
	return number, err
}

func (t *Txn) beginPart() (mark int, err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.beginOwn(context.Background()); err != nil {
		return 0, err
	}
	_, err = t.session.exec("SAVEPOINT " + part)
	return t.capture.mark(), err
}

// endPart releases the savepoint of a part, and rolls back the changes since the mark if back is set.
func (t *Txn) endPart(mark int, back bool) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended != nil {
		return t.ended
	}
	for len(t.open) > 0 {
		_ = t.open[0].close() // they only read
	}
	if back {
		if _, err := t.session.exec("ROLLBACK TO " + part); err != nil {
			return fmt.Errorf("%w: %w", errTransactionLost, err)
		}
		t.capture.cut(mark)
	}
	if _, err := t.session.exec("RELEASE " + part); err != nil {
		return fmt.Errorf("%w: %w", errTransactionLost, err)
	}
	return nil
}

// panicError is the panic of a run.
type panicError struct {
	value any
	stack []byte
}

func (p *panicError) Error() string {
	return fmt.Sprintf("audit: the run panicked: %v\n%s", p.value, p.stack)
}

// guarded calls run and returns a panic as a [panicError], so that the writer survives it.
func guarded(run func(context.Context, bus.Exec) error, ctx context.Context, x bus.Exec) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{p, debug.Stack()}
		}
	}()
	return run(ctx, x)
}
