package shopfile

import (
	"cmp"
	"fmt"
)

// Place is where an element stands in a file.
type Place struct {
	Path string // JSON Pointer
	Line int64  // in which it begins, from 1
}

// Refuse is a problem with what stands at a JSON Pointer within the element.
func (p Place) Refuse(pointer, format string, args ...any) *Problem {
	return &Problem{Path: p.Path + pointer, Line: p.Line, Message: fmt.Sprintf(format, args...)}
}

// Problem is why a file cannot be taken, and where.
type Problem struct {
	Path    string // JSON Pointer; "" is the whole file
	Line    int64  // in which the element begins; 0: not known
	Message string // a sentence
}

// Error implements error.
func (p *Problem) Error() string {
	where := cmp.Or(p.Path, "the file")
	if p.Line == 0 {
		return where + ": " + p.Message
	}
	return fmt.Sprintf("Line %d, %s: %s", p.Line, where, p.Message)
}
