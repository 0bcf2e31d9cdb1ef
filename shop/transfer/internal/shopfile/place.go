package shopfile

import "github.com/deskhand/deskhand/bus"

// Place is the position of an element in a file.
type Place struct {
	Path string // JSON Pointer
	Line int64  // line of its first character, counted from 1
}

// Refuse returns a problem with the value at a JSON Pointer within the element.
func (p Place) Refuse(pointer, format string, args ...any) *Problem {
	return &Problem{Path: p.Path + pointer, Line: p.Line, Message: bus.Textf(format, args...)}
}

// Problem is an error in a file and its position.
type Problem struct {
	Path    string // JSON Pointer; "" stands for the whole file
	Line    int64  // line on which the element begins; 0: unknown
	Message bus.Text
}

// Error implements error.
func (p *Problem) Error() string { return p.Text().String() }

// Text returns the problem with its position.
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
