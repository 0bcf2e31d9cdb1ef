package main

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
)

// version is the application's; it stands in the manifest.
const version = "0.1.0"

// databaseName is the one file a shop is.
const databaseName = "shop.db"

// desk is the application put together: journal, bus, policy and bridge around
// one shop. A window and a command line each put their door in front of it.
type desk struct {
	folder string
	log    *audit.Log
	bus    *bus.Bus
	policy *policy.Policy
	store  *agent.Store // what people decided about the assistant, and what was said to it
	bridge *agent.Bridge
	files  *files
	person bus.Principal           // who was signed in when it was opened
	seat   atomic.Pointer[sitting] // who is signed in; nil: nobody
	touch  atomic.Int64            // when somebody last touched the window, ns since 1970
	clock  func() time.Time
	route  atomic.Pointer[string] // the page the window shows, by the name navigation.go has for it
}

// doorWindow is the door of a person at the window.
const doorWindow = "window"

// deskOptions say what differs between doors.
type deskOptions struct {
	Folder   string                 // where the shop is
	Create   bool                   // make the folder and an unfilled database when there is none
	Person   string                 // id, name or role; "" is the owner
	Door     string                 // doorWindow, "cli", …
	Allow    bool                   // every card is answered with yes, unseen
	OnCard   func(policy.CardEvent) // shows cards; nil: nobody is there to ask
	Model    model.Model            // nil: the one of the settings, or the built-in assistant
	Mask     bool                   // personal values are masked for a model that is elsewhere
	FilePath bool                   // a file argument may be a path (a person typed it)
	PIN      askPIN                 // asks for a PIN; nil: the desk opens with nobody signed in where one is needed
	Roots    *x509.CertPool         // whose certificates servers may have; nil: the system's
	Heads    audit.Heads            // where heads of the log are noted outside the file; nil: nowhere

	Clock        func() time.Time // nil: the real one, and real ids and seeds
	NewRequestID func() string
	Seed         func() []byte
}

// errNoShop is what every command but init says on a folder without a shop.
type errNoShop struct{ folder string }

func (e errNoShop) Error() string {
	return fmt.Sprintf("there is no shop in %s\nMake one with: deskhand init --sample   (or --empty, or --from FILE)", e.folder)
}

// openDesk opens the shop in a folder. Close it.
func openDesk(ctx context.Context, o deskOptions) (*desk, error) {
	path := filepath.Join(o.Folder, databaseName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		if !o.Create {
			return nil, errNoShop{o.Folder}
		}
		if err := os.MkdirAll(o.Folder, 0o700); err != nil {
			return nil, fmt.Errorf("the data folder cannot be made: %w", err)
		}
	}
	log, err := audit.Open(ctx, path, audit.Options{Migrations: shop.Migrations(),
		Modules: map[string]fs.FS{agent.ModuleName: agent.Migrations()}, Logger: slog.Default(), Heads: o.Heads})
	if err != nil {
		return nil, fmt.Errorf("the shop cannot be opened: %w", err)
	}
	d := &desk{folder: o.Folder, log: log, files: &files{paths: o.FilePath, exports: filepath.Join(o.Folder, "exports")}}
	if d.clock = o.Clock; d.clock == nil {
		d.clock = time.Now
	}
	d.touched()
	start := "counter"
	d.route.Store(&start)
	d.store = agent.NewStore(log)
	wording := policy.Wording{Name: shop.NameOf, Currency: shop.Currency, Zone: shop.Zone}
	options := policy.Options{OnCard: o.OnCard, Log: log, Colleagues: shop.Colleagues, VerifyPIN: d.prove, Wording: wording}
	if o.Allow {
		options.Fixed = policy.AnswerAllow
	}
	d.policy = policy.New(options)
	d.bus = bus.New(bus.Options{
		Journal:  journal{log},
		Approver: d.policy,
		Name:     "deskhand", Version: version,
		Conditions:   shop.Conditions(),
		Logger:       slog.Default(),
		Clock:        o.Clock,
		NewRequestID: o.NewRequestID,
		Seed:         o.Seed,
		CompileLate:  true, // a test compiles them all
	})
	kept := secretsFor(o.Folder)
	d.bus.MustRegister(shop.Capabilities(shop.Ports{OpenFile: d.files.open, CreateFile: d.create, Erase: d.erase,
		Random: rand.Reader, Records: log.Search, Secrets: kept, Font: newSystemFonts().find, Post: post{o.Roots}, Hooks: hooks{o.Roots, time.Now},
		Copies: copies{log, d.files, filepath.Join(o.Folder, "backups")}})...)
	d.bus.MustRegister(capabilities.New(log, capabilities.Options{Files: d.files, Replica: d.replica, Zone: shop.Zone})...)
	d.bus.MustRegister(audit.UndoCapability(log, d.bus.Lookup), audit.PurgeCapability(log))
	d.bus.MustRegister(agent.Capabilities(agent.CapabilityOptions{Store: d.store, Lookup: d.bus.Lookup, Wording: wording,
		Status:  func() agent.AssistantStatus { return d.bridge.Status() },
		Running: func(conversation string) string { return d.bridge.Running(conversation) }, TestModel: testModel(kept)})...)
	d.bus.MustRegister(append(d.bus.Discovery(), d.bus.Plan())...)
	answering := &answering{desk: d, fixed: o.Model, secrets: kept, builtin: builtin.New()}
	d.bridge = agent.New(agent.Options{
		Bus:      d.bus,
		Policy:   d.policy,
		Model:    answering.model,
		Price:    answering.price,
		Context:  d.context,
		Personal: []string{"customer", "staff"},
		Store:    d.store,
		Mask:     func(m bus.ModelID) bool { return o.Mask && agent.IsRemote(m) },
		Zone:     d.zone,
		Clock:    o.Clock,
		View:     d.view,
	})
	if err := d.enter(ctx, o); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// erase deletes what the log and the conversations say about somebody.
func (d *desk) erase(ctx context.Context, terms ...string) (records int, err error) {
	gone, err := d.log.Erase(ctx, terms...)
	if err != nil {
		return 0, err
	}
	return gone.Records, d.store.Forget(ctx, terms...)
}

// closeWait bounds how long closing waits for what is running.
const closeWait = 10 * time.Second

// close ends what is running, waits until it has its records, and closes the
// journal: nothing that began is left without its record.
func (d *desk) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	d.bridge.Close()
	return errors.Join(d.bus.Close(ctx), d.log.Close())
}

// view prunes the tools a model is shown to what belongs to the page. A terminal
// shows no page, so there all of them are.
func (d *desk) view() bus.View {
	if d.person.Door != doorWindow {
		return bus.View{}
	}
	return bus.View{Route: *d.route.Load()}
}

// zone is where the shop's days begin.
func (d *desk) zone(ctx context.Context) (zone *time.Location, err error) {
	err = d.log.View(ctx, func(ctx context.Context) error {
		zone, err = shop.Zone(ctx)
		return err
	})
	return zone, err
}

// context is what a model is told about the present state, fresh every turn.
func (d *desk) context(ctx context.Context, p bus.Principal) (state any, err error) {
	err = d.log.View(ctx, func(ctx context.Context) error {
		state, err = shop.Context(ctx, p)
		return err
	})
	return struct {
		Page string `json:"page"`
		Shop any    `json:"shop"`
	}{*d.route.Load(), state}, err
}
