package audit_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// crowd holds the writer until n more calls are waiting, so that they share a
// commit, and answers when all are done.
func crowd(t *testing.T, l *audit.Log, n int, call func(i int)) {
	t.Helper()
	started, release := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	all.Go(func() {
		_ = l.Do(context.Background(), entry("holder"), func(context.Context, bus.Exec) error {
			close(started)
			<-release
			return nil
		})
	})
	<-started
	for i := range n {
		all.Go(func() { call(i) })
	}
	audit.WaitForQueue(l, n)
	close(release)
	all.Wait()
}

func recorded(t testing.TB, l *audit.Log, request string) []audit.Record {
	t.Helper()
	page, err := l.Search(context.Background(), audit.Query{RequestID: request})
	must(t, err)
	return page.Records
}

func TestNeighboursInABatchAreNotHarmed(t *testing.T) {
	// Handlers that treat the shared transaction in different ways, in turns.
	behaviours := []func(ctx context.Context, id int) error{
		func(ctx context.Context, id int) error { return nil },
		func(ctx context.Context, id int) error { return bus.Errorf(bus.Conflict, bus.ReasonBusy, "no") },
		func(ctx context.Context, id int) error { panic("handler") },
		func(ctx context.Context, id int) error { return bus.ErrDiscard },
		func(ctx context.Context, id int) error {
			_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO counters VALUES (?, 1)`, id) // the same key again
			return err
		},
		func(ctx context.Context, id int) error {
			_, err := audit.Tx(ctx).ExecContext(ctx, `COMMIT`)
			return err
		},
	}
	const callers = 120
	l := newLog(t)
	errs := make([]error, callers)
	crowd(t, l, callers, func(i int) {
		e := entry(fmt.Sprint("r", i))
		errs[i] = l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
			if _, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO counters VALUES (?, 0)`, i); err != nil {
				return err
			}
			err := behaviours[i%len(behaviours)](ctx, i)
			if err != nil {
				e.Result = failed(e.Invocation.RequestID, bus.Internal, bus.ReasonUncoded).Result
			}
			return err
		})
	})
	for i, err := range errs {
		how := i % len(behaviours)
		there := count(t, l, `SELECT count(*) FROM counters WHERE id = ?`, i)
		log := recorded(t, l, fmt.Sprint("r", i))
		switch how {
		case 0:
			if err != nil || there != 1 || len(log) != 1 || log[0].Status != "success" || len(log[0].Effects) != 1 {
				t.Errorf("success %d: %v, rows %d, records %+v", i, err, there, log)
			}
		case 1, 4, 5:
			if err != nil || there != 0 || len(log) != 1 || log[0].Status != "error" || len(log[0].Effects) != 0 {
				t.Errorf("failure %d: %v, rows %d, records %+v", i, err, there, log)
			}
		default:
			if err == nil || there != 0 || len(log) != 0 {
				t.Errorf("discarded %d: %v, rows %d, records %+v", i, err, there, log)
			}
		}
	}
	if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK {
		t.Errorf("verdict: %+v %v", v, err)
	}
}

func TestOneThatEndsTheTransactionSuffersAlone(t *testing.T) {
	for name, hides := range map[string]bool{"and says so": false, "and hides it": true} {
		t.Run(name, func(t *testing.T) {
			l := newLog(t)
			// A handler cannot write such a statement, but a constraint of an unchecked schema has the same effect.
			audit.Execute(t, l, `CREATE TABLE mines (id INTEGER PRIMARY KEY, n INTEGER UNIQUE ON CONFLICT ROLLBACK)`,
				`INSERT INTO mines VALUES (1, 1)`)
			const callers = 20
			errs, runs := make([]error, callers), make([]int, callers)
			crowd(t, l, callers, func(i int) {
				e := entry(fmt.Sprint("r", i))
				errs[i] = l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
					runs[i]++
					_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO counters VALUES (?, 0)`, i)
					must(t, err)
					if i == 10 {
						_, err = audit.Tx(ctx).ExecContext(ctx, `INSERT INTO mines VALUES (2, 1)`)
						if hides {
							_, _ = audit.Tx(ctx).ExecContext(ctx, `INSERT INTO counters VALUES (1000, 0)`)
							return nil
						}
						e.Result = failed(e.Invocation.RequestID, bus.Internal, bus.ReasonUncoded).Result
					}
					return err
				})
			})
			for i, err := range errs {
				log := recorded(t, l, fmt.Sprint("r", i))
				there := count(t, l, `SELECT count(*) FROM counters WHERE id = ?`, i)
				switch {
				case i != 10:
					if err != nil || len(log) != 1 || log[0].Status != "success" || there != 1 || runs[i] > 2 {
						t.Errorf("neighbour %d: %v, %d runs, rows %d, records %+v", i, err, runs[i], there, log)
					}
				case hides:
					if err == nil || len(log) != 0 || there != 0 {
						t.Errorf("culprit: %v, rows %d, records %+v", err, there, log)
					}
				default:
					if err != nil || len(log) != 1 || log[0].Status != "error" || there != 0 {
						t.Errorf("culprit: %v, rows %d, records %+v", err, there, log)
					}
				}
			}
			if n := count(t, l, `SELECT count(*) FROM counters WHERE id = 1000`); n != 0 {
				t.Error("it wrote outside of any transaction")
			}
			if v, err := l.Verify(context.Background(), nil); err != nil || v.FirstBad > 0 || v.Schema != 2 {
				t.Errorf("verdict: %+v %v", v, err)
			}
		})
	}
}

func TestAFailedCommitStoresNothingAndTheNextOneWorks(t *testing.T) {
	l := newLog(t)
	audit.LimitPages(t, l, true)
	big := strings.Repeat("x", 1<<20)
	e := entry("r1")
	err := l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
		_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO items (id, name) VALUES ('a', 'A')`)
		e.Summary = big // the record does not fit
		return err
	})
	if err == nil {
		t.Fatal("a full disk was not noticed")
	}
	if n := count(t, l, `SELECT (SELECT count(*) FROM items) + (SELECT count(*) FROM audit_records)`); n != 0 {
		t.Errorf("left: %d", n)
	}
	audit.LimitPages(t, l, false)
	must(t, do(t, l, entry("r2"), `INSERT INTO items (id, name) VALUES ('a', 'A')`))
	if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK || v.Records != 1 {
		t.Errorf("verdict: %+v %v", v, err)
	}
}

func TestACallThatWasCancelledInTheQueueIsNotRun(t *testing.T) {
	l := newLog(t)
	ctx, cancel := context.WithCancel(context.Background())
	crowd(t, l, 1, func(int) {
		cancel()
		err := l.Do(ctx, entry("r0"), func(context.Context, bus.Exec) error {
			t.Error("it ran")
			return nil
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("answer: %v", err)
		}
		must(t, do(t, l, entry("r1"), `INSERT INTO counters VALUES (1, 1)`))
	})
	if n := len(recorded(t, l, "r0")); n != 0 {
		t.Errorf("records: %d", n)
	}
}

func TestACancelledStatementIsNotStartedAndHurtsNobody(t *testing.T) {
	l := newLog(t)
	ctx, cancel := context.WithCancel(context.Background())
	e := failed("r1", bus.Transient, bus.ReasonCancelled)
	must(t, l.Do(ctx, e, func(ctx context.Context, _ bus.Exec) error {
		_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO counters VALUES (1, 1)`)
		must(t, err)
		cancel()
		_, err = audit.Tx(ctx).ExecContext(ctx, `INSERT INTO counters VALUES (2, 1)`)
		if !errors.Is(err, context.Canceled) {
			t.Errorf("statement: %v", err)
		}
		return err
	}))
	if n := count(t, l, `SELECT count(*) FROM counters`); n != 0 || len(recorded(t, l, "r1")) != 1 {
		t.Errorf("rows: %d", n)
	}
}

func TestARunningStatementIsNotInterrupted(t *testing.T) {
	l := newLog(t)
	ctx, cancel := context.WithCancel(context.Background())
	must(t, l.Do(ctx, entry("r1"), func(ctx context.Context, _ bus.Exec) error {
		var id int
		return audit.Tx(ctx).QueryRowContext(cancelledOnceChecked{ctx, cancel},
			`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 50000)
			INSERT INTO counters SELECT i, 0 FROM n RETURNING id`).Scan(&id)
	}))
	if n := count(t, l, `SELECT count(*) FROM counters`); n != 50000 {
		t.Errorf("rows: %d", n)
	}
}

// cancelledOnceChecked is a context that is cancelled by the first call of Err.
type cancelledOnceChecked struct {
	context.Context
	cancel func()
}

func (c cancelledOnceChecked) Err() error {
	defer c.cancel()
	return c.Context.Err()
}

func TestAHandlerThatWasGivenUpCannotTouchTheNextOnesTransaction(t *testing.T) {
	l := newLog(t)
	gone, done := make(chan struct{}), make(chan struct{})
	must(t, l.Do(context.Background(), failed("r1", bus.Transient, bus.ReasonTimeout),
		func(ctx context.Context, _ bus.Exec) error {
			go func() { // as the bus does when a deadline passes
				defer close(done)
				<-gone
				if _, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO counters VALUES (1, 1)`); err == nil {
					t.Error("it wrote into another run")
				}
			}()
			return context.DeadlineExceeded
		}))
	must(t, l.Do(context.Background(), entry("r2"), func(context.Context, bus.Exec) error {
		close(gone)
		<-done
		return nil
	}))
	if n := count(t, l, `SELECT count(*) FROM counters`); n != 0 {
		t.Errorf("rows: %d", n)
	}
}

// holds: U10
func TestU10ReadsOfPeopleAreStoredByCloseAtTheLatest(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	l, err := audit.Open(context.Background(), path, options())
	must(t, err)
	for i := range 300 {
		e := entry(fmt.Sprint("r", i))
		e.Read = true
		must(t, l.Record(context.Background(), e))
	}
	must(t, l.Close())
	if err := l.Record(context.Background(), entry("late")); err == nil {
		t.Error("a closed journal took a record")
	}
	l = open(t, path, options())
	page, err := l.Search(context.Background(), audit.Query{Reads: true, Limit: 500})
	must(t, err)
	if len(page.Records) != 300 || page.Records[0].Segment != "reads" {
		t.Errorf("reads: %d", len(page.Records))
	}
}

// holds: U10
func TestU10ReadsAreStoredWithoutAnybodyAsking(t *testing.T) {
	l := newLog(t)
	e := entry("r")
	e.Read = true
	must(t, l.Record(context.Background(), e))
	for count(t, l, `SELECT count(*) FROM audit_reads`) == 0 {
		time.Sleep(time.Millisecond)
	}
}

func TestRefusalsAreRecordedThoughTheCallerIsGone(t *testing.T) {
	l := newLog(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	must(t, l.Record(ctx, failed("r", bus.Forbidden, bus.ReasonDeclined)))
	if n := len(recorded(t, l, "r")); n != 1 {
		t.Errorf("records: %d", n)
	}
}

// holds: U1
func TestU1ArgumentsThatAreNoJSONAreRecordedAsText(t *testing.T) {
	l := newLog(t)
	e := failed("r", bus.Validation, bus.ReasonEnvelope)
	e.Invocation.Arguments = []byte(`{"id":`)
	must(t, l.Record(context.Background(), e))
	if log := recorded(t, l, "r"); len(log) != 1 || string(log[0].Arguments) != `"{\"id\":"` {
		t.Errorf("records: %+v", log)
	}
}

func TestAFileThatStaysLockedFailsEverybodyOnce(t *testing.T) {
	l := newLog(t)
	audit.Impatient(t, l)
	unlock := audit.Lock(t, audit.DSN(l))
	errs := make([]error, 5)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() { errs[i] = do(t, l, entry(fmt.Sprint("r", i)), `INSERT INTO counters (n) VALUES (1)`) })
	}
	all.Wait()
	unlock()
	for i, err := range errs {
		if err == nil || !strings.Contains(err.Error(), "keeps the file locked") {
			t.Errorf("call %d: %v", i, err)
		}
	}
	must(t, do(t, l, entry("after"), `INSERT INTO counters (n) VALUES (1)`))
	if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK || v.Records != 1 {
		t.Errorf("verdict: %+v %v", v, err)
	}
}

// TestAProgramWaitsWhileOthersCommit: a program that does not get the write lock for longer than its patience waits on
// while other programs get on, and its work is done. It gives up when the file stays locked without a commit.
func TestAProgramWaitsWhileOthersCommit(t *testing.T) {
	l := newLog(t)
	must(t, do(t, l, entry("r"), `INSERT INTO counters (n) VALUES (1)`))
	const patience = 200 * time.Millisecond
	audit.Patience(t, l, patience)
	commit, unlock := audit.Busy(t, audit.DSN(l))
	done := make(chan error, 1)
	go func() { done <- do(t, l, entry("waits"), `INSERT INTO counters (n) VALUES (1)`) }()
	for end := time.Now().Add(8 * patience); time.Now().Before(end); {
		time.Sleep(patience / 8)
		commit()
	}
	unlock()
	must(t, <-done)
}

// runLong runs the handler of a capability in a transaction of l until end is called.
func runLong(t *testing.T, l *audit.Log, capability string) (end func()) {
	t.Helper()
	e := entry("long")
	e.Invocation.Capability = capability
	running, goOn, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- l.Do(context.Background(), e, func(context.Context, bus.Exec) error {
			close(running)
			<-goOn
			return nil
		})
	}()
	<-running
	end = sync.OnceFunc(func() {
		close(goOn)
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(end)
	return end
}

// expiring is a context whose deadline passes when the test closes done.
type expiring struct {
	context.Context
	done chan struct{}
}

func (c *expiring) Done() <-chan struct{} { return c.done }

func (c *expiring) Err() error {
	select {
	case <-c.done:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// TestCallsWaitForALongTransaction lets calls wait, longer than their patience, for a transaction of another program or
// of their own. A call whose context ends gets its answer at once and its record later. After a deadline the error names
// the running capability.
func TestCallsWaitForALongTransaction(t *testing.T) {
	for _, of := range []string{"another program", "this program"} {
		t.Run(of, func(t *testing.T) {
			const patience = 100 * time.Millisecond
			l := newLog(t)
			writer := l
			if of == "another program" {
				writer = open(t, audit.Path(l), options())
			}
			audit.Patience(t, l, patience)
			audit.Patience(t, writer, patience)
			end := runLong(t, writer, "books.import")

			call := func(ctx context.Context, request string) chan error {
				done := make(chan error, 1)
				go func() {
					done <- l.Do(ctx, entry(request), func(ctx context.Context, _ bus.Exec) error {
						_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO counters (n) VALUES (1)`)
						return err
					})
				}()
				return done
			}
			waits := call(context.Background(), "waits")
			cancelled, cancel := context.WithCancel(context.Background())
			stopped := call(cancelled, "stopped")
			late := &expiring{context.Background(), make(chan struct{})}
			tooLate := call(late, "late")
			for audit.BusyWith(l) != "books.import" {
				time.Sleep(patience / 20)
			}
			time.Sleep(4 * patience)
			cancel()
			close(late.done)
			if err := <-stopped; !errors.Is(err, context.Canceled) {
				t.Errorf("the stopped call: %v", err)
			}
			must(t, l.Record(context.Background(), failed("stopped", bus.Transient, bus.ReasonCancelled)))
			told, ok := errors.AsType[*bus.Error](<-tooLate)
			if !ok || told.Code != bus.Transient || told.Reason != bus.ReasonTimeout ||
				!strings.Contains(told.Error(), "busy with books.import") {
				t.Errorf("the late call: %v", told)
			}
			must(t, l.Record(context.Background(), failed("late", bus.Transient, bus.ReasonTimeout)))
			select {
			case err := <-waits:
				t.Errorf("the waiting call ended: %v", err)
			default:
			}
			end()
			must(t, <-waits)
			for request, effects := range map[string]int{"waits": 1, "stopped": 0, "late": 0} {
				if log := recorded(t, l, request); len(log) != 1 || len(log[0].Effects) != effects {
					t.Errorf("records of %s: %+v", request, log)
				}
			}
		})
	}
}
