// Package office is a window on an archive: the audit page over the log of one shop at a time, and a list of the
// others. A person who may read the files according to the operating system is the reader. Look-ups are recorded in the
// open log, in the segment of look-ups.
package office

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os/user"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/archive"
	"github.com/deskhand/deskhand/bus"
)

// Options configures an office.
type Options struct {
	Folder  string // of the archive
	Version string // of the application
	// Known returns the capabilities of the shops' programs for their titles. If it is nil, names are shown.
	Known func(context.Context) (bus.Manifest, error)
}

// Is reports whether a folder is that of an archive.
func Is(folder string) bool { return archive.Is(folder) }

// Office is an open archive.
type Office struct {
	page.Boundary
	o       Options
	archive *archive.Archive
	reader  bus.Principal
	known   bus.Manifest

	mu     sync.Mutex // guards the fields below
	shown  *view
	next   *view // requested by archive.open, until the call has its result
	follow func(*view)
	left   sync.WaitGroup // views that are being closed
}

// view is one log with its bus.
type view struct {
	shop    string
	epoch   int
	bus     *bus.Bus
	release func()
}

// Open opens the archive in a folder, with the log of the first shop that can be opened. ctx ends with the window.
func Open(ctx context.Context, o Options) (_ *Office, err error) {
	off := &Office{o: o, reader: reader()}
	off.Context, off.Emit = ctx, func(string, any) {}
	if off.archive, err = archive.Open(o.Folder, archive.Options{Logger: slog.Default()}); err != nil {
		return nil, err
	}
	if o.Known != nil {
		if off.known, err = o.Known(ctx); err != nil {
			return nil, errors.Join(err, off.archive.Close())
		}
	}
	sources, err := off.archive.Sources()
	for _, one := range sources {
		if off.shown, err = off.view(ctx, openInput{Shop: one.Name}); err == nil {
			break
		}
		slog.Error("A log of the archive cannot be opened.", "shop", one.Name, "cause", err)
	}
	if off.shown == nil {
		off.shown, err = off.view(ctx, openInput{})
	}
	if err != nil {
		return nil, errors.Join(err, off.archive.Close())
	}
	off.Reach = off.reach
	return off, nil
}

// reader returns the account of the operating system.
func reader() bus.Principal {
	p := bus.Principal{ID: "reader", Scopes: []string{"audit:read", scope}, Authentication: "system", Door: "window"}
	if u, err := user.Current(); err == nil {
		p.ID, p.Name = u.Username, cmp.Or(u.Name, u.Username)
	}
	return p
}

// view opens a log. Without a shop it only offers the archive itself.
func (o *Office) view(ctx context.Context, in openInput) (*view, error) {
	v := &view{shop: in.Shop, release: func() {}}
	all := o.capabilities()
	var journal bus.Journal = nothing{}
	if in.Shop != "" {
		log, release, err := o.archive.Log(ctx, in.Shop, in.Epoch)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, bus.Errorf(bus.NotFound, bus.ReasonRecord, "The archive has no such log of %s.", in.Shop).
				WithHint("Look at archive.list for what there is.")
		}
		if err != nil {
			return nil, err
		}
		journal, v.release, v.epoch = lookUps{log}, release, in.Epoch
		all = append(all, ofLog(log)...)
	}
	v.bus = bus.New(bus.Options{Journal: journal, Name: "deskhand", Version: o.o.Version, CompileLate: true})
	v.bus.MustRegister(append(all, elsewhere(o.known, all)...)...)
	return v, nil
}

// close ends a view when its calls have their results.
func (v *view) close() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := v.bus.Close(ctx); err != nil {
		slog.Error("Could not end what was asked of a log.", "cause", err)
	}
	v.release()
}

// opened returns the current log.
func (o *Office) opened() *openInput {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.shown == nil || o.shown.shop == "" {
		return nil
	}
	return &openInput{o.shown.shop, o.shown.epoch}
}

// choose opens the requested log. The window switches to it after the call has its result.
func (o *Office) choose(ctx context.Context, in openInput) error {
	v, err := o.view(context.WithoutCancel(ctx), in)
	if err != nil {
		return err
	}
	o.mu.Lock()
	other := o.next
	o.next = v
	o.mu.Unlock()
	if other != nil {
		other.close()
	}
	return nil
}

// change switches to the requested log and makes the page reload.
func (o *Office) change() {
	o.mu.Lock()
	before := o.shown
	changed := o.next != nil
	if changed {
		o.shown, o.next = o.next, nil
		if o.follow != nil {
			o.follow(o.shown)
		}
	}
	o.mu.Unlock()
	if changed {
		o.Renew("")
		o.left.Go(before.close)
	}
}

// reach returns the connection of the page.
func (o *Office) reach() (*page.Desk, error) {
	o.mu.Lock()
	v := o.shown
	o.mu.Unlock()
	who := func(context.Context) bus.Principal { return o.reader }
	return &page.Desk{Bus: v.bus, Who: who,
		Answer: func(ctx context.Context, invocation []byte, stamp func(*bus.Invocation)) bus.Result {
			var in struct {
				Capability string `json:"capability"`
				RequestID  string `json:"request_id"`
			}
			_ = json.Unmarshal(invocation, &in) // the bus refuses an invalid invocation
			if c, known := v.bus.Lookup(in.Capability); in.Capability != "" && (!known || c.Listing.Group == absent) {
				// A call of a capability that is absent here belongs in no shop's log.
				e, _ := errors.AsType[*bus.Error](errElsewhere())
				return bus.Result{RequestID: in.RequestID, Status: bus.StatusError, Err: e}
			}
			r := v.bus.InvokeJSON(ctx, invocation, func(inv *bus.Invocation) {
				inv.Principal = o.reader
				stamp(inv)
			})
			o.change()
			return r
		}}, nil
}

// ForwardEvents sends the events of the current log to the page, until ctx ends.
func (o *Office) ForwardEvents(ctx context.Context) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.follow = func(v *view) {
		go page.Follow(ctx, v.bus, func(e bus.Event) {
			o.mu.Lock()
			shown := o.shown == v
			o.mu.Unlock()
			if shown {
				o.Emit("bus", e)
			}
		})
	}
	o.follow(o.shown)
}

// Close closes the archive.
func (o *Office) Close() error {
	o.mu.Lock()
	shown, next := o.shown, o.next
	o.mu.Unlock()
	shown.close()
	if next != nil {
		next.close()
	}
	o.left.Wait()
	return o.archive.Close()
}

// Manifest lists the capabilities that an office adds to those of an application.
func Manifest(ctx context.Context) (bus.Manifest, error) {
	b := bus.New(bus.Options{Journal: nothing{}})
	all := (&Office{}).capabilities()
	b.MustRegister(all...)
	return b.Manifest(ctx, bus.View{All: true})
}

// lookUps is the log of a shop in an archive. It records all calls, also refused ones, among the look-ups.
type lookUps struct{ *audit.Log }

// Record implements [bus.Journal].
func (l lookUps) Record(ctx context.Context, e *bus.Entry) error {
	e.Read = true
	return l.Log.Record(ctx, e)
}

// nothing is the journal of an archive without a log. It records nothing, and all its calls are pure.
type nothing struct{ bus.Journal }

func (nothing) View(ctx context.Context, run func(context.Context) error) error { return run(ctx) }

func (nothing) Lookup(context.Context, bus.Key) (*bus.Stored, error) { return nil, nil }

func (nothing) Record(context.Context, *bus.Entry) error { return nil }
