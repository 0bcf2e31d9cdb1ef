package audit

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/filelock"
)

// Options configure a Log. The zero value is ready to use.
type Options struct {
	// Clock returns the time for the expiry of idempotency keys and for the journal's own records. Default time.Now.
	Clock func() time.Time
	// Rand is the source of payload salts. Default crypto/rand. One goroutine reads it at a time.
	Rand io.Reader
	// Migrations are the domain's goose migrations (SQL files at the root). Open applies them before it returns. nil:
	// no domain tables.
	Migrations fs.FS
	// Adopt lets Open add the log to the database of a program that exists. Default: Open refuses a database without a
	// log. No record explains the rows that the file has already, nor changes past the log: [Log.VerifyState] names them.
	Adopt bool
	// Modules are the migrations of further tables, by name (letters only), each with a separate version. Tables called
	// agent_… hold the internal state of a bridge: see [Txn.ExecBridge]. All others belong to the domain.
	Modules map[string]fs.FS
	// Logger gets reports about repairs and failures of the journal. Default: discarded.
	Logger *slog.Logger
	// Heads stores the heads of the log outside the file, so that Verify detects a missing tail, an older copy and a
	// rewrite. Default: none.
	Heads Heads
	// Key returns the seed of the Ed25519 key that signs heads of the log, 32 bytes, or an error with the remedy.
	// Without a key heads are not signed, and nothing else fails. Default: none.
	Key func() ([]byte, error)
	// SignAfter are capabilities after which the head is signed, by their names. After an export and a copy it is signed
	// too.
	SignAfter []string
	// Remedy returns the advice for a damaged file, such as the copy to restore and the way to do it. Default: general
	// advice.
	Remedy func() string
	// Check compares derived values, such as the tables derived_… that triggers keep, with the rows. [Log.VerifyState]
	// calls it in its snapshot after comparing the rows with the log; the context has the transaction: see [Tx]. Check
	// calls found with a sentence for each difference. Default: nothing is compared.
	Check func(ctx context.Context, found func(sentence string)) error
	// Rebuild lists statements that fill the tables derived_… from the rows, for [Log.RebuildRollups].
	Rebuild []string
	// Undoable returns the reason why a request with these effects must not be undone, before any other check; nil if
	// it may be. The context has the transaction: see [Tx]. Default: every request may be undone.
	Undoable func(ctx context.Context, effects []bus.Effect) error
	// Turn is the capability whose records are turns of an agent. They count as turns, not as calls.
	Turn string
	// Plans lists the application's plans by name: those of [bus.Merge]. Their records are also found under the
	// capabilities of their steps, like those of plan.propose and plan.repeat.
	Plans []string
	// Segment is the number of records in a segment, the smallest part of the log that retention removes. Default 10
	// 000.
	Segment int
	// MaxBatch limits the entries in one commit. Default 1024.
	MaxBatch int
	// Progress is called with numbers of records while Open builds the tree for a log of an earlier program. Default:
	// no calls.
	Progress func(done, total int64)
	// IndexAfter is the pause without writes after which the words of new records are indexed in the background. A
	// search by words does not wait for it. Default half a second.
	IndexAfter time.Duration

	archive bool // see OpenArchive
}

func (o Options) withDefaults() Options {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	o.Rand = cmp.Or(o.Rand, rand.Reader)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	if o.Segment <= 0 {
		o.Segment = 10_000
	}
	if o.MaxBatch <= 0 {
		o.MaxBatch = 1024
	}
	if o.IndexAfter <= 0 {
		o.IndexAfter = 500 * time.Millisecond
	}
	return o
}

var (
	_ bus.Journal   = (*Log)(nil)
	_ bus.Versioned = (*Log)(nil)
	_ bus.Shared    = (*Log)(nil)
)

// Log is a journal in one SQLite file. It is safe for concurrent use.
type Log struct {
	*opened
	liveness  *filelock.Liveness
	followers followers

	closing sync.Once
	ended   atomic.Bool
	closed  error
}

// opened is an open file, which all logs from [Log.Another] share.
type opened struct {
	o           Options
	store       *store
	writer      *writer
	readers     *readerPool
	lookups     *readerPool
	keeper      *headKeeper // nil without Options.Heads
	signer      *headSigner // nil without Options.Key
	own         ownRecords
	watchers    watchers
	scrubber    *scrubber
	checked     statementCache
	jsonWriters jsonWriters
	budget      int64 // searchBudget; smaller in some tests
	// mostStanding is the constant; smaller in some tests.
	mostStanding int
	schema       atomic.Pointer[schema] // of the migrations; nil until first needed

	users atomic.Int64 // logs that are not closed
}

// errClosed is the error of every use after Close.
var errClosed = errors.New("audit: the journal is closed")

// Open opens the journal in the file at path, which it creates if necessary. It migrates the schema, refuses a file of
// a newer program and domain tables whose changes it could not see, and records the unfinished network steps of
// programs that have died.
func Open(ctx context.Context, path string, o Options) (*Log, error) {
	o = o.withDefaults()
	st, err := openStore(ctx, path, o)
	if err != nil {
		return nil, notOpened(ctx, path, &o, err)
	}
	l := (&opened{o: o, store: st, budget: searchBudget, mostStanding: mostStanding}).log()
	l.readers, l.lookups = newReaderPool(st.dsn("ro"), maxReaders), newReaderPool(st.dsn("ro"), maxLookups)
	l.keeper = startKeeper(l)
	l.writer, err = startWriter(l)
	if err != nil {
		l.keeper.stop()
		return nil, notOpened(ctx, path, &o, errors.Join(err, l.readers.close(), l.lookups.close(), st.close()))
	}
	l.scrubber, l.signer = startScrubber(l), startSigner(l)
	if st.treeless {
		err = l.growOldTree()
	}
	if err == nil && st.begun {
		if err = l.settleInterrupted(); err != nil {
			err = fmt.Errorf("record interrupted work: %w", err)
		}
	}
	if err != nil {
		return nil, notOpened(ctx, path, &o, errors.Join(fmt.Errorf("audit: %w", err), l.Close()))
	}
	l.liveness.CleanUp()
	return l, nil
}

func (o *opened) log() *Log {
	o.users.Add(1)
	return &Log{opened: o, liveness: filelock.NewLiveness(o.store.path), followers: newFollowers()}
}

// Another returns a second log of the same file that behaves like the log of another program: each receives the records
// of the other by [Log.Elsewhere], and has a separate program name. Simultaneous writes of both share a commit. Each
// log must be closed; closing the last one closes the file. The log l must be open.
func (l *Log) Another() *Log { return l.log() }

// Close stores the queued entries and closes the file. Running calls get their answer first; later ones get an error.
func (l *Log) Close() error {
	l.closing.Do(func() {
		l.followers.end()
		l.ended.Store(true)
		if l.users.Add(-1) > 0 {
			l.closed = errors.Join(l.writer.flush(context.Background()), l.liveness.Close())
			return
		}
		l.signer.stop()
		l.writer.stop()
		<-l.scrubber.ended
		l.keeper.stop()
		l.closed = errors.Join(l.readers.close(), l.lookups.close(), l.store.close(), l.liveness.Close())
	})
	return l.closed
}

// Do implements [bus.Journal]. Entries that wait at the same time share one commit, each in a separate savepoint.
func (l *Log) Do(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	return l.submit(&work{kind: workDo, by: l, ctx: ctx, entry: e, run: run})
}

// DryRun implements [bus.Journal]. It returns the result of run.
func (l *Log) DryRun(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	return l.submit(&work{kind: workDry, by: l, ctx: ctx, entry: e, run: run})
}

// submit passes work to the writer, and continues work that was aborted for a search.
func (l *Log) submit(k *work) error {
	if err := refuseNested(k.ctx); err != nil {
		return err
	}
	switch {
	case l.ended.Load():
		return errClosed
	case l.store.archive:
		return errArchive()
	}
	err := l.writer.submit(k)
	if needsSearch(err) {
		err = l.searchAndErase(k, err)
	}
	return err
}

// Record implements [bus.Journal]. An entry with Read set goes to the reads stream, and Record returns at once: the
// next write commits it, or readDelay, or Close. The same holds for a call that ended while it waited for a long
// transaction: its caller does not wait any longer.
func (l *Log) Record(_ context.Context, e *bus.Entry) error {
	row, err := l.newRow(e, nil, nil)
	if err != nil {
		return err
	}
	w := &work{kind: workRecord, by: l, entry: e, row: row}
	switch {
	case l.ended.Load():
		return errClosed
	case row.stream == readsStream:
		return l.writer.submitLater(w)
	case l.store.archive:
		return errArchive()
	case e.Result.Err != nil && l.writer.long.Load() &&
		(e.Result.Err.Reason == bus.ReasonTimeout || e.Result.Err.Reason == bus.ReasonCancelled):
		return l.writer.submitLater(w)
	}
	return l.writer.submit(w)
}
