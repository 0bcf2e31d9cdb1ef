package files

import (
	"context"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// Shower has the system open the file at a path, or show it in its folder.
type Shower func(path string, inFolder bool) error

// ShowWith is [shop.Ports].ShowFile, nil for nil: it shows what lies in the shop's own folder of exports, or what a
// person chose, and nothing else that the page may name.
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

// exported returns the path of a file in the folder of exports, or of one that a person chose.
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
