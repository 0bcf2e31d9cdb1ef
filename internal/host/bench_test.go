package host_test

import (
	"fmt"
	"runtime"
	"runtime/metrics"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/till"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// benchTills are those that work at one host.
const benchTills = 50

// BenchmarkTills has, in turns, so many callers write at once in one program, and as many tills at a host, each over its
// link and all on this machine. "tills-%one" is the rate of the tills of that of the program, in per cent. Then one till
// writes now and then: "event-p95-ms" is when the page of the last till is told, counted from the call; "bare-p95-ms" is
// the same for a message of that size by NATS to as many subscribers, without TLS. "back-p95-ms" is when a call is
// answered that was made as the link was cut. "till-KB" is the memory of a till at the host and of its own end.
func BenchmarkTills(b *testing.B) {
	s := open(b)
	one := desktest.Open(b, desk.Options{Folder: desktest.Copy(b)})
	page := &desk.Boundary{Context: b.Context(), Open: func() (*desk.Desk, error) { return one, nil },
		Emit: func(string, any) {}}
	variant := variantOf(b, one, desktest.Guji(b, one))
	empty := heap()
	told := make(chan struct{}, 1<<16)
	all, links := make([]*till.Client, benchTills), make([]*cutter, benchTills)
	for i := range all {
		emit := func(string, any) {}
		if i == benchTills-1 {
			emit = func(stream string, payload any) {
				if strings.Contains(fmt.Sprintf("%s", payload), `"stateChange"`) {
					told <- struct{}{}
				}
			}
		}
		links[i] = &cutter{dial: s.joined(fmt.Sprint("Till ", i)).Dial}
		all[i] = s.windowTelling(links[i].Dial, emit)
		has(b, all[i].Invoke(fmt.Sprintf(`{"capability":"session.signIn","arguments":%s,"idempotency_key":"in %d"}`,
			desktest.SignIn("mara_lindqvist"), i)), `"success"`)
	}
	memory := (heap() - empty) / benchTills
	var n atomic.Int64
	write := func() string {
		return fmt.Sprintf(`{"capability":"catalog.adjustStock","arguments":{"variantId":%q,"delta":1},`+
			`"idempotency_key":"w%d"}`, variant, n.Add(1))
	}
	figures := map[string][]float64{}
	round := func(name string, invoke func(i int, call string) string) {
		const calls = 5000
		var left atomic.Int64
		var working sync.WaitGroup
		began, used := time.Now(), processor()
		for i := range benchTills {
			working.Go(func() {
				for left.Add(1) <= calls {
					if got := invoke(i, write()); !strings.Contains(got, `"success"`) {
						b.Error(got)
						return
					}
				}
			})
		}
		working.Wait()
		figures[name+"/s"] = append(figures[name+"/s"], calls/time.Since(began).Seconds())
		figures[name+"-µs-cpu"] = append(figures[name+"-µs-cpu"], 1e6*(processor()-used)/calls)
	}
	bare := bareEvents(b)
	for b.Loop() {
		round("one", func(_ int, call string) string { return page.Invoke(call) })
		round("tills", func(i int, call string) string { return all[i].Invoke(call) })
		for range 100 {
			time.Sleep(20 * time.Millisecond) // what was told before is over
			for len(told) > 0 {
				<-told
			}
			began := time.Now()
			has(b, all[0].Invoke(write()), `"success"`)
			<-told
			figures["event"] = append(figures["event"], time.Since(began).Seconds()*1000)
			figures["bare"] = append(figures["bare"], bare().Seconds()*1000)
		}
		for range 20 {
			time.Sleep(20 * time.Millisecond)
			links[1].cut()
			began := time.Now()
			has(b, all[1].Invoke(write()), `"success"`)
			figures["back"] = append(figures["back"], time.Since(began).Seconds()*1000)
		}
	}
	b.ReportMetric(0, "ns/op")
	for name, list := range figures {
		slices.Sort(list)
		if name == "event" || name == "bare" || name == "back" {
			b.ReportMetric(list[len(list)*95/100], name+"-p95-ms")
		} else {
			b.ReportMetric(list[len(list)/2], name)
		}
	}
	b.ReportMetric(100*median(figures["tills/s"])/median(figures["one/s"]), "tills-%one")
	b.ReportMetric(memory/1024, "till-KB")
}

func median(sorted []float64) float64 { return sorted[len(sorted)/2] }

// heap is the memory in use, in bytes.
func heap() float64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapInuse + m.StackInuse)
}

// processor is the time that this program has used of the processor, in seconds, as the runtime estimates it.
func processor() float64 {
	runtime.GC()
	used := []metrics.Sample{{Name: "/cpu/classes/total:cpu-seconds"}, {Name: "/cpu/classes/idle:cpu-seconds"}}
	metrics.Read(used)
	return used[0].Value.Float64() - used[1].Value.Float64()
}

// bareEvents sends a message of 300 bytes to so many subscribers and returns when the last of them has it.
func bareEvents(b *testing.B) func() time.Duration {
	srv, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, NoLog: true, NoSigs: true})
	if err != nil {
		b.Fatal(err)
	}
	srv.Start()
	b.Cleanup(srv.Shutdown)
	if !srv.ReadyForConnections(time.Minute) {
		b.Fatal("the server does not start")
	}
	connect := func() *nats.Conn {
		nc, err := nats.Connect(srv.ClientURL())
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(nc.Close)
		return nc
	}
	var heard sync.WaitGroup
	for range benchTills {
		nc := connect()
		if _, err := nc.Subscribe("events", func(*nats.Msg) { heard.Done() }); err != nil {
			b.Fatal(err)
		}
		if err := nc.Flush(); err != nil {
			b.Fatal(err)
		}
	}
	from, message := connect(), make([]byte, 300)
	return func() time.Duration {
		heard.Add(benchTills)
		began := time.Now()
		if err := from.Publish("events", message); err != nil {
			b.Fatal(err)
		}
		heard.Wait()
		return time.Since(began)
	}
}

// variantOf is the first variant of a product.
func variantOf(t testing.TB, d *desk.Desk, product string) string {
	var out struct{ Variants []struct{ ID string } }
	desktest.Must(t, d, "test", "catalog.getProduct", fmt.Sprintf(`{"productId":%q}`, product), &out)
	return out.Variants[0].ID
}
