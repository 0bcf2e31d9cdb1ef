package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/audit"
)

// replica opens a temporary copy of the shop in which everything that has to be
// confirmed is: what is run there was allowed before.
func (d *desk) replica(ctx context.Context) (_ *audit.Replica, err error) {
	folder, err := os.MkdirTemp("", "deskhand-replay-")
	if err != nil {
		return nil, notWritable(os.TempDir(), err)
	}
	remove := func() error { return os.RemoveAll(folder) }
	if _, err := d.log.Backup(ctx, filepath.Join(folder, databaseName)); err != nil {
		return nil, errors.Join(err, remove())
	}
	copied, err := openDesk(ctx, deskOptions{Folder: folder, Door: "replay", Allow: true})
	if err != nil {
		return nil, errors.Join(err, remove())
	}
	return &audit.Replica{Log: copied.log, Invoke: copied.bus.Invoke,
		Close: func() error { return errors.Join(copied.close(), remove()) }}, nil
}
