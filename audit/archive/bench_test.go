package archive_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/archive"
	"github.com/deskhand/deskhand/bus"
)

// benchRecords is the number of records in a round.
const benchRecords = 20_000

func median(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// BenchmarkArchive measures in turns: a log that records reads, and an archive that takes as many records from the
// stream and verifies each chain. "archive-%read" is the rate of the archive in per cent of the rate of the log. It
// reports the median of the rounds, and the rate of publishing.
func BenchmarkArchive(b *testing.B) {
	_, js := withStream(b)
	quiet := options()
	quiet.IndexAfter = time.Hour // the index is not a part of the measurement
	source, _ := newLog(b, quiet)
	fill(b, source, benchRecords)
	reads, _ := newLog(b, quiet)
	rates := map[string][]float64{}
	note := func(name string, n int, began time.Time) {
		rates[name] = append(rates[name], float64(n)/time.Since(began).Seconds())
	}
	round := 0
	for b.Loop() {
		round++
		began := time.Now()
		for i := range benchRecords {
			e := entry(fmt.Sprintf("0190e5a0-0000-7000-8000-%012d", i))
			e.Read, e.SideEffect = true, bus.Pure
			must(b, reads.Record(context.Background(), e))
		}
		_, err := reads.Search(context.Background(), audit.Query{Reads: true, Limit: 1}) // they are stored
		must(b, err)
		note("read", benchRecords, began)

		// Each round has its own stream, because a stream takes a record's hash once.
		o := archive.Options{Stream: fmt.Sprint("S", round), Prefix: fmt.Sprint("s", round)}
		_, err = js.CreateStream(b.Context(), o.StreamConfig(1))
		must(b, err)
		p, err := archive.NewPublisher("one", o)
		must(b, err)
		began = time.Now()
		stop := running(b, func(ctx context.Context) error { return p.Run(ctx, js, source) })
		waitFor(b, "all is published", func() bool { return p.Published().Seq == benchRecords })
		note("publish", benchRecords, began)
		stop()
		stream, err := js.Stream(b.Context(), o.Stream)
		must(b, err)
		rates["stream-B/record"] = append(rates["stream-B/record"], float64(stream.CachedInfo().State.Bytes)/benchRecords)

		a := newArchive(b, o)
		began = time.Now()
		end := runArchive(b, a, js)
		waitFor(b, "all is archived", func() bool { return has(b, a, "one", source) })
		note("archive", benchRecords, began)
		end()
	}
	b.ReportMetric(100*median(rates["archive"])/median(rates["read"]), "archive-%read")
	for name, list := range rates {
		if !strings.Contains(name, "/") {
			name += "s/s"
		}
		b.ReportMetric(median(list), name)
	}
	b.ReportMetric(0, "ns/op")
}

// fill writes n records of calls without effects.
func fill(b *testing.B, l *audit.Log, n int) {
	var all sync.WaitGroup
	var next atomic.Int64
	for range 64 {
		all.Go(func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				must(b, l.Record(context.Background(), entry(fmt.Sprintf("0190e5a0-0000-7000-8000-%012d", i))))
			}
		})
	}
	all.Wait()
}

// BenchmarkWriting writes with and without a publisher, in turns, from so many callers. "published-%" is the rate with
// one of the rate without, in per cent.
func BenchmarkWriting(b *testing.B) {
	for _, callers := range []int{1, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			_, js := withStream(b)
			l, _ := newLog(b, options())
			var n atomic.Int64
			round := func() float64 {
				calls := int64(3000 + 400*callers) // some seconds, so that the cost of the start is small
				began := time.Now()
				var all sync.WaitGroup
				var next atomic.Int64
				for range callers {
					all.Go(func() {
						for next.Add(1) <= calls {
							must(b, l.Do(context.Background(), entry(fmt.Sprint("w", n.Add(1))), func(ctx context.Context, _ bus.Exec) error {
								_, err := audit.Tx(ctx).ExecContext(ctx,
									`INSERT INTO counters VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET n = n + 1`, n.Load()%100)
								return err
							}))
						}
					})
				}
				all.Wait()
				return float64(calls) / time.Since(began).Seconds()
			}
			var alone, published []float64
			for b.Loop() {
				alone = append(alone, round())
				p, stop := publish(b, js, "one", l)
				waitFor(b, "what was written before", func() bool { return p.Published().Hash == head(b, l).Hash })
				published = append(published, round())
				stop()
			}
			b.ReportMetric(100*median(published)/median(alone), "published-%")
			b.ReportMetric(median(alone), "alone/s")
			b.ReportMetric(median(published), "published/s")
			b.ReportMetric(0, "ns/op")
		})
	}
}
