package audit

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/atomicfile"
)

// Backup writes a consistent copy of the whole file to path while other work continues; only its owner can read it. It
// replaces a file at path when the backup is complete and on the disk. It needs free space of the size of the contents.
func (l *Log) Backup(ctx context.Context, path string) (_ Copy, err error) {
	defer func() { err = l.explain(err) }()
	if err := l.writer.flush(ctx); err != nil {
		return Copy{}, fmt.Errorf("audit: back up: %w", err)
	}
	if err := l.writeCopy(ctx, path); err != nil {
		return Copy{}, fmt.Errorf("audit: back up to %s: %w", path, err)
	}
	l.signer.signal()
	return CopyAt(ctx, path)
}

// Copy describes a copy of the file. If Head is noted elsewhere, a later check can recognise the copy and detect a
// change of it.
type Copy struct {
	Records int64  // number of the last record of the log
	Head    string // its hash, hex
	Time    int64  // start of the copy, ms since 1970
	Bytes   int64  // size of the file
}

// CopyAt describes a file that Backup wrote, without changing it.
func CopyAt(ctx context.Context, path string) (c Copy, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return c, err
	}
	c.Bytes = info.Size()
	db, err := sql.Open("sqlite", fileURL(path, url.Values{"immutable": {"1"}, "mode": {"ro"}}))
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var hash []byte
	err = db.QueryRowContext(ctx, "SELECT h.seq, h.hash, r.time FROM audit_heads h JOIN audit_records r ON r.seq = "+
		"h.seq WHERE h.stream = 'main'").
		Scan(&c.Records, &hash, &c.Time)
	c.Head = hex.EncodeToString(hash)
	return c, err
}

// writeCopy writes a consistent copy of the file to a temporary file, syncs it, and moves it to path.
func (l *Log) writeCopy(ctx context.Context, path string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, removeIfThere(f.Name())) }()
	_, err = l.readers.db.ExecContext(ctx, "VACUUM INTO ?", f.Name())
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return atomicfile.Replace(f.Name(), path)
}

func removeIfThere(path string) error {
	if err := os.Remove(path); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}

// Inspect checks whether the file at path can be restored. It opens a copy of it, checks the database, migrates it and
// verifies its log. The copy is in a temporary directory next to the file, which Inspect removes. An error gives the
// reason why the file cannot be opened; a Verdict that is not OK describes the fault of its log. It uses only the
// options Migrations, Clock and Heads; Heads reveal a file that is older than the log once was.
func Inspect(ctx context.Context, path string, o Options) (v Verdict, err error) {
	dir, err := os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return v, fmt.Errorf("audit: inspect %s: %w", path, err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	to := filepath.Join(dir, "copy.db")
	if err := copyAside(path, to); err != nil {
		return v, fmt.Errorf("audit: inspect %s: %w", path, err)
	}
	if info, err := os.Stat(to); err != nil || info.Size() == 0 {
		return v, errors.Join(fmt.Errorf("audit: inspect %s: the file is empty", path), err)
	}
	if o.Heads != nil {
		o.Heads = readOnly{o.Heads}
	}
	l, err := Open(ctx, to, o)
	if err != nil {
		return v, err
	}
	defer func() { err = errors.Join(err, l.Close()) }()
	if err := l.integrity(ctx); err != nil {
		return v, err
	}
	return l.Verify(ctx, nil)
}

// copyAside copies the bytes of a file to a new file, which only its owner can read.
func copyAside(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}

// integrity runs SQLite's checks.
func (l *Log) integrity(ctx context.Context) error {
	found, err := l.store.check(ctx, fullCheck)
	if err != nil {
		return fmt.Errorf("audit: check the database: %w", err)
	}
	var loose int
	if err := l.readers.db.QueryRowContext(ctx, "SELECT count(*) FROM pragma_foreign_key_check").Scan(&loose); err != nil {
		return fmt.Errorf("audit: check the database: %w", err)
	}
	switch {
	case found != "ok":
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The database is damaged: %s.", found).
			WithHint("Take another backup.")
	case loose > 0:
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState,
			"The database is damaged: %d rows refer to rows that are not there.", loose).
			WithHint("Take another backup.")
	}
	return nil
}

// readOnly wraps Heads so that a copy can compare with them but not save any.
type readOnly struct{ Heads }

// Save implements [Heads].
func (readOnly) Save(Head) error { return nil }
