package audit_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	_ "modernc.org/sqlite"
)

// raw is what a durable row costs on this machine without any of ours: about 600
// bytes, four indexes, WAL, synchronous=FULL, one goroutine that gives all who
// wait one commit. It is the measure for BenchmarkDo in the same run.
type raw struct {
	db    *sql.DB
	queue chan rawRow
}

type rawRow struct {
	n    int64
	done chan error
}

const rawBatch = 1024

func newRaw(b *testing.B) *raw {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(), "raw.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)")
	if err != nil {
		b.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, text := range []string{
		`CREATE TABLE records (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, request TEXT NOT NULL, capability INTEGER NOT NULL, person TEXT NOT NULL, body TEXT NOT NULL) STRICT`,
		`CREATE INDEX by_time ON records (time)`, `CREATE INDEX by_request ON records (request)`,
		`CREATE INDEX by_capability ON records (capability, seq)`, `CREATE INDEX by_person ON records (person, seq)`,
	} {
		if _, err := db.Exec(text); err != nil {
			b.Fatal(err)
		}
	}
	r := &raw{db: db, queue: make(chan rawRow, rawBatch)}
	go r.loop()
	b.Cleanup(func() {
		close(r.queue)
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	return r
}

var rawBody = strings.Repeat("x", 500)

func (r *raw) loop() {
	for first := range r.queue {
		batch := []rawRow{first}
	drain:
		for len(batch) < rawBatch {
			select {
			case row, ok := <-r.queue:
				if !ok {
					break drain
				}
				batch = append(batch, row)
			default:
				break drain
			}
		}
		err := r.commit(batch)
		for _, row := range batch {
			row.done <- err
		}
	}
}

func (r *raw) commit(batch []rawRow) error {
	tx, err := r.db.BeginTx(context.Background(), nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	insert, err := tx.Prepare(`INSERT INTO records (time, request, capability, person, body) VALUES (?, ?, ?, ?, ?)`)
	if err != nil {
		return err
	}
	for _, row := range batch {
		if _, err := insert.Exec(row.n, fmt.Sprintf("0190e5a0-0000-7000-8000-%012d", row.n), row.n%40, "somebody", rawBody); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// BenchmarkDurable measures one writing invocation (effect, record with effect
// rows, idempotency result, roll-ups, chain) beside one raw row.
func BenchmarkDurable(b *testing.B) {
	for _, callers := range []int{1, 64, 256} {
		var rate float64
		b.Run(fmt.Sprintf("raw/callers=%d", callers), func(b *testing.B) {
			r := newRaw(b)
			var n atomic.Int64
			share(b, callers, func() {
				row := rawRow{n.Add(1), make(chan error, 1)}
				r.queue <- row
				if err := <-row.done; err != nil {
					b.Error(err)
				}
			})
			rate = float64(b.N) / b.Elapsed().Seconds()
			b.ReportMetric(rate, "rows/s")
		})
		b.Run(fmt.Sprintf("journal/callers=%d", callers), func(b *testing.B) {
			l := newLog(b)
			var n atomic.Int64
			share(b, callers, func() { one(b, l, n.Add(1)) })
			got := float64(b.N) / b.Elapsed().Seconds()
			b.ReportMetric(got, "rows/s")
			b.ReportMetric(100*got/rate, "%raw")
		})
	}
}

// share spreads b.N calls over so many goroutines.
func share(b *testing.B, callers int, call func()) {
	b.ResetTimer()
	if callers == 1 {
		for range b.N {
			call()
		}
		return
	}
	b.SetParallelism((callers + 1) / 2)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			call()
		}
	})
}
