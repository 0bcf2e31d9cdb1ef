package cli

import (
	"os"
	"runtime"

	"golang.org/x/term"
)

// console is the process's own terminal, independent of standard input and output.
type console struct{ in, out *os.File }

func openTTY() (tty, error) {
	input, output := "/dev/tty", "/dev/tty"
	if runtime.GOOS == "windows" {
		input, output = "CONIN$", "CONOUT$"
	}
	in, err := os.OpenFile(input, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	out, err := os.OpenFile(output, os.O_RDWR, 0)
	if err != nil {
		_ = in.Close()
		return nil, err
	}
	return console{in, out}, nil
}

func (c console) Write(p []byte) (int, error) { return c.out.Write(p) }

func (c console) Close() error {
	_ = c.out.Close()
	return c.in.Close()
}

// State implements tty.
func (c console) State() (restore func(), err error) {
	was, err := term.GetState(int(c.in.Fd()))
	if err != nil {
		return nil, err
	}
	return func() { _ = term.Restore(int(c.in.Fd()), was) }, nil
}

// Drop implements tty.
func (c console) Drop() error { return dropInput(c.in) }

// ReadPassword implements tty.
func (c console) ReadPassword() ([]byte, error) { return term.ReadPassword(int(c.in.Fd())) }
