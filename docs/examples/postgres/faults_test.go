package pgjournal

import (
	"context"
	"errors"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

type run = func(context.Context, bus.Exec) error

// wrong is a journal with one fault: what is set replaces what is right.
type wrong struct {
	*Journal
	do, dryRun    func(j *Journal, ctx context.Context, e *bus.Entry, run run) error
	begin, finish func(j *Journal, ctx context.Context, e *bus.Entry) error
	view          func(j *Journal, ctx context.Context, run func(context.Context) error) error
	opening       func(j *Journal, open func() error) error // around another program's start
}

func (w *wrong) Do(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	if w.do != nil {
		return w.do(w.Journal, ctx, e, run)
	}
	return w.Journal.Do(ctx, e, run)
}

func (w *wrong) DryRun(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	if w.dryRun != nil {
		return w.dryRun(w.Journal, ctx, e, run)
	}
	return w.Journal.DryRun(ctx, e, run)
}

func (w *wrong) Begin(ctx context.Context, e *bus.Entry) error {
	if w.begin != nil {
		return w.begin(w.Journal, ctx, e)
	}
	return w.Journal.Begin(ctx, e)
}

func (w *wrong) Finish(ctx context.Context, e *bus.Entry) error {
	if w.finish != nil {
		return w.finish(w.Journal, ctx, e)
	}
	return w.Journal.Finish(ctx, e)
}

func (w *wrong) View(ctx context.Context, run func(context.Context) error) error {
	if w.view != nil {
		return w.view(w.Journal, ctx, run)
	}
	return w.Journal.View(ctx, run)
}

// unread is an Exec that has not looked for the key.
type unread struct{ bus.Exec }

func (unread) Prior() *bus.Stored { return nil }

// outside runs a handler's part in a transaction of another kind than the journal's.
func outside(j *Journal, ctx context.Context, o pgx.TxOptions, run func(t *Txn, tx pgx.Tx) error) error {
	return pgx.BeginTxFunc(context.WithoutCancel(ctx), j.pool, o, func(tx pgx.Tx) error {
		t := &Txn{tx: tx}
		defer t.end()
		return run(t, tx)
	})
}

func unkeyed(e *bus.Entry) *bus.Entry {
	c := *e
	c.Key = nil
	return &c
}

// seeded are the faults, by name, each with the rule that finds it.
var seeded = map[string]struct {
	rule  string
	fault wrong
}{
	"the key is not read again inside the transaction": {"keys", wrong{
		do: func(j *Journal, ctx context.Context, e *bus.Entry, run run) error {
			return j.Do(ctx, e, func(ctx context.Context, x bus.Exec) error { return run(ctx, unread{x}) })
		}}},
	"the record is written outside the transaction": {"faults", wrong{
		do: func(j *Journal, ctx context.Context, e *bus.Entry, run run) error {
			if err := j.run(ctx, e, run, func(context.Context, pgx.Tx) error { return nil }); err != nil {
				return err
			}
			return j.Record(ctx, e)
		}}},
	"a dry run commits": {"single calls", wrong{
		dryRun: func(j *Journal, ctx context.Context, e *bus.Entry, run run) error {
			return j.run(ctx, e, run, func(context.Context, pgx.Tx) error { return nil })
		}}},
	"Begin lets two in": {"begin", wrong{
		begin: func(j *Journal, ctx context.Context, e *bus.Entry) error { return j.Begin(ctx, unkeyed(e)) }}},
	"Finish loses the row in flight": {"faults", wrong{
		finish: func(j *Journal, ctx context.Context, e *bus.Entry) error {
			if _, err := j.pool.Exec(ctx, "DELETE FROM journal_inflight WHERE request_id = $1",
				e.Invocation.RequestID); err != nil {
				return err
			}
			return j.transact(ctx, func(ctx context.Context, tx pgx.Tx) error { return j.record(ctx, tx, e, true) })
		}}},
	"Finish leaves the row in flight": {"recovery", wrong{
		finish: func(j *Journal, ctx context.Context, e *bus.Entry) error {
			return j.transact(ctx, func(ctx context.Context, tx pgx.Tx) error { return j.record(ctx, tx, e, true) })
		}}},
	"an unknown outcome frees the key": {"single calls", wrong{
		finish: func(j *Journal, ctx context.Context, e *bus.Entry) error {
			if e.OutcomeUnknown() {
				e = unkeyed(e)
			}
			return j.Finish(ctx, e)
		}}},
	"recovery repeats itself": {"recovery", wrong{
		opening: func(j *Journal, open func() error) error {
			ctx := context.Background()
			_, err := j.pool.Exec(ctx, `CREATE TABLE IF NOT EXISTS kept (LIKE journal_inflight INCLUDING ALL);
				INSERT INTO kept SELECT * FROM journal_dead ON CONFLICT DO NOTHING`, pgx.QueryExecModeSimpleProtocol)
			err = errors.Join(err, open())
			_, again := j.pool.Exec(ctx, "INSERT INTO journal_inflight SELECT * FROM kept ON CONFLICT DO NOTHING")
			return errors.Join(err, again)
		}}},
	"recovery takes the living for dead": {"recovery", wrong{
		opening: func(j *Journal, open func() error) error {
			_, err := j.pool.Exec(context.Background(), "UPDATE journal_inflight SET program = 0")
			return errors.Join(err, open())
		}}},
	"a view may write": {"view", wrong{
		view: func(j *Journal, ctx context.Context, run func(context.Context) error) error {
			var failed error
			err := outside(j, ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead}, func(t *Txn, _ pgx.Tx) error {
				failed = run(context.WithValue(ctx, txnKey{}, t))
				return nil
			})
			return errors.Join(failed, err)
		}}},
	"a view is no snapshot": {"view", wrong{
		view: func(j *Journal, ctx context.Context, run func(context.Context) error) error {
			return outside(j, ctx, pgx.TxOptions{AccessMode: pgx.ReadOnly}, func(t *Txn, _ pgx.Tx) error {
				return run(context.WithValue(ctx, txnKey{}, t))
			})
		}}},
	"a failure stores its key": {"single calls", wrong{
		do: func(j *Journal, ctx context.Context, e *bus.Entry, run run) error {
			return j.run(ctx, e, run, func(ctx context.Context, tx pgx.Tx) error {
				kept := *e
				kept.Result.Status = "success"
				return j.record(ctx, tx, &kept, false)
			})
		}}},
	"a failed run loses its record": {"single calls", wrong{
		do: func(j *Journal, ctx context.Context, e *bus.Entry, run run) error {
			return j.run(ctx, e, run, func(ctx context.Context, tx pgx.Tx) error {
				if !e.Result.OK() {
					return nil
				}
				return j.record(ctx, tx, e, false)
			})
		}}},
	"a cancelled run commits": {"single calls", wrong{
		do: func(j *Journal, ctx context.Context, e *bus.Entry, run run) error {
			return j.Do(ctx, e, func(ctx context.Context, x bus.Exec) error {
				err := run(ctx, x)
				if ctx.Err() != nil {
					return nil
				}
				return err
			})
		}}},
	"conflicts are not tried again": {"concurrent runs", wrong{
		do: func(j *Journal, ctx context.Context, e *bus.Entry, run run) error {
			return outside(j, ctx, pgx.TxOptions{IsoLevel: pgx.Serializable}, func(t *Txn, tx pgx.Tx) error {
				if err := run(context.WithValue(ctx, txnKey{}, t), t); err != nil {
					return err
				}
				e.Effects = t.Effects()
				return j.record(ctx, tx, e, false)
			})
		}}},
	"two runs overwrite each other": {"concurrent runs", wrong{
		do: func(j *Journal, ctx context.Context, e *bus.Entry, run run) error {
			return outside(j, ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(t *Txn, tx pgx.Tx) error {
				if err := run(context.WithValue(ctx, txnKey{}, t), t); err != nil {
					return err
				}
				e.Effects = t.Effects()
				return j.record(ctx, tx, e, false)
			})
		}}},
	"keys never expire": {"key window", wrong{
		do: func(j *Journal, ctx context.Context, e *bus.Entry, run run) error {
			e.Key.Window = 0
			return j.Do(ctx, e, run)
		}}},
	"a run may go on after Do": {"late use", wrong{
		do: func(j *Journal, ctx context.Context, e *bus.Entry, run run) error {
			own, err := pgx.ConnectConfig(ctx, j.pool.Config().ConnConfig) // the pool would wait for its own
			if err != nil {
				return err
			}
			tx, err := own.Begin(ctx)
			if err := errors.Join(err, j.pool.Config().AfterConnect(ctx, own)); err != nil {
				return err
			}
			return j.Do(ctx, e, func(ctx context.Context, x bus.Exec) error {
				return run(context.WithValue(ctx, txnKey{}, &Txn{tx: tx}), x)
			})
		}}},
	"a discarded run is recorded": {"single calls", wrong{
		do: func(j *Journal, ctx context.Context, e *bus.Entry, run run) error {
			err := j.Do(ctx, e, run)
			if errors.Is(err, bus.ErrDiscard) {
				return errors.Join(err, j.Record(ctx, unkeyed(e)))
			}
			return err
		}}},
}

// TestTheKitFindsEachSeededFault puts each fault into the journal, which without it has none.
func TestTheKitFindsEachSeededFault(t *testing.T) {
	for name, c := range seeded {
		t.Run(name, func(t *testing.T) {
			found := bustest.CheckJournal(t, func(t testing.TB) bustest.JournalFixture {
				f := fixture(t)
				first := f.Journal.(*Journal)
				seed := func(j bus.Journal) bus.Journal {
					w := c.fault
					w.Journal = j.(*Journal)
					return &w
				}
				f.Journal = seed(first)
				another := f.Another
				f.Another = func(ctx context.Context) (j bus.Journal, kill func(), err error) {
					open := func() error {
						j, kill, err = another(ctx)
						return err
					}
					if c.fault.opening == nil {
						err = open()
					} else {
						err = c.fault.opening(first, open)
					}
					if err == nil {
						j = seed(j)
					}
					return j, kill, err
				}
				return f
			}, c.rule)
			if len(found) == 0 {
				t.Errorf("the rule %q does not find it", c.rule)
			}
			for _, f := range found {
				t.Log(f)
			}
		})
	}
}
