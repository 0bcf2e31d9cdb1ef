// Package natsbus carries the links of package remote over NATS. A host registers a service, and a client opens a link
// to it. The link is an [io.ReadWriteCloser] at both ends. Frames, handshake, manifests, cancellation, progress and
// events are those of package remote.
//
//	listener, err := natsbus.Listen(nc, natsbus.Service{Name: "desk"},
//		func(ctx context.Context, client string, conn io.ReadWriteCloser) { // at the host
//			_ = remote.Serve(ctx, conn, b, viewOf(client))
//		})
//
//	conn, err := natsbus.Dial(ctx, nc, "desk", "till-1") // at the client
//	link, err := remote.Open(ctx, conn, remote.Options{})
//
// The service is one of package micro: `nats micro ls` lists it, and `nats micro stats` shows its counts. Several hosts
// may register the same name; each link stays with the host that opened it. The ends may be connected to different
// servers of a cluster.
//
//	# Subjects
//
//	SERVICE.CLIENT.open        the client asks for a link; the reply subject is SERVICE.CLIENT.down.LINK
//	SERVICE.CLIENT.up.LINK     from the client to the host
//	SERVICE.CLIENT.down.LINK   from the host to the client
//
// SERVICE and CLIENT are letters, digits, "-" and "_". LINK is a random name that the client makes. The second token is
// always the client's name. The host reads the name from the subject and never from a message. These permissions of the
// server bind a client to its own name; it needs no inbox:
//
//	client:  publish   SERVICE.CLIENT.open, SERVICE.CLIENT.up.*
//	         subscribe SERVICE.CLIENT.down.*
//	host:    publish   SERVICE.*.down.*, and the inboxes of clients that ask for statistics
//	         subscribe SERVICE.*.open, SERVICE.*.up.*, $SRV.>
//
//	# Messages
//
// The request is {"protocol":1}. The answer is {"protocol":1,"tag":"…","silence_ms":2000}, or an error of package
// micro. Each further message begins with 17 bytes: its kind, the tag of 8 bytes that the host drew for this link, and
// its number as 8 bytes, big endian, counted from 1 in each direction. The kinds are
//
//	d   a piece of the stream, of at most 64 KB and at most the server's max_payload
//	r   8 bytes: the number of bytes in messages of kind d that this end has taken, since the link was opened
//	e   the end of the link; its text contains the reason, no text: it was closed
//
// An end sends at most 4 MB more than the other end has taken; then its Write waits. This limits the memory of a link.
//
//	# When a link ends
//
// A message that was lost, repeated, or made for another link ends the link with [ErrBroken]: no byte is delivered
// twice, and none after a gap. A link does not outlive the connection to the server: it ends with [ErrDisconnected]
// when that is lost, even if the client library reconnects by itself. Each end sends four messages in
// [Service.Silence]. An end that receives nothing for that time ends the link with [ErrSilent]. A Write that waits for
// an end that is alive but reads nothing ends the link with [ErrSlow], after five times as long. Package remote
// explains the results of open calls. Open a new link: Dial fails with [nats.ErrNoResponders] until the host is back.
//
// A client library that reconnects sends buffered messages later, unless its option ReconnectBufSize is -1. So a host
// that did not lose its own connection may receive a call whose client already got an error. The end of the link
// follows directly. Such a call has an idempotency key or an unknown outcome, as on any interrupted link.
package natsbus
