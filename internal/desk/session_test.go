package desk_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

func TestTheWindowIsLockedUntilSomebodySignsIn(t *testing.T) {
	a := newTestApp(t)
	a.desk = desktest.Open(t, desk.Options{Folder: desktest.LockedShop(t), Door: desk.DoorWindow})
	says := func(answer string, parts ...string) {
		t.Helper()
		for _, part := range parts {
			if !strings.Contains(answer, part) {
				t.Fatalf("answered %s, want %s", answer, part)
			}
		}
	}
	signIn := func(id, pin, more string) string {
		return a.Invoke(fmt.Sprintf(`{"capability":"session.signIn","arguments":{"staffId":%q,"pin":%q}%s}`, id, pin, more))
	}
	const get = `{"capability":"session.get"}`
	says(a.Invoke(get), `"locked":true`, `{"id":"mara_lindqvist","name":"Mara Lindqvist","needsPin":true}`)
	says(a.Invoke(`{"capability":"order.search"}`), `"FORBIDDEN"`)
	says(a.Send(`{"text":"hello"}`), "Nobody is signed in")
	says(a.Decide(`{"approval_id":"x","answer":"allow"}`), "Nobody is signed in")
	says(signIn("mara_lindqvist", "1111", ""), `"FORBIDDEN"`)
	says(a.Invoke(get), `"locked":true`)
	says(signIn("mara_lindqvist", desktest.OwnersPIN, `,"dry_run":true`), `"success"`)
	says(a.Invoke(get), `"locked":true`)
	says(signIn("mara_lindqvist", desktest.OwnersPIN, `,"idempotency_key":"k"`), `"success"`, `"pin"`)
	says(a.Invoke(get), `"locked":false`)
	says(a.Invoke(`{"capability":"staff.list"}`), `"success"`)
	says(a.Invoke(`{"capability":"session.signOut"}`), `"success"`)
	says(signIn("mara_lindqvist", desktest.OwnersPIN, `,"idempotency_key":"k"`), `"replayed":true`)
	says(a.Invoke(get), `"locked":true`)
}

func TestWhoIsRemovedIsSignedOut(t *testing.T) {
	a := newTestApp(t)
	sign := func(id string) {
		t.Helper()
		if got := a.Invoke(fmt.Sprintf(`{"capability":"session.signIn","arguments":{"staffId":%q}}`, id)); !strings.Contains(
			got, `"success"`) {
			t.Fatal(got)
		}
	}
	owner := a.desk.SignedIn(t.Context())
	sign("june_park")
	if p := a.desk.SignedIn(t.Context()); p.Role != "clerk" || p.Door != desk.DoorWindow {
		t.Fatalf("%+v", p)
	}
	a.desk.Person = owner // the owner, at another door
	desktest.Must(t, a.desk, bus.CallerTest, "staff.save", `{"staffId":"june_park","name":"June Park","role":"auditor"}`,
		nil)
	if p := a.desk.SignedIn(t.Context()); p.Role != "auditor" {
		t.Errorf("with another role: %+v", p)
	}
	desktest.Must(t, a.desk, bus.CallerTest, "staff.remove", `{"staffId":"june_park"}`, nil)
	if p := a.desk.SignedIn(t.Context()); p.ID != "" || len(p.Scopes) != 0 {
		t.Errorf("removed: %+v", p)
	}
	sign("idris_bello")
	a.desk.SignOut("june_park")
	if p := a.desk.SignedIn(t.Context()); p.ID != "idris_bello" {
		t.Errorf("somebody else's sign-out: %+v", p)
	}
	a.desk.SignOut("idris_bello")
	if p := a.desk.SignedIn(t.Context()); p.ID != "" {
		t.Errorf("signed out: %+v", p)
	}
}

func TestTheLanguageOfThePersonIsKnown(t *testing.T) {
	d := desktest.Sample(t, desk.Options{})
	if got := d.Language(t.Context()); got != "system" {
		t.Errorf("at first: %q", got)
	}
	desktest.Must(t, d, bus.CallerUI, "language.set", `{"language":"de"}`, nil)
	if got := d.Language(t.Context()); got != "de" {
		t.Errorf("then: %q", got)
	}
}

// TestATillIsNotCalledAsTheShopsOwnDesk: receipts and closings would be counted together.
func TestATillIsNotCalledAsTheShopsOwnDesk(t *testing.T) {
	d := desktest.Sample(t, desk.Options{})
	for _, name := range []string{"Main", " main "} {
		r := d.Bus.Invoke(t.Context(), bus.Invocation{Capability: "till.ask", Principal: bus.Principal{ID: "x",
			Scopes: []string{"till:ask"}}, Caller: bus.Caller{Type: bus.CallerTest}, Arguments: fmt.Appendf(nil,
			`{"till":"UDHLWV2XQTQ3NSJRZYKDUAXTUXNMCQ3ARHI4Z7TNVFE3YW7EYDMJESGN","name":%q,"secret":"AAAAAAAA"}`, name)})
		if r.OK() || r.Err.Code != bus.Conflict || !strings.Contains(r.Err.Message, "called Main") {
			t.Errorf("%q: %+v", name, r.Err)
		}
	}
}
