package files

import (
	"archive/zip"
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// folder is an open folder, or a ZIP file in the form of a folder.
type folder struct {
	fs.FS
	io.Closer
}

// OpenFolder is [shop.Ports].OpenFolder. It gives no access to files outside of the folder.
func (f *Tokens) OpenFolder(_ context.Context, file string) (shop.Folder, string, error) {
	path, err := f.chosen(file)
	if err != nil {
		return nil, "", err
	}
	name := filepath.Base(path)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		root, err := os.OpenRoot(path)
		if err != nil {
			return nil, "", notReadable(name, err)
		}
		return folder{root.FS(), root}, name, nil
	}
	if err := regular(path); err != nil {
		return nil, "", err
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return nil, "", notReadable(name, err)
	}
	return folder{z, z}, name, nil
}

// notReadable explains that a folder or a ZIP file cannot be read.
func notReadable(name string, err error) error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s cannot be read.", name).WithCause(err).
		WithHint("Choose a folder, or a ZIP file, that you may read.")
}
