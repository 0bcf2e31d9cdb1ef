// Package pgjournal is a [bus.Journal] on PostgreSQL: what a handler changes, its record and its idempotency key are
// one SERIALIZABLE transaction. It is an example of the seam; the tables of the domain lie in the same database.
package pgjournal

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/deskhand/deskhand/bus"
)

var (
	//go:embed schema.sql
	schema string
	//go:embed agent.sql
	agentSchema string
)

// Journal is a journal in one database. It is safe for concurrent use, also by several programs.
type Journal struct {
	pool    *pgxpool.Pool
	clock   func() time.Time
	program int32

	mu    sync.Mutex    // guards alive
	alive *pgxpool.Conn // holds the advisory lock that says that this program lives
}

// Open creates the tables of the journal and of package agent, and those of the domain by its SQL, which may run again.
// It records the network steps of programs that died.
func Open(ctx context.Context, config *pgxpool.Config, clock func() time.Time, domain ...string) (*Journal, error) {
	config = config.Copy()
	config.AfterConnect = func(ctx context.Context, c *pgx.Conn) error {
		_, err := c.Exec(ctx, `CREATE TEMPORARY TABLE journal_effects (seq bigint GENERATED ALWAYS AS IDENTITY,
			tab text NOT NULL, key jsonb NOT NULL, before jsonb, after jsonb) ON COMMIT DELETE ROWS`)
		return err
	}
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	j := &Journal{pool: pool, clock: clock}
	if _, err = pool.Exec(ctx, schema+agentSchema+strings.Join(domain, ";"),
		pgx.QueryExecModeSimpleProtocol); err == nil {
		j.alive, err = pool.Acquire(ctx)
	}
	if err == nil {
		err = j.alive.QueryRow(ctx, "SELECT journal_program()").Scan(&j.program)
	}
	if err == nil {
		err = j.recover(ctx)
	}
	if err != nil {
		j.Close()
		return nil, err
	}
	return j, nil
}

// Close ends the journal's connections, and with them the lock.
func (j *Journal) Close() {
	if j.alive != nil {
		j.alive.Release()
	}
	j.pool.Close()
}

func isConflict(err error) bool {
	e := new(pgconn.PgError)
	return errors.As(err, &e) && (e.Code == "40001" || e.Code == "40P01") // serialization failure, deadlock
}

// transact runs f in a transaction, again where it met another one. Once begun it is not cut off: the outcome of a
// COMMIT that was cancelled would be unknown.
func (j *Journal) transact(ctx context.Context, f func(ctx context.Context, tx pgx.Tx) error) error {
	whole := context.WithoutCancel(ctx)
	for attempt := 1; ctx.Err() == nil; attempt++ {
		err := pgx.BeginTxFunc(whole, j.pool, pgx.TxOptions{IsoLevel: pgx.Serializable},
			func(tx pgx.Tx) error { return f(whole, tx) })
		if !isConflict(err) || attempt == 20 {
			return err
		}
		time.Sleep(time.Duration(attempt) * time.Millisecond)
	}
	return ctx.Err()
}

// View implements [bus.Journal].
func (j *Journal) View(ctx context.Context, run func(context.Context) error) error {
	if running(ctx) != nil {
		return run(ctx)
	}
	tx, err := j.pool.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	t := &Txn{tx: tx, readOnly: true}
	defer func() { _ = t.end(); _ = tx.Rollback(context.WithoutCancel(ctx)) }() // it changed nothing
	return run(context.WithValue(ctx, txnKey{}, t))
}

// Do implements [bus.Journal].
func (j *Journal) Do(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	return j.run(ctx, e, run, func(ctx context.Context, tx pgx.Tx) error { return j.record(ctx, tx, e, false) })
}

// DryRun implements [bus.Journal].
func (j *Journal) DryRun(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	return j.run(ctx, e, run, func(context.Context, pgx.Tx) error { return errDry })
}

var errDry = errors.New("pgjournal: a dry run is rolled back")

// run runs a handler's part behind a savepoint, so that a failed one can be recorded, and then last.
func (j *Journal) run(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error,
	last func(context.Context, pgx.Tx) error) (failed error) {
	err := j.transact(ctx, func(whole context.Context, tx pgx.Tx) error {
		prior, err := j.stored(whole, tx.QueryRow, e.Key)
		if err != nil {
			return err
		}
		part, err := tx.Begin(whole)
		if err != nil {
			return err
		}
		t := &Txn{tx: part, prior: prior}
		failed = run(context.WithValue(ctx, txnKey{}, t), t)
		e.Effects, err = nil, t.end()
		switch {
		case err != nil:
		case errors.Is(failed, bus.ErrDiscard):
			err = failed
		case failed != nil:
			err = part.Rollback(whole)
		default:
			if e.Effects, err = effects(whole, part); err == nil {
				err = part.Commit(whole)
			}
		}
		if err != nil {
			return err
		}
		return last(whole, tx)
	})
	if errors.Is(err, errDry) {
		return failed
	}
	return err
}

// Lookup implements [bus.Journal].
func (j *Journal) Lookup(ctx context.Context, key bus.Key) (*bus.Stored, error) {
	return j.stored(ctx, j.pool.QueryRow, &key)
}

func (j *Journal) stored(ctx context.Context, query func(context.Context, string, ...any) pgx.Row, key *bus.Key) (
	*bus.Stored, error) {
	name, _, _ := j.key(key)
	var s bus.Stored
	var result *bus.Result
	err := query(ctx, `SELECT arguments, request_id, result FROM journal_keys WHERE name = $1
		AND (expires IS NULL OR expires > $2)`, name, j.clock()).Scan(&s.Arguments, &s.RequestID, &result)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return nil, nil
	case result == nil:
		s.Unknown = true
	default:
		s.Result = *result
	}
	return &s, err
}

// key is what is stored of a key; all nil without one.
func (j *Journal) key(k *bus.Key) (name, arguments, expires any) {
	if k == nil {
		return nil, nil, nil
	}
	if k.Window > 0 {
		expires = j.clock().Add(k.Window)
	}
	scope, _ := json.Marshal([]string{string(k.CallerType), k.Source, k.Capability, k.Value}) // of strings
	return string(scope), k.Arguments, expires
}

var errTaken = bus.Errorf(bus.Conflict, bus.ReasonBusy, "The same request was carried out in the meantime.").
	WithHint("Send it again with the same key to get its result.")

// Record implements [bus.Journal].
func (j *Journal) Record(ctx context.Context, e *bus.Entry) error {
	return j.transact(ctx, func(ctx context.Context, tx pgx.Tx) error { return j.record(ctx, tx, e, false) })
}

// record stores the entry and, unless the key has one by now, its result, or that of a step that is unknown.
func (j *Journal) record(ctx context.Context, tx pgx.Tx, e *bus.Entry, step bool) error {
	record, head := recordOf(e)
	if _, err := tx.Exec(ctx, "INSERT INTO journal_records (record, head, reads) VALUES ($1, $2, $3)", record, head,
		e.Read); err != nil {
		return err
	}
	var result *bus.Result
	if e.StoresResult() {
		whole := e.Result
		whole.Data = e.Stored
		result = &whole
	} else if e.Key == nil || !step || !e.OutcomeUnknown() {
		return nil
	}
	name, arguments, expires := j.key(e.Key)
	tag, err := tx.Exec(ctx, `INSERT INTO journal_keys VALUES ($1, $2, $3, $4, $5) ON CONFLICT (name) DO UPDATE
		SET arguments = $2, request_id = $3, result = $4, expires = $5 WHERE journal_keys.expires <= $6`,
		name, arguments, e.Invocation.RequestID, result, expires, j.clock())
	if err == nil && tag.RowsAffected() == 0 {
		return errTaken
	}
	return err
}

// Begin implements [bus.Journal].
func (j *Journal) Begin(ctx context.Context, e *bus.Entry) error {
	if err := j.recover(ctx); err != nil {
		return err
	}
	record, head := recordOf(e.Interrupted())
	return j.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		// Looked at first, a request that meets another one fails with a conflict, and is tried again.
		name, arguments, expires := j.key(e.Key)
		var taken bool
		err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM journal_inflight WHERE name = $1 AND request_id <> $2) OR EXISTS
			(SELECT FROM journal_keys WHERE name = $1 AND (expires IS NULL OR expires > $3))`, name, e.Invocation.RequestID,
			j.clock()).Scan(&taken)
		if err != nil || taken {
			return cmp.Or(err, error(errTaken))
		}
		_, err = tx.Exec(ctx, `INSERT INTO journal_inflight VALUES ($1, $2, $3, $4, $5, $6, $7)
			ON CONFLICT (request_id) DO UPDATE SET program = $2, record = $3, head = $4`, e.Invocation.RequestID, j.program,
			record, head, name, arguments, expires)
		return err
	})
}

// Finish implements [bus.Journal]. It fails where the step was recorded as interrupted, the lock having been lost.
func (j *Journal) Finish(ctx context.Context, e *bus.Entry) error {
	return j.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		err := tx.QueryRow(ctx, "DELETE FROM journal_inflight WHERE request_id = $1 AND program = $2 RETURNING true",
			e.Invocation.RequestID, j.program).Scan(new(bool))
		if err != nil {
			return fmt.Errorf("pgjournal: end the step %s: %w", e.Invocation.RequestID, err)
		}
		return j.record(ctx, tx, e, true)
	})
}

// recover records the steps of dead programs. Usually there are none, and nothing is locked.
func (j *Journal) recover(ctx context.Context) error {
	var some bool
	if err := j.pool.QueryRow(ctx, "SELECT EXISTS (SELECT FROM journal_dead)").Scan(&some); err != nil || !some {
		return err
	}
	return j.transact(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, "SELECT journal_recover()")
		return err
	})
}

type txnKey struct{}

// Tx returns the transaction, or the read snapshot, that the journal put into the context of a handler or a check.
func Tx(ctx context.Context) *Txn {
	if t, ok := ctx.Value(txnKey{}).(*Txn); ok && !bus.NoDatabase(ctx) {
		return t
	}
	return &Txn{err: errEnded}
}

// running is the transaction or snapshot of ctx that has not ended, nil for none.
func running(ctx context.Context) *Txn {
	t, ok := ctx.Value(txnKey{}).(*Txn)
	if !ok {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err != nil {
		return nil
	}
	return t
}

var errEnded = errors.New("pgjournal: there is no transaction here, or it has ended")

// Txn is a handler's view of the database. It is safe for concurrent use, and fails once its run is over: a handler
// that missed its deadline may still be running.
type Txn struct {
	tx       pgx.Tx
	readOnly bool
	prior    *bus.Stored

	mu  sync.Mutex // held while a statement runs; guards the rest
	err error      // why it cannot be used; a conflict with another transaction: the run is repeated
}

// allowed are the beginnings of statements that leave the transaction alone. Which tables they may change is for the
// privileges of the database's user to say.
var allowed = regexp.MustCompile(`(?i)^\s*(SELECT|VALUES|WITH|INSERT|UPDATE|DELETE|MERGE)\b`)

// Run runs a statement, and calls each with the rows that it returns, one by one; nil where there are none.
func (t *Txn) Run(ctx context.Context, each func(pgx.CollectableRow) error, sql string, args ...any) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := cmp.Or(t.err, ctx.Err()); err != nil {
		return err
	}
	if !allowed.MatchString(sql) {
		return fmt.Errorf("pgjournal: the statement %q is refused", sql)
	}
	if !t.readOnly { // a cancelled statement would cost the connection, and with it the record
		ctx = context.WithoutCancel(ctx)
	}
	rows, _ := t.tx.Query(ctx, sql, args...) // its error is that of the rows
	defer rows.Close()
	for rows.Next() {
		if err := each(rows); err != nil {
			return err
		}
	}
	if isConflict(rows.Err()) {
		t.err = rows.Err()
	}
	return rows.Err()
}

// end makes every later use fail. When it returns, no statement is running.
func (t *Txn) end() (conflict error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	conflict, t.err = t.err, errEnded
	return conflict
}

// Prior implements [bus.Exec].
func (t *Txn) Prior() *bus.Stored { return t.prior }

// Effects implements [bus.Exec].
func (t *Txn) Effects() (list []bus.Effect) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.err == nil {
		list, t.err = effects(context.Background(), t.tx) // after an error the run cannot be kept
	}
	return list
}

func effects(ctx context.Context, tx pgx.Tx) (list []bus.Effect, err error) {
	var raw []byte
	if err := tx.QueryRow(ctx, "SELECT journal_effects()").Scan(&raw); err != nil {
		return nil, err
	}
	return list, decode(raw, &list)
}

func decode(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber() // 64-bit integers stay whole
	return d.Decode(into)
}
