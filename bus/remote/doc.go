// Package remote carries a bus over a connection: any [io.ReadWriteCloser], such as the pipes of a child process, a
// socket or a message broker's stream. Each end may serve a bus and call the other's.
//
//	link, err := remote.Open(ctx, conn, remote.Options{Bus: b, View: view}) // this end serves b, and calls
//	result := link.Invoke(ctx, bus.Invocation{Capability: "label.print", Arguments: args}, nil)
//	err = b.Register(remote.Mount(link.Manifest(), link.Invoke)...) // the other end's capabilities become b's own
//
//	# Enforcement
//
// The serving end sets the caller kind and the person of every call from its own [Options.View]. It only records the
// other end's statements about its caller. It validates, authorises, confirms, runs and records like any door. The
// calling end also validates when the capability is mounted on a bus: arguments before they leave, the output before
// anyone sees it.
//
//	# Wire form
//
// The wire form consists of lines of JSON, at most [MaxFrame] bytes each. Larger frames travel in pieces. The
// invocation, the result and the event are those of package bus, in the same form as in `deskhand bus`.
//
//	{"type":"hello","body":{"protocol":1,"manifest":{…},"events":true}}
//	{"type":"invoke","id":1,"body":{"capability":"label.print","arguments":{…},"caller":{"type":"ui"}}}
//	{"type":"progress","id":1,"body":{"type":"progress",…}}
//	{"type":"result","id":1,"body":{"status":"success",…}}
//	{"type":"cancel","id":1}
//	{"type":"event","body":{"type":"stateChange",…}}
//
// Each end sends hello first and once. The progress of a call comes before its result. A piece contains a part of the
// body instead, in base64, and all but the last have "more":true. The pieces of one body come in order, without pieces
// of another in between. Anything else ends the link: an unknown type or field, a result without an open call, a body
// over [MaxBody].
//
//	# When the link ends
//
// A call that was not sent fails as TRANSIENT, reason network: nothing happened. A call without a result fails as
// TRANSIENT too. If it has an idempotency key, or its capability only reads or is idempotent, the reason is network,
// and the same call can be made over a new link. Otherwise the reason is interrupted, because the outcome is unknown.
// The serving end cancels the calls of a link that ended.
package remote
