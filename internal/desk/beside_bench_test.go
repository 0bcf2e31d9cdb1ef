package desk_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/deskhand/deskhand/internal/desk"
)

// BenchmarkDeskBeside opens desks of one program on one shop, as a host does for its tills. "first-ms" is what the first
// one takes; "next-%first" is the time of another one, in per cent of that, and "next-KB" its memory. It has to be the
// first benchmark of its program.
func BenchmarkDeskBeside(b *testing.B) {
	folder := b.TempDir()
	if err := os.WriteFile(filepath.Join(folder, desk.DatabaseName), nil, 0o600); err != nil {
		b.Fatal(err)
	}
	if _, err := desk.HoldsShop(b.Context(), folder); err != nil { // the tables are there
		b.Fatal(err)
	}
	heap := func() float64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc) / 1024
	}
	open := func(beside *desk.Desk) (*desk.Desk, time.Duration) {
		began := time.Now()
		d, err := desk.Open(b.Context(), desk.Options{Folder: folder, Door: "test", Beside: beside})
		if err != nil {
			b.Fatal(err)
		}
		return d, time.Since(began)
	}
	first, took := open(nil)
	b.Cleanup(func() { _ = first.Close() })
	one := heap()
	var all []*desk.Desk
	var next time.Duration
	for range 50 {
		d, took := open(first)
		all, next = append(all, d), next+took
	}
	many := heap()
	for _, d := range all {
		if err := d.Close(); err != nil {
			b.Error(err)
		}
	}
	for b.Loop() {
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(1000*took.Seconds(), "first-ms")
	b.ReportMetric(100*next.Seconds()/float64(len(all))/took.Seconds(), "next-%first")
	b.ReportMetric((many-one)/float64(len(all)), "next-KB")
}
