package transfer

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/staff"
)

// Copies stores copies of the whole shop including its log. It is a port because handlers have no access to files. An
// error with a code carries advice for the user.
type Copies interface {
	// Backup writes a copy while the shop stays in use, and returns its location for display. file is the user's
	// choice, a new file or a folder; "" is the shop's own folder of copies. name is the copy's name in a folder.
	// Backup never replaces a file.
	Backup(ctx context.Context, file, name string) (c audit.Copy, where string, err error)
	// Restore replaces the shop by a copy, see [audit.Log.Restore], and keeps the replaced shop as aside in the shop's
	// folder of copies. file is the user's choice or the name of a copy in that folder; "" is the newest copy there.
	// Restore returns the name of the copy.
	Restore(ctx context.Context, file, aside string, progress func(done, total int64)) (r audit.Restored, name string,
		err error)
	// List returns the copies in the shop's folder, newest first. It omits unreadable ones.
	List(ctx context.Context) (folder string, copies []ListedCopy, err error)
	// Remove deletes a copy from that folder.
	Remove(ctx context.Context, name string) error
}

// ListedCopy is one of the shop's own copies.
type ListedCopy struct {
	Name string
	audit.Copy
}

// Written returns the time in the copy's name, or the zero time if the name has none.
func (c ListedCopy) Written() time.Time {
	_, stamp, _ := strings.Cut(c.Name, "-")
	at, err := time.Parse(core.FileStampLayout, stamp[:min(len(stamp), len(core.FileStampLayout))])
	if err != nil {
		return time.Time{}
	}
	return at
}

// CopyPrefix is the prefix of copies. The shop that a restore replaced has another prefix.
const CopyPrefix = "shop-"

// dailySuffix is the suffix of daily copies. keepDaily limits their number.
const dailySuffix = "-daily.db"

// keepDaily is the number of daily copies to keep.
const keepDaily = 7

type backupIn struct {
	File  string `json:"file,omitempty" jsonschema:"maxLength=4096"`
	Daily bool   `json:"daily,omitempty"`
}

type backupOut struct {
	File    string `json:"file" doc:"Where it is."`
	Records int64  `json:"records" doc:"Of the audit log in it."`
	Head    string `json:"head" doc:"Hash of the last of them: note it elsewhere to know the copy again."`
	Bytes   int64  `json:"bytes"`
}

// domainCopies is the domain of changes to copies.
const domainCopies = "backup"

func shopBackup(p Ports) bus.Capability {
	return bus.Define(core.Write(bus.Capability{
		Name: "shop.backup", Texts: texts, Changes: []string{domainCopies},
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
		suffix := ".db"
		if in.Daily {
			suffix = dailySuffix
		}
		c, where, err := p.Copies.Backup(ctx, in.File, CopyPrefix+core.FileStamp(call)+suffix)
		if err == nil && in.Daily {
			err = removeOldDaily(ctx, p.Copies)
		}
		if err != nil {
			return backupOut{}, err
		}
		call.Summarize("Wrote a copy of the shop to %s", where)
		call.Announce(domainCopies, bus.Textf("A copy of the shop was written."))
		return backupOut{where, c.Records, c.Head, c.Bytes}, nil
	})
}

// removeOldDaily removes all daily copies except the newest.
func removeOldDaily(ctx context.Context, copies Copies) error {
	_, all, err := copies.List(ctx)
	daily := 0
	for _, c := range all {
		if strings.HasSuffix(c.Name, dailySuffix) {
			if daily++; daily > keepDaily {
				err = errors.Join(err, copies.Remove(ctx, c.Name))
			}
		}
	}
	return err
}

type listBackupsOut struct {
	Folder string         `json:"folder" doc:"Where they are."`
	Daily  bool           `json:"daily" doc:"One is written each day."`
	Copies []listedBackup `json:"copies" doc:"The newest first."`
}

type listedBackup struct {
	Name     string `json:"name"`
	Written  int64  `json:"written" doc:"In ms since 1970." x:"time=true"`
	Records  int64  `json:"records" doc:"Of the audit log in it."`
	Bytes    int64  `json:"bytes"`
	Daily    bool   `json:"daily" doc:"It goes when it is no longer among the newest of its kind."`
	Replaced bool   `json:"replaced" doc:"What a restore has replaced."`
	lost
}

// lost counts the records of the shop that a copy lacks.
type lost struct {
	Orders    int64 `json:"lostOrders" doc:"Placed since: they would be lost."`
	Customers int64 `json:"lostCustomers" doc:"New since: they would be lost."`
}

func lostSince(ctx context.Context, at int64) (l lost, err error) {
	l, _, err = core.Find(ctx, func(r core.Row) (l lost, err error) { return l, r.Scan(&l.Orders, &l.Customers) },
		`SELECT (SELECT count(*) FROM orders WHERE placed_at > ?1), (SELECT count(*) FROM customers WHERE created_at > ?1)`,
		at)
	return l, err
}

func shopListBackups(p Ports) bus.Capability {
	return bus.Define(core.Read(bus.Capability{Name: "shop.listBackups", Texts: texts, Type: bus.TypeData,
		Provides:  []string{domainCopies, "order", "customer"}, // the preview names the losses
		Resources: []string{"database:read", "filesystem:read"},
		Checks:    bus.Checks{Access: core.AgentNever}}),
		func(ctx context.Context, _ *bus.Call, _ struct{}) (out listBackupsOut, err error) {
			if p.Copies == nil {
				return out, core.ErrNoFiles()
			}
			if out.Daily, err = IsDaily(ctx); err != nil {
				return out, err
			}
			folder, copies, err := p.Copies.List(ctx)
			out.Folder, out.Copies = folder, []listedBackup{}
			for _, c := range copies {
				gone, failed := lostSince(ctx, c.Time)
				err = errors.Join(err, failed)
				out.Copies = append(out.Copies, listedBackup{c.Name, c.Written().UnixMilli(), c.Records, c.Bytes,
					strings.HasSuffix(c.Name, dailySuffix), !strings.HasPrefix(c.Name, CopyPrefix), gone})
			}
			return out, err
		})
}

// dailyPreference is the name of a preference of the whole desk, "on" or "off".
const dailyPreference = "dailyBackup"

// IsDaily reports whether the shop is copied each day. The default is on.
func IsDaily(ctx context.Context) (bool, error) {
	kept, err := core.Preference(ctx, staff.WholeDesk, dailyPreference, "on")
	return kept == "on", err
}

// DailyDue reports whether it is time to write a daily copy: daily copies are on, and the newest copy is a day old. If
// there is no copy, the age of the shop counts. It runs inside Journal.View.
func DailyDue(ctx context.Context, copies []ListedCopy, now time.Time) (bool, error) {
	wanted, err := IsDaily(ctx)
	if err != nil || !wanted {
		return false, err
	}
	setUp, found, err := core.Find(ctx, func(r core.Row) (ms int64, err error) { return ms, r.Scan(&ms) },
		`SELECT set_up_at FROM shop`)
	newest := time.UnixMilli(setUp)
	for _, c := range copies {
		if at := c.Written(); at.After(newest) {
			newest = at
		}
	}
	return found && now.Sub(newest) >= 24*time.Hour, err
}

type setDailyIn struct {
	Daily bool `json:"daily"`
}

func shopSetDailyBackup() bus.Capability {
	return bus.Define(core.Change(bus.Capability{Name: "shop.setDailyBackup", Texts: texts, Type: bus.TypeControl,
		Changes: []string{domainCopies},
		Listing: bus.Listing{Current: func(ctx context.Context, _ *bus.Call) (any, error) { return IsDaily(ctx) }},
		Checks:  bus.Checks{Access: core.AgentNever},
		Run:     bus.Run{Idempotent: true}}),
		func(ctx context.Context, call *bus.Call, in setDailyIn) (setDailyIn, error) {
			value, words := "off", bus.Textf("Write no daily copies")
			if in.Daily {
				value, words = "on", bus.Textf("Write a copy of the shop each day")
			}
			call.Summarize("%s", words)
			call.Announce(domainCopies, bus.Textf("%s.", words))
			return in, core.SetPreference(ctx, staff.WholeDesk, dailyPreference, value)
		})
}

type restoreIn struct {
	File string `json:"file,omitempty" jsonschema:"maxLength=4096" x:"file=backup"`
}

type restoreOut struct {
	File    string   `json:"file" doc:"Name of the copy."`
	Records int64    `json:"records" doc:"Of the audit log in it."`
	Head    string   `json:"head" doc:"Hash of the last of them."`
	Time    int64    `json:"time" doc:"Unix ms of the last: later ones are not in the shop any more." x:"time=true"`
	KeptAs  string   `json:"keptAs" doc:"Name under which the replaced shop lies among the copies."`
	Reerase []string `json:"reerase"`
	Numbers bool     `json:"numbersKnown" doc:"Else numbers of receipts may be given twice."`
}

func shopRestore(p Ports) bus.Capability {
	return bus.Define(bus.Capability{
		Name: "shop.restore", Texts: texts, Changes: []string{"shop", "*"}, SideEffect: bus.Destructive,
		Permissions: []string{"shop:write"},
		Facts:       []string{"head", "records"},
		Resources:   []string{"database:write", "filesystem:read", "filesystem:write"},
		Checks:      bus.Checks{Access: bus.Access{User: bus.RuleConfirm, Agent: bus.RuleDeny}},
		Run:         bus.Run{Concurrency: bus.Exclusive, Timeout: time.Hour, Background: true},
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
		gone, err := lostSince(ctx, r.Time)
		if err != nil {
			return restoreOut{}, err
		}
		call.Summarize("Replace the shop by %s, which ends on %s. Lost since then: orders %d, new customers %d", name,
			last, gone.Orders, gone.Customers)
		call.Announce("shop", bus.Textf("The shop was restored from %s.", name))
		call.Changed("*", "")
		if n := len(r.Reerase); n > 0 {
			call.Notify("warning", "%d erasures were made after this copy: repeat them.", n)
		}
		if !r.Numbers {
			call.Notify("warning", "Numbers of receipts given after this copy may be given again.")
		}
		return restoreOut{name, r.Records, r.Head, r.Time, kept, r.Reerase, r.Numbers}, nil
	})
}
