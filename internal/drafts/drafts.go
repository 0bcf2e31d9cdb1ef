// Package drafts manages copies of a shop on which a person and an assistant try changes, and merges the changes into
// the shop. A copy has the domain's rows in a separate file and folder next to the shop's file. A desk opened on that
// folder works on the copy.
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

// Module returns the migrations of the table of drafts, for audit.Options.Modules.
func Module() fs.FS {
	sub, err := fs.Sub(migrations, "migrations")
	if err != nil {
		panic("drafts: " + err.Error()) // the folder is embedded above
	}
	return sub
}

// Lasts is the lifetime of a draft.
const Lasts = 7 * 24 * time.Hour

// markName is the file that distinguishes a draft's folder from a shop's.
const markName = "draft.json"

// Domain is the domain of the state changes of drafts.
const Domain = "draft"

// Mark identifies the draft in a folder.
type Mark struct {
	ID       string `json:"draftId"`
	OpenedBy string `json:"openedBy"`
	OpenedAt int64  `json:"openedAt" x:"time=true"` // Unix milliseconds
}

// Of returns the mark of a folder, or nil if it contains no draft.
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

// Origin returns the folder of the shop that a draft's folder is a copy of.
func Origin(folder string) string {
	if whole, err := filepath.Abs(folder); err == nil {
		folder = whole
	}
	return filepath.Dir(filepath.Dir(folder))
}

// Options configures the drafts of a shop.
type Options struct {
	Log      *audit.Log    // of the shop
	Folder   string        // of the shop
	Database string        // name of its file
	Stored   audit.Options // of the log of a draft
	Turn     string        // the capability whose records represent turns of the assistant
	Empty    []string      // tables that are empty in a draft
	Here     *Mark         // the draft that the desk works on; nil on the shop
	Window   Window        // nil if there is none
}

// Window shows a shop or a draft of it.
type Window interface {
	// Enter makes it show a draft to a person, or with "" the shop.
	Enter(ctx context.Context, id, person string) error
	// Ended makes it leave a draft that has ended, if it shows the draft, and returns when the file is closed.
	Ended(id string)
}

// Drafts manages the drafts of a shop.
type Drafts struct{ o Options }

// New returns the drafts of a shop.
func New(o Options) *Drafts { return &Drafts{o} }

// FolderOf returns the folder of a draft.
func (d *Drafts) FolderOf(id string) string { return filepath.Join(d.o.Folder, "drafts", id) }

// row is a draft in its table.
type row struct {
	Mark
	endedAt int64
}

// rows returns the draft with an id, or all drafts.
func (d *Drafts) rows(ctx context.Context, id string) (list []row, err error) {
	err = d.o.Log.Query(ctx, func(scan func(dest ...any) error) error {
		var r row
		err := scan(&r.ID, &r.OpenedBy, &r.OpenedAt, &r.endedAt)
		list = append(list, r)
		return err
	}, `SELECT id, opened_by, opened_at, ended_at FROM agent_drafts WHERE id = ?1 OR ?1 = '' ORDER BY opened_at`, id)
	return list, err
}

// find returns a draft that a person may work on: its creator, or the owner.
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
	if err == nil {            // before the rows, because without the mark they would be a shop
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

// history holds the activity on a draft.
type history struct {
	done    []bus.Record   // changes that still apply, oldest first
	outside []audit.Record // calls with outside effects, newest first
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

// searchAll returns all records that match a query.
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

// Forget ends every draft, because data erased in the shop must not stay in a copy.
func (d *Drafts) Forget(ctx context.Context) error {
	return d.o.Log.UpdateBridge(ctx, func(ctx context.Context) error {
		return d.o.Log.Exec(ctx, `UPDATE agent_drafts SET ended_at = 1 WHERE ended_at = 0`)
	})
}

// end marks a draft as ended. Its files are removed after the commit.
func (d *Drafts) end(ctx context.Context, call *bus.Call, id string) error {
	return d.o.Log.Exec(ctx, `UPDATE agent_drafts SET ended_at = ? WHERE id = ?`, call.Now.UnixMilli(), id)
}

// opening limits the time for opening a draft.
const opening = time.Hour

// Sweep makes the window leave a draft that has ended. It removes the folders of ended drafts, and of drafts whose
// opening was interrupted. Another program may have removed a folder already, even if a window shows it.
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
