package audit_test

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// durableRounds has the calls per round by the number of callers. Short rounds spread other load on the machine evenly
// over the contenders.
var durableRounds = map[int]int{1: 250, 64: 4000, 256: 8000}

// BenchmarkDurable compares in turns: one writing invocation through the bus (validation, effect, record with effect
// rows, idempotency result, roll-ups, chain), one recorded read, a raw row in SQLite, and a raw row in a file. One
// operation is a round of each. It reports the median of the rounds:
//
//	write-%raw     rate of the bus's writes in per cent of SQLite's rows
//	read-%raw      rate of its reads, until all are stored, in per cent of SQLite's rows
//	p50/file       median write time divided by the one of the file
//	chain-%write   rate of writes in per cent of the rate of hashing a record and its payload
//	writes/s, raws/s, reads/s, files/s, p50-us
//	write-cpu-us, raw-cpu-us, read-cpu-us  processor time of one, all threads together
//
// Other load on the machine lowers the rates that depend on the processor, but not those that depend on the disk. Then
// the processor times are the better measure.
func BenchmarkDurable(b *testing.B) {
	for _, callers := range []int{1, 64, 256} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			rows, file, l := newRaw(b), newFile(b), newLog(b)
			x := newCounters(l)
			contenders := []struct {
				name string
				call func(n int64) error
				end  func() error
			}{
				{"raw", rows.put, nil},
				{"write", x.add, nil},
				{"file", file.put, nil},
				{"read", x.get, func() error { // reads are recorded later
					_, err := l.Search(context.Background(), audit.Query{Reads: true, Limit: 1})
					return err
				}},
			}
			var n atomic.Int64
			var chain []float64
			rates, medians, used := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
			for b.Loop() {
				began := time.Now()
				for range durableRounds[callers] {
					sha256.Sum256(hashed[:])
					sha256.Sum256(hashed[:])
				}
				chain = append(chain, float64(durableRounds[callers])/time.Since(began).Seconds())
				for _, c := range contenders {
					before := processorTime()
					rate, p50 := round(b, callers, durableRounds[callers], func() error { return c.call(n.Add(1)) }, c.end)
					rates[c.name], medians[c.name] = append(rates[c.name], rate), append(medians[c.name], p50)
					used[c.name] = append(used[c.name], float64((processorTime()-before).
						Nanoseconds())/1e3/float64(durableRounds[callers]))
				}
			}
			b.ReportMetric(100*ratio(rates["write"], rates["raw"]), "write-%raw")
			b.ReportMetric(100*ratio(rates["read"], rates["raw"]), "read-%raw")
			b.ReportMetric(ratio(medians["write"], medians["file"]), "p50/file")
			b.ReportMetric(100*ratio(rates["write"], chain), "chain-%write")
			for _, c := range contenders {
				b.ReportMetric(median(rates[c.name]), c.name+"s/s")
			}
			for _, name := range []string{"raw", "write", "read"} {
				b.ReportMetric(median(used[name]), name+"-cpu-us")
			}
			b.ReportMetric(median(medians["write"]), "p50-us")
			b.ReportMetric(0, "ns/op")
		})
	}
}

// hashed is as long as the hashed bytes of a record, and longer than its payload.
var hashed [600]byte

// round makes calls in total from callers goroutines. It returns the rate per second and the median time in
// microseconds.
func round(b *testing.B, callers, calls int, call, end func() error) (rate, p50 float64) {
	took := make([]float64, calls)
	var next atomic.Int64
	var all sync.WaitGroup
	began := time.Now()
	for range callers {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(calls); i = next.Add(1) - 1 {
				at := time.Now()
				if err := call(); err != nil {
					b.Error(err)
					return
				}
				took[i] = float64(time.Since(at).Nanoseconds()) / 1e3
			}
		})
	}
	all.Wait()
	if end != nil {
		if err := end(); err != nil {
			b.Error(err)
		}
	}
	return float64(calls) / time.Since(began).Seconds(), median(took)
}

// ratio returns the median of the quotients of two contenders in the same rounds.
func ratio(of, by []float64) float64 {
	out := make([]float64, len(of))
	for i := range of {
		out[i] = of[i] / by[i]
	}
	return median(out)
}

func median[T cmp.Ordered](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// counters is a bus over the counters of a log.
type counters struct{ b *bus.Bus }

type counterIn struct {
	ID int64 `json:"id" jsonschema:"minimum=0"`
}

type counterOut struct {
	N int64 `json:"n"`
}

func newCounters(l *audit.Log) counters {
	b := bus.New(bus.Options{Journal: l})
	b.MustRegister(
		bus.Define(bus.Capability{Name: "counter.add", Title: "Add", Description: "Adds one.", SideEffect: bus.UIOnly,
			Permissions: []string{"counter:write"}, Resources: []string{"database:write"}},
			func(ctx context.Context, call *bus.Call, in counterIn) (counterOut, error) {
				call.Summarize("Added one.")
				_, err := audit.Tx(ctx).ExecContext(ctx,
					`INSERT INTO counters (id, n) VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET n = n + 1`, in.ID)
				return counterOut{1}, err
			}),
		bus.Define(bus.Capability{Name: "counter.get", Title: "Get", Description: "Gets the count.", SideEffect: bus.Pure,
			Permissions: []string{"counter:read"}, Resources: []string{"database:read"}},
			func(ctx context.Context, _ *bus.Call, in counterIn) (out counterOut, err error) {
				return out, audit.Tx(ctx).QueryRowContext(ctx, `SELECT coalesce(max(n), 0) FROM counters WHERE id = ?`, in.ID).Scan(&out.N)
			}))
	return counters{b}
}

func (x counters) add(n int64) error {
	request := fmt.Sprintf("0190e5a0-0000-7000-8000-%012d", n)
	return x.invoke(bus.Invocation{Capability: "counter.add", RequestID: request, IdempotencyKey: request}, n)
}

func (x counters) get(n int64) error { return x.invoke(bus.Invocation{Capability: "counter.get"}, n) }

func (x counters) invoke(inv bus.Invocation, n int64) error {
	inv.Arguments = json.RawMessage(fmt.Sprintf(`{"id":%d}`, n%100))
	inv.Caller = bus.Caller{Type: bus.CallerUI, Source: "Button"}
	inv.Principal = bus.Principal{ID: "u1", Role: "clerk", Scopes: []string{"*"}, Authentication: "pin",
		Door: "window"}
	if res := x.b.Invoke(context.Background(), inv); !res.OK() {
		return res.Err
	}
	return nil
}
