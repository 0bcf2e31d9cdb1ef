package window

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/deskhand/deskhand/internal/office"
	"github.com/deskhand/deskhand/internal/till"
	"github.com/deskhand/deskhand/internal/tills"
)

// channel connects a side with the page and its person.
type channel struct {
	emit func(stream string, payload any)                     // sends an event to the page
	pick func(title, pattern string) (path string, err error) // opens the system's file dialog
}

// outlet sends the events of a side to the page. A side opens its shop before the page is connected; until then events
// are dropped, and no file can be chosen.
type outlet struct{ to atomic.Pointer[channel] }

func (o *outlet) emit(stream string, payload any) {
	if c := o.to.Load(); c != nil {
		c.emit(stream, payload)
	}
}

func (o *outlet) pick(title, pattern string) (path string, err error) {
	if c := o.to.Load(); c != nil {
		return c.pick(title, pattern)
	}
	return "", nil
}

// side handles the calls of the page: a shop on this computer, or the host of one on another.
type side interface {
	page.Methods
	// connect starts to send events to the page, until the side is closed.
	connect(channel)
	// chosen returns the person's choices: the language "de", "en" or "system", and whether they want notifications
	// about waiting work.
	chosen(context.Context) (language string, notifies bool)
	// close ends running calls, and waits for them.
	close()
}

// sides forwards the page's calls to the current side. A window in a folder without a shop becomes a till when it joins
// one, and a window that the owner removed offers to join again.
type sides struct {
	ctx       context.Context // ends with the window
	folder    string
	secrets   keychain.Kept
	open      func(desk.Options) (*desk.Desk, error) // opens the shop on this computer
	openDraft func(desk.Options) (*desk.Desk, error) // opens a draft of it

	mu      sync.Mutex // guards the other fields
	now     side
	channel *channel       // nil until the page is connected
	joined  *till.Pairing  // set when a call turned the folder into a till, until the call is answered
	closed  bool           // no other side follows
	ended   sync.WaitGroup // of sides that are being replaced
}

// begin chooses the first side.
func (s *sides) begin() error {
	pairing, err := till.Read(s.ctx, s.folder, s.secrets)
	if err != nil {
		return err
	}
	_, noShop := os.Stat(filepath.Join(s.folder, desk.DatabaseName))
	switch {
	case pairing != nil:
		s.now = s.there(pairing)
	case noShop != nil && office.Is(s.folder):
		logs, err := office.Open(s.ctx, office.Options{Folder: s.folder, Version: desk.Version, Known: desk.Manifest})
		if err != nil {
			return err
		}
		s.now = archived(logs)
	default:
		s.now = s.here(nil)
	}
	return nil
}

// here returns the shop on this computer, which may not exist. removed is the pairing of a till that was removed.
func (s *sides) here(removed *till.Pairing) *here {
	joining := &tills.Joining{Ask: s.ask}
	if removed != nil {
		joining.Removed, joining.Name = removed.Address, removed.Name
	}
	h := &here{Boundary: &desk.Boundary{Folder: s.folder, OpenDraft: s.openDraft}}
	h.Emit, h.Pick = h.emit, h.pick
	host := &hostProgram{folder: s.folder, changed: func() {
		h.emit("bus", bus.Event{Type: bus.EventStateChange, Domain: tills.Domain})
	}}
	h.Context, h.end = context.WithCancel(s.ctx)
	h.Open = func() (*desk.Desk, error) {
		return s.open(desk.Options{Folder: s.folder, Create: true, Door: desk.DoorWindow, Window: h.Boundary,
			OnCard: h.ShowCard, Joining: joining,
			Serving: &tills.Serving{Start: host.start, Newest: host.newest}})
	}
	h.opening.Go(func() { // parallel to creating the window; earlier calls of the page wait
		if _, err := h.Ready(); err != nil {
			slog.Error("the window opens without its shop", "cause", err)
		}
	})
	return h
}

// there returns the shop of a host.
func (s *sides) there(p *till.Pairing) *elsewhere {
	e := &elsewhere{Client: &till.Client{Dial: p.Dial, Own: desk.OfWindow(), Copy: desk.Copied()}}
	e.Emit, e.Pick = e.emit, e.choose
	e.ctx, e.end = context.WithCancel(s.ctx)
	e.Removed = func() { go s.become(func() side { return s.here(p) }, e) }
	return e
}

// ask asks a host to accept this window.
func (s *sides) ask(ctx context.Context, code tills.Code, name string, told func(string)) (func() error, error) {
	p, err := till.Ask(ctx, code, name, s.secrets, told)
	if err != nil {
		return nil, err
	}
	return func() error {
		if err := p.Keep(s.folder); err != nil {
			return err
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		s.joined = p
		return nil
	}, nil
}

// become replaces a side by another one, makes the page reload, and closes the old side.
func (s *sides) become(next func() side, before side) {
	s.mu.Lock()
	if s.now != before || s.closed {
		s.mu.Unlock()
		return
	}
	s.ended.Add(1)
	defer s.ended.Done()
	s.now = next()
	channel := s.channel
	if channel != nil {
		s.now.connect(*channel)
	}
	s.mu.Unlock()
	if channel != nil {
		channel.emit("bus", bus.Event{Type: bus.EventStateChange, Domain: "desk"})
	}
	before.close()
}

// connect starts to send events to the page.
func (s *sides) connect(c channel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.channel = &c
	s.now.connect(c)
}

// side returns the current side.
func (s *sides) side() side {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

// close closes the current side, and waits for the earlier ones.
func (s *sides) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.side().close()
	s.ended.Wait()
}

// Invoke runs one invocation. If the call turned the folder into a till, the window switches after the answer.
func (s *sides) Invoke(invocation string) string {
	at := s.side()
	answer := at.Invoke(invocation)
	s.mu.Lock()
	p := s.joined
	s.joined = nil
	s.mu.Unlock()
	if p != nil {
		go s.become(func() side { return s.there(p) }, at)
	}
	return answer
}

// Manifest lists the current capabilities. If the side changes during the call, the new side answers.
func (s *sides) Manifest(request string) string {
	for {
		at := s.side()
		if answer := at.Manifest(request); at == s.side() {
			return answer
		}
	}
}

// The other calls of a page.
func (s *sides) Cancel(request string) string   { return s.side().Cancel(request) }
func (s *sides) Send(request string) string     { return s.side().Send(request) }
func (s *sides) Stop(request string) string     { return s.side().Stop(request) }
func (s *sides) Decide(request string) string   { return s.side().Decide(request) }
func (s *sides) PickFile(request string) string { return s.side().PickFile(request) }
func (s *sides) DropFile(request string) string { return s.side().DropFile(request) }

// here is a shop on this computer.
type here struct {
	*desk.Boundary
	outlet
	end     func()
	opening sync.WaitGroup
}

func (h *here) connect(c channel) {
	h.to.Store(&c)
	h.ForwardEvents(h.Context)
}

func (h *here) chosen(ctx context.Context) (language string, notifies bool) {
	d, err := h.Ready()
	if err != nil {
		return "system", true
	}
	return d.Language(ctx), d.Notifies(ctx)
}

// away is an archive of the logs of shops.
type away struct {
	*office.Office
	outlet
}

func archived(logs *office.Office) *away {
	a := &away{Office: logs}
	a.Emit = a.emit
	return a
}

func (a *away) connect(c channel) {
	a.to.Store(&c)
	a.ForwardEvents(a.Context)
}

func (a *away) close() {
	if err := a.Close(); err != nil {
		slog.Error("Could not close the logs.", "cause", err)
	}
}

// chosen returns the system's settings, because an archive has no preferences.
func (*away) chosen(context.Context) (language string, notifies bool) { return "system", false }

func (h *here) close() {
	h.opening.Wait()
	h.Close()
	h.end()
}

// elsewhere is a shop on another computer.
type elsewhere struct {
	*till.Client
	outlet
	ctx     context.Context
	end     func()
	running sync.WaitGroup
}

func (e *elsewhere) connect(c channel) {
	e.to.Store(&c)
	e.running.Go(func() { e.Run(e.ctx) })
}

// choose lets the person choose a file of a kind, and reads it.
func (e *elsewhere) choose(kind string) (name string, content []byte, err error) {
	title, pattern := desk.Dialog(kind)
	if pattern == "" {
		return "", nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "A till hands over no folder.").
			WithHint("Choose a ZIP file of it.")
	}
	path, err := e.pick(title, pattern)
	if path == "" || err != nil {
		return "", nil, err
	}
	if content, err = os.ReadFile(path); err != nil {
		err = bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s cannot be read.", filepath.Base(path)).WithCause(err)
	}
	return filepath.Base(path), content, err
}

// chosen returns the system's settings, because the host has the person's choices.
func (*elsewhere) chosen(context.Context) (language string, notifies bool) { return "system", true }

func (e *elsewhere) close() {
	e.end()
	e.running.Wait()
}
