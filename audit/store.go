package audit

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"github.com/deskhand/deskhand/audit/internal/tiles"
	"github.com/deskhand/deskhand/internal/filelock"
)

//go:embed migrations/*.sql
var migrations embed.FS

// busyTimeout limits the wait of a connection for a lock of another program. Writers of this package queue at the fair
// lock first.
const busyTimeout = 5 * time.Second

// store is the file: its writing connection and its domain tables.
type store struct {
	path   string // absolute
	db     *sql.DB
	conn   *sql.Conn // the writing connection; the writer's goroutine owns it
	tables map[string]*table
	fair   *filelock.Fair
	open   *openLock
	// Unfinished work of earlier programs: steps that they had begun, traces of erased rows, records without a tree.
	begun, traces, treeless bool

	archive bool // only Append adds records to it
}

// openStore opens the file, takes the open lock, migrates the schema and reads the domain tables.
func openStore(ctx context.Context, path string, o Options) (_ *store, err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	if err := create(path); err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	s := &store{path: path, fair: filelock.NewFair(path)}
	s.db, err = sql.Open("sqlite", s.dsn("rwc"))
	if err != nil {
		return nil, fmt.Errorf("audit: open %s: %w", path, err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.close())
		}
	}()
	s.db.SetMaxOpenConns(1)
	if s.open, err = takeOpenLock(ctx, path); err != nil {
		return nil, fmt.Errorf("audit: open %s: %w", path, err)
	}
	if err := s.migrate(ctx, o); err != nil {
		return nil, err
	}
	if err := s.markArchive(ctx, o.archive); err != nil {
		return nil, err
	}
	if s.conn, err = s.db.Conn(ctx); err != nil {
		return nil, fmt.Errorf("audit: open %s: %w", path, err)
	}
	if s.tables, err = domainTables(ctx, s.conn); err != nil {
		return nil, err
	}
	err = s.conn.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM audit_inflight), EXISTS (SELECT 1 FROM audit_traces) "+
		"OR EXISTS (SELECT 1 FROM audit_forgotten), coalesce((SELECT seq - tree FROM audit_heads WHERE stream = 'main'), 0) "+
		"/ ? > coalesce((SELECT max(tile) + 1 FROM audit_tiles WHERE level = 0), 0)", tiles.Width).
		Scan(&s.begun, &s.traces, &s.treeless)
	if err != nil {
		return nil, fmt.Errorf("audit: open %s: %w", path, err)
	}
	if _, err = s.conn.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil { // the writer has its own wait
		return nil, fmt.Errorf("audit: open %s: %w", path, err)
	}
	return s, nil
}

// create makes the file readable only by its owner, because it contains personal data; SQLite gives its companion files
// the same mode.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// dsn returns the file name with its pragmas, because a pool may open a connection at any time. The mode is that of
// SQLite: "ro", "rw", or "rwc", which creates the file and sets the pragmas for writers.
func (s *store) dsn(mode string) string {
	q := url.Values{"mode": {mode}}
	q.Add("_pragma", fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()))
	if mode == "rwc" {
		q.Add("_pragma", "journal_mode(WAL)")
		q.Add("_pragma", "synchronous(FULL)")
		q.Add("_pragma", "fullfsync(ON)") // without it, a sync on macOS ends in the disk's cache
		q.Add("_pragma", "checkpoint_fullfsync(ON)")
		q.Add("_pragma", "foreign_keys(ON)")
		q.Add("_pragma", "secure_delete(ON)") // deleted data is overwritten
	}
	return fileURL(s.path, q)
}

// fileURL names a file to SQLite, which resolves a relative path at the root.
func fileURL(path string, query url.Values) string {
	if absolute, err := filepath.Abs(path); err == nil { // otherwise the working folder is gone, and SQLite fails
		path = absolute
	}
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // C:/…
	}
	return (&url.URL{Scheme: "file", Path: p, RawQuery: query.Encode()}).String()
}

func (s *store) close() error {
	var err error
	if s.conn != nil {
		err = s.conn.Close()
	}
	return errors.Join(err, s.db.Close(), s.fair.Close(), s.open.close())
}

// migrate brings the journal's tables and then the domain's up to date. Programs that start together take turns.
func (s *store) migrate(ctx context.Context, o Options) error {
	leave := s.fair.Enter(ctx)
	defer leave()
	var foreign bool
	if err := s.db.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM sqlite_schema) AND NOT EXISTS (SELECT 1
		FROM sqlite_schema WHERE name = 'audit_schema')`).Scan(&foreign); err != nil {
		return fmt.Errorf("audit: open %s: %w", s.path, err)
	}
	if foreign && !o.Adopt {
		return fmt.Errorf("audit: %s is the database of another program: it was left as it is", s.path)
	}
	return s.migrateAll(ctx, o)
}

// migrateAll brings all tables up to date.
func (s *store) migrateAll(ctx context.Context, o Options) error {
	own, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	if err := s.migrateModule(ctx, own, "audit_schema"); err != nil {
		return err
	}
	if o.Migrations != nil {
		if err := s.migrateModule(ctx, o.Migrations, "goose_domain"); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Modules)) {
		if err := s.migrateModule(ctx, o.Modules[name], "goose_module_"+name); err != nil {
			return err
		}
	}
	return nil
}

func (s *store) migrateModule(ctx context.Context, files fs.FS, versions string) error {
	p, err := goose.NewProvider(goose.DialectSQLite3, s.db, files,
		goose.WithTableName(versions), goose.WithDisableGlobalRegistry(true))
	if err != nil {
		return fmt.Errorf("audit: read the migrations of %s: %w", versions, err)
	}
	have, know, err := p.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("audit: read the version of %s: %w", s.path, err)
	}
	switch {
	case have == know:
		return nil
	case have > know:
		return &newerError{s.path, versions, have, know}
	}
	if _, err := p.Up(ctx); err != nil {
		return fmt.Errorf("audit: bring %s up to date: %w", s.path, err)
	}
	return nil
}

// newerError refuses a file of a newer program.
type newerError struct {
	path, versions string
	have, know     int64
}

// Error implements error.
func (e *newerError) Error() string {
	return fmt.Sprintf("audit: %s %s: install the newer program to open it", e.path, e.says())
}

func (e *newerError) says() string {
	return fmt.Sprintf("was written by a newer version of this program (its data is version %d of %s, this program "+
		"knows version %d)", e.have, e.versions, e.know)
}
