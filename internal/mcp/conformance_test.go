//go:build conformance

package mcp_test

import (
	"context"
	"encoding/json"
	"flag"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/mcp"
)

var (
	suite = flag.String("suite", "", "command of the conformance suite, in -root")
	root  = flag.String("root", "", "folder in which it runs")
)

// doesNotApply says of checks of the suite why this server does not meet them, by scenario or scenario and check. What
// a message looks like applies always.
var doesNotApply = map[string]string{
	"completion-complete": "the server completes no arguments",

	"tools-call-image":             "no result here is an image",
	"tools-call-audio":             "no result here is a sound",
	"tools-call-embedded-resource": "a result links to records, and contains none",
	"tools-call-mixed-content":     "see the three above",
	"tools-call-with-logging":      "the server logs nothing to a client",

	"tools-call-sampling":          "no model of the client is asked",
	"tools-call-elicitation":       "a person is asked at the desk, never by the client",
	"elicitation-sep1034-defaults": "the same",
	"elicitation-sep1330-enums":    "the same",
	"input-required-result-":       "the same",
	"server-stateless sep-2575-server-rejects-undeclared-capability": "the same: it needs a tool that asks for sampling",
	"server-stateless sep-2575-missing-capability-http-400":          "the same",

	"resources-read-":          "it reads resources of the suite's own addresses",
	"resources-templates-read": "the same",
	"resources-subscribe":      "nobody subscribes to a record",
	"resources-unsubscribe":    "the same",
	"prompts-get-":             "it gets prompts of the suite's own names",
	"json-schema-2020-12 json": "it looks for a tool with the suite's own schema",

	"tasks-":                               "the extension is not offered: approval_wait is its place for every client",
	"http-custom-header-server-validation": "no argument is a header of HTTP",
}

// TestO1ConformanceOfTheServer runs the protocol's own suite against the server. The suite speaks HTTP, so the SDK's
// handler stands before it; the program itself opens no port.
//
// holds: O1
func TestO1ConformanceOfTheServer(t *testing.T) {
	if *suite == "" {
		t.Fatal("run it by: make check-mcp")
	}
	failed := map[string]bool{}
	for _, of := range []struct{ revision, flag string }{
		{"2025-11-25", "--spec-version"}, {"2026-07-28", "--requirements"}} {
		t.Run(of.revision, func(t *testing.T) {
			server, d := conforming(t)
			handler, end, err := server.Handler(t.Context(), of.flag == "--requirements")
			if err != nil {
				t.Fatal(err)
			}
			defer end()
			at := httptest.NewServer(handler)
			defer at.Close()
			out := t.TempDir()
			words := append(strings.Fields(*suite), "server", "--url",
				strings.Replace(at.URL, "127.0.0.1", "localhost", 1), of.flag, of.revision, "--output-dir", out)
			command := exec.Command(words[0], words[1:]...)
			command.Dir = *root
			said, _ := command.CombinedOutput() // it fails when any check does
			passed := 0
			for id, check := range checksOf(t, out) {
				switch {
				case check.Status != "FAILURE":
					passed++
				case strings.HasSuffix(id, " wire-schema-valid") || reasonFor(id, failed) == "":
					t.Errorf("%s: %s", id, check.ErrorMessage)
				}
			}
			t.Logf("%d checks passed", passed)
			if passed < 40 {
				t.Errorf("the suite did not run:\n%s", said)
			}
			if p := d.Policy.Pending(d.Person.ID); len(p) > 0 {
				t.Errorf("a person is asked: %+v", p)
			}
		})
	}
	for key := range doesNotApply {
		if !failed[key] {
			t.Errorf("%s is met by now, or is no check of the suite", key)
		}
	}
}

// reasonFor is why a check that failed does not apply.
func reasonFor(id string, failed map[string]bool) string {
	for key, reason := range doesNotApply {
		if strings.HasPrefix(id, key) {
			failed[key] = true
			return reason
		}
	}
	return ""
}

type check struct{ ID, Status, ErrorMessage string }

// checksOf reads what the suite wrote, by scenario and check.
func checksOf(t *testing.T, out string) map[string]check {
	t.Helper()
	all := map[string]check{}
	files, err := filepath.Glob(filepath.Join(out, "server-*", "checks.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		var checks []check
		if err == nil {
			err = json.Unmarshal(raw, &checks)
		}
		if err != nil {
			t.Fatal(err)
		}
		scenario := strings.TrimPrefix(filepath.Base(filepath.Dir(file)), "server-")
		scenario = scenario[:len(scenario)-len("-2006-01-02T15-04-05-000Z")]
		for _, c := range checks {
			id := scenario + " " + c.ID
			if all[id].Status != "FAILURE" {
				all[id] = c
			}
		}
	}
	return all
}

// conforming is a server with a tool that the suite knows.
func conforming(t *testing.T) (*mcp.Server, *desk.Desk) {
	t.Helper()
	var server *mcp.Server
	d := desktest.Sample(t, desk.Options{Door: mcp.Door, OnCard: func(e policy.CardEvent) { server.OnCard(e) }})
	err := d.Bus.Register(bus.Define(bus.Capability{Name: "test.tool_with_progress", Version: "1", Title: "Go on",
		Help: "Goes on.", Description: "Goes on and says so. Use it in tests. It does nothing else.",
		SideEffect: bus.Pure, Listing: bus.Listing{Category: "test"}, Run: bus.Run{Idempotent: true}},
		func(_ context.Context, call *bus.Call, _ struct{}) (struct{}, error) {
			for percent := range 3 {
				time.Sleep(50 * time.Millisecond) // as the suite wants it
				call.Progress(50*percent, "It goes on.")
			}
			return struct{}{}, nil
		}))
	if err != nil {
		t.Fatal(err)
	}
	server = mcp.New(mcp.Options{Bus: d.Bus, Bridge: d.Bridge, Client: "probe", Version: desk.Version,
		Who: func(ctx context.Context) (bus.Principal, error) { return d.SignedIn(ctx), nil }})
	return server, d
}
