package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// maxLine is the longest line accepted, in bytes.
const maxLine = 64 << 20

// lines reads standard input for every command that takes lines or answers from it. It reads only while a line is
// awaited: the rest of the input stays for the next program. A read that still waits when its context
// ends goes on, and its line is the next one.
type lines struct {
	from io.Reader

	mu     sync.Mutex    // guards the rest
	buffer []byte        // read and not taken
	seen   int           // bytes of buffer that hold no end of a line
	err    error         // of the last read
	read   chan struct{} // closed when the read under way ends; nil: there is none
	stale  bool          // the read under way returns input that was dropped meanwhile
}

func newLines(r io.Reader) *lines { return &lines{from: r} }

// next returns the next line without its end; io.EOF at the end of the input.
func (l *lines) next(ctx context.Context) ([]byte, error) {
	for ctx.Err() == nil {
		l.mu.Lock()
		line, err := l.cut()
		if line == nil && err == nil && l.read == nil {
			l.read = make(chan struct{})
			go l.fill(l.read)
		}
		ended := l.read
		l.mu.Unlock()
		if line != nil || err != nil {
			return line, err
		}
		select {
		case <-ended:
		case <-ctx.Done():
		}
	}
	return nil, ctx.Err()
}

// fill reads once.
func (l *lines) fill(ended chan struct{}) {
	piece := make([]byte, 64<<10)
	n, err := l.from.Read(piece)
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.stale {
		l.buffer = append(l.buffer, piece[:n]...)
	}
	l.err, l.read, l.stale = err, nil, false
	close(ended)
}

// cut takes a line off the buffer; nil when more must be read for it. The caller holds mu.
func (l *lines) cut() ([]byte, error) {
	end := bytes.IndexByte(l.buffer[l.seen:], '\n')
	switch {
	case end >= 0:
		line := bytes.TrimSuffix(l.buffer[:l.seen+end], []byte{'\r'})
		l.buffer, l.seen = l.buffer[l.seen+end+1:], 0
		return line, nil
	case len(l.buffer) > maxLine:
		return nil, fmt.Errorf("a line is longer than %d MB", maxLine>>20)
	case l.err != nil && len(l.buffer) > 0:
		line := l.buffer
		l.buffer, l.seen = nil, 0
		return line, nil
	}
	l.seen = len(l.buffer)
	return nil, l.err
}

// drop discards earlier input of a terminal, the beginning of a line too. It reports whether the input is a
// terminal where this was possible.
func (l *lines) drop() bool {
	file, isFile := l.from.(*os.File)
	if !isFile {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := dropInput(file); err != nil {
		return false
	}
	l.buffer, l.seen = nil, 0
	l.stale = l.read != nil && keepsBegun
	return true
}

// dropInput discards the input of a terminal that was not read. It fails if file is no terminal.
func dropInput(file *os.File) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = discardInput(fd) })
	return errors.Join(err, failed)
}
