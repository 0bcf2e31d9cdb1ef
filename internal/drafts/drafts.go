// Package drafts keeps copies of a shop on which a person and an assistant try things out, and merges what was done
// there into the shop. A copy has the domain's rows in a file and a folder of its own beside the shop's file; a desk
// that is opened on that folder is a desk on the copy.
package drafts

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/atomicfile"
)

//go:embed migrations/*.sql
var migrations embed.FS

//go:embed texts.txt
var texts string

// Module is the table of drafts, for audit.Options.Modules.
func Module() fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic("drafts: " + err.Error()) // the folder is embedded above
	}
	return sub
}

// Lasts is how long a draft is kept.
const Lasts = 7 * 24 * time.Hour

// markName is the file that tells a draft's folder from a shop's.
const markName = "draft.json"

// Domain is that of the state changes of drafts.
const Domain = "draft"

// Mark says which draft a folder holds.
type Mark struct {
	ID       string `json:"draftId"`
	OpenedBy string `json:"openedBy"`
	OpenedAt int64  `json:"openedAt" x:"time=true"` // ms since 1970
}

// Of returns the mark of a folder, nil when it holds no draft.
func Of(folder string) (*Mark, error) {
	text, err := os.ReadFile(filepath.Join(folder, markName))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	var m Mark
	if err := json.Unmarshal(text, &m); err != nil || m.ID == "" {
		return nil, fmt.Errorf("%s is damaged: remove the folder %s", markName, folder)
	}
	return &m, nil
}

// Origin is the folder of the shop that a draft's folder is a copy of.
func Origin(folder string) string {
	if whole, err := filepath.Abs(folder); err == nil {
		folder = whole
	}
	return filepath.Dir(filepath.Dir(folder))
}

// Options are what the drafts of a shop need.
type Options struct {
	Log      *audit.Log    // of the shop
	Folder   string        // of the shop
	Database string        // name of its file
	Stored   audit.Options // of the log of a draft
	Turn     string        // the capability whose records stand for turns of the assistant
	Empty    []string      // tables of which a draft has no rows
	Here     *Mark         // the desk is on this draft itself; nil: on the shop
	Window   Window        // nil: there is none
}

// Window is what shows a shop or a draft of it.
type Window interface {
	// Enter has it show a draft to a person, or with "" the shop.
	Enter(ctx context.Context, id, person string) error
	// Ended has it leave a draft that is over, if it shows it, and returns when the file is open no more.
	Ended(id string)
}

// Drafts are the copies of a shop.
type Drafts struct{ o Options }

// New returns the drafts of a shop.
func New(o Options) *Drafts { return &Drafts{o} }

// FolderOf is where a draft lies.
func (d *Drafts) FolderOf(id string) string { return filepath.Join(d.o.Folder, "drafts", id) }

// row is a draft as it is kept.
type row struct {
	Mark
	endedAt int64
}

// rows are those of an id, or all.
func (d *Drafts) rows(ctx context.Context, id string) (list []row, err error) {
	err = d.o.Log.Query(ctx, func(scan func(dest ...any) error) error {
		var r row
		err := scan(&r.ID, &r.OpenedBy, &r.OpenedAt, &r.endedAt)
		list = append(list, r)
		return err
	}, `SELECT id, opened_by, opened_at, ended_at FROM agent_drafts WHERE id = ?1 OR ?1 = '' ORDER BY opened_at`, id)
	return list, err
}

// find returns a draft that a person can work on: who opened it, or the owner.
func (d *Drafts) find(ctx context.Context, p bus.Principal, id string) (row, error) {
	found, err := d.rows(ctx, id)
	switch {
	case err != nil:
		return row{}, err
	case id == "" || len(found) == 0:
		return row{}, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no draft %q.", id).
			WithHint("draft.list lists them.")
	case found[0].endedAt != 0:
		return row{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "This draft was merged or discarded.").
			WithHint("draft.list lists those that are open.")
	case found[0].OpenedBy != p.ID && !p.Has("draft:write"):
		return row{}, bus.Errorf(bus.Forbidden, bus.ReasonPermission, "Somebody else opened this draft.").
			WithHint("Who opened it, or the owner, can do that.")
	}
	return found[0], nil
}

// fork writes the copy.
func (d *Drafts) fork(ctx context.Context, m Mark) error {
	folder := d.FolderOf(m.ID)
	err := atomicfile.MkdirAll(folder)
	text, _ := json.Marshal(m) // texts and a number
	if err == nil {            // before the rows: without it they would be a shop
		err = atomicfile.Write(filepath.Join(folder, markName), text, 0o600)
	}
	if err == nil {
		err = d.o.Log.Fork(ctx, filepath.Join(folder, d.o.Database), d.o.Empty...)
	}
	if err != nil {
		return errors.Join(err, os.RemoveAll(folder))
	}
	return nil
}

// history is what was done on a draft.
type history struct {
	done    []bus.Record   // what changed something and still holds, oldest first
	outside []audit.Record // what was to reach outside, newest first
	turns   []audit.Record // of the assistant, newest first
}

// read reads the log of a draft, which may be open in the window at the time.
func (d *Drafts) read(ctx context.Context, id string) (h history, err error) {
	path := filepath.Join(d.FolderOf(id), d.o.Database)
	if _, err := os.Stat(path); err != nil {
		return h, bus.Errorf(bus.NotFound, bus.ReasonRecord, "The file of the draft is gone.").
			WithHint("draft.discard takes it off the list.").WithCause(err)
	}
	log, err := audit.Open(ctx, path, d.o.Stored)
	if err != nil {
		return h, err
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	if h.done, err = log.Standing(ctx); err != nil {
		return h, err
	}
	waits, err := searchAll(ctx, log, audit.Query{SideEffect: bus.Network, Code: bus.PreconditionFailed})
	if err != nil {
		return h, err
	}
	for _, r := range waits {
		again := slices.ContainsFunc(h.outside, func(o audit.Record) bool {
			return o.Capability == r.Capability && string(o.Arguments) == string(r.Arguments)
		})
		if r.Reason == bus.ReasonPrecondition && !r.DryRun && !again {
			h.outside = append(h.outside, r)
		}
	}
	h.turns, err = searchAll(ctx, log, audit.Query{Capability: d.o.Turn})
	return h, err
}

// searchAll is every record that a query finds.
func searchAll(ctx context.Context, log *audit.Log, q audit.Query) (all []audit.Record, err error) {
	for {
		page, err := log.Search(ctx, q)
		all = append(all, page.Records...)
		if err != nil || page.NextCursor == "" {
			return all, err
		}
		q.Cursor = page.NextCursor
	}
}

// Forget ends every draft: what was erased in the shop is not to stay in a copy.
func (d *Drafts) Forget(ctx context.Context) error {
	return d.o.Log.UpdateBridge(ctx, func(ctx context.Context) error {
		return d.o.Log.Exec(ctx, `UPDATE agent_drafts SET ended_at = 1 WHERE ended_at = 0`)
	})
}

// end notes that a draft is over; its files are removed after the commit.
func (d *Drafts) end(ctx context.Context, call *bus.Call, id string) error {
	return d.o.Log.Exec(ctx, `UPDATE agent_drafts SET ended_at = ? WHERE id = ?`, call.Now.UnixMilli(), id)
}

// opening is how long the opening of a draft may take at most.
const opening = time.Hour

// Sweep has the window leave a draft that is over, and removes the folders of those, and of what a program began to
// open and did not. Another program may have removed a folder already, also under a window.
func (d *Drafts) Sweep(ctx context.Context) error {
	folders, err := os.ReadDir(filepath.Join(d.o.Folder, "drafts"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var known []row
	if err := d.o.Log.View(ctx, func(ctx context.Context) (err error) {
		known, err = d.rows(ctx, "")
		return err
	}); err != nil {
		return err
	}
	over := map[string]bool{}
	for _, r := range known {
		if over[r.ID] = r.endedAt != 0; over[r.ID] && d.o.Window != nil {
			d.o.Window.Ended(r.ID)
		}
	}
	for _, f := range folders {
		ended, listed := over[f.Name()]
		if info, gone := f.Info(); !listed && gone == nil {
			ended = time.Since(info.ModTime()) > opening
		}
		if ended {
			err = errors.Join(err, os.RemoveAll(d.FolderOf(f.Name())))
		}
	}
	return err
}
