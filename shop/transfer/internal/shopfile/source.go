package shopfile

import (
	"errors"
	"io"
)

// maxElement is the largest element that is read, in bytes: what bounds the memory that a file can ask for.
const maxElement = 16 << 20

var errElement = errors.New("larger than an element may be")

// source is the file under the decoder. It refuses to go too far ahead of what
// the decoder has consumed, and knows in which line an offset is.
type source struct {
	r      io.Reader
	read   int64
	upTo   int64   // how far may be read
	breaks []int64 // offsets of line breaks not asked beyond yet
	line   int64   // at the first of them
}

// Read implements io.Reader.
func (s *source) Read(p []byte) (int, error) {
	if s.read >= s.upTo {
		return 0, errElement
	}
	n, err := s.r.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			s.breaks = append(s.breaks, s.read+int64(i))
		}
	}
	s.read += int64(n)
	return n, err
}

// lineAt is the line of an offset; offsets only grow.
func (s *source) lineAt(offset int64) int64 {
	n := 0
	for n < len(s.breaks) && s.breaks[n] < offset {
		n++
	}
	s.breaks = append(s.breaks[:0], s.breaks[n:]...)
	s.line += int64(n)
	return s.line
}
