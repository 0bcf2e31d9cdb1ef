package agent_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// booth is an application on a real journal: purses that are paid out of, each
// somebody's, with the bridge's own capabilities on its bus.
type booth struct {
	t      testing.TB
	path   string // of the journal's file
	log    *audit.Log
	bus    *bus.Bus
	policy *policy.Policy
	store  *agent.Store
	clock  *bustest.Clock
	mails  atomic.Int64 // sent
	status func() agent.AssistantStatus
	runs   func(conversation string) string                               // nil: nothing
	probe  func(ctx context.Context, endpoint, model string) model.Report // nil: asks the endpoint
	n      atomic.Int64
}

const boothSchema = `-- +goose Up
CREATE TABLE purses (id TEXT PRIMARY KEY, owner TEXT NOT NULL, coins INTEGER NOT NULL CHECK (coins >= 0)) STRICT;
CREATE TABLE remarks (id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
INSERT INTO purses VALUES ('purse_ana', 'cus_ana', 1000000), ('purse_ben', 'cus_ben', 1000000), ('purse_0', 'cus_ana', 1000000), ('purse_1', 'cus_ana', 1000000),
    ('purse_2', 'cus_ana', 1000000), ('purse_3', 'cus_ana', 1000000), ('purse_4', 'cus_ana', 1000000), ('purse_5', 'cus_ana', 1000000),
    ('purse_6', 'cus_ana', 1000000), ('purse_7', 'cus_ana', 1000000);
`

// helper is the profile of the booth's assistant.
var helper = bus.ModelID{Endpoint: "http://localhost/v1", Name: "helper"}

func openBooth(t testing.TB, o policy.Options) *booth {
	t.Helper()
	path := filepath.Join(t.TempDir(), "booth.db")
	log, err := audit.Open(context.Background(), path, audit.Options{
		Migrations: fstest.MapFS{"00001_booth.sql": {Data: []byte(boothSchema)}},
		Modules:    map[string]fs.FS{agent.ModuleName: agent.Migrations()}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &booth{t: t, path: path, log: log, clock: bustest.NewClock(), store: agent.NewStore(log)}
	o.Log, o.Clock, o.Wording = log, b.clock.Now, wording
	b.policy = policy.New(o)
	b.bus = bus.New(bus.Options{Journal: log, Approver: b.policy, Clock: b.clock.Now, Name: "booth", Logger: slog.New(slog.DiscardHandler)})
	b.policy.Attach(b.bus)
	b.bus.MustRegister(b.capabilities()...)
	b.bus.MustRegister(agent.Capabilities(agent.CapabilityOptions{Store: b.store, Wording: wording, Lookup: b.bus.Lookup, Status: func() agent.AssistantStatus { return b.status() },
		Running: func(conversation string) string {
			if b.runs == nil {
				return ""
			}
			return b.runs(conversation)
		},
		TestModel: func(ctx context.Context, endpoint, model string) model.Report {
			if b.probe != nil {
				return b.probe(ctx, endpoint, model)
			}
			return openai.Probe(ctx, openai.Options{BaseURL: endpoint, Model: model}, b.clock.Now)
		}})...)
	b.bus.MustRegister(append(b.bus.Discovery(), b.bus.Plan())...)
	return b
}

// wording is how the booth's people call things.
var wording = policy.Wording{
	Name: func(_ context.Context, field, id string) (string, error) {
		return map[string]string{"owner cus_ana": "Ana Ruiz", "owner cus_ben": "Ben Silva"}[field+" "+id], nil
	},
	Currency: func(context.Context) (string, error) { return "USD", nil },
	Zone:     func(context.Context) (*time.Location, error) { return time.FixedZone("", -8*3600), nil },
}

type payIn struct {
	Purse  string      `json:"purse" jsonschema:"minLength=1,maxLength=60" jsonschema_extras:"x-lookup=purse.list#/purses"`
	Amount moneyAmount `json:"amount"`
	Reason string      `json:"reason,omitempty" jsonschema:"maxLength=100"`
}

type moneyAmount struct {
	Amount   int64  `json:"amount" jsonschema:"minimum=1,maximum=1000000"`
	Currency string `json:"currency" jsonschema:"pattern=^[A-Z]{3}$"`
}

type payOut struct {
	Left int64 `json:"left"`
}

type purseList struct {
	Purses []purseItem `json:"purses"`
}

type purseItem struct {
	ID   string `json:"id"`
	Name string `json:"name"`
}

type remarkList struct {
	Remarks []remark `json:"remarks"`
}

type remark struct {
	ID   string `json:"id"`
	Text string `json:"text" jsonschema_extras:"x-tainted=true"`
}

func (b *booth) capabilities() []bus.Capability {
	write := []string{"database:write"}
	return []bus.Capability{
		bus.Define(bus.Capability{Name: "purse.pay", Title: "Pay out", Description: "Pays out of a purse.", SideEffect: bus.Destructive,
			Resources: write, Facts: []string{"amount", "owner"}, Grantable: []string{"amount", "owner"}}, payFrom),
		bus.Define(bus.Capability{Name: "purse.burn", Title: "Burn a purse", Description: "Burns a purse for good.", SideEffect: bus.Destructive,
			Resources: write}, func(ctx context.Context, _ *bus.Call, in struct {
			Purse string `json:"purse"`
		}) (struct{}, error) {
			_, err := audit.Tx(ctx).Exec(ctx, `DELETE FROM purses WHERE id = ?`, in.Purse)
			return struct{}{}, err
		}),
		bus.Define(bus.Capability{Name: "purse.fill", Title: "Fill the purses", Description: "Fills the purses.", SideEffect: bus.UIOnly, Resources: write},
			func(ctx context.Context, _ *bus.Call, _ struct{}) (struct{}, error) {
				_, err := audit.Tx(ctx).Exec(ctx, `UPDATE purses SET coins = 1000000`)
				return struct{}{}, err
			}),
		bus.Define(bus.Capability{Name: "purse.list", Title: "List the purses", Description: "Lists the purses.", SideEffect: bus.Pure,
			Resources: []string{"database:read"}}, func(context.Context, *bus.Call, struct{}) (purseList, error) {
			return purseList{[]purseItem{{"purse_ana", "Ana's purse"}, {"purse_ben", "Ben's purse"}}}, nil
		}),
		bus.Define(bus.Capability{Name: "remark.add", Title: "Add a remark", Description: "Adds a remark.", SideEffect: bus.UIOnly,
			Access: bus.Access{Agent: bus.RuleConfirm}, Resources: write}, func(ctx context.Context, call *bus.Call, in struct {
			Text string `json:"text" jsonschema:"minLength=1,maxLength=100"`
		}) (struct{}, error) {
			_, err := audit.Tx(ctx).Exec(ctx, `INSERT INTO remarks VALUES (?, ?)`, call.NewID("rem"), in.Text)
			return struct{}{}, err
		}),
		bus.Define(bus.Capability{Name: "remark.list", Title: "List the remarks", Description: "Lists the remarks.", SideEffect: bus.Pure,
			Resources: []string{"database:read"}}, listRemarks),
		bus.Define(bus.Capability{Name: "mail.send", Title: "Send a mail", Description: "Sends a mail.", SideEffect: bus.Network,
			Facts: []string{"recipient"}, Grantable: []string{"recipient"}, Preview: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
				var in mailIn
				if err := call.Decode(&in); err != nil {
					return nil, err
				}
				call.Fact("recipient", in.To)
				return raw(`{"to":%q}`, in.To), nil
			}}, func(_ context.Context, call *bus.Call, in mailIn) (struct{}, error) {
			call.Fact("recipient", in.To)
			b.mails.Add(1)
			return struct{}{}, nil
		}),
	}
}

type mailIn struct {
	To string `json:"to"`
}

func payFrom(ctx context.Context, call *bus.Call, in payIn) (out payOut, err error) {
	var owner string
	if err := audit.Tx(ctx).QueryRow(ctx, `UPDATE purses SET coins = coins - ? WHERE id = ? RETURNING owner, coins`, in.Amount.Amount, in.Purse).Scan(&owner, &out.Left); err != nil {
		return out, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such purse, or not enough in it.")
	}
	call.Fact("amount", in.Amount)
	call.Fact("owner", owner)
	call.Summarize("Pay %d out of %s", in.Amount.Amount, in.Purse)
	return out, nil
}

func listRemarks(ctx context.Context, _ *bus.Call, _ struct{}) (remarkList, error) {
	list := remarkList{Remarks: []remark{}}
	found, err := audit.Tx(ctx).Query(ctx, `SELECT id, text FROM remarks ORDER BY id`)
	if err != nil {
		return list, err
	}
	for found.Next() {
		var r remark
		if err := found.Scan(&r.ID, &r.Text); err != nil {
			return list, err
		}
		list.Remarks = append(list.Remarks, r)
	}
	return list, found.Close()
}

// owner is a person who may everything.
var owner = bus.Principal{Person: "p_owner", Name: "Olga", Role: "owner", Scopes: []string{"*"}, Door: "test"}

// person invokes as the owner at the window.
func (b *booth) person(name, args string, v ...any) bus.Result {
	b.t.Helper()
	return b.bus.Invoke(context.Background(), bus.Invocation{Capability: name, Arguments: raw(args, v...), Caller: bus.Caller{Type: bus.CallerUI}, Principal: owner})
}

// does is person for what must succeed; it decodes the answer into out.
func (b *booth) does(out any, name, args string, v ...any) {
	b.t.Helper()
	r := b.person(name, args, v...)
	if !r.OK() {
		b.t.Fatalf("%s: %v", name, r.Err)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(r.Data, out); err != nil {
		b.t.Fatal(err)
	}
}

// agent invokes as the assistant with the profile helper, at work for the owner.
func (b *booth) agent(name, args string, v ...any) bus.Result {
	return b.agentAs(helper, "chat_1", name, args, v...)
}

func (b *booth) agentAs(profile bus.ModelID, conversation, name, args string, v ...any) bus.Result {
	who := owner
	who.Model, who.ConversationID, who.Door = &profile, conversation, "bridge"
	return b.bus.Invoke(context.Background(), bus.Invocation{Capability: name, Arguments: raw(args, v...), Principal: who,
		IdempotencyKey: fmt.Sprint("k", b.n.Add(1)), Caller: bus.Caller{Type: bus.CallerAgent, Source: conversation}})
}

// paid is how much has left the purses.
func (b *booth) paid() int64 {
	b.t.Helper()
	var left int64
	err := b.log.View(context.Background(), func(ctx context.Context) error {
		return audit.Tx(ctx).QueryRow(ctx, `SELECT sum(coins) FROM purses`).Scan(&left)
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return 10_000_000 - left
}

// fails checks how a call was refused.
func (b *booth) fails(r bus.Result, code bus.Code, reason bus.Reason, words string) {
	b.t.Helper()
	if r.Err == nil || r.Err.Code != code || r.Err.Reason != reason || !strings.Contains(r.Err.Message, words) {
		b.t.Errorf("%+v, want %s %s about %q", r.Err, code, reason, words)
	}
}

type auditPage = audit.Page

func searchLog(b *booth, capability string) (audit.Page, error) {
	return b.log.Search(context.Background(), audit.Query{Capability: capability})
}
