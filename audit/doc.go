// Package audit is the durable journal of a capability bus: one SQLite file that holds the domain's tables and the log
// of what was done to them, so that an effect, its record and its idempotency result are one commit.
//
//	log, err := audit.Open(ctx, "notes.db", audit.Options{Migrations: migrations})
//	if err != nil {
//		return err
//	}
//	defer log.Close()
//	b := bus.New(bus.Options{Journal: log})
//
// Migrations are SQL files of a folder, run in the order of their names and each once; 00001_notes.sql begins with
// "-- +goose Up". A file that a newer program has migrated is refused and left alone.
//
// A handler reaches the database by [Tx] and in no other way:
//
//	func(ctx context.Context, call *bus.Call, in Input) (Output, error) {
//		_, err := audit.Tx(ctx).ExecContext(ctx, `UPDATE notes SET text = ? WHERE id = ?`, in.Text, in.ID)
//		…
//	}
//
// # Concurrency
//
// One goroutine owns the one writing connection. All invocations that wait for it share one commit, each behind a
// savepoint of its own: one that fails takes back its own changes only, and callers get their answers after the commit.
// Reads run beside it, on connections that cannot write. Several programs may have the file open; they take turns.
// audit/doc_write.md of the repository follows one call from the queue to the commit.
//
// # Domain tables
//
// Every row a handler changes is captured by SQLite's pre-update hook and kept in the record as an effect, before and
// after. So that nothing escapes it, a domain table needs a primary key and has no virtual generated columns, no
// deferred foreign keys and no ON CONFLICT clause that ends a transaction; [Open] refuses it otherwise. Names that
// begin with audit_, agent_, goose_ or sqlite_ are not the domain's; agent_ is what a bridge keeps for itself, with
// [Txn.ExecBridge] and [Log.UpdateBridge].
//
// Tables that begin with derived_ follow from the domain's rows: sums and search indexes. Triggers keep them;
// they may write no other tables, but refuse a change. Handlers read them. They are no effects and in no state hash; an
// undo, which puts rows back, fires the triggers.
//
// # Queries
//
// [Log.Search] gives pages of records, newest first; [Log.Facets] counts them; [Log.Stats] reports; [Log.Export] writes
// them all; [Log.Follow] waits for more. What they cost does not grow with the log: a page looks at a bounded number of
// records and says how far back it came, and counts are kept in the commit of the records they count. Words and
// subjects are indexed a little later, but before a search for them answers. Counts and indexes follow from the records
// and are in no hash.
//
// # Records
//
// A record is a header and a payload. The header says who asked for what, when, and how it ended; it holds nothing
// personal and is never deleted by itself. The payload has the arguments, output, effects and words; it may be erased.
//
// Records form a chain: each holds the hash of the one before it, prev, and its own, hash, which covers the header as
// it is stored and a digest of the payload. [github.com/deskhand/deskhand/audit/chain] documents the format and
// verifies it without SQLite. Nothing is hashed in another form than it is stored in, so verification decodes no JSON,
// and every column that is searched is covered.
//
// What people only looked at lies in a stream of its own (the tables audit_reads and audit_read_payloads, same format),
// which is stored a little later than answered and may lose its last entries in a crash; nothing else may.
//
// The chain shows edits, insertions, deletions and reordering. A program that can write the file could compute all of
// it anew, or put back an old copy: only a head that was noted elsewhere shows that, see [Heads] and [Log.Verify].
// Nothing here proves what was done after the last noted head, or what a program that writes the log left out in the
// first place.
//
// # Undo, replay, erasure, copies
//
// [UndoCapability] takes one request back, [Log.Replay] runs many again on
// another log, and [Log.StateHash] compares the states of two.
//
// [Log.Erase] deletes payloads about a person and leaves their digests; [Log.Purge] removes the oldest segments and
// leaves a checkpoint. Both run in the transaction of the capability that asks, are noted with its request, and leave a
// log that verifies; what is missing without such a note does not.
//
// [Log.Backup] copies everything while the work goes on, and [Log.Restore] puts a copy in its place: as one commit with
// the record of the request that wanted it, and only while no other program has the log open.
package audit
