package audit

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"modernc.org/sqlite"

	"github.com/deskhand/deskhand/bus"
)

// Restored describes the restored copy.
type Restored struct {
	Copy
	// Reerase lists the requests that erased data about a person after the copy was taken, oldest first: the copy still
	// has that data.
	Reerase []string
	// Numbers reports whether series continue after every number ever given: the copy is an older one of this log, or
	// the numbers were noted outside.
	Numbers bool
}

// replacement is a copy that is ready to replace the log. It holds the open lock, which excludes other programs.
type replacement struct {
	owner *Log   // the log that it replaces; nil after discard
	l     *Log   // the log of the copy
	dir   string // its directory
	aside string // the path for the replaced file
}

// Restore replaces the whole file, the domain's tables and the log, by a copy that [Log.Backup] wrote. It is part of
// the transaction of ctx, which must belong to a handler that writes and does nothing else. It does not change the file
// at path: it checks, migrates and verifies a copy of it, and refuses a damaged file, one of a newer program or one of
// another application.
//
// After the handler has succeeded, the present file is kept at aside, which must not exist; this package never deletes
// it. The request's record becomes the first new record of the copy and names both heads. Then one commit puts the copy
// in the file's place. If the program dies at any moment, the file is the old one or the new one. The heads of
// [Options] are noted again.
//
// If another program has the log open, or a network step is in flight, Restore returns CONFLICT. Other writes wait and
// then run on the copy. Readers see the old state to the end of their snapshot. A dry run checks everything and
// replaces nothing.
func (l *Log) Restore(ctx context.Context, path, aside string, progress func(done, total int64)) (Restored, error) {
	t := Tx(ctx)
	var before *head
	err := t.ownChange(ctx, func(b *batch) error {
		if !b.alone {
			return errTransactionLost // the writer starts a separate transaction for it
		}
		var err error
		before, err = b.lockForRestore(l)
		return err
	})
	if err != nil {
		return Restored{}, err
	}
	next, out, err := l.prepareRestore(ctx, path, aside, progress)
	if err == nil {
		err = t.replaceBy(next, restoreEffect(&out.Copy, before, aside))
	}
	if err == nil {
		return out, nil
	}
	return Restored{}, errors.Join(err, t.abandonRestore(next))
}

// abandonRestore discards a replacement under the write lock: in the run's transaction, or in another one if the run
// has ended.
func (t *Txn) abandonRestore(next *replacement) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended == nil {
		return next.discard()
	}
	return next.owner.writer.bookkeep(func(*batch) error { return next.discard() })
}

// lockForRestore takes the exclusive open lock, which discard releases.
func (b *batch) lockForRestore(l *Log) (*head, error) {
	var steps int64
	if err := b.w.session.scan("SELECT count(*) FROM audit_inflight", nil, &steps); err != nil {
		return nil, err
	}
	if steps > 0 {
		return nil, bus.Errorf(bus.Conflict, bus.ReasonBusy, "Something that reaches outside is still under way.").
			WithHint("Wait until it has ended and try again.")
	}
	before, err := b.head(mainStream)
	if err != nil {
		return nil, err
	}
	switch alone, err := l.store.open.exclusive(); {
	case err != nil:
		return nil, err
	case !alone:
		return nil, bus.Errorf(bus.Conflict, bus.ReasonBusy,
			"Another program has the database open, and would go on with what is to be replaced.").
			WithHint("Close the other windows and commands, stop serving other desks, and try again.")
	}
	return before, nil
}

// restoreDir is part of the names of directories for prepared copies.
const restoreDir = "-restore-"

// prepareRestore opens and checks a copy of the copy. The caller discards the replacement even after an error.
func (l *Log) prepareRestore(ctx context.Context, path, aside string,
	progress func(done, total int64)) (*replacement, Restored, error) {
	next := &replacement{owner: l, aside: aside}
	out := Restored{}
	if _, err := os.Lstat(aside); err == nil {
		return next, out, bus.Errorf(bus.Conflict, bus.ReasonBusy, "%s exists already.", filepath.Base(aside)).
			WithHint("Try again in a moment.")
	}
	old, err := filepath.Glob(l.store.path + restoreDir + "*") // of programs that died: no other program is running
	if err != nil {
		return next, out, err
	}
	for _, dir := range old {
		if err := os.RemoveAll(dir); err != nil {
			return next, out, err
		}
	}
	if next.dir, err = os.MkdirTemp(filepath.Dir(l.store.path), filepath.Base(l.store.path)+restoreDir+"*"); err != nil {
		return next, out, err
	}
	if wal, err := os.Stat(path + "-wal"); err == nil && wal.Size() > 0 {
		return next, out, bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
			"%s is a database that is in use, not a copy of one.", filepath.Base(path)).
			WithHint("Choose a copy.")
	}
	to := filepath.Join(next.dir, "copy.db")
	if err := copyAside(path, to); err != nil {
		return next, out, err
	}
	if out.Copy, err = CopyAt(ctx, to); err == nil {
		err = l.samePages(ctx, to)
	}
	if err != nil {
		return next, out, unusable(path, err)
	}
	o := l.o
	o.Heads, o.Key = nil, nil // a copy is older than the noted head, and only read
	if next.l, err = Open(ctx, to, o); err != nil {
		return next, out, unusable(path, err)
	}
	if err := next.check(ctx, l, path, progress); err != nil {
		return next, out, err
	}
	if out.Numbers, err = l.knowsNumbers(ctx, out.Head); err != nil {
		return next, out, err
	}
	out.Reerase, err = l.erasedSince(ctx, next.l)
	return next, out, err
}

// knowsNumbers reports whether this log knows the numbers that were given after a head.
func (l *Log) knowsNumbers(ctx context.Context, head string) (known bool, err error) {
	noted, err := l.notedSeries()
	if err != nil || len(noted) > 0 {
		return err == nil, err
	}
	hash, err := hex.DecodeString(head)
	if err != nil {
		return false, err
	}
	return known, l.readers.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM audit_records WHERE hash = ?1)
		OR EXISTS (SELECT 1 FROM audit_checkpoints WHERE hash = ?1)`, hash).Scan(&known)
}

// samePages rewrites a file whose page size differs from the log's, because pages are copied one by one.
func (l *Log) samePages(ctx context.Context, path string) (err error) {
	var want, have int
	if err := l.readers.db.QueryRowContext(ctx, "PRAGMA page_size").Scan(&want); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", fileURL(path, nil))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	if err := db.QueryRowContext(ctx, "PRAGMA page_size").Scan(&have); err != nil || have == want {
		return err
	}
	for _, text := range []string{"PRAGMA journal_mode = DELETE", fmt.Sprintf("PRAGMA page_size = %d", want), "VACUUM"} {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	return nil
}

// unusable returns the caller's error for a file that cannot be restored.
func unusable(path string, err error) error {
	e := bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
		"%s cannot be restored: it is not a whole copy of a database of this program.", filepath.Base(path)).
		WithHint("Choose another copy.")
	if newer, ok := errors.AsType[*newerError](err); ok {
		e.Message = fmt.Sprintf("%s cannot be restored: it %s.", filepath.Base(path), newer.says())
		e.Hint = "Install the newer program and restore it with that."
	}
	return e.WithCause(err)
}

// check refuses a damaged copy, and one with other tables than the log.
func (n *replacement) check(ctx context.Context, l *Log, path string, progress func(done, total int64)) error {
	if err := n.l.integrity(ctx); err != nil {
		return unusable(path, err)
	}
	v, err := n.l.Verify(ctx, progress)
	switch {
	case err != nil:
		return err
	case n.l.store.archive:
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s is an archive of a log, not a copy of a database.",
			filepath.Base(path)).WithHint("Take another copy.")
	case !reflect.DeepEqual(n.l.store.tables, l.store.tables):
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s has other tables than this program.",
			filepath.Base(path)).WithHint("Take another copy.")
	case !v.OK && v.Rollups == 0:
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s cannot be restored. %s", filepath.Base(path),
			v.Problem).WithHint("Take another copy.")
	}
	return nil
}

// discard frees the resources of a replacement, used or not. The caller holds the write lock, so that no other program
// takes the exclusive open lock in between.
func (n *replacement) discard() error {
	if n == nil || n.owner == nil {
		return nil
	}
	var err error
	if n.l != nil {
		err = n.l.Close()
	}
	if n.dir != "" {
		err = errors.Join(err, os.RemoveAll(n.dir))
	}
	err = errors.Join(err, n.owner.store.open.downgrade())
	*n = replacement{}
	return err
}

// replaceBy makes next replace the file at the end of the run.
func (t *Txn) replaceBy(next *replacement, effect bus.Effect) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.ended != nil {
		return t.ended
	}
	t.next, t.ownEffects = next, append(t.ownEffects, effect)
	return nil
}

// restoreEffect returns the effect in the record of a restore.
func restoreEffect(c *Copy, before *head, aside string) bus.Effect {
	return bus.Effect{Table: mainStream.records, Op: bus.Bulk,
		Before: map[string]any{"up_to": before.seq, "hash": hex.EncodeToString(before.hash), "kept": filepath.Base(aside)},
		After:  map[string]any{"up_to": c.Records, "hash": c.Head}}
}

// erasedSince lists the requests whose erased data a copy still has.
func (l *Log) erasedSince(ctx context.Context, older *Log) ([]string, error) {
	known := map[string]bool{}
	out := []string{}
	for _, log := range []*Log{older, l} {
		rows, err := log.readers.db.QueryContext(ctx,
			"SELECT request_id, stream || seq FROM audit_erasures ORDER BY request_id")
		err = each(rows, err, func() error {
			var request, erased string
			err := rows.Scan(&request, &erased)
			if log == l && !known[erased] && !slices.Contains(out, request) {
				out = append(out, request)
			}
			known[erased] = true
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// replace ends a transaction that wrote nothing: it replaces the file with next, including the record of the request.
func (b *batch) replace() error {
	next, w := b.next, b.w
	// The state is as the handler saw it, because the write lock is still held.
	if err := w.l.writeCopy(context.Background(), next.aside); err != nil {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
			"What is to be replaced could not be kept aside; nothing was changed.").
			WithCause(err).WithHint("Check that the disk is not full.")
	}
	given, err := seriesOf(w.session)
	if err != nil {
		return err
	}
	if err := next.l.writer.bookkeep(func(own *batch) error { // numbers given after the backup are not given again
		return errors.Join(own.countTo(given), own.record(b.last, b.entry))
	}); err != nil {
		return err
	}
	from := next.l.store.path
	err = next.l.Close()
	next.l = nil
	if err != nil {
		return err
	}
	b.rollback()
	w.session.forget()          // no further read on this connection
	w.l.own.restart(b.last.Seq) // before any reader sees the copy
	replaced := overwrite(w.session.conn, from)
	if replaced == nil {
		clear(w.numbers)
		w.headCache.heads = nil
		w.unindexed, w.walStale = true, true
		w.l.keeper.reset()
		b.events = append(b.events, recordEvent{b.by, *b.entry})
	}
	after, err := w.begin()
	if bad := errors.Join(err, next.discard()); bad != nil { // the restore itself has succeeded
		w.l.o.Logger.Error("audit: after a restore", "error", bad)
	}
	if after != nil {
		after.rollback()
	}
	if replaced != nil {
		return fmt.Errorf("replace %s: %w", w.l.store.path, replaced)
	}
	return nil
}

// overwrite makes a database equal to the one in a file, in one commit.
func overwrite(conn *sql.Conn, from string) error {
	return conn.Raw(func(driverConn any) error {
		c, ok := driverConn.(interface {
			NewRestore(string) (*sqlite.Backup, error)
		})
		if !ok {
			return fmt.Errorf("%T cannot restore", driverConn)
		}
		copying, err := c.NewRestore(fileURL(from, nil))
		if err != nil {
			return err
		}
		_, err = copying.Step(-1)
		return errors.Join(err, copying.Finish())
	})
}
