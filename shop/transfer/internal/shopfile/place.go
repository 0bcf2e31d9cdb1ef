package shopfile

import "github.com/deskhand/deskhand/bus"

// Place is where an element stands in a file.
type Place struct {
	Path string // JSON Pointer
	Line int64  // in which it begins, from 1
}

// Refuse is a problem with what stands at a JSON Pointer within the element.
func (p Place) Refuse(pointer, format string, args ...any) *Problem {
	return &Problem{Path: p.Path + pointer, Line: p.Line, Message: bus.Textf(format, args...)}
}

// Problem is why a file cannot be taken, and where.
type Problem struct {
	Path    string // JSON Pointer; "" is the whole file
	Line    int64  // in which the element begins; 0: not known
	Message bus.Text
}

// Error implements error.
func (p *Problem) Error() string { return p.Text().String() }

// Text is the problem with its place.
func (p *Problem) Text() bus.Text {
	where := bus.Textf("%s", p.Path)
	if p.Path == "" {
		where = bus.Textf("the file")
	}
	if p.Line == 0 {
		return bus.Textf("%s: %s", where, p.Message)
	}
	return bus.Textf("Line %d, %s: %s", p.Line, where, p.Message)
}
