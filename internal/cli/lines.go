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

// maxLine is the maximum length of a line in bytes.
const maxLine = 64 << 20

// lines reads standard input for every command that reads lines or answers. It reads only while a caller waits for a
// line, so that the rest of the input stays for the next program. A read whose context ends continues, and its line is
// the next one.
type lines struct {
	from io.Reader

	mu     sync.Mutex    // guards the other fields
	buffer []byte        // read but not returned
	seen   int           // bytes of buffer without the end of a line
	err    error         // of the last read
	read   chan struct{} // closed when the running read ends; nil if there is none
	stale  bool          // the running read returns input that was dropped in the meantime
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

// cut removes a line from the buffer, or returns nil if more input is necessary. The caller holds mu.
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

// drop discards earlier input of a terminal, also the beginning of a line. It reports whether the input is a terminal
// and this was possible.
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

// dropInput discards the unread input of a terminal. It fails if file is no terminal.
func dropInput(file *os.File) error {
	raw, err := file.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { failed = discardInput(fd) })
	return errors.Join(err, failed)
}
