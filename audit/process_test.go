package audit_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// childVariable makes the test binary a program that writes to a log.
const childVariable = "AUDIT_TEST_CHILD"

func TestMain(m *testing.M) {
	if spec := os.Getenv(childVariable); spec != "" {
		child(strings.Split(spec, "|"))
		return
	}
	os.Exit(m.Run())
}

// child writes invocations with its name as a prefix until the limit or until it is killed. It prints the request id of
// each acknowledged one.
func child(spec []string) {
	path, name := spec[0], spec[1]
	var limit int
	if _, err := fmt.Sscan(spec[2], &limit); err != nil {
		panic(err)
	}
	l, err := audit.Open(context.Background(), path, options())
	if err != nil {
		panic(err)
	}
	out := bufio.NewWriter(os.Stdout)
	for n := range limit {
		if name == "restore" {
			fmt.Println("restoring")
			if _, err := restore(l, fmt.Sprint("restore-", os.Getpid(), n), path+".copy",
				fmt.Sprint(path, ".kept", os.Getpid(), "-", n)); err != nil {
				panic(err)
			}
		}
		if name == "network" {
			if err := l.Begin(context.Background(), step("net")); err != nil {
				panic(err)
			}
		}
		e := entry(fmt.Sprintf("%s-%d", name, n))
		e.Key = key(e.Invocation.RequestID)
		err := l.Do(context.Background(), e, func(ctx context.Context, x bus.Exec) error {
			number, err := x.(interface {
				Next(string, int64) (int64, error)
			}).Next("items", 0)
			if err == nil {
				_, err = audit.Tx(ctx).ExecContext(ctx, `INSERT INTO items (id, name, amount) VALUES (?, 'x', ?)`,
					e.Invocation.RequestID, number)
			}
			return err
		})
		if err != nil {
			panic(err)
		}
		fmt.Fprintln(out, e.Invocation.RequestID)
		if err := out.Flush(); err != nil {
			panic(err)
		}
	}
	if err := l.Close(); err != nil {
		panic(err)
	}
}

func program(t *testing.T, path, name string, limit int) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%s|%d", childVariable, path, name, limit))
	cmd.Stderr = os.Stderr
	return cmd
}

func TestTwoProgramsWriteToOneFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	const each = 300
	var programs []*exec.Cmd
	for _, name := range []string{"one", "two"} {
		p := program(t, path, name, each)
		must(t, p.Start())
		programs = append(programs, p)
	}
	l := open(t, path, options())
	for n := range each {
		must(t, do(t, l, entry(fmt.Sprint("three-", n)), fmt.Sprintf(`INSERT INTO items (id, name) VALUES ('three-%d', 'x')`,
			n)))
	}
	for _, p := range programs {
		must(t, p.Wait())
	}
	if n := count(t, l, `SELECT count(*) FROM items`); n != 3*each {
		t.Errorf("items: %d", n)
	}
	noGaps(t, l, 2*each)
	if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK || v.Records != 3*each {
		t.Errorf("verdict: %+v %v", v, err)
	}
	if s := lookup(t, l, key("two-7")); s == nil || s.RequestID != "two-7" {
		t.Errorf("a key of the other program: %+v", s)
	}
}

// holds: U10
func TestU10KillingAProgramLosesNothingThatWasAcknowledged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	acknowledged := map[string]bool{}
	for round := range soak(20, 1000) {
		p := program(t, path, fmt.Sprint("p", round), 1_000_000)
		out, err := p.StdoutPipe()
		must(t, err)
		must(t, p.Start())
		lines := bufio.NewScanner(out)
		for n := 0; n < round%20 && lines.Scan(); n++ {
			acknowledged[lines.Text()] = true
		}
		time.Sleep(time.Duration(round%7) * 300 * time.Microsecond) // it goes on writing
		must(t, p.Process.Kill())
		for lines.Scan() { // lines from before the kill
			acknowledged[lines.Text()] = true
		}
		_ = p.Wait() // killed
	}
	nothingLost(t, path, acknowledged)
}

func TestKillingAProgramThatRestoresLeavesTheOneOrTheOther(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	l := open(t, path, options())
	for n := range 50 {
		must(t, do(t, l, entry(fmt.Sprint("old", n)), fmt.Sprintf(`INSERT INTO items (id, name) VALUES ('old%d', 'x')`, n)))
	}
	copied, err := l.Backup(context.Background(), path+".copy")
	must(t, err)
	must(t, l.Close())
	for round := range soak(12, 300) {
		p := program(t, path, "restore", 1_000_000)
		out, err := p.StdoutPipe()
		must(t, err)
		must(t, p.Start())
		bufio.NewScanner(out).Scan()
		time.Sleep(time.Duration(round*7%60) * time.Millisecond)
		must(t, p.Process.Kill())
		_ = p.Wait()
		l := open(t, path, options())
		last, err := l.Tail(context.Background(), 0, 1)
		must(t, err)
		restored := len(recorded(t, l, "old49")) == 1 &&
			count(t, l, `SELECT count(*) FROM audit_records WHERE capability = (SELECT id
					FROM audit_capabilities WHERE name = 'shop.restore')`) <= 1
		if v := check(t, l); !v.OK || !restored || last[0].Seq < copied.Records || last[0].Seq > copied.Records+2 {
			t.Errorf("round %d: %+v, last %+v", round, v, last)
		}
		if n := count(t, l, `SELECT count(*) FROM items WHERE id NOT IN (SELECT request_id FROM audit_records)`); n != 0 {
			t.Errorf("round %d: %d effects without a record", round, n)
		}
		must(t, l.Close())
	}
}

// noGaps checks that the items have the numbers from 1 without a gap, and that the counter has the last one.
func noGaps(t *testing.T, l *audit.Log, items int) {
	t.Helper()
	if got := [3]int{count(t, l, `SELECT count(DISTINCT amount) FROM items WHERE amount > 0`),
		count(t, l, `SELECT max(amount) FROM items`), count(t, l, `SELECT last FROM audit_series WHERE series = 'items'`),
	}; got != [3]int{items, items, items} {
		t.Errorf("%d items have %d numbers up to %d, and the count is at %d", items, got[0], got[1], got[2])
	}
}

// nothingLost opens the log that killed programs left and checks it: it has every acknowledged request, and no effect,
// record or key is there without the others.
func nothingLost(t *testing.T, path string, acknowledged map[string]bool) {
	t.Helper()
	l := open(t, path, options())
	if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK || v.Records < int64(len(acknowledged)) {
		t.Errorf("verdict: %+v %v, acknowledged %d", v, err, len(acknowledged))
	}
	noGaps(t, l, count(t, l, `SELECT count(*) FROM items`))
	for id := range acknowledged {
		if s := lookup(t, l, key(id)); s == nil || count(t, l, `SELECT count(*) FROM items WHERE id = ?`, id) != 1 {
			t.Errorf("%s is lost: %+v", id, s)
		}
	}
	if n := count(t, l, `SELECT count(*) FROM items WHERE id NOT IN (SELECT request_id FROM audit_records
			WHERE status = 'success')`); n != 0 {
		t.Errorf("%d effects without a record", n)
	}
	if n := count(t, l, `SELECT count(*) FROM audit_records WHERE request_id NOT IN (SELECT id FROM items)`); n != 0 {
		t.Errorf("%d records without an effect", n)
	}
	if n := count(t, l, `SELECT count(*) FROM audit_keys WHERE request_id NOT IN (SELECT id FROM items)`); n != 0 {
		t.Errorf("%d keys without an effect", n)
	}
}

// holds: U10
func TestU10AKilledProgramsStepIsUnknown(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	p := program(t, path, "network", 1_000_000)
	out, err := p.StdoutPipe()
	must(t, err)
	must(t, p.Start())
	bufio.NewScanner(out).Scan() // it has begun its step
	must(t, p.Process.Kill())
	_ = p.Wait()
	l := open(t, path, options())
	if log := recorded(t, l, "net"); len(log) != 1 || log[0].Reason != bus.ReasonInterrupted {
		t.Errorf("records: %+v", log)
	}
	if s := lookup(t, l, key("net")); s == nil || !s.Unknown {
		t.Errorf("key: %+v", s)
	}
	left, err := filepath.Glob(path + "-alive-*")
	must(t, err)
	if len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestWhatKilledProgramsLeaveIsClearedUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	must(t, os.WriteFile(path+"-alive-1", nil, 0o600)) // killed with nothing under way
	p := program(t, path, "network", 1_000_000)
	out, err := p.StdoutPipe()
	must(t, err)
	must(t, p.Start())
	bufio.NewScanner(out).Scan() // it has begun its step
	left := func() int {
		t.Helper()
		must(t, open(t, path, options()).Close())
		files, err := filepath.Glob(path + "-alive-*")
		must(t, err)
		return len(files)
	}
	if n := left(); n != 1 {
		t.Errorf("%d programs seem to live beside this one", n)
	}
	must(t, p.Process.Kill())
	_ = p.Wait() // killed
	if n := left(); n != 0 {
		t.Errorf("%d dead programs seem to live", n)
	}
}
