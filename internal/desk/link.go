package desk

import (
	"context"
	"io"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote"
)

// ServeLink serves the desk to the other end of a connection until that closes it or ctx ends. Each call runs for the
// person who is signed in at that time.
func (d *Desk) ServeLink(ctx context.Context, conn io.ReadWriteCloser, caller bus.CallerType) error {
	l, err := remote.Open(ctx, conn, remote.Options{Bus: d.Bus, View: bus.View{Caller: caller, Principal: d.Person},
		Answer: func(ctx context.Context, invocation []byte, stamp func(*bus.Invocation)) bus.Result {
			return d.Answer(ctx, invocation, func(inv *bus.Invocation) {
				signedIn := inv.Principal
				stamp(inv)
				inv.Principal = signedIn
			})
		}})
	if err != nil {
		return err
	}
	select {
	case <-l.Done():
		return l.Err()
	case <-ctx.Done():
		return l.Close()
	}
}
