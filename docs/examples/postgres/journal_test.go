package pgjournal

import (
	"context"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/docs/examples/postgres/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Run(m)) }

const numbers = `CREATE TABLE IF NOT EXISTS numbers (name text PRIMARY KEY, value int NOT NULL CHECK (value >= 0));
	CREATE OR REPLACE TRIGGER effect AFTER INSERT OR UPDATE OR DELETE ON numbers
		FOR EACH ROW EXECUTE FUNCTION journal_effect('name')`

// fault lets a statement fail before it is sent: pgx takes the context that a tracer returns.
type fault struct{ left atomic.Int32 }

func (f *fault) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	if f.left.Add(-1) != 0 || strings.EqualFold(q.SQL, "rollback") {
		return ctx
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx
}

func (f *fault) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// fixture is a journal in a database of its own, as the kit wants it.
func fixture(t testing.TB) bustest.JournalFixture {
	config, clock, ctx := pgtest.Database(t), bustest.NewClock(), context.Background()
	open := func(config *pgxpool.Config) (*Journal, func(), error) {
		j, err := Open(ctx, config, clock.Now, numbers)
		if err != nil {
			return nil, nil, err
		}
		t.Cleanup(j.Close)
		return j, func() { kill(t, config, j) }, nil
	}
	f := &fault{}
	faulty := config.Copy()
	faulty.ConnConfig.Tracer = f
	j, _, err := open(faulty)
	if err != nil {
		t.Fatal(err)
	}
	return bustest.JournalFixture{
		Journal: j,
		Write: func(ctx context.Context, name string, value int) error {
			return Tx(ctx).Run(ctx, nil, `INSERT INTO numbers VALUES ($1, $2) ON CONFLICT (name)
				DO UPDATE SET value = excluded.value`, name, value)
		},
		Read: func(ctx context.Context, name string) (value int, err error) {
			err = Tx(ctx).Run(ctx, func(row pgx.CollectableRow) error { return row.Scan(&value) },
				`SELECT value FROM numbers WHERE name = $1`, name)
			return value, err
		},
		Records: func(ctx context.Context, requestID string) (list []bus.Result, err error) {
			rows, err := j.pool.Query(ctx, "SELECT record FROM journal_records WHERE request_id = $1 ORDER BY seq",
				requestID)
			if err != nil {
				return nil, err
			}
			return pgx.CollectRows(rows, func(row pgx.CollectableRow) (bus.Result, error) {
				var r bus.Record
				err := row.Scan(&r)
				return r.Entry().Result, err
			})
		},
		Another: func(context.Context) (bus.Journal, func(), error) { return open(config) },
		Advance: clock.Advance,
		Fault: func(n int) func() bool {
			f.left.Store(int32(n))
			return func() bool { return f.left.Swap(0) <= 0 }
		},
	}
}

// kill ends a program's connections as the end of its process does, and waits until the server has seen it.
func kill(t testing.TB, config *pgxpool.Config, j *Journal) {
	ctx := context.Background()
	j.Close()
	c, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close(ctx)
	for gone := false; !gone; time.Sleep(time.Millisecond) {
		if err := c.QueryRow(ctx, "SELECT NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = $1)",
			j.program).Scan(&gone); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheJournalConforms(t *testing.T) { bustest.ConformJournal(t, fixture) }
