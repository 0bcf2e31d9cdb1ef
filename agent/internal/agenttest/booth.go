package agenttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// Booth is an application on a real journal: purses with owners, which are paid out of,
// and the bridge's own capabilities.
type Booth struct {
	T      testing.TB
	Path   string // of the journal's file
	Log    *audit.Log
	Bus    *bus.Bus
	Policy *policy.Policy
	Store  *agent.Store
	Clock  *bustest.Clock
	Mails  atomic.Int64 // sent
	Status func() agent.AssistantStatus
	Thread func(conversation string) (string, []any, int64)               // nil: nothing
	Probe  func(ctx context.Context, endpoint, model string) model.Report // nil: asks the endpoint
	N      atomic.Int64

	Autonomy policy.Autonomy // for the turns of Says
}

const boothSchema = `-- +goose Up
CREATE TABLE purses (id TEXT PRIMARY KEY, owner TEXT NOT NULL, coins INTEGER NOT NULL CHECK (coins >= 0)) STRICT;
CREATE TABLE remarks (id TEXT PRIMARY KEY, text TEXT NOT NULL) STRICT;
INSERT INTO purses VALUES ('purse_ana', 'cus_ana', 1000000), ('purse_ben', 'cus_ben', 1000000),
    ('purse_0', 'cus_ana', 1000000), ('purse_1', 'cus_ana', 1000000), ('purse_2', 'cus_ana', 1000000),
    ('purse_3', 'cus_ana', 1000000), ('purse_4', 'cus_ana', 1000000), ('purse_5', 'cus_ana', 1000000),
    ('purse_6', 'cus_ana', 1000000), ('purse_7', 'cus_ana', 1000000);
`

// Helper is the profile of the booth's assistant.
var Helper = bus.ModelID{Endpoint: "http://localhost/v1", Name: "helper"}

// OpenBooth opens a booth in a new database in a temporary directory.
func OpenBooth(t testing.TB, o policy.Options) *Booth {
	t.Helper()
	return OpenBoothAt(t, filepath.Join(t.TempDir(), "booth.db"), o)
}

// OpenBoothAt opens a booth on a file: one more program on it, when there is one already.
func OpenBoothAt(t testing.TB, path string, o policy.Options) *Booth {
	t.Helper()
	log, err := audit.Open(context.Background(), path, BoothTables())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	b := &Booth{T: t, Path: path, Log: log, Clock: bustest.NewClock(), Store: agent.NewStore(log),
		Autonomy: policy.WithinGrants}
	o.Log, o.Clock, o.Wording = log, b.Clock.Now, Wording
	b.Policy = policy.New(o)
	b.Bus = bus.New(bus.Options{Journal: log, Approver: b.Policy, Clock: b.Clock.Now, Name: "booth",
		Logger: slog.New(slog.DiscardHandler)})
	b.Bus.MustRegister(b.Capabilities()...)
	b.Bus.MustRegister(agent.Capabilities(agent.CapabilityOptions{Store: b.Store, Wording: Wording,
		Status: func() agent.AssistantStatus { return b.Status() },
		Thread: func(conversation string) (string, []any, int64) {
			if b.Thread == nil {
				return "", nil, 0
			}
			return b.Thread(conversation)
		},
		LocalModels: func(context.Context) []model.LocalEndpoint {
			return []model.LocalEndpoint{{Name: "here", Endpoint: "http://127.0.0.1:1/v1", Models: []string{"m"}}}
		},
		TestModel: func(ctx context.Context, endpoint, model string) model.Report {
			if b.Probe != nil {
				return b.Probe(ctx, endpoint, model)
			}
			return openai.Probe(ctx, openai.Options{BaseURL: endpoint, Model: model}, nil, b.Clock.Now)
		}})...)
	b.Bus.MustRegister(bus.Capabilities()...)
	return b
}

// BoothTables are the options that a booth's log is opened with.
func BoothTables() audit.Options {
	return audit.Options{Migrations: fstest.MapFS{"00001_booth.sql": {Data: []byte(boothSchema)}},
		Modules: agent.Modules(), Turn: agent.TurnCapability}
}

// Wording has the names of people for the ids in a call.
var Wording = policy.Wording{
	Name: func(_ context.Context, field, id string) (string, error) {
		return map[string]string{"owner cus_ana": "Ana Ruiz", "owner cus_ben": "Ben Silva"}[field+" "+id], nil
	},
	Currency: func(context.Context) (string, error) { return "USD", nil },
	Zone:     func(context.Context) (*time.Location, error) { return time.FixedZone("", -8*3600), nil },
}

type payIn struct {
	Purse  string      `json:"purse" jsonschema:"minLength=1,maxLength=60" jsonschema_extras:"x-entity=purse"`
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

// Capabilities returns the capabilities of the booth.
func (b *Booth) Capabilities() []bus.Capability {
	write := []string{"database:write"}
	return []bus.Capability{
		bus.Define(bus.Capability{Name: "purse.pay", Title: "Pay out", Description: "Pays out of a purse.",
			SideEffect: bus.Destructive, Reversible: true,
			Resources: write, Facts: []string{"amount", "owner"},
			Assistant: bus.Assistant{Grantable: []string{"amount", "owner"}}}, payFrom),
		bus.Define(bus.Capability{Name: "purse.burn", Title: "Burn a purse", Description: "Burns a purse for good.",
			SideEffect: bus.Destructive,
			Resources:  write}, func(ctx context.Context, _ *bus.Call, in struct {
			Purse string `json:"purse"`
		}) (struct{}, error) {
			_, err := audit.Tx(ctx).ExecContext(ctx, `DELETE FROM purses WHERE id = ?`, in.Purse)
			return struct{}{}, err
		}),
		bus.Define(bus.Capability{Name: "purse.fill", Title: "Fill the purses", Description: "Fills the purses.",
			SideEffect: bus.UIOnly, Resources: write},
			func(ctx context.Context, _ *bus.Call, _ struct{}) (struct{}, error) {
				_, err := audit.Tx(ctx).ExecContext(ctx, `UPDATE purses SET coins = 1000000`)
				return struct{}{}, err
			}),
		bus.Define(bus.Capability{Name: "purse.list", Title: "List the purses", Description: "Lists the purses.",
			SideEffect: bus.Pure, Resources: []string{"database:read"},
			Entities: []bus.Entity{{Type: "purse", Title: "Purse", List: "/purses", Resolve: func(_ context.Context,
				_ *bus.Call, ids []string) (map[string]string, error) {
				names := map[string]string{}
				for _, id := range ids {
					if id == "purse_ana" {
						names[id] = "Ana's purse"
					}
				}
				return names, nil
			}}},
		}, func(context.Context, *bus.Call, struct{}) (purseList, error) {
			return purseList{[]purseItem{{"purse_ana", "Ana's purse"}, {"purse_ben", "Ben's purse"}}}, nil
		}),
		bus.Define(bus.Capability{Name: "remark.add", Title: "Add a remark", Description: "Adds a remark.",
			SideEffect: bus.UIOnly, Resources: write, Reversible: true,
			Checks: bus.Checks{Access: bus.Access{Agent: bus.RuleConfirm}}},
			func(ctx context.Context, call *bus.Call, in struct {
				Text string `json:"text" jsonschema:"minLength=1,maxLength=100"`
			}) (struct{}, error) {
				_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO remarks VALUES (?, ?)`, call.NewID("rem"), in.Text)
				return struct{}{}, err
			}),
		bus.Define(bus.Capability{Name: "remark.list", Title: "List the remarks", Description: "Lists the remarks.",
			SideEffect: bus.Pure,
			Resources:  []string{"database:read"}}, listRemarks),
		bus.Define(bus.Capability{Name: "mail.send", Title: "Send a mail", Description: "Sends a mail.",
			SideEffect: bus.Network,
			Facts:      []string{"recipient"},
			Run: bus.Run{Preview: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
				var in mailIn
				if err := call.Decode(&in); err != nil {
					return nil, err
				}
				call.Fact("recipient", in.To)
				return JSON(`{"to":%q}`, in.To), nil
			}},
			Assistant: bus.Assistant{Grantable: []string{"recipient"}}}, func(_ context.Context, call *bus.Call,
			in mailIn) (struct{}, error) {
			call.Fact("recipient", in.To)
			b.Mails.Add(1)
			return struct{}{}, nil
		}),
	}
}

type mailIn struct {
	To string `json:"to"`
}

func payFrom(ctx context.Context, call *bus.Call, in payIn) (out payOut, err error) {
	var owner string
	if err := audit.Tx(ctx).QueryRowContext(ctx, `UPDATE purses SET coins = coins - ? WHERE id = ? RETURNING owner, coins`,
		in.Amount.Amount, in.Purse).Scan(&owner, &out.Left); err != nil {
		return out, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such purse, or not enough in it.")
	}
	call.Fact("amount", in.Amount)
	call.Fact("owner", owner)
	call.Summarize("Pay %d out of %s", in.Amount.Amount, in.Purse)
	return out, nil
}

func listRemarks(ctx context.Context, _ *bus.Call, _ struct{}) (remarkList, error) {
	list := remarkList{Remarks: []remark{}}
	found, err := audit.Tx(ctx).QueryContext(ctx, `SELECT id, text FROM remarks ORDER BY id`)
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

// Owner is a person who may everything.
var Owner = bus.Principal{ID: "p_owner", Name: "Olga", Role: "owner", Scopes: []string{"*"}, Door: "test"}

// Person invokes as the owner at the window.
func (b *Booth) Person(name, args string, v ...any) bus.Result {
	b.T.Helper()
	return b.Bus.Invoke(context.Background(), bus.Invocation{Capability: name, Arguments: JSON(args, v...),
		Caller: bus.Caller{Type: bus.CallerUI}, Principal: Owner})
}

// Does invokes a capability as the person and decodes its data into out. The test fails if the call does.
func (b *Booth) Does(out any, name, args string, v ...any) {
	b.T.Helper()
	r := b.Person(name, args, v...)
	if !r.OK() {
		b.T.Fatalf("%s: %v", name, r.Err)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(r.Data, out); err != nil {
		b.T.Fatal(err)
	}
}

// Agent invokes as the assistant with the profile Helper, at work for the owner.
func (b *Booth) Agent(name, args string, v ...any) bus.Result {
	return b.AgentAs(Helper, "chat_1", name, args, v...)
}

// AgentAs invokes as an assistant with this profile, at work for the owner.
func (b *Booth) AgentAs(profile bus.ModelID, conversation, name, args string, v ...any) bus.Result {
	who := Owner
	who.Model, who.ConversationID, who.Door = &profile, conversation, "bridge"
	return b.Bus.Invoke(context.Background(), bus.Invocation{Capability: name, Arguments: JSON(args, v...), Principal: who,
		IdempotencyKey: fmt.Sprint("k", b.N.Add(1)), Caller: bus.Caller{Type: bus.CallerAgent, Source: conversation}})
}

// Paid returns the number of coins that were paid out of all purses.
func (b *Booth) Paid() int64 {
	b.T.Helper()
	var left int64
	err := b.Log.View(context.Background(), func(ctx context.Context) error {
		return audit.Tx(ctx).QueryRowContext(ctx, `SELECT sum(coins) FROM purses`).Scan(&left)
	})
	if err != nil {
		b.T.Fatal(err)
	}
	return 10_000_000 - left
}

// Fails checks the code, the reason and the message of a refusal.
func (b *Booth) Fails(r bus.Result, code bus.Code, reason bus.Reason, words string) {
	b.T.Helper()
	if r.Err == nil || r.Err.Code != code || r.Err.Reason != reason || !strings.Contains(r.Err.Message, words) {
		b.T.Errorf("%+v, want %s %s about %q", r.Err, code, reason, words)
	}
}

// Talk puts a bridge with the profile helper on the booth's bus.
func (b *Booth) Talk(steps ...Step) (*agent.Bridge, *Script) {
	s := &Script{Steps: steps}
	bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Clock: b.Clock.Now, NewID: Counter(),
		Model: func() model.Model { return profiled{s} }})
	b.T.Cleanup(bridge.Close)
	return bridge, s
}

// profiled is a script with the profile Helper.
type profiled struct{ *Script }

func (profiled) Profile() bus.ModelID { return Helper }

// Says runs a turn in a conversation and returns the results of its calls.
func (b *Booth) Says(bridge *agent.Bridge, conversation, text string) (results []*bus.Result) {
	b.T.Helper()
	err := bridge.Send(b.T.Context(), agent.Turn{ConversationID: conversation, Text: text, Principal: Owner,
		Autonomy: b.Autonomy},
		func(u agent.Update) {
			if u.Type == agent.UpdateResult {
				results = append(results, u.Result)
			}
		})
	if err != nil {
		b.T.Fatal(err)
	}
	return results
}

// Stored puts a bridge that keeps its conversations on the booth's bus.
func (b *Booth) Stored(steps ...Step) (*agent.Bridge, *Script) {
	s := &Script{Steps: steps}
	bridge := agent.New(agent.Options{Bus: b.Bus, Policy: b.Policy, Clock: b.Clock.Now, Store: b.Store,
		Model: func() model.Model { return profiled{s} }})
	b.T.Cleanup(bridge.Close)
	return bridge, s
}

// Grants gives the helper a grant for purse.pay out of Ana's purse.
func (b *Booth) Grants(constraints, limits string) (id string) {
	b.T.Helper()
	var out struct{ GrantID string }
	b.Does(&out, "grant.create",
		`{"grantee":{"endpoint":%q,"model":%q},"capability":"purse.pay","constraints":%s,"limits":%s,"until":%d}`,
		Helper.Endpoint, Helper.Name, constraints, limits, b.Clock.Now().Add(time.Hour).UnixMilli())
	return out.GrantID
}

// OpensCard makes a call of the owner's assistant through another bus and policy on the log; its card waits until the
// test ends or it is answered.
func (b *Booth) OpensCard() policy.Card {
	b.T.Helper()
	cards := make(chan policy.Card, 1)
	rules := policy.New(policy.Options{Log: b.Log, Clock: b.Clock.Now, Wording: Wording, OnCard: func(e policy.CardEvent) {
		if e.Type == policy.CardOpened {
			cards <- e.Card
		}
	}})
	other := bus.New(bus.Options{Journal: b.Log, Approver: rules, Clock: b.Clock.Now,
		Logger: slog.New(slog.DiscardHandler)})
	other.MustRegister(append(b.Capabilities(), policy.Capabilities(policy.Options{Log: b.Log, Wording: Wording})...)...)
	who := Owner
	who.Model = &Helper
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		other.Invoke(ctx, bus.Invocation{Capability: "purse.pay", Principal: who,
			Arguments: json.RawMessage(`{"purse":"purse_ana","amount":{"amount":100,"currency":"USD"}}`),
			Caller:    bus.Caller{Type: bus.CallerAgent}})
	}()
	b.T.Cleanup(func() { stop(); <-ended })
	return <-cards
}

// Answering answers every card in the owner's name.
func Answering(t *testing.T, answer func(n int, c policy.Card) policy.Answer) (*Booth, *[]policy.Card) {
	var b *Booth
	var cards []policy.Card
	b = OpenBooth(t, policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		cards = append(cards, e.Card)
		a := answer(len(cards), e.Card)
		a.ApprovalID, a.By = e.Card.ApprovalID, Owner.ID
		if a.Who.ID == "" {
			a.Who = Owner
		}
		if err := b.Policy.Decide(a); err != nil {
			t.Error(err)
		}
	}})
	return b, &cards
}

// ForAna are constraints: only Ana's purses.
const ForAna = `{"owner":"cus_ana"}`

// Code is the code of an error of the bus, "" for others.
func Code(err error) bus.Code {
	var e *bus.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
