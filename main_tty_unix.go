//go:build !windows

package main

import (
	"os"

	"golang.org/x/sys/unix"
)

type unixTTY struct{ *os.File }

// openTTY opens the process's own terminal.
func openTTY() (tty, error) {
	file, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	return unixTTY{file}, nil
}

// Hide implements tty.
func (t unixTTY) Hide() (show func(), err error) {
	fd := int(t.Fd())
	was, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return nil, err
	}
	hidden := *was
	hidden.Lflag &^= unix.ECHO
	if err := unix.IoctlSetTermios(fd, setTermios, &hidden); err != nil {
		return nil, err
	}
	return func() { _ = unix.IoctlSetTermios(fd, setTermios, was) }, nil // there is nobody to tell
}
