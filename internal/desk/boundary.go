package desk

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/transfer"
)

// Boundary handles the calls of the window's page: [page.Boundary] describes its methods. It opens the desk as soon as
// that is possible.
type Boundary struct {
	Context context.Context                             // ends with the window
	Emit    func(name string, payload any)              // sends an event to the page
	Pick    func(title, pattern string) (string, error) // the system's file dialog; "" when cancelled
	Folder  string                                      // of the shop
	Open    func() (*Desk, error)                       // opens the shop
	// OpenDraft opens a draft of the shop with these options and the window's own; nil: there are no drafts.
	OpenDraft func(Options) (*Desk, error)

	mu     sync.Mutex  // held while the desk is opened; guards the other fields
	desk   *Desk       // the page's desk; nil until it was opened
	shop   *Desk       // the shop's desk while the page is on a draft; else nil
	opened func(*Desk) // called with a desk that was opened; may be nil

	closing map[string]chan struct{} // drafts being closed, by id; a channel closes afterwards; guarded by mu
	left    sync.WaitGroup           // of closing

	once sync.Once
	page page.Boundary // set by calls
}

// calls returns the page's boundary and sets it up at the first call.
func (b *Boundary) calls() *page.Boundary {
	b.once.Do(func() {
		b.page.Context, b.page.Emit = b.Context, func(name string, payload any) { b.Emit(name, payload) }
		b.page.Reach = func() (*page.Desk, error) {
			d, err := b.Ready()
			if err != nil {
				return nil, err
			}
			who := func(ctx context.Context) bus.Principal {
				if b.leaveIfIdle(ctx) {
					return bus.Principal{Door: d.Person.Door}
				}
				d.lockIfIdle(ctx)
				return d.SignedIn(ctx)
			}
			answer := func(ctx context.Context, invocation []byte, stamp func(*bus.Invocation)) bus.Result {
				if b.leaveIfIdle(ctx) {
					if shop, err := b.Ready(); err == nil {
						return shop.Answer(ctx, invocation, stamp) // which is locked
					}
				}
				b.noteUse(d, invocation)
				ended := make(chan struct{})
				defer close(ended)
				r := d.Answer(context.WithValue(ctx, callEnded{}, ended), invocation, stamp)
				b.leaveIfLocked(ctx, d)
				return r
			}
			return &page.Desk{Bus: d.Bus, Bridge: d.Bridge, Policy: d.Policy, Who: who, Answer: answer,
				Next: d.nextActions, Pick: func(kind string) (any, error) { return b.pick(d, kind) }, Drop: d.drop}, nil
		}
	})
	return &b.page
}

// Invoke runs one invocation.
func (b *Boundary) Invoke(invocation string) string { return b.calls().Invoke(invocation) }

// Cancel ends a running invocation.
func (b *Boundary) Cancel(request string) string { return b.calls().Cancel(request) }

// Manifest lists the capabilities of the signed-in person.
func (b *Boundary) Manifest(request string) string { return b.calls().Manifest(request) }

// Send passes a sentence to the assistant.
func (b *Boundary) Send(request string) string { return b.calls().Send(request) }

// Stop ends the running turn of a conversation.
func (b *Boundary) Stop(request string) string { return b.calls().Stop(request) }

// Decide answers a confirmation card.
func (b *Boundary) Decide(request string) string { return b.calls().Decide(request) }

// PickFile opens the system's dialog: a file of the kind "csv", "backup", "shop", "picture", "zip" or "yaml", or a
// folder for "folder". The default is csv.
func (b *Boundary) PickFile(request string) string { return b.calls().PickFile(request) }

// DropFile stores a file dropped onto the window. It reads the kind from the header of an export.
func (b *Boundary) DropFile(request string) string { return b.calls().DropFile(request) }

// ShowCard sends a card of the shop to the page. A page on a draft gets it when it returns to the shop.
func (b *Boundary) ShowCard(e policy.CardEvent) { b.showCard(e, false) }

func (b *Boundary) showCard(e policy.CardEvent, ofDraft bool) {
	b.mu.Lock()
	onDraft := b.shop != nil
	b.mu.Unlock()
	if onDraft == ofDraft || e.Type == policy.CardClosed {
		page.Cards(b.calls())(e)
	}
}

// Dialog returns the title of the system's dialog for a file of a kind, and the pattern of file names: "" for folders.
func Dialog(kind string) (title, pattern string) {
	title, pattern = "Choose a CSV file", "*.csv"
	switch kind {
	case "backup":
		title, pattern = "Choose a copy of the shop", "*.db"
	case "folder":
		title, pattern = "Choose a folder of pictures", ""
	case "zip":
		title, pattern = "Choose a ZIP file of pictures", "*.zip"
	case "picture":
		title, pattern = "Choose a picture", "*.jpg;*.jpeg;*.png;*.gif"
	case "shop":
		title, pattern = "Choose the file of a shop", "*.json"
	case "yaml":
		title, pattern = "Choose the file of a program", "*.yaml;*.yml"
	}
	return title, pattern
}

// pick opens the system's dialog for a file of a kind; it returns nil when the person cancelled.
func (b *Boundary) pick(d *Desk, kind string) (any, error) {
	title, pattern := Dialog(kind)
	path, err := b.Pick(title, pattern)
	if err != nil {
		return nil, bus.Errorf(bus.Internal, bus.ReasonUncoded, "The file dialog could not be opened.").WithCause(err)
	}
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s cannot be read.", filepath.Base(path)).
			WithCause(err)
	}
	return map[string]any{"file": d.Files.Add(path), "name": info.Name(), "size": info.Size()}, nil
}

// drop stores a dropped file.
func (d *Desk) drop(name string, content []byte) (any, error) {
	token, name, err := d.Files.Drop(name, content)
	if err != nil {
		return nil, err
	}
	return map[string]any{"file": token, "name": name, "size": len(content), "kind": transfer.CSVKind(content)}, nil
}

// Ready opens the desk unless it is open. If that fails, the window shows the reason, and the next call tries again.
func (b *Boundary) Ready() (*Desk, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.desk != nil {
		return b.desk, nil
	}
	d, err := b.Open()
	if err != nil {
		return nil, openProblem(b.Folder, err)
	}
	b.desk = d
	d.Serve()
	if b.opened != nil {
		b.opened(d)
	}
	return d, nil
}

// Enter moves the page to a draft of the shop, for a person, or with "" back to the shop: see [drafts.Window]. The page
// then reloads.
func (b *Boundary) Enter(ctx context.Context, id, person string) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case id == "" && b.shop == nil:
		return nil
	case id == "":
		within, _ := ctx.Value(callEnded{}).(chan struct{})
		b.leave("", within)
		return nil
	case b.shop != nil || b.OpenDraft == nil:
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "The window shows a draft already.").
			WithHint("Go back to the shop first.")
	}
	if person == "" {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Nobody is signed in.").WithHint("Sign in first.")
	}
	d, err := b.OpenDraft(Options{Folder: b.desk.DraftFolder(id), Person: person, Door: b.desk.Person.Door, Window: b,
		OnCard: func(e policy.CardEvent) { b.showCard(e, true) }})
	if err != nil {
		return err
	}
	b.shop, b.desk = b.desk, d
	if b.opened != nil {
		b.opened(d)
	}
	b.calls().Renew("")
	return nil
}

// Ended makes the page leave a draft that has ended, and waits until the draft is closed: see [drafts.Window].
func (b *Boundary) Ended(id string) {
	b.mu.Lock()
	if b.shop != nil && b.desk.Draft.ID == id {
		b.leave("ended", nil)
	}
	closed := b.closing[id]
	b.mu.Unlock()
	if closed != nil {
		<-closed
	}
}

// callEnded is the key of a channel in the context of a page's call, closed when the call is answered.
type callEnded struct{}

// leave moves the page back to the shop. The caller holds mu. It returns before the draft is closed. Closing cancels
// the calls that run on the draft, except the current one if within is the channel that closes after its answer.
func (b *Boundary) leave(why string, within <-chan struct{}) {
	draft, closed := b.desk, make(chan struct{})
	id := draft.Draft.ID
	b.desk, b.shop = b.shop, nil
	if b.closing == nil {
		b.closing = map[string]chan struct{}{}
	}
	b.closing[id] = closed
	b.left.Go(func() {
		if within != nil {
			select {
			case <-within:
			case <-time.After(closeWait):
			}
		}
		closeDesk(draft)
		b.mu.Lock()
		if b.closing[id] == closed {
			delete(b.closing, id)
		}
		b.mu.Unlock()
		close(closed)
	})
	b.calls().Renew(why)
}

// leaveIfIdle leaves a draft when the window of the shop would lock, because a draft has no PINs. It reports whether it
// left.
func (b *Boundary) leaveIfIdle(ctx context.Context) bool {
	b.mu.Lock()
	shop := b.shop
	b.mu.Unlock()
	if shop == nil {
		return false
	}
	if shop.lockIfIdle(ctx); shop.attended() {
		return false
	}
	_ = b.Enter(ctx, "", "") // which does not fail
	return true
}

// noteUse keeps the shop's window unlocked while a person works on a draft. Reads do not count, because the page also
// reads without a person.
func (b *Boundary) noteUse(d *Desk, invocation []byte) {
	var in struct{ Capability string }
	if d.Draft == nil || json.Unmarshal(invocation, &in) != nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if c, known := d.Bus.Lookup(in.Capability); b.shop != nil && known && c.SideEffect != bus.Pure {
		b.shop.touched()
	}
}

// leaveIfLocked leaves a draft after a lock or a sign-out on it, and does the same in the shop.
func (b *Boundary) leaveIfLocked(ctx context.Context, d *Desk) {
	if d.Draft == nil || d.attended() {
		return
	}
	b.mu.Lock()
	shop := b.shop
	b.mu.Unlock()
	if shop == nil {
		return
	}
	if d.seat.Load() == nil {
		shop.seat.Store(nil)
	} else {
		shop.lock(shop.SignedIn(ctx))
	}
	_ = b.Enter(ctx, "", "") // which does not fail
}

// attended reports whether a person is signed in and the window is unlocked.
func (d *Desk) attended() bool {
	s := d.seat.Load()
	return s != nil && s.lockedFor == ""
}

// Erasures returns the number of people whose data was erased in the shop.
func (b *Boundary) Erasures(ctx context.Context) (int64, error) {
	if _, err := b.Ready(); err != nil {
		return 0, err
	}
	b.mu.Lock()
	of := cmp.Or(b.shop, b.desk)
	b.mu.Unlock()
	return of.Store.Erasures(ctx)
}

// Close closes the desk, if it was opened.
func (b *Boundary) Close() {
	b.mu.Lock()
	d, shop := b.desk, b.shop
	b.mu.Unlock() // a card that is shown in the meantime takes it
	closeDesk(d)
	closeDesk(shop)
	b.left.Wait()
}

func closeDesk(d *Desk) {
	if d == nil {
		return
	}
	if err := d.Close(); err != nil {
		slog.Error("Could not close the desk.", "cause", err)
	}
}

// ForwardEvents sends the events of the desk to the page, from its opening until ctx ends.
func (b *Boundary) ForwardEvents(ctx context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.opened = func(d *Desk) {
		hears := d.hearing()
		go d.follow(ctx, func(e bus.Event) {
			b.mu.Lock()
			shown := b.desk == d
			b.mu.Unlock()
			if shown && (!d.beside || !e.Elsewhere || hears(ctx, e)) {
				b.Emit("bus", e)
			}
		})
	}
	if b.desk != nil {
		b.opened(b.desk)
	}
}

// hearing returns a function that reports whether the signed-in person may receive an event of another program. It
// refreshes the person's rights once a second.
func (d *Desk) hearing() func(context.Context, bus.Event) bool {
	var (
		at    *seat
		view  bus.View
		until time.Time
	)
	return func(ctx context.Context, e bus.Event) bool {
		if s, now := d.seat.Load(), time.Now(); s != at || now.After(until) {
			at, until, view = s, now.Add(time.Second), bus.View{Principal: d.SignedIn(ctx)}
		}
		return d.Bus.Hears(view, e)
	}
}

// follow tracks the open page and sign-outs, and passes every event to emit, until ctx ends.
func (d *Desk) follow(ctx context.Context, emit func(bus.Event)) {
	page.Follow(ctx, d.Bus, func(e bus.Event) {
		if e.Type == bus.EventStateChange && e.Domain == "navigation" && len(e.IDs) > 0 {
			d.route.Store(&e.IDs[0])
		}
		if e.Type == bus.EventStateChange && e.Domain == "session" && len(e.IDs) > 0 {
			d.signOut(e.IDs[0]) // an assistant's session.signOut does not pass through Answer
		}
		emit(e)
	})
}
