package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"github.com/zalando/go-keyring"
)

type doctorCommand struct{}

// check is one line of the doctor's report.
type check struct {
	Name string `json:"name"`
	OK   bool   `json:"ok"`
	Says string `json:"says"`
	Mend string `json:"mend,omitempty"`
}

// Run looks at everything the program needs; it fails when a needed thing is missing.
func (doctorCommand) Run(t *terminal) error {
	checks := []check{folderCheck(t.flags.Data)}
	checks = append(checks, shopChecks(t)...)
	checks = append(checks, windowCheck(), keychainCheck())
	if t.flags.JSON {
		if err := t.print(checks); err != nil {
			return err
		}
	}
	bad := false
	for _, c := range checks {
		mark := "ok  "
		if !c.OK {
			mark = "MISS"
		}
		bad = bad || (!c.OK && c.Mend != "")
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

func folderCheck(folder string) check {
	c := check{Name: "data folder", Says: folder}
	if _, err := os.Stat(folder); err != nil {
		c.Mend = "deskhand init --sample"
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

func shopChecks(t *terminal) []check {
	d, err := t.open(deskOptions{})
	if err != nil {
		c := check{Name: "shop", Says: err.Error(), Mend: "another program may hold it; if it is newer than this program, update"}
		if errors.As(err, new(errNoShop)) {
			c.Says, c.Mend = "none in the data folder", "deskhand init --sample   (or --empty, or --from FILE.csv)"
		}
		return []check{c}
	}
	list := []check{{Name: "shop", OK: true, Says: filepath.Join(t.flags.Data, databaseName)}}
	v, err := d.log.Verify(t.ctx, nil)
	c := check{Name: "audit log", OK: err == nil && v.OK, Says: fmt.Sprintf("%d records, the chain is whole", v.Records)}
	if err != nil {
		c.Says, c.Mend = err.Error(), "run: deskhand audit verify"
	} else if !v.OK {
		c.Says, c.Mend = v.Problem, "restore a backup, and find out who changed the file"
	}
	if err := d.close(); err != nil {
		c.OK, c.Says, c.Mend = false, err.Error(), "check the disk"
	}
	return append(list, c)
}

func windowCheck() check {
	c := check{Name: "window", OK: true, Says: "this build can open one"}
	switch {
	case !hasWindow:
		c.OK, c.Says = false, "this build is the command line alone (make build makes the other)"
	case runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "":
		c.OK, c.Says = false, "no display here (set DISPLAY, or use xvfb-run)"
	}
	return c
}

func keychainCheck() check {
	c := check{Name: "keychain", OK: true, Says: "reachable"}
	if _, err := keyring.Get(keychainService, "probe"); err != nil && !errors.Is(err, keyring.ErrNotFound) {
		c.OK, c.Says = false, "not reachable: passwords and keys are kept until the program ends, or come from its environment, and no head of the log is noted outside the file (keep an export)"
	}
	return c
}

// keychainService is the name under which secrets lie in the system's keychain.
const keychainService = "deskhand"
