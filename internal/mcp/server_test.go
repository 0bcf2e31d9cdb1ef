package mcp_test

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/mcp"
	"github.com/deskhand/deskhand/shop"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// client is a client of the protocol's own SDK with a shop behind it.
type client struct {
	*sdk.ClientSession
	t       *testing.T
	desk    *desk.Desk
	o       mcp.Options
	late    chan time.Time // says that a client's patience is over
	changes chan struct{}  // list_changed notifications
	told    chan string    // messages of progress
	served  chan error     // how serving ended
	hangUp  func() error   // ends what the server reads

	mu    sync.Mutex // guards the rest
	cards []policy.Card
}

// eachRevision runs a test with clients of both revisions of the protocol that the server speaks.
func eachRevision(t *testing.T, test func(t *testing.T, c *client)) {
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) { test(t, connect(t, revision, nil)) })
	}
}

// connect opens a sample shop and connects a client to it.
func connect(t *testing.T, revision string, change func(*mcp.Options, *desk.Desk)) *client {
	t.Helper()
	c := &client{t: t, late: make(chan time.Time), changes: make(chan struct{}, 100), told: make(chan string, 100),
		served: make(chan error, 1)}
	var server *mcp.Server
	c.desk = desktest.Sample(t, desk.Options{Door: mcp.Door, OnCard: func(e policy.CardEvent) {
		if e.Type == policy.CardOpened {
			c.mu.Lock()
			c.cards = append(c.cards, e.Card)
			c.mu.Unlock()
		}
		server.OnCard(e)
	}})
	o := mcp.Options{Bus: c.desk.Bus, Bridge: c.desk.Bridge, Client: "probe", Version: desk.Version,
		After: func(d time.Duration) <-chan time.Time {
			if d < time.Second {
				return time.After(time.Millisecond)
			}
			return c.late
		},
		Who: func(ctx context.Context) (bus.Principal, error) { return c.desk.SignedIn(ctx), nil }}
	if change != nil {
		change(&o, c.desk)
	}
	c.o = o
	server = mcp.New(o)
	input, asks := io.Pipe()
	answers, output := io.Pipe()
	c.hangUp = asks.Close
	here, there := &sdk.IOTransport{Reader: input, Writer: output}, &sdk.IOTransport{Reader: answers, Writer: asks}
	ctx, cancel := context.WithCancel(t.Context())
	go func() { c.served <- server.Run(ctx, here) }()
	probe := sdk.NewClient(&sdk.Implementation{Name: "probe", Version: "1"}, &sdk.ClientOptions{
		ToolListChangedHandler: func(context.Context, *sdk.ToolListChangedRequest) { c.changes <- struct{}{} },
		ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) {
			c.told <- req.Params.Message
		}})
	session, err := probe.Connect(ctx, there, &sdk.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	if spoken := session.InitializeResult().ProtocolVersion; revision != "" && spoken != revision {
		t.Fatalf("it speaks %s", spoken)
	}
	c.ClientSession = session
	t.Cleanup(func() {
		_ = session.Close() // it may be closed
		cancel()
	})
	return c
}

// answered is a result as a client reads it.
type answered struct {
	Status    string          `json:"status"`
	RequestID string          `json:"request_id"`
	Data      json.RawMessage `json:"data"`
	Code      bus.Code        `json:"code"`
	Reason    bus.Reason      `json:"reason"`
	Message   string          `json:"message"`
	Hint      string          `json:"recovery_hint"`
	Choices   []bus.Choice    `json:"choices"`
	Note      string          `json:"note"`
	Did       []string        `json:"did"`

	wrong bool
	texts []string
}

func (c *client) call(name, arguments string) answered {
	c.t.Helper()
	res, err := c.CallTool(c.t.Context(), &sdk.CallToolParams{Name: name, Arguments: json.RawMessage(arguments),
		Meta: sdk.Meta{"progressToken": name}})
	if err != nil {
		c.t.Fatalf("%s %s: %v", name, arguments, err)
	}
	return c.read(res)
}

func (c *client) read(res *sdk.CallToolResult) (a answered) {
	c.t.Helper()
	raw, err := json.Marshal(res.StructuredContent)
	if err == nil {
		err = json.Unmarshal(raw, &a)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	a.wrong = res.IsError
	whole, _ := json.Marshal(res)
	if strings.Contains(string(whole), "apr_") {
		c.t.Errorf("an approval id left: %s", whole)
	}
	for _, content := range res.Content {
		if text, is := content.(*sdk.TextContent); is {
			a.texts = append(a.texts, text.Text)
		}
	}
	return a
}

// card waits until a person is asked.
func (c *client) card(n int) policy.Card {
	c.t.Helper()
	for range 1000 {
		c.mu.Lock()
		if len(c.cards) > n {
			defer c.mu.Unlock()
			return c.cards[n]
		}
		c.mu.Unlock()
		time.Sleep(5 * time.Millisecond)
	}
	c.t.Fatalf("no person was asked a %d. time", n+1)
	return policy.Card{}
}

func (c *client) decide(card policy.Card, answer bus.Answer, reason string) {
	c.t.Helper()
	if err := c.desk.Policy.Decide(policy.Answer{ApprovalID: card.ApprovalID, Answer: answer, Reason: reason,
		By: card.Person, Who: c.desk.Person}); err != nil {
		c.t.Error(err)
	}
}

// records of a request.
func (c *client) records(q audit.Query) []audit.Record {
	c.t.Helper()
	page, err := c.desk.Log.Search(c.t.Context(), q)
	if err != nil {
		c.t.Fatal(err)
	}
	return page.Records
}

func (c *client) tools() map[string]*sdk.Tool {
	c.t.Helper()
	list, err := c.ListTools(c.t.Context(), nil)
	if err != nil {
		c.t.Fatal(err)
	}
	tools := map[string]*sdk.Tool{}
	for _, tool := range list.Tools {
		tools[tool.Name] = tool
	}
	return tools
}

// TestO1AClientListsCallsAndIsRefused: the core with schemas and hints, a read, a change, a mistake and a name that
// there is not. Each is in the log with the door and the client.
//
// holds: O1 M4
func TestO1AClientListsCallsAndIsRefused(t *testing.T) {
	eachRevision(t, func(t *testing.T, c *client) {
		tools := c.tools()
		for _, name := range append(shop.Core(), "capability.list", "capability.describe", "capability.call",
			"approval.wait") {
			tool := tools[strings.ReplaceAll(name, ".", "_")]
			if tool == nil || tool.InputSchema == nil || tool.OutputSchema == nil || tool.Description == "" {
				t.Errorf("%s: %+v", name, tool)
			}
		}
		if n := len(tools); n != len(shop.Core())+4 {
			t.Errorf("%d tools", n)
		}
		if a := tools["order_search"].Annotations; !a.ReadOnlyHint || *a.DestructiveHint || *a.OpenWorldHint {
			t.Errorf("order_search: %+v", a)
		}
		if a := tools["checkout_submit"].Annotations; a.ReadOnlyHint || !*a.DestructiveHint {
			t.Errorf("checkout_submit: %+v", a)
		}
		if d := tools["checkout_submit"].Description; !strings.Contains(d, "Not possible now") {
			t.Errorf("checkout_submit: %s", d)
		}

		found := c.call("catalog_search", `{"query":"Guji"}`)
		if found.Status != "success" || found.wrong || len(found.texts) != 2 || found.RequestID == "" {
			t.Fatalf("%+v", found)
		}
		var out struct{ Products []struct{ ID string } }
		if err := json.Unmarshal(found.Data, &out); err != nil || len(out.Products) == 0 {
			t.Fatalf("%s %v", found.Data, err)
		}
		added := c.call("cart_addItem", `{"productId":"`+out.Products[0].ID+`","quantity":2}`)
		if added.Status != "success" || len(added.Did) == 0 || !strings.Contains(added.texts[0], added.Did[0]) {
			t.Errorf("%+v", added)
		}
		wrong := c.call("cart_addItem", `{"productId":"`+out.Products[0].ID+`","quantity":"two"}`)
		if !wrong.wrong || wrong.Code != bus.Validation {
			t.Errorf("%+v", wrong)
		}
		unknown := c.call("cart_addItems", `{}`)
		if !unknown.wrong || unknown.Code != bus.NotFound || !strings.Contains(unknown.Hint, "cart_addItem") {
			t.Errorf("%+v", unknown)
		}
		hidden := c.call("approval_answer", `{"approvalId":"x","answer":"allow"}`)
		if !hidden.wrong || hidden.Code != bus.NotFound {
			t.Errorf("%+v", hidden)
		}
		for _, got := range []answered{found, added, wrong, unknown, hidden} {
			records := c.records(audit.Query{RequestID: got.RequestID})
			if len(records) != 1 {
				t.Fatalf("%d records of %+v", len(records), got)
			}
			r := records[0]
			if r.Caller.Type != string(bus.CallerAgent) || r.Caller.Door != mcp.Door || r.Model == nil ||
				r.Model.Name != "probe" ||
				r.Model.Endpoint != mcp.Door || r.Caller.Person != c.desk.Person.ID {
				t.Errorf("%+v %+v", r.Caller, r.Model)
			}
		}
	})
}

// TestR4WhatIsDescribedCanBeCalled: by its own tool, which the client is told of, and by capability_call for a client
// that does not listen.
//
// holds: R4 M3
func TestR4WhatIsDescribedCanBeCalled(t *testing.T) {
	eachRevision(t, func(t *testing.T, c *client) {
		if got := c.call("capability_list", `{"query":"low stock"}`); got.Status != "success" {
			t.Fatalf("%+v", got)
		}
		got := c.call("capability_describe", `{"name":"theme.set"}`)
		if got.Status != "success" {
			t.Fatalf("%+v", got)
		}
		select {
		case <-c.changes:
		case <-time.After(time.Minute):
			t.Fatal("the client was not told of the new tool")
		}
		if c.tools()["theme_set"] == nil {
			t.Error("theme_set is not listed")
		}
		byName := c.call("capability_call", `{"name":"theme.set","arguments":{"theme":"dark"}}`)
		if byName.Status != "success" {
			t.Fatalf("%+v", byName)
		}
		if r := c.records(audit.Query{RequestID: byName.RequestID}); len(r) != 1 || r[0].Capability != "theme.set" {
			t.Errorf("%+v", r)
		}
		if got := c.call("capability_call", `{"name":"staff.setPIN","arguments":{"pin":"1234"}}`); !got.wrong {
			t.Errorf("%+v", got)
		}
		if got := c.call("capability_call", `{"arguments":{}}`); !got.wrong || got.Code != bus.Validation {
			t.Errorf("%+v", got)
		}
	})
}

// TestO1TheCommonestJobsArePrompts: with what the person adds, and without.
//
// holds: O1
func TestO1TheCommonestJobsArePrompts(t *testing.T) {
	eachRevision(t, func(t *testing.T, c *client) {
		list, err := c.ListPrompts(t.Context(), nil)
		if err != nil || len(list.Prompts) != 5 {
			t.Fatal(err, list)
		}
		for _, p := range list.Prompts {
			for _, about := range []string{"Ana's Kenya", ""} {
				got, err := c.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: p.Name,
					Arguments: map[string]string{"about": about}})
				if err != nil || len(got.Messages) != 1 || got.Messages[0].Role != "user" {
					t.Fatal(err, got)
				}
				if said := got.Messages[0].Content.(*sdk.TextContent).Text; !strings.Contains(said, about) ||
					strings.Contains(said, "{about}") {
					t.Errorf("%s: %s", p.Name, said)
				}
			}
		}
	})
}

// TestO1ToolsFollowWhatIsPossible: the client is told when something becomes possible by what a person does, and when
// its person loses a right.
//
// holds: O1 M3
func TestO1ToolsFollowWhatIsPossible(t *testing.T) {
	for _, revision := range []string{"2026-07-28", "2025-11-25"} {
		t.Run(revision, func(t *testing.T) {
			var less atomic.Bool
			c := connect(t, revision, func(o *mcp.Options, d *desk.Desk) {
				o.Who = func(ctx context.Context) (bus.Principal, error) {
					who := d.SignedIn(ctx)
					if less.Load() {
						who.Scopes = []string{"catalog:read"}
					}
					return who, nil
				}
			})
			changed := func(until func(map[string]*sdk.Tool) bool) { // one change may be told in several parts
				for tools := c.tools(); !until(tools); tools = c.tools() {
					select {
					case <-c.changes:
					case <-time.After(time.Minute):
						t.Fatalf("the client was not told: it has %d tools", len(tools))
					}
				}
			}
			if d := c.tools()["checkout_submit"].Description; !strings.Contains(d, "Not possible now") {
				t.Fatal(d)
			}
			var found struct{ Products []struct{ ID string } }
			if err := json.Unmarshal(c.call("catalog_search", `{"query":"Guji"}`).Data, &found); err != nil {
				t.Fatal(err)
			}
			if r, err := c.desk.Invoke(t.Context(), "cart.addItem",
				map[string]any{"productId": found.Products[0].ID, "quantity": 1}, "test"); err != nil || !r.OK() {
				t.Fatal(err, r.Err)
			}
			changed(func(tools map[string]*sdk.Tool) bool {
				return !strings.Contains(tools["checkout_submit"].Description, "Not possible now")
			})
			less.Store(true)
			if r, err := c.desk.Invoke(t.Context(), "cart.clear", struct{}{}, "test"); err != nil || !r.OK() {
				t.Fatal(err, r.Err)
			}
			changed(func(tools map[string]*sdk.Tool) bool {
				return tools["checkout_submit"] == nil && tools["catalog_search"] != nil
			})
		})
	}
}
