package shop_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// signInAt signs a person in through a door, without a PIN.
func (d *desk) signInAt(door, id string) bus.Result {
	d.t.Helper()
	return d.bus.Invoke(context.Background(), bus.Invocation{Capability: "session.signIn",
		Caller: bus.Caller{Type: bus.CallerUI}, Principal: bus.Principal{Door: door},
		Arguments: json.RawMessage(jsonf(`{"staffId":%q}`, id))})
}

// ownShop is a shop of a person's own, without a PIN.
func ownShop(t *testing.T) *desk {
	t.Helper()
	d := openEmpty(t)
	d.must("shop.setUp", `{"from":"empty"}`,
		nil)
	d.as("")
	return d
}

// TestASecondPersonIsAddedOnceTheOwnerHasAPIN: without it one press at the lock screen would make the second person the
// owner.
func TestASecondPersonIsAddedOnceTheOwnerHasAPIN(t *testing.T) {
	d := ownShop(t)
	var listed struct {
		PINFirst *struct{ ID, Name, Reason string }
	}
	for _, args := range []string{`{"name":"Ida","role":"clerk"}`, `{"name":"Ida","role":"owner"}`,
		`{"name":"Ida","role":"auditor","withoutPin":true}`} {
		e := d.refused("staff.save", args, bus.PreconditionFailed, bus.ReasonState)
		contains(t, e.Message, "Owner has no PIN")
		contains(t, e.Hint, "Set the PIN of Owner first, with staff.setPin.")
		if d.must("staff.list", `{}`, &listed); listed.PINFirst == nil || listed.PINFirst.ID != "owner" ||
			listed.PINFirst.Reason != e.Message {
			t.Errorf("the list says %+v", listed.PINFirst)
		}
	}
	d.must("staff.save", `{"staffId":"owner","name":"Ada","role":"owner","withoutPin":true}`, nil) // alone: as before
	d.setPIN("owner")
	listed.PINFirst = nil
	if d.must("staff.list", `{}`, &listed); listed.PINFirst != nil {
		t.Errorf("the list still says %+v", listed.PINFirst)
	}
	d.must("staff.save", `{"name":"Ida","role":"clerk"}`, nil)
	if res := d.signInAt("window", "owner"); res.OK() {
		t.Error("one press made somebody the owner")
	}
}

// TestNoSecondPersonManagesPeopleWithoutAPIN: by no role, change or removal.
func TestNoSecondPersonManagesPeopleWithoutAPIN(t *testing.T) {
	d := ownShop(t)
	d.setPIN("owner")
	var ida struct{ ID string }
	d.must("staff.save", `{"name":"Ida","role":"clerk","withoutPin":true}`, &ida)
	needs := func(args string) {
		t.Helper()
		contains(t, d.refused("staff.save", args, bus.PreconditionFailed, bus.ReasonState).Message, "needs a PIN to manage")
	}
	needs(`{"name":"Bo","role":"owner","withoutPin":true}`)
	needs(jsonf(`{"staffId":%q,"name":"Ida","role":"owner"}`, ida.ID))
	needs(jsonf(`{"staffId":%q,"name":"Ida","role":"owner","withoutPin":true}`, ida.ID))
	d.must("staff.save", jsonf(`{"staffId":%q,"name":"Ida","role":"owner","withoutPin":false}`, ida.ID), nil)
	needs(jsonf(`{"staffId":%q,"name":"Ida","role":"owner","withoutPin":true}`, ida.ID))
	d.refused("staff.remove", `{"staffId":"owner"}`, bus.PreconditionFailed, bus.ReasonState)
	for _, pin := range []string{`""`, `null`, `"    "`} { // a PIN is replaced, and never removed
		d.refused("staff.setPin", jsonf(`{"staffId":"owner","pin":%s}`, pin), bus.Validation, bus.ReasonArguments)
	}
	for _, name := range []string{"staff.setPin", "staff.save", "staff.remove"} {
		if c, _ := d.bus.Lookup(name); c.Reversible {
			t.Errorf("an undo of %s could remove a PIN", name)
		}
	}
}

// TestAtAnotherComputerPeopleSignInByPIN: neither the window nor the command line of a till offers or takes a person
// without one.
func TestAtAnotherComputerPeopleSignInByPIN(t *testing.T) {
	d := openSample(t, "owner")
	d.setPIN("june_park")
	for _, door := range []string{"till:Counter", "cli:Counter"} {
		for _, id := range []string{"mara_lindqvist", "idris_bello", "tomas_okafor"} {
			res := d.signInAt(door, id)
			if res.OK() || res.Err.Code != bus.PreconditionFailed {
				t.Fatalf("%s at %s: %+v", id, door, res.Err)
			}
			contains(t, res.Err.Message, "only people with a PIN sign in at another computer")
		}
		res := d.bus.Invoke(context.Background(), bus.Invocation{Capability: "session.get",
			Caller: bus.Caller{Type: bus.CallerUI}, Principal: bus.Principal{Door: door}})
		if people := string(res.Data); !strings.Contains(people, "June Park") || strings.Contains(people, "Mara Lindqvist") {
			t.Errorf("%s offers %s", door, people)
		}
	}
	for _, door := range []string{"window", "cli"} {
		if res := d.signInAt(door, "idris_bello"); !res.OK() {
			t.Errorf("at %s: %+v", door, res.Err)
		}
	}
}

// TestAnOwnerOfBeforeSignsInHereToSetAPIN: a shop whose second person has a PIN, but whose owner has none, shows a
// warning.
func TestAnOwnerOfBeforeSignsInHereToSetAPIN(t *testing.T) {
	d := openSample(t, "owner")
	notice := func(id string) string {
		t.Helper()
		var out struct{ Notice string }
		res := d.signInAt("window", id)
		if !res.OK() {
			t.Fatal(res.Err)
		}
		if err := json.Unmarshal(res.Data, &out); err != nil {
			t.Fatal(err)
		}
		return out.Notice
	}
	if got := notice("mara_lindqvist"); got != "" {
		t.Errorf("nobody has a PIN, and it says %q", got)
	}
	d.setPIN("june_park")
	contains(t, notice("mara_lindqvist"), "Mara Lindqvist has no PIN: anyone at this computer can sign in as Mara Lindqvist.")
	if got := notice("idris_bello"); got != "" {
		t.Errorf("a manager reads %q", got)
	}
	d.setPIN("mara_lindqvist")
	if res := d.signInAt("window", "mara_lindqvist"); res.OK() {
		t.Error("signed in without the PIN")
	}
}
