package core

import "github.com/deskhand/deskhand/bus"

// Listed joins words into a list within a sentence.
func Listed(words []bus.Text) (all bus.Text) {
	for i, w := range words {
		if all = bus.Textf("%s, %s", all, w); i == 0 {
			all = w
		}
	}
	return all
}

// Refused returns the error of a call that the current state does not allow.
func Refused(format string, args ...any) *bus.Error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, format, args...)
}

// Unavailable returns the error of a capability that is unavailable at the moment.
func Unavailable(format string, args ...any) *bus.Error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, format, args...)
}

// NotFound returns the error for an id without a record.
func NotFound(format string, args ...any) *bus.Error {
	return bus.Errorf(bus.NotFound, bus.ReasonRecord, format, args...)
}

// Invalid returns the error for an argument that passes the schema but is wrong. It looks like a violation of the
// schema.
func Invalid(path, format string, args ...any) *bus.Error {
	e := bus.Errorf(bus.Validation, bus.ReasonArguments, format, args...)
	e.Violations, e.SchemaSide = []bus.Violation{{Path: path, Message: e.Message}}, "request"
	return e.WithHint("Correct %s and try again.", path)
}
