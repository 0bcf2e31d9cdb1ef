package shopfile

import (
	"errors"
	"io"
)

// maxElement is the size limit of an element in bytes. It bounds the memory that a file can use.
const maxElement = 16 << 20

var errElement = errors.New("larger than an element may be")

// source is the reader beneath the decoder. It bounds the bytes that the decoder reads ahead, and maps offsets to
// lines.
type source struct {
	r      io.Reader
	read   int64
	upTo   int64   // offset up to which reading is allowed
	breaks []int64 // line number at the first of the breaks
	line   int64   // line before the first of the breaks
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

// lineAt returns the line of an offset. Offsets must not decrease between calls.
func (s *source) lineAt(offset int64) int64 {
	n := 0
	for n < len(s.breaks) && s.breaks[n] < offset {
		n++
	}
	s.breaks = append(s.breaks[:0], s.breaks[n:]...)
	s.line += int64(n)
	return s.line
}
