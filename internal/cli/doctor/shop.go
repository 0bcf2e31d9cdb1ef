package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/deskhand/deskhand/shop/settings"
	"github.com/deskhand/deskhand/shop/transfer"
)

const (
	// clockSlack is the accepted difference of two clocks.
	clockSlack = 2 * time.Minute
	// copyEvery is the maximum age of the newest copy of a shop.
	copyEvery = 30 * 24 * time.Hour
	// askPatience limits the time for an answer of an endpoint.
	askPatience = 30 * time.Second
)

// shop opens the shop and checks its parts.
func (d *doctor) shop() []check {
	at, err := d.Open()
	if err != nil {
		return []check{cannotOpen(err)}
	}
	path := filepath.Join(d.Folder, desk.DatabaseName)
	list := []check{{Name: "shop", OK: true, Says: path}, d.writable(at), d.chain(at), d.clock(at), d.copies()}
	list = append(append(list, d.model(at)...), d.host(at)...)
	if err := at.Close(); err != nil {
		list = append(list, check{Name: "shop", Says: "it cannot be closed: " + err.Error(), Mend: "check the disk"})
	}
	return list
}

func cannotOpen(err error) check {
	var told *bus.Error
	var none desk.NoShopError
	c := check{Name: "shop", Says: err.Error(), Mend: "if it is from a newer program, update this one"}
	switch {
	case errors.As(err, &none) && none.Till:
		c.Says = "none in the data folder, which has the key of a till: its till.json is missing"
		c.Mend = "have a new code made at the host and join again: deskhand join CODE"
	case errors.As(err, &none):
		c.Says, c.Mend = "none in the data folder", makeShop
	case audit.IsLocked(err):
		c.Says, c.Mend = held, heldMend
	case audit.IsFull(err):
		c.Says, c.Mend = "the disk is full", "make room on it"
	case audit.IsReadOnly(err):
		c.Says = "its file or folder cannot be written"
		c.Mend = "give yourself the right to write " + desk.DatabaseName + " and its folder"
	case audit.IsDamaged(err) && errors.As(err, &told):
		c.Says, c.Mend = told.Message, told.Hint
	}
	return c
}

const (
	makeShop = "deskhand init --sample   (or --empty, or --from FILE)"
	held     = "another program holds it locked, so nothing can be saved"
	setClock = "set the system's clock by the network (Linux: timedatectl set-ntp true)"
	heldMend = "end what has it open: a copy or sync program, a database browser, a Deskhand that hangs"
)

// errOnlyLooking rolls the trial transaction back.
var errOnlyLooking = errors.New("only looking")

// writable begins a transaction and rolls it back.
func (d *doctor) writable(at *desk.Desk) check {
	err := at.Log.UpdateBridge(d.ctx, func(context.Context) error { return errOnlyLooking })
	c := check{Name: "lock", OK: true, Says: "free: changes can be saved"}
	switch {
	case errors.Is(err, errOnlyLooking):
	case audit.IsLocked(err):
		c.OK, c.Says, c.Mend = false, held, heldMend
	default:
		c.OK, c.Says = false, fmt.Sprintf("changes cannot be saved: %v", err)
		c.Mend = "check the disk and the rights of " + d.Folder
	}
	return c
}

// chain verifies the log, also against the heads stored outside the file.
func (d *doctor) chain(at *desk.Desk) check {
	v, err := at.Log.Verify(d.ctx, nil)
	c := check{Name: "audit log", OK: err == nil && v.OK, Says: fmt.Sprintf("%d records, the chain is whole", v.Records)}
	switch {
	case err != nil:
		c.Says, c.Mend = err.Error(), "run: deskhand audit verify"
	case v.Remedy != "":
		c.Says, c.Mend = v.Problem, v.Remedy
	case !v.OK:
		c.Says = v.Problem
		c.Mend = "if a copy was put back, it is said so in the log: restore by shop.restore; " +
			"else find out who changed the file, and compare with your exports"
	case v.Noted > 0:
		c.Says += fmt.Sprintf(", and goes on from %d heads noted in the keychain", v.Noted)
	}
	return c
}

// clock compares this clock with the newest record.
func (d *doctor) clock(at *desk.Desk) check {
	c := check{Name: "clock", OK: true, Says: "not behind the log"}
	page, err := at.Log.Search(d.ctx, audit.Query{Limit: 1})
	if err != nil {
		return check{Name: "clock", Says: err.Error(), Mend: "run: deskhand audit verify"}
	}
	if len(page.Records) == 0 {
		return c
	}
	return d.compareClocks(c, time.UnixMilli(page.Records[0].Time), "the newest record of the log")
}

func (d *doctor) compareClocks(c check, other time.Time, whose string) check {
	if ahead := other.Sub(d.now()); ahead > clockSlack {
		c.OK = false
		c.Says = fmt.Sprintf("%s is %s ahead of this clock: days, expiries and grants would be wrong",
			whose, ahead.Round(time.Minute))
		c.Mend = setClock + "; if the clock was ahead when those records were made, it is right now and wrong then"
	}
	return c
}

// copies finds the newest copy of the shop in its own folder.
func (d *doctor) copies() check {
	folder := filepath.Join(d.Folder, "backups")
	c := check{Name: "copies", OK: true}
	var newest time.Time
	entries, _ := os.ReadDir(folder) // no folder: no copies
	for _, e := range entries {
		ours := strings.HasPrefix(e.Name(), transfer.CopyPrefix) && strings.HasSuffix(e.Name(), ".db")
		if info, err := e.Info(); err == nil && ours && info.ModTime().After(newest) {
			newest = info.ModTime()
		}
	}
	const mend = "deskhand invoke shop.backup   (or Settings, Backups; keep one on another disk)"
	age := d.now().Sub(newest)
	switch {
	case newest.IsZero():
		c.OK, c.Note, c.Says, c.Mend = false, true, "the shop has no copy in "+folder, mend
	case age > copyEvery:
		c.OK, c.Note, c.Mend = false, true, mend
		c.Says = fmt.Sprintf("the newest is %d days old", int(age.Hours()/24))
	default:
		c.Says = fmt.Sprintf("the newest is of %s", newest.Format("2006-01-02 15:04"))
	}
	return c
}

// model calls the endpoint of the settings like the test in the settings, and compares its clock.
func (d *doctor) model(at *desk.Desk) []check {
	var endpoint, name string
	err := at.Log.View(d.ctx, func(ctx context.Context) (err error) {
		endpoint, name, err = settings.ModelEndpoint(ctx)
		return err
	})
	c := check{Name: "model", OK: true}
	switch {
	case err != nil:
		return []check{{Name: "model", Says: err.Error(), Mend: "deskhand invoke settings.get"}}
	case endpoint == "":
		c.Says = "the built-in assistant: no endpoint is set"
		return []check{c}
	case d.ask == nil:
		c.Says = fmt.Sprintf("%s at %s, not asked", name, endpoint)
		return []check{c}
	}
	ctx, stop := context.WithTimeout(d.ctx, askPatience)
	defer stop()
	clock := &dates{}
	report := d.ask(ctx, openai.Options{BaseURL: endpoint, Model: name, Retries: -1,
		Key: keychain.New(d.Folder).ModelKey(endpoint), HTTPClient: &http.Client{Transport: clock}})
	c.Says = fmt.Sprintf("%s at %s answers and calls tools", name, endpoint)
	if !report.Works || !report.Tools {
		// Everything except talking to that model works without it.
		c.OK, c.Note, c.Says = false, true, report.Problem
		c.Mend = "Settings, Assistant: another endpoint or key, or none for the built-in assistant"
	}
	list := []check{c}
	if !clock.last.IsZero() {
		c := d.compareClocks(check{Name: "clock", OK: true}, clock.last, "the clock of "+endpoint)
		if behind := d.now().Sub(clock.last); c.OK && behind > clockSlack {
			c.Says = fmt.Sprintf("this clock is %s ahead of the one of %s", behind.Round(time.Minute), endpoint)
			c.Mend = setClock
			c.OK = false
		}
		if !c.OK {
			c.Note = true // it is unknown which clock is wrong
			list = append(list, c)
		}
	}
	return list
}
