package transfer

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// Copies keeps copies of the whole shop, its log included: a port, since
// handlers reach no files by themselves. An error with a code says what to do.
type Copies interface {
	// Backup writes a copy while everything goes on, and says where it is, for people to read. file is what a person
	// chose, a new file or a folder; "" is the shop's own folder of copies. name is the copy's in a folder. Nothing is
	// replaced.
	Backup(ctx context.Context, file, name string) (c audit.Copy, where string, err error)
	// Restore puts a copy in the place of the shop, see [audit.Log.Restore]; what it replaces is kept as aside in the
	// shop's own folder of copies. file is what a person chose, or the name of a copy in that folder; "" is the newest
	// one there. name is the copy's.
	Restore(ctx context.Context, file, aside string, progress func(done, total int64)) (r audit.Restored, name string,
		err error)
}

// CopyPrefix begins the names of copies; what a restore has replaced is not one.
const CopyPrefix = "shop-"

type backupIn struct {
	File string `json:"file,omitempty" jsonschema:"maxLength=4096"`
}

type backupOut struct {
	File    string `json:"file" doc:"Where it is."`
	Records int64  `json:"records" doc:"Of the audit log in it."`
	Head    string `json:"head" doc:"Hash of the last of them: note it elsewhere to know the copy again."`
	Bytes   int64  `json:"bytes"`
}

func shopBackup(p Ports) bus.Capability {
	return bus.Define(core.Write(bus.Capability{
		Name: "shop.backup", Texts: texts,
		Resources: []string{"database:read", "filesystem:write"},
		Checks:    bus.Checks{Access: core.AgentNever},
		Run: bus.Run{
			Background:  true,
			Concurrency: bus.Exclusive,
			Timeout:     time.Hour,
			Preview: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
				call.Summarize("Write a copy of the shop")
				return call.Arguments, nil
			},
		},
	}), func(ctx context.Context, call *bus.Call, in backupIn) (backupOut, error) {
		if p.Copies == nil {
			return backupOut{}, core.ErrNoFiles()
		}
		c, where, err := p.Copies.Backup(ctx, in.File, CopyPrefix+core.FileStamp(call)+".db")
		if err != nil {
			return backupOut{}, err
		}
		call.Summarize("Wrote a copy of the shop to %s", where)
		return backupOut{where, c.Records, c.Head, c.Bytes}, nil
	})
}

type restoreIn struct {
	File string `json:"file,omitempty" jsonschema:"maxLength=4096" x:"file=backup"`
}

type restoreOut struct {
	File    string   `json:"file" doc:"Name of the copy."`
	Records int64    `json:"records" doc:"Of the audit log in it."`
	Head    string   `json:"head" doc:"Hash of the last of them."`
	Time    int64    `json:"time" doc:"Of the last of them, ms since 1970: nothing after it is in the shop any more."`
	KeptAs  string   `json:"keptAs" doc:"Name under which the replaced shop lies among the copies."`
	Reerase []string `json:"reerase"`
}

func shopRestore(p Ports) bus.Capability {
	return bus.Define(bus.Capability{
		Name: "shop.restore", Texts: texts, SideEffect: bus.Destructive, Permissions: []string{"shop:write"},
		Facts:     []string{"head", "records"},
		Resources: []string{"database:write", "filesystem:read", "filesystem:write"},
		Checks:    bus.Checks{Access: bus.Access{User: bus.RuleConfirm, Agent: bus.RuleDeny}},
		Run:       bus.Run{Concurrency: bus.Exclusive, Timeout: time.Hour, Background: true},
	}, func(ctx context.Context, call *bus.Call, in restoreIn) (restoreOut, error) {
		if p.Copies == nil {
			return restoreOut{}, core.ErrNoFiles()
		}
		kept := "replaced-" + core.FileStamp(call) + ".db"
		r, name, err := p.Copies.Restore(ctx, in.File, kept, func(done, total int64) {
			call.Progress(int(done*100/max(total, 1)), "Checking the copy")
		})
		if err != nil {
			return restoreOut{}, err
		}
		call.Fact("head", r.Head)
		call.Fact("records", r.Records)
		last := time.UnixMilli(r.Time).UTC().Format("2006-01-02 15:04 MST")
		call.Summarize("Replace the shop by %s, which ends on %s", name, last)
		call.Changed("shop", fmt.Sprintf("The shop was restored from %s.", name))
		if n := len(r.Reerase); n > 0 {
			call.Notify("warning", "%d erasures were made after this copy: repeat them.", n)
		}
		return restoreOut{name, r.Records, r.Head, r.Time, kept, r.Reerase}, nil
	})
}
