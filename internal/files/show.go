package files

import (
	"context"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// Shower makes the system open the file at a path, or show it in its folder.
type Shower func(path string, inFolder bool) error

// ShowWith returns [shop.Ports].ShowFile, or nil for nil. It only shows files in the shop's own folder of exports, and
// files that the user chose, because the page may name any file.
func (f *Tokens) ShowWith(show Shower) shop.ShowFile {
	if show == nil {
		return nil
	}
	return func(_ context.Context, file string, inFolder bool) (string, error) {
		path, err := f.exported(file)
		if err != nil {
			return "", err
		}
		name := filepath.Base(path)
		if err := show(path, inFolder); err != nil {
			return "", bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "No program here opens %s.", name).
				WithCause(err).WithHint("It is in %s.", filepath.Dir(path))
		}
		return name, nil
	}
}

// exported returns the path of a file in the folder of exports, or of one that the user chose.
func (f *Tokens) exported(file string) (string, error) {
	path := filepath.Clean(file)
	if filepath.Dir(path) != filepath.Clean(f.exports) {
		var err error
		if path, err = f.chosen(file); err != nil {
			return "", err
		}
	}
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no file %s any more.", filepath.Base(path)).
			WithCause(err).WithHint("document.export writes it again.")
	}
	return path, nil
}
