package peer_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/codegen"
	"github.com/deskhand/deskhand/bus/peer"
	"github.com/deskhand/deskhand/bus/remote"
)

// printed is the example that the page of typed capabilities prints.
func printed(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/pr-reviewer.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// reached answers for a peer, and keeps what it was sent.
type reached struct {
	answer string
	sent   []bus.Invocation
}

func (r *reached) invoke(_ context.Context, inv bus.Invocation, _ func(bus.Event)) bus.Result {
	r.sent = append(r.sent, inv)
	return bus.Result{Status: bus.StatusSuccess, RequestID: inv.RequestID, Data: json.RawMessage(r.answer)}
}

// with is a bus that has what a file says.
func with(t *testing.T, text string, r *reached) (*bus.Bus, *bustest.Journal) {
	t.Helper()
	f, err := peer.Read(strings.NewReader(text), "capabilities.yaml")
	if err != nil {
		t.Fatal(err)
	}
	b, j, _ := bustest.New(t, f.Capabilities(r.invoke)...)
	return b, j
}

func ask(capability, arguments string) bus.Invocation {
	return bus.Invocation{Capability: capability, Arguments: json.RawMessage(arguments),
		Caller: bus.Caller{Type: bus.CallerUI}, Principal: bus.Principal{ID: "kim"}}
}

// holds: O3 O4
func TestO3ThePrintedExampleLoadsRunsAndRefuses(t *testing.T) {
	r := &reached{answer: `{"verdict":"approve","summary":"Fine."}`}
	b, j := with(t, printed(t), r)
	const name, good = "peer.pr_reviewer.review_pr", `{"prUrl":"https://example.com/1","severity":"low"}`
	res := b.Invoke(t.Context(), ask(name, good))
	if !res.OK() || string(res.Data) != r.answer || r.sent[0].Capability != "review-pr" {
		t.Fatalf("answered with %s %v, sent %+v", res.Data, res.Err, r.sent)
	}
	if _, is := peer.AsSchemaViolation(res); is {
		t.Error("what fits is told as a violation")
	}

	res = b.Invoke(t.Context(), ask(name, `{"prUrl":"https://example.com/1","severity":"urgent"}`))
	if res.OK() || res.Err.Code != bus.Validation || res.Err.SchemaSide != "request" || res.Err.Violations[0].Path != "/severity" {
		t.Errorf("a value that is not in the enum was answered with %v", res.Err)
	}
	if len(r.sent) != 1 {
		t.Errorf("it left: %+v", r.sent)
	}
	violation, is := peer.AsSchemaViolation(res)
	if shape, err := json.Marshal(violation); !is || err != nil ||
		string(shape) != `{"status":"schema-violation","schemaSide":"request",`+
			`"violations":[{"path":"/severity","message":"value must be one of 'low', 'med', 'high'"}],"error":{"code":"EAGENTRPC_SCHEMA_VIOLATION",`+
			`"message":"`+res.Err.Message+`"}}` {
		t.Errorf("in the printed shape: %s %v", shape, err)
	}

	r.answer = `{"verdict":"perhaps","summary":"Fine."}`
	res = b.Invoke(t.Context(), ask(name, good))
	if res.OK() || res.Err.SchemaSide != "response" || res.Err.Violations[0].Path != "/verdict" || res.Data != nil {
		t.Errorf("an answer of another shape was answered with %s %v", res.Data, res.Err)
	}
	if violation, is := peer.AsSchemaViolation(res); !is || violation.SchemaSide != "response" {
		t.Errorf("in the printed shape: %+v", violation)
	}
	if e := j.Entries(); string(e[len(e)-1].Response) != r.answer {
		t.Errorf("the record has not what was answered: %s", e[len(e)-1].Response)
	}
	var kinds []bus.Kind
	for _, e := range j.Entries() {
		kinds = append(kinds, e.Kind)
	}
	if want := []bus.Kind{bus.KindInvocation, "capability_schema_violation", "capability_schema_violation"}; !slices.Equal(kinds, want) {
		t.Errorf("recorded as %q, want %q", kinds, want)
	}
}

// holds: O4 R5
func TestO4APeerIsConfirmedWhateverItSays(t *testing.T) {
	f, err := peer.Read(strings.NewReader(printed(t)), "capabilities.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range f.Capabilities((&reached{}).invoke) {
		if c.SideEffect != bus.Network || c.Checks.Access.Agent != bus.RuleConfirm {
			t.Errorf("%s is %s, for an agent %s", c.Name, c.SideEffect, c.Checks.Access.Agent)
		}
		if !strings.Contains(string(c.OutputSchema), `"x-tainted":true`) {
			t.Errorf("%s: its answer is not text of others: %s", c.Name, c.OutputSchema)
		}
		if o, known := f.Offer(c.Name); !known || o.Name != "review-pr" {
			t.Errorf("%s leads back to %q", c.Name, o.Name)
		}
	}
}

// holds: O3
func TestO3TheOtherPrintedExampleLoadsToo(t *testing.T) {
	// JSON is YAML: the capability as capabilities and grants prints it, with its location.
	r := &reached{answer: `{"account_id":"acc_1","balance":12.5,"currency":"USD"}`}
	b, _ := with(t, `{"version": 1, "agent": "agent://bank", "capabilities": [{
		"name": "check_balance",
		"description": "Check the balance of a bank account",
		"location": "https://banking-api.example.com/agent/execute",
		"input": {"type": "object", "required": ["account_id"],
			"properties": {"account_id": {"type": "string", "description": "The bank account ID to check"}}},
		"output": {"type": "object", "properties": {"account_id": {"type": "string"}, "balance": {"type": "number"},
			"currency": {"type": "string"}}},
		"grant_status": "granted"}]}`, r)
	if res := b.Invoke(t.Context(), ask("peer.bank.check_balance", `{"account_id":"acc_1"}`)); !res.OK() {
		t.Error(res.Err)
	}
	if res := b.Invoke(t.Context(), ask("peer.bank.check_balance", `{}`)); res.OK() || len(r.sent) != 1 {
		t.Errorf("without an account: %v", res.Err)
	}
	if c, known := b.Lookup("peer.bank.check_balance"); !known ||
		c.Run.Location != "https://banking-api.example.com/agent/execute" {
		t.Errorf("executed at %q", c.Run.Location)
	}
}

// holds: O5
func TestO5WhatHasALocationGoesThereAndTheRestByItsTransport(t *testing.T) {
	f, err := peer.Read(strings.NewReader(`{"version": 1, "agent": "agent://bank", "capabilities": [
		{"name": "near", "description": "Near."},
		{"name": "far", "description": "Far.", "location": "https://far.example.com/"}]}`), "bank.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p := peer.New(f, peer.Child(nil))
	b, _, _ := bustest.New(t, f.Capabilities(p.Invoke)...)
	if r := b.Invoke(t.Context(), ask("peer.bank.far", `{}`)); r.OK() || r.Err.Code != bus.PreconditionFailed {
		t.Errorf("without a way there: %v", r.Err)
	}
	far := &reached{answer: `{}`}
	p.At = func(_ context.Context, location string) (remote.Invoker, error) {
		if location != "https://far.example.com/" {
			t.Errorf("called at %q", location)
		}
		return far.invoke, nil
	}
	if r := b.Invoke(t.Context(), ask("peer.bank.far", `{}`)); !r.OK() || len(far.sent) != 1 ||
		far.sent[0].Principal.ID != "kim" {
		t.Errorf("%v, sent %+v", r.Err, far.sent)
	}
	if r := b.Invoke(t.Context(), ask("peer.bank.near", `{}`)); r.OK() || r.Err.Reason != bus.ReasonNetwork ||
		len(far.sent) != 1 {
		t.Errorf("what has no location was answered with %v, sent %+v", r.Err, far.sent)
	}

	f, err = peer.Read(strings.NewReader(`{"version": 1, "agent": "agent://bank", "capabilities": [
		{"name": "a", "description": "A."}, {"name": "b", "description": "B.", "location": "http://localhost:1/b"}],
		"default_location": "https://bank.example.com/"}`), "bank.yaml")
	if err != nil || f.Offers[0].Location != "https://bank.example.com/" ||
		f.Offers[1].Location != "http://localhost:1/b" {
		t.Errorf("%+v %v", f, err)
	}
}

// holds: O3 O6
func TestO3AClientOfThePrintedExampleHasItsTypes(t *testing.T) {
	// The printed names are ReviewPrRequest and "review-pr"; ours are those that a bus has, so that one program can call
	// many peers. What a response may have beside its fields is left open there too.
	f, err := peer.Read(strings.NewReader(printed(t)), "capabilities.yaml")
	if err != nil {
		t.Fatal(err)
	}
	m, err := f.Manifest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	client, err := codegen.TypeScript(m)
	again, _ := codegen.TypeScript(m)
	if err != nil || string(client) != string(again) {
		t.Fatalf("twice the same: %v", err)
	}
	for _, want := range []string{"export type PeerPrReviewerReviewPrRequest = {", "prUrl: string;",
		`severity: "low" | "med" | "high";`, "export type PeerPrReviewerReviewPrResponse = {",
		`verdict: "approve" | "request-changes" | "comment";`,
		`"peer.pr_reviewer.review_pr": { request: PeerPrReviewerReviewPrRequest; response: PeerPrReviewerReviewPrResponse };`} {
		if !strings.Contains(string(client), want) {
			t.Errorf("it lacks %s:\n%s", want, client)
		}
	}
}

// holds: O3
func TestO3WhatCannotBeEnforcedIsRefusedWithItsLine(t *testing.T) {
	text := printed(t)
	for name, c := range map[string]struct{ from, to, want string }{
		"a keyword": {"additionalProperties: false", "additionalProps: false",
			`capabilities.yaml:19: inputSchema: at /additionalProps: keyword "additionalProps" is not supported`},
		"a format":     {"{ type: string, description", "{ type: string, format: phone, description", "capabilities.yaml:16: inputSchema: at /properties/prUrl/format: format phone is not supported"},
		"a type":       {"{ enum: [low, med, high] }", "{ type: word }", "capabilities.yaml:17: inputSchema: at /properties/severity/type: value must"},
		"a field":      {"timeoutMs:", "timeout:", `capabilities.yaml:10: a capability has no field "timeout"`},
		"its value":    {"timeoutMs: 60000", "timeoutMs: long", "capabilities.yaml:10: this is a string where a int64 belongs"},
		"a version":    {"version: 1", "version: 2", `capabilities.yaml:1: version "2" is not 1`},
		"no agent":     {"agent: agent://pr-reviewer", "topics: {}", `capabilities.yaml:5: the file has the field "topics" twice`},
		"an agent":     {"agent://pr-reviewer", "agent://PR", `capabilities.yaml:2: agent "agent://PR" is not agent://name`},
		"a name":       {"name: review-pr", "name: review pr", `capabilities.yaml:8: the name "review pr" is not letters`},
		"a transport":  {"kind: memory", "kind: pigeon", `there is no transport "pigeon"`},
		"a shell":      {"kind: memory", "kind: stdio", "a transport stdio has a command"},
		"a name twice": {"    timeoutMs: 60000", "    timeoutMs: 60000\n  - name: review_pr\n    description: Again.", "has here: peer.pr_reviewer.review_pr"},
		"an alias":     {"{ enum: [low, med, high] }", "&a { enum: [low] }\n        other: *a", "aliases are not read"},
		"a location": {"timeoutMs: 60000", "location: http://example.com/",
			`capabilities.yaml:10: "http://example.com/" is no https address`},
		"no YAML":         {"version: 1", "version: [", "capabilities.yaml:"},
		"an endless file": {"version: 1", strings.Repeat("#", 1<<20) + "\nversion: 1", "is larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := strings.Replace(text, c.from, c.to, 1)
			_, err := peer.Read(strings.NewReader(changed), "capabilities.yaml")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("read with %v, want %q", err, c.want)
			}
			if _, err := peer.Inspect(strings.NewReader(changed), "capabilities.yaml"); name == "a keyword" && err != nil {
				t.Errorf("it cannot be looked at: %v", err)
			}
		})
	}
}

func FuzzRead(f *testing.F) {
	text, err := os.ReadFile("testdata/pr-reviewer.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(text))
	f.Fuzz(func(t *testing.T, text string) {
		file, err := peer.Read(strings.NewReader(text), "capabilities.yaml")
		if err != nil {
			return
		}
		b := bus.New(bus.Options{Journal: &bustest.Journal{}})
		if err := b.Register(file.Capabilities((&reached{}).invoke)...); err != nil {
			t.Errorf("it was read, and cannot be registered: %v", err)
		}
	})
}

// TestAPeerThatIsSlowToReachHoldsUpNeitherItsCallersNorClose: each caller waits as long as it wants to, and all for one
// dial.
func TestAPeerThatIsSlowToReachHoldsUpNeitherItsCallersNorClose(t *testing.T) {
	dials, ended := make(chan struct{}, 8), make(chan struct{})
	p := peer.New(&peer.File{Agent: "agent://slow"}, func(ctx context.Context) (io.ReadWriteCloser, error) {
		dials <- struct{}{}
		<-ctx.Done()
		close(ended)
		return nil, ctx.Err()
	})
	first := make(chan error, 1)
	go func() { first <- p.Reach(t.Context()) }()
	<-dials
	gone, leave := context.WithCancel(t.Context())
	leave()
	if err := p.Reach(gone); !errors.Is(err, context.Canceled) {
		t.Errorf("a caller that left: %v", err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	<-ended
	if err := <-first; !errors.Is(err, context.Canceled) {
		t.Errorf("after Close: %v", err)
	}
	if err := p.Reach(t.Context()); !errors.Is(err, io.ErrClosedPipe) || len(dials) > 0 {
		t.Errorf("a call after Close: %v, %d more dials", err, len(dials))
	}
}

// TestACallerThatWantsALaterOfferIsRefused: the version of an offer is what its file says under since.
func TestACallerThatWantsALaterOfferIsRefused(t *testing.T) {
	f, err := peer.Read(strings.NewReader("version: 1\nagent: agent://scale\ntransports:\n  - kind: memory\n"+
		"capabilities:\n  - name: weigh\n    description: Weighs.\n    since: 2.3.0\n"+
		"  - name: tare\n    description: Tares.\n    since: \"1.4\"\n"), "scale.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sent := 0
	b := bus.New(bus.Options{Journal: &bustest.Journal{}})
	if err := b.Register(f.Capabilities(func(_ context.Context, inv bus.Invocation, _ func(bus.Event)) bus.Result {
		if sent++; inv.MinVersion != "" {
			t.Errorf("the peer is asked for version %s", inv.MinVersion)
		}
		return bus.Result{Status: bus.StatusSuccess, Data: json.RawMessage(`{}`)}
	})...); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, version string
		taken         bool
	}{{"weigh", "2.3.0", true}, {"weigh", "2.1.0", true}, {"weigh", "2.4.0", false}, {"weigh", "1.0.0", false},
		{"tare", "1.0.0", true}} {
		r := b.Invoke(t.Context(), bus.Invocation{Capability: "peer.scale." + c.name, MinVersion: c.version,
			Arguments: json.RawMessage(`{}`), Caller: bus.Caller{Type: bus.CallerUI}, Principal: bus.Principal{ID: "kim"}})
		if refused := r.Err != nil && r.Err.Reason == bus.ReasonVersion; refused == c.taken {
			t.Errorf("%+v: %v", c, r.Err)
		}
	}
	if sent == 0 {
		t.Error("nothing was sent")
	}
}
