package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// tty is the terminal itself, independent of standard input and output.
type tty interface {
	io.WriteCloser
	// State returns a function that restores the current state of the terminal.
	State() (restore func(), err error)
	// Drop discards earlier input.
	Drop() error
	// ReadPassword reads a line without showing it.
	ReadPassword() ([]byte, error)
}

// pinLineLimit is longer than any PIN. The rest of a longer line is not read.
const pinLineLimit = 64

// askPIN reads a PIN from the file descriptor of --pin-fd, or asks on the terminal. It never takes a PIN from an
// argument or an environment variable, because other programs can read those.
func (t *terminal) askPIN(ctx context.Context, name string) (string, error) {
	if t.flags.PINFD >= 0 {
		return t.pin()
	}
	pin, err := t.typePIN(ctx, name)
	if errors.Is(err, errNoTerminal) {
		err = fmt.Errorf("%s signs in with a PIN, and %w\n"+
			"Give it through a file descriptor: deskhand --pin-fd 3 … 3<FILE", name, err)
	}
	return pin, err
}

// longestPIN is the number of digits that session.signIn takes at most. A longer text came from a scanner.
const longestPIN = 12

var errScanned = errors.New("the text is longer than a PIN, as a scanned code is, so it was not tried: type the PIN")

// errNoTerminal is the error if no PIN can be typed.
var errNoTerminal = errors.New("there is no terminal to ask for it on")

// typePIN asks on the terminal. For a second approver this is the only way, because the descriptor of --pin-fd holds
// one person's PIN.
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
	restore, err := screen.State()
	if err == nil {
		err = screen.Drop()
	}
	if err != nil {
		return "", fmt.Errorf("the terminal cannot hide a PIN: %w", err)
	}
	defer func() {
		restore() // an interrupted ReadPassword leaves it changed
		fmt.Fprintln(screen)
	}()
	fmt.Fprintf(screen, "PIN of %s: ", escaped(name, unsafe))
	pin, err := waitForPIN(ctx, screen.ReadPassword)
	if err == nil && len(pin) > longestPIN {
		return "", errScanned
	}
	return pin, err
}

// readPIN reads the PIN from the descriptor of --pin-fd, before the program opens files, which would get free numbers.
// A failed reading is an error only if a PIN is needed. Standard input is read only then.
func (t *terminal) readPIN() error {
	n := t.flags.PINFD
	if n == -1 || n == 0 {
		t.pin = func() (string, error) { return firstLine(t.ctx, t.In) }
		return nil
	}
	if n < 3 || !inherited(n) {
		return fmt.Errorf("--pin-fd %d: no PIN comes from there. Give it as in: deskhand --pin-fd 3 … 3<FILE", n)
	}
	file := os.NewFile(uintptr(n), "--pin-fd")
	pin, err := firstLine(t.ctx, file)
	t.pin = func() (string, error) { return pin, err }
	return file.Close()
}

// firstLine reads one line and no further byte, because the rest of standard input does not belong to the PIN.
func firstLine(ctx context.Context, r io.Reader) (string, error) {
	return waitForPIN(ctx, func() (line []byte, err error) {
		one := make([]byte, 1)
		for len(line) < pinLineLimit {
			n, err := r.Read(one)
			if n == 1 && one[0] == '\n' || err != nil {
				return line, err
			}
			line = append(line, one[:n]...)
		}
		return line, nil
	})
}

// waitForPIN returns the result of read, or an error as soon as ctx ends.
func waitForPIN(ctx context.Context, read func() ([]byte, error)) (string, error) {
	var line []byte
	var err error
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		line, err = read()
	}()
	select {
	case <-ended:
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("the PIN cannot be read: %w", err)
	}
	if line = bytes.TrimSpace(line); len(line) == 0 {
		return "", errors.New("no PIN was given")
	}
	return string(line), nil
}
