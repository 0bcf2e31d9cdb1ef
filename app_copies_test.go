package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

func TestARestoreWaitsUntilNobodyElseIsThere(t *testing.T) {
	d := freshSample(t, deskOptions{Allow: true})
	d.must(t, bus.CallerUI, "shop.backup", `{}`, nil)
	other, err := openDesk(t.Context(), deskOptions{Folder: d.folder, Door: "test"})
	if err != nil {
		t.Fatal(err)
	}
	restore := bus.Invocation{Capability: "shop.restore", Principal: d.person, Caller: bus.Caller{Type: bus.CallerUI}}
	if r := d.bus.Invoke(t.Context(), restore); r.Err == nil || r.Err.Code != bus.Conflict {
		t.Errorf("with another program: %+v", r)
	}
	if err := other.close(); err != nil {
		t.Fatal(err)
	}
	if r := d.bus.Invoke(t.Context(), restore); !r.OK() {
		t.Errorf("alone: %v", r.Err)
	}
	d.must(t, bus.CallerUI, "customer.create", `{"name":"Kim After"}`, nil)
}

func TestThePageNamesNoPathOfACopy(t *testing.T) {
	d := freshSample(t, deskOptions{Allow: true})
	var made struct{ File string }
	d.must(t, bus.CallerUI, "shop.backup", `{}`, &made)
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
		return d.bus.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: args, Principal: d.person, Caller: bus.Caller{Type: bus.CallerUI}})
	}
	for name, file := range map[string]string{"shop.backup": filepath.Join(t.TempDir(), "x.db"), "shop.restore": elsewhere} {
		if r := invoke(name, file); r.Err == nil || r.Err.Code != bus.Validation {
			t.Errorf("%s to a path: %+v", name, r)
		}
	}
	if r := invoke("shop.restore", "../"+databaseName); r.Err == nil || r.Err.Code != bus.Validation {
		t.Errorf("out of the folder: %+v", r)
	}
	if r := invoke("shop.backup", d.files.add(elsewhere)); r.Err == nil || r.Err.Code != bus.PreconditionFailed {
		t.Errorf("over a picked file: %+v", r)
	}
	if r := invoke("shop.restore", d.files.add(elsewhere)); !r.OK() {
		t.Errorf("a picked file: %v", r.Err)
	}
}
