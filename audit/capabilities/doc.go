// Package capabilities makes an audit log usable through the bus that it records: people and agents search it, trace a
// request, verify it, read its statistics, export it and replay a part of it, and each person keeps filters. The
// records of another journal they search and trace.
//
//	b.MustRegister(capabilities.New(log, capabilities.Options{Files: files})...)
//
// Each capability needs the scope audit:read; what replays needs audit:write. To undo a request and to remove old
// records are capabilities of package audit itself: [audit.UndoCapability] and [audit.PurgeCapability].
package capabilities
