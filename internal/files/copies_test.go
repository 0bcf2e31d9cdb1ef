package files_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

func TestARestoreWaitsUntilNobodyElseIsThere(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Allow: true})
	desktest.Must(t, d, bus.CallerUI, "shop.backup", `{}`, nil)
	other, err := desk.Open(t.Context(), desk.Options{Folder: d.Folder, Door: "test"})
	if err != nil {
		t.Fatal(err)
	}
	restore := bus.Invocation{Capability: "shop.restore", Principal: d.Person, Caller: bus.Caller{Type: bus.CallerUI}}
	if r := d.Bus.Invoke(t.Context(), restore); r.Err == nil || r.Err.Code != bus.Conflict {
		t.Errorf("with another program: %+v", r)
	}
	if err := other.Close(); err != nil {
		t.Fatal(err)
	}
	if r := d.Bus.Invoke(t.Context(), restore); !r.OK() {
		t.Errorf("alone: %v", r.Err)
	}
	desktest.Must(t, d, bus.CallerUI, "customer.create", `{"name":"Kim After"}`, nil)
}

func TestThePageNamesNoPathOfACopy(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Allow: true})
	var made struct{ File string }
	desktest.Must(t, d, bus.CallerUI, "shop.backup", `{}`, &made)
	elsewhere := filepath.Join(t.TempDir(), "copy.db")
	raw, err := os.ReadFile(made.File)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(elsewhere, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	invoke := func(name, file string) bus.Result {
		args, err := json.Marshal(map[string]string{"file": file})
		if err != nil {
			t.Fatal(err)
		}
		return d.Bus.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: args, Principal: d.Person,
			Caller: bus.Caller{Type: bus.CallerUI}})
	}
	for name, file := range map[string]string{"shop.backup": filepath.Join(t.TempDir(), "x.db"),
		"shop.restore": elsewhere} {
		if r := invoke(name, file); r.Err == nil || r.Err.Code != bus.Validation {
			t.Errorf("%s to a path: %+v", name, r)
		}
	}
	if r := invoke("shop.restore", "../"+desk.DatabaseName); r.Err == nil || r.Err.Code != bus.Validation {
		t.Errorf("out of the folder: %+v", r)
	}
	if r := invoke("shop.backup", d.Files.Add(elsewhere)); r.Err == nil || r.Err.Code != bus.PreconditionFailed {
		t.Errorf("over a picked file: %+v", r)
	}
	if r := invoke("shop.restore", d.Files.Add(elsewhere)); !r.OK() {
		t.Errorf("a picked file: %v", r.Err)
	}
}
