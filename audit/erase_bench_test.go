package audit_test

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// BenchmarkErase erases two people from a log while another goroutine writes. The log is a copy of the one that -log
// names, or else a small one. It reports the longest time of a write.
func BenchmarkErase(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		path := filepath.Join(b.TempDir(), "log.db")
		if *logFile != "" {
			copyLog(b, *logFile, path)
		}
		l := generated(b, path, *logRecords)
		stop, longest := make(chan struct{}), make(chan time.Duration)
		go func() { longest <- writeUntil(b, l, stop) }()
		b.StartTimer()
		var gone audit.Erased
		err := l.Do(context.Background(), entry("erase"), func(ctx context.Context, _ bus.Exec) (err error) {
			gone, err = l.Erase(ctx, "cus_00123", "cus_00124", "somebody@example.org", "+1 555 0100")
			return err
		})
		b.StopTimer()
		close(stop)
		b.ReportMetric(float64((<-longest).Milliseconds()), "ms-waited")
		b.ReportMetric(float64(gone.Records), "erased")
		if err == nil {
			err = l.Close()
		}
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(b.N), "s/erasure")
	b.ReportMetric(0, "ns/op")
}

// writeUntil makes one small change after the other and returns the longest time of one.
func writeUntil(b *testing.B, l *audit.Log, stop <-chan struct{}) (longest time.Duration) {
	for n := int64(1); ; n++ {
		select {
		case <-stop:
			return longest
		case <-time.After(5 * time.Millisecond):
		}
		began := time.Now()
		one(b, l, n)
		longest = max(longest, time.Since(began))
	}
}

func copyLog(b *testing.B, from, to string) {
	b.Helper()
	in, err := os.Open(from)
	if err != nil {
		b.Fatal(err)
	}
	defer in.Close()
	out, err := os.Create(to)
	if err == nil {
		_, err = io.Copy(out, in)
	}
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		b.Fatal(err)
	}
}
