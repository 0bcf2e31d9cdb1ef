package files_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestOnlyWhatWasWrittenHereIsOpened: the page names a file of the shop's exports, and no other one.
func TestOnlyWhatWasWrittenHereIsOpened(t *testing.T) {
	var shown []string
	var fails error
	d := desktest.Sample(t, desk.Options{Allow: true, ShowFile: func(path string, inFolder bool) error {
		if shown = append(shown, filepath.Base(path)); inFolder {
			shown = append(shown, "in its folder")
		}
		return fails
	}})
	var list struct{ Orders []struct{ ID string } }
	desktest.Must(t, d, bus.CallerUI, "order.search", `{"limit":1}`, &list)
	var made struct{ File string }
	desktest.Must(t, d, bus.CallerUI, "document.export", `{"kind":"receipt","format":"pdf","orderId":"`+
		list.Orders[0].ID+`"}`, &made)
	show := func(name, file string) bus.Result {
		args, err := json.Marshal(map[string]string{"file": file})
		if err != nil {
			t.Fatal(err)
		}
		return d.Bus.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: args, Principal: d.Person,
			Caller: bus.Caller{Type: bus.CallerUI}})
	}
	for _, name := range []string{"document.open", "document.show"} {
		if r := show(name, made.File); !r.OK() {
			t.Errorf("%s: %v", name, r.Err)
		}
	}
	if base := filepath.Base(made.File); len(shown) != 3 || shown[0] != base || shown[1] != base {
		t.Errorf("shown: %q", shown)
	}
	secret := filepath.Join(t.TempDir(), "secret.txt")
	link := filepath.Join(filepath.Dir(made.File), "link.pdf")
	if err := errors.Join(os.WriteFile(secret, nil, 0o600), os.Symlink(secret, link)); err != nil {
		t.Fatal(err)
	}
	shown = nil
	for _, file := range []string{secret, link, filepath.Join(filepath.Dir(made.File), "..", desk.DatabaseName),
		filepath.Join(filepath.Dir(made.File), "gone.pdf"), filepath.Dir(made.File)} {
		if r := show("document.open", file); r.OK() || len(shown) > 0 {
			t.Errorf("%s was opened", file)
		}
	}
	if r := show("document.open", d.Files.Add(secret)); !r.OK() {
		t.Errorf("a chosen file: %v", r.Err)
	}
	fails = errors.New("exec: xdg-open: not found")
	if r := show("document.open", made.File); r.Err == nil || r.Err.Hint != "It is in "+filepath.Dir(made.File)+"." {
		t.Errorf("without a program for it: %+v", r.Err)
	}
}

func TestOnlyAWindowOpensFiles(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Allow: true})
	r := d.Bus.Invoke(t.Context(), bus.Invocation{Capability: "document.open", Arguments: []byte(`{"file":"x"}`),
		Principal: d.Person, Caller: bus.Caller{Type: bus.CallerCLI}})
	if r.Err == nil || r.Err.Code != bus.PreconditionFailed || r.Err.Hint == "" {
		t.Errorf("on the command line: %+v", r.Err)
	}
}
