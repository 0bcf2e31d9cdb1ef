package doctor

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/till"
	"github.com/deskhand/deskhand/internal/tills"
)

// hostPatience limits the time for an answer of a host.
const hostPatience = 10 * time.Second

// till checks the folder of a till: its pairing with the host, and whether the host accepts it.
func (d *doctor) till(p *till.Pairing, err error) []check {
	if err != nil {
		c := check{Name: "till", Says: err.Error(),
			Mend: "give yourself the right to read " + filepath.Join(d.Folder, "till.json")}
		if told, coded := errors.AsType[*bus.Error](err); coded {
			c.Says, c.Mend = told.Message, told.Hint
		}
		return []check{c}
	}
	c := check{Name: "till", OK: true, Says: fmt.Sprintf("%q, key %s", p.Name, p.ID)}
	if where, err := d.keys.Place(d.ctx, tills.KeyName); err == nil {
		c.Says += ", its private half is " + where
	}
	if joined, err := till.Joined(d.Folder); err == nil {
		c.Says += fmt.Sprintf("; joined %s (%s)", joined.Format("2006-01-02 15:04"), age(d.now().Sub(joined)))
	}
	return []check{c, d.reach(p)}
}

// reach calls the host of a till.
func (d *doctor) reach(p *till.Pairing) check {
	c := check{Name: "host", OK: true, Says: p.Address + ", not called"}
	if d.ping == nil {
		return c
	}
	ctx, end := context.WithTimeout(d.ctx, hostPatience)
	defer end()
	took, err := d.ping(ctx, p)
	if err == nil {
		c.Says = fmt.Sprintf("%s answers in %.1f ms and lets this till in", p.Address, float64(took.Microseconds())/1000)
		return c
	}
	c.OK, c.Says, c.Mend = false, p.Address+": "+err.Error(), "look whether the host runs there"
	if told, coded := errors.AsType[*bus.Error](err); coded {
		c.Says = p.Address + ": " + told.Message
		if cause := errors.Unwrap(told); cause != nil && told.Code == bus.Transient {
			c.Says += " (" + cause.Error() + ")"
		}
		if told.Hint != "" {
			c.Mend = told.Hint
		}
	}
	return c
}

// host checks the host that serves tills. It returns nothing if there are no tills and there never was a host.
func (d *doctor) host(at *desk.Desk) []check {
	var all []tills.Till
	err := at.Log.View(d.ctx, func(ctx context.Context) (err error) {
		all, err = at.Tills.All(ctx)
		return err
	})
	if err != nil {
		return []check{{Name: "tills", Says: err.Error(), Mend: "deskhand-host tills"}}
	}
	if len(all) == 0 && !tills.Served(d.Folder) {
		return nil
	}
	h, none := tills.Running(d.Folder)
	c := check{Name: "host", OK: none == nil, Says: "runs, and is reached at " + h.Address}
	if none != nil {
		c.Note, c.Says = true, "none runs: tills cannot work"
		c.Mend = "deskhand-host host --listen ADDRESS:PORT  "
	}
	return []check{c, d.hostKey(), d.tills(all, h, none == nil)}
}

func (d *doctor) hostKey() check {
	where, err := d.keys.Place(d.ctx, tills.HostKeyName)
	c := check{Name: "host key", OK: true, Says: where}
	switch {
	case err != nil:
		c.OK, c.Says, c.Mend = false, err.Error(), "unlock the keychain, or give the key in DESKHAND_HOST_KEY"
	case where == "":
		c.OK, c.Note, c.Says = false, true, "not found here: a service has its own environment and credentials"
		c.Mend = "give the host the key that it had; with another one each till has to join again"
	}
	return c
}

// tills lists the tills. Their connections are known only while a host runs.
func (d *doctor) tills(all []tills.Till, h tills.Host, running bool) check {
	c := check{Name: "tills", OK: true, Says: "there are none"}
	var said []string
	for _, one := range all {
		text := one.Name
		switch {
		case one.Asks:
			text += " asks to work here"
			c.OK, c.Note = false, true
			c.Mend = fmt.Sprintf("deskhand-host tills add %q, or deskhand-host tills remove %q", one.Name, one.Name)
		case slices.Contains(h.Tills, one.ID):
			text += " is connected"
		case running:
			text += " is not connected"
		}
		said = append(said, text)
	}
	if len(said) > 0 {
		c.Says = strings.Join(said, ", ")
	}
	return c
}

// age formats a duration in one unit.
func age(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < 2*time.Minute:
		return "a minute ago"
	case d < 2*time.Hour:
		return fmt.Sprintf("%d minutes ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d hours ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}
