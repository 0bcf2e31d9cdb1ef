package peers_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/token"
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

// located is a file of what is executed elsewhere.
func located(location string) string {
	return `{"version": 1, "agent": "agent://bank", "default_location": "` + location + `", "capabilities": [
		{"name": "check_balance", "description": "Check the balance of a bank account.",
			"input": {"type": "object", "properties": {"account_id": {"type": "string"}}},
			"output": {"type": "object", "properties": {"balance": {"type": "number"}}}}]}`
}

// secrets keeps them in memory.
type secrets struct {
	kept  map[string]string
	lasts bool
}

func (s *secrets) Keep(_ context.Context, name, secret string) error {
	s.kept[name] = secret
	return nil
}
func (s *secrets) Find(_ context.Context, name string) (string, error) { return s.kept[name], nil }
func (s *secrets) Lasting() bool                                       { return s.lasts }

// shop is a log, and what the file that a person chooses says.
type shop struct {
	log  *audit.Log
	file string
	*secrets
}

func opened(t testing.TB) *shop {
	t.Helper()
	log, err := audit.Open(t.Context(), filepath.Join(t.TempDir(), "shop.db"),
		audit.Options{Modules: map[string]fs.FS{"peers": peers.Module()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	return &shop{log, file, &secrets{map[string]string{}, true}}
}

// program is a bus with the capabilities of this package, and those of the peers that were added.
func (s *shop) program(t testing.TB, before ...bus.Capability) *bus.Bus {
	t.Helper()
	b := bus.New(bus.Options{Journal: s.log, Approver: allowing{}, Name: "test", Version: "1.0.0"})
	b.MustRegister(before...)
	p := peers.New(peers.Options{Log: s.log, Secrets: s.secrets, Clock: time.Now,
		Open: func(context.Context, string) (io.ReadCloser, string, error) {
			return io.NopCloser(strings.NewReader(s.file)), "capabilities.yaml", nil
		}})
	b.MustRegister(p.Capabilities()...)
	end, err := p.Register(t.Context(), b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
	return b
}

func invoke(t testing.TB, b *bus.Bus, name, arguments string) bus.Result {
	t.Helper()
	return b.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: json.RawMessage(arguments),
		Caller: bus.Caller{Type: bus.CallerCLI}, Principal: bus.Principal{ID: "owner", Scopes: []string{"*"}}})
}

func TestPeersConform(t *testing.T) {
	bustest.ConformEach(t, func(t testing.TB, name string) bustest.App {
		s := opened(t)
		s.file = located("https://bank.example.com/agent/execute")
		b := s.program(t)
		if name == "peer.remove" {
			if r := invoke(t, b, "peer.add", `{"file":"capabilities.yaml"}`); !r.OK() {
				t.Fatal(r.Err)
			}
		}
		return bustest.App{Bus: b, Digest: func() (string, error) { return s.log.StateHash(t.Context()) },
			Arguments: func(name string) json.RawMessage {
				if name == "peer.remove" {
					return json.RawMessage(`{"name":"bank"}`)
				}
				return nil
			}}
	})
}

// holds: R5
func TestR5WhatWasAddedIsOnTheBusOfTheNextProgramAndAskedFor(t *testing.T) {
	s := opened(t)
	if r := invoke(t, s.program(t), "peer.add", `{"file":"capabilities.yaml"}`); !r.OK() {
		t.Fatal(r.Err)
	}
	next := s.program(t)
	c, known := next.Lookup("peer.printer.print")
	if !known || c.SideEffect != bus.Network || c.Checks.Access.Agent != bus.RuleConfirm {
		t.Fatalf("%v %+v", known, c)
	}
	if r := invoke(t, next, "peer.printer.print", `{}`); r.OK() || r.Err.Reason != bus.ReasonNetwork {
		t.Errorf("a program that ends at once was answered for with %v", r.Err)
	}
	s.program(t, bus.Capability{Name: "peer.printer.print", Title: "Print", Description: "Ours.", SideEffect: bus.Pure,
		Handler: func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{}`), nil }})
}

// elsewhere is a program that checks balances for who has the key of a shop, and what it heard.
type elsewhere struct {
	location string
	key      ed25519.PublicKey // whose calls it takes
	start    time.Time

	mu    sync.Mutex
	heard []bus.Invocation
	who   []string
}

func bank(t *testing.T) *elsewhere {
	e := &elsewhere{start: time.Now().Add(-2 * time.Second)}
	var receiver *token.Receiver
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.mu.Lock()
		defer e.mu.Unlock()
		if receiver == nil {
			begun := false
			receiver = token.NewReceiver(e.location, e.key, func() time.Time {
				if !begun { // a token has whole seconds
					begun = true
					return e.start
				}
				return time.Now()
			})
		}
		receiver.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var inv bus.Invocation
			_ = json.NewDecoder(r.Body).Decode(&inv)
			claims, _ := token.FromContext(r.Context())
			e.heard, e.who = append(e.heard, inv), append(e.who, claims.Subject+" "+claims.TraceID)
			_, _ = fmt.Fprintf(w, `{"status":"success","request_id":%q,"data":{"balance":12.5}}`, inv.RequestID)
		})).ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	e.location = server.URL + "/agent/execute"
	return e
}

// holds: O5 R10
func TestO5ACapabilityWithALocationIsCalledThereWithAToken(t *testing.T) {
	there, s := bank(t), opened(t)
	s.file = located(there.location)
	first := s.program(t)
	card := first.Invoke(t.Context(), bus.Invocation{Capability: "peer.add",
		Arguments: json.RawMessage(`{"file":"f"}`), DryRun: true,
		Caller: bus.Caller{Type: bus.CallerCLI}, Principal: bus.Principal{ID: "owner", Scopes: []string{"*"}}})
	added := invoke(t, first, "peer.add", `{"file":"f"}`)
	var said peers.Peer
	if err := added.Decode(&said); err != nil {
		t.Fatal(added.Err, err)
	}
	public, err := base64.StdEncoding.DecodeString(said.PublicKey)
	if err != nil || !said.KeyLasts || said.Command != nil || !slices.Equal(said.Locations, []string{there.location}) {
		t.Fatalf("added as %+v", said)
	}
	if want := "Let agent://bank work here, called at " + there.location + ": peer.bank.check_balance"; card.Summary != want {
		t.Errorf("the card says %q", card.Summary)
	}
	if kept := s.kept["peer.key"]; kept == "" || strings.Contains(string(added.Data), kept) {
		t.Errorf("kept %q, answered with %s", kept, added.Data)
	}

	there.key = public
	r := invoke(t, s.program(t), "peer.bank.check_balance", `{"account_id":"acc_1"}`)
	if !r.OK() || string(r.Data) != `{"balance":12.5}` {
		t.Fatalf("answered with %s %v", r.Data, r.Err)
	}
	if got := there.heard[0]; got.Capability != "check_balance" || there.who[0] != "owner "+r.RequestID {
		t.Errorf("it heard %+v from %q", got, there.who)
	}
	found, err := s.log.Search(t.Context(), audit.Query{TraceID: there.heard[0].TraceID})
	if err != nil || len(found.Records) != 1 || found.Records[0].Capability != "peer.bank.check_balance" {
		t.Errorf("the record of that trace: %+v %v", found, err)
	}
	if r := invoke(t, s.program(t), "peer.bank.check_balance", `{"account_id":1}`); r.OK() || len(there.heard) != 1 {
		t.Errorf("an account that is none was answered with %v and heard %d times", r.Err, len(there.heard))
	}

	s.kept = map[string]string{"peer.key": base64.StdEncoding.EncodeToString(make([]byte, 32))}
	if r := invoke(t, s.program(t), "peer.bank.check_balance", `{}`); r.OK() || r.Err.Code != bus.Forbidden ||
		len(there.heard) != 1 {
		t.Errorf("signed with another key: %v", r.Err)
	}
	s.kept["peer.key"] = "a key"
	if r := invoke(t, s.program(t), "peer.bank.check_balance", `{}`); r.OK() || r.Err.Code != bus.PreconditionFailed ||
		!strings.Contains(r.Err.Message, "32 bytes") {
		t.Errorf("with a key that is none: %v", r.Err)
	}
}

// holds: O5
func TestO5WithoutAKeychainTheKeyIsOfThisProgram(t *testing.T) {
	s := opened(t)
	s.file, s.lasts = located("https://bank.example.com/agent/execute"), false
	b := s.program(t)
	keyOf := func(b *bus.Bus) (string, bool) {
		var all struct{ Peers []peers.Peer }
		if err := invoke(t, b, "peer.list", `{}`).Decode(&all); err != nil {
			t.Fatal(err)
		}
		return all.Peers[0].PublicKey, all.Peers[0].KeyLasts
	}
	if r := invoke(t, b, "peer.add", `{"file":"capabilities.yaml"}`); !r.OK() {
		t.Fatal(r.Err)
	}
	if key, lasts := keyOf(b); key == "" || lasts {
		t.Errorf("its key %q lasts: %v", key, lasts)
	}
	given := s.kept
	s.kept = map[string]string{}
	if key, lasts := keyOf(s.program(t)); key != "" || lasts {
		t.Errorf("looking made the key %q (lasts: %v)", key, lasts)
	}
	s.kept = given // as the environment gives it
	if key, lasts := keyOf(s.program(t)); key == "" || !lasts {
		t.Errorf("the key that is given, %q, lasts: %v", key, lasts)
	}
}

// holds: O4 O5
func TestO4ARequestIsTheCallOfThePeersCapability(t *testing.T) {
	there, s := bank(t), opened(t)
	s.file = located(there.location)
	var added peers.Peer
	if err := invoke(t, s.program(t), "peer.add", `{"file":"f"}`).Decode(&added); err != nil {
		t.Fatal(err)
	}
	there.key, _ = base64.StdEncoding.DecodeString(added.PublicKey)
	b := s.program(t)
	for _, name := range []string{"bank", "agent://bank"} {
		r := invoke(t, b, "agent.request", `{"peer":"`+name+`","capability":"check_balance","arguments":{"account_id":"acc_1"}}`)
		if !r.OK() || string(r.Data) != `{"balance":12.5}` {
			t.Fatalf("%s answered with %s %v", name, r.Data, r.Err)
		}
		heard := there.heard[len(there.heard)-1]
		found, err := s.log.Search(t.Context(), audit.Query{TraceID: heard.TraceID})
		if err != nil || len(found.Records) != 1 || found.Records[0].Capability != "peer.bank.check_balance" ||
			string(found.Records[0].Arguments) != `{"account_id":"acc_1"}` || heard.Capability != "check_balance" {
			t.Errorf("one record on each side: here %+v %v, there %+v", found.Records, err, heard)
		}
	}
	r := invoke(t, b, "agent.request", `{"peer":"bank","capability":"check_balance","arguments":{"account_id":1}}`)
	if r.OK() || r.Err.SchemaSide != "request" || r.Err.Violations[0].Path != "/account_id" || len(there.heard) != 2 {
		t.Errorf("an account that is none: %v, %d calls left", r.Err, len(there.heard))
	}
	found, err := s.log.Search(t.Context(), audit.Query{Kind: bus.KindSchemaViolation})
	if err != nil || len(found.Records) != 1 || found.Records[0].Capability != "peer.bank.check_balance" {
		t.Errorf("recorded as %+v %v", found.Records, err)
	}
	for _, arguments := range []string{`{"peer":"add","capability":"file"}`,
		`{"peer":"bank","capability":"check-balances"}`} {
		if r := invoke(t, b, "agent.request", arguments); r.OK() || r.Err.Code != bus.NotFound {
			t.Errorf("%s: %v", arguments, r.Err)
		}
	}
}

// holds: O5 O4 B12 U3
func TestO5WhateverALocationDoesIsAClearResultAndOneRecord(t *testing.T) {
	const good = `{"status":"success","request_id":%q,"data":{"balance":1}}`
	for how, want := range map[string]struct {
		answer string // %q is the request id; "" is none
		code   bus.Code
		reason bus.Reason
		kind   bus.Kind
	}{
		"well":          {good, "", "", bus.KindInvocation},
		"dead":          {"", bus.Transient, bus.ReasonNetwork, bus.KindInvocation},
		"slow":          {"", bus.Transient, bus.ReasonInterrupted, bus.KindInvocation},
		"in the middle": {good, bus.Transient, bus.ReasonInterrupted, bus.KindInvocation},
		"twice":         {good + good, bus.Internal, bus.ReasonResponse, bus.KindInvocation},
		"of another request": {`{"status":"success","request_id":"req_of_another","data":{}}`, bus.Internal,
			bus.ReasonResponse, bus.KindInvocation},
		"no result": {`<html>%q`, bus.Internal, bus.ReasonResponse, bus.KindInvocation},
		"an error of its own": {`{"status":"error","request_id":%q,"code":"CONFLICT","reason":"busy","message":"Later.","retryable":true}`,
			bus.Conflict, bus.ReasonBusy, bus.KindInvocation},
		"lying": {`{"status":"success","request_id":%q,"data":{"balance":"much"}}`, bus.Internal, bus.ReasonResponse,
			bus.KindSchemaViolation},
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			end := make(chan struct{})
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var inv bus.Invocation
				_ = json.NewDecoder(r.Body).Decode(&inv)
				switch said := strings.ReplaceAll(want.answer, "%q", fmt.Sprintf("%q", inv.RequestID)); how {
				case "slow":
					<-end
				case "in the middle":
					w.Header().Set("Content-Length", "4711")
					_, _ = io.WriteString(w, said[:len(said)/2])
				default:
					_, _ = io.WriteString(w, said)
				}
			}))
			t.Cleanup(server.Close)
			t.Cleanup(func() { close(end) })
			s := opened(t)
			s.file = strings.Replace(located(server.URL), `"name"`, `"timeoutMs": 1500, "name"`, 1)
			if r := invoke(t, s.program(t), "peer.add", `{"file":"f"}`); !r.OK() {
				t.Fatal(r.Err)
			}
			if how == "dead" {
				server.Close()
			}
			r := invoke(t, s.program(t), "peer.bank.check_balance", `{}`)
			if r.OK() != (want.code == "") || !r.OK() && (r.Err.Code != want.code || r.Err.Reason != want.reason ||
				r.Err.Message == "") {
				t.Errorf("answered with %s %v, want %s/%s", r.Data, r.Err, want.code, want.reason)
			}
			found, err := s.log.Search(t.Context(), audit.Query{Capability: "peer.bank.check_balance"})
			if err != nil || len(found.Records) != 1 || found.Records[0].Kind != want.kind {
				t.Errorf("recorded as %+v %v", found.Records, err)
			}
		})
	}
}
