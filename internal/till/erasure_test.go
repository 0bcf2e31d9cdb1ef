package till_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// gossip is a model that speaks of a customer. At its second request it calls before, says something, and calls meanwhile
// before its reply ends.
type gossip struct {
	name      string
	call      model.Call
	before    func()
	meanwhile func()

	mu       sync.Mutex
	requests []model.Request
}

func (*gossip) Profile() bus.ModelID {
	return bus.ModelID{Endpoint: "http://localhost/v1", Name: "gossip"}
}

func (g *gossip) Stream(_ context.Context, req model.Request, say func(model.Delta)) (model.Reply, error) {
	g.mu.Lock()
	g.requests = append(g.requests, req)
	n := len(g.requests)
	g.mu.Unlock()
	if n != 2 {
		return model.Reply{Text: "I know " + g.name + ".", Finish: model.FinishStop}, nil
	}
	g.before()
	say(model.Delta{Text: g.name + " called."})
	g.meanwhile()
	return model.Reply{Text: g.name + " called.", Calls: []model.Call{g.call}, Finish: model.FinishCalls}, nil
}

// TestAnErasureReachesTheRunningTurnOfATill: a customer is erased while the assistant of a till speaks of them: by the
// owner's program, at another till, and while the link of the till is cut. The turn makes no call, nothing about them is
// stored, and the till is sent nothing more about them.
//
// holds: U11 N6
func TestAnErasureReachesTheRunningTurnOfATill(t *testing.T) {
	for name, tt := range map[string]struct{ cut, atTill bool }{
		"by another program":     {},
		"at another till":        {atTill: true},
		"while the link is cut":  {cut: true},
		"there, while it is cut": {cut: true, atTill: true},
	} {
		t.Run(name, func(t *testing.T) { erasesDuringATurn(t, tt.cut, tt.atTill) })
	}
}

func erasesDuringATurn(t *testing.T, cut, atTill bool) {
	const name = "Zebulon Quixotry"
	folder := desktest.StaffedShop(t)
	owner := desktest.Open(t, desk.Options{Folder: folder, PIN: desktest.PIN})
	var zeb struct{ CustomerID string }
	desktest.Must(t, owner, bus.CallerTest, "customer.create", fmt.Sprintf(`{"name":%q}`, name), &zeb)
	m := &gossip{name: name, call: model.Call{ID: "n", Tool: "customer_addNote",
		Arguments: json.RawMessage(fmt.Sprintf(`{"customerId":%q,"text":"%s called"}`, zeb.CustomerID, name))}}
	erase := func() {
		desktest.Must(t, owner, bus.CallerTest, "customer.erase", fmt.Sprintf(`{"customerId":%q}`, zeb.CustomerID), nil)
	}
	if atTill {
		other, _ := start(t, &line{t: t, session: tillOf(t, folder)})
		succeeds(t, other.Invoke(fmt.Sprintf(`{"capability":"session.signIn","arguments":%s}`, desktest.SignIn("mara_lindqvist"))))
		erase = func() {
			succeeds(t, other.Invoke(fmt.Sprintf(`{"capability":"customer.erase","arguments":{"customerId":%q},"idempotency_key":"e"}`,
				zeb.CustomerID)))
		}
	}
	l := &line{t: t, session: tillWith(t, folder, m, func(*desk.Desk) {})}
	c, s := start(t, l)
	succeeds(t, c.Invoke(fmt.Sprintf(`{"capability":"session.signIn","arguments":%s}`, desktest.SignIn("june_park"))))
	shown, erased := 0, make(chan struct{})
	m.before = func() {
		if s.await(t, `"turn_started"`, 2); cut {
			l.cut(true)
		}
	}
	m.meanwhile = func() {
		if !cut {
			s.await(t, `"delta"`, 1)
		}
		erase()
		shown = len(s.shown("Quixotry"))
		close(erased)
	}
	c.Send(fmt.Sprintf(`{"conversation_id":"chat_1","text":"who is %s?"}`, name))
	s.await(t, `"turn_ended"`, 1)
	c.Send(fmt.Sprintf(`{"conversation_id":"chat_1","text":"note that %s called"}`, name))
	select {
	case <-erased:
	case <-time.After(time.Minute):
		t.Fatalf("the second turn did not reach the model: %v", s.shown(`"turn`))
	}
	if cut {
		l.cut(false)
		s.await(t, `"domain":"desk"`, 1)
	} else {
		s.await(t, `"turn_ended"`, 2)
	}
	if len(m.requests) != 2 {
		t.Errorf("%d requests", len(m.requests))
	}
	var all json.RawMessage
	answer := c.Invoke(`{"capability":"conversation.get","arguments":{"conversationId":"chat_1"}}`)
	succeeds(t, answer)
	if now := s.shown("Quixotry"); len(now) > shown {
		t.Errorf("after the erasure the till was sent\n%s", strings.Join(now[shown:], "\n"))
	}
	page, err := owner.Log.Search(t.Context(), audit.Query{Limit: 500})
	if err == nil {
		all, err = json.Marshal(page.Records)
	}
	if err != nil || strings.Contains(string(all)+answer, "Quixotry") {
		t.Errorf("%v: stored\n%s\n%s", err, answer, all)
	}
	if strings.Contains(string(all), `"customer.addNote"`) {
		t.Errorf("the note was written: %s", all)
	}
}

func succeeds(t *testing.T, answer string) {
	t.Helper()
	if !strings.Contains(answer, `"status":"success"`) {
		t.Fatal(answer)
	}
}
