package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// ready opens the desk where that could not be done before: the window stands, says
// why, and asks again. Every bound method begins with it.
func (a *App) ready() error {
	a.opening.Lock()
	defer a.opening.Unlock()
	if a.desk != nil {
		return nil
	}
	d, err := a.open()
	if err != nil {
		return inTheWay(a.folder, err)
	}
	a.desk = d
	if a.opened != nil {
		a.opened(d)
	}
	return nil
}

// windowSeat is the only window there may be at a folder: with it the desk is opened, by
// one at a time.
type windowSeat struct {
	folder  string
	claimed *os.File // nil until it was taken
}

// take makes this the window of the folder.
func (s *windowSeat) take() (err error) {
	if s.claimed == nil {
		s.claimed, err = claimWindow(s.folder)
	}
	return err
}

// open opens the desk of a seat that is taken, or can be.
func (s *windowSeat) open(ctx context.Context, o deskOptions) (*desk, error) {
	if err := s.take(); err != nil {
		return nil, err
	}
	return openDesk(ctx, o)
}

// leave gives the seat back.
func (s *windowSeat) leave() {
	if s.claimed != nil {
		_ = s.claimed.Close()
	}
}

// close closes the desk, if it was opened.
func (a *App) close() {
	a.opening.Lock()
	defer a.opening.Unlock()
	if a.desk == nil {
		return
	}
	if err := a.desk.close(); err != nil {
		slog.Error("close", "cause", err)
	}
}

// errOpenAlready says that another window stands at the same shop.
var errOpenAlready = errors.New("another window of Deskhand is open on this shop: use that one")

// inTheWay is what keeps a shop from being opened, in words, with what mends it.
func inTheWay(folder string, err error) *bus.Error {
	say := func(hint, message string) *bus.Error {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "%s", message).WithHint("%s", hint).WithCause(err)
	}
	switch {
	case errors.Is(err, errOpenAlready):
		return say("Use the window that is open. If there is none to be seen, end the program and start it again.", "Deskhand is open on this shop already.")
	case audit.IsFull(err):
		return say("Make room on the disk, then try again.", "The disk is full: the shop in "+folder+" cannot be opened. Nothing was changed.")
	case audit.IsLocked(err):
		return say("Wait until it is done, or end it, then try again.", "Another program keeps the shop in "+folder+" locked.")
	case audit.IsDamaged(err):
		return say("Put a copy of the shop in its place: there are some in the folder backups. \"deskhand doctor\" says more.",
			"The file of the shop in "+folder+" is damaged, or is no shop's. It was left as it is.")
	case errors.Is(err, fs.ErrPermission), audit.IsReadOnly(err), !writable(folder):
		return say("Give yourself the right to write there, or start with another folder: deskhand --data FOLDER.", "The data folder "+folder+" cannot be written.")
	}
	return say("Try again; \"deskhand doctor\" in a terminal says more.", fmt.Sprintf("The shop in %s cannot be opened: %v.", folder, err))
}

// writable tells whether a file can be made in a folder.
func writable(folder string) bool {
	f, err := os.CreateTemp(folder, ".probe-")
	if err != nil {
		return false
	}
	return errors.Join(f.Close(), os.Remove(f.Name())) == nil
}
