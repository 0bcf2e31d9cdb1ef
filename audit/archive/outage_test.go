package archive_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/archive"
	"github.com/deskhand/deskhand/internal/natstest"
)

// holds: N7
func TestN7APublisherThatDiesAnywhereLosesNothing(t *testing.T) {
	_, js := withStream(t)
	a := newArchive(t, archive.Options{})
	runArchive(t, a, js)
	l, _ := newLog(t, options())
	random := rand.New(rand.NewPCG(7, 7))
	for round := range 40 {
		ctx, cancel := context.WithCancel(t.Context())
		p, err := archive.NewPublisher("one", archive.Options{})
		must(t, err)
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			_ = p.Run(ctx, js, l)
		}()
		write(t, l, fmt.Sprintf("r%d-", round), random.IntN(60))
		time.Sleep(time.Duration(random.IntN(3000)) * time.Microsecond) // where it is cut is left to chance
		cancel()
		<-ended
	}
	publish(t, js, "one", l)
	waitFor(t, "all records", func() bool { return has(t, a, "one", l) })
	sameRecords(t, a, "one", 0, l)
	noAlarms(t, a)
}

// holds: N7
func TestN7TwoPublishersOfOneLogDoNotHarm(t *testing.T) {
	e := start(t, server.Options{})
	js := e.connect(t)
	o := archive.Options{}.StreamConfig(1)
	o.Duplicates = 100 * time.Millisecond
	_, err := js.CreateStream(t.Context(), o)
	must(t, err)
	a := newArchive(t, archive.Options{})
	runArchive(t, a, js)
	l, _ := newLog(t, options())
	publish(t, js, "one", l)
	publish(t, e.connect(t), "one", l)
	for round := range 20 {
		write(t, l, fmt.Sprintf("r%d-", round), 30)
	}
	waitFor(t, "the first records", func() bool { return has(t, a, "one", l) })
	late := archive.PublishLate(t, js, "one", l)
	write(t, l, "before", 10)
	waitFor(t, "what the others publish", func() bool { return has(t, a, "one", l) })
	time.Sleep(300 * time.Millisecond) // the server does not know the hashes any more
	write(t, l, "after", 1)
	if err := late(); err == nil {
		t.Error("records were published twice")
	}
	waitFor(t, "all records", func() bool { return has(t, a, "one", l) })
	sameRecords(t, a, "one", 0, l)
	noAlarms(t, a)
}

// holds: N7
func TestN7AServerThatIsStartedAnewIsGoneOnWith(t *testing.T) {
	e, js := withStream(t)
	a := newArchive(t, archive.Options{})
	runArchive(t, a, js)
	l, _ := newLog(t, options())
	publish(t, js, "one", l)
	for round := range 3 {
		write(t, l, fmt.Sprintf("up%d-", round), 200)
		e.Stop()
		write(t, l, fmt.Sprintf("down%d-", round), 200)
		e.Run()
	}
	waitFor(t, "all records", func() bool { return has(t, a, "one", l) })
	sameRecords(t, a, "one", 0, l)
	noAlarms(t, a)
}

// holds: N7
func TestN7AnArchiveGoesOnWhereItWas(t *testing.T) {
	_, js := withStream(t)
	l, _ := newLog(t, options())
	publish(t, js, "one", l)
	other, _ := newLog(t, options())
	write(t, other, "other", 300)
	p, stop := publish(t, js, "two", other) // it is not in the second stream, which is shorter
	waitFor(t, "another log", func() bool { return p.Published().Seq == 300 })
	stop()
	folder := t.TempDir()
	once := func(between func()) {
		a, err := archive.Open(folder, archive.Options{Logger: logger(t)})
		must(t, err)
		stop := runArchive(t, a, js)
		waitFor(t, "all records", func() bool { return has(t, a, "one", l) })
		noAlarms(t, a)
		stop()
		must(t, a.Close())
		between()
	}
	write(t, l, "first", 300)
	once(func() { write(t, l, "second", 300) })
	once(func() { // it forgets how far it was
		places, err := filepath.Glob(filepath.Join(folder, "position-*"))
		if err != nil || len(places) != 1 {
			t.Fatal(places, err)
		}
		must(t, os.Remove(places[0]))
		write(t, l, "third", 10)
	})
	once(func() { // the servers went back to a copy of the stream, which had less
		places, err := filepath.Glob(filepath.Join(folder, "position-*"))
		must(t, err)
		text, err := os.ReadFile(places[0])
		must(t, err)
		must(t, os.WriteFile(places[0], bytes.Replace(text, []byte(`"seq":`), []byte(`"seq":9`), 1), 0o600))
		write(t, l, "after that", 10)
	})
	once(func() { // another stream of the same name
		must(t, js.DeleteStream(t.Context(), "AUDIT"))
		_, err := js.CreateStream(t.Context(), archive.Options{}.StreamConfig(1))
		must(t, err)
	})
	publish(t, js, "one", l)
	write(t, l, "fourth", 10)
	once(func() {})
	a := openArchive(t, folder, archive.Options{})
	sameRecords(t, a, "one", 0, l)
}

// holds: N7
func TestN7AClusterThatLosesItsLeaderLosesNothing(t *testing.T) {
	shops, rounds := 5, 3
	if os.Getenv("ARCHIVE_LONG") != "" {
		shops, rounds = 20, 10
	}
	servers, js := cluster(t)
	a := newArchive(t, archive.Options{})
	runArchive(t, a, js)
	logs := map[string]*audit.Log{}
	for n := range shops {
		shop := fmt.Sprint("shop-", n)
		logs[shop], _ = newLog(t, options())
		publish(t, servers["n"+fmt.Sprint(n%3)].connect(t), shop, logs[shop])
	}
	for round := range rounds {
		var all sync.WaitGroup
		for shop, l := range logs {
			all.Go(func() { write(t, l, fmt.Sprintf("%s-%d-", shop, round), 100) })
		}
		leader := ""
		waitFor(t, "a leader", func() bool {
			stream, err := js.Stream(t.Context(), "AUDIT")
			if err == nil {
				leader = stream.CachedInfo().Cluster.Leader
			}
			return leader != ""
		})
		servers[leader].Stop()
		all.Wait()
		for shop, l := range logs {
			write(t, l, fmt.Sprintf("%s-%d-without-", shop, round), 20)
		}
		servers[leader].Run()
	}
	for shop, l := range logs {
		waitFor(t, shop, func() bool { return has(t, a, shop, l) })
		sameRecords(t, a, shop, 0, l)
	}
	noAlarms(t, a)
}

// cluster is three servers that keep the stream together.
func cluster(t testing.TB) (map[string]*engine, jetstream.JetStream) {
	servers := map[string]*engine{}
	ports, routes := make([]int, 3), make([]*url.URL, 3)
	for n := range ports { // a server wants to know the others before it starts
		routes[n] = &url.URL{Scheme: "nats-route", Host: natstest.FreeAddress(t)}
		port, err := strconv.Atoi(routes[n].Port())
		must(t, err)
		ports[n] = port
	}
	for n, port := range ports {
		name := fmt.Sprint("n", n)
		servers[name] = start(t, server.Options{ServerName: name, Routes: routes,
			Cluster: server.ClusterOpts{Name: "shops", Host: "127.0.0.1", Port: port}})
	}
	js := servers["n0"].connect(t)
	waitFor(t, "a stream on three servers", func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := js.CreateStream(ctx, archive.Options{}.StreamConfig(3))
		return err == nil
	})
	return servers, js
}

// holds: N7
func TestN7APayloadThatCameBeforeTheArchiveWasStartedIsAskedFor(t *testing.T) {
	_, js := withStream(t)
	l, _ := newLog(t, options())
	write(t, l, "r", 1)
	r := chained(t, l)[0]
	m := nats.NewMsg("audit.one.payload.0")
	m.Header.Set("Seq", "1")
	m.Header.Set("Salt", hex.EncodeToString(r.Salt))
	m.Data = r.Body
	at, err := js.PublishMsg(t.Context(), m)
	must(t, err)
	folder := t.TempDir()
	a, err := archive.Open(folder, archive.Options{})
	must(t, err)
	stop := runArchive(t, a, js)
	waitFor(t, "the archive has read it", func() bool {
		places, err := filepath.Glob(filepath.Join(folder, "position-*"))
		return err == nil && len(places) == 1
	})
	stop()
	must(t, a.Close())
	a = openArchive(t, folder, archive.Options{})
	runArchive(t, a, js)
	forge(t, js, "one", r, func(m *nats.Msg) { m.Header.Set("Payload", fmt.Sprint(at.Sequence)) })
	waitFor(t, "the record", func() bool { return has(t, a, "one", l) })
	sameRecords(t, a, "one", 0, l)
	noAlarms(t, a)
}
