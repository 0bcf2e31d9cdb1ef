package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
)

// maxLine is the longest line accepted, in bytes.
const maxLine = 64 << 20

// lines reads lines until a context ends: a read that still waits for input then is abandoned.
type lines struct {
	ask    chan struct{}
	answer chan line
	open   bool // a read was asked for and its line not taken
}

type line struct {
	text []byte
	err  error
}

func newLines(r io.Reader) *lines {
	l := &lines{ask: make(chan struct{}, 1), answer: make(chan line, 1)}
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxLine)
	go func() {
		for range l.ask {
			switch {
			case in.Scan():
				l.answer <- line{text: bytes.Clone(in.Bytes())}
			case errors.Is(in.Err(), bufio.ErrTooLong):
				l.answer <- line{err: fmt.Errorf("a line is longer than %d MB", maxLine>>20)}
			default:
				l.answer <- line{err: cmp.Or(in.Err(), io.EOF)}
			}
		}
	}()
	return l
}

// next returns the next line without its end; io.EOF at the end of the input.
func (l *lines) next(ctx context.Context) ([]byte, error) {
	if !l.open {
		l.ask <- struct{}{}
		l.open = true
	}
	select {
	case got := <-l.answer:
		l.open = false
		return got.text, got.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
