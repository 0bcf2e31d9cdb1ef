package remote_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
)

// ring is a capability of the bus of this end.
func ring() bus.Capability {
	return bus.Define(bus.Capability{Name: "bell.ring", Title: "Ring", Description: "Ring the bell.",
		SideEffect: bus.UIOnly}, func(context.Context, *bus.Call, struct{}) (struct{}, error) { return struct{}{}, nil })
}

// allowing says yes to every question.
type allowing struct{ asked []string }

func (a *allowing) Authorize(context.Context, *bus.ApprovalRequest) (bus.Decision, error) {
	return bus.Decision{Rule: bus.RuleConfirm}, nil
}

func (a *allowing) Approve(_ context.Context, _ *bus.ApprovalRequest, p *bus.Preview) (bus.Decision, error) {
	a.asked = append(a.asked, p.Summary)
	return bus.Decision{Answer: bus.AnswerAllow, Allowed: true}, nil
}

// both is a bus with a capability of its own and those of another.
func both(t *testing.T, far *bus.Bus) (*bus.Bus, *bustest.Journal, *allowing) {
	t.Helper()
	l := over(t, far, kims, remote.Options{})
	o, j, _ := bustest.Options()
	yes := &allowing{}
	o.Approver = yes
	b := bus.New(o)
	b.MustRegister(ring())
	if err := b.Register(remote.Mount(l.Manifest(), l.Invoke)...); err != nil {
		t.Fatal(err)
	}
	if err := b.Check(); err != nil {
		t.Error(err)
	}
	return b, j, yes
}

// holds: N1
func TestTheCapabilitiesOfTwoBusesAreOneSurface(t *testing.T) {
	far, _ := shelf(t, put(), list())
	b, _, _ := both(t, far)
	m, err := b.Manifest(t.Context(), kims)
	if err != nil {
		t.Fatal(err)
	}
	where := map[string]string{}
	for _, e := range m.Capabilities {
		where[e.Name] = e.ExecutionContext + " " + string(e.SideEffect)
	}
	want := map[string]string{"bell.ring": "local ui-only", "shelf.put": "remote network", "shelf.list": "remote pure"}
	for name, is := range want {
		if where[name] != is {
			t.Errorf("%s is %q, want %q", name, where[name], is)
		}
	}
	far, _ = shelf(t, ring())
	l := over(t, far, kims, remote.Options{})
	if err := b.Register(remote.Mount(l.Manifest(), l.Invoke)...); err == nil ||
		!strings.Contains(err.Error(), "registered twice") {
		t.Errorf("a name that both have was accepted: %v", err)
	}
}

// TestWhatWritesElsewhereIsOfClassNetwork: by its resources too, so that an agent's call is asked for with the other
// end's dry run.
// holds: N1
func TestWhatWritesElsewhereIsOfClassNetwork(t *testing.T) {
	for _, tt := range []struct {
		side      bus.SideEffect
		resources string
		want      bus.SideEffect
	}{
		{bus.UIOnly, "", bus.UIOnly},
		{bus.UIOnly, "database:read", bus.UIOnly},
		{bus.UIOnly, "database:write", bus.Network},
		{bus.UIOnly, "database:read filesystem:write", bus.Network},
		{bus.UIOnly, "compute:execute", bus.Network},
		{bus.UIOnly, "network:write", bus.Network},
		{bus.Pure, "database:read", bus.Pure},
		{bus.Pure, "database:write", bus.Network}, // which no bus of ours says
		{bus.Destructive, "database:write", bus.Network},
	} {
		m := bus.Manifest{Capabilities: []bus.ManifestEntry{{Name: "shelf.note", SideEffect: tt.side,
			Resources: strings.Fields(tt.resources)}}}
		c := remote.Mount(m, nil)[0]
		if c.SideEffect != tt.want || (c.Run.Preview == nil) != (tt.want == bus.Pure) {
			t.Errorf("%s with %q is %s", tt.side, tt.resources, c.SideEffect)
		}
	}
	note := ring()
	note.Name, note.Resources = "shelf.note", []string{"database:write"}
	far, farther := shelf(t, note)
	b, _, yes := both(t, far)
	r := b.Invoke(t.Context(), bus.Invocation{Capability: "shelf.note", Caller: bus.Caller{Type: bus.CallerAgent},
		Principal: kims.Principal, IdempotencyKey: "once"})
	there := farther.Entries()
	if !r.OK() || len(yes.asked) != 1 || len(there) != 3 || !there[0].Invocation.DryRun || there[2].Invocation.DryRun {
		t.Errorf("asked %d times, %d records there: %v", len(yes.asked), len(there), r.Err) // shown, shown again, done
	}
}

// holds: N2
func TestAMountedCallIsOneCallWithARecordOnEachSide(t *testing.T) {
	far, farther := shelf(t, quickPut(), list())
	b, j, yes := both(t, far)
	inv := bus.Invocation{Capability: "shelf.put", Arguments: json.RawMessage(`{"id":"a","count":2}`), RequestID: "req_here",
		TraceID: "trace_here", IdempotencyKey: "once", Caller: bus.Caller{Type: bus.CallerAgent}, Principal: kims.Principal}
	for range 2 {
		if r := b.Invoke(t.Context(), inv); !r.OK() || string(r.Data) != `{"count":2}` || r.Facts["amount"] != 2.0 {
			t.Fatalf("answered with %s %v %v", r.Data, r.Facts, r.Err)
		}
		inv.RequestID = "req_again"
	}
	if n := count(farther, "a"); n != 2 {
		t.Errorf("%d are on the shelf, want 2", n)
	}
	if !slices.Equal(yes.asked, []string{"Put 2 on a"}) {
		t.Errorf("asked with %q", yes.asked)
	}
	here, there := j.Entries(), farther.Entries()
	last := there[len(there)-1].Invocation
	if here[0].Invocation.RequestID != "req_here" || last.RequestID != "req_here" || last.TraceID != "trace_here" ||
		last.IdempotencyKey != "once" || last.Caller.Type != bus.CallerCLI {
		t.Errorf("recorded there as %+v", last)
	}
}

// TestAMountedCallNamesItsCaller: an agent's, a person's and a timer's, so that the other end can record it.
//
// holds: N2
func TestAMountedCallNamesItsCaller(t *testing.T) {
	far, _ := shelf(t, list())
	manifest, err := far.Manifest(t.Context(), kims)
	if err != nil {
		t.Fatal(err)
	}
	var got []bus.CallerType
	o, _, _ := bustest.Options()
	b := bus.New(o)
	b.MustRegister(remote.Mount(manifest, func(_ context.Context, inv bus.Invocation, _ func(bus.Event)) bus.Result {
		got = append(got, inv.Caller.Type)
		return bus.Result{Status: bus.StatusSuccess, Data: json.RawMessage(`{"items":[]}`)}
	})...)
	want := []bus.CallerType{bus.CallerUI, bus.CallerAgent, bus.CallerTest, bus.CallerCLI, bus.CallerSchedule}
	for _, caller := range want {
		b.Invoke(t.Context(), bus.Invocation{Capability: "shelf.list", Caller: bus.Caller{Type: caller},
			Principal: kims.Principal})
	}
	if !slices.Equal(got, want) {
		t.Errorf("the other end got %q", got)
	}
}

// holds: R6
func TestBothEndsValidate(t *testing.T) {
	far, farther := shelf(t, quickPut(), list())
	b, _, _ := both(t, far)
	before := len(farther.Entries())
	r := b.Invoke(t.Context(), bus.Invocation{Capability: "shelf.put", Arguments: json.RawMessage(`{"id":"a","count":0}`),
		Caller: bus.Caller{Type: bus.CallerUI}, Principal: kims.Principal})
	if r.OK() || r.Err.Code != bus.Validation || len(farther.Entries()) != before {
		t.Errorf("answered with %v after %d records there", r.Err, len(farther.Entries())-before)
	}
	o, _, _ := bustest.Options()
	here := bus.New(o)
	manifest, err := far.Manifest(t.Context(), kims)
	if err != nil {
		t.Fatal(err)
	}
	here.MustRegister(remote.Mount(manifest, func(context.Context, bus.Invocation, func(bus.Event)) bus.Result {
		return bus.Result{Status: bus.StatusSuccess, Data: json.RawMessage(`{"items":"many"}`)}
	})...)
	r = here.Invoke(t.Context(), bus.Invocation{Capability: "shelf.list", Caller: bus.Caller{Type: bus.CallerUI},
		Principal: kims.Principal})
	if r.OK() || r.Err.Reason != bus.ReasonResponse {
		t.Errorf("an answer of another shape was answered with %s %v", r.Data, r.Err)
	}
}

// A mounted capability keeps the rules of the kit too.
func TestTheConformanceKitPassesOnAMountedBus(t *testing.T) {
	for _, name := range []string{"shelf.put", "shelf.list"} {
		t.Run(name, func(t *testing.T) {
			far, _ := shelf(t, quickPut(), list())
			b, _, _ := both(t, far)
			for _, f := range bustest.Check(t.Context(), bustest.App{Bus: b, Bodies: 60}, name) {
				t.Errorf("%s: %s", f.Rule, f.Message)
			}
		})
	}
}
