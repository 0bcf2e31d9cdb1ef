package core

import (
	"context"
	"io"
	"io/fs"

	"github.com/deskhand/deskhand/bus"
)

func ErrNoFiles() error { return Unavailable("Files cannot be opened here.") }

// FileStamp is the invocation's time as a part of a file's name: names sort by it.
func FileStamp(call *bus.Call) string { return call.Now.UTC().Format(FileStampLayout) }

// FileStampLayout is how the name of a file tells its time.
const FileStampLayout = "20060102-150405"

const BatchSize = 500

// NewFile is a file that is being written. Either Keep or Drop ends it.
type NewFile interface {
	io.Writer
	// Keep closes the file once it is safe on the disk, and says where it is, for people to read.
	Keep() (where string, err error)
	// Drop closes and deletes it.
	Drop() error
}

// OpenFile opens what a file argument names — a token from the window's picker, or a path a person typed on the
// command line — and returns its name for people. The caller closes it.
type OpenFile = func(ctx context.Context, file string) (content io.ReadCloser, name string, err error)

// OpenFolder opens what a file argument names, a folder or a ZIP file, and returns its name for people. The caller
// closes it.
type OpenFolder = func(ctx context.Context, file string) (content Folder, name string, err error)

// Folder is a folder that a person chose.
type Folder interface {
	fs.FS
	io.Closer
}

// CreateFile creates a file to export into. file is what a person typed: a new file, a folder, or "" for the shop's
// own folder; name is the file's name in a folder. An existing file is never replaced.
type CreateFile = func(ctx context.Context, file, name string) (NewFile, error)

// ShowFile has the system open a file that this program wrote, or show it in its folder, and returns its name for
// people.
type ShowFile = func(ctx context.Context, file string, inFolder bool) (name string, err error)

// FontFor finds a TrueType font of this computer that has a character; nil: there is none.
type FontFor = func(r rune) []byte
