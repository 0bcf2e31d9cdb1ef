package cli

import (
	"bufio"
	"bytes"
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
	in := bufio.NewReaderSize(r, 64<<10)
	go func() {
		for range l.ask {
			text, err := readLine(in)
			l.answer <- line{text, err}
		}
	}()
	return l
}

// next returns the next line without its end; with io.EOF the rest of the input.
func (l *lines) next(ctx context.Context) ([]byte, error) {
	if !l.open {
		l.ask <- struct{}{}
		l.open = true
	}
	select {
	case got := <-l.answer:
		l.open = false
		return bytes.TrimRight(got.text, "\r\n"), got.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func readLine(in *bufio.Reader) ([]byte, error) {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		text = append(text, part...)
		if len(text) > maxLine {
			return nil, fmt.Errorf("a line is longer than %d MB", maxLine>>20)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return text, err
		}
	}
}
