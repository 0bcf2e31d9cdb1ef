package bus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

func TestAPinnedInvocationHasTheClockAndIDsOfTheFirst(t *testing.T) {
	b, j, clock := bustest.New(t, bus.Define(bus.Capability{Name: "id.make", Title: "Make", Description: "Makes an id.",
		SideEffect: bus.UIOnly},
		func(_ context.Context, call *bus.Call, _ struct{}) (map[string]any, error) {
			return map[string]any{"id": call.NewID("x"), "now": call.Now.UnixMilli()}, nil
		}))
	run := func(at time.Time, seed string) string {
		r := b.Invoke(context.Background(), bus.Invocation{Capability: "id.make", Caller: bus.Caller{Type: bus.CallerTest},
			PinnedClock: at, PinnedSeed: []byte(seed)})
		clock.Advance(time.Hour)
		return string(r.Data)
	}
	then := time.UnixMilli(1_000)
	first, other, again := run(then, "seed"), run(time.Time{}, ""), run(then, "seed")
	if first != again || first == other {
		t.Errorf("%s, then %s; not pinned %s", first, again, other)
	}
	entries := j.Entries()
	if e := entries[len(entries)-1]; e.Started.UnixMilli() != 1_000 || e.Seed != "73656564" {
		t.Errorf("recorded: %v %s", e.Started, e.Seed)
	}
}

func TestARecordKnowsTheIDsOfItsCall(t *testing.T) {
	b, j := planBus(t, &approver{rule: bus.RuleConfirm, say: yes}, bus.Define(bus.Capability{Name: "id.make", Title: "Make", Description: "Makes ids.",
		SideEffect: bus.UIOnly, Resources: []string{"database:write"}, Permissions: []string{}},
		func(_ context.Context, call *bus.Call, _ struct{}) (map[string]any, error) {
			return map[string]any{"ids": []string{call.NewID("x"), fmt.Sprintf("#W%07d", call.Number(10_000_000)),
				call.NewID("y")}}, nil
		}))
	for _, name := range []string{"id.make", "plan.propose"} {
		for range 50 { // some numbers begin with zeros
			r := b.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: json.RawMessage(map[string]string{
				"id.make": `{}`, "plan.propose": `{"steps":[{"capability":"id.make"},{"capability":"id.make"}]}`}[name]),
				Principal: bus.Principal{ID: "p", Scopes: []string{"*"}}, Caller: bus.Caller{Type: bus.CallerUI}})
			entries := j.Entries()
			record := bus.RecordOf(&entries[len(entries)-1])
			ids := regexp.MustCompile(`[xy]_[0-9a-z]{16}|#W\d{7}`).FindAllString(string(r.Data), -1)
			if len(ids) < 3 || !record.Made(ids[0]) || !record.Made(ids[1]) || !record.Made(ids[len(ids)-1]) {
				t.Fatalf("%s made %s %v, and of that is known %v", name, r.Data, r.Err, ids)
			}
			for _, other := range []string{"", "x", "x_0123456789abcdef", "1234", "#W12345678901234567890123456789",
				"000000000000000000000000000000"} {
				if record.Made(other) {
					t.Errorf("%q", other)
				}
			}
			record.Seed = "none"
			if record.Made(ids[0]) {
				t.Error("without a seed")
			}
		}
	}
}

func TestNobodyPinsFromOutside(t *testing.T) {
	for _, name := range []string{"PinnedClock", "pinned_clock", "PinnedSeed"} {
		data, _ := json.Marshal(map[string]any{"capability": "id.make", "caller": map[string]any{"type": "ui"},
			name: "2026-03-02T09:00:00Z"})
		if inv, err := bus.DecodeInvocation(data); err == nil {
			t.Errorf("%s: %+v", data, inv)
		}
	}
}
