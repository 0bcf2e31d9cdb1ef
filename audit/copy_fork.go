package audit

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/internal/atomicfile"
	"github.com/deskhand/deskhand/internal/filelock"
)

// Fork writes a consistent copy of the domain's rows to a new file at path, readable by its owner only. [Open] accepts
// the file: its log is empty, and it gives no numbers of series. The tables of a bridge, and those named by empty, have
// no rows there.
//
// Fork copies the pages of the other tables to the same places, because copying rows takes SQLite several times as
// long. The pages in between are free there, and a hole in the file (the format: sqlite.org/fileformat2.html).
func (l *Log) Fork(ctx context.Context, path string, empty ...string) (err error) {
	defer func() { err = l.explain(err) }()
	if err := l.writer.flush(ctx); err != nil {
		return fmt.Errorf("audit: fork: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("audit: fork: %w", err)
	}
	k := &fork{to: f, path: path, empty: empty}
	err = k.take(ctx, l.store)
	if err == nil {
		err = errors.Join(k.settle(ctx), f.Sync(), atomicfile.SyncFolder(filepath.Dir(path)))
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("audit: fork: %w", errors.Join(err, removeIfThere(path)))
	}
	return nil
}

// fork is the state of a running Fork.
type fork struct {
	to      *os.File
	path    string
	empty   []string
	size    int64    // of a page, bytes
	creates []string // statements that create the tables that are empty there
	copied  []bool   // by page number: whether the page is in the file
	run     []byte   // consecutive pages that are not written yet…
	begin   int64    // …and the number of the first
}

// Offsets in the first page, which has the header of the file.
const (
	headerWrite    = 18 // and 19: the format version for writing and reading; 1 is without a WAL
	headerChanges  = 24
	headerPages    = 28
	headerFree     = 32 // the first page of the list of free ones
	headerFreed    = 36 // number of free pages
	headerValidFor = 92 // the change counter for which headerPages is valid
)

// lockPage is the offset of the page that SQLite never uses, because its locks are there.
const lockPage = 0x40000000

// leftOut reports whether Fork omits the rows of a table.
func (k *fork) leftOut(table string) bool {
	table = strings.ToLower(table)
	return strings.HasPrefix(table, "audit_") || strings.HasPrefix(table, "agent_") ||
		strings.HasPrefix(table, "sqlite_stat") || slices.Contains(k.empty, table)
}

// take copies the pages from a snapshot of another file.
func (k *fork) take(ctx context.Context, from *store) (err error) {
	db, err := sql.Open("sqlite", from.dsn("ro")+"&_pragma=mmap_size(1073741824)")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it only read
	var pages, vacuum int64
	if err := tx.QueryRowContext(ctx, `SELECT page_count, page_size, auto_vacuum FROM pragma_page_count, pragma_page_size,
		pragma_auto_vacuum`).Scan(&pages, &k.size, &vacuum); err != nil {
		return err
	}
	if vacuum != 0 {
		return errors.New("a file with auto_vacuum cannot be forked")
	}
	k.copied = make([]bool, pages+1)
	trees, err := k.trees(ctx, tx)
	if err != nil {
		return err
	}
	var first []byte
	for _, tree := range trees {
		rows, err := tx.QueryContext(ctx, `SELECT p.pgno, p.data FROM dbstat t CROSS JOIN sqlite_dbpage p ON p.pgno = t.pageno
			WHERE t.name = ?`, tree)
		err = each(rows, err, func() error {
			var n int64
			var page sql.RawBytes
			if err := rows.Scan(&n, &page); err != nil {
				return err
			}
			if k.copied[n] = true; n == 1 {
				first = slices.Clone(page)
			}
			return k.write(n, page)
		})
		if err != nil {
			return err
		}
	}
	if err := k.flush(); err != nil {
		return err
	}
	return k.freeRest(first)
}

// longestRun limits the bytes of consecutive pages in one write.
const longestRun = 1 << 20

// write buffers a page, to write it together with the next ones.
func (k *fork) write(n int64, page []byte) error {
	if n != k.begin+int64(len(k.run))/k.size || len(k.run) >= longestRun {
		if err := k.flush(); err != nil {
			return err
		}
		k.begin = n
	}
	k.run = append(k.run, page...)
	return nil
}

// flush writes the buffered pages.
func (k *fork) flush() error {
	if len(k.run) == 0 {
		return nil
	}
	_, err := k.to.WriteAt(k.run, (k.begin-1)*k.size)
	k.run = k.run[:0]
	return err
}

// trees lists the tables and indexes whose pages are copied, and collects the statements that create the others.
func (k *fork) trees(ctx context.Context, tx *sql.Tx) (names []string, err error) {
	names = []string{"sqlite_schema"}
	rows, err := tx.QueryContext(ctx, `SELECT name, tbl_name, coalesce(sql, ''), rootpage > 0 FROM sqlite_schema
		ORDER BY rowid`)
	err = each(rows, err, func() error {
		var name, of, ddl string
		var hasPages bool
		err := rows.Scan(&name, &of, &ddl, &hasPages)
		switch of = strings.ToLower(of); {
		case !k.leftOut(of):
			if hasPages {
				names = append(names, name)
			}
		case ddl != "" && !strings.HasPrefix(of, "audit_") && !strings.HasPrefix(of, "sqlite_"):
			k.creates = append(k.creates, ddl)
		}
		return err
	})
	return names, err
}

// freeRest writes the first page, with every page that was not copied in the list of free pages.
func (k *fork) freeRest(first []byte) error {
	pages := int64(len(k.copied) - 1)
	var free []int64
	for n := int64(2); n <= pages; n++ {
		if !k.copied[n] && n != lockPage/k.size+1 {
			free = append(free, n)
		}
	}
	put := func(page []byte, at int, v int64) { binary.BigEndian.PutUint32(page[at:], uint32(v)) }
	// A page of the list holds the number of the next such page, the number of entries, and the entries.
	perPage := int(k.size/4) - 8
	next := int64(0)
	for rest := free; len(rest) > 0; {
		n := min(perPage, len(rest)-1)
		page := make([]byte, k.size)
		put(page, 0, next)
		put(page, 4, int64(n))
		for i, leaf := range rest[1 : 1+n] {
			put(page, 8+4*i, leaf)
		}
		next = rest[0]
		if _, err := k.to.WriteAt(page, (next-1)*k.size); err != nil {
			return err
		}
		rest = rest[1+n:]
	}
	first[headerWrite], first[headerWrite+1] = 1, 1
	put(first, headerPages, pages)
	put(first, headerFree, next)
	put(first, headerFreed, int64(len(free)))
	copy(first[headerValidFor:headerValidFor+4], first[headerChanges:headerChanges+4])
	if _, err := k.to.WriteAt(first, 0); err != nil {
		return err
	}
	return k.to.Truncate(pages * k.size)
}

// settle removes the omitted tables from the schema, and creates the log's tables and the empty ones.
func (k *fork) settle(ctx context.Context) (err error) {
	open := func(more string) (*sql.DB, error) {
		// No journal and no sync: no other program reads the file yet, and Fork removes it if a step fails.
		q := url.Values{"_pragma": {"journal_mode(OFF)", "synchronous(OFF)", "foreign_keys(OFF)"}}
		if more != "" {
			q.Add("_pragma", more)
		}
		db, err := sql.Open("sqlite", fileURL(k.path, q))
		if err == nil {
			db.SetMaxOpenConns(1)
		}
		return db, err
	}
	db, err := open("writable_schema(ON)")
	if err != nil {
		return err
	}
	var tables []string
	rows, err := db.QueryContext(ctx, `SELECT DISTINCT tbl_name FROM sqlite_schema`)
	err = each(rows, err, func() error {
		var of string
		err := rows.Scan(&of)
		if k.leftOut(of) {
			tables = append(tables, of)
		}
		return err
	})
	for _, of := range tables {
		if err == nil {
			_, err = db.ExecContext(ctx, `DELETE FROM sqlite_schema WHERE tbl_name = ?`, of)
		}
	}
	if err = errors.Join(err, db.Close()); err != nil {
		return err
	}
	s := &store{path: k.path, fair: filelock.NewFair(k.path)}
	if s.db, err = open(""); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.db.Close()) }()
	own, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	if err := s.migrateModule(ctx, own, "audit_schema"); err != nil {
		return err
	}
	if _, err := s.db.ExecContext(ctx, `INSERT INTO audit_series (series, last) VALUES (?, 0)`, noNumbers); err != nil {
		return err
	}
	for _, ddl := range k.creates {
		if _, err := s.db.ExecContext(ctx, ddl); err != nil {
			return fmt.Errorf("make it anew: %w: %s", err, ddl)
		}
	}
	return nil
}
