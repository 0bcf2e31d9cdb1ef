package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// parrot repeats what was said last.
type parrot struct{}

func (parrot) Profile() bus.ModelID {
	return bus.ModelID{Endpoint: "http://localhost/v1", Name: "parrot"}
}

func (parrot) Stream(_ context.Context, req model.Request, _ func(model.Delta)) (model.Reply, error) {
	return model.Reply{Text: "You said: " + req.Messages[len(req.Messages)-1].Text, Finish: model.FinishStop}, nil
}

// TestAnErasedCustomerIsInNoRoutine: the routine that speaks of them is removed, and nothing quotes it.
// holds: A23 U11
func TestAnErasedCustomerIsInNoRoutine(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Allow: true})
	var zeb struct{ CustomerID string }
	desktest.Must(t, d, bus.CallerTest, "customer.create", `{"name":"Zebulon Quixotry"}`, &zeb)
	note := `{"name":%q,"steps":[{"capability":"customer.addNote","arguments":{"customerId":{"$blank":"customerId"},"text":%q}}]}`
	desktest.Must(t, d, bus.CallerTest, "routine.save", fmt.Sprintf(note, "Zebulon Quixotry calls", "Called"), nil)
	desktest.Must(t, d, bus.CallerTest, "routine.save", fmt.Sprintf(note, "Asks", "asks for Zebulon Quixotry"), nil)
	desktest.Must(t, d, bus.CallerTest, "routine.save", fmt.Sprintf(note, "Others", "Called"), nil)
	desktest.Must(t, d, bus.CallerTest, "customer.erase", fmt.Sprintf(`{"customerId":%q}`, zeb.CustomerID), nil)
	var left struct{ Routines []struct{ Name string } }
	desktest.Must(t, d, bus.CallerTest, "routine.list", `{}`, &left)
	if len(left.Routines) != 1 || left.Routines[0].Name != "Others" {
		t.Errorf("%+v", left)
	}
	page, err := d.Log.Search(t.Context(), audit.Query{Limit: 100})
	raw, wrong := json.Marshal(page.Records)
	if err := errors.Join(err, wrong); err != nil || strings.Contains(strings.ToLower(string(raw)), "quixotry") {
		t.Errorf("%v, and the log speaks of them", err)
	}
}

// TestU11AnErasedCustomerIsInNoConversation: sentences about an erased customer are erased, those about others stay.
// holds: U11
func TestU11AnErasedCustomerIsInNoConversation(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Model: parrot{}})
	var eve struct{ CustomerID string }
	desktest.Must(t, d, bus.CallerTest, "customer.create", `{"name":"Eve Example","email":"eve@example.com"}`, &eve)
	for _, text := range []string{"Eve Example wants a call at eve@example.com", "Ana Ruiz wants one too"} {
		if err := d.Bridge.Send(t.Context(), agent.Turn{ConversationID: "chat_1", Text: text, Principal: d.Person},
			func(agent.Update) {}); err != nil {
			t.Fatal(err)
		}
	}
	said := func() string {
		var all json.RawMessage
		desktest.Must(t, d, bus.CallerTest, "conversation.get", `{"conversationId":"chat_1"}`, &all)
		return string(all)
	}
	if got := said(); !strings.Contains(got, "Eve Example") {
		t.Fatalf("nothing was kept: %s", got)
	}
	desktest.Must(t, d, bus.CallerTest, "customer.erase", fmt.Sprintf(`{"customerId":%q}`, eve.CustomerID), nil)
	if got := said(); strings.Contains(got, "Eve") || strings.Contains(got, "eve@") ||
		!strings.Contains(got, "Ana Ruiz wants one too") {
		t.Errorf("after the erasure: %s", got)
	}
}
