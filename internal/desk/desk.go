// Package desk assembles the application around one shop: journal, bus, policy and bridge. The window and the command
// line each open a [Desk] with their own door.
package desk

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/atomicfile"
	"github.com/deskhand/deskhand/internal/drafts"
	"github.com/deskhand/deskhand/internal/files"
	"github.com/deskhand/deskhand/internal/fonts"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/deskhand/deskhand/internal/peers"
	"github.com/deskhand/deskhand/internal/smtp"
	"github.com/deskhand/deskhand/internal/tills"
	"github.com/deskhand/deskhand/internal/webhook"
	"github.com/deskhand/deskhand/shop"
)

// Version is the application's version, also in the manifest.
const Version = "0.2.0"

// FirstVersion is the version that introduced every capability without a later one in Since.
const FirstVersion = "0.1.0"

// DatabaseName is the name of the file that contains a shop.
const DatabaseName = "shop.db"

// Desk is the application around one shop.
type Desk struct {
	Folder string
	Log    *audit.Log
	Bus    *bus.Bus
	Policy *policy.Policy
	Store  *agent.Store // rules, grants and conversations
	Bridge *agent.Bridge
	Files  *files.Tokens
	Person bus.Principal // the person signed in when it was opened
	Tills  *tills.Tills
	Draft  *drafts.Mark // of the draft in the folder; nil: it contains a shop

	mask     bool // from its options
	beside   bool // another desk of this program exists
	drafts   *drafts.Drafts
	seat     atomic.Pointer[seat] // the signed-in person; nil: none
	touch    atomic.Int64         // last use of the window, Unix nanoseconds
	clock    func() time.Time
	endPeers func()                 // ends the programs of peers
	endSweep func()                 // ends the removal of drafts
	unwatch  func()                 // ends the tasks of serve; nil if it was not called
	route    atomic.Pointer[string] // the current page of the window, by its name in navigation.go
}

// DoorWindow is the door of a person at the window.
const DoorWindow = "window"

// Options holds the differences between doors.
type Options struct {
	Folder    string                 // of the shop
	Create    bool                   // create the folder and an empty database if there is none
	Person    string                 // id, name or role; "" is the owner
	Door      string                 // DoorWindow, DoorTill, "cli", …
	Allow     bool                   // allow every card without showing it
	Deny      string                 // deny every card without showing it, for this reason; "": do not
	OnCard    func(policy.CardEvent) // shows cards; nil: there is no person to ask
	Model     model.Model            // nil: from the settings, or the built-in assistant
	Mask      bool                   // mask personal values for a remote model
	FilePath  bool                   // a file argument may be a path typed by the user
	ShowFile  files.Shower           // opens a file in the system's program for it; nil: there is no window
	SignedOut bool                   // start without a signed-in person, even if no PIN is needed
	PIN       AskPIN                 // asks for a PIN; nil: if one is needed, no person is signed in
	Roots     *x509.CertPool         // accepted certificates of servers; nil: the system's
	Heads     audit.Heads            // stores heads of the log outside the file; nil: nowhere
	Of        *Desk                  // the original of this copy; the copy reaches nothing outside; nil: no copy
	Beside    *Desk                  // another desk of this program on the shop; it closes later and runs the common tasks
	Window    drafts.Window          // shows drafts; nil: there is no window
	Till      Till                   // the window on another computer; nil: it is here
	Joining   *tills.Joining         // turns the window into a till of another shop; nil: impossible
	Serving   *tills.Serving         // serves the shop to tills while the window is open; nil: impossible
	Infer     bool                   // infer the schemas instead of reading the generated ones, and check them

	Clock        func() time.Time // nil: the real one, and real ids and seeds
	NewRequestID func() string
	Seed         func() []byte
}

// NoShopError is the error of opening a folder without a shop.
type NoShopError struct {
	Folder string
	Empty  bool // there is a file of 0 bytes instead
	Till   bool // there is the key of a till: the folder was one, or asked to be
}

// Error describes the missing file and names the command that creates or restores a shop.
func (e NoShopError) Error() string {
	if e.Empty {
		return fmt.Sprintf("the file %s is empty (0 bytes): what it held is lost\n"+
			"Put a copy back: deskhand init --empty, then deskhand invoke shop.restore", filepath.Join(e.Folder, DatabaseName))
	}
	if e.Till {
		return fmt.Sprintf("there is no shop in %s, and till.json is missing, though the key of a till is there\n"+
			"To work at the shop of another computer, have a new code made there (deskhand-host pair) and join again: "+
			"deskhand --data %s join CODE", e.Folder, e.Folder)
	}
	return fmt.Sprintf("there is no shop in %s\n"+
		"Make one with: deskhand init --sample   (or --empty, or --from FILE)", e.Folder)
}

// HoldsShop reports whether a folder contains a shop. A window that was opened there without setting up a shop left a
// file without one.
func HoldsShop(ctx context.Context, folder string) (is bool, err error) {
	path := filepath.Join(folder, DatabaseName)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	log, err := audit.Open(ctx, path, storedOptions())
	if err != nil {
		return false, err
	}
	err = log.View(ctx, shop.NoneYet)
	if e, coded := errors.AsType[*bus.Error](err); coded && e.Reason == bus.ReasonUnavailable {
		is, err = true, nil
	}
	return is, errors.Join(err, log.Close())
}

// find refuses a folder without a shop, or creates it.
func (o Options) find(path string) error {
	info, err := os.Stat(path)
	switch {
	case o.Create && errors.Is(err, fs.ErrNotExist):
		if err := atomicfile.MkdirAll(o.Folder); err != nil {
			return fmt.Errorf("the data folder cannot be made: %w", err)
		}
		return nil
	case o.Create:
		return nil
	case errors.Is(err, fs.ErrNotExist), err == nil && info.Size() == 0:
		key, _ := keychain.New(o.Folder).Find(context.Background(), tills.KeyName) // a keychain may refuse
		return NoShopError{Folder: o.Folder, Empty: err == nil, Till: key != ""}
	}
	return nil
}

// Open opens the shop in a folder. The caller closes the desk.
func Open(ctx context.Context, o Options) (*Desk, error) {
	path := filepath.Join(o.Folder, DatabaseName)
	if err := o.find(path); err != nil {
		return nil, err
	}
	removeReplicas(o.Folder)
	mark, err := drafts.Of(o.Folder)
	if err != nil {
		return nil, err
	}
	if mark != nil {
		if _, err := os.Stat(filepath.Join(drafts.Origin(o.Folder), DatabaseName)); err != nil {
			return nil, fmt.Errorf("this is a draft, and the shop that it is of is not there: %w", err)
		}
	}
	copies := filepath.Join(o.Folder, "backups")
	stored := storedOptions()
	if mark == nil { // the heads of a draft would outlive it
		stored.Heads = o.Heads
	}
	if mark == nil && o.Of == nil {
		stored.Key, stored.SignAfter = logKey(o.Folder), []string{"day.close"}
	}
	stored.Remedy = sync.OnceValue(func() string { // reading the copies takes time
		return files.Remedy(context.WithoutCancel(ctx), copies,
			audit.Options{Migrations: stored.Migrations, Modules: stored.Modules})
	})
	var log *audit.Log
	if o.Beside != nil {
		log = o.Beside.Log.Another()
	} else if log, err = audit.Open(ctx, path, stored); err != nil {
		return nil, fmt.Errorf("the shop cannot be opened: %w", err)
	}
	d := &Desk{Folder: o.Folder, Log: log, Draft: mark, Files: files.New(o.Folder, o.FilePath),
		mask: o.Mask, beside: o.Beside != nil, endSweep: func() {}}
	d.Tills = tills.New(tills.Options{Log: log, Folder: o.Folder, Random: rand.Reader, Own: shop.MainDesk,
		NoShop: shop.NoneYet, Joining: o.Joining, Serving: o.Serving})
	d.drafts = drafts.New(drafts.Options{Log: log, Folder: o.Folder, Database: DatabaseName, Stored: storedOptions(),
		Turn: agent.TurnCapability, Empty: notOnDraft, Here: mark, Window: o.Window})
	if d.clock = o.Clock; d.clock == nil {
		d.clock = time.Now
	}
	d.touched()
	start := "today"
	d.route.Store(&start)
	d.Store = agent.NewStore(log)
	wording := policy.Wording{Name: shop.NameOf, Currency: shop.Currency, Zone: shop.Zone}
	options := policy.Options{Clock: o.Clock, OnCard: o.OnCard, Log: log, Colleagues: shop.Colleagues,
		VerifyPIN: d.checkPIN, Caller: callerAt(o.Door), Wording: wording}
	if options.Copy = mark != nil; o.Allow || mark != nil {
		options.Fixed = bus.AnswerAllow
	} else if o.Deny != "" {
		options.Fixed, options.FixedReason = bus.AnswerDeny, o.Deny
	}
	d.Policy = policy.New(options)
	d.Bus = bus.New(bus.Options{
		Journal:  d.journal(),
		Approver: approver(d.Policy, o.Door),
		Name:     "deskhand", Version: Version,
		Conditions:   shop.Conditions(),
		Logger:       slog.Default(),
		Clock:        o.Clock,
		NewRequestID: o.NewRequestID,
		Seed:         o.Seed,
		CompileLate:  !o.Infer, // a test compiles them all
	})
	secrets := keychain.New(d.shopFolder())
	others := peers.New(peers.Options{Log: log, Open: d.Files.Open, Secrets: secrets, Clock: time.Now})
	models := &models{log: log, fixed: o.Model, secrets: secrets, builtin: builtin.New(shop.Vocabulary())}
	all := slices.Concat(shop.Capabilities(shop.Ports{
		OpenFile: d.Files.Open, OpenFolder: d.Files.OpenFolder, CreateFile: d.Files.CreateExport,
		Erase: d.erase, Random: rand.Reader, Records: log.Search,
		Secrets: secrets, Font: fonts.NewSystem().Find, ShowFile: d.Files.ShowWith(o.ShowFile),
		Post:   smtp.Sender{Roots: o.Roots},
		Hooks:  webhook.Caller{UserAgent: "Deskhand/" + Version, Roots: o.Roots, Clock: time.Now},
		Copies: d.copies(), Head: d.head(o.Of),
	}), capabilities.New(log, capabilities.Options{Files: d.Files, Replica: d.Replica, Zone: shop.Zone}),
		[]bus.Capability{audit.UndoCapability(log), audit.PurgeCapability(log)},
		others.Capabilities(), d.drafts.Capabilities(), d.Tills.Capabilities(),
		agent.Capabilities(agent.CapabilityOptions{Store: d.Store, Wording: wording,
			Status:    func() agent.AssistantStatus { return d.Bridge.Status() },
			Thread:    func(conversation string) (string, []any, int64) { return d.Bridge.Thread(conversation) },
			TestModel: d.testModel(secrets), Replica: d.modelReplica(models), ClientCommand: d.ClientCommand,
			LocalModels: func(ctx context.Context) []model.LocalEndpoint {
				return openai.Local(ctx, LocalModels())
			}}), bus.Capabilities())
	d.onlyMergeable(all)
	if hasNoWindow(o.Door) {
		withoutWindow(all)
	}
	if o.Till != nil {
		atTill(all, o.Till)
	}
	for i := range all {
		all[i].Since = cmp.Or(all[i].Since, FirstVersion)
	}
	if !o.Infer {
		if err = addSchemas(all); err != nil {
			return nil, errors.Join(err, log.Close())
		}
	}
	switches := d.Store
	if o.Of == nil {
		d.Bus.MustRegister(all...)
		d.endPeers, err = others.Register(ctx, d.Bus)
	} else {
		withoutOutside(all)
		d.Bus.MustRegister(all...)
		switches, d.endPeers = o.Of.Store, func() {}
	}
	if err != nil {
		return nil, errors.Join(err, log.Close())
	}
	d.Bridge = agent.New(agent.Options{
		Bus:      d.Bus,
		Policy:   d.Policy,
		Model:    models.current,
		Price:    models.price,
		Core:     d.core,
		Context:  d.context,
		Personal: []string{"customer", "staff"}, NameFields: []string{"customer", "staff"},
		Store: d.Store, Switches: switches,
		Note:  d.draftNote(),
		Forms: isWindow(o.Door),
		Mask:  func(m bus.ModelID) bool { return o.Mask && model.IsRemote(m) },
		Zone:  func(ctx context.Context) (*time.Location, error) { return read(ctx, log, shop.Zone) },
		Clock: o.Clock,
		View:  d.view,
	})
	if err := d.signIn(ctx, o); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.sweepDrafts() // last: it may call the window, which waits for the desk
	return d, nil
}

// Serve runs the tasks of a window until the desk is closed: it shows the cards of other programs on the shop, writes
// the daily copies, ends expired drafts and runs due routines. Of several desks in one program only the first does more
// than show cards. Call it once.
func (d *Desk) Serve() {
	if d.beside {
		d.WatchCards()
		return
	}
	d.serve(d.Policy.Watch, func(ctx context.Context) { d.Tills.Serve(ctx, d.Bus) },
		every(time.Hour, "write the daily copy", d.CopyIfDue),
		every(time.Hour, "sign the log", d.Log.SignIfDue),
		every(time.Hour, "end a draft", d.EndDrafts),
		func(ctx context.Context) {
			var running sync.WaitGroup
			every(time.Minute, "run a routine at its time", func(ctx context.Context) error {
				return d.RunDue(ctx, running.Go)
			})(ctx)
			running.Wait()
		})
}

// WatchCards also shows the cards of other programs on the shop, until the desk is closed. Call it once.
func (d *Desk) WatchCards() { d.serve(d.Policy.Watch) }

// serve runs tasks until the desk is closed.
func (d *Desk) serve(all ...func(context.Context)) {
	ctx, cancel := context.WithCancel(context.Background())
	var ended sync.WaitGroup
	for _, one := range all {
		ended.Go(func() { one(ctx) })
	}
	d.unwatch = func() { cancel(); ended.Wait() }
}

// Manifest lists every capability, on an empty shop, because it does not depend on data.
func Manifest(ctx context.Context) (bus.Manifest, error) { return manifest(ctx, false) }

// InferredManifest is Manifest with the schemas inferred from the Go types. The generated schemas come from it.
func InferredManifest(ctx context.Context) (bus.Manifest, error) { return manifest(ctx, true) }

func manifest(ctx context.Context, infer bool) (m bus.Manifest, err error) {
	folder, err := os.MkdirTemp("", "deskhand-gen-")
	if err != nil {
		return m, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	d, err := Open(ctx, Options{Folder: folder, Create: true, Door: "cli", Infer: infer})
	if err != nil {
		return m, err
	}
	m, err = d.Bus.Manifest(ctx, bus.View{All: true})
	return m, errors.Join(err, d.Close())
}

// erase deletes a person's terms from the log and the conversations.
func (d *Desk) erase(ctx context.Context, terms ...string) (records int, err error) {
	gone, err := d.Log.Erase(ctx, terms...)
	if err != nil {
		return 0, err
	}
	return gone.Records, errors.Join(d.Store.Forget(ctx, terms...), d.drafts.Forget(ctx))
}

// closeWait limits the wait of Close for running invocations.
const closeWait = 10 * time.Second

// Close ends running invocations, waits for their records, and closes the journal.
func (d *Desk) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	if d.unwatch != nil {
		d.unwatch()
	}
	d.Bridge.Close()
	defer d.endPeers()
	err := d.Bus.Close(ctx)
	d.endSweep()
	return errors.Join(err, d.Log.Close())
}

// modules returns the migrations of the tables besides those of the shop.
func modules() map[string]fs.FS {
	all := agent.Modules()
	all["peers"], all["drafts"], all["tills"] = peers.Module(), drafts.Module(), tills.Module()
	return all
}

// storedOptions returns the common options of all logs of a shop.
func storedOptions() audit.Options {
	return audit.Options{Migrations: shop.Migrations(), Modules: modules(), Turn: agent.TurnCapability,
		Plans: []string{drafts.MergeCapability}, Logger: slog.Default(), Check: shop.CheckDerived,
		Rebuild: shop.RebuildDerived(), Undoable: shop.Undoable, Progress: logTree}
}

// logTree logs the progress of building the tree of a long log of an earlier version. Opening it takes seconds, once.
func logTree(done, total int64) {
	const step = 1 << 17
	if total >= step && (done == total || done%step == 0) {
		slog.Warn("The log of an earlier version is prepared, once.", "records", done, "of", total)
	}
}

// view limits a model's tools to those of the window's page. A terminal shows no page, so all tools remain.
func (d *Desk) view() bus.View {
	if !isWindow(d.Person.Door) {
		return bus.View{}
	}
	return bus.View{Route: *d.route.Load()}
}

// read returns the result of a function in a snapshot of the shop.
func read[T any](ctx context.Context, log *audit.Log, f func(context.Context) (T, error)) (v T, err error) {
	err = log.View(ctx, func(ctx context.Context) error {
		v, err = f(ctx)
		return err
	})
	return v, err
}

// context returns the current state for a model, read again for every turn.
func (d *Desk) context(ctx context.Context, p bus.Principal) (any, error) {
	state, err := read(ctx, d.Log, func(ctx context.Context) (any, error) { return shop.Context(ctx, p) })
	return struct {
		Page string `json:"page"`
		Shop any    `json:"shop"`
	}{*d.route.Load(), state}, err
}

// Invoke runs one capability for the person the desk was opened for, as the command line's caller.
func (d *Desk) Invoke(ctx context.Context, name string, args any, source string) (bus.Result, error) {
	raw, err := json.Marshal(args)
	if err != nil {
		return bus.Result{}, err
	}
	return d.Bus.Invoke(ctx, bus.Invocation{Capability: name, Arguments: raw, Principal: d.Person,
		Caller: bus.Caller{Type: bus.CallerCLI, Source: source}}), nil
}

// Journal is the shop's log. It marks the context of a dry run, so that such a run writes nothing outside the file.
type Journal struct{ *audit.Log }

// DryRun implements [bus.Journal].
func (j Journal) DryRun(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	return j.Log.DryRun(ctx, e, func(ctx context.Context, x bus.Exec) error {
		return run(keychain.WithDryRun(ctx), x)
	})
}
