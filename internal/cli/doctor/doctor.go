// Package doctor checks the set-up of a machine and a shop.
package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/deskhand/deskhand/internal/till"
	"github.com/deskhand/deskhand/internal/window"
)

// Options holds the settings of a report.
type Options struct {
	Folder  string                     // of the shop
	Offline bool                       // do not call the endpoint of the settings
	JSON    bool                       // print the checks as JSON
	Out     io.Writer                  // receives the report
	Open    func() (*desk.Desk, error) // opens the shop
	Hint    func(string) string        // completes the commands in a hint; nil: they stay as they are
}

// check is a line of the report.
type check struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Note bool   `json:"note,omitempty"` // not ideal, but the program runs
	Says string `json:"says"`
	Mend string `json:"mend,omitempty"`
}

// doctor examines a machine and a shop. All its sources of information are injected.
type doctor struct {
	Options
	ctx      context.Context
	system   string // as runtime.GOOS
	window   bool   // this build has a window
	getenv   func(string) string
	now      func() time.Time
	free     func(folder string) (bytes uint64, err error)
	library  func(name string) bool // whether the system's loader would find it
	keychain func() error
	ask      func(ctx context.Context, o openai.Options) model.Report // nil: no endpoint is called
	local    func(ctx context.Context) []model.LocalEndpoint          // on this computer; nil: no search
	keys     *keychain.Secrets
	ping     func(ctx context.Context, p *till.Pairing) (time.Duration, error) // nil: no host is called
}

// Run prints a report. ok is false if a required part is missing.
func Run(ctx context.Context, o Options) (ok bool, err error) {
	d := &doctor{Options: o, ctx: ctx, system: runtime.GOOS, window: window.Available, getenv: os.Getenv, now: time.Now,
		free: freeBytes, library: hasLibrary, keychain: keychain.Check, keys: keychain.New(o.Folder),
		ping: func(ctx context.Context, p *till.Pairing) (time.Duration, error) { return p.Ping(ctx) },
		ask: func(ctx context.Context, o openai.Options) model.Report {
			return openai.Probe(ctx, o, nil, nil)
		},
		local: func(ctx context.Context) []model.LocalEndpoint { return openai.Local(ctx, desk.LocalModels()) }}
	if o.Offline {
		d.ask, d.local, d.ping = nil, nil, nil
	}
	return d.report(d.checks())
}

func (d *doctor) checks() []check {
	list := []check{d.folder()}
	if list[0].OK {
		list = append(list, d.disk())
	}
	if at, err := till.Read(d.ctx, d.Folder, d.keys); at != nil || err != nil {
		list = append(list, d.till(at, err)...)
	} else {
		list = append(list, d.shop()...)
	}
	list = append(list, d.canShow(), d.secrets())
	if d.local != nil {
		list = append(list, d.localModels())
	}
	return list
}

// localModels lists the models on this computer.
func (d *doctor) localModels() check {
	c := check{Name: "local models", OK: true, Says: "no server of models answers on this computer"}
	var said []string
	for _, at := range d.local(d.ctx) {
		said = append(said, fmt.Sprintf("%s at %s has %s", at.Name, at.Endpoint, strings.Join(at.Models, ", ")))
	}
	if len(said) > 0 {
		c.Says = strings.Join(said, "; ")
	}
	return c
}

// report prints checks. ok is false if a required part is missing.
func (d *doctor) report(checks []check) (ok bool, err error) {
	ok = true
	for _, c := range checks {
		ok = ok && (c.OK || c.Note)
	}
	if d.JSON {
		e := json.NewEncoder(d.Out)
		e.SetEscapeHTML(false)
		return ok, e.Encode(checks)
	}
	for _, c := range checks {
		mark := "MISS"
		switch {
		case c.OK:
			mark = "ok  "
		case c.Note:
			mark = "note"
		}
		fmt.Fprintf(d.Out, "%s  %-12s %s\n", mark, c.Name, c.Says)
		if c.Mend != "" {
			if d.Hint != nil {
				c.Mend = d.Hint(c.Mend)
			}
			fmt.Fprintf(d.Out, "                   → %s\n", c.Mend)
		}
	}
	return ok, nil
}

func (d *doctor) folder() check {
	c := check{Name: "data folder", OK: true, Says: d.Folder}
	if info, err := os.Stat(d.Folder); err != nil {
		c.OK, c.Says, c.Mend = false, d.Folder+" is not there", makeShop
	} else if mode := info.Mode().Perm(); d.system != "windows" && mode&0o022 != 0 {
		c.OK, c.Says = false, fmt.Sprintf("other users may write in %s (mode %o), and replace the shop", d.Folder, mode)
		c.Mend = "chmod 700 " + d.Folder
	} else if !desk.Writable(d.Folder) {
		c.OK, c.Says = false, d.Folder+" is not writable"
		c.Mend = "give yourself the right to write there, or choose another with --data"
	}
	return c
}

// leastFree is enough for a copy of a large shop and the log of writing it.
const leastFree = 500 << 20

func (d *doctor) disk() check {
	free, err := d.free(d.Folder)
	c := check{Name: "disk", OK: true, Says: fmt.Sprintf("%d MB free", free>>20)}
	switch {
	case err != nil:
		c.OK, c.Note = false, true
		c.Says = "how much room is left cannot be found out: " + err.Error()
	case free < leastFree:
		c.OK = false
		c.Says = fmt.Sprintf("only %d MB free where the shop is: when it is full nothing can be saved", free>>20)
		c.Mend = "make room, or move the data folder to another disk and name it with --data"
	}
	return c
}

// The libraries of the window on Linux, as the loader names them.
var windowLibraries = [...]string{"libgtk-3.so.0", "libwebkit2gtk-4.1.so.0"}

// canShow checks the requirements of a window. A program with a window does not start without its libraries, so only
// the command line can report them.
func (d *doctor) canShow() check {
	c := check{Name: "window", OK: true, Says: "this build can open one"}
	linux := d.system == "linux"
	if linux && !d.window {
		for _, name := range windowLibraries {
			if !d.library(name) {
				return check{Name: "window", Note: true, Says: name + " is missing: the program with a window will not start",
					Mend: "Debian, Ubuntu: sudo apt install libwebkit2gtk-4.1-0 libgtk-3-0   " +
						"Fedora: sudo dnf install webkit2gtk4.1 gtk3   Arch: sudo pacman -S webkit2gtk-4.1 gtk3"}
			}
		}
	}
	switch {
	case !d.window:
		c.OK, c.Note = false, true
		c.Says = "this build is the command line alone; what a window needs is here"
	case linux && d.getenv("DISPLAY") == "" && d.getenv("WAYLAND_DISPLAY") == "":
		c.OK, c.Note, c.Says = false, true, "there is no display here"
		c.Mend = "set DISPLAY, or use xvfb-run; every command but the window works without"
	}
	return c
}

func (d *doctor) secrets() check {
	if d.keychain() == nil {
		return check{Name: "keychain", OK: true, Says: "reachable"}
	}
	c := check{Name: "keychain", Note: true, Says: "not reachable: passwords and keys are kept until the program ends, " +
		"or come from its environment, and no head of the log is noted outside the file"}
	switch d.system {
	case "linux":
		c.Mend = "install and unlock gnome-keyring, KWallet or KeePassXC with its secret service"
	case "darwin":
		c.Mend = "unlock the login keychain in Keychain Access"
	default:
		c.Mend = "sign in to the system with a user of your own"
	}
	c.Mend += "; meanwhile keep an export of the log"
	return c
}

// hasLibrary searches the folders of the system's loader.
func hasLibrary(name string) bool {
	folders := append(filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")),
		"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib",
		"/lib/*-linux-gnu*", "/usr/lib/*-linux-gnu*", "/usr/local/lib/*-linux-gnu*")
	for _, folder := range folders {
		if found, _ := filepath.Glob(filepath.Join(folder, name)); len(found) > 0 {
			return true
		}
	}
	return false
}

// dates is a transport that stores the date of the last response.
type dates struct{ last time.Time }

func (d *dates) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err == nil {
		if t, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
			d.last = t
		}
	}
	return resp, err
}
