package desk

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/files"
)

// replica opens a temporary copy of the shop that allows every card: what runs there was allowed before.
func (d *Desk) replica(ctx context.Context) (_ *audit.Replica, err error) {
	folder, err := os.MkdirTemp("", "deskhand-replay-")
	if err != nil {
		return nil, files.NotWritable(os.TempDir(), err)
	}
	remove := func() error { return os.RemoveAll(folder) }
	if _, err := d.Log.Backup(ctx, filepath.Join(folder, DatabaseName)); err != nil {
		return nil, errors.Join(err, remove())
	}
	copied, err := Open(ctx, Options{Folder: folder, Door: "replay", Allow: true})
	if err != nil {
		return nil, errors.Join(err, remove())
	}
	return &audit.Replica{Log: copied.Log, Invoke: copied.Bus.Invoke,
		Close: func() error { return errors.Join(copied.Close(), remove()) }}, nil
}
