package till

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/bus"
)

// maxOwn limits the calls of a till's own bus that wait to be recorded, and the requests that it remembers.
const maxOwn = 1024

// own is the bus of a till, with the capabilities that only change the content of its window. It runs them immediately,
// with or without a link. The host records them, and treats each like any other call.
type own struct {
	c      *Client
	bus    *bus.Bus
	person bus.Principal
	more   chan struct{} // holds an element when there may be calls to record

	// Guarded by the client's mu.
	toRecord []json.RawMessage // calls of the page, in the wire form
	shown    []string          // requests whose events the page has
}

func newOwn(c *Client) *own {
	o := &own{c: c, more: make(chan struct{}, 1), person: bus.Principal{ID: "till", Door: "window"}}
	for i := range c.Own {
		o.person.Scopes = append(o.person.Scopes, c.Own[i].Permissions...)
	}
	o.bus = busOf(c.Own, atHost{o: o})
	return o
}

func busOf(own []bus.Capability, j bus.Journal) *bus.Bus {
	b := bus.New(bus.Options{Journal: j, Name: "till", CompileLate: true})
	b.MustRegister(own...)
	return b
}

// view returns the view for calls of the host. The host has already applied policy and asked the person.
func (o *own) view() bus.View { return bus.View{Caller: bus.CallerUI, Principal: o.person} }

// invoke runs a call of the page, if it belongs to this bus.
func (o *own) invoke(invocation string) (answer string, is bool) {
	var in struct {
		Capability string
		DryRun     bool `json:"dry_run"`
	}
	if json.Unmarshal([]byte(invocation), &in) != nil || in.DryRun {
		return "", false
	}
	if _, is = o.bus.Lookup(in.Capability); !is {
		return "", false
	}
	r := o.bus.InvokeJSON(context.Background(), []byte(invocation), func(inv *bus.Invocation) {
		inv.Caller.Type, inv.Principal = bus.CallerUI, o.person
	})
	if r.Err != nil {
		r.Err = o.bus.ForPeople(r.Err)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		return page.Refusal(err), true
	}
	return string(raw), true
}

// serve runs a call of the host.
func (o *own) serve(ctx context.Context, invocation []byte, stamp func(*bus.Invocation)) bus.Result {
	return o.bus.InvokeJSON(context.WithValue(ctx, ofHost{}, true), invocation, stamp)
}

// ofHost marks the context of a call of the host, which the host already records.
type ofHost struct{}

// show sends the events of the bus to the page, until ctx ends.
func (o *own) show(ctx context.Context) {
	page.Follow(ctx, o.bus, func(e bus.Event) {
		if e.Type != bus.EventStateChange {
			return // the host reports the call itself when it is recorded
		}
		o.c.mu.Lock()
		if o.shown = append(o.shown, e.RequestID); len(o.shown) > maxOwn {
			o.shown = slices.Delete(o.shown, 0, maxOwn/2)
		}
		o.c.mu.Unlock()
		o.c.Emit("bus", e)
	})
}

// has reports whether the page already has a state change of the host. The caller holds the client's mu.
func (o *own) has(stream string, payload json.RawMessage) bool {
	if stream != "bus" || len(o.shown) == 0 || !bytes.Contains(payload, []byte(bus.EventStateChange)) {
		return false
	}
	var e bus.Event
	return json.Unmarshal(payload, &e) == nil && e.Type == bus.EventStateChange && slices.Contains(o.shown, e.RequestID)
}

// record makes the host record the calls that the page made here, in order, until ctx ends. They wait for a link.
func (o *own) record(ctx context.Context) {
	for {
		o.c.mu.Lock()
		var next json.RawMessage
		if len(o.toRecord) > 0 {
			next, o.toRecord = o.toRecord[0], o.toRecord[1:]
		}
		o.c.mu.Unlock()
		if next == nil {
			select {
			case <-o.more:
				continue
			case <-ctx.Done():
				return
			}
		}
		for answered := false; !answered && ctx.Err() == nil; {
			_, answered = o.c.make(ctx, pageRequest{Method: "invoke", Request: next, Ran: true})
		}
	}
}

// atHost is the journal of a till, which leaves its records to the host. Its calls change no row.
type atHost struct {
	bus.Journal
	o *own
}

// View implements [bus.Journal].
func (atHost) View(ctx context.Context, run func(context.Context) error) error { return run(ctx) }

// Lookup implements [bus.Journal].
func (atHost) Lookup(context.Context, bus.Key) (*bus.Stored, error) { return nil, nil }

// Record implements [bus.Journal].
func (j atHost) Record(ctx context.Context, e *bus.Entry) error {
	if ctx.Value(ofHost{}) != nil {
		return nil
	}
	raw, err := json.Marshal(e.Invocation)
	if err != nil {
		return err
	}
	j.o.c.mu.Lock()
	if j.o.toRecord = append(j.o.toRecord, raw); len(j.o.toRecord) > maxOwn {
		slog.Warn("Too many calls wait for the host to record them: the oldest is dropped.")
		j.o.toRecord = j.o.toRecord[1:]
	}
	j.o.c.mu.Unlock()
	signal(j.o.more)
	return nil
}

func major(version string) string {
	m, _, _ := strings.Cut(version, ".")
	return m
}

// errOtherProgram refuses a till with another version of the program.
func errOtherProgram(format string, args ...any) error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, format, args...).
		WithHint("Install the same version of Deskhand on both computers.")
}

// fits compares the capabilities of a till with those that the host knows. The host uses its own texts and schemas in
// any case, so that a till's statements reach no model.
func fits(brought bus.Manifest, known *bus.Bus) error {
	version := func(name string) string {
		i := slices.IndexFunc(brought.Capabilities, func(e bus.ManifestEntry) bool { return e.Name == name })
		if i < 0 {
			return ""
		}
		return brought.Capabilities[i].Version
	}
	for _, c := range known.Capabilities() {
		switch has, needs := version(c.Name), c.Version; {
		case has == "":
			return errOtherProgram("The program of this desk lacks %s, which the shop's host needs of it.", c.Name)
		case major(has) != major(needs):
			return errOtherProgram("The program of this desk has version %s of %s, and the shop's host needs version %s.",
				has, c.Name, needs)
		}
	}
	for _, e := range brought.Capabilities {
		if _, is := known.Lookup(e.Name); !is {
			return errOtherProgram("The program of this desk brings %s, which is the host's alone, or unknown to it.", e.Name)
		}
	}
	return nil
}

// atTill returns the reason why a call of the host did not reach the till's window.
func atTill(r bus.Result) error {
	err := r.Error()
	if e, coded := errors.AsType[*bus.Error](err); coded && e.Code == bus.Transient {
		return errNotThere.WithCause(err)
	}
	return err
}

var errNotThere = bus.Errorf(bus.Transient, bus.ReasonNetwork, "The window of this desk cannot be reached at present.").
	WithHint("It goes on when the link is back.")
