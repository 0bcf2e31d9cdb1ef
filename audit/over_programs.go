package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/filelock"
)

// Bucket reads the bucket of a capability's rate limit, as [bus.Shared] describes.
func (l *Log) Bucket(ctx context.Context, capability string) (bus.Bucket, error) {
	s, err := l.lookups.take(ctx)
	if err != nil {
		return bus.Bucket{}, fmt.Errorf("audit: read a rate limit: %w", err)
	}
	defer l.lookups.give(s, true)
	return bucket(s, capability)
}

// Bucket is [Log.Bucket] inside the transaction.
func (x *exec) Bucket(_ context.Context, capability string) (bus.Bucket, error) {
	x.txn.mu.Lock()
	defer x.txn.mu.Unlock()
	if x.txn.ended != nil {
		return bus.Bucket{}, x.txn.ended
	}
	return bucket(x.b.w.session, capability)
}

// bucket reads the stored bucket of a capability, the zero Bucket if it was never used.
func bucket(s *session, capability string) (b bus.Bucket, err error) {
	err = s.scan("SELECT full_at, used_at FROM audit_buckets WHERE capability = ?", []any{capability}, &b.FullAt,
		&b.UsedAt)
	if errors.Is(err, sql.ErrNoRows) {
		return bus.Bucket{}, nil
	}
	if err != nil {
		return b, fmt.Errorf("audit: read the rate limit of %s: %w", capability, err)
	}
	return b, nil
}

// tokenTaken returns the bucket without the token of an entry; a coded error means that no token is left.
func (b *batch) tokenTaken(e *bus.Entry) (bus.Bucket, error) {
	left, err := bucket(b.w.session, e.Invocation.Capability)
	if err == nil {
		left, err = e.Token(left)
	}
	return left, err
}

// takeToken takes the token of an entry, if it needs one; a coded error means that no token is left.
func (b *batch) takeToken(e *bus.Entry) error {
	if e == nil || e.Token == nil {
		return nil
	}
	left, err := b.tokenTaken(e)
	if err != nil {
		return err
	}
	_, err = b.w.session.exec("INSERT INTO audit_buckets (capability, full_at, used_at) VALUES (?1, ?2, ?3) "+
		"ON CONFLICT (capability) DO UPDATE SET full_at = ?2, used_at = ?3", e.Invocation.Capability, left.FullAt,
		left.UsedAt)
	return err
}

// Slot waits for the turn of a concurrency group among all programs on the log, as [bus.Shared] describes.
func (l *Log) Slot(ctx context.Context, group string, depth int) (give func(), err error) {
	give, err = filelock.NewQueue(l.store.path, group).Enter(ctx, depth)
	if err != nil {
		return nil, fmt.Errorf("audit: wait for %s: %w", group, err)
	}
	return give, nil
}

// SlotFull reports whether a call of a group could neither run nor wait.
func (l *Log) SlotFull(group string, depth int) (bool, error) {
	return filelock.NewQueue(l.store.path, group).Full(depth)
}

// Program names this program among those that have the log open, for rows that belong to a program.
func (l *Log) Program() (string, error) { return l.liveness.ID() }

// ProgramEnded reports whether the program of that name has exited or was killed.
func (l *Log) ProgramEnded(program string) (bool, error) { return l.liveness.Gone(program) }

// DataVersion identifies the present state of the domain's tables, as [bus.Shared] describes. It is the number of the
// last record in the main stream, because every change by any program has a record there. Mere reads are in another
// stream.
func (l *Log) DataVersion(ctx context.Context) (string, error) {
	s, err := l.readers.take(ctx)
	if err != nil {
		return "", fmt.Errorf("audit: read the version: %w", err)
	}
	var seq int64
	err = s.scan("SELECT seq FROM audit_heads WHERE stream = ?", []any{mainStream.name}, &seq)
	l.readers.give(s, err == nil)
	if err != nil {
		return "", fmt.Errorf("audit: read the version: %w", err)
	}
	return strconv.FormatInt(seq, 10), nil
}

// Elsewhere calls heard with each entry that another program records from now on, until ctx or the log ends. It
// implements [bus.Shared]. It skips mere reads, and fields of an entry beyond that interface.
func (l *Log) Elsewhere(ctx context.Context, heard func(e *bus.Entry)) error {
	ctx, ended := l.followers.begin(ctx)
	defer ended()
	err := ctx.Err()
	if err == nil {
		err = l.watchOthers(ctx, heard)
	}
	if errors.Is(context.Cause(ctx), errClosed) {
		return nil
	}
	return err
}

// watchOthers passes the entries of other programs and logs to heard, in order, until ctx ends.
func (l *Log) watchOthers(ctx context.Context, heard func(e *bus.Entry)) error {
	h := &watcher{by: l, more: make(chan struct{}, 1)}
	defer l.watchers.add(h, l)()
	for {
		select {
		case <-h.more:
			entries, err := h.take()
			for _, e := range entries {
				heard(e)
			}
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// watchers are the calls of Elsewhere on the logs of one file. While there are any, one goroutine follows the file for
// all of them.
type watchers struct {
	mu  sync.Mutex // guards the rest
	all map[*watcher]struct{}
	end func() // stops following the file and waits for it
}

// watcher is one call of Elsewhere.
type watcher struct {
	by      *Log
	more    chan struct{} // has a value if entries wait
	mu      sync.Mutex    // guards the rest
	entries []*bus.Entry
	err     error
}

// recordEvent is an entry that a log recorded.
type recordEvent struct {
	by    *Log
	entry bus.Entry
}

// add registers a watcher; the returned function removes it.
func (s *watchers) add(h *watcher, l *Log) (remove func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.all) == 0 {
		ctx, cancel := context.WithCancel(context.Background())
		var following sync.WaitGroup
		s.all, s.end = map[*watcher]struct{}{}, func() { cancel(); following.Wait() }
		following.Go(func() {
			err := l.followOthers(ctx, func(e *bus.Entry) { s.pass(nil, e, nil) })
			if ctx.Err() == nil {
				s.pass(nil, nil, err)
			}
		})
	}
	s.all[h] = struct{}{}
	return func() {
		s.mu.Lock()
		delete(s.all, h)
		end := s.end
		if len(s.all) > 0 {
			end = func() {}
		}
		s.mu.Unlock()
		end()
	}
}

// publish passes the records of this file's logs to the watchers.
func (s *watchers) publish(all []recordEvent) {
	for i := range all {
		s.pass(all[i].by, &all[i].entry, nil)
	}
}

// pass gives an entry of a log, nil for another program, to the watchers of the other logs.
func (s *watchers) pass(by *Log, e *bus.Entry, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for h := range s.all {
		if by == nil || h.by != by {
			h.notify(e, err)
		}
	}
}

// notify queues an entry or an error for the watcher. It does not wait for the watcher.
func (h *watcher) notify(e *bus.Entry, err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e != nil {
		h.entries = append(h.entries, e)
	}
	h.err = errors.Join(h.err, err)
	select {
	case h.more <- struct{}{}:
	default:
	}
}

// take returns the queued entries and empties the queue.
func (h *watcher) take() ([]*bus.Entry, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	entries := h.entries
	h.entries = nil
	return entries, h.err
}

// followOthers follows the file and passes the entries of other programs to heard, until ctx ends.
func (l *Log) followOthers(ctx context.Context, heard func(e *bus.Entry)) error {
	l.own.keep()
	last, err := l.lastHead(ctx, mainStream)
	if err != nil {
		return err
	}
	changes, after := l.Changes(ctx), last.seq
	for {
		select {
		case <-changes:
		case <-ctx.Done():
			return ctx.Err()
		}
		switch last, err = l.lastHead(ctx, mainStream); {
		case err != nil:
			return err
		case l.own.covers(after, last.seq):
			after = last.seq
			select { // many own commits cause few checks
			case <-time.After(ownPause):
			case <-ctx.Done():
			}
			continue
		}
		after, err = l.deliver(ctx, after, func(records []Record) error {
			for i := range records {
				if !l.own.covers(records[i].Seq-1, records[i].Seq) {
					heard(records[i].Entry())
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
}

// ownPause is the pause after a check that found no record of another program.
const ownPause = 5 * time.Millisecond

// followers are the running calls of Elsewhere, which end with the log.
type followers struct {
	all    *sync.WaitGroup
	closed context.Context // its cause is errClosed
	close  context.CancelCauseFunc
	mu     *sync.Mutex // held while a call begins and while the log closes, so that none begins afterwards
}

func newFollowers() followers {
	f := followers{all: &sync.WaitGroup{}, mu: &sync.Mutex{}}
	f.closed, f.close = context.WithCancelCause(context.Background())
	return f
}

// begin returns a context that ends with the log, and a function to call at the end.
func (f *followers) begin(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed.Err() != nil {
		cancel(errClosed)
		return ctx, func() {}
	}
	f.all.Add(1)
	stop := context.AfterFunc(f.closed, func() { cancel(errClosed) })
	return ctx, func() {
		stop()
		cancel(nil)
		f.all.Done()
	}
}

// end waits until every call has ended.
func (f *followers) end() {
	f.mu.Lock()
	f.close(errClosed)
	f.mu.Unlock()
	f.all.Wait()
}

// ownRecords holds the numbers of the records that this program wrote, from the first call of keep on, including the
// commit that was running then.
type ownRecords struct {
	mu    sync.Mutex // guards the rest
	kept  bool
	spans []numberSpan // in order, with gaps between them
}

// numberSpan is the range of records after a number up to another.
type numberSpan struct{ after, last int64 }

func (o *ownRecords) keep() {
	o.mu.Lock()
	o.kept = true
	o.mu.Unlock()
}

// add must precede the commit, so that a follower never takes an own record for another program's. If the commit fails,
// take reverses it.
func (o *ownRecords) add(after, last int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if after >= last {
		return
	}
	if !o.kept {
		o.spans = nil // except the running commit: a follower may begin before it ends
	}
	if n := len(o.spans); n > 0 && o.spans[n-1].last == after {
		o.spans[n-1].last = last
	} else {
		o.spans = append(o.spans, numberSpan{after, last})
	}
}

// restart resets the numbers after another log replaced this one; this program wrote only its last record.
func (o *ownRecords) restart(last int64) {
	o.mu.Lock()
	o.spans = nil
	o.mu.Unlock()
	o.add(last-1, last)
}

// take removes the last addition.
func (o *ownRecords) take(after int64) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if n := len(o.spans); n > 0 && o.spans[n-1].last > after {
		if o.spans[n-1].last = after; o.spans[n-1].after >= after {
			o.spans = o.spans[:n-1]
		}
	}
}

// covers reports whether this program wrote all records after a number up to another, and forgets earlier numbers. For
// an empty range it returns true.
func (o *ownRecords) covers(after, last int64) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.spans) > 1 && o.spans[0].last <= after { // the last one may belong to a log that replaces this one
		o.spans = o.spans[1:]
	}
	return after == last || after < last && len(o.spans) > 0 && o.spans[0].after <= after && o.spans[0].last >= last
}
