package audit

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

// readDelay limits the wait of a person's read for others that share its commit.
const readDelay = 100 * time.Millisecond

// work is one call. From submit until done is closed, the writer owns its fields.
type work struct {
	kind        workKind
	by          *Log // the log that must not receive the record itself; nil: no log receives it
	ctx         context.Context
	entry       *bus.Entry
	row         *row // prepared for workRecord
	run         func(context.Context, bus.Exec) error
	bookkeeping func(*batch) error // for workBookkeeping, in place of run

	state atomic.Int32 // see workQueued

	search *erasureSearch // the terms that run may erase
	erased bool           // run has erased data

	runErr error // the error of run
	err    error // the error for the caller
	done   chan struct{}
}

// The states of work with a context. A caller whose context ends leaves work that has not begun; the writer does not
// begin work that was left.
const (
	workQueued int32 = iota
	workBegun
	workLeft
)

// begin reports whether the caller still waits. Work may begin more than once.
func (k *work) begin() bool {
	return k.state.CompareAndSwap(workQueued, workBegun) || k.state.Load() == workBegun
}

// gone is closed when the caller may leave.
func (k *work) gone() <-chan struct{} {
	if k.ctx == nil {
		return nil
	}
	return k.ctx.Done()
}

type workKind int

const (
	workDo          workKind = iota // run, record
	workDry                         // run, roll back
	workRecord                      // record
	workBookkeeping                 // bookkeeping
	workBridge                      // run, no record
)

// writer owns the writing connection. One goroutine drains the queue and stores all of it in one commit.
type writer struct {
	l       *Log
	session *session
	salts   *bufio.Reader // of the payloads; the goroutine's
	capture *capture      // of the run in progress; set and cleared by the goroutine

	queue     chan *work
	unawaited atomic.Int64 // queued entries without a waiting caller

	mu      sync.RWMutex // held for reading while work is added to queue
	stopped bool         // guarded by mu
	ended   chan struct{}

	patience  time.Duration    // limit of the wait for the write lock
	numbers   map[string]int64 // capability name → number in the dictionary; the goroutine's
	headCache headCache        // of the streams; the goroutine's
	// recent holds the hashes of the last records, which fill no tile of the tree yet, if known; the goroutine's.
	recent   [][chain.Size]byte
	treeless bool // set by a benchmark: no tree is kept
	// uncounted holds the records that are not in the roll-ups yet, unless another program has written; the
	// goroutine's.
	uncounted  rollup
	recentKeys recentKeys             // the goroutine's
	keys       int                    // stored since the start; the goroutine's
	lastShared bool                   // the last transaction was shared; the goroutine's
	long       atomic.Bool            // the transaction, or the wait for it, takes long
	running    atomic.Pointer[string] // the capability whose handler runs in the transaction
	waitsFor   atomic.Pointer[string] // during a wait for the write lock: the note of other programs before it
	unindexed  bool                   // records wait to be indexed; the goroutine's
	queued     chan struct{}          // has a value if words were queued for the scrubber
	walStale   bool                   // the write-ahead log has older images of scrubbed pages; the goroutine's
}

func startWriter(l *Log) (*writer, error) {
	w := &writer{l: l, queued: make(chan struct{}, 1), session: newSession(l.store.conn), salts: bufio.NewReader(l.o.Rand),
		queue: make(chan *work, l.o.MaxBatch),
		ended: make(chan struct{}), patience: busyTimeout, numbers: map[string]int64{}, unindexed: true}
	if err := watchRollback(l.store.conn, func() *capture { return w.capture }); err != nil {
		return nil, err
	}
	go w.loop()
	return w, nil
}

// submit queues k and waits until it is committed or has failed. It returns early if k's context ends before
// k begins.
func (w *writer) submit(k *work) error {
	k.done = make(chan struct{})
	if err := w.enqueue(k); err != nil {
		return err
	}
	gone := k.gone()
	for {
		select {
		case <-k.done:
			return k.err
		case <-gone:
			if k.state.CompareAndSwap(workQueued, workLeft) {
				return w.tooLate(k.ctx)
			}
			gone = nil
		case <-w.ended: // it was answered before, unless the goroutine died
			select {
			case <-k.done:
				return k.err
			default:
				return errClosed
			}
		}
	}
}

// tooLate is the error of work that did not begin before its context ended.
func (w *writer) tooLate(ctx context.Context) error {
	if with := w.busyWith(); with != "" && errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return errBusyWith(with, bus.ReasonTimeout)
	}
	return ctx.Err()
}

// submitLater queues k and returns at once.
func (w *writer) submitLater(k *work) error {
	w.unawaited.Add(1)
	err := w.enqueue(k)
	if err != nil {
		w.unawaited.Add(-1)
	}
	return err
}

// enqueue adds work to the queue, and waits while the queue is full.
func (w *writer) enqueue(k *work) error {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.stopped {
		return errClosed
	}
	select {
	case w.queue <- k:
		return nil
	case <-k.gone():
		return w.tooLate(k.ctx)
	case <-w.ended:
		return errClosed
	}
}

// bookkeep runs f inside a commit. A coded error of f goes to its caller and does not affect the other members; f must
// not have written then.
func (w *writer) bookkeep(f func(*batch) error) error {
	return w.submit(&work{kind: workBookkeeping, bookkeeping: f})
}

// flush returns when every read recorded before is stored. Inside a handler of the writer it returns at once.
func (w *writer) flush(ctx context.Context) error {
	if w.unawaited.Load() == 0 || refuseNested(ctx) != nil {
		return nil
	}
	return w.submit(&work{kind: workBookkeeping, ctx: ctx, bookkeeping: func(*batch) error { return nil }})
}

// stop answers the queued work and ends the goroutine.
func (w *writer) stop() {
	w.mu.Lock()
	w.stopped = true
	close(w.queue)
	w.mu.Unlock()
	<-w.ended
	w.session.forget()
}

// loop gathers the queued work. It holds back entries without a waiting caller until another caller waits, there are
// many, or readDelay is over. After a pause without work it indexes words.
func (w *writer) loop() {
	defer close(w.ended)
	var members []*work
	var late, calm <-chan time.Time
	for {
		if calm == nil && w.unindexed {
			calm = time.After(w.l.o.IndexAfter)
		}
		select {
		case k, ok := <-w.queue:
			if !ok {
				w.commit(members)
				return
			}
			members, calm = append(members, k), nil
			members = w.drain(members)
		case <-calm:
			w.indexWhenIdle()
			calm = nil
			if w.unindexed {
				calm = time.After(indexPause)
			}
			continue
		case <-late:
			w.commit(members)
			members, late = members[:0], w.truncateWALLater()
			continue
		}
		switch {
		case awaited(members) || len(members) >= w.l.o.MaxBatch:
			w.commit(members)
			members, late = members[:0], w.truncateWALLater()
		case late == nil:
			late = time.After(readDelay)
		}
	}
}

// drain takes the queued work without waiting.
func (w *writer) drain(members []*work) []*work {
	for len(members) < w.l.o.MaxBatch {
		select {
		case k, ok := <-w.queue:
			if !ok {
				return members
			}
			members = append(members, k)
		default:
			return members
		}
	}
	return members
}

func awaited(members []*work) bool {
	return slices.ContainsFunc(members, func(k *work) bool { return k.done != nil })
}

// commit stores the work of the members, if there are any, and of those that join, and answers them.
func (w *writer) commit(members []*work) {
	if len(members) > 0 {
		members = w.share(members)
	}
	w.truncateWAL()
	for _, k := range members {
		w.answer(k)
	}
}

// share runs all members in one transaction, and returns them with those that joined. If the transaction fails, each
// member gets its own, so that only the one that ended it fails.
func (w *writer) share(members []*work) []*work {
	members, err := w.transaction(members, w.admit)
	w.lastShared = len(members) > 1
	var locked *lockedError
	switch {
	case err == nil:
	case len(members) == 1 || errors.As(err, &locked):
		for _, k := range members {
			w.fail(k, err)
		}
	default:
		for i, k := range members {
			if _, err := w.transaction(members[i:i+1], admitNone); err != nil {
				w.fail(k, err)
			}
		}
	}
	return members
}

// admit takes the work that was queued meanwhile. After a shared commit its callers are about to come again, so it lets
// them run first: a commit has the same cost for few as for many.
func (w *writer) admit(members []*work) []*work {
	n := len(members)
	if members = w.drain(members); len(members) == n && w.lastShared {
		runtime.Gosched()
		members = w.drain(members)
	}
	return members
}

// admitNone lets no work join a transaction.
func admitNone(members []*work) []*work { return members }

// answer must be called only after the commit.
func (w *writer) answer(k *work) {
	if k.done != nil {
		close(k.done)
		return
	}
	w.unawaited.Add(-1)
	if k.err != nil {
		w.l.o.Logger.Error("audit: an entry was not recorded", "request_id", k.entry.Invocation.RequestID, "error", k.err)
	}
}

// fail answers work whose own transaction failed.
func (w *writer) fail(k *work, died error) {
	if k.kind == workDo && errors.Is(died, errTransactionLost) && recordable(k.runErr) {
		died = w.recordLost(k)
	}
	k.err = nil
	if died != nil {
		k.err = fmt.Errorf("audit: the journal could not commit: %w", w.l.explain(died))
	}
}

// lockedError means that another program holds the write lock for too long.
type lockedError struct {
	cause   error
	running string // the capability that it runs, if that is known
}

func (e *lockedError) Error() string {
	return "another program keeps the file locked: " + e.cause.Error()
}
func (e *lockedError) Unwrap() error { return e.cause }

// transaction runs members inside one commit. After the last of them, join may add more, so that all waiting callers
// share the commit, even if they arrive slowly. It returns all members; an error means that nothing is stored.
func (w *writer) transaction(members []*work, join func([]*work) []*work) (_ []*work, err error) {
	defer w.watchLong()()
	b, err := w.begin()
	if err != nil {
		err = &lockedError{err, w.busyWith()}
	}
	w.waitsFor.Store(nil)
	if err != nil {
		return members, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, b.next.discard())
			b.rollback()
		}
	}()
	for i := 0; i < len(members); i++ {
		k := members[i]
		b.alone = len(members) == 1
		k.err = nil
		if err := b.member(k); err != nil {
			return members, err
		}
		if i == len(members)-1 && b.next == nil { // no member joins a transaction that replaces the file
			members = join(members)
		}
	}
	if err := b.commit(); err != nil {
		return members, err
	}
	w.l.watchers.publish(b.events)
	w.unindexed = w.unindexed || b.leavesUnindexed()
	return members, nil
}

// recordLost records the failure of a run that ended the transaction in which it was alone.
func (w *writer) recordLost(k *work) error {
	k.entry.Effects = nil
	r, err := w.l.newRow(k.entry, nil, nil)
	if err != nil {
		return err
	}
	_, err = w.transaction([]*work{{kind: workRecord, entry: k.entry, row: r}}, admitNone)
	return err
}
