package bus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

type boxIn struct {
	BoxID string `json:"boxId" x:"entity=box"`
	Words string `json:"words,omitempty"`
}

type tagIn struct {
	BoxID string `json:"boxId" x:"entity=box"`
	TagID string `json:"tagId" x:"entity=tag"`
}

type slipIn struct {
	SlipID string `json:"slipId" x:"entity=slip"`
}

type shelfIn struct {
	ShelfID string `json:"shelfId" x:"entity=shelf"`
}

type boxOut struct {
	ID      string   `json:"id"`
	ShelfID string   `json:"shelfId,omitempty" x:"entity=shelf"`
	Tags    []record `json:"tags"`
}

// boxes are b1 to b5; b4 is packed already, b5 lies on no shelf. Each has the tags that follow its name.
var boxTags = map[string][]record{"b1": {{"t1", "Red"}}, "b2": {{"t2", "Blue"}}, "b3": {{"t3", "Red"}, {"t4", "Blue"}},
	"b4": {}, "b5": {{"t1", "Red"}, {"t5", "Blue"}}}

// depot is an application in which boxes are packed.
func depot() []bus.Capability {
	define := func(name string, effect bus.SideEffect) bus.Capability {
		return bus.Capability{Name: name, Title: name, Description: name, SideEffect: effect}
	}
	writing := func(name string) bus.Capability {
		c := define(name, bus.UIOnly)
		c.Resources = []string{"database:write"}
		return c
	}
	list, get, shelves := define("box.list", bus.Pure), define("box.get", bus.Pure), define("shelf.list", bus.Pure)
	list.Entities = []bus.Entity{{Type: "box", Title: "Box", List: "/boxes", Get: "box.get", Display: "Box {id}"}}
	get.Entities = []bus.Entity{{Type: "tag", Title: "Tag", List: "/tags"}}
	shelves.Entities = []bus.Entity{{Type: "shelf", Title: "Shelf", List: "/shelves"},
		{Type: "slip", Title: "Slip", List: "/slips"}}
	pack, slip, pin, tag, dust := writing("box.pack"), writing("slip.write"), writing("slip.pin"), writing("box.tag"),
		writing("shelf.dust")
	pin.Permissions = []string{"slip:write"}
	call := define("box.call", bus.Network)
	call.Assistant.Grantable = []string{"boxId"}
	call.Run.Preview = func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{}`), nil }
	set := func(ctx context.Context, table, key string) error {
		return bustest.Tables(ctx).Set(table, key, map[string]any{"id": key})
	}
	return []bus.Capability{
		bus.Define(list, func(context.Context, *bus.Call, struct{}) (out struct {
			Boxes []record `json:"boxes"`
		}, err error) {
			return out, nil
		}),
		bus.Define(get, func(_ context.Context, _ *bus.Call, in boxIn) (out boxOut, err error) {
			out = boxOut{ID: in.BoxID, ShelfID: "s" + in.BoxID, Tags: boxTags[in.BoxID]}
			if in.BoxID == "b5" {
				out.ShelfID = ""
			}
			if out.Tags == nil {
				return out, bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no box %s.", in.BoxID)
			}
			return out, nil
		}),
		bus.Define(shelves, func(context.Context, *bus.Call, struct{}) (out struct {
			Shelves []record `json:"shelves"`
			Slips   []record `json:"slips"`
		}, err error) {
			return out, nil
		}),
		bus.Define(pack, func(ctx context.Context, call *bus.Call, in boxIn) (struct{}, error) {
			call.Summarize("Pack %s", in.BoxID)
			call.Changed("box", "packed", in.BoxID)
			if in.BoxID == "b4" || bustest.Tables(ctx).Get("packed", in.BoxID) != nil {
				return struct{}{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "It is packed already.")
			}
			return struct{}{}, set(ctx, "packed", in.BoxID)
		}),
		bus.Define(slip, func(ctx context.Context, call *bus.Call, in boxIn) (slipIn, error) {
			id := call.NewID("slip")
			return slipIn{id}, set(ctx, "slips", id+" "+in.BoxID+" "+in.Words)
		}),
		bus.Define(pin, func(ctx context.Context, _ *bus.Call, in slipIn) (struct{}, error) {
			return struct{}{}, set(ctx, "pinned", in.SlipID)
		}),
		bus.Define(tag, func(ctx context.Context, _ *bus.Call, in tagIn) (struct{}, error) {
			return struct{}{}, set(ctx, "tagged", in.BoxID+" "+in.TagID)
		}),
		bus.Define(dust, func(ctx context.Context, _ *bus.Call, in shelfIn) (struct{}, error) {
			return struct{}{}, set(ctx, "dusted", in.ShelfID)
		}),
		bus.Define(call, func(context.Context, *bus.Call, boxIn) (struct{}, error) { return struct{}{}, nil }),
	}
}

// depotDesk is a person who packs boxes, and what they are shown.
type depotDesk struct {
	*approver
	t   *testing.T
	bus *bus.Bus
	j   *bustest.Journal
	who bus.Principal
}

func newDepot(t *testing.T) *depotDesk {
	a := &approver{rule: bus.RuleConfirm, say: yes}
	b, j := withApprover(t, a, depot()...)
	b.MustRegister(bus.Capabilities()...)
	who := clerk
	who.Scopes = []string{"*"}
	return &depotDesk{a, t, b, j, who}
}

func (d *depotDesk) do(name, args string) bus.Result {
	inv := call(name, args)
	inv.Principal = d.who
	return d.bus.Invoke(d.t.Context(), inv)
}

func (d *depotDesk) must(name, args string) string {
	d.t.Helper()
	r := d.do(name, args)
	wantOK(d.t, r)
	return r.RequestID
}

// same repeats requests, comma-separated, with boxes, and returns what was left out.
func (d *depotDesk) same(requests []string, boxes string) (left []string, r bus.Result) {
	var subjects []string
	for id := range strings.FieldsSeq(boxes) {
		subjects = append(subjects, fmt.Sprintf(`{"type":"box","id":%q}`, id))
	}
	named, _ := json.Marshal(append([]string{}, requests...)) // texts
	r = d.do("plan.repeat", fmt.Sprintf(`{"requestIds":%s,"subjects":[%s]}`, named, strings.Join(subjects, ",")))
	var out struct{ Left []struct{ Name, Why string } }
	_ = json.Unmarshal(r.Data, &out) // a refusal has none
	for _, l := range out.Left {
		left = append(left, l.Name+": "+l.Why)
	}
	return left, r
}

// rows are the keys of a table, with their ids alike.
func (d *depotDesk) rows(table string) (keys []string) {
	for _, e := range d.j.Entries() {
		for _, f := range e.Effects {
			if f.Table == table {
				keys = append(keys, fmt.Sprint(f.Key["id"]))
			}
		}
	}
	return keys
}

// holds: A21
func TestA21WhatWasDoneLastIsDoneWithOthers(t *testing.T) {
	d := newDepot(t)
	d.must("box.pack", `{"boxId":"b5"}`)
	d.must("box.pack", `{"boxId":"b1"}`)
	d.must("shelf.dust", `{"shelfId":"s9"}`) // names no box: it is not among them
	d.must("slip.write", `{"boxId":"b1","words":"Fragile"}`)
	left, r := d.same(nil, "b2 b1 b3 b2 b4 b9")
	wantOK(t, r)
	want := []string{"Box b1: It is the one that this was done with.", "Box b4: It is packed already."}
	if diff := cmp.Diff(want, left); diff != "" {
		t.Error(diff)
	}
	if got := d.rows("packed"); !slices.Equal(got, []string{"b5", "b1", "b2", "b3", "b9"}) {
		t.Error(got)
	}
	card := d.asked[0]
	if len(d.asked) != 1 || card.Summary != "Do the same with 3: box.pack; slip.write" || len(card.Effects) != 6 ||
		!strings.Contains(string(card.Data), "packed already") || r.Facts["left"] != 2.0 || len(r.Events) != 3 {
		t.Errorf("%d cards, %s, %v", len(d.asked), card.Summary, r.Facts)
	}
	entries := d.j.Entries()
	if e := entries[len(entries)-1]; !slices.Equal(e.Steps, []string{"box.pack", "slip.write"}) ||
		len(entries) != 5 || e.SideEffect != bus.Destructive {
		t.Errorf("%+v", e)
	}
	if _, r = d.same(nil, "b2"); r.Err == nil || !strings.Contains(r.Err.Message, "Box b2: It is packed already.") {
		t.Errorf("a repetition is not what is repeated: %s", wire(t, r))
	}
}

// holds: A21
func TestA21WhatBelongsToTheRecordFollowsIt(t *testing.T) {
	for name, tt := range map[string]struct {
		first func(d *depotDesk) []string
		table string
		want  []string // of b1 and the others
		left  []string
	}{
		"one of its list": {func(d *depotDesk) []string { return []string{d.must("box.tag", `{"boxId":"b1","tagId":"t1"}`)} },
			"tagged", []string{"b1 t1", "b2 t2", "b5 t1"},
			[]string{"Box b3: It has several, and which is meant is not known: Tag.", "Box b4: There is none for it: Tag."}},
		"a field": {func(d *depotDesk) []string {
			return []string{d.must("box.pack", `{"boxId":"b1"}`), d.must("shelf.dust", `{"shelfId":"sb1"}`)}
		}, "dusted", []string{"sb1", "sb2", "sb3"}, []string{"Box b4: It is packed already.",
			"Box b5: There is none for it: Shelf."}},
		"what was typed": {func(d *depotDesk) []string {
			return []string{d.must("box.tag", `{"boxId":"b1","tagId":"t9"}`)}
		}, "tagged", []string{"b1 t9", "b2 t9", "b3 t9", "b4 t9", "b5 t9"}, nil},
		"what an action made": {func(d *depotDesk) []string {
			r := d.do("plan.propose", `{"steps":[{"capability":"slip.write","arguments":{"boxId":"b1"}},
				{"capability":"slip.pin","arguments":{"slipId":{"$from":"/0/slipId"}}}]}`)
			wantOK(t, r)
			return []string{r.RequestID}
		}, "slips", nil, nil},
		"what reaches outside": {func(d *depotDesk) []string {
			return []string{d.must("box.call", `{"boxId":"b1"}`), d.must("box.pack", `{"boxId":"b1"}`)}
		}, "packed", []string{"b1", "b2", "b3", "b5"},
			[]string{"Box b1: box.call reaches outside: it is not done again here.", "Box b4: It is packed already."}},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDepot(t)
			left, r := d.same(tt.first(d), "b2 b3 b4 b5")
			wantOK(t, r)
			if diff := cmp.Diff(tt.left, left); diff != "" {
				t.Error(diff)
			}
			got := d.rows(tt.table)
			if tt.want != nil && !slices.Equal(got, tt.want) {
				t.Error(got)
			}
			if pinned := d.rows("pinned"); tt.want == nil && (len(got) != 5 || len(pinned) != 5 ||
				!strings.HasPrefix(got[4], pinned[4])) {
				t.Errorf("%v %v", got, pinned)
			}
		})
	}
}

// holds: A21
func TestA21WhatCannotBeRepeatedIsRefused(t *testing.T) {
	d := newDepot(t)
	_, r := d.same(nil, "b2")
	wantError(t, r, bus.NotFound, bus.ReasonRecord)
	one, other := d.must("box.pack", `{"boxId":"b1"}`), d.must("box.pack", `{"boxId":"b2"}`)
	_, r = d.same([]string{one, other}, "b3")
	wantError(t, r, bus.Validation, bus.ReasonArguments)
	want := []bus.Choice{{Field: "requestIds", Options: []bus.Option{{Value: []string{one}, Title: "Box b1"},
		{Value: []string{other}, Title: "Box b2"}}}}
	if diff := cmp.Diff(want, r.Err.Choices); diff != "" {
		t.Error(diff)
	}
	_, r = d.same([]string{one}, "b1 b2 b4")
	wantError(t, r, bus.PreconditionFailed, bus.ReasonState)
	if len(d.asked) != 0 {
		t.Error("a person was asked about nothing")
	}
	for _, subjects := range []string{`{"type":"crate","id":"c1"}`, `{"type":"box","id":"b3"},{"type":"pen","id":"p1"}`} {
		wantError(t, d.do("plan.repeat", `{"subjects":[`+subjects+`]}`), bus.Validation, bus.ReasonArguments)
	}
	pinned := d.do("plan.propose", `{"steps":[{"capability":"slip.write","arguments":{"boxId":"b1"}},
		{"capability":"slip.pin","arguments":{"slipId":{"$from":"/0/slipId"}}}]}`)
	wantOK(t, pinned)
	d.who.Scopes = []string{"plan:write"}
	if _, r = d.same([]string{pinned.RequestID}, "b3"); r.Err == nil ||
		!strings.Contains(r.Err.Message, "Box b3: slip.pin needs the permission slip:write.") {
		t.Errorf("%s", wire(t, r))
	}
	d.who.ID = "another"
	_, r = d.same([]string{one}, "b3")
	wantError(t, r, bus.NotFound, bus.ReasonRecord)
}

// holds: A21 B8
func TestA21WhatChangesMeanwhileIsShownAgain(t *testing.T) {
	d := newDepot(t)
	first := d.must("box.pack", `{"boxId":"b1"}`)
	d.say = func(n int, p *bus.Preview) bus.Decision {
		if n == 1 { // another window packs one of them while the card is open
			d.must("box.pack", `{"boxId":"b3"}`)
		}
		return yes(n, p)
	}
	left, r := d.same([]string{first}, "b2 b3")
	wantOK(t, r)
	if len(d.asked) != 2 || d.saw[1] == nil || !slices.Equal(left, []string{"Box b3: It is packed already."}) ||
		!slices.Equal(d.rows("packed"), []string{"b1", "b3", "b2"}) {
		t.Errorf("%d cards, %v %v", len(d.asked), left, d.rows("packed"))
	}
}
