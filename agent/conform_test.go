package agent_test

import (
	"context"
	"encoding/json"
	"flag"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// bodies is the number of invalid argument bodies for each capability. make soak sends more.
var bodies = flag.Int("bodies", 20, "invalid argument bodies per capability")

// TestEveryCapabilityConforms holds each capability of the bridge to the rules of
// the bus, on the real journal.
func TestEveryCapabilityConforms(t *testing.T) {
	bustest.ConformEach(t, func(t testing.TB, capability string) bustest.App {
		b := openBooth(t, policy.Options{})
		b.Status = func() agent.AssistantStatus { return agent.AssistantStatus{Model: "helper"} }
		b.Probe = func(context.Context, string, string) model.Report { return model.Report{Models: []string{}} }
		who := owner
		who.Model = &helper // Some capabilities are for an assistant only.
		return bustest.App{
			Bus: b.Bus, Person: who, Bodies: *bodies,
			Digest: b.Digest,
			Records: func(requestID string) (int, error) {
				page, err := b.Log.Search(context.Background(), audit.Query{RequestID: requestID, Reads: true})
				return len(page.Records), err
			},
			Arguments: b.Arguments,
			Invoke: func(ctx context.Context, b *bus.Bus, inv bus.Invocation) bus.Result {
				return b.Invoke(agent.WithForm(ctx), inv)
			},
		}
	})
}

// Digest sums up the domain and the bridge's own bookkeeping.
func (b *booth) Digest() (string, error) {
	state, err := b.Log.StateHash(context.Background())
	if err != nil {
		return "", err
	}
	err = b.Log.View(context.Background(), func(ctx context.Context) error {
		var own string
		err := audit.Tx(ctx).QueryRowContext(ctx,
			`SELECT (SELECT coalesce(group_concat(id || title), '') FROM agent_conversations) || (SELECT count(*) FROM agent_messages) ||
			(SELECT count(*) FROM agent_grant_uses) || (SELECT count(*) FROM agent_cards WHERE answer IS NULL)`).Scan(&own)
		state += own
		return err
	})
	return state, err
}

// Arguments prepares the booth so that the capability succeeds, and returns arguments for it. It returns nil where
// arguments made from the schema are enough.
func (b *booth) Arguments(name string) json.RawMessage {
	with := map[string]func() json.RawMessage{
		"purse.pay":  func() json.RawMessage { return raw(payAna) },
		"purse.burn": func() json.RawMessage { return raw(`{"purse":"purse_ana"}`) },
		"policy.set": func() json.RawMessage {
			return raw(`{"rules":[{"capability":"remark.add","rule":"forbidden"}]}`)
		},
		"approval.answer": func() json.RawMessage {
			return raw(`{"approvalId":%q,"answer":"deny"}`, b.OpensCard().ApprovalID)
		},
		"policy.tryOut": func() json.RawMessage {
			return raw(`{"rule":{"capability":"remark.add","rule":"forbidden"}}`)
		},
		"grant.create": func() json.RawMessage {
			return raw(`{"grantee":{"endpoint":"e","model":"m"},"capability":"remark.add"}`)
		},
		"grant.revoke": func() json.RawMessage { return raw(`{"grantId":%q}`, b.Grants(forAna, `{"uses":1}`)) },
		"assistant.endClient": func() json.RawMessage {
			if r := b.Bus.Invoke(context.Background(), bus.Invocation{Capability: "assistant.enrolClient",
				Arguments: raw(`{"name":"editor"}`), Principal: owner, Caller: bus.Caller{Type: bus.CallerUI}}); !r.OK() {
				b.T.Error(r.Err)
			}
			return raw(`{"name":"editor"}`)
		},
		"agent.requestCapability": func() json.RawMessage {
			return raw(`{"capability":"remark.add","reason":"many of them","until":%q}`, b.Clock.Now().Add(time.Hour).
				Format(time.RFC3339))
		},
		"plan.propose": func() json.RawMessage {
			return raw(`{"steps":[{"capability":"remark.add","arguments":{"text":"a"}},{"capability":"remark.add","arguments":{"text":"b"}}]}`)
		},
		"plan.repeat": func() json.RawMessage {
			if r := b.Person("purse.pay", payAna); !r.OK() {
				b.T.Error(r.Err)
			}
			return raw(`{"subjects":[{"type":"purse","id":"purse_ben"}]}`)
		},
		"routine.save":        func() json.RawMessage { return raw(`{"name":"Note it","steps":%s}`, noteSteps) },
		"routine.run":         b.Routine(`{"routineId":%q,"values":{"text":"a"}}`),
		"routine.remove":      b.Routine(`{"routineId":%q}`),
		"conversation.get":    b.Conversation(`{"conversationId":"chat_1"}`),
		"conversation.rename": b.Conversation(`{"conversationId":"chat_1","title":"Another"}`),
		"conversation.remove": b.Conversation(`{"conversationId":"chat_1"}`),
		"settings.testModel":  func() json.RawMessage { return raw(`{"endpoint":"http://localhost/v1","model":"m"}`) },
		"capability.describe": func() json.RawMessage { return raw(`{"name":"purse.pay"}`) },
	}[name]
	if with == nil {
		return nil
	}
	return with()
}

const noteSteps = `[{"capability":"remark.add","arguments":{"text":{"$blank":"text"}}}]`

// Routine saves one before it gives the arguments.
func (b *booth) Routine(args string) func() json.RawMessage {
	return func() json.RawMessage {
		var out struct{ ID string }
		b.Does(&out, "routine.save", `{"name":"Note it","steps":%s}`, noteSteps)
		return raw(args, out.ID)
	}
}

// Conversation makes one before it gives the arguments.
func (b *booth) Conversation(args string) func() json.RawMessage {
	return func() json.RawMessage {
		bridge, _ := b.Stored(reply("yes"))
		if err := bridge.Send(context.Background(), agent.Turn{ConversationID: "chat_1", Text: "hello", Principal: owner},
			nil); err != nil {
			b.T.Error(err)
		}
		return raw("%s", args)
	}
}
