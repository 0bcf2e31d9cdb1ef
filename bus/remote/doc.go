// Package remote carries a bus over a connection: any [io.ReadWriteCloser], such as the pipes of a child process, a
// socket or a message broker's stream. Each end may serve a bus and call the other's.
//
//	link, err := remote.Open(ctx, conn, remote.Options{Bus: b, View: view}) // this end serves b, and calls
//	result := link.Invoke(ctx, bus.Invocation{Capability: "label.print", Arguments: args}, nil)
//	err = b.Register(remote.Mount(link.Manifest(), link.Invoke)...) // the other end's capabilities become b's own
//
// # Who enforces what
//
// The end that serves stamps the caller kind and the person of every call from its own [Options.View]; what the other
// end says of its caller is recorded, and nothing else. It validates, authorises, asks, runs and records as any door.
// The end that calls validates too when the capability is mounted on a bus of its own: arguments before they leave,
// the answer before anybody sees it.
//
// # Wire shape
//
// Lines of JSON, at most [MaxFrame] bytes each; larger ones travel in pieces. The invocation, the result and
// the event are those of package bus: what a program writes to `deskhand bus` and reads from it.
//
//	{"type":"hello","body":{"protocol":1,"manifest":{…},"events":true}}
//	{"type":"invoke","id":1,"body":{"capability":"label.print","arguments":{…},"caller":{}}}
//	{"type":"progress","id":1,"body":{"type":"progress",…}}
//	{"type":"result","id":1,"body":{"status":"success",…}}
//	{"type":"cancel","id":1}
//	{"type":"event","body":{"type":"stateChange",…}}
//
// Each end sends hello first and once. The progress of a call comes before its result. A piece carries a part of the
// body instead, in base64, and all but the last say "more":true; pieces of one body come in order, and no pieces of
// another between them. Anything else ends the link: an unknown type or field, a result of a call that is not open, a
// body over [MaxBody].
//
// # When the link ends
//
// A call that had not left fails as TRANSIENT, reason network: nothing happened. One whose answer had not come
// fails as TRANSIENT too: with an idempotency key, or of a capability that only reads or says that it is idempotent,
// reason network, and the same call can be made over a new link; otherwise reason interrupted, since nobody knows
// whether it happened. The end that serves cancels what runs for a link that is gone.
package remote
