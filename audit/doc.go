// Package audit is the durable journal of a capability bus. One SQLite file holds the domain's tables and the log of
// their changes, so that one commit contains an effect, its record and its idempotency result.
//
//	log, err := audit.Open(ctx, "notes.db", audit.Options{Migrations: migrations})
//	if err != nil {
//		return err
//	}
//	defer log.Close()
//	b := bus.New(bus.Options{Journal: log})
//
// Migrations are SQL files of a folder, which run once each in the order of their names; 00001_notes.sql begins with
// "-- +goose Up". Open refuses a file that a newer program has migrated, and does not change it.
//
// A handler accesses the database only by [Tx]:
//
//	func(ctx context.Context, call *bus.Call, in Input) (Output, error) {
//		_, err := audit.Tx(ctx).ExecContext(ctx, `UPDATE notes SET text = ? WHERE id = ?`, in.Text, in.ID)
//		…
//	}
//
// # Concurrency
//
// One goroutine owns the single writing connection. All waiting invocations share one commit, each behind its own
// savepoint: a failed one rolls back only its own changes, and callers get their answers after the commit. Reads run at
// the same time, on connections that cannot write. Several programs may have the file open; they take turns.
// audit/doc_write.md of the repository follows one call from the queue to the commit.
//
// # Domain tables
//
// SQLite's pre-update hook captures every row that a handler changes. The record keeps it as an effect, with the row
// before and after. So that the hook sees every change, a domain table needs a primary key and has no virtual generated
// columns, no deferred foreign keys and no ON CONFLICT clause that ends a transaction; [Open] refuses other tables. The
// prefixes audit_, agent_, goose_ and sqlite_ are reserved; agent_ is for the internal tables of a bridge, by
// [Txn.ExecBridge] and [Log.UpdateBridge].
//
// Tables that begin with derived_ follow from the domain's rows, such as sums and search indexes. Triggers keep them up
// to date. A trigger may write no other table, but may refuse a change. Handlers read these tables. Their changes are
// no effects and in no state hash. An undo restores rows, which fires the triggers.
//
// # Queries
//
// [Log.Search] returns pages of records, newest first; [Log.Facets] counts them; [Log.Stats] reports; [Log.Export]
// writes them all; [Log.Follow] waits for more. Their cost does not grow with the log: a page reads a limited number of
// records and returns the position that it reached, and the commit of a record updates its counts. Words and subjects
// are indexed slightly later, but before a search for them answers. Counts and indexes follow from the records and are
// in no hash.
//
// # Records
//
// A record is a header and a payload. The header has the person, the capability, the time and the outcome. It contains
// no personal text, and retention alone removes it. The payload has the arguments, output, effects and words; it can be
// erased.
//
// Records form a chain: each has the hash of the record before it, prev, and its own hash, which covers the stored
// header and a digest of the payload. [github.com/deskhand/deskhand/audit/chain] documents the format and verifies it
// without SQLite. The hashes cover the stored form, so verification decodes no JSON, and every searchable column is
// covered.
//
// Records of mere reads are in a separate stream (the tables audit_reads and audit_read_payloads, same format). It is
// stored slightly after the answer and may lose its last entries in a crash; the main stream loses nothing.
//
// The chain reveals edits, insertions, deletions and reordering. A program that can write the file could compute the
// whole chain again, or restore an old copy: only a head that was noted elsewhere reveals that, see [Heads] and
// [Log.Verify]. The chain does not prove the records after the last noted head, and cannot show actions that a program
// never recorded.
//
// # Undo, replay, erasure, copies
//
// [UndoCapability] reverses one request, [Log.Replay] runs many again on another log, and [Log.StateHash] lets programs
// compare the states of two.
//
// [Log.Erase] deletes payloads about a person and keeps their digests; [Log.Purge] removes the oldest segments and
// leaves a checkpoint. Both run in the transaction of the calling capability, are stored with its request, and leave a
// log that verifies. A payload or record that is missing without such a request does not verify.
//
// [Log.Backup] copies everything while other work continues. [Log.Restore] puts a copy in the file's place, in one
// commit with the record of the request, and only while no other program has the log open.
package audit
