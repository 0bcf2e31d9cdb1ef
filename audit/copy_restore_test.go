package audit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// restore runs a request that restores, as a handler does.
func restore(l *audit.Log, request, path, aside string) (out audit.Restored, err error) {
	e := entry(request)
	e.Invocation.Capability, e.SideEffect = "shop.restore", bus.Destructive
	var refused error
	err = l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
		out, refused = l.Restore(ctx, path, aside, nil)
		if refused != nil {
			e.Result = failed(request, bus.PreconditionFailed, bus.ReasonState).Result
		}
		return refused
	})
	return out, errors.Join(refused, err)
}

// backedUp returns a log of eight records and a copy of it after the first five.
func backedUp(t *testing.T, o audit.Options) (l *audit.Log, dir string, copied audit.Copy) {
	t.Helper()
	dir = t.TempDir()
	l = open(t, filepath.Join(dir, "log.db"), o)
	for n := range 5 {
		must(t, do(t, l, entry(fmt.Sprint("old", n)), fmt.Sprintf(`INSERT INTO counters VALUES (%d, 1)`, n)))
	}
	copied, err := l.Backup(context.Background(), filepath.Join(dir, "copy.db"))
	must(t, err)
	for n := range 3 {
		e := entry(fmt.Sprint("new", n))
		e.Invocation.Capability = fmt.Sprint("new.verb", n) // numbers that the copy gives to others
		must(t, do(t, l, e, fmt.Sprintf(`UPDATE counters SET n = n + %d`, n)))
	}
	return l, dir, copied
}

func TestARestoreReplacesAllAndIsItsFirstNewRecord(t *testing.T) {
	d := &drawer{}
	o := options()
	o.Heads = d
	l, dir, copied := backedUp(t, o)
	before := check(t, l)
	var stateThen string
	{
		c := open(t, filepath.Join(t.TempDir(), "c.db"), options())
		for n := range 5 {
			must(t, do(t, c, entry(fmt.Sprint("old", n)), fmt.Sprintf(`INSERT INTO counters VALUES (%d, 1)`, n)))
		}
		stateThen = stateHash(t, c)
	}
	whole, err := os.ReadFile(filepath.Join(dir, "copy.db"))
	must(t, err)
	aside := filepath.Join(dir, "aside.db")
	out, err := restore(l, "restore", filepath.Join(dir, "copy.db"), aside)
	must(t, err)
	if diff := cmp.Diff(audit.Restored{Copy: copied, Reerase: []string{}, Numbers: true}, out); diff != "" || copied.Records != 5 ||
		copied.Bytes != int64(len(whole)) {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if stateHash(t, l) != stateThen {
		t.Error("the rows are not those of the copy")
	}
	records := recorded(t, l, "restore")
	want := []bus.Effect{{Table: "audit_records", Op: "bulk",
		Before: map[string]any{"up_to": number(8), "hash": before.Head, "kept": "aside.db"},
		After:  map[string]any{"up_to": number(5), "hash": copied.Head}}}
	if len(records) != 1 || records[0].Seq != 6 || records[0].Prev != copied.Head {
		t.Fatalf("records: %+v", records)
	}
	if diff := cmp.Diff(want, records[0].Effects); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	e := entry("after")
	e.Invocation.Capability = "new.verb2"
	must(t, do(t, l, e, `INSERT INTO counters VALUES (100, 1)`))
	if r := recorded(t, l, "after"); len(r) != 1 || r[0].Capability != "new.verb2" || r[0].Seq != 7 {
		t.Errorf("what came after: %+v", r)
	}
	waitFor(t, func() bool { return d.main().Seq >= 6 && d.main().Seq < 8 })
	if v := check(t, l); !v.OK || v.Records != 7 || v.Noted == 0 {
		t.Errorf("verdict: %+v", v)
	}
	if now, err := os.ReadFile(filepath.Join(dir, "copy.db")); err != nil || !bytes.Equal(now, whole) {
		t.Error("the copy was changed")
	}
	kept := open(t, aside, options())
	if v := check(t, kept); !v.OK || v.Head != before.Head || v.Records != 8 {
		t.Errorf("kept aside: %+v", v)
	}
	if left, err := filepath.Glob(filepath.Join(dir, "*-restore-*")); err != nil || left != nil {
		t.Errorf("left over: %v %v", left, err)
	}
	if page, err := l.Search(context.Background(), audit.Query{Capability: "shop.restore"}); err != nil ||
		len(page.Records) != 1 {
		t.Errorf("searched: %+v %v", page, err)
	}
}

func TestARestoreThatIsRefusedChangesNothing(t *testing.T) {
	l, dir, _ := backedUp(t, options())
	whole, err := os.ReadFile(filepath.Join(dir, "copy.db"))
	must(t, err)
	state := stateHash(t, l)
	bad := func(name string, change func(path string)) string {
		path := filepath.Join(t.TempDir(), name)
		must(t, os.WriteFile(path, whole, 0o600))
		change(path)
		return path
	}
	tamper := func(statements ...string) func(string) {
		return func(path string) { audit.Tamper(t, "file:"+path, statements...) }
	}
	for name, tt := range map[string]struct{ path, says string }{
		"tampered": {bad("a.db", tamper(`UPDATE audit_records SET person = 'u2' WHERE seq = 3`)),
			"a.db cannot be restored. Record 3"},
		"newer": {bad("b.db", tamper(`INSERT INTO goose_domain (version_id, is_applied) VALUES (99, 1)`)),
			"b.db cannot be restored: it was written by a newer version of this program (its data is version 99 of " +
				"goose_domain, this program knows version 1)"},
		"cut off": {bad("c.db", func(path string) { must(t, os.Truncate(path, 4096)) }),
			"c.db cannot be restored: it is not a whole copy"},
		"no database": {bad("d.db", func(path string) { must(t, os.WriteFile(path, []byte("Dear diary"), 0o600)) }),
			"not a whole copy"},
		"empty":        {bad("e.db", func(path string) { must(t, os.WriteFile(path, nil, 0o600)) }), "not a whole copy"},
		"other tables": {bad("f.db", tamper(`CREATE TABLE other (id INTEGER PRIMARY KEY)`)), "f.db has other tables"},
		"in use": {bad("g.db", func(path string) { must(t, os.WriteFile(path+"-wal", []byte("x"), 0o600)) }),
			"g.db is a database that is in use"},
	} {
		t.Run(name, func(t *testing.T) {
			request := "restore " + name
			_, err := restore(l, request, tt.path, filepath.Join(dir, "aside.db"))
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("error: %v", err)
			}
			if r := recorded(t, l, request); len(r) != 1 || r[0].Status != "error" {
				t.Errorf("records: %+v", r)
			}
		})
	}
	if v := check(t, l); !v.OK || stateHash(t, l) != state {
		t.Errorf("verdict: %+v", v)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	must(t, err)
	for _, path := range left {
		if name := filepath.Base(path); strings.HasPrefix(name, "aside") || strings.Contains(name, "-restore-") {
			t.Errorf("left over: %s", name)
		}
	}
}

func TestARestoreIsAConflictWhileAnotherProgramIsThere(t *testing.T) {
	l, dir, _ := backedUp(t, options())
	other := open(t, filepath.Join(dir, "log.db"), options())
	_, err := restore(l, "first", filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"))
	if coded(err) != bus.Conflict {
		t.Errorf("with another program: %v", err)
	}
	must(t, do(t, other, entry("theirs"), `INSERT INTO counters VALUES (50, 1)`))
	must(t, other.Close())
	_, err = restore(l, "second", filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"))
	must(t, err)
	other = open(t, filepath.Join(dir, "log.db"), options())
	must(t, do(t, other, entry("theirs again"), `INSERT INTO counters VALUES (50, 1)`))

	step := entry("mail")
	must(t, other.Close())
	must(t, l.Begin(context.Background(), step))
	if _, err = restore(l, "third", filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside2.db")); coded(err) !=
		bus.Conflict {
		t.Errorf("with a step under way: %v", err)
	}
	must(t, l.Finish(context.Background(), step))
	if _, err = restore(l, "fourth", filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db")); coded(err) !=
		bus.Conflict {
		t.Errorf("over what was kept: %v", err)
	}
}

func TestARestoreThatIsTriedOutReplacesNothing(t *testing.T) {
	l, dir, copied := backedUp(t, options())
	state := stateHash(t, l)
	var out audit.Restored
	must(t, l.DryRun(context.Background(), entry("dry"), func(ctx context.Context, _ bus.Exec) (err error) {
		out, err = l.Restore(ctx, filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"), nil)
		return err
	}))
	if out.Copy != copied || stateHash(t, l) != state {
		t.Errorf("tried out: %+v", out)
	}
	if _, err := os.Stat(filepath.Join(dir, "aside.db")); err == nil {
		t.Error("something was kept aside")
	}
	// Other programs can still write.
	must(t, do(t, open(t, filepath.Join(dir, "log.db"), options()), entry("theirs"),
		`INSERT INTO counters VALUES (50, 1)`))
	if _, err := l.Restore(context.Background(), filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"),
		nil); err == nil {
		t.Error("restored outside of a handler")
	}
}

func TestARestoreThatIsGivenUpKeepsNobodyOut(t *testing.T) {
	l, dir, _ := backedUp(t, options())
	ctx, cancel := context.WithCancel(context.Background())
	left := make(chan error, 1)
	err := l.Do(context.Background(), entry("given up"), func(tx context.Context, _ bus.Exec) error {
		started := make(chan struct{})
		begin := sync.OnceFunc(func() { close(started) })
		go func() {
			_, err := l.Restore(tx, filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"), func(int64, int64) {
				begin()
				<-ctx.Done() // the run is over
			})
			begin()
			left <- err
		}()
		<-started
		return bus.ErrDiscard
	})
	if err != bus.ErrDiscard {
		t.Errorf("error: %v", err)
	}
	cancel()
	if err := <-left; err == nil {
		t.Error("it went on")
	}
	must(t, do(t, open(t, filepath.Join(dir, "log.db"), options()), entry("theirs"),
		`INSERT INTO counters VALUES (50, 1)`))
}

// TestWorkThatWaitsForARestoreIsDoneOnTheCopy: calls in the same commit as the restore run once, either before it or on
// the restored log.
func TestWorkThatWaitsForARestoreIsDoneOnTheCopy(t *testing.T) {
	l, dir, copied := backedUp(t, options())
	ctx := context.Background()
	begun, rest := make(chan struct{}), make(chan error, 9)
	begin := sync.OnceFunc(func() { close(begun) }) // it may run twice
	go func() {
		rest <- l.Do(ctx, entry("slow"), func(context.Context, bus.Exec) error {
			begin()
			time.Sleep(20 * time.Millisecond) // for the others to queue up
			return nil
		})
	}()
	<-begun
	for n := range 4 {
		go func() {
			rest <- do(t, l, entry(fmt.Sprint("w", n)), fmt.Sprintf(`INSERT INTO counters VALUES (%d, 1)`, 200+n))
		}()
	}
	go func() {
		_, err := restore(l, "restore", filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"))
		rest <- err
	}()
	for n := range 3 {
		go func() {
			rest <- do(t, l, entry(fmt.Sprint("x", n)), fmt.Sprintf(`INSERT INTO counters VALUES (%d, 1)`, 300+n))
		}()
	}
	for range 9 {
		must(t, <-rest)
	}
	if v := check(t, l); !v.OK {
		t.Errorf("verdict: %+v", v)
	}
	at := recorded(t, l, "restore")
	if len(at) != 1 || at[0].Seq != copied.Records+1 {
		t.Fatalf("records: %+v", at)
	}
	kept := open(t, filepath.Join(dir, "aside.db"), options())
	for _, id := range []string{"slow", "w0", "w1", "w2", "w3", "x0", "x1", "x2"} {
		if here, there := len(recorded(t, l, id)), len(recorded(t, kept, id)); here+there != 1 {
			t.Errorf("%s: %d records here, %d in what was kept", id, here, there)
		}
	}
	if rows, records := count(t, l, `SELECT count(*) FROM counters`),
		count(t, l, `SELECT count(*) FROM audit_records WHERE request_id NOT IN ('restore', 'slow')`); rows != records {
		t.Errorf("%d effects, %d records", rows, records)
	}
}

// holds: U11
func TestU11ARestoreNamesTheErasuresToRepeat(t *testing.T) {
	b, l, path := newClients(t)
	save(t, b, "r1", clientInput{ID: "c_1", Name: "Zofia", Mail: "zofia.w@example.org"})
	save(t, b, "r2", clientInput{ID: "c_2", Name: "Other", Mail: "other@example.org"})
	ok(t, call(b, "erase 1", "client.erase", `{"id":"c_1"}`))
	dir := filepath.Dir(path)
	_, err := l.Backup(context.Background(), filepath.Join(dir, "copy.db"))
	must(t, err)
	ok(t, call(b, "erase 2", "client.erase", `{"id":"c_2"}`))
	out, err := restore(l, "restore", filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"))
	must(t, err)
	if diff := cmp.Diff([]string{"erase 2"}, out.Reerase); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestWhoFollowsALogHearsOfItsRestore(t *testing.T) {
	l, dir, _ := backedUp(t, options())
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	heard := make(chan string, 100)
	go func() {
		_ = l.Follow(ctx, 8, func(records []audit.Record) error {
			for _, r := range records {
				heard <- r.RequestID
			}
			return nil
		})
	}()
	_, err := restore(l, "restore", filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"))
	must(t, err)
	if id := <-heard; id != "restore" {
		t.Errorf("heard of %s", id)
	}
}

func coded(err error) bus.Code {
	var e *bus.Error
	errors.As(err, &e)
	if e == nil {
		return ""
	}
	return e.Code
}

// number is a number as a record has it.
func number(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// TestAProgramGoesOnAfterARestore: the bus sees and announces later changes as before.
func TestAProgramGoesOnAfterARestore(t *testing.T) {
	l, dir, _ := backedUp(t, options())
	b := bus.New(bus.Options{Journal: l, Clock: func() time.Time { return epoch }})
	define := func(name string, do func(ctx context.Context) error) bus.Capability {
		return bus.Capability{Name: name, Title: name, Description: name, SideEffect: bus.UIOnly,
			Resources: []string{"database:read", "database:write"}, Changes: []string{"counters"},
			Handler: func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
				call.Changed("counters", name)
				return json.RawMessage(`{}`), do(ctx)
			}}
	}
	b.MustRegister(define("counter.add", func(ctx context.Context) error {
		var n int
		if err := audit.Tx(ctx).QueryRowContext(ctx, `SELECT count(*) FROM counters`).Scan(&n); err != nil {
			return err
		}
		_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO counters VALUES (70, 1) ON CONFLICT DO UPDATE SET n = n + 1`)
		return err
	}), define("log.restore", func(ctx context.Context) error {
		_, err := l.Restore(ctx, filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"), nil)
		return err
	}))
	for i := range 20 {
		must(t, do(t, l, entry(fmt.Sprint("before ", i)), fmt.Sprintf(`INSERT INTO counters VALUES (%d, 1)`, 100+i)))
	}
	ok(t, b.Invoke(t.Context(), byUser("counter.add"))) // its statements are kept
	sub := b.Subscribe()
	time.Sleep(100 * time.Millisecond)
	ok(t, b.Invoke(t.Context(), byUser("log.restore")))
	time.Sleep(100 * time.Millisecond)
	ok(t, b.Invoke(t.Context(), byUser("counter.add")))
	heard := map[string]int{}
	for heard["counter.add"] == 0 {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		e, err := sub.Next(ctx)
		cancel()
		if err != nil {
			t.Fatal(err, heard)
		}
		heard[string(e.Type)+e.Capability+e.Summary]++
		if e.Type == bus.EventStateChange {
			heard[e.Summary]++
		}
	}
	want := map[string]int{"invocationcounter.add": 1, "stateChangecounter.add": 1, "counter.add": 1,
		"invocationlog.restore": 1, "stateChangelog.restore": 1, "log.restore": 1}
	if d := cmp.Diff(want, heard); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	must(t, l.View(t.Context(), func(ctx context.Context) error {
		var n int
		return audit.Tx(ctx).QueryRowContext(ctx, `SELECT n FROM counters WHERE id = 70`).Scan(&n)
	}))
}
