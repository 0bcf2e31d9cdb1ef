package audit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/filewatch"
)

// Execute runs statements on the writing connection without any checks. A test uses it for damage that a handler cannot
// do.
func Execute(t testing.TB, l *Log, statements ...string) {
	t.Helper()
	err := l.writer.bookkeep(func(b *batch) error {
		b.wrote = true
		for _, text := range statements {
			if _, err := b.w.session.exec(text); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// DSN is the data source name of the file behind l.
func DSN(l *Log) string { return l.store.dsn("rwc") }

// SchemaVersion is the number of the journal's newest migration.
func SchemaVersion(t testing.TB) int {
	t.Helper()
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	return len(files)
}

// Tamper runs statements on the file at path as another program would.
func Tamper(t testing.TB, dsn string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, text := range statements {
		if _, err := db.ExecContext(context.Background(), text); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
}

// WaitForQueue returns when n calls are waiting for the writer.
func WaitForQueue(l *Log, n int) {
	for len(l.writer.queue) < n {
		time.Sleep(50 * time.Microsecond)
	}
}

// LimitPages simulates a full disk, or ends the simulation.
func LimitPages(t testing.TB, l *Log, full bool) {
	t.Helper()
	pages := 1 << 30
	if full {
		pages = 1 // as many as there are now
	}
	err := l.writer.bookkeep(func(b *batch) error {
		var now int
		return b.w.session.conn.QueryRowContext(context.Background(), fmt.Sprintf("PRAGMA max_page_count = %d", pages)).
			Scan(&now)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// Impatient makes the writer give up waiting for the lock at once.
func Impatient(t testing.TB, l *Log) {
	t.Helper()
	Patience(t, l, time.Millisecond)
}

// Patience sets the longest time that the writer waits for the lock.
func Patience(t testing.TB, l *Log, patience time.Duration) {
	t.Helper()
	if err := l.writer.bookkeep(func(b *batch) error { b.w.patience = patience; return nil }); err != nil {
		t.Fatal(err)
	}
}

// StandingAtMost sets the limit of Standing.
func StandingAtMost(l *Log, records int) { l.mostStanding = records }

// BusyWith returns the capability that work of l waits for.
func BusyWith(l *Log) string { return l.writer.busyWith() }

// Busy holds the write lock of a file as Lock does. commit commits and takes the lock again, so that the file is
// unlocked for microseconds only.
func Busy(t testing.TB, dsn string) (commit func(), unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	const begin = "BEGIN IMMEDIATE; UPDATE counters SET n = n + 1;"
	commit = func() {
		t.Helper()
		if _, err := db.Exec("COMMIT; " + begin); err != nil {
			t.Error(err)
		}
	}
	if _, err := db.Exec(begin); err != nil {
		t.Fatal(err)
	}
	return commit, func() { _, _ = db.Exec("COMMIT"); _ = db.Close() }
}

// Fault makes the nth statement of the writer from now on fail. met ends that and
// reports whether there was one.
func Fault(t testing.TB, l *Log, n int) (met func() bool) {
	t.Helper()
	var ended atomic.Bool
	began, left := false, n
	err := l.writer.bookkeep(func(b *batch) error {
		b.w.session.fault = func(text string) error {
			began = began || strings.HasPrefix(text, "BEGIN") // else it ends this transaction
			if ended.Load() || !began || text == "ROLLBACK" { // which fails only where there is nothing to roll back
				return nil
			}
			if left--; left == 0 {
				return errors.New("made to fail")
			}
			return nil
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return func() bool {
		ended.Store(true)
		if err := l.writer.bookkeep(func(b *batch) error { b.w.session.fault = nil; return nil }); err != nil {
			t.Error(err)
		}
		return left <= 0
	}
}

// Guarded returns the number of connections in use by rows that handlers did not close.
func Guarded(t testing.TB, l *Log) (n int) {
	t.Helper()
	err := l.writer.bookkeep(func(b *batch) error {
		if db := b.w.session.guard; db != nil {
			n = db.Stats().OpenConnections
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// Lock takes the write lock as another program would, until unlock.
func Lock(t testing.TB, dsn string) (unlock func()) {
	t.Helper()
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	return func() { _ = db.Close() }
}

// Plans are SQLite's plans for a page of q, one line each.
func Plans(t testing.TB, l *Log, q Query) []string {
	t.Helper()
	paths, err := l.accessPaths(context.Background(), mainStream, &q)
	if err != nil {
		t.Fatal(err)
	}
	var plans []string
	for i := range paths {
		for _, d := range []direction{newestFirst, oldestFirst} {
			text, args := paths[i].statement(mainStream, mainStream.selectFrom, paths[i].span, d, 50)
			if paths[i].scans == "" {
				text, args = paths[i].statement(mainStream, paths[i].numbers, paths[i].span, d, 50)
			}
			rows, err := l.readers.db.QueryContext(context.Background(), "EXPLAIN QUERY PLAN "+text, args...)
			if err != nil {
				t.Fatal(text, err)
			}
			for rows.Next() {
				var id, parent, unused int
				var line string
				if err := rows.Scan(&id, &parent, &unused, &line); err != nil {
					t.Fatal(err)
				}
				plans = append(plans, line)
			}
			if err := rows.Close(); err != nil {
				t.Fatal(err)
			}
		}
	}
	return plans
}

// ForgetText removes a record from the text index and deletes its payload, as an erasure does.
func ForgetText(t testing.TB, l *Log, seq int64) {
	t.Helper()
	err := l.writer.bookkeep(func(b *batch) error {
		b.wrote = true
		if err := errors.Join(b.queueTextErasure(mainStream, seq-1, seq), b.eraseQueuedTexts()); err != nil {
			return err
		}
		_, err := b.w.session.exec("DELETE FROM audit_payloads WHERE seq = ?", seq)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// LimitSearch makes a page look at no more than n records.
func LimitSearch(l *Log, n int64) { l.budget = n }

// Unindexed returns the number of records that a search for words does not find yet.
func Unindexed(t testing.TB, l *Log) (n int) {
	t.Helper()
	if err := l.readers.db.QueryRow("SELECT sum(seq - indexed) FROM audit_heads").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// Polled returns the channel of a watcher for file systems without notifications.
func Polled(t testing.TB) <-chan struct{} {
	w := filewatch.Poll(time.Millisecond)
	t.Cleanup(w.Close)
	return w.Changed
}

// EraseAfter searches for terms, calls meanwhile, and then erases the records that it found.
func EraseAfter(t testing.TB, l *Log, e *bus.Entry, meanwhile func(), terms ...string) (gone Erased) {
	t.Helper()
	k := &work{kind: workDo, ctx: context.Background(), entry: e}
	k.run = func(ctx context.Context, _ bus.Exec) (err error) {
		gone, err = l.Erase(ctx, terms...)
		return err
	}
	var err error
	if k.search, err = l.searchForErasure(k.ctx, terms); err != nil {
		t.Fatal(err)
	}
	meanwhile()
	if err := l.searchAndErase(k, l.writer.submit(k)); err != nil {
		t.Fatal(err)
	}
	return gone
}

// RecentKeys are the latest keys in the memory of the writer.
type RecentKeys struct{ keys recentKeys }

// Add stores a key, and Free reports that it is known not to be stored.
func (n *RecentKeys) Add(k bus.Key)       { n.keys.add(nameOf(k)) }
func (n *RecentKeys) Free(k bus.Key) bool { return n.keys.free(nameOf(k)) }

// WrittenJSON is an entry's detail and payload as they are stored, and as
// encoding/json writes the same structs.
func WrittenJSON(t testing.TB, l *Log, e *bus.Entry) (detailGot, detailWant, bodyGot, bodyWant []byte) {
	t.Helper()
	r, err := l.newRow(e, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var d detail
	var p payload
	for text, into := range map[string]any{r.Detail: &d, string(r.body): &p} {
		if err := decode([]byte(text), into); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
	}
	if detailWant, err = json.Marshal(d); err != nil {
		t.Fatal(err)
	}
	if bodyWant, err = json.Marshal(p); err != nil {
		t.Fatal(err)
	}
	return []byte(r.Detail), detailWant, r.body, bodyWant
}

// Path is the file behind l.
func Path(l *Log) string { return l.store.path }

// CoversFromCommit reports whether a follower that begins during the commit of records after+1 to last regards them as
// this program's records. An earlier commit ended with record after.
func CoversFromCommit(after, last int64) bool {
	var own ownRecords
	own.add(0, after)
	own.add(after, last)
	own.keep()
	return own.covers(after, last)
}

// TreeRoot is the root of the tree when the log ended with a record, and the record that the tree begins after.
func TreeRoot(t testing.TB, l *Log, seq int64) (root []byte, after int64) {
	t.Helper()
	tr := tree{q: l.readers.db}
	if err := l.readers.db.QueryRow("SELECT tree FROM audit_heads WHERE stream = 'main'").Scan(&tr.base); err != nil {
		t.Fatal(err)
	}
	root, err := tr.root(seq)
	if err != nil {
		t.Fatal(err)
	}
	return root, tr.base
}

// KeepTree turns the hash tree of the writer on or off. Turning it on adds the missing parts.
func KeepTree(t testing.TB, l *Log, keep bool) {
	t.Helper()
	err := l.writer.bookkeep(func(b *batch) error {
		b.w.treeless = !keep
		h, err := b.head(mainStream)
		if err == nil && keep {
			b.wrote = true
			_, err = b.fillTiles(h, b.tree(h).full(h.seq))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
