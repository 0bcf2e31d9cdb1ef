package core

import "github.com/deskhand/deskhand/bus"

// Listed is some words as one part of a sentence.
func Listed(words []bus.Text) (all bus.Text) {
	for i, w := range words {
		if all = bus.Textf("%s, %s", all, w); i == 0 {
			all = w
		}
	}
	return all
}

// Refused is the error of a call that the state of things does not allow.
func Refused(format string, args ...any) *bus.Error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, format, args...)
}

// Unavailable is the error of a capability that is not available now.
func Unavailable(format string, args ...any) *bus.Error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, format, args...)
}

// NotFound is the error of an id that no record has.
func NotFound(format string, args ...any) *bus.Error {
	return bus.Errorf(bus.NotFound, bus.ReasonRecord, format, args...)
}

// Invalid refuses an argument that the schema cannot: the same shape as a violation of the schema.
func Invalid(path, format string, args ...any) *bus.Error {
	e := bus.Errorf(bus.Validation, bus.ReasonArguments, format, args...)
	e.Violations, e.SchemaSide = []bus.Violation{{Path: path, Message: e.Message}}, "request"
	return e.WithHint("Correct %s and try again.", path)
}
