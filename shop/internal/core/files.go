package core

import (
	"context"
	"io"
	"io/fs"

	"github.com/deskhand/deskhand/bus"
)

// ErrNoFiles returns the error for a program that cannot open files.
func ErrNoFiles() error { return Unavailable("Files cannot be opened here.") }

// FileStamp returns the invocation's time for a file name. Such names sort by time.
func FileStamp(call *bus.Call) string { return call.Now.UTC().Format(FileStampLayout) }

// FileStampLayout is the layout of the time in file names.
const FileStampLayout = "20060102-150405"

// BatchSize is the number of rows in a page of an export, and between two reports of progress.
const BatchSize = 500

// NewFile is a file being written. The caller ends it with Keep or Drop.
type NewFile interface {
	io.Writer
	// Keep syncs and closes the file and returns its location for display.
	Keep() (where string, err error)
	// Drop closes and deletes the file.
	Drop() error
}

// OpenFile opens a file for reading and returns its name for display. file is a token of the window's picker, or a path
// from the command line. The caller closes the content.
type OpenFile = func(ctx context.Context, file string) (content io.ReadCloser, name string, err error)

// OpenFolder opens a folder or a ZIP file and returns its name for display. file is a token or a path as for OpenFile.
// The caller closes the content.
type OpenFolder = func(ctx context.Context, file string) (content Folder, name string, err error)

// Folder is a folder that a person chose.
type Folder interface {
	fs.FS
	io.Closer
}

// CreateFile creates a file for an export. file is the user's input: a new file, a folder, or "" for the shop's own
// folder. name is the file's name within a folder. CreateFile never replaces an existing file.
type CreateFile = func(ctx context.Context, file, name string) (NewFile, error)

// ShowFile makes the system open a file that this program wrote, or show it in its folder. It returns the file's name
// for display.
type ShowFile = func(ctx context.Context, file string, inFolder bool) (name string, err error)

// FontFor returns a TrueType font of this computer that contains a character, or nil if there is none.
type FontFor = func(r rune) []byte
