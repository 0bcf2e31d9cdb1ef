package desk_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// timed is a desk on the sample at a time that tests set, with an order to write notes to.
type timed struct {
	*desk.Desk
	t     *testing.T
	now   time.Time
	order string
	cards []policy.Card
	say   bus.Answer
}

func openTimed(t *testing.T) *timed {
	x := &timed{t: t, now: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC), say: bus.AnswerAllow}
	x.Desk = desktest.Sample(t, desk.Options{Clock: func() time.Time { return x.now }, OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		x.cards = append(x.cards, e.Card)
		if err := x.Policy.Decide(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: x.say, By: e.Card.Person,
			Who: bus.Principal{ID: e.Card.Person}}); err != nil {
			t.Error(err)
		}
	}})
	x.order = desktest.PlaceOrder(t, x.Desk, 1)
	return x
}

// saves saves a routine that writes a note to the order, for a person.
func (x *timed) saves(person, at string) (id string) {
	x.t.Helper()
	var out struct{ ID string }
	who := x.Person
	if person != who.ID {
		who = bus.Principal{ID: person, Scopes: []string{"routine:write"}}
	}
	r := x.Bus.Invoke(x.t.Context(), bus.Invocation{Capability: "routine.save", Principal: who,
		Caller: bus.Caller{Type: bus.CallerUI}, Arguments: fmt.Appendf(nil,
			`{"name":"Note %s","at":%s,"steps":[{"capability":"order.addNote","arguments":{"orderId":%q,"text":"At its time"}}]}`,
			person, at, x.order)})
	if !r.OK() {
		x.t.Fatal(r.Err)
	}
	if err := json.Unmarshal(r.Data, &out); err != nil {
		x.t.Fatal(err)
	}
	return out.ID
}

// due runs what is due, in order.
func (x *timed) due() {
	x.t.Helper()
	if err := x.RunDue(x.t.Context(), func(run func()) { run() }); err != nil {
		x.t.Fatal(err)
	}
}

func (x *timed) notes(want int) {
	x.t.Helper()
	var out struct{ Notes []struct{ Text string } }
	desktest.Must(x.t, x.Desk, bus.CallerUI, "order.get", fmt.Sprintf(`{"orderId":%q}`, x.order), &out)
	if len(out.Notes) != want {
		x.t.Fatalf("there are %d notes, want %d", len(out.Notes), want)
	}
}

// last is the latest record of the timer.
func (x *timed) last() audit.Record {
	x.t.Helper()
	page, err := x.Log.Search(x.t.Context(), audit.Query{CallerType: bus.CallerSchedule})
	if err != nil || len(page.Records) == 0 {
		x.t.Fatal("the timer did nothing", err)
	}
	return page.Records[0]
}

// TestA23ARoutineRunsAtItsTime: once, in the zone of the shop, after the card of who saved it; what was missed runs
// once when there is a window again.
// holds: A23
func TestA23ARoutineRunsAtItsTime(t *testing.T) {
	x := openTimed(t)
	id := x.saves(x.Person.ID, `{"time":"18:00"}`) // of New York: 23:00 UTC
	x.due()
	x.now = time.Date(2026, 11, 26, 22, 59, 0, 0, time.UTC)
	x.due()
	x.notes(0)
	x.now = time.Date(2026, 11, 26, 23, 0, 0, 0, time.UTC)
	x.due()
	x.due()
	x.notes(1)
	r := x.last()
	if r.Caller.Source != id || r.Caller.Person != x.Person.ID || r.Capability != "plan.propose" || len(x.cards) != 1 ||
		x.cards[0].Person != x.Person.ID || x.cards[0].ExpiresAt != x.now.Add(12*time.Hour).UnixMilli() {
		t.Errorf("%+v %+v", r, x.cards)
	}
	x.now = x.now.Add(100 * time.Hour)
	x.due()
	x.due()
	x.notes(2)
	x.say = bus.AnswerDeny
	x.now = x.now.Add(24 * time.Hour)
	x.due()
	x.due()
	x.notes(2)
	if len(x.cards) != 3 || x.last().Reason != bus.ReasonDeclined {
		t.Errorf("%d cards, and then %+v", len(x.cards), x.last())
	}
	desktest.Must(t, x.Desk, bus.CallerUI, "routine.remove", fmt.Sprintf(`{"routineId":%q}`, id), nil)
	x.now = x.now.Add(24 * time.Hour)
	x.due()
	x.notes(2)
}

// TestA23ARunAtItsTimeHasTheRightsOfNow: who lost one, or is not there any more, is refused, and that is recorded.
// holds: A23
func TestA23ARunAtItsTimeHasTheRightsOfNow(t *testing.T) {
	x := openTimed(t)
	x.saves("june_park", `{"time":"18:00","days":[4,5,6]}`)
	x.saves("somebody", `{"time":"18:00"}`)
	desktest.Must(t, x.Desk, bus.CallerUI, "staff.setPin", `{"staffId":"mara_lindqvist","pin":"739184"}`, nil)
	x.now = time.Date(2026, 11, 27, 1, 0, 0, 0, time.UTC)
	x.due()
	x.notes(1)
	page, err := x.Log.Search(t.Context(), audit.Query{CallerType: bus.CallerSchedule, Person: "somebody"})
	if err != nil || len(page.Records) != 1 || page.Records[0].Reason != bus.ReasonPermission || len(x.cards) != 1 {
		t.Errorf("%v %+v", err, page.Records)
	}
	desktest.Must(t, x.Desk, bus.CallerUI, "staff.save", `{"staffId":"june_park","name":"June Park","role":"auditor"}`, nil)
	x.now = x.now.Add(24 * time.Hour)
	cards := len(x.cards)
	x.due()
	x.notes(1)
	page, err = x.Log.Search(t.Context(), audit.Query{CallerType: bus.CallerSchedule, Person: "june_park"})
	if err != nil || len(page.Records) != 2 || page.Records[0].Code != bus.Forbidden || len(x.cards) != cards {
		t.Errorf("%v %+v, and %d cards", err, page.Records, len(x.cards)-cards)
	}
	x.now = x.now.Add(48 * time.Hour) // a Sunday in New York: june's last was Saturday
	x.due()
	x.notes(1)
}

// TestA23AGrantSparesTheCardOfARun for that routine and its person, as often as it says.
// holds: A23
func TestA23AGrantSparesTheCardOfARun(t *testing.T) {
	x := openTimed(t)
	id := x.saves(x.Person.ID, `{"time":"18:00"}`)
	other := x.saves("june_park", `{"time":"18:00"}`)
	grant := `{"grantee":{"endpoint":"schedule","model":"routine"},"capability":"routine.run",` +
		`"constraints":{"/routineId":%q},"limits":{"uses":1},"until":1800000000000}`
	r := x.Bus.Invoke(t.Context(), bus.Invocation{Capability: "grant.create", Principal: x.Person,
		Caller:    bus.Caller{Type: bus.CallerUI},
		Arguments: []byte(`{"grantee":{"endpoint":"schedule","model":"routine"},"capability":"routine.run","until":1800000000000}`)})
	if r.OK() {
		t.Error("a grant without bounds was given")
	}
	desktest.Must(t, x.Desk, bus.CallerUI, "grant.create", fmt.Sprintf(grant, id), nil)
	desktest.Must(t, x.Desk, bus.CallerUI, "grant.create", fmt.Sprintf(grant, other), nil) // for the owner, not for June
	x.now = time.Date(2026, 11, 26, 23, 0, 0, 0, time.UTC)
	x.due()
	x.notes(2)
	if len(x.cards) != 1 || x.cards[0].Person != "june_park" {
		t.Errorf("%+v", x.cards)
	}
	x.now = x.now.Add(24 * time.Hour)
	x.due()
	x.notes(4)
	if len(x.cards) != 3 {
		t.Errorf("a grant for one use was used again: %d cards", len(x.cards))
	}
	desktest.Must(t, x.Desk, bus.CallerUI, "grant.create", fmt.Sprintf(grant, id), nil)
	desktest.Must(t, x.Desk, bus.CallerUI, "routine.run", fmt.Sprintf(`{"routineId":%q}`, id), nil)
	if len(x.cards) != 4 {
		t.Error("a grant for the timer spared the card of a person")
	}
}

// TestA26APermissionOfARoutineIsGivenAndEndsWithIt: a program packs at its time every order that waits then, without a
// card, as often as it was allowed; with the routine the permission is gone.
// holds: A26 A23
func TestA26APermissionOfARoutineIsGivenAndEndsWithIt(t *testing.T) {
	x := openTimed(t)
	save := func(name, more string) bus.Result {
		return x.Bus.Invoke(t.Context(), bus.Invocation{Capability: "routine.save", Principal: x.Person,
			Caller: bus.Caller{Type: bus.CallerUI}, Arguments: fmt.Appendf(nil, `{"name":%q,"steps":[
				{"capability":"order.search","arguments":{"status":"pending","limit":200}},
				{"$each":{"from":"/0/orders"},"capability":"order.process","arguments":{"orderId":{"$item":"/id"}}}]%s}`, name, more)})
	}
	const at = `,"at":{"time":"17:00"}`
	for more, code := range map[string]bus.Code{`,"allow":{"uses":1,"until":1800000000000}`: bus.Validation,
		at + `,"allow":{"uses":1,"until":1700000000000}`: bus.Validation, at + `,"allow":{"until":1800000000000}`: bus.Validation} {
		if r := save("No", more); r.Err == nil || r.Err.Code != code {
			t.Errorf("%s: %+v", more, r)
		}
	}
	owner := x.Person
	x.Person.Scopes = []string{"routine:write"}
	if r := save("No", at+`,"allow":{"uses":1,"until":1800000000000}`); r.Err == nil || r.Err.Code != bus.Forbidden {
		t.Errorf("%+v", r)
	}
	x.Person = owner
	var saved struct{ ID string }
	if r := save("Pack", at+`,"allow":{"uses":2,"until":1800000000000}`); r.Decode(&saved) != nil {
		t.Fatal(r.Err)
	}
	pending := func() int {
		var out struct{ Orders []struct{} }
		desktest.Must(t, x.Desk, bus.CallerUI, "order.search", `{"status":"pending","limit":200}`, &out)
		return len(out.Orders)
	}
	runs := func(wait, cards int) audit.Record {
		t.Helper()
		x.now = x.now.Add(24 * time.Hour)
		x.due()
		if pending() != wait || len(x.cards) != cards {
			t.Errorf("%d orders wait, %d cards", pending(), len(x.cards))
		}
		return x.last()
	}
	for range 2 { // the sample has more or fewer by the day of the week
		desktest.PlaceOrder(t, x.Desk, 1)
	}
	first := runs(0, 0)
	if first.Decision == nil || first.Decision.GrantID == "" {
		t.Errorf("%+v", first)
	}
	if none := runs(0, 0); none.Code != bus.PreconditionFailed { // nothing waits: it takes no use
		t.Errorf("%+v", none)
	}
	undo := func(r audit.Record) {
		t.Helper()
		desktest.Must(t, x.Desk, bus.CallerUI, "audit.undo", fmt.Sprintf(`{"requestId":%q}`, r.RequestID), nil)
	}
	undo(first)
	undo(runs(0, 0))
	runs(0, 1) // the permission was for two runs
	desktest.Must(t, x.Desk, bus.CallerUI, "routine.remove", fmt.Sprintf(`{"routineId":%q}`, saved.ID), nil)
	if r := save("Pack", at+`,"allow":{"uses":9,"until":1800000000000}`); r.Decode(&saved) != nil {
		t.Fatal(r.Err)
	}
	desktest.Must(t, x.Desk, bus.CallerUI, "routine.remove", fmt.Sprintf(`{"routineId":%q}`, saved.ID), nil)
	var list struct {
		Grants []struct {
			Status, Capability string
		}
	}
	desktest.Must(t, x.Desk, bus.CallerUI, "grant.list", `{}`, &list)
	if len(list.Grants) != 2 || list.Grants[0].Status != policy.GrantRevoked || list.Grants[1].Status == policy.GrantActive {
		t.Errorf("%+v", list)
	}
	runs(0, 1)
}

// TestA23ARunIsMadeByOneProgram, and again by the next one if the first ended before it was done.
// holds: A23
func TestA23ARunIsMadeByOneProgram(t *testing.T) {
	x := openTimed(t)
	x.saves(x.Person.ID, `{"time":"18:00"}`)
	x.now = time.Date(2026, 11, 26, 23, 0, 0, 0, time.UTC)
	open := func() *desk.Desk {
		d, err := desk.Open(t.Context(), desk.Options{Folder: x.Folder, Door: "cli", Clock: func() time.Time { return x.now },
			Allow: true})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	first, second := open(), open()
	var begun []func()
	if err := first.RunDue(t.Context(), func(run func()) { begun = append(begun, run) }); err != nil || len(begun) != 1 {
		t.Fatal(err, len(begun))
	}
	runs := func(d *desk.Desk) (n int) {
		t.Helper()
		if err := d.RunDue(t.Context(), func(run func()) { n++; run() }); err != nil {
			t.Fatal(err)
		}
		return n
	}
	if runs(second) != 0 || runs(first) != 0 {
		t.Error("a run that was begun was begun again")
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	if runs(second) != 1 || runs(second) != 0 {
		t.Error("a run that was cut off was not made again, once")
	}
	x.notes(1)
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
}
