package audit

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/deskhand/deskhand/bus"
)

// errDied means that the shared transaction is gone: a statement in it ended it.
var errDied = errors.New("audit: a statement ended the transaction")

// batch is one transaction of the writer.
type batch struct {
	w     *writer
	heads map[*stream]*head // read when first needed: another program may have written
	fresh []string          // capability names this transaction gave numbers to
	wrote bool
	buf   []byte
}

// head is the last record of a stream.
type head struct {
	seq  int64
	hash []byte
}

func (w *writer) begin() (*batch, error) {
	leave := w.l.store.turn.enter(context.Background())
	defer leave()
	// SQLite's own waiting sleeps for longer than another program's commit takes.
	pause := 20 * time.Microsecond
	for waited := time.Duration(0); ; waited += pause {
		_, err := w.session.exec("BEGIN IMMEDIATE")
		if err == nil {
			return &batch{w: w, heads: map[*stream]*head{}}, nil
		}
		if !isBusy(err) || waited > w.patience {
			return nil, err
		}
		pause = min(2*pause, time.Millisecond)
		time.Sleep(pause)
	}
}

func isBusy(err error) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_BUSY
}

func (b *batch) rollback() {
	// The transaction may be gone already; what counts is that none is open.
	_, _ = b.w.session.exec("ROLLBACK")
	for _, name := range b.fresh {
		delete(b.w.numbers, name)
	}
}

func (b *batch) commit() error {
	if !b.wrote {
		b.rollback()
		return nil
	}
	for s, h := range b.heads {
		if _, err := b.w.session.exec("UPDATE audit_heads SET seq = ?, hash = ? WHERE stream = ?", h.seq, h.hash, s.name); err != nil {
			return err
		}
	}
	_, err := b.w.session.exec("COMMIT")
	return err
}

// member does one piece of work. What went wrong for it alone is k.err; an error
// ends the transaction.
func (b *batch) member(k *work) error {
	switch k.kind {
	case workRecord:
		return b.record(k.row, k.entry)
	case workOther:
		err := k.extra(b)
		var own *bus.Error
		if errors.As(err, &own) {
			k.err, err = own, nil
		}
		return err
	}
	if err := k.ctx.Err(); err != nil {
		k.err = err
		return nil
	}
	return b.run(k)
}

// run executes a handler's part behind a savepoint, and writes its record
// outside of it: a handler that failed is recorded too.
func (b *batch) run(k *work) error {
	c := &capture{}
	if k.entry.Bulk {
		c.bulk = newBulk()
	}
	txn := &Txn{checked: &b.w.l.checked, session: b.w.session, capture: c}
	b.w.capture = c
	x := &exec{b: b, capture: c, txn: txn, key: k.entry.Key}
	k.outcome = guarded(k.run, withTxn(k.ctx, txn), x)
	txn.end()
	b.w.capture = nil

	k.entry.Effects = c.effects()
	switch {
	case errors.Is(c.err, errDied):
		return errDied
	case k.kind == workDry:
		k.err = k.outcome
		return b.undo(txn)
	case k.outcome != nil:
		return b.recordFailure(k, txn)
	case c.err != nil: // also when the handler hid it
		k.err = c.err
		return b.undo(txn)
	}
	return b.recordSuccess(k, txn, x.free)
}

func (b *batch) recordSuccess(k *work, txn *Txn, keyIsFree bool) error {
	r, err := newRow(k.entry, b.w.l.o.Clock)
	if err == nil && !keyIsFree {
		err = b.claim(k.entry)
	}
	if err != nil {
		k.err = err
		return b.undo(txn)
	}
	if txn.saved {
		if _, err := b.w.session.exec("RELEASE " + savepoint); err != nil {
			return fmt.Errorf("%w: %w", errDied, err)
		}
	}
	return b.record(r, k.entry)
}

func (b *batch) recordFailure(k *work, txn *Txn) error {
	k.entry.Effects = nil
	if err := b.undo(txn); err != nil {
		return err
	}
	if !recordable(k.outcome) {
		k.err = k.outcome
		return nil
	}
	r, err := newRow(k.entry, b.w.l.o.Clock)
	if err != nil {
		k.err = err
		return nil
	}
	return b.record(r, k.entry)
}

// recordable tells a run that has come to a result from one that has none.
func recordable(outcome error) bool {
	var p *panicError
	return outcome != nil && !errors.Is(outcome, bus.ErrDiscard) && !errors.As(outcome, &p)
}

// undo takes back what a run changed.
func (b *batch) undo(txn *Txn) error {
	if !txn.saved {
		return nil
	}
	for _, text := range []string{"ROLLBACK TO " + savepoint, "RELEASE " + savepoint} {
		if _, err := b.w.session.exec(text); err != nil {
			return fmt.Errorf("%w: %w", errDied, err)
		}
	}
	return nil
}

// record chains r to its stream and stores it, and the entry's result under its
// key. Any error ends the transaction: a record may not be lacking.
func (b *batch) record(r *row, e *bus.Entry) error {
	h, err := b.head(r.stream)
	if err != nil {
		return err
	}
	number, err := b.number(r.capability)
	if err != nil {
		return err
	}
	salt := make([]byte, saltSize)
	if _, err := io.ReadFull(b.w.l.o.Rand, salt); err != nil {
		return fmt.Errorf("draw a salt: %w", err)
	}
	digest := payloadDigest(salt, r.body)
	r.seq, r.payloadHash = h.seq+1, digest[:]
	b.buf = r.appendHashed(b.buf[:0], r.stream, h.hash)
	hash := sha256.Sum256(b.buf)
	b.wrote = true
	if _, err := b.w.session.exec(r.stream.insertRecord, r.seq, r.time, r.kind, r.request, null(r.trace), null(r.parent),
		null(r.convo), null(r.callerType), null(r.person), number, null(r.sideEffect), r.status, null(r.code), r.detail,
		r.payloadHash, h.hash, hash[:]); err != nil {
		return fmt.Errorf("store a record: %w", err)
	}
	if _, err := b.w.session.exec(r.stream.insertPayload, r.seq, salt, r.body); err != nil {
		return fmt.Errorf("store a payload: %w", err)
	}
	b.heads[r.stream] = &head{seq: r.seq, hash: hash[:]}
	return b.storeResult(e, r.seq)
}

const saltSize = 16

// head is the stream's last record as this transaction sees it.
func (b *batch) head(s *stream) (*head, error) {
	if h := b.heads[s]; h != nil {
		return h, nil
	}
	h := &head{}
	if err := b.w.session.scan("SELECT seq, hash FROM audit_heads WHERE stream = ?", []any{s.name}, &h.seq, &h.hash); err != nil {
		return nil, fmt.Errorf("read the head: %w", err)
	}
	b.heads[s] = h
	return h, nil
}

// number finds a capability's number in the dictionary, or gives it one.
func (b *batch) number(name string) (any, error) {
	if name == "" {
		return nil, nil
	}
	if n, ok := b.w.numbers[name]; ok {
		return n, nil
	}
	var n int64
	err := b.w.session.scan("SELECT id FROM audit_capabilities WHERE name = ?", []any{name}, &n)
	if errors.Is(err, sql.ErrNoRows) {
		err = b.w.session.scan("INSERT INTO audit_capabilities (name) VALUES (?) RETURNING id", []any{name}, &n)
	}
	if err != nil {
		return nil, fmt.Errorf("number the capability %q: %w", name, err)
	}
	if len(b.w.numbers) >= maxStatements {
		clear(b.w.numbers) // names that nobody registered may be many
	}
	b.w.numbers[name] = n
	b.fresh = append(b.fresh, name)
	return n, nil
}

func null(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// exec is what a running handler's bus may ask.
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
	prior, err := x.b.prior(*x.key)
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

// panicError is a run that panicked.
type panicError struct {
	value any
	stack []byte
}

func (p *panicError) Error() string {
	return fmt.Sprintf("audit: the run panicked: %v\n%s", p.value, p.stack)
}

func guarded(run func(context.Context, bus.Exec) error, ctx context.Context, x bus.Exec) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &panicError{p, debug.Stack()}
		}
	}()
	return run(ctx, x)
}
