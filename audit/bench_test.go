package audit_test

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// one makes one writing invocation: an upsert, its effect, its record, its key.
func one(b *testing.B, l *audit.Log, n int64) {
	request := fmt.Sprintf("0190e5a0-0000-7000-8000-%012d", n)
	e := entry(request)
	e.Key = &bus.Key{CallerType: bus.CallerUI, Capability: "item.add", Value: request, Arguments: "digest"}
	err := l.Do(context.Background(), e, func(ctx context.Context, x bus.Exec) error {
		if x.Prior() != nil {
			return nil
		}
		_, err := audit.Tx(ctx).ExecContext(ctx,
			`INSERT INTO counters (id, n) VALUES (?, 1) ON CONFLICT (id) DO UPDATE SET n = n + 1`, n%100)
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
}

func BenchmarkDo(b *testing.B) {
	for _, callers := range []int{1, 64, 256} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			l := newLog(b)
			var n atomic.Int64
			b.SetParallelism((callers + 1) / 2)
			b.ReportAllocs()
			b.ResetTimer()
			if callers == 1 {
				for b.Loop() {
					one(b, l, n.Add(1))
				}
				return
			}
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					one(b, l, n.Add(1))
				}
			})
		})
	}
}

// BenchmarkTree makes the writing invocations of BenchmarkDo on a log that keeps its tree in every second turn only. It
// reports the additional time of a write with the tree. It compares lower quartiles, because they depend least on other
// load.
func BenchmarkTree(b *testing.B) {
	const turn = 2 * 256 // writes: as many fill whole tiles
	for _, callers := range []int{1, 64} {
		b.Run(fmt.Sprintf("callers=%d", callers), func(b *testing.B) {
			l := newLog(b)
			var n atomic.Int64
			writes := func() time.Duration {
				began := time.Now()
				var all sync.WaitGroup
				for range callers {
					all.Go(func() {
						for range turn / callers {
							one(b, l, n.Add(1))
						}
					})
				}
				all.Wait()
				return time.Since(began)
			}
			var took [2][]time.Duration
			for b.Loop() {
				for i, with := range []bool{false, true} {
					audit.KeepTree(b, l, with)
					took[i] = append(took[i], writes())
				}
			}
			quartile := func(all []time.Duration) float64 {
				slices.Sort(all)
				return float64(all[len(all)/4])
			}
			b.ReportMetric(100*(quartile(took[1])/quartile(took[0])-1), "%tree")
			b.ReportMetric(quartile(took[1])/turn, "ns/write")
		})
	}
}

func BenchmarkRecordRead(b *testing.B) {
	l := newLog(b)
	for b.Loop() {
		e := entry("r")
		e.Read = true
		if err := l.Record(context.Background(), e); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkVerify verifies the log of BenchmarkSearch with -log, else a small one.
func BenchmarkVerify(b *testing.B) {
	path := *logFile
	if path == "" {
		path = filepath.Join(b.TempDir(), "log.db")
	}
	l := generated(b, path, *logRecords)
	for b.Loop() {
		if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK || v.Records != int64(*logRecords) {
			b.Fatal(v, err)
		}
	}
	b.ReportMetric(float64(*logRecords)*float64(b.N)/b.Elapsed().Seconds(), "records/s")
}

func BenchmarkOpen(b *testing.B) {
	path := filepath.Join(b.TempDir(), "log.db")
	for b.Loop() {
		l, err := audit.Open(context.Background(), path, options())
		if err != nil {
			b.Fatal(err)
		}
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpenWithoutTree opens the log of BenchmarkSearch with -log, else a small one, after its tree was removed. It
// reports the additional seconds to opening the log with its tree.
func BenchmarkOpenWithoutTree(b *testing.B) {
	path := filepath.Join(b.TempDir(), "log.db")
	if *logFile != "" {
		copyLog(b, *logFile, path)
	}
	l := generated(b, path, *logRecords)
	dsn := audit.DSN(l)
	opens := func() time.Duration {
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
		began := time.Now()
		l = open(b, path, generatedOptions())
		return time.Since(began)
	}
	var more time.Duration
	for b.Loop() {
		with := opens()
		audit.Tamper(b, dsn, `DELETE FROM audit_tiles`)
		more += opens() - with
	}
	b.ReportMetric(more.Seconds()/float64(b.N), "s-more")
}
