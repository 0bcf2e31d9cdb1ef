package desk_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestThePageIsOnADraftAndBack: draft.enter puts the page on a draft, for the person signed in, and draft.leave back.
//
// holds: A22
func TestThePageIsOnADraftAndBack(t *testing.T) {
	var mu sync.Mutex
	changed := 0
	b := &desk.Boundary{Context: t.Context(), Folder: desktest.Copy(t)}
	b.Emit = func(_ string, payload any) {
		mu.Lock()
		defer mu.Unlock()
		if text, _ := json.Marshal(payload); strings.Contains(string(text), `"desk"`) {
			changed++
		}
	}
	b.Open = func() (*desk.Desk, error) {
		return desk.Open(t.Context(), desk.Options{Folder: b.Folder, Door: desk.DoorWindow, Enter: b.Enter})
	}
	b.OpenDraft = func(folder, person string) (*desk.Desk, error) {
		return desk.Open(t.Context(), desk.Options{Folder: folder, Person: person, Door: desk.DoorWindow, Enter: b.Enter})
	}
	t.Cleanup(b.Close)
	call := func(name, args string) string {
		t.Helper()
		answer := b.Invoke(`{"capability":"` + name + `","arguments":` + args + `}`)
		if !strings.Contains(answer, `"status":"success"`) {
			t.Fatalf("%s: %s", name, answer)
		}
		return answer
	}
	var made struct{ Data struct{ DraftID string } }
	if err := json.Unmarshal([]byte(call("draft.open", `{}`)), &made); err != nil {
		t.Fatal(err)
	}
	here := func() bool { return strings.Contains(call("draft.list", `{}`), `"here"`) }
	for _, there := range []bool{true, false} {
		if there {
			call("draft.enter", `{"draftId":"`+made.Data.DraftID+`"}`)
		} else {
			call("draft.leave", `{}`)
		}
		if here() != there {
			t.Errorf("on the draft: %v, want %v", !there, there)
		}
	}
	if mu.Lock(); changed != 2 {
		t.Errorf("the page was told %d times", changed)
	}
	mu.Unlock()
	call("draft.enter", `{"draftId":"`+made.Data.DraftID+`"}`)
	call("session.signOut", `{}`)
	if d, err := b.Ready(); err != nil || d.Draft != nil {
		t.Error("a draft on which somebody signed out is not left", err)
	}
}
