package audit_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// raw measures the cost of a durable row in SQLite without the code of this package: about 600 bytes, four indexes,
// WAL, synchronous=FULL, and one goroutine that commits the rows of all waiting callers together.
type raw struct {
	db *sql.DB
}

// group commits the rows of all waiting callers together.
type group struct {
	queue  chan rawRow
	commit func([]rawRow) error
}

type rawRow struct {
	n    int64
	done chan error
}

const rawBatch = 1024

func newRaw(b *testing.B) *group {
	b.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(b.TempDir(),
		"raw.db")+"?_pragma=journal_mode(wal)&_pragma=synchronous(full)")
	if err != nil {
		b.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	for _, text := range []string{
		`CREATE TABLE records (seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, request TEXT NOT NULL,
				capability INTEGER NOT NULL, person TEXT NOT NULL, body TEXT NOT NULL) STRICT`,
		`CREATE INDEX by_time ON records (time)`, `CREATE INDEX by_request ON records (request)`,
		`CREATE INDEX by_capability ON records (capability, seq)`, `CREATE INDEX by_person ON records (person, seq)`,
	} {
		if _, err := db.Exec(text); err != nil {
			b.Fatal(err)
		}
	}
	b.Cleanup(func() {
		if err := db.Close(); err != nil {
			b.Error(err)
		}
	})
	return newGroup(b, (&raw{db}).commit)
}

// newFile is the physical limit: it appends the same bytes to a file and calls fdatasync.
func newFile(b *testing.B) *group {
	b.Helper()
	f, err := os.Create(filepath.Join(b.TempDir(), "file"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := f.Close(); err != nil {
			b.Error(err)
		}
	})
	row := []byte(rawBody + rawBody[:100])
	var buf []byte
	return newGroup(b, func(rows []rawRow) error {
		buf = buf[:0]
		for range rows {
			buf = append(buf, row...)
		}
		if _, err := f.Write(buf); err != nil {
			return err
		}
		return datasync(f)
	})
}

func newGroup(b *testing.B, commit func([]rawRow) error) *group {
	g := &group{make(chan rawRow, rawBatch), commit}
	idle := make(chan struct{})
	go func() {
		defer close(idle)
		g.loop()
	}()
	b.Cleanup(func() {
		close(g.queue)
		<-idle
	})
	return g
}

// put returns when the row is durable.
func (g *group) put(n int64) error {
	row := rawRow{n, make(chan error, 1)}
	g.queue <- row
	return <-row.done
}

var rawBody = strings.Repeat("x", 500)

func (g *group) loop() {
	for first := range g.queue {
		batch := []rawRow{first}
	drain:
		for len(batch) < rawBatch {
			select {
			case row, ok := <-g.queue:
				if !ok {
					break drain
				}
				batch = append(batch, row)
			default:
				break drain
			}
		}
		err := g.commit(batch)
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
		if _, err := insert.Exec(row.n, fmt.Sprintf("0190e5a0-0000-7000-8000-%012d", row.n), row.n%40, "somebody",
			rawBody); err != nil {
			return err
		}
	}
	return tx.Commit()
}
