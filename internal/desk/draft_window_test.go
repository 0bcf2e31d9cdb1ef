package desk_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestThePageIsOnADraftAndBack: draft.enter puts the page on a draft, for the person signed in, and draft.leave back.
//
// holds: A22
func TestThePageIsOnADraftAndBack(t *testing.T) {
	w := openDraftWindow(t)
	b, call := w.Boundary, w.call
	made := w.openDraft()
	here := func() bool { return strings.Contains(call("draft.list", `{}`), `"here"`) }
	for _, there := range []bool{true, false} {
		if there {
			call("draft.enter", made)
		} else {
			call("draft.leave", `{}`)
		}
		if here() != there {
			t.Errorf("on the draft: %v, want %v", !there, there)
		}
	}
	if told := w.told(`"domain":"desk"`); len(told) != 2 {
		t.Errorf("the page was told %q", told)
	}
	call("draft.enter", made)
	call("session.signOut", `{}`)
	if d, err := b.Ready(); err != nil || d.Draft != nil {
		t.Error("a draft on which somebody signed out is not left", err)
	}
}

// draftWindow is a page that drafts can be shown to.
type draftWindow struct {
	*desk.Boundary
	t    *testing.T
	mu   sync.Mutex
	sent []string // to the page
}

func openDraftWindow(t *testing.T) *draftWindow {
	t.Helper()
	w := &draftWindow{t: t}
	b := &desk.Boundary{Context: t.Context(), Folder: desktest.Copy(t)}
	w.Boundary = b
	b.Emit = func(stream string, payload any) {
		text, _ := json.Marshal(payload)
		w.mu.Lock()
		w.sent = append(w.sent, stream+" "+string(text))
		w.mu.Unlock()
	}
	b.ForwardEvents(t.Context())
	b.Open = func() (*desk.Desk, error) {
		return desk.Open(t.Context(), desk.Options{Folder: b.Folder, Door: desk.DoorWindow, Window: b})
	}
	b.OpenDraft = func(o desk.Options) (*desk.Desk, error) { return desk.Open(t.Context(), o) }
	t.Cleanup(b.Close)
	return w
}

// told are the events with a text, of those that were sent.
func (w *draftWindow) told(text string) (found []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, sent := range w.sent {
		if strings.Contains(sent, text) {
			found = append(found, sent)
		}
	}
	return found
}

func (w *draftWindow) call(name, args string) string {
	w.t.Helper()
	answer := w.Invoke(`{"capability":"` + name + `","arguments":` + args + `}`)
	if !strings.Contains(answer, `"status":"success"`) {
		w.t.Fatalf("%s: %s", name, answer)
	}
	return answer
}

// openDraft opens a draft; it returns the arguments that name it.
func (w *draftWindow) openDraft() string {
	var made struct{ Data json.RawMessage }
	if err := json.Unmarshal([]byte(w.call("draft.open", `{}`)), &made); err != nil {
		w.t.Fatal(err)
	}
	return string(made.Data)
}

// TestWhatWasBegunOnADraftIsNotDoneInTheShop: a page that still shows a draft changes nothing in the shop, nor the other
// way round; a page that was loaded anew does.
//
// holds: A22
func TestWhatWasBegunOnADraftIsNotDoneInTheShop(t *testing.T) {
	w := openDraftWindow(t)
	made := w.openDraft()
	const switchBack, create = `{}`, `{"name":"Ada Late"}`
	begun := func() {
		t.Helper()
		for name, answer := range map[string]string{
			"Invoke": w.Invoke(`{"capability":"customer.create","arguments":` + create + `}`),
			"Send":   w.Send(`{"text":"cancel every order"}`),
			"Stop":   w.Stop(`{"conversation_id":"chat_1"}`),
			"Decide": w.Decide(`{"approval_id":"apr_1","answer":"allow"}`),
		} {
			if !strings.Contains(answer, "does not show that any more") {
				t.Errorf("%s: %s", name, answer)
			}
		}
		w.call("order.search", `{}`) // to read does no harm
	}
	w.Manifest(`{"loading":true}`)
	w.call("draft.enter", made)
	begun()
	w.Manifest(`{"states":true}`) // still the page of before
	w.Manifest(`{}`)
	told := len(w.told(`"domain":"desk"`))
	begun()
	if again := len(w.told(`"domain":"desk"`)) - told; again != 4 {
		t.Errorf("a page that missed that it is another desk is told %d times", again)
	}
	w.Manifest(`{"loading":true}`)
	w.call("customer.create", create)
	w.call("draft.leave", switchBack)
	begun()
	w.Manifest(`{"loading":true}`)
	if found := w.call("customer.search", `{"query":"Ada Late"}`); strings.Contains(found, "Ada Late") {
		t.Error("what was done on the draft is in the shop: " + found)
	}
	w.call("customer.create", create)
}

// waitFor waits until something holds, at most a minute.
func waitFor(t *testing.T, holds func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not come")
		}
	}
}

// TestADraftThatEndsElsewhereIsLeft: a page on a draft that another program discards is on the shop again and says why.
// What happens in the shop meanwhile is not shown on the draft.
//
// holds: A22
func TestADraftThatEndsElsewhereIsLeft(t *testing.T) {
	w := openDraftWindow(t)
	made := w.openDraft()
	shop, err := w.Ready()
	if err != nil {
		t.Fatal(err)
	}
	w.call("draft.enter", made)
	draft, err := w.Ready()
	if err != nil || draft.Draft == nil {
		t.Fatal("the page is not on the draft", err)
	}
	other := desktest.Open(t, desk.Options{Folder: w.Folder, Door: "cli", Allow: true})
	heard := shop.Bus.Subscribe()
	defer heard.Close()
	for n := range 2 {
		did(t, other, "customer.create", map[string]string{"name": fmt.Sprint("Ada ", n)}, nil)
		for e := (bus.Event{}); e.Domain != "customer"; {
			if e, err = heard.Next(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
	}
	if told := w.told(`"domain":"customer"`); len(told) != 0 {
		t.Errorf("on the draft the page was told of the shop: %q", told)
	}
	did(t, other, "draft.discard", json.RawMessage(made), nil)
	waitFor(t, func() bool { return len(w.told(`"ids":["ended"]`)) == 1 })
	if d, err := w.Ready(); err != nil || d.Draft != nil {
		t.Error("the page is on the draft still", err)
	}
	waitFor(t, func() bool {
		_, err := os.Stat(draft.Folder)
		return errors.Is(err, fs.ErrNotExist)
	})
}
