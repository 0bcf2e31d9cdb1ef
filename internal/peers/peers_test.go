package peers_test

import (
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/internal/peers"
)

const file = `{"version": 1, "agent": "agent://printer", "transports": [{"kind": "stdio", "command": ["/bin/true"]}],
	"capabilities": [{"name": "print", "description": "Print."}]}`

// allowing allows what is asked.
type allowing struct{}

func (allowing) Authorize(context.Context, *bus.ApprovalRequest) (bus.Decision, error) {
	return bus.Decision{Allowed: true}, nil
}

func (allowing) Approve(context.Context, *bus.ApprovalRequest, *bus.Preview) (bus.Decision, error) {
	return bus.Decision{Answer: bus.AnswerAllow, Allowed: true}, nil
}

// opened is a bus with the capabilities of this package, on a log of its own.
func opened(t testing.TB) (*bus.Bus, *audit.Log) {
	t.Helper()
	log, err := audit.Open(t.Context(), filepath.Join(t.TempDir(), "shop.db"),
		audit.Options{Modules: map[string]fs.FS{"peers": peers.Module()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	b := bus.New(bus.Options{Journal: log, Approver: allowing{}, Name: "test", Version: "1.0.0"})
	b.MustRegister(peers.Capabilities(log, func(context.Context, string) (io.ReadCloser, string, error) {
		return io.NopCloser(strings.NewReader(file)), "capabilities.yaml", nil
	})...)
	return b, log
}

func invoke(t testing.TB, b *bus.Bus, name, arguments string) bus.Result {
	t.Helper()
	return b.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: json.RawMessage(arguments),
		Caller: bus.Caller{Type: bus.CallerCLI}, Principal: bus.Principal{ID: "owner", Scopes: []string{"*"}}})
}

func TestPeersConform(t *testing.T) {
	bustest.ConformEach(t, func(t testing.TB, name string) bustest.App {
		b, log := opened(t)
		if name == "peer.remove" {
			if r := invoke(t, b, "peer.add", `{"file":"capabilities.yaml"}`); !r.OK() {
				t.Fatal(r.Err)
			}
		}
		return bustest.App{Bus: b, Digest: func() (string, error) { return log.StateHash(t.Context()) },
			Arguments: func(name string) json.RawMessage {
				if name == "peer.remove" {
					return json.RawMessage(`{"name":"printer"}`)
				}
				return nil
			}}
	})
}

// holds: R5
func TestR5WhatWasAddedIsOnTheBusOfTheNextProgramAndAskedFor(t *testing.T) {
	b, log := opened(t)
	if r := invoke(t, b, "peer.add", `{"file":"capabilities.yaml"}`); !r.OK() {
		t.Fatal(r.Err)
	}
	next := bus.New(bus.Options{Journal: log, Name: "test", Version: "1.0.0"})
	end, err := peers.Register(t.Context(), log, next)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	c, known := next.Lookup("peer.printer.print")
	if !known || c.SideEffect != bus.Network || c.Checks.Access.Agent != bus.RuleConfirm {
		t.Fatalf("%v %+v", known, c)
	}
	if r := invoke(t, next, "peer.printer.print", `{}`); r.OK() || r.Err.Reason != bus.ReasonNetwork {
		t.Errorf("a program that ends at once was answered for with %v", r.Err)
	}
	taken := bus.New(bus.Options{Journal: log, Name: "test", Version: "1.0.0"})
	taken.MustRegister(bus.Capability{Name: "peer.printer.print", Title: "Print", Description: "Ours.", SideEffect: bus.Pure,
		Handler: func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{}`), nil }})
	end, err = peers.Register(t.Context(), log, taken)
	if err != nil {
		t.Fatalf("a name that is taken keeps the shop closed: %v", err)
	}
	end()
}
