package desk_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// clerksWindow is a window with a clerk signed in, in a shop whose owner has a
// PIN, and an order that is over the clerk's refund limit.
type clerksWindow struct {
	*testApp
	t      *testing.T
	folder string
	order  string
	cards  chan policy.Card
}

func openClerksWindow(t *testing.T) *clerksWindow {
	t.Helper()
	w := &clerksWindow{testApp: newTestApp(t), t: t, cards: make(chan policy.Card, 8)}
	w.folder, w.order = desktest.OverTheLimit(t)
	w.desk = desktest.Open(t, desk.Options{Folder: w.folder, Door: desk.DoorWindow, OnCard: func(e policy.CardEvent) {
		w.Emit("approval", e)
		if e.Type == policy.CardOpened {
			w.cards <- e.Card
		}
	}})
	if got := w.Invoke(`{"capability":"session.signIn","arguments":{"staffId":"june_park"}}`); !strings.Contains(got,
		`"success"`) {
		t.Fatal(got)
	}
	return w
}

// cancel asks for the order to be cancelled, and gives what came of it in the end.
func (w *clerksWindow) cancel() <-chan string {
	done := make(chan string, 1)
	go func() {
		done <- w.Invoke(fmt.Sprintf(
			`{"capability":"order.cancel","request_id":"req_cancel","arguments":{"orderId":%q,"reason":"other"},"caller":{"type":"ui","source":"CancelOrder"}}`, w.order))
	}()
	return done
}

func (w *clerksWindow) decide(c policy.Card, rest string) string {
	return w.Decide(fmt.Sprintf(`{"approval_id":%q,"answer":"allow",%s}`, c.ApprovalID, rest))
}

// holds: A7
func TestA7AClerkOverTheRefundLimitIsNotStuck(t *testing.T) {
	w := openClerksWindow(t)
	done := w.cancel()
	card := <-w.cards
	if card.Needs != "an owner" || len(card.Approvers) != 1 || card.Approvers[0].Name != "Mara Lindqvist" ||
		!strings.Contains(card.Sentence, "Ana Ruiz") || len(card.Effects) == 0 {
		t.Errorf("card %+v", card)
	}
	for name, rest := range map[string]string{
		"no PIN":            `"reason":"please"`,
		"an empty PIN":      `"approver":"mara_lindqvist","pin":""`,
		"the clerk herself": `"approver":"june_park","pin":"1234"`,
		"a wrong PIN":       `"approver":"mara_lindqvist","pin":"1111"`,
		"other arguments": fmt.Sprintf(
			`"approver":"mara_lindqvist","pin":%q,"arguments":{"orderId":%q,"reason":"out of stock"}`, desktest.OwnersPIN,
			w.order),
	} {
		if got := w.decide(card, rest); !strings.Contains(got, `"error"`) || strings.Contains(got, `"INTERNAL"`) ||
			strings.Contains(got, "1111") || strings.Contains(got, desktest.OwnersPIN) {
			t.Errorf("%s: %s", name, got)
		}
	}
	if len(w.desk.Policy.Pending("june_park")) != 1 {
		t.Fatal("the card is gone")
	}
	if got := w.decide(card, `"approver":"mara_lindqvist","pin":"`+desktest.OwnersPIN+`"`); got != `{"ok":true}` {
		t.Fatal(got)
	}
	if got := <-done; !strings.Contains(got, `"success"`) {
		t.Fatal(got)
	}
	trace, err := w.desk.Log.Trace(t.Context(), "req_cancel")
	if err != nil {
		t.Fatal(err)
	}
	var proofs []string
	for _, r := range trace.Records {
		switch r.Capability {
		case "order.cancel":
			if r.Caller.Person != "june_park" || r.Caller.Role != "clerk" || r.Caller.Authentication != "none" ||
				len(r.Effects) == 0 {
				t.Errorf("the caller is %+v", r.Caller)
			}
			if d := r.Decision; d.By != "mara_lindqvist" || d.Authentication != "pin" || d.Answer != "allow" ||
				d.ApprovalID != card.ApprovalID {
				t.Errorf("the decision is %+v", d)
			}
		case desk.SecondApproverName:
			proofs = append(proofs, string(r.Reason)+r.Caller.Person)
			if r.ParentRequestID != "req_cancel" || len(r.Redacted) == 0 {
				t.Errorf("%s is about %q", r.RequestID, r.ParentRequestID)
			}
		}
	}
	if len(proofs) != 3 || w.desk.SignedIn(t.Context()).ID != "june_park" {
		t.Errorf("PINs looked at: %v; %s is signed in", proofs, w.desk.SignedIn(t.Context()).ID)
	}
	w.nowhere(desktest.OwnersPIN)
}

// TestAPersonIsToldTitlesAndNoNames: of the wrong PIN at a card, and of a refusal
// of any kind.
func TestAPersonIsToldTitlesAndNoNames(t *testing.T) {
	w := openClerksWindow(t)
	done := w.cancel()
	card := <-w.cards
	// Texts has the key of each sentence, with the names, and their titles.
	got, _, _ := strings.Cut(w.decide(card, `"approver":"mara_lindqvist","pin":"1111"`), `"texts":`)
	if !strings.Contains(got, "with “Set a PIN”") || strings.Contains(got, "staff.setPin") {
		t.Error(got)
	}
	w.Decide(fmt.Sprintf(`{"approval_id":%q,"answer":"deny"}`, card.ApprovalID))
	<-done
	got, _, _ = strings.Cut(w.Invoke(`{"capability":"order.get","arguments":{"orderId":"#W0"}}`), `"texts":`)
	if !strings.Contains(got, "“") || strings.Contains(got, "order.search") {
		t.Error(got)
	}
}

// nowhere looks for a secret in every byte of the shop's files, and in what the
// page was told.
func (w *clerksWindow) nowhere(secret string) {
	w.t.Helper()
	files, err := filepath.Glob(filepath.Join(w.folder, desk.DatabaseName) + "*")
	if err != nil || len(files) == 0 {
		w.t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil || strings.Contains(string(data), secret) {
			w.t.Errorf("%s holds a PIN: %v", filepath.Base(file), err)
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if strings.Contains(strings.Join(w.events, "\n"), secret) {
		w.t.Error("an event holds a PIN")
	}
}

// holds: A7
func TestA7WrongPINsAtACardAreSlowedDown(t *testing.T) {
	w := openClerksWindow(t)
	done := w.cancel()
	card := <-w.cards
	for range 5 {
		w.decide(card, `"approver":"mara_lindqvist","pin":"1111"`)
	}
	if got := w.decide(card, `"approver":"mara_lindqvist","pin":"`+desktest.OwnersPIN+`"`); !strings.Contains(got,
		`"rate_limit"`) {
		t.Errorf("the right one after five wrong ones: %s", got)
	}
	w.Decide(fmt.Sprintf(`{"approval_id":%q,"answer":"deny","reason":"never mind"}`, card.ApprovalID))
	if got := <-done; !strings.Contains(got, "never mind") {
		t.Error(got)
	}
}

// TestA7AnAssistantsCallIsJoinedToo: a call of the assistant opens the same card, and no tool takes a PIN.
// holds: A7
func TestA7AnAssistantsCallIsJoinedToo(t *testing.T) {
	w := openClerksWindow(t)
	clerk := w.desk.SignedIn(t.Context())
	done := make(chan bus.Result, 1)
	call := func(name, args string) bus.Result {
		return w.desk.Bus.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: json.RawMessage(args),
			Principal: clerk, Caller: bus.Caller{Type: bus.CallerAgent, Source: "chat_1"}})
	}
	go func() { done <- call("order.cancel", fmt.Sprintf(`{"orderId":%q,"reason":"other"}`, w.order)) }()
	card := <-w.cards
	if card.Needs != "an owner" || card.Grant != nil {
		t.Errorf("card %+v", card)
	}
	for _, name := range []string{desk.SecondApproverName, desk.SignInName} {
		if r := call(name, `{"staffId":"mara_lindqvist","pin":"`+desktest.OwnersPIN+`"}`); r.OK() ||
			r.Err.Code == bus.Transient {
			t.Errorf("%s: %+v", name, r.Err)
		}
	}
	if got := w.decide(card, `"approver":"mara_lindqvist","pin":"`+desktest.OwnersPIN+`"`); got != `{"ok":true}` {
		t.Fatal(got)
	}
	if r := <-done; !r.OK() {
		t.Fatal(r.Err)
	}
	m, err := w.desk.Bus.Manifest(t.Context(), bus.View{Caller: bus.CallerAgent, Principal: clerk})
	if err != nil {
		t.Fatal(err)
	}
	tools, err := m.Tools()
	if err != nil {
		t.Fatal(err)
	}
	text, _ := json.Marshal(tools)
	if strings.Contains(string(text), `"pin"`) || strings.Contains(string(text), "session_vouch") {
		t.Error("a tool takes a PIN")
	}
}

// TestA7WhoIsRemovedApprovesNothing: the owner who gave the PIN loses the right
// before the order is cancelled.
// holds: A7
func TestA7WhoIsRemovedApprovesNothing(t *testing.T) {
	w := openClerksWindow(t)
	second := bus.Principal{ID: "second", Scopes: []string{"*"}, Door: "cli"}
	must := func(name, args string) json.RawMessage {
		t.Helper()
		r := w.desk.Bus.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: json.RawMessage(args),
			Principal: second, Caller: bus.Caller{Type: bus.CallerTest}})
		if !r.OK() {
			t.Fatal(r.Err)
		}
		return r.Data
	}
	var bo struct{ ID string }
	if err := json.Unmarshal(must("staff.save", `{"name":"Bo Li","role":"owner"}`), &bo); err != nil {
		t.Fatal(err)
	}
	must("staff.setPin", fmt.Sprintf(`{"staffId":%q,"pin":"424242"}`, bo.ID))
	done := w.cancel()
	card := <-w.cards
	must("staff.save", `{"staffId":"mara_lindqvist","name":"Mara Lindqvist","role":"clerk"}`)
	if got := w.decide(card, `"approver":"mara_lindqvist","pin":"`+desktest.OwnersPIN+`"`); got != `{"ok":true}` {
		t.Fatal(got) // the PIN is hers; the right is not any more
	}
	card = <-w.cards
	if len(card.Approvers) != 1 || card.Approvers[0].Name != "Bo Li" {
		t.Errorf("asked next: %+v", card.Approvers)
	}
	w.Decide(fmt.Sprintf(`{"approval_id":%q,"answer":"deny"}`, card.ApprovalID))
	if got := <-done; !strings.Contains(got, `"declined"`) {
		t.Error(got)
	}
	page, err := w.desk.Log.Search(t.Context(), audit.Query{Capability: "order.cancel"})
	if err != nil || len(page.Records) != 1 || len(page.Records[0].Effects) != 0 {
		t.Errorf("%+v %v", page.Records, err)
	}
}
