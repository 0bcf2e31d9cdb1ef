package core

import (
	"github.com/deskhand/deskhand/bus"
)

// invalid refuses an argument that the schema cannot: the same shape as a
// violation of the schema.
func Invalid(path, format string, args ...any) *bus.Error {
	e := bus.Errorf(bus.Validation, bus.ReasonArguments, format, args...)
	e.Violations, e.SchemaSide = []bus.Violation{{Path: path, Message: e.Message}}, "request"
	return e.WithHint("Correct %s and try again.", path)
}

// Longest texts, in characters.
const (
	NameLimit    = 120
	LabelLimit   = 60
	MessageLimit = 2000
)
