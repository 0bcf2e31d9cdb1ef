package office_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/office"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// stored makes an archive with a log of n records for each shop, as a program that runs it leaves it.
func stored(t *testing.T, shops map[string]int) (folder string) {
	t.Helper()
	folder = t.TempDir()
	must(t, os.WriteFile(filepath.Join(folder, "archive.json"), []byte(`{"version":1}`), 0o600))
	for name, n := range shops {
		shop, err := audit.Open(t.Context(), filepath.Join(t.TempDir(), "shop.db"), audit.Options{})
		must(t, err)
		for i := range n {
			id := fmt.Sprintf("%s-%d", name, i+1)
			at := time.Date(2026, 3, 1, 12, 0, i, 0, time.UTC)
			must(t, shop.Record(t.Context(), &bus.Entry{Kind: bus.KindInvocation, Version: "1.0.0", SideEffect: bus.UIOnly,
				Started: at, Invocation: bus.Invocation{Capability: "cart.addItem", RequestID: id, TraceID: id,
					Arguments: json.RawMessage(`{"product":"Guji of ` + name + `"}`), Caller: bus.Caller{Type: bus.CallerUI},
					Principal: bus.Principal{ID: "june"}},
				Result: bus.Result{Status: bus.StatusSuccess, RequestID: id, Time: at}}))
		}
		records, err := shop.Chained(t.Context(), 0, n+1, 1<<20)
		must(t, err)
		must(t, shop.Close())
		must(t, os.Mkdir(filepath.Join(folder, name), 0o700))
		there, err := audit.OpenArchive(t.Context(), filepath.Join(folder, name, "log-1.db"), audit.Options{})
		must(t, err)
		must(t, there.Append(t.Context(), records))
		must(t, there.Close())
	}
	return folder
}

// page is what stands for the page.
type page struct {
	t *testing.T
	o *office.Office

	mu    sync.Mutex // guards loads
	loads int        // how often it was told to load again
}

func open(t *testing.T, folder string, o office.Options) *page {
	t.Helper()
	o.Folder = folder
	off, err := office.Open(t.Context(), o)
	must(t, err)
	t.Cleanup(func() { must(t, off.Close()) })
	p := &page{t: t, o: off}
	off.Emit = func(_ string, payload any) {
		if e, is := payload.(bus.Event); is && e.Domain == "desk" {
			p.mu.Lock()
			p.loads++
			p.mu.Unlock()
		}
	}
	off.ForwardEvents(t.Context())
	return p
}

// ask invokes a capability, and returns the code of a refusal.
func (p *page) ask(capability, arguments string, out any) (code bus.Code) {
	p.t.Helper()
	var r struct {
		Status string
		Data   json.RawMessage
		Code   bus.Code
	}
	answer := p.o.Invoke(fmt.Sprintf(`{"capability":%q,"arguments":%s}`, capability, arguments))
	must(p.t, json.Unmarshal([]byte(answer), &r))
	if r.Status == "success" && out != nil {
		must(p.t, json.Unmarshal(r.Data, out))
	}
	return r.Code
}

type found struct {
	Records []struct {
		Seq        int64
		Capability string
		RequestID  string `json:"request_id"`
		Caller     struct{ Person string }
	}
}

// holds: N7
func TestN7TheAuditPageOpensOneLogAfterTheOther(t *testing.T) {
	folder := stored(t, map[string]int{"berlin": 3, "rome": 2})
	p := open(t, folder, office.Options{})
	var list struct {
		Logs []struct {
			Shop    string
			Records int64
			Last    bool
			Time    int64
		}
		Opened struct{ Shop string }
	}
	if code := p.ask("archive.list", `{}`, &list); code != "" || len(list.Logs) != 2 || list.Opened.Shop != "berlin" ||
		list.Logs[1].Records != 2 || !list.Logs[1].Last || list.Logs[1].Time == 0 {
		t.Fatalf("%s %+v", code, list)
	}
	var here found
	if p.ask("audit.search", `{"text":"guji"}`, &here); len(here.Records) != 3 || here.Records[0].RequestID != "berlin-3" {
		t.Fatalf("%+v", here)
	}
	if code := p.ask("archive.open", `{"shop":"oslo"}`, nil); code != bus.NotFound {
		t.Errorf("a shop that is not there: %q", code)
	}
	if code := p.ask("archive.open", `{"shop":"rome"}`, nil); code != "" {
		t.Fatalf("%q", code)
	}
	p.mu.Lock()
	if p.loads != 1 {
		t.Errorf("the page is told %d times to load again", p.loads)
	}
	p.mu.Unlock()
	here = found{}
	if p.ask("audit.search", `{}`, &here); len(here.Records) != 2 || here.Records[0].RequestID != "rome-2" {
		t.Fatalf("%+v", here)
	}
	if code := p.ask("audit.trace", `{"requestId":"rome-1"}`, nil); code != "" {
		t.Errorf("%q", code)
	}
	var verdict audit.Verdict
	if p.ask("audit.verify", `{}`, &verdict); !verdict.OK || verdict.Records < 2 {
		t.Errorf("%+v", verdict)
	}
	var all struct {
		Logs []struct {
			Shop  string
			Whole bool
		}
	}
	if p.ask("archive.verify", `{}`, &all); len(all.Logs) != 2 || !all.Logs[0].Whole || !all.Logs[1].Whole {
		t.Errorf("%+v", all)
	}
}

// holds: N7
func TestN7WhatIsLookedAtInAnArchiveIsRecordedAmongItsLookUpsAndNothingElseIs(t *testing.T) {
	folder := stored(t, map[string]int{"berlin": 3})
	p := open(t, folder, office.Options{})
	p.ask("audit.trace", `{"requestId":"berlin-1"}`, nil)
	for _, name := range []string{"session.get", "cart.addItem", "audit.saveFilter", "audit.rebuildRollups", "data.purge"} {
		if code := p.ask(name, `{}`, nil); code != bus.NotFound {
			t.Errorf("%s: %q", name, code)
		}
	}
	var all found
	p.ask("audit.search", `{"reads":true}`, &all)
	looked := []string{}
	for _, r := range all.Records {
		if r.Capability != "cart.addItem" {
			looked = append(looked, r.Capability)
			if r.Caller.Person == "" {
				t.Errorf("nobody did %s", r.Capability)
			}
		}
	}
	if !slices.Equal(looked, []string{"audit.trace"}) {
		t.Errorf("looked at: %q", looked)
	}
	var verdict audit.Verdict
	if p.ask("audit.verify", `{}`, &verdict); !verdict.OK {
		t.Errorf("%+v", verdict)
	}
}

func TestTheArchiveIsReadWhileAnotherProgramWritesIt(t *testing.T) {
	folder := stored(t, map[string]int{"berlin": 1})
	p := open(t, folder, office.Options{Known: func(context.Context) (bus.Manifest, error) {
		return bus.Manifest{Capabilities: []bus.ManifestEntry{{Name: "cart.addItem", Title: "Add to the cart",
			Description: "Adds."}, {Name: "audit.search", Title: "Search", Description: "Finds."}}}, nil
	}})
	alarm := `{"time":1,"source":"berlin","kind":"gap","seq":9,"head":1,"problem":"The records 2 to 8 are missing."}` + "\n"
	must(t, os.WriteFile(filepath.Join(folder, "alarms.jsonl"), []byte(alarm), 0o600))
	var alarms struct {
		Alarms []struct {
			Source string
			Seq    int64
		}
	}
	if p.ask("archive.alarms", `{}`, &alarms); len(alarms.Alarms) != 1 || alarms.Alarms[0].Seq != 9 {
		t.Errorf("%+v", alarms)
	}
	var m struct {
		Capabilities []struct {
			Name, Title string
			Available   bool
		}
	}
	must(t, json.Unmarshal([]byte(p.o.Manifest(`{"loading":true}`)), &m))
	titles := map[string]string{}
	for _, c := range m.Capabilities {
		if c.Available || c.Name == "cart.addItem" {
			titles[c.Name] = c.Title
		}
		if c.Name == "cart.addItem" && c.Available {
			t.Error("the cart of a shop can be changed here")
		}
	}
	if titles["cart.addItem"] != "Add to the cart" || titles["audit.search"] != "Search the audit log" {
		t.Errorf("%+v", titles)
	}
	for _, answer := range []string{p.o.Send(`{"text":"hello"}`), p.o.Decide(`{}`), p.o.Stop(`{}`), p.o.PickFile(`{}`)} {
		var r struct{ Error struct{ Code bus.Code } }
		must(t, json.Unmarshal([]byte(answer), &r))
		if r.Error.Code != bus.PreconditionFailed {
			t.Errorf("%s", answer)
		}
	}
}

func TestALogThatCannotBeReadHidesNoOther(t *testing.T) {
	folder := stored(t, map[string]int{"berlin": 1, "rome": 2})
	must(t, os.WriteFile(filepath.Join(folder, "berlin", "log-1.db"), []byte("This was a log, and is no more. "), 0o600))
	p := open(t, folder, office.Options{})
	var list struct {
		Logs []struct {
			Shop, Unreadable string
			Records          int64
		}
		Opened struct{ Shop string }
	}
	if code := p.ask("archive.list", `{}`, &list); code != "" || len(list.Logs) != 2 || list.Opened.Shop != "rome" ||
		list.Logs[0].Unreadable == "" || list.Logs[1].Unreadable != "" || list.Logs[1].Records != 2 {
		t.Errorf("%s %+v", code, list)
	}
	var all struct{ Logs []struct{ Whole bool } }
	if p.ask("archive.verify", `{}`, &all); len(all.Logs) != 2 || all.Logs[0].Whole || !all.Logs[1].Whole {
		t.Errorf("%+v", all)
	}
	if code := p.ask("archive.open", `{"shop":"berlin"}`, nil); code == "" {
		t.Error("it was opened")
	}
}

func TestAnArchiveWithoutALogOpens(t *testing.T) {
	p := open(t, stored(t, nil), office.Options{})
	var list struct{ Logs []any }
	if code := p.ask("archive.list", `{}`, &list); code != "" || len(list.Logs) != 0 {
		t.Errorf("%q %+v", code, list)
	}
}
