package shop_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop"
	"github.com/deskhand/deskhand/shop/staff"
)

const pin = "804613"

// tryPIN signs June in with a PIN, without a signed-in person.
func (d *desk) tryPIN(pin string) bus.Result {
	d.t.Helper()
	return d.bus.Invoke(context.Background(), bus.Invocation{Capability: "session.signIn",
		Caller:    bus.Caller{Type: bus.CallerUI},
		Arguments: json.RawMessage(jsonf(`{"staffId":"june_park","pin":%q}`, pin))})
}

// vouch tries June's PIN at a card.
func (d *desk) vouch(pin string) bus.Result {
	d.t.Helper()
	return d.bus.Invoke(context.Background(), bus.Invocation{Capability: "session.vouch",
		Caller: bus.Caller{Type: bus.CallerUI}, Principal: d.person,
		Arguments: json.RawMessage(jsonf(`{"staffId":"june_park","pin":%q,"approval":"apr_1"}`, pin))})
}

func (d *desk) setPIN(staff string) {
	d.t.Helper()
	d.must("staff.setPin", jsonf(`{"staffId":%q,"pin":%q}`, staff, pin), nil)
}

func TestSignInWithAPIN(t *testing.T) {
	d := openSample(t, "owner")
	var out struct {
		Staff          struct{ ID, Role string }
		Authentication string
	}
	d.must("session.signIn", `{"staffId":"june_park"}`, &out)
	if out.Staff.ID != "june_park" || out.Authentication != "none" {
		t.Errorf("without a PIN: %+v", out)
	}
	d.setPIN("june_park")
	e := d.refused("session.signIn", `{"staffId":"june_park"}`, bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "June Park signs in with a PIN")
	e = d.refused("session.signIn", `{"staffId":"june_park","pin":"804614"}`, bus.Forbidden, bus.ReasonPermission)
	contains(t, e.Message, "not the PIN of June Park")
	d.must("session.signIn", jsonf(`{"staffId":"june_park","pin":%q}`, pin), &out)
	if out.Staff.Role != "clerk" || out.Authentication != "pin" {
		t.Errorf("with a PIN: %+v", out)
	}
	if _, err := d.signIn("June Park"); err == nil {
		t.Error("the door let June in without the PIN")
	}
	d.must("staff.setPin", `{"staffId":"june_park","pin":"11112222"}`, nil)
	if res := d.tryPIN(pin); res.OK() {
		t.Error("the old PIN still works")
	}
	d.refused("session.signIn", `{"staffId":"nobody"}`, bus.NotFound, bus.ReasonRecord)
}

func TestOnlyPeopleSignIn(t *testing.T) {
	d := openSample(t, "owner")
	for name, args := range map[string]string{
		"session.signIn": `{"staffId":"june_park"}`, "staff.list": `{}`, "staff.save": `{"name":"Eve","role":"owner"}`,
		"staff.remove": `{"staffId":"june_park"}`, "staff.setPin": `{"staffId":"june_park","pin":"1234"}`,
	} {
		res := d.bus.Invoke(context.Background(), bus.Invocation{Capability: name, Arguments: json.RawMessage(args),
			Caller: bus.Caller{Type: bus.CallerAgent}, Principal: d.person})
		if res.OK() || res.Err.Reason != bus.ReasonAgentForbidden {
			t.Errorf("an agent's %s: %+v", name, res.Err)
		}
	}
	for _, who := range []string{"clerk", "manager", "auditor"} {
		d.as(who)
		d.refused("staff.save", `{"name":"Eve","role":"owner"}`, bus.Forbidden, bus.ReasonPermission)
		d.refused("staff.setPin", `{"staffId":"mara_lindqvist","pin":"1234"}`, bus.Forbidden, bus.ReasonPermission)
	}
}

// TestWrongPINsTakeLongerAndLonger: the wait holds for another program on the
// same file too, and for the right PIN.
func TestWrongPINsTakeLongerAndLonger(t *testing.T) {
	d := openSample(t, "owner")
	d.setPIN("june_park")
	wrong := func(times int) {
		t.Helper()
		for range times {
			d.clock = d.clock.Add(time.Second)
			if res := d.tryPIN("0000"); res.OK() || res.Err.Code != bus.Forbidden {
				t.Fatalf("a wrong PIN: %+v", res.Err)
			}
		}
	}
	waits := func(seconds int) {
		t.Helper()
		res := d.tryPIN(pin)
		if res.OK() || res.Err.Code != bus.Transient || res.Err.Reason != bus.ReasonRateLimit ||
			res.Err.RetryAfter != time.Duration(seconds)*time.Second {
			t.Fatalf("want a wait of %d s, got %+v", seconds, res.Err)
		}
		contains(t, res.Err.Hint, jsonf("in %d s", seconds))
	}
	wrong(5)
	waits(30)
	waits(30) // unchecked attempts do not count
	d.setPIN("idris_bello")
	d.bus.Invoke(context.Background(), bus.Invocation{Capability: "session.signIn",
		Caller: bus.Caller{Type: bus.CallerAgent}, Principal: d.person,
		Arguments: json.RawMessage(`{"staffId":"june_park","pin":"0000"}`)})
	d.refused("session.signIn", `{"staffId":"idris_bello","pin":"0000"}`, bus.Forbidden, bus.ReasonPermission)
	waits(30) // neither does an attempt by an assistant, nor a wrong PIN of another person
	d.must("session.signIn", jsonf(`{"staffId":"idris_bello","pin":%q}`, pin), nil)

	again := openDesk(t, d.path)
	again.clock, again.person = d.clock.Add(20*time.Second), d.person
	d = again
	waits(10)
	d.clock = d.clock.Add(10 * time.Second)
	wrong(1)
	waits(60)
	d.clock = d.clock.Add(time.Minute)
	for range 8 {
		wrong(1)
		d.clock = d.clock.Add(15 * time.Minute)
	}
	wrong(1)
	waits(15 * 60)
	d.clock = d.clock.Add(15 * time.Minute)
	if res := d.tryPIN(pin); !res.OK() {
		t.Fatalf("the right PIN after the wait: %+v", res.Err)
	}
	wrong(4)
	if res := d.tryPIN(pin); !res.OK() {
		t.Fatalf("the right PIN after four wrong ones: %+v", res.Err)
	}
	wrong(5)
	waits(30)
	d.clock = d.clock.Add(time.Millisecond)
	d.setPIN("june_park")
	if res := d.tryPIN(pin); !res.OK() {
		t.Fatalf("a new PIN does not end the wait: %+v", res.Err)
	}
}

// TestAPINAtACardCountsWithTheOthers: who guesses gets no more tries by trying in
// two places.
func TestAPINAtACardCountsWithTheOthers(t *testing.T) {
	d := openSample(t, "owner")
	e := d.refused("session.vouch", jsonf(`{"staffId":"june_park","pin":%q,"approval":"apr_1"}`, pin),
		bus.PreconditionFailed, bus.ReasonState)
	contains(t, e.Message, "June Park has no PIN")
	d.setPIN("june_park")
	var out struct {
		Staff          struct{ ID, Role string }
		Authentication string
	}
	d.must("session.vouch", jsonf(`{"staffId":"june_park","pin":%q,"approval":"apr_1"}`, pin), &out)
	if out.Staff.ID != "june_park" || out.Authentication != "pin" {
		t.Errorf("%+v", out)
	}
	for i := range 5 {
		d.clock = d.clock.Add(time.Second)
		try := d.vouch
		if i%2 == 0 {
			try = d.tryPIN
		}
		if res := try("0000"); res.OK() || res.Err.Reason != bus.ReasonPermission {
			t.Fatalf("a wrong PIN: %+v", res.Err)
		}
	}
	for _, try := range []func(string) bus.Result{d.vouch, d.tryPIN} {
		if res := try(pin); res.OK() || res.Err.Reason != bus.ReasonRateLimit || res.Err.RetryAfter != 30*time.Second {
			t.Errorf("after five wrong ones: %+v", res.Err)
		}
	}
	d.clock = d.clock.Add(30 * time.Second)
	if res := d.vouch(pin); !res.OK() {
		t.Errorf("after the wait: %+v", res.Err)
	}
	if res := d.tryPIN("0000"); res.Err.Reason != bus.ReasonPermission {
		t.Errorf("a right one begins anew: %+v", res.Err)
	}
}

// TestColleaguesAreListedByWhatTheyMay: the nearest right is asked first.
func TestColleaguesAreListedByWhatTheyMay(t *testing.T) {
	d := openSample(t, "owner")
	d.setPIN("idris_bello")
	var said []string
	if err := d.log.View(context.Background(), func(ctx context.Context) error {
		all, err := shop.Colleagues(ctx)
		for _, p := range all {
			said = append(said, p.Role+" "+p.Authentication)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	order := []string{"auditor", "clerk", "manager", "owner"}
	if !slices.IsSortedFunc(said, func(a, b string) int {
		return slices.Index(order, strings.Fields(a)[0]) - slices.Index(order, strings.Fields(b)[0])
	}) || strings.Count(strings.Join(said, ","), "pin") != 1 {
		t.Errorf("%q", said)
	}
}

// TestATrialOfAPINCountsToo: a preview says whether a PIN is right.
func TestATrialOfAPINCountsToo(t *testing.T) {
	d := openSample(t, "owner")
	d.setPIN("june_park")
	d.clock = d.clock.Add(time.Second)
	for range 5 {
		d.bus.Invoke(context.Background(), bus.Invocation{Capability: "session.signIn",
			Caller:    bus.Caller{Type: bus.CallerUI},
			Arguments: json.RawMessage(`{"staffId":"june_park","pin":"0000"}`), DryRun: true})
	}
	if res := d.tryPIN(pin); res.OK() || res.Err.Reason != bus.ReasonRateLimit {
		t.Errorf("after five trials: %+v", res.Err)
	}
}

// TestNoPINIsKept searches for PINs and their hashes in every byte of the shop's files, in the records and in the
// events.
func TestNoPINIsKept(t *testing.T) {
	d := openSample(t, "owner")
	sub := d.bus.Subscribe()
	defer sub.Close()
	const canary, wrong = "739184620517", "739184620518"
	d.must("staff.setPin", jsonf(`{"staffId":"june_park","pin":%q}`, canary), nil)
	d.clock = d.clock.Add(time.Second)
	d.tryPIN(canary)
	d.tryPIN(wrong)
	d.tryPIN(wrong + "9") // too long: refused by the schema
	for _, pin := range []string{canary, wrong, wrong + "9"} {
		d.vouch(pin)
	}
	d.must("staff.remove", `{"staffId":"june_park"}`, nil)
	d.setPIN("idris_bello")

	records, err := d.log.Tail(context.Background(), 0, 20)
	if err != nil {
		t.Fatal(err)
	}
	all, err := json.Marshal(records)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"7391846205", "argon2id"} {
		if bytes.Contains(all, []byte(secret)) {
			t.Errorf("the records hold %q", secret)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for e, err := sub.Next(ctx); err == nil; e, err = sub.Next(ctx) {
		if raw, _ := json.Marshal(e); bytes.Contains(raw, []byte("7391846205")) {
			t.Errorf("an event holds a PIN: %s", raw)
		}
	}
	files, err := filepath.Glob(d.path + "*")
	if err != nil || len(files) < 2 {
		t.Fatalf("the files %v %v", files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte("7391846205")) {
			t.Errorf("%s holds a PIN", filepath.Base(file))
		}
	}
	if n := d.number(`SELECT count(*) FROM staff_pins WHERE hash LIKE '$argon2id$v=19$m=19456,t=2,p=1$%'`); n != 1 {
		t.Errorf("%d PINs are kept", n)
	}
}

func TestAnOwnerStays(t *testing.T) {
	d := openSample(t, "owner")
	const mara = "mara_lindqvist"
	last := func(name, args string) {
		t.Helper()
		contains(t, d.refused(name, args, bus.PreconditionFailed, bus.ReasonState).Message, "no owner")
	}
	last("staff.remove", jsonf(`{"staffId":%q}`, mara))
	last("staff.save", jsonf(`{"staffId":%q,"name":"Mara Lindqvist","role":"manager"}`, mara))
	last("staff.save", jsonf(`{"staffId":%q,"name":"Mara Lindqvist","role":"owner","withoutPin":false}`, mara))
	var second struct{ ID string }
	d.setPIN(mara)
	d.must("staff.save", `{"name":"Bo Li","role":"owner"}`, &second)
	last("staff.remove", jsonf(`{"staffId":%q}`, mara)) // Bo Li cannot sign in yet
	contains(t, d.refused("session.signIn", jsonf(`{"staffId":%q}`, second.ID), bus.PreconditionFailed, bus.ReasonState).
		Message, "no PIN yet")
	d.setPIN(second.ID)
	d.must("staff.save", jsonf(`{"staffId":%q,"name":"Mara Lindqvist","role":"owner","withoutPin":false}`, mara), nil)
	d.must("staff.remove", jsonf(`{"staffId":%q}`, mara), nil)
	last("staff.remove", jsonf(`{"staffId":%q}`, second.ID))
	if c, _ := d.bus.Lookup("staff.save"); c.Reversible {
		t.Error("an undo, which knows nothing of owners, could leave none")
	}
}

func TestNamesTellPeopleApart(t *testing.T) {
	d := openSample(t, "owner")
	d.setPIN("mara_lindqvist")
	d.refused("staff.save", `{"name":"june PARK","role":"clerk"}`, bus.PreconditionFailed, bus.ReasonState)
	d.refused("staff.save", `{"name":"june_park","role":"clerk"}`, bus.PreconditionFailed, bus.ReasonState)
	d.refused("staff.save", `{"name":"Owner","role":"clerk"}`, bus.Validation, bus.ReasonArguments)
	d.refused("staff.save", `{"name":" ","role":"clerk"}`, bus.Validation, bus.ReasonArguments)
	d.must("staff.save", `{"staffId":"june_park","name":"June Park-Li","role":"manager"}`, nil)
	var out struct {
		Staff []struct {
			ID, Name, Role     string
			HasPIN, WithoutPIN bool
		}
	}
	d.must("staff.list", `{}`, &out)
	var names []string
	for _, m := range out.Staff {
		names = append(names, m.Name+" "+m.Role)
	}
	contains(t, strings.Join(names, ", "), "June Park-Li manager")
}

func TestWhoWasRemovedIsNobody(t *testing.T) {
	d := openSample(t, "owner")
	present := func(id string) (p bus.Principal) {
		t.Helper()
		if err := d.log.View(context.Background(), func(ctx context.Context) (err error) {
			p, err = staff.Present(ctx, id)
			return err
		}); err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := present("june_park"); p.Role != "clerk" || p.Has("catalog:write") {
		t.Errorf("a clerk: %+v", p)
	}
	d.must("staff.save", `{"staffId":"june_park","name":"June Park","role":"manager"}`, nil)
	if p := present("june_park"); !p.Has("catalog:write") {
		t.Errorf("a manager: %+v", p)
	}
	d.must("staff.remove", `{"staffId":"june_park"}`, nil)
	if p := present("june_park"); p.ID != "" || len(p.Scopes) != 0 {
		t.Errorf("removed: %+v", p)
	}
}
