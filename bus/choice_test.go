package bus_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

type guest struct {
	ID    string `json:"id"`
	Name  string `json:"name"`
	Email string `json:"email"`

	Address map[string]string `json:"address"`                                 // of no use in telling them apart
	Code    string            `json:"code" jsonschema_extras:"writeOnly=true"` // differs too, and nobody is shown it
}

type stayIn struct {
	GuestID string `json:"guestId" x:"entity=guest"`
	RoomID  string `json:"roomId,omitempty" x:"entity=room"`
}

type partyIn struct {
	Stays []stayIn `json:"stays,omitempty"`
	Rooms []string `json:"rooms,omitempty" x:"entity=room"`
}

// inn has guests that are found by words and rooms that are listed; two guests have one name.
func inn() []bus.Capability {
	define := func(name string, effect bus.SideEffect) bus.Capability {
		return bus.Capability{Name: name, Title: name, Description: name, SideEffect: effect}
	}
	guests := []guest{{ID: "g1", Name: "Ana", Email: "ana@one.example", Code: "7351"}, {ID: "g2", Name: "Ana", Email: "ana@two.example"},
		{ID: "g3", Name: "Bo", Email: "bo@one.example"}}
	find, rooms := define("guest.find", bus.Pure), define("room.list", bus.Pure)
	find.Permissions = []string{"guests:read"}
	find.Entities = []bus.Entity{{Type: "guest", Title: "Guest", List: "/guests"}}
	find.Entities[0].Resolve = func(_ context.Context, _ *bus.Call, ids []string) (map[string]string, error) {
		names := map[string]string{}
		for _, g := range guests {
			if strings.Contains(strings.Join(ids, " "), g.ID) {
				names[g.ID] = g.Name
			}
		}
		return names, nil
	}
	rooms.Entities = []bus.Entity{{Type: "room", Title: "Room", List: "/rooms"}}
	stay, party := define("stay.begin", bus.UIOnly), define("party.begin", bus.UIOnly)
	stay.Resources, party.Resources = []string{"database:write"}, []string{"database:write"}
	return []bus.Capability{
		bus.Define(party, func(context.Context, *bus.Call, partyIn) (struct{}, error) {
			return struct{}{}, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such guest or room.")
		}),
		bus.Define(find, func(_ context.Context, _ *bus.Call, in struct {
			Query string `json:"query,omitempty"`
		}) (out struct {
			Guests []guest `json:"guests"`
		}, err error) {
			out.Guests = []guest{}
			for _, g := range guests {
				if strings.Contains(g.Name, in.Query) {
					out.Guests = append(out.Guests, g)
				}
			}
			return out, nil
		}),
		bus.Define(rooms, func(context.Context, *bus.Call, struct{}) (out struct {
			Rooms []record `json:"rooms"`
		}, err error) {
			out.Rooms = []record{{"r1", "Attic"}, {"r2", "Garden"}}
			return out, nil
		}),
		bus.Define(stay, func(_ context.Context, _ *bus.Call, in stayIn) (struct{}, error) {
			switch {
			case in.RoomID == "r1" && in.GuestID == "g3":
				return struct{}{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "It has two beds.").
					WithChoice("bed", bus.Option{Value: 1, Title: "At the window"}, bus.Option{Value: 2, Title: "At the door"}).
					WithChoice("towel")
			case in.RoomID == "r3":
				return struct{}{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "That room is another guest's.")
			case !strings.HasPrefix(in.GuestID, "g") || in.RoomID != "" && !strings.HasPrefix(in.RoomID, "r"):
				return struct{}{}, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no such guest or room.")
			}
			return struct{}{}, nil
		}),
	}
}

// holds: B13
func TestB13ARefusalOffersTheRecordsThatThereAre(t *testing.T) {
	b, j, _ := bustest.New(t, inn()...)
	anas := bus.Choice{Field: "guestId", Options: []bus.Option{
		{Value: "g1", Title: "Ana (ana@one.example)"}, {Value: "g2", Title: "Ana (ana@two.example)"}}}
	for _, tc := range []struct {
		args, scope string
		caller      bus.CallerType
		want        []bus.Choice
	}{
		{`{"guestId":"Ana"}`, "guests:read", bus.CallerUI, []bus.Choice{anas}},
		{`{"guestId":"Ana"}`, "guests:read", bus.CallerAgent, []bus.Choice{anas}},
		{`{"guestId":"Ana"}`, "", bus.CallerUI, nil},
		{`{"guestId":"Zoe"}`, "guests:read", bus.CallerUI, nil},
		{`{"guestId":"g1","roomId":"gard"}`, "guests:read", bus.CallerUI, []bus.Choice{
			{Field: "roomId", Options: []bus.Option{{Value: "r2", Title: "Garden"}}}}},
		{`{"guestId":"g1","roomId":"cellar"}`, "", bus.CallerUI, []bus.Choice{
			{Field: "roomId", Options: []bus.Option{{Value: "r1", Title: "Attic"}, {Value: "r2", Title: "Garden"}}}}},
		{`{"guestId":"g1","roomId":"r3"}`, "", bus.CallerUI, []bus.Choice{
			{Field: "roomId", Options: []bus.Option{{Value: "r1", Title: "Attic"}, {Value: "r2", Title: "Garden"}}}}},
		{`{"guestId":"g3","roomId":"r1"}`, "guests:read", bus.CallerUI, []bus.Choice{
			{Field: "bed", Options: []bus.Option{{Value: 1, Title: "At the window"}, {Value: 2, Title: "At the door"}}}}},
	} {
		res := b.Invoke(t.Context(), bus.Invocation{Capability: "stay.begin", Arguments: json.RawMessage(tc.args),
			Caller: bus.Caller{Type: tc.caller}, Principal: bus.Principal{ID: "p", Scopes: strings.Fields(tc.scope)},
			DryRun: tc.caller == bus.CallerAgent})
		if res.Err == nil {
			t.Fatalf("%s went through", tc.args)
		}
		if diff := cmp.Diff(tc.want, res.Err.Choices); diff != "" {
			t.Errorf("%s by %s with %q:\n%s", tc.args, tc.caller, tc.scope, diff)
		}
	}
	for _, e := range j.Entries() {
		if e.Result.Err.Code == bus.NotFound && e.Result.Err.Choices != nil {
			t.Errorf("%s: the record has %v", e.Invocation.Arguments, e.Result.Err.Choices)
		}
	}
}

// TestB13IDsInListsAndInStepsOfAPlanAreLookedForToo: by the JSON Pointer of the argument; those that there are have no
// choices.
//
// holds: B13
func TestB13IDsInListsAndInStepsOfAPlanAreLookedForToo(t *testing.T) {
	rooms := []bus.Option{{Value: "r1", Title: "Attic"}, {Value: "r2", Title: "Garden"}}
	bo := []bus.Option{{Value: "g3", Title: "Bo"}}
	const party = `{"stays":[{"guestId":"g1","roomId":"cellar"},{"guestId":"Bo","roomId":"r2"}],"rooms":["r1","gard"]}`
	for name, tc := range map[string]struct {
		capability, args string
		want             []bus.Choice
	}{
		"a call": {"party.begin", party, []bus.Choice{{Field: "rooms/1", Options: rooms[1:]},
			{Field: "stays/0/roomId", Options: rooms}, {Field: "stays/1/guestId", Options: bo}}},
		"a step of a plan": {"plan.propose", `{"steps":[{"capability":"room.list"},{"capability":"party.begin","arguments":` +
			party + `}]}`, []bus.Choice{
			{Field: "steps/1/arguments/rooms/1", Options: rooms[1:], Capability: "party.begin"},
			{Field: "steps/1/arguments/stays/0/roomId", Options: rooms, Capability: "party.begin"},
			{Field: "steps/1/arguments/stays/1/guestId", Options: bo, Capability: "party.begin"}}},
		"a step with choices of its own": {"plan.propose",
			`{"steps":[{"capability":"stay.begin","arguments":{"guestId":"g3","roomId":"r1"}}]}`,
			[]bus.Choice{{Field: "steps/0/arguments/bed", Options: []bus.Option{{Value: 1, Title: "At the window"},
				{Value: 2, Title: "At the door"}}, Capability: "stay.begin"}}},
	} {
		b, _, _ := bustest.New(t, append(inn(), bus.Capabilities()[3])...)
		res := b.Invoke(t.Context(), bus.Invocation{Capability: tc.capability, Arguments: json.RawMessage(tc.args),
			Caller: bus.Caller{Type: bus.CallerAgent}, DryRun: true,
			Principal: bus.Principal{ID: "p", Scopes: []string{"guests:read", "plan:write"}}})
		if res.Err == nil {
			t.Fatalf("%s went through", name)
		}
		if diff := cmp.Diff(tc.want, res.Err.Choices); diff != "" {
			t.Errorf("%s, %s:\n%s", name, res.Err.Message, diff)
		}
	}
}

// TestB13AnAssistantIsOfferedWhatItMayRead: neither what is hidden from it nor what a person would have to allow.
//
// holds: B13
func TestB13AnAssistantIsOfferedWhatItMayRead(t *testing.T) {
	for name, change := range map[string]func(c *bus.Capability){
		"hidden":    func(c *bus.Capability) { c.Assistant.Hidden = true },
		"denied":    func(c *bus.Capability) { c.Checks.Access.Agent = bus.RuleDeny },
		"confirmed": func(c *bus.Capability) { c.Checks.Access.Agent = bus.RuleConfirm },
	} {
		caps := inn()
		change(&caps[1])
		b, _, _ := bustest.New(t, caps...)
		res := b.Invoke(t.Context(), bus.Invocation{Capability: "stay.begin", Arguments: json.RawMessage(`{"guestId":"Ana"}`),
			Caller: bus.Caller{Type: bus.CallerAgent}, Principal: bus.Principal{ID: "p", Scopes: []string{"guests:read"}},
			DryRun: true})
		if res.Err == nil || res.Err.Code != bus.NotFound || res.Err.Choices != nil {
			t.Errorf("%s: %+v", name, res.Err)
		}
	}
}

// holds: B13
func TestB13AListThatPanicsOffersNothing(t *testing.T) {
	caps := inn()
	caps[2].Handler = func(context.Context, *bus.Call) (json.RawMessage, error) { panic("no rooms") }
	b, _, _ := bustest.New(t, caps...)
	res := b.Invoke(t.Context(), bus.Invocation{Capability: "stay.begin", Principal: bus.Principal{ID: "p"},
		Caller: bus.Caller{Type: bus.CallerUI}, Arguments: json.RawMessage(`{"guestId":"g1","roomId":"cellar"}`)})
	if res.Err == nil || res.Err.Code != bus.NotFound || res.Err.Choices != nil {
		t.Errorf("%+v", res.Err)
	}
}

// holds: B13
func TestB13ChoicesTravel(t *testing.T) {
	options := make([]bus.Option, 60)
	for i := range options {
		options[i] = bus.Option{Value: "v", Title: "V"}
	}
	e := bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Which?").WithChoice("kind", options[:2]...)
	raw, err := json.Marshal(bus.Result{Status: bus.StatusError, RequestID: "r", Err: e})
	if want := `"choices":[{"field":"kind","options":[{"value":"v","title":"V"},{"value":"v","title":"V"}]}]`; err != nil ||
		!strings.Contains(string(raw), want) {
		t.Fatalf("%s, %v", raw, err)
	}
	var back bus.Result
	if err := json.Unmarshal(raw, &back); err != nil || !cmp.Equal(back.Err.Choices, e.Choices) {
		t.Errorf("read back as %+v, %v", back.Err, err)
	}
	if n := len(e.WithChoice("other", options...).Choices[1].Options); n != 50 || len(e.Choices) != 1 {
		t.Errorf("%d options, and the error itself has %d choices", n, len(e.Choices))
	}
}
