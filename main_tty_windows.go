package main

import (
	"os"

	"golang.org/x/sys/windows"
)

// console is the two halves of a console.
type console struct{ in, out *os.File }

// openTTY opens the process's own console.
func openTTY() (tty, error) {
	in, err := os.OpenFile("CONIN$", os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile("CONOUT$", os.O_RDWR, 0)
	if err != nil {
		_ = in.Close()
		return nil, err
	}
	return console{in, out}, nil
}

func (c console) Read(p []byte) (int, error)  { return c.in.Read(p) }
func (c console) Write(p []byte) (int, error) { return c.out.Write(p) }

func (c console) Close() error {
	_ = c.out.Close()
	return c.in.Close()
}

// Hide implements tty.
func (c console) Hide() (show func(), err error) {
	handle := windows.Handle(c.in.Fd())
	var was uint32
	if err := windows.GetConsoleMode(handle, &was); err != nil {
		return nil, err
	}
	if err := windows.SetConsoleMode(handle, was&^windows.ENABLE_ECHO_INPUT); err != nil {
		return nil, err
	}
	return func() { _ = windows.SetConsoleMode(handle, was) }, nil // there is nobody to tell
}
