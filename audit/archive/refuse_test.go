package archive_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/archive"
	"github.com/deskhand/deskhand/bus"
)

// forge publishes a record of a shop as the shop's own computer could.
func forge(t testing.TB, js jetstream.JetStream, shop string, r audit.Chained, change func(m *nats.Msg)) {
	t.Helper()
	m := nats.NewMsg("audit." + shop + ".record")
	m.Header.Set(jetstream.MsgIDHeader, hex.EncodeToString(r.Hash))
	m.Header.Set("Seq", fmt.Sprint(r.Seq))
	m.Data = r.Header.Append(nil, "main", r.Prev)
	change(m)
	_, err := js.PublishMsg(t.Context(), m)
	must(t, err)
}

// holds: N7
func TestN7WhatDoesNotContinueTheChainIsRefusedAndNamed(t *testing.T) {
	other, _ := newLog(t, options())
	write(t, other, "other", 12)
	for name, tt := range map[string]struct {
		bad    func(records []audit.Chained) audit.Chained
		change func(m *nats.Msg)
		want   archive.Alarm
	}{
		"altered": {func(all []audit.Chained) audit.Chained { return all[10] }, func(m *nats.Msg) {
			m.Data = bytes.Replace(m.Data, []byte("clerk"), []byte("owner"), 1)
		}, archive.Alarm{Kind: "altered", Seq: 11, Problem: "Record 11 is not as it was written."}},
		"no record": {func(all []audit.Chained) audit.Chained { return all[10] }, func(m *nats.Msg) { m.Data = m.Data[1:] },
			archive.Alarm{Kind: "message", Seq: 11, Problem: "Message 21 is not that of a record."}},
		"gap": {func(all []audit.Chained) audit.Chained { return all[11] }, func(*nats.Msg) {},
			archive.Alarm{Kind: "gap", Seq: 12, Problem: "The records 11 to 11 are missing before record 12."}},
		"fork": {func([]audit.Chained) audit.Chained { return chained(t, other)[10] }, func(*nats.Msg) {},
			archive.Alarm{Kind: "fork", Seq: 11, Problem: "Record 11 does not follow the record 10 that the archive has."}},
		"rewritten": {func([]audit.Chained) audit.Chained { return chained(t, other)[4] }, func(*nats.Msg) {},
			archive.Alarm{Kind: "rewritten", Seq: 5,
				Problem: "Record 5 is another one than the archive has: the log was rewritten."}},
	} {
		t.Run(name, func(t *testing.T) {
			_, js := withStream(t)
			heard := make(chan archive.Alarm, 10)
			folder := t.TempDir()
			a := openArchive(t, folder, archive.Options{Alarm: func(one archive.Alarm) { heard <- one }})
			runArchive(t, a, js)
			l, _ := newLog(t, options())
			healthy, _ := newLog(t, options())
			write(t, l, "r", 10)
			_, stop := publish(t, js, "one", l)
			waitFor(t, "the good ones", func() bool { return has(t, a, "one", l) })
			stop()
			good := head(t, l)
			write(t, l, "later", 2)
			bad := tt.bad(chained(t, l))
			forge(t, js, "one", bad, tt.change)
			forge(t, js, "one", bad, func(m *nats.Msg) { // again, as it was
				tt.change(m)
				m.Header.Set(jetstream.MsgIDHeader, strings.ToUpper(m.Header.Get(jetstream.MsgIDHeader)))
			})
			waitFor(t, "an alarm", func() bool { return len(a.Alarms()) > 0 })
			want, got := tt.want, <-heard
			want.Source, want.Time, want.Hash, want.Stream, want.StreamSeq = "one", epoch.UnixMilli(),
				hex.EncodeToString(bad.Hash), "AUDIT", 21
			if want.Kind != "message" {
				want.Head, want.HeadHash = good.Seq, good.Hash
			}
			if got != want {
				t.Errorf("alarm:\n%+v\nwant\n%+v", got, want)
			}
			publish(t, js, "healthy", healthy)
			write(t, healthy, "h", 5)
			waitFor(t, "another shop goes on", func() bool { return has(t, a, "healthy", healthy) })
			archived(t, a, "one", 0, func(there *audit.Log) {
				if v, err := there.Verify(t.Context(), nil); err != nil || !v.OK || head(t, there) != good {
					t.Errorf("what came before: %+v %v", v, err)
				}
			})
			if len(heard) > 0 || len(a.Alarms()) != 1 {
				t.Errorf("more alarms: %+v", a.Alarms())
			}
			b := openArchive(t, folder, archive.Options{})
			if len(b.Alarms()) != 1 || b.Alarms()[0] != got {
				t.Errorf("stored: %+v", b.Alarms())
			}
		})
	}
}

// TestN7APastThatIsWrittenAnewIsRefused: the shop's own publisher sends another log with consistent hashes.
func TestN7APastThatIsWrittenAnewIsRefused(t *testing.T) {
	_, js := withStream(t)
	a := newArchive(t, archive.Options{})
	runArchive(t, a, js)
	l, _ := newLog(t, options())
	write(t, l, "r", 20)
	_, stop := publish(t, js, "one", l)
	waitFor(t, "the good ones", func() bool { return has(t, a, "one", l) })
	stop()
	other, _ := newLog(t, options())
	write(t, other, "another ", 40)
	publish(t, js, "one", other)
	waitFor(t, "an alarm", func() bool { return len(a.Alarms()) > 0 })
	if got := a.Alarms()[0]; got.Kind != "rewritten" || got.Seq != 1 || got.Source != "one" {
		t.Errorf("%+v", got)
	}
	if !has(t, a, "one", l) {
		t.Error("the archive has something else than what it had")
	}
}

// restore runs a request that restores.
func restore(t testing.TB, l *audit.Log, request, copied, aside string) {
	t.Helper()
	e := entry(request)
	e.Invocation.Capability = "data.restore"
	must(t, l.Do(context.Background(), e, func(ctx context.Context, _ bus.Exec) error {
		_, err := l.Restore(ctx, copied, aside, nil)
		return err
	}))
}

// holds: N7
func TestN7ARestoreBeginsAnEpochAndTheAbandonedBranchIsKept(t *testing.T) {
	_, js := withStream(t)
	a := newArchive(t, archive.Options{})
	runArchive(t, a, js)
	l, _ := newLog(t, options())
	dir := t.TempDir()
	_, stop := publish(t, js, "one", l)
	write(t, l, "old", 15)
	copied, err := l.Backup(t.Context(), filepath.Join(dir, "copy.db"))
	must(t, err)
	write(t, l, "abandoned", 9)
	waitFor(t, "what is abandoned", func() bool { return has(t, a, "one", l) })
	abandoned := head(t, l)
	restore(t, l, "restore 1", filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside1.db"))
	write(t, l, "new", 30)
	waitFor(t, "the new epoch", func() bool { return has(t, a, "one", l) })
	sameRecords(t, a, "one", 2, l)
	aside, err := audit.Open(t.Context(), filepath.Join(dir, "aside1.db"), options())
	must(t, err)
	sameRecords(t, a, "one", 1, aside)
	must(t, aside.Close())
	second := head(t, l)

	// Restore the abandoned state. A publisher without knowledge of the restore publishes no record that follows
	// another record.
	stop()
	late := archive.PublishLate(t, js, "one", l)
	restore(t, l, "restore 2", filepath.Join(dir, "aside1.db"), filepath.Join(dir, "aside2.db"))
	write(t, l, "newest", 50)
	if err := late(); err == nil {
		t.Error("records were published that do not follow the last one")
	}
	publish(t, js, "one", l)
	waitFor(t, "the third epoch", func() bool { return has(t, a, "one", l) })
	sameRecords(t, a, "one", 3, l)
	shops, err := a.Sources()
	must(t, err)
	want := []archive.Epoch{{Number: 1},
		{Number: 2, Request: "restore 1", Before: abandoned, After: audit.Head{Stream: "main", Seq: copied.Records, Hash: copied.Head},
			Of: 1, Known: abandoned.Seq},
		{Number: 3, Request: "restore 2", Before: second, After: abandoned, Of: 1, Known: second.Seq}}
	if len(shops) != 1 || fmt.Sprintf("%+v", shops[0].Epochs) != fmt.Sprintf("%+v", want) {
		t.Errorf("%+v\nwant\n%+v", shops, want)
	}
	noAlarms(t, a)
}

// TestN7AnArchiveThatComesLaterSeesEveryEpoch: a new archive reads the whole stream at once.
func TestN7AnArchiveThatComesLaterSeesEveryEpoch(t *testing.T) {
	_, js := withStream(t)
	l, _ := newLog(t, options())
	dir := t.TempDir()
	write(t, l, "old", 15)
	_, err := l.Backup(t.Context(), filepath.Join(dir, "copy.db"))
	must(t, err)
	p, stop := publish(t, js, "one", l)
	all := func() {
		waitFor(t, "all is published", func() bool { return p.Published().Hash == head(t, l).Hash })
	}
	write(t, l, "abandoned", 9)
	all()
	stop()
	write(t, l, "never published", 4)
	restore(t, l, "restore", filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"))
	write(t, l, "new", 3)
	p, _ = publish(t, js, "one", l)
	all()
	folder := t.TempDir()
	for range 2 { // the second time it forgets how far it was
		a := openArchive(t, folder, archive.Options{})
		stop := runArchive(t, a, js)
		waitFor(t, "the new epoch", func() bool { return has(t, a, "one", l) })
		write(t, l, "more", 3)
		waitFor(t, "what follows", func() bool { return has(t, a, "one", l) })
		sameRecords(t, a, "one", 0, l)
		archived(t, a, "one", 1, func(there *audit.Log) {
			if h := head(t, there); h.Seq != 24 {
				t.Errorf("the abandoned branch ends with %+v", h)
			}
		})
		shops, err := a.Sources()
		must(t, err)
		if e := shops[0].Epochs; len(e) != 2 || e[1].Before.Seq != 28 || e[1].Known != 24 {
			t.Errorf("%+v", e)
		}
		noAlarms(t, a)
		stop()
		must(t, a.Close())
		places, err := filepath.Glob(filepath.Join(folder, "position-*"))
		must(t, err)
		must(t, os.Remove(places[0]))
	}
}

// holds: N7
func TestN7AnErasureReachesTheStreamAndTheArchive(t *testing.T) {
	e, js := withStream(t)
	a := newArchive(t, archive.Options{})
	stopArchive := runArchive(t, a, js)
	l, _ := newLog(t, options())
	_, stopPublisher := publish(t, js, "one", l)
	const secret = "Zofia-Wisniewska"
	write(t, l, "before", 300)
	must(t, l.Record(t.Context(), entry(secret+"-1")))
	waitFor(t, "the first", func() bool { return has(t, a, "one", l) })
	stopArchive() // the second one comes to it after it was erased
	must(t, l.Record(t.Context(), entry(secret+"-2")))
	write(t, l, "after", 10)
	if !onDisk(t, e, secret) {
		t.Fatal("the stream never had it")
	}
	stopPublisher() // the erasure is found when it starts again
	must(t, l.Do(t.Context(), entry("erase"), func(ctx context.Context, _ bus.Exec) error {
		_, err := l.Erase(ctx, secret+"-1", secret+"-2")
		return err
	}))
	publish(t, js, "one", l)
	runArchive(t, a, js)
	waitFor(t, "all", func() bool { return has(t, a, "one", l) })
	sameRecords(t, a, "one", 0, l)
	archived(t, a, "one", 0, func(there *audit.Log) {
		if v, err := there.Verify(t.Context(), nil); err != nil || v.Erased != 2 {
			t.Errorf("verdict: %+v %v", v, err)
		}
	})
	e.Stop()
	if inFile(t, e, `"name":"`+secret) {
		t.Error("the stream still has it")
	}
	noAlarms(t, a)
}

// TestN7AnErasureReachesEveryEpoch: the next epoch has no data that was erased before a restore, and no earlier epoch
// has data that was erased after it.
func TestN7AnErasureReachesEveryEpoch(t *testing.T) {
	_, js := withStream(t)
	a := newArchive(t, archive.Options{})
	runArchive(t, a, js)
	l, _ := newLog(t, options())
	dir := t.TempDir()
	publish(t, js, "one", l)
	for _, id := range []string{"Ana-Ruiz", "Zofia-Wisniewska", "Ben"} {
		must(t, l.Record(t.Context(), entry(id)))
	}
	_, err := l.Backup(t.Context(), filepath.Join(dir, "copy.db"))
	must(t, err)
	erase := func(who string) {
		must(t, l.Do(t.Context(), entry("erase "+who[:3]), func(ctx context.Context, _ bus.Exec) error {
			_, err := l.Erase(ctx, who)
			return err
		}))
		waitFor(t, "the erasure", func() bool { return has(t, a, "one", l) })
		write(t, l, "after "+who, 1)
		waitFor(t, "what follows all of it", func() bool { return has(t, a, "one", l) })
	}
	erase("Ana-Ruiz")
	must(t, l.Record(t.Context(), entry("Abandoned"))) // its number is another's in the next epoch
	waitFor(t, "what is abandoned", func() bool { return has(t, a, "one", l) })
	restore(t, l, "restore", filepath.Join(dir, "copy.db"), filepath.Join(dir, "aside.db"))
	must(t, l.Record(t.Context(), entry("Zoe-Lang")))
	waitFor(t, "the new epoch", func() bool { return has(t, a, "one", l) })
	erased := []string{"Ana-Ruiz"}
	for _, who := range []string{"", "Zofia-Wisniewska", "Ana-Ruiz", "Zoe-Lang"} {
		if who != "" {
			erased = append(erased, who)
			erase(who)
		}
		for epoch := 1; epoch <= 2; epoch++ {
			archived(t, a, "one", epoch, func(there *audit.Log) {
				for _, r := range chained(t, there) {
					if slices.Contains(erased, r.RequestID) != (r.Body == nil) {
						t.Errorf("epoch %d, after %q was erased: record %d, %s: %s", epoch, who, r.Seq, r.RequestID, r.Body)
					}
				}
				if v, err := there.Verify(t.Context(), nil); err != nil || !v.OK {
					t.Errorf("epoch %d, after %q was erased: %+v %v", epoch, who, v, err)
				}
			})
		}
	}
	noAlarms(t, a)
}

// onDisk waits for a server to have a text in its files.
func onDisk(t testing.TB, e *engine, text string) bool {
	waitFor(t, "it is on the disk", func() bool { return inFile(t, e, text) })
	return true
}

func inFile(t testing.TB, e *engine, text string) (found bool) {
	must(t, filepath.Walk(e.Folder(), func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return nil // a file of a moment
		}
		data, err := os.ReadFile(path)
		found = found || err == nil && bytes.Contains(data, []byte(text))
		return nil
	}))
	return found
}

// holds: N7
func TestN7PurgeStopsAtWhatIsPublished(t *testing.T) {
	_, js := withStream(t)
	a := newArchive(t, archive.Options{})
	runArchive(t, a, js)
	p, err := archive.NewPublisher("one", archive.Options{})
	must(t, err)
	published, path := newLog(t, options())
	l, err := audit.Open(t.Context(), path, options()) // by another program than the one that publishes it
	must(t, err)
	t.Cleanup(func() { must(t, l.Close()) })
	write(t, l, "r", 35)
	down := start(t, server.Options{}).connect(t) // without the stream
	stop := running(t, func(ctx context.Context) error { return p.Run(ctx, down, published) })
	waitFor(t, "that it is published", func() bool { is, err := l.IsPublished(); return is && err == nil })
	stop()
	purge := func(request string) (done audit.Purged, refused error) {
		must(t, l.Do(t.Context(), entry(request), func(ctx context.Context, _ bus.Exec) error {
			done, refused = l.Purge(ctx, audit.Purge{Before: epoch.Add(time.Hour)})
			return refused
		}))
		return done, refused
	}
	if done, err := purge("too early"); err == nil || !strings.Contains(err.Error(), "not known yet") {
		t.Errorf("before anything is published: %+v %v", done, err)
	}
	stop = running(t, func(ctx context.Context) error { return p.Run(ctx, js, published) })
	waitFor(t, "all", func() bool { return has(t, a, "one", l) && p.Published().Seq == head(t, l).Seq })
	stop()
	write(t, l, "not published", 10)
	if done, err := purge("too much"); err == nil || !strings.Contains(err.Error(), "published up to 36 only") {
		t.Errorf("what is not published: %+v %v", done, err)
	}
	stop = running(t, func(ctx context.Context) error { return p.Run(ctx, js, published) })
	waitFor(t, "all", func() bool { return has(t, a, "one", l) && p.Published().Seq == head(t, l).Seq })
	stop() // the publisher notes its position
	if done, err := purge("now"); err != nil || done.UpTo != 40 {
		t.Errorf("published: %+v %v", done, err)
	}
	running(t, func(ctx context.Context) error { return p.Run(ctx, js, published) })
	waitFor(t, "the purge", func() bool { return has(t, a, "one", l) })
	archived(t, a, "one", 0, func(there *audit.Log) {
		if v, err := there.Verify(t.Context(), nil); err != nil || !v.OK || len(chained(t, there)) != 48 {
			t.Errorf("the archive keeps them: %+v %v", v, err)
		}
	})
	// A new archive and a new stream after the purge get the records that the log still has.
	_, empty := withStream(t)
	later := newArchive(t, archive.Options{})
	runArchive(t, later, empty)
	publish(t, empty, "one", l)
	waitFor(t, "what is left", func() bool { return has(t, later, "one", l) })
	sameRecords(t, later, "one", 0, l)
	noAlarms(t, later)
}

// holds: N7
func TestN7FewLogsAreOpenAtOnce(t *testing.T) {
	_, js := withStream(t)
	a := newArchive(t, archive.Options{MaxOpen: 3})
	runArchive(t, a, js)
	logs := map[string]*audit.Log{}
	for n := range 8 {
		shop := fmt.Sprint("shop", n)
		logs[shop], _ = newLog(t, options())
		publish(t, js, shop, logs[shop])
		write(t, logs[shop], "r", 5)
	}
	for shop, l := range logs {
		waitFor(t, shop, func() bool { return has(t, a, shop, l) })
		sameRecords(t, a, shop, 0, l)
	}
	if n := archive.OpenLogs(a); n > 3 {
		t.Errorf("%d logs are open", n)
	}
	// A request for a fourth log waits until another one is released.
	var free []func()
	for n := range 3 {
		_, release, err := a.Log(t.Context(), fmt.Sprint("shop", n), 0)
		must(t, err)
		free = append(free, release)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := a.Log(ctx, "shop7", 0); err == nil {
		t.Error("a fourth log was opened")
	}
	got := make(chan error, 1)
	go func() {
		_, release, err := a.Log(context.Background(), "shop7", 0)
		if err == nil {
			release()
		}
		got <- err
	}()
	for _, release := range free {
		release()
		release() // again: it counts once
	}
	must(t, <-got)
	noAlarms(t, a)
	// A second release does nothing.
	_, release, err := a.Log(t.Context(), "shop0", 0)
	must(t, err)
	kept, releaseKept, err := a.Log(t.Context(), "shop0", 0)
	must(t, err)
	release()
	release()
	for n := range 30 {
		archived(t, a, fmt.Sprint("shop", 1+n%7), 0, func(*audit.Log) {})
	}
	if _, err := kept.LastHead(t.Context()); err != nil {
		t.Errorf("it was closed while it was in use: %v", err)
	}
	releaseKept()
	if _, _, err := a.Log(t.Context(), "../shop1", 0); err == nil {
		t.Error("a folder outside was opened")
	}
}
