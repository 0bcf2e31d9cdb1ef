package pgjournal

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// cluster is the address of the PostgreSQL that TestMain started; "" where there is none.
var cluster string

func TestMain(m *testing.M) { os.Exit(withCluster(m.Run)) }

// withCluster runs a cluster of its own around run, on a socket in a temporary folder. As root it belongs to the user
// postgres, since PostgreSQL refuses to run as root.
func withCluster(run func() int) int {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	_, unknown := user.Lookup("postgres")
	if len(found) == 0 || os.Geteuid() == 0 && unknown != nil {
		return run()
	}
	dir, err := os.MkdirTemp("", "pgjournal")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	command := func(name string, args ...string) {
		args = append([]string{filepath.Join(found[len(found)-1], name)}, args...)
		if os.Geteuid() == 0 {
			args = append([]string{"runuser", "-u", "postgres", "--"}, args...)
		}
		c := exec.Command(args[0], args[1:]...)
		c.Dir = dir
		if out, err := c.CombinedOutput(); err != nil {
			panic(fmt.Sprintf("%v: %v\n%s", args, err, out))
		}
	}
	if os.Geteuid() == 0 {
		if out, err := exec.Command("chown", "postgres", dir).CombinedOutput(); err != nil {
			panic(string(out))
		}
	}
	data := filepath.Join(dir, "data")
	command("initdb", "-D", data, "-U", "postgres", "-A", "trust", "--no-sync", "-E", "UTF8", "--locale=C")
	command("pg_ctl", "-D", data, "-w", "-l", filepath.Join(dir, "log"), "-o",
		fmt.Sprintf("-k %s -c listen_addresses= -c max_connections=200 -c fsync=off", dir), "start")
	defer command("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
	cluster = fmt.Sprintf("host=%s user=postgres dbname=", dir)
	return run()
}

var databases atomic.Int32

// newDatabase makes an empty database with the domain's table, and returns how to reach it.
func newDatabase(t testing.TB) *pgxpool.Config {
	t.Helper()
	if cluster == "" {
		t.Skip("not checked: PostgreSQL")
	}
	ctx, name := context.Background(), fmt.Sprintf("d%d", databases.Add(1))
	run := func(db, sql string) {
		c, err := pgx.Connect(ctx, cluster+db)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close(ctx)
		if _, err := c.Exec(ctx, sql); err != nil {
			t.Fatal(sql, err)
		}
	}
	run("postgres", "CREATE DATABASE "+name)
	run(name, schema)
	run(name, `CREATE TABLE numbers (name text PRIMARY KEY, value int NOT NULL CHECK (value >= 0));
		CREATE TRIGGER effect AFTER INSERT OR UPDATE OR DELETE ON numbers
			FOR EACH ROW EXECUTE FUNCTION journal_effect('name')`)
	config, err := pgxpool.ParseConfig(cluster + name)
	if err != nil {
		t.Fatal(err)
	}
	return config
}

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
	config, clock, ctx := newDatabase(t), bustest.NewClock(), context.Background()
	open := func(config *pgxpool.Config) (*Journal, func(), error) {
		j, err := Open(ctx, config, clock.Now)
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
			rows, err := j.pool.Query(ctx, "SELECT entry -> 'Result' FROM journal_records WHERE request_id = $1 ORDER BY seq",
				requestID)
			if err != nil {
				return nil, err
			}
			return pgx.CollectRows(rows, func(row pgx.CollectableRow) (r bus.Result, err error) {
				var raw []byte
				err = row.Scan(&raw)
				return r, errors.Join(err, json.Unmarshal(raw, &r))
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
