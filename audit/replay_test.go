package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// yes is an approver that allows every call.
type yes struct{}

func (yes) Authorize(context.Context, *bus.ApprovalRequest) (bus.Decision, error) {
	return bus.Decision{Rule: bus.RuleConfirm, By: "policy"}, nil
}

func (yes) Approve(context.Context, *bus.ApprovalRequest, *bus.Preview) (bus.Decision, error) {
	return bus.Decision{Allowed: true, Answer: "allow", By: "u1"}, nil
}

func replay(t testing.TB, l *audit.Log, b *bus.Bus, into *audit.Log, after int64) audit.ReplayReport {
	t.Helper()
	report, err := l.Replay(context.Background(), audit.Replay{After: after, Into: into, Invoke: b.Invoke})
	must(t, err)
	return report
}

// TestU6AReplayReachesTheSameState walks through random requests, failures and
// undoes, and replays them on an empty toy; 10 000 in a soak.
// holds: U6
func TestU6AReplayReachesTheSameState(t *testing.T) {
	at := epoch
	clock := func() time.Time { at = at.Add(1234567 * time.Microsecond); return at }
	b, l := newToy(t, bus.Options{Approver: yes{}, Clock: clock})
	r := rand.New(rand.NewPCG(3, 4))
	for n := range soak(800, 10_000) {
		id := fmt.Sprint("r", n)
		steps, _ := json.Marshal(r.Perm(len(toyActions))[:1+r.IntN(5)])
		inv := bus.Invocation{Capability: "toy.act", Arguments: json.RawMessage(fmt.Sprintf(`{"steps":%s}`, steps)),
			RequestID: id,
			Caller:    bus.Caller{Type: bus.CallerTest}, Principal: bus.Principal{
				ID: "u1", Scopes: []string{"toy:write", "audit:write"}}}
		if r.IntN(5) == 0 {
			inv.Capability, inv.Arguments = "audit.undo",
				json.RawMessage(fmt.Sprintf(`{"requestId":"r%d"}`, max(0, n-1-r.IntN(5))))
		}
		if r.IntN(3) == 0 {
			inv.Caller.Type = bus.CallerAgent
		}
		b.Invoke(context.Background(), inv)
	}
	copied, into := newToy(t, bus.Options{Approver: yes{}})
	report := replay(t, l, copied, into, 0)
	if report.Different > 0 || report.State != report.Reached || report.Same < 300 || len(report.Notable) > 0 {
		t.Errorf("report: %+v", report)
	}
	t.Logf("same %d, skipped %v", report.Same, report.Skipped)
}

// holds: U6
func TestU6AReplayOnACopyGoesOnFromWhereItWasMade(t *testing.T) {
	b, l := newToy(t, bus.Options{})
	ok(t, call(b, "r1", "toy.act", `{"steps":[0,2]}`))
	copied, into := newToy(t, bus.Options{})
	replay(t, l, copied, into, 0)
	ok(t, call(b, "r2", "toy.act", `{"steps":[8,9]}`))
	if report := replay(t, l, copied, into, 1); report.Same != 1 || report.State != report.Reached {
		t.Errorf("report: %+v", report)
	}
}

// holds: U6
func TestU6AReplayNamesWhatDiffersAndWhatItLeavesOut(t *testing.T) {
	b, l := newToy(t, bus.Options{})
	ok(t, call(b, "r1", "toy.act", `{"steps":[0,2]}`))
	ok(t, call(b, "bulk", "toy.load", `{"steps":[0]}`))
	ok(t, call(b, "post", "toy.post", `{"steps":[]}`))
	ok(t, call(b, "secret", "toy.act", `{"steps":[8],"pin":"1234"}`))
	ok(t, call(b, "erased", "toy.act", `{"steps":[8]}`))
	call(b, "wrong", "toy.act", `{"steps":5}`)
	call(b, "none", "toy.none", `{}`)
	b.Invoke(context.Background(), bus.Invocation{Capability: "toy.act", RequestID: "forbidden",
		Arguments: json.RawMessage(`{"steps":[0]}`), Caller: bus.Caller{Type: bus.CallerUI}})
	ok(t, call(b, "last", "toy.act", `{"steps":[8]}`))
	audit.Execute(t, l, `DELETE FROM audit_payloads WHERE seq = 5`)
	copied, into := newToy(t, bus.Options{})
	var outcomes []string
	report, err := l.Replay(context.Background(), audit.Replay{
		Into: into, Invoke: copied.Invoke, Each: func(r audit.Replayed) {
			outcomes = append(outcomes, r.RequestID+": "+r.Outcome+" "+r.Why)
		}})
	must(t, err)
	if diff := cmp.Diff([]string{"r1: same ", "bulk: skipped bulk work", "post: skipped reached outside",
		"secret: skipped redacted",
		"erased: skipped erased", "wrong: same ", "none: same ",
		"forbidden: skipped refused or failed for reasons outside the data",
		"last: different its effects"}, outcomes); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	var notable []string
	for _, n := range report.Notable {
		notable = append(notable, n.RequestID)
	}
	if fmt.Sprint(notable) != "[bulk secret erased last]" || report.State == report.Reached || report.Same != 3 ||
		report.Different != 1 {
		t.Errorf("report: %+v", report)
	}
}
