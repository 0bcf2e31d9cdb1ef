package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/internal/filelock"
)

// Fork writes the domain's rows as one moment has them to a new file at path, readable by its owner only, which [Open]
// then takes: with a log that begins there. The tables of a bridge, and those named by empty, have no rows there. Pages
// are copied as they are, without their rows being read.
func (l *Log) Fork(ctx context.Context, path string, empty ...string) (err error) {
	defer func() { err = l.explain(err) }()
	if err := l.writer.flush(ctx); err != nil {
		return fmt.Errorf("audit: fork: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("audit: fork: %w", err)
	}
	s := &store{path: path, fair: filelock.NewFair(path)}
	// Nobody else reads it before it is complete, and it is removed when it does not become so.
	without := url.Values{"_pragma": {"journal_mode(OFF)", "synchronous(OFF)", "foreign_keys(OFF)",
		"cache_size(-65536)", "mmap_size(1073741824)"}}
	s.db, err = sql.Open("sqlite", (&url.URL{Scheme: "file", Path: slashed(path), RawQuery: without.Encode()}).String())
	if err == nil {
		s.db.SetMaxOpenConns(1)
		err = errors.Join(s.fork(ctx, l.store, empty), s.db.Close(), f.Sync())
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("audit: fork: %w", errors.Join(err, removeIfThere(path)))
	}
	return nil
}

// fork copies the tables of another file into this one, which is new.
func (s *store) fork(ctx context.Context, from *store, empty []string) (err error) {
	own, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return err
	}
	if err := s.migrateModule(ctx, own, "audit_schema"); err != nil {
		return err
	}
	conn, err := s.db.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	live := (&url.URL{Scheme: "file", Path: slashed(from.path), RawQuery: "mode=ro"}).String()
	if _, err := conn.ExecContext(ctx, "ATTACH ? AS live", live); err != nil {
		return err
	}
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // it is over, or the file is removed
	parts, err := schemaBesideLog(ctx, tx)
	if err != nil {
		return err
	}
	// As VACUUM does it: tables and indexes first and empty, so that whole pages are taken; then what has no pages.
	for _, kind := range []string{"table", "index"} {
		for _, p := range parts {
			if p.pages && p.kind == kind {
				if _, err := tx.ExecContext(ctx, p.ddl); err != nil {
					return fmt.Errorf("make %s: %w", p.name, err)
				}
			}
		}
	}
	for _, p := range parts {
		if p.kind == "table" && p.pages && !p.bridge() && !slices.Contains(empty, p.name) {
			name := quoteName(p.name)
			_, err := tx.ExecContext(ctx, "INSERT INTO main."+name+" SELECT * FROM live."+name)
			if err != nil {
				return fmt.Errorf("copy %s: %w", p.name, err)
			}
		}
	}
	if _, err := tx.ExecContext(ctx, "PRAGMA writable_schema = ON"); err != nil {
		return err
	}
	for _, p := range parts {
		if !p.pages {
			if _, err := tx.ExecContext(ctx, "INSERT INTO main.sqlite_schema VALUES (?, ?, ?, 0, ?)", p.kind, p.name, p.of,
				p.ddl); err != nil {
				return fmt.Errorf("make %s: %w", p.name, err)
			}
		}
	}
	return tx.Commit()
}

// schemaPart is an object of a schema.
type schemaPart struct {
	kind, name, of, ddl string
	pages               bool // it has pages of its own: it is no view, trigger or virtual table
}

// bridge reports whether it is what a bridge keeps for itself.
func (p *schemaPart) bridge() bool { return strings.HasPrefix(strings.ToLower(p.of), "agent_") }

// schemaBesideLog lists what the attached file has besides the log's own tables.
func schemaBesideLog(ctx context.Context, tx *sql.Tx) (parts []schemaPart, err error) {
	rows, err := tx.QueryContext(ctx, `SELECT type, name, tbl_name, coalesce(sql, ''), rootpage > 0
		FROM live.sqlite_schema ORDER BY rowid`)
	err = each(rows, err, func() error {
		var p schemaPart
		err := rows.Scan(&p.kind, &p.name, &p.of, &p.ddl, &p.pages)
		of := strings.ToLower(p.of)
		if p.ddl != "" && !strings.HasPrefix(of, "audit_") && !strings.HasPrefix(of, "sqlite_") {
			parts = append(parts, p)
		}
		return err
	})
	return parts, err
}
