package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/zalando/go-keyring"
)

type doctorCommand struct {
	Offline bool `help:"Do not ask the endpoint of the settings."`
}

// check is one line of the doctor's report.
type check struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Note bool   `json:"note,omitempty"` // not as it should be, and the program runs all the same
	Says string `json:"says"`
	Mend string `json:"mend,omitempty"`
}

// doctor looks at a machine and a shop. What it sees of them is injected.
type doctor struct {
	t        *terminal
	system   string // as runtime.GOOS
	window   bool   // this build has one
	getenv   func(string) string
	now      func() time.Time
	free     func(folder string) (bytes uint64, err error)
	library  func(name string) bool // whether the system's loader would find it
	keychain func() error
	ask      func(ctx context.Context, o openai.Options) model.Report // nil: nobody is asked
}

// Run looks at everything the program needs; it fails when a needed thing is missing.
func (c doctorCommand) Run(t *terminal) error {
	d := &doctor{t: t, system: runtime.GOOS, window: hasWindow, getenv: os.Getenv, now: time.Now, free: freeBytes, library: hasLibrary,
		keychain: func() error { _, err := keyring.Get(keychainService, "probe"); return err },
		ask: func(ctx context.Context, o openai.Options) model.Report {
			return openai.Probe(ctx, o, nil)
		}}
	if c.Offline {
		d.ask = nil
	}
	return t.report(d.checks())
}

func (d *doctor) checks() []check {
	folder := d.t.flags.Data
	list := []check{d.folder(folder)}
	if list[0].OK {
		list = append(list, d.room(folder))
	}
	return append(append(list, d.shop()...), d.canShow(), d.secrets())
}

// report prints checks, and fails when something needed is missing.
func (t *terminal) report(checks []check) error {
	if t.flags.JSON {
		if err := t.print(checks); err != nil {
			return err
		}
	}
	bad := false
	for _, c := range checks {
		mark := "ok  "
		switch {
		case c.OK:
		case c.Note:
			mark = "note"
		default:
			mark, bad = "MISS", true
		}
		if t.flags.JSON {
			continue
		}
		fmt.Fprintf(t.out, "%s  %-12s %s\n", mark, c.Name, c.Says)
		if c.Mend != "" {
			fmt.Fprintf(t.out, "                   → %s\n", c.Mend)
		}
	}
	if bad {
		return errQuiet
	}
	return nil
}

func (d *doctor) folder(folder string) check {
	c := check{Name: "data folder", Says: folder}
	if _, err := os.Stat(folder); err != nil {
		c.Says, c.Mend = folder+" is not there", "deskhand init --sample   (or --empty, or --from FILE)"
		return c
	}
	probe, err := os.CreateTemp(folder, ".doctor-")
	if err != nil {
		c.Says, c.Mend = folder+" is not writable", "give yourself the right to write there, or choose another with --data"
		return c
	}
	c.OK = true
	_ = probe.Close()
	_ = os.Remove(probe.Name())
	return c
}

// leastFree is when a disk is nearly full: a copy of a large shop, and the log
// while it is written, want so much.
const leastFree = 500 << 20

func (d *doctor) room(folder string) check {
	free, err := d.free(folder)
	c := check{Name: "disk", OK: true, Says: fmt.Sprintf("%d MB free", free>>20)}
	switch {
	case err != nil:
		c.OK, c.Note, c.Says = false, true, "how much room is left cannot be found out: "+err.Error()
	case free < leastFree:
		c.OK, c.Says = false, fmt.Sprintf("only %d MB free where the shop is: when it is full nothing can be saved", free>>20)
		c.Mend = "make room, or move the data folder to another disk and name it with --data"
	}
	return c
}

// The libraries of the window on Linux, as the loader knows them.
var windowLibraries = [...]string{"libgtk-3.so.0", "libwebkit2gtk-4.1.so.0"}

// canShow looks at what a window needs. A program with a window that lacks a
// library does not even start, so it is the command line that can say so.
func (d *doctor) canShow() check {
	c := check{Name: "window", OK: true, Says: "this build can open one"}
	linux := d.system == "linux"
	if linux && !d.window {
		for _, name := range windowLibraries {
			if !d.library(name) {
				return check{Name: "window", Note: true, Says: name + " is missing: the program with a window will not start",
					Mend: "Debian, Ubuntu: sudo apt install libwebkit2gtk-4.1-0 libgtk-3-0   Fedora: sudo dnf install webkit2gtk4.1 gtk3   Arch: sudo pacman -S webkit2gtk-4.1 gtk3"}
			}
		}
	}
	switch {
	case !d.window:
		c.OK, c.Note, c.Says = false, true, "this build is the command line alone; what a window needs is here"
	case linux && d.getenv("DISPLAY") == "" && d.getenv("WAYLAND_DISPLAY") == "":
		c.OK, c.Note, c.Says, c.Mend = false, true, "there is no display here", "set DISPLAY, or use xvfb-run; every command but the window works without"
	}
	return c
}

func (d *doctor) secrets() check {
	err := d.keychain()
	if err == nil || errors.Is(err, keyring.ErrNotFound) {
		return check{Name: "keychain", OK: true, Says: "reachable"}
	}
	c := check{Name: "keychain", Note: true, Says: "not reachable: passwords and keys are kept until the program ends, or come from its environment, and no head of the log is noted outside the file"}
	switch d.system {
	case "linux":
		c.Mend = "install and unlock gnome-keyring, KWallet or KeePassXC with its secret service; meanwhile keep an export of the log"
	case "darwin":
		c.Mend = "unlock the login keychain in Keychain Access; meanwhile keep an export of the log"
	default:
		c.Mend = "sign in to the system with a user of your own; meanwhile keep an export of the log"
	}
	return c
}

// hasLibrary looks where a loader looks.
func hasLibrary(name string) bool {
	folders := append(filepath.SplitList(os.Getenv("LD_LIBRARY_PATH")),
		"/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib/*-linux-gnu*", "/usr/lib/*-linux-gnu*", "/usr/local/lib/*-linux-gnu*")
	for _, folder := range folders {
		if found, _ := filepath.Glob(filepath.Join(folder, name)); len(found) > 0 {
			return true
		}
	}
	return false
}

// keychainService is the name under which secrets lie in the system's keychain.
const keychainService = "deskhand"

// dates is a transport that remembers the clock of whoever answered.
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
