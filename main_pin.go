package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// tty is the terminal itself, whatever standard input and output are.
type tty interface {
	io.ReadWriteCloser
	// Hide stops showing what is typed, until show is called.
	Hide() (show func(), err error)
}

// pinLineLimit is more than any PIN has; what is longer is not read to its end.
const pinLineLimit = 64

// askPIN reads a PIN from the file descriptor of --pin-fd, or asks on the
// terminal. Never from an argument or a variable: other programs can read those.
func (t *terminal) askPIN(ctx context.Context, name string) (string, error) {
	if t.flags.PINFD >= 0 {
		return t.readPIN()
	}
	pin, err := t.typePIN(ctx, name)
	if errors.Is(err, errNoTerminal) {
		err = fmt.Errorf("%s signs in with a PIN, and %w\n"+
			"Give it through a file descriptor: deskhand --pin-fd 3 … 3<FILE", name, err)
	}
	return pin, err
}

// errNoTerminal says that nothing secret can be typed here.
var errNoTerminal = errors.New("there is no terminal to ask for it on")

// typePIN asks on the terminal. It is the only way for who stands beside the
// person at the desk: a descriptor holds one person's PIN.
func (t *terminal) typePIN(ctx context.Context, name string) (string, error) {
	open := t.tty
	if open == nil {
		open = openTTY
	}
	screen, err := open()
	if err != nil {
		return "", errNoTerminal
	}
	defer screen.Close()
	fmt.Fprintf(screen, "PIN of %s: ", name)
	show, err := screen.Hide()
	if err != nil {
		return "", fmt.Errorf("the terminal cannot hide a PIN: %w", err)
	}
	defer func() {
		show()
		fmt.Fprintln(screen)
	}()
	return firstLine(ctx, screen)
}

func (t *terminal) readPIN() (string, error) {
	if t.flags.PINFD == 0 {
		return firstLine(t.ctx, t.in)
	}
	file := os.NewFile(uintptr(t.flags.PINFD), "--pin-fd")
	if file == nil {
		return "", fmt.Errorf("--pin-fd: there is no file descriptor %d", t.flags.PINFD)
	}
	defer file.Close()
	return firstLine(t.ctx, file)
}

// firstLine reads one line and not a byte more: what follows on standard input is
// not the PIN's. It returns when ctx ends, though nothing was typed.
func firstLine(ctx context.Context, r io.Reader) (string, error) {
	type answer struct {
		line string
		err  error
	}
	read := make(chan answer, 1)
	go func() {
		var line []byte
		one := make([]byte, 1)
		for len(line) < pinLineLimit {
			n, err := r.Read(one)
			if n == 1 && one[0] == '\n' || errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				read <- answer{err: fmt.Errorf("the PIN cannot be read: %w", err)}
				return
			}
			line = append(line, one[:n]...)
		}
		read <- answer{line: strings.TrimSpace(string(line))}
	}()
	select {
	case a := <-read:
		if a.err == nil && a.line == "" {
			a.err = errors.New("no PIN was given")
		}
		return a.line, a.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}
