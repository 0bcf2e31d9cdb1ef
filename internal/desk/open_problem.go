package desk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// ErrWindowOpen is returned when another window has the same shop open.
var ErrWindowOpen = errors.New("another window of Deskhand is open on this shop: use that one")

// openProblem explains why a shop cannot be opened, and suggests a remedy.
func openProblem(folder string, err error) *bus.Error {
	say := func(hint, message string) *bus.Error {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "%s", message).
			WithHint("%s", hint).WithCause(err)
	}
	switch {
	case errors.Is(err, ErrWindowOpen):
		return say("Use the window that is open. If there is none to be seen, end the program and start it again.",
			"Deskhand is open on this shop already.")
	case audit.IsFull(err):
		return say("Make room on the disk, then try again.",
			"The disk is full: the shop in "+folder+" cannot be opened. Nothing was changed.")
	case audit.IsLocked(err):
		return say("Wait until it is done, or end it, then try again.",
			"Another program keeps the shop in "+folder+" locked.")
	case audit.IsDamaged(err):
		return say("Put a copy of the shop in its place: there are some in the folder backups. "+
			"\"deskhand doctor\" says more.",
			"The file of the shop in "+folder+" is damaged, or is no shop's. It was left as it is.")
	case errors.Is(err, fs.ErrPermission), audit.IsReadOnly(err), !Writable(folder):
		return say("Give yourself the right to write there, or start with another folder: deskhand --data FOLDER.",
			"The data folder "+folder+" cannot be written.")
	}
	return say("Try again; \"deskhand doctor\" in a terminal says more.",
		fmt.Sprintf("The shop in %s cannot be opened: %v.", folder, err))
}

// Writable reports whether a file can be created in a folder.
func Writable(folder string) bool {
	f, err := os.CreateTemp(folder, ".probe-")
	if err != nil {
		return false
	}
	return errors.Join(f.Close(), os.Remove(f.Name())) == nil
}
