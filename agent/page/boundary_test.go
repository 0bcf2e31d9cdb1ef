package page_test

import (
	"context"
	"encoding/json"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

type lampIn struct {
	On bool `json:"on"`
}

// open connects a page with a desk of one lamp; its events come on the channel.
func open(t *testing.T, person string) (*page.Boundary, <-chan string) {
	t.Helper()
	log, err := audit.Open(t.Context(), filepath.Join(t.TempDir(), "lamp.db"), audit.Options{Modules: agent.Modules()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close() })
	events := make(chan string, 100)
	desk := &page.Desk{Who: func(context.Context) bus.Principal {
		return bus.Principal{ID: person, Scopes: []string{"*"}, Door: "window"}
	}}
	p := &page.Boundary{Context: t.Context(), Reach: func() (*page.Desk, error) { return desk, nil },
		Emit: page.Numbered(func(stream, payload string, _ int64) { events <- stream + " " + payload })}
	desk.Policy = policy.New(policy.Options{Log: log, OnCard: page.Cards(p)})
	desk.Bus = bus.New(bus.Options{Journal: log, Approver: desk.Policy, Name: "lamp", Version: "1"})
	desk.Bus.MustRegister(bus.Define(bus.Capability{Name: "lamp.break", Title: "Break the lamp",
		Description: "Breaks the lamp. It cannot be taken back.", SideEffect: bus.Destructive,
		Permissions: []string{"lamp:write"},
		Assistant:   bus.Assistant{Phrases: []string{"break the lamp"}}},
		func(context.Context, *bus.Call, struct{}) (lampIn, error) { return lampIn{}, nil }))
	desk.Bridge = agent.New(agent.Options{Bus: desk.Bus, Policy: desk.Policy, Store: agent.NewStore(log),
		Model: func() model.Model { return builtin.New(nil, nil, nil) }})
	t.Cleanup(func() { desk.Bridge.Close() })
	return p, events
}

// wait returns the next event that contains all parts.
func wait(t *testing.T, events <-chan string, parts ...string) string {
	t.Helper()
next:
	for {
		select {
		case e := <-events:
			for _, part := range parts {
				if !strings.Contains(e, part) {
					continue next
				}
			}
			return e
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		}
	}
}

var left = regexp.MustCompile(`"expires_in":(\d+)`)

// sameLeft checks the remaining time of a card and replaces it with five minutes, because it differs in each message.
func sameLeft(t *testing.T, told string) string {
	t.Helper()
	ms := 0
	if found := left.FindStringSubmatch(told); found != nil {
		ms, _ = strconv.Atoi(found[1])
	}
	if ms < 60_000 || ms > 300_000 {
		t.Errorf("%d ms are left of %s", ms, told)
	}
	return left.ReplaceAllString(told, `"expires_in":300000`)
}

func TestASentenceLeadsToACardAndItsAnswerToTheCall(t *testing.T) {
	p, events := open(t, "ana")
	if got := p.Send(`{"text":"break the lamp"}`); !strings.Contains(got, `"turn_id"`) {
		t.Fatal(got)
	}
	opened := sameLeft(t, wait(t, events, "approval ", `"opened"`))
	if got := p.Manifest(`{}`); !strings.Contains(got, "lamp.break") {
		t.Fatal(got)
	}
	var e struct{ Card policy.Card }
	if err := json.Unmarshal([]byte(strings.TrimPrefix(opened, "approval ")), &e); err != nil {
		t.Fatal(err)
	}
	_, card, _ := strings.Cut(strings.TrimSuffix(opened, "}"), `"card":`)
	for range 2 { // a page may ask as often as it is drawn
		if got := sameLeft(t, p.Manifest(`{"cards":true}`)); got != `{"cards":[`+card+`]}` {
			t.Errorf("the open cards are %s, not %s", got, card)
		}
	}
	if got := p.Decide(`{"approval_id":"` + e.Card.ApprovalID + `","answer":"allow"}`); got != `{"ok":true}` {
		t.Fatal(got)
	}
	wait(t, events, "approval ", `"closed"`, `"allow"`)
	if got := p.Manifest(`{"cards":true}`); got != `{"cards":[]}` {
		t.Errorf("after the answer: %s", got)
	}
	wait(t, events, "chat ", `"turn_ended"`, `"done"`)
}

func TestTheCallerOfAPageIsAlwaysAPersonAtIt(t *testing.T) {
	p, _ := open(t, "ana")
	got := p.Invoke(`{"capability":"lamp.break","caller":{"type":"agent"}}`)
	if !strings.Contains(got, `"success"`) {
		t.Errorf("asked, as an agent would be: %s", got)
	}
}

func TestWhatAPageCannotHaveIsACodedAnswer(t *testing.T) {
	p, _ := open(t, "")
	broken, _ := open(t, "ana")
	broken.Reach = func() (*page.Desk, error) { panic("no desk") }
	for _, answered := range []struct{ got, want string }{
		{p.Send(`{"text":"break the lamp"}`), "Nobody is signed in."},
		{p.Decide(`{"approval_id":"x","answer":"allow"}`), "Nobody is signed in."},
		{p.PickFile(`{}`), "takes no files"},
		{p.DropFile(`{"name":"a.csv","content":""}`), "takes no files"},
		{p.Cancel(`{`), "VALIDATION"},
		{p.Manifest(`{"next":true}`), `{"next_actions":null}`},
		{p.Manifest(`{"cards":true}`), `{"cards":[]}`},
		{p.Stop(`{"conversation_id":"of somebody else's"}`), `{"ok":false}`},
		{broken.Invoke(`{}`), `"panic"`},
	} {
		if !strings.Contains(answered.got, answered.want) {
			t.Errorf("%s, without %s", answered.got, answered.want)
		}
	}
}
