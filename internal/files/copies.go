package files

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/atomicfile"
	"github.com/deskhand/deskhand/shop"
	"github.com/deskhand/deskhand/shop/transfer"
)

// Copies implements [shop.Copies]. Copies of the shop are in a folder of the shop, or at a path chosen by the user.
type Copies struct {
	Log    *audit.Log
	Tokens *Tokens
	Folder string
}

var _ shop.Copies = Copies{}

// Backup implements [shop.Copies].
func (c Copies) Backup(ctx context.Context, file, name string) (audit.Copy, string, error) {
	path, err := c.Tokens.place(c.Folder, file, name)
	if err != nil {
		return audit.Copy{}, "", err
	}
	copied, err := c.Log.Backup(ctx, path)
	if err != nil {
		if ctx.Err() == nil && !audit.IsDamaged(err) {
			err = NotWritable(filepath.Dir(path), err)
		}
		return audit.Copy{}, "", errors.Join(err, os.Remove(path))
	}
	return copied, path, nil
}

// Remedy returns advice for a damaged shop. It names the newest intact copy in folder. o holds the options for opening
// the shop.
func Remedy(ctx context.Context, folder string, o audit.Options) string {
	copies, _ := filepath.Glob(filepath.Join(folder, transfer.CopyPrefix+"*.db"))
	for _, path := range slices.Backward(copies) { // a name begins with its time
		if v, err := audit.Inspect(ctx, path, o); err == nil && v.OK {
			return fmt.Sprintf("Keep the file as it is. The newest whole copy is %s: make a shop in another folder "+
				"(deskhand --data DIR init --empty) and put the copy there "+
				"(deskhand --data DIR invoke shop.restore '{\"file\":%q}').", path, path)
		}
	}
	return fmt.Sprintf("Keep the file as it is. There is no whole copy in %s: look for one on another disk.", folder)
}

// place reserves a name with an empty file that a copy or an export will replace. The file is in the folder, or at the
// file argument.
func (f *Tokens) place(folder, file, name string) (string, error) {
	if file != "" {
		path, err := f.chosen(file)
		if err != nil {
			return "", err
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			return path, claim(path)
		}
		folder = path
	}
	w, path, err := createIn(folder, name)
	if err != nil {
		return "", err
	}
	return path, w.Close()
}

// claim creates a file that must not exist.
func claim(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "There is a file %s already; it was left alone.",
			filepath.Base(path)).
			WithHint("Name another file, or a folder.")
	case err != nil:
		return NotWritable(filepath.Dir(path), err)
	}
	return f.Close()
}

// Restore implements [shop.Copies].
func (c Copies) Restore(
	ctx context.Context, file, aside string, progress func(done, total int64),
) (audit.Restored, string, error) {
	path, err := c.find(file)
	if err != nil {
		return audit.Restored{}, "", err
	}
	if err := regular(path); err != nil {
		return audit.Restored{}, "", err
	}
	if err := atomicfile.MkdirAll(c.Folder); err != nil {
		return audit.Restored{}, "", NotWritable(c.Folder, err)
	}
	r, err := c.Log.Restore(ctx, path, filepath.Join(c.Folder, aside), progress)
	return r, filepath.Base(path), err
}

// List implements [shop.Copies].
func (c Copies) List(ctx context.Context) (folder string, all []transfer.ListedCopy, err error) {
	entries, err := os.ReadDir(c.Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return c.Folder, nil, err
	}
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".db") {
			continue
		}
		if copied, err := audit.CopyAt(ctx, filepath.Join(c.Folder, e.Name())); err == nil {
			all = append(all, transfer.ListedCopy{Name: e.Name(), Copy: copied})
		}
	}
	slices.SortStableFunc(all, func(a, b transfer.ListedCopy) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), cmp.Compare(b.Name, a.Name))
	})
	return c.Folder, all, nil
}

// Remove implements [shop.Copies].
func (c Copies) Remove(_ context.Context, name string) error {
	return os.Remove(filepath.Join(c.Folder, filepath.Base(name)))
}

// find returns the path of a copy: one of the shop's own by its name, or a file that the user chose.
func (c Copies) find(file string) (string, error) {
	entries, err := os.ReadDir(c.Folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	var own []string // oldest first: a name begins with its time
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".db") {
			if e.Name() == file {
				return filepath.Join(c.Folder, file), nil
			}
			if strings.HasPrefix(e.Name(), transfer.CopyPrefix) {
				own = append(own, e.Name())
			}
		}
	}
	if file == "" && len(own) > 0 {
		return filepath.Join(c.Folder, own[len(own)-1]), nil
	}
	if file == "" {
		return "", bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no copy of the shop in %s.", c.Folder).
			WithHint("shop.backup writes one; or choose a file.")
	}
	path, err := c.Tokens.chosen(file)
	if err != nil {
		return "", err
	}
	if _, err := os.Stat(path); err != nil {
		return "", bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no file %s.", filepath.Base(path)).WithCause(err).
			WithHint("The shop's own copies are: %s.", strings.Join(own, ", "))
	}
	return path, nil
}
