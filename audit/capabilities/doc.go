// Package capabilities makes an audit log usable through the bus that it records: people and agents search it, trace a
// request, verify it, read its statistics, export it and replay a part of it, and each person keeps filters. For other
// journals it provides search and trace.
//
//	b.MustRegister(capabilities.New(log, capabilities.Options{Files: files})...)
//
// Each capability needs the scope audit:read; a replay needs audit:write. The capabilities for undoing a request and
// for removing old records are in package audit: [audit.UndoCapability] and [audit.PurgeCapability].
package capabilities
