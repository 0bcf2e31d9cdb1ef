package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"
	"net/url"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// TurnCapability is the capability that records each turn, under the turn's id. Only the bridge invokes it; no model
// gets it as a tool.
const TurnCapability = "agent.turn"

// turnInput is the content of a turn's record. It contains no text of the conversation.
type turnInput struct {
	Endpoint string      `json:"endpoint" jsonschema:"maxLength=2000"`
	Model    string      `json:"model,omitempty" jsonschema:"maxLength=2000"`
	Left     bool        `json:"left"`
	Requests int         `json:"requests"`
	Digest   string      `json:"digest,omitempty" jsonschema:"maxLength=64"`
	Tokens   model.Usage `json:"tokens"`
	Calls    int         `json:"calls"`

	Rules    string          `json:"rules,omitempty" jsonschema:"maxLength=64"`
	Autonomy policy.Autonomy `json:"autonomy,omitempty" jsonschema:"enum=look,enum=ask,enum=grants"`
	Status   Status          `json:"status" jsonschema:"enum=done,enum=stopped,enum=error,enum=limit"`
}

// domainUsage is the domain of token use and cost.
const domainUsage = "usage"

func turnCapability() bus.Capability {
	return bus.Define(bus.Capability{Name: TurnCapability, Texts: texts, SideEffect: bus.Pure,
		Listing: bus.Listing{Category: "assistant", Group: "assistant", Passive: true},
		Checks:  bus.Checks{Access: bus.Access{User: bus.RuleDeny, Agent: bus.RuleAllow}},
		Run:     bus.Run{Idempotent: true}, Changes: []string{domainUsage}, Provides: []string{}},
		func(_ context.Context, call *bus.Call, in turnInput) (struct{}, error) {
			where := "Nothing left this computer"
			switch {
			case in.Requests == 0:
				where = "The model was not asked"
			case in.Left:
				where = "Something left this computer"
			}
			call.Summarize("%s; requests: %d, tokens: %d, calls: %d", where, in.Requests, in.Tokens.Input+in.Tokens.Output,
				in.Calls)
			call.Announce(domainUsage, bus.Textf(""))
			return struct{}{}, nil
		})
}

// hasAddress reports whether requests to a model leave this program.
func hasAddress(m bus.ModelID) bool {
	u, err := url.Parse(m.Endpoint)
	return err == nil && u.Host != ""
}

// noteSent counts a request and, if the model has an address, adds the request to the digest.
func (t *turnRun) noteSent(req model.Request) {
	t.requests++
	if !hasAddress(*t.who.Model) {
		return
	}
	if t.sent == nil {
		t.sent = sha256.New()
	}
	writeSent(t.sent, req)
}

// writeSent writes a request in the form for the digest: JSON lines of the instructions, the messages and the tools,
// with the fields that an endpoint receives.
func writeSent(to hash.Hash, req model.Request) {
	type tool struct {
		Name, Description string
		Parameters        json.RawMessage
	}
	type message struct {
		model.Message
		Context string
	}
	lines := json.NewEncoder(to)
	_ = lines.Encode(req.System) // texts and JSON marshal, and a hash never fails
	for _, m := range req.Messages {
		_ = lines.Encode(message{m, m.Context})
	}
	for _, t := range req.Tools {
		_ = lines.Encode(tool{t.Name, t.Description, t.Parameters})
	}
}

// recordTurn writes the record of the turn. It has the destination, the digest and the cost of the requests but no
// text, which the records of the calls and the conversation contain.
func (t *turnRun) recordTurn(ctx context.Context, status Status) {
	if _, known := t.b.o.Bus.Lookup(TurnCapability); !known {
		return
	}
	in := turnInput{Endpoint: t.who.Model.Endpoint, Model: t.who.Model.Name, Requests: t.requests, Tokens: t.spent.usage(),
		Left: t.requests > 0 && model.IsRemote(*t.who.Model), Calls: t.calls, Status: status,
		Rules: t.rules.digest(), Autonomy: t.conv.provenance.Autonomy()}
	if t.sent != nil {
		in.Digest = hex.EncodeToString(t.sent.Sum(nil))
	}
	args, _ := json.Marshal(in) // texts and numbers
	r := t.b.o.Bus.Invoke(policy.Bookkeeping(context.WithoutCancel(ctx)), bus.Invocation{Capability: TurnCapability,
		Arguments: args, RequestID: t.id, Principal: t.principal(),
		Caller: bus.Caller{Type: bus.CallerAgent, Source: t.conv.id}})
	if !r.OK() {
		t.b.o.Logger.Error("the record of a turn is a failure", "turn", t.id, "cause", r.Err)
	}
}
