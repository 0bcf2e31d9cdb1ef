package archive_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/archive"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/natstest"
)

// patience is the longest wait of a test. No assertion depends on it.
const patience = 3 * time.Minute

// engine is a server with JetStream.
type engine struct{ *natstest.Server }

func start(t testing.TB, o server.Options) *engine {
	t.Helper()
	o.JetStream = true
	return &engine{natstest.Start(t, o)}
}

func (e *engine) connect(t testing.TB) jetstream.JetStream {
	t.Helper()
	js, err := jetstream.New(e.Connect())
	must(t, err)
	return js
}

// withStream starts a server that has the stream.
func withStream(t testing.TB) (*engine, jetstream.JetStream) {
	t.Helper()
	e := start(t, server.Options{})
	js := e.connect(t)
	_, err := js.CreateStream(t.Context(), archive.Options{}.StreamConfig(1))
	must(t, err)
	return e, js
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

var epoch = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func domain() fs.FS {
	return fstest.MapFS{"00001_domain.sql": {Data: []byte("-- +goose Up\n" +
		"CREATE TABLE counters (id INTEGER PRIMARY KEY, n INTEGER NOT NULL) STRICT;")}}
}

func options() audit.Options {
	return audit.Options{Clock: func() time.Time { return epoch }, Migrations: domain(), Segment: 10}
}

// newLog opens the log of a shop and returns it with the path of its file.
func newLog(t testing.TB, o audit.Options) (*audit.Log, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "shop.db")
	l, err := audit.Open(context.Background(), path, o)
	must(t, err)
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l, path
}

func entry(request string) *bus.Entry {
	return &bus.Entry{Kind: bus.KindInvocation, Version: "1.0.0", SideEffect: bus.UIOnly, Started: epoch, Seed: "00",
		Invocation: bus.Invocation{Capability: "item.add", RequestID: request, TraceID: request,
			Arguments: json.RawMessage(`{"id":"a","name":"` + request + `"}`),
			Caller:    bus.Caller{Type: bus.CallerUI, Source: "Button"},
			Principal: bus.Principal{ID: "u1", Role: "clerk", Authentication: "pin", Door: "window"}},
		Result: bus.Result{Status: bus.StatusSuccess, RequestID: request, Data: json.RawMessage(`{"ok":true}`), Time: epoch}}
}

// write writes n records, some at a time.
func write(t testing.TB, l *audit.Log, prefix string, n int) {
	t.Helper()
	var all sync.WaitGroup
	slots := make(chan struct{}, 64)
	for i := range n {
		slots <- struct{}{}
		all.Go(func() {
			err := l.Do(context.Background(), entry(fmt.Sprintf("%s%d", prefix, i)), func(ctx context.Context, _ bus.Exec) error {
				_, err := audit.Tx(ctx).ExecContext(ctx,
					`INSERT INTO counters VALUES (1, 1) ON CONFLICT (id) DO UPDATE SET n = n + 1`)
				return err
			})
			if err != nil {
				t.Error(err)
			}
			<-slots
		})
	}
	all.Wait()
}

// running runs f until stop, or the end of the test.
func running(t testing.TB, f func(context.Context) error) (stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f(ctx) }()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
	t.Cleanup(stop)
	return stop
}

func publish(t testing.TB, js jetstream.JetStream, shop string, l *audit.Log) (p *archive.Publisher, stop func()) {
	t.Helper()
	p, err := archive.NewPublisher(shop, archive.Options{Clock: func() time.Time { return epoch }, Logger: logger(t)})
	must(t, err)
	return p, running(t, func(ctx context.Context) error { return p.Run(ctx, js, l) })
}

// newArchive returns an archive that does not run yet.
func newArchive(t testing.TB, o archive.Options) *archive.Archive {
	return openArchive(t, t.TempDir(), o)
}

func openArchive(t testing.TB, folder string, o archive.Options) *archive.Archive {
	t.Helper()
	o.Clock, o.Logger = func() time.Time { return epoch }, logger(t)
	a, err := archive.Open(folder, o)
	must(t, err)
	t.Cleanup(func() { must(t, a.Close()) })
	return a
}

func runArchive(t testing.TB, a *archive.Archive, js jetstream.JetStream) (stop func()) {
	t.Helper()
	return running(t, func(ctx context.Context) error { return a.Run(ctx, js) })
}

// logger returns a logger of the test with -v, and otherwise nil.
func logger(t testing.TB) *slog.Logger {
	if !testing.Verbose() {
		return nil
	}
	return slog.New(slog.NewTextHandler(t.Output(), nil))
}

// waitFor waits until come returns true, and fails the test after a time limit.
func waitFor(t testing.TB, what string, come func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !come(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("it does not come: %s", what)
		}
	}
}

func head(t testing.TB, l *audit.Log) audit.Head {
	t.Helper()
	h, err := l.LastHead(context.Background())
	must(t, err)
	h.Time = 0
	return h
}

// archived calls f with an epoch of a shop's log, 0 for the last, and reports whether the epoch exists.
func archived(t testing.TB, a *archive.Archive, shop string, epoch int, f func(*audit.Log)) bool {
	t.Helper()
	l, release, err := a.Log(context.Background(), shop, epoch)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	must(t, err)
	defer release()
	f(l)
	return true
}

// has reports whether the archive has the head of a log.
func has(t testing.TB, a *archive.Archive, shop string, l *audit.Log) (is bool) {
	t.Helper()
	archived(t, a, shop, 0, func(there *audit.Log) { is = head(t, there) == head(t, l) })
	return is
}

// chained reads all records of a log.
func chained(t testing.TB, l *audit.Log) (all []audit.Chained) {
	t.Helper()
	removed, err := l.Removal(context.Background())
	must(t, err)
	for after := removed.UpTo; ; after = all[len(all)-1].Seq {
		some, err := l.Chained(context.Background(), after, 1000, 1<<20)
		must(t, err)
		if len(some) == 0 {
			return all
		}
		all = append(all, some...)
	}
}

// sameRecords compares an epoch of the archive with a log, byte for byte, and has both verified.
func sameRecords(t testing.TB, a *archive.Archive, shop string, epoch int, l *audit.Log) {
	t.Helper()
	if !archived(t, a, shop, epoch, func(there *audit.Log) {
		if here, there := chained(t, l), chained(t, there); !reflect.DeepEqual(here, there) {
			t.Errorf("%s (-log +archive):\n%s", shop, cmp.Diff(here, there))
		}
		want, err := l.Verify(context.Background(), nil)
		must(t, err)
		got, err := there.Verify(context.Background(), nil)
		must(t, err)
		if diff := cmp.Diff(want, got); diff != "" || !got.OK {
			t.Errorf("%s: verdict %+v (-log +archive):\n%s", shop, got, diff)
		}
	}) {
		t.Errorf("the archive has no epoch %d of %s", epoch, shop)
	}
}

func noAlarms(t testing.TB, a *archive.Archive) {
	t.Helper()
	if alarms := a.Alarms(); len(alarms) > 0 {
		t.Errorf("alarms: %+v", alarms)
	}
}

// holds: N7
func TestN7TheRecordsOfAnArchiveAreThoseOfTheLogByteForByte(t *testing.T) {
	_, js := withStream(t)
	a := newArchive(t, archive.Options{})
	runArchive(t, a, js)
	one, _ := newLog(t, options())
	two, _ := newLog(t, options())
	write(t, one, "before", 30)
	p, _ := publish(t, js, "one", one)
	publish(t, js, "two", two)
	write(t, two, "other", 7)
	write(t, one, "after", 1500)
	big := entry("big")
	words, err := json.Marshal(string(make([]byte, 400_000))) // six bytes for each
	must(t, err)
	big.Invocation.Arguments = json.RawMessage(`{"name":` + string(words) + `}`)
	must(t, one.Record(context.Background(), big))
	for shop, l := range map[string]*audit.Log{"one": one, "two": two} {
		waitFor(t, shop, func() bool { return has(t, a, shop, l) })
		sameRecords(t, a, shop, 0, l)
	}
	waitFor(t, "the publisher knows it", func() bool {
		h := p.Published()
		h.Time = 0
		return h == head(t, one)
	})
	noAlarms(t, a)
	shops, err := a.Sources()
	must(t, err)
	if diff := cmp.Diff([]archive.Source{{Name: "one", Epochs: []archive.Epoch{{Number: 1}}},
		{Name: "two", Epochs: []archive.Epoch{{Number: 1}}}}, shops); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// holds: N7
func TestN7AReportTellsOfEveryLog(t *testing.T) {
	_, js := withStream(t)
	folder := t.TempDir()
	a := openArchive(t, folder, archive.Options{})
	if archive.Is(folder) {
		t.Error("nothing was archived here yet")
	}
	runArchive(t, a, js)
	one, _ := newLog(t, options())
	two, _ := newLog(t, options())
	write(t, one, "one", 12)
	write(t, two, "two", 3)
	other, _ := newLog(t, options()) // of which each record is forged once: the stream takes no message twice
	write(t, other, "other", 9)
	publish(t, js, "one", one)
	publish(t, js, "two", two)
	waitFor(t, "one", func() bool { return has(t, a, "one", one) })
	waitFor(t, "two", func() bool { return has(t, a, "two", two) })
	forge(t, js, "two", chained(t, other)[6], func(*nats.Msg) {})
	waitFor(t, "an alarm", func() bool { return len(a.Alarms()) > 0 })
	if !archive.Is(folder) {
		t.Error("the folder is not known as that of an archive")
	}

	// Another program reads the archive at the same time.
	b := openArchive(t, folder, archive.Options{MaxOpen: 1})
	done := 0
	got, err := b.Reports(t.Context(), true, func(n, of int) { done = n*10 + of })
	must(t, err)
	want := []archive.Report{
		{Source: "one", Epoch: archive.Epoch{Number: 1}, Last: true, Records: 12, Head: head(t, one).Hash,
			Time: epoch.UnixMilli()},
		{Source: "two", Epoch: archive.Epoch{Number: 1}, Last: true, Records: 3, Head: head(t, two).Hash,
			Time: epoch.UnixMilli(), Alarms: 1}}
	for i := range got {
		if v := got[i].Verdict; v == nil || !v.OK {
			t.Errorf("%s: %+v", got[i].Source, v)
		}
		got[i].Verdict = nil
	}
	if diff := cmp.Diff(want, got); diff != "" || done != 22 {
		t.Errorf("%d (-want +got):\n%s", done, diff)
	}
	write(t, one, "later", 1)
	waitFor(t, "what came later", func() bool { return has(t, a, "one", one) })
	forge(t, js, "one", chained(t, other)[2], func(*nats.Msg) {})
	waitFor(t, "its alarm, in the other program too", func() bool { return len(b.Alarms()) == 2 })
	if got, err = b.Reports(t.Context(), false, nil); err != nil || len(got) != 2 || got[0].Records != 13 || got[0].Verdict != nil {
		t.Errorf("%v %+v", err, got)
	}
}
