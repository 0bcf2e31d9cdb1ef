package tills

import (
	"context"
	"errors"
	"log/slog"
	"strconv"

	"github.com/deskhand/deskhand/bus"
)

// Serving holds the functions with which the window on the shop's computer serves tills. The host program does the work
// and ends with the window.
type Serving struct {
	Start  func(port int) (end func()) // keeps a host running at a port; end waits until it has ended
	Newest func() Started              // the line of the newest host; zero if none is to run
}

// Started is the line that the host program prints with --json: its address, or the reason why it does not serve.
type Started struct {
	Address string `json:"address,omitempty"`
	Problem string `json:"problem,omitempty"`
	Remedy  string `json:"remedy,omitempty"`
}

// NotStarted is the line of a host that an error kept from serving.
func NotStarted(err error) Started {
	if e, coded := errors.AsType[*bus.Error](err); coded {
		return Started{Problem: e.Message, Remedy: e.Hint}
	}
	return Started{Problem: err.Error()}
}

// Serve runs the host program of a window while the setting asks for it, until ctx ends. Elsewhere it does nothing.
func (t *Tills) Serve(ctx context.Context, b *bus.Bus) {
	if t.o.Serving == nil {
		return
	}
	changes := b.Subscribe() // before the first read, so that no later change is missed
	defer changes.Close()
	port, end := 0, func() {}
	defer func() { end() }()
	for {
		next, err := t.portNow(ctx)
		if err != nil && ctx.Err() == nil {
			slog.Error("Could not read whether tills are served.", "cause", err)
		}
		if err == nil && next != port {
			end()
			if port, end = next, func() {}; port > 0 {
				end = t.o.Serving.Start(port)
			}
		}
		for changed := false; !changed; {
			e, err := changes.Next(ctx)
			if err != nil {
				return
			}
			changed = Changed(e)
		}
	}
}

// portNow returns the port at which the window serves tills, or 0.
func (t *Tills) portNow(ctx context.Context) (port int, err error) {
	err = t.o.Log.View(ctx, func(ctx context.Context) error {
		port, err = t.port(ctx)
		return err
	})
	return port, err
}

// port is portNow within a view of the log or a transaction of it.
func (t *Tills) port(ctx context.Context) (port int, err error) {
	err = t.o.Log.Query(ctx, func(scan func(dest ...any) error) error { return scan(&port) },
		`SELECT port FROM till_serving`)
	return port, err
}

type serveInput struct {
	Port int `json:"port,omitempty" jsonschema:"minimum=1,maximum=65535,default=4222"`
}

// mayServe returns the reason why this program serves no tills, or nil.
func (t *Tills) mayServe(context.Context, *bus.Call) error {
	if t.o.Serving != nil {
		return nil
	}
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable,
		"Only the window on the shop's computer serves other desks.").
		WithHint("Open it there, or use a terminal there: deskhand-host host --listen 0.0.0.0:4222")
}

// serve makes the window serve tills, now and whenever it is open.
func (t *Tills) serve(ctx context.Context, call *bus.Call, in serveInput) (struct{}, error) {
	call.Summarize("Serve other desks at port %s", strconv.Itoa(in.Port))
	call.Announce(Domain, bus.Textf("Other desks are served."))
	return struct{}{}, t.o.Log.Exec(ctx, `INSERT INTO till_serving (id, port) VALUES (1, ?)
		ON CONFLICT (id) DO UPDATE SET port = excluded.port`, in.Port)
}

// endServing ends the links of all tills.
func (t *Tills) endServing(ctx context.Context, call *bus.Call, _ struct{}) (struct{}, error) {
	call.Summarize("Serve no other desks")
	call.Announce(Domain, bus.Textf("Other desks are served no more."))
	return struct{}{}, t.o.Log.Exec(ctx, `DELETE FROM till_serving`)
}
