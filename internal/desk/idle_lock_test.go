package desk_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// idleWindow is a window with the owner signed in by PIN, on a clock that stands
// still, which locks after five minutes.
type idleWindow struct {
	*testApp
	t     *testing.T
	clock *bustest.Clock
}

func openIdleWindow(t *testing.T) *idleWindow {
	t.Helper()
	w := &idleWindow{newTestApp(t), t, bustest.NewClock()}
	w.desk = desktest.Open(t, desk.Options{Folder: desktest.LockedShop(t), Door: desk.DoorWindow, Clock: w.clock.Now,
		PIN: func(context.Context, string) (string, error) { return desktest.OwnersPIN, nil }})
	w.says(`{"capability":"settings.set","arguments":{"section":"security","values":{"lockAfterMinutes":5}}}`, `"success"`)
	return w
}

func (w *idleWindow) says(invocation string, parts ...string) {
	w.t.Helper()
	answer := w.Invoke(invocation)
	for _, part := range parts {
		if !strings.Contains(answer, part) {
			w.t.Errorf("%s answered %s, want %s", invocation, answer, part)
		}
	}
}

const (
	whoIsThere = `{"capability":"session.get"}`
	stays      = `{"capability":"session.stay"}`
	readsStaff = `{"capability":"staff.list"}`
)

func TestAWindowThatNobodyTouchesLocks(t *testing.T) {
	w := openIdleWindow(t)
	for range 4 {
		w.clock.Advance(4 * time.Minute)
		w.says(stays, `"success"`)
	}
	w.clock.Advance(4 * time.Minute)
	w.says(readsStaff, `"success"`) // reading by itself is no touch
	w.clock.Advance(time.Minute)
	w.says(readsStaff, `"success"`) // the page has a minute to lock by itself
	w.clock.Advance(time.Minute)
	w.says(readsStaff, `"FORBIDDEN"`)
	w.says(stays, `"FORBIDDEN"`)
	w.says(whoIsThere, `"locked":true`, `"lockedFor":"Mara Lindqvist"`)
	for name, got := range map[string]string{"Send": w.Send(`{"text":"hello"}`),
		"Decide": w.Decide(`{"approval_id":"x","answer":"allow"}`)} {
		if !strings.Contains(got, "Nobody is signed in") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if m := w.Manifest(`{}`); strings.Contains(m, `"staff.list"`) {
		t.Error("a locked window lists what the owner may")
	}
	page, err := w.desk.Log.Search(t.Context(), audit.Query{Capability: desk.LockName})
	if err != nil || len(page.Records) != 1 || page.Records[0].Caller.Person != "mara_lindqvist" ||
		page.Records[0].Caller.Source != "idle" {
		t.Errorf("%+v %v", page.Records, err)
	}

	signIn := func(who, pin string) string {
		return fmt.Sprintf(`{"capability":"session.signIn","arguments":{"staffId":%q,"pin":%q}}`, who, pin)
	}
	w.says(signIn("mara_lindqvist", "1111"), `"FORBIDDEN"`)
	w.says(whoIsThere, `"lockedFor":"Mara Lindqvist"`)
	// the same person: nothing that is shown has to go
	w.says(signIn("mara_lindqvist", desktest.OwnersPIN), `"domain":"lock"`)
	w.says(whoIsThere, `"locked":false`, `"mara_lindqvist"`)
	w.says(readsStaff, `"success"`)
}

func TestAWindowIsLockedByHandAndOpenedBySomebodyElse(t *testing.T) {
	w := openIdleWindow(t)
	w.says(`{"capability":"session.lock"}`, `"success"`, `"domain":"lock"`)
	w.says(readsStaff, `"FORBIDDEN"`)
	w.says(`{"capability":"session.signIn","arguments":{"staffId":"june_park"}}`, `"domain":"session"`)
	w.says(whoIsThere, `"locked":false`, `"june_park"`)
	w.says(`{"capability":"session.lock"}`, `"PRECONDITION_FAILED"`, "June Park has no PIN")
	w.clock.Advance(time.Hour)
	w.says(whoIsThere, `"locked":false`) // who has no PIN is not locked out
}

func TestTheLockKeepsTheCart(t *testing.T) {
	w := openIdleWindow(t)
	w.desk.Person = w.desk.SignedIn(t.Context())
	desktest.Must(t, w.desk, bus.CallerTest, "cart.addItem",
		fmt.Sprintf(`{"productId":%q,"quantity":2,"customerId":"cus_201100"}`, desktest.Guji(t, w.desk)), nil)
	w.says(`{"capability":"session.lock"}`, `"success"`)
	w.says(fmt.Sprintf(`{"capability":"session.signIn","arguments":{"staffId":"mara_lindqvist","pin":%q}}`,
		desktest.OwnersPIN), `"success"`)
	w.says(`{"capability":"cart.getSummary"}`, `"quantity":2`, "Ana Ruiz")
}

func TestOnlyAWindowThatIsToldToLocksByItself(t *testing.T) {
	w := openIdleWindow(t)
	w.says(`{"capability":"settings.set","arguments":{"section":"security","values":{"lockAfterMinutes":0}}}`,
		`"lockAfterMinutes":0`)
	w.clock.Advance(100 * time.Hour)
	w.says(whoIsThere, `"locked":false`)
	w.says(`{"capability":"settings.set","arguments":{"section":"security","values":{"lockAfterMinutes":481}}}`,
		`"VALIDATION"`)
	w.desk.Person.Door = "cli"
	w.says(`{"capability":"settings.set","arguments":{"section":"security","values":{"lockAfterMinutes":1}}}`, `"success"`)
	w.clock.Advance(100 * time.Hour)
	w.says(whoIsThere, `"locked":false`)
}
