package bus_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// holds: A8
func TestPreviewAndExecutionDrawTheSameNumbers(t *testing.T) {
	a := &approver{say: yes}
	b, _ := withApprover(t, a, doing("a.draw", bus.Destructive,
		func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
			return json.Marshal(map[string]uint64{"n": c.Number(1_000_000), "m": c.Number(1_000_000)})
		}))
	r := b.Invoke(t.Context(), byAgent(call("a.draw", `{}`)))
	wantOK(t, r)
	if string(a.asked[0].Data) != string(r.Data) {
		t.Errorf("previewed %s, executed %s", a.asked[0].Data, r.Data)
	}
	var drawn struct{ N, M uint64 }
	if err := json.Unmarshal(r.Data, &drawn); err != nil || drawn.N == drawn.M {
		t.Errorf("drew %s", r.Data)
	}
}

// policy is an approver whose Authorize is the test's.
type policy func() (bus.Decision, error)

func (p policy) Authorize(context.Context, *bus.ApprovalRequest) (bus.Decision, error) { return p() }

func (p policy) Approve(context.Context, *bus.ApprovalRequest, *bus.Preview) (bus.Decision, error) {
	return bus.Decision{}, errPlain
}

// holds: B12
func TestB12APolicyThatBreaksLeavesOneRecord(t *testing.T) {
	for name, tc := range map[string]struct {
		say    policy
		code   bus.Code
		reason bus.Reason
	}{
		"panics": {func() (bus.Decision, error) { panic("no") }, bus.Internal, bus.ReasonPanic},
		"fails":  {func() (bus.Decision, error) { return bus.Decision{}, errPlain }, bus.Internal, bus.ReasonUncoded},
		"refuses in words": {func() (bus.Decision, error) {
			return bus.Decision{}, bus.Errorf(bus.Transient, bus.ReasonJournal, "Later.")
		}, bus.Transient, bus.ReasonJournal},
		"gives a reason": {func() (bus.Decision, error) {
			return bus.Decision{Rule: bus.RuleDeny, Code: bus.ReasonConstraint},
				nil
		}, bus.Forbidden, bus.ReasonConstraint},
		"cannot ask": {func() (bus.Decision, error) { return bus.Decision{Rule: bus.RuleConfirm}, nil }, bus.Internal,
			bus.ReasonUncoded},
	} {
		b, j := withApprover(t, tc.say, add())
		r := b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":1}`)))
		if r.Err == nil || r.Err.Code != tc.code || r.Err.Reason != tc.reason {
			t.Errorf("a policy that %s: %s", name, wire(t, r))
		}
		if records(t, j, 1); j.Row("till", "main") != nil {
			t.Errorf("a policy that %s: it was done", name)
		}
	}
}

// holds: C4
func TestC4ADialectFromElsewhereIsRefused(t *testing.T) {
	c := doing("a.b", bus.Pure, ok)
	c.InputSchema = json.RawMessage(`{"$schema":"https://example.com/dialect","type":"object"}`)
	o, _, _ := bustest.Options()
	if err := bus.New(o).Register(c); err == nil || !strings.Contains(err.Error(), "only local references") {
		t.Errorf("%v", err)
	}
}

// holds: C8
func TestC8AWordOrNoneSaysWhyARequirementRefuses(t *testing.T) {
	for answer, want := range map[string]string{
		`{"ok":false,"problems":["The till is empty."]}`: "The till is empty.",
		`{"ok":false,"problems":[{"code":7}]}`:           "map[code:7]",
		`{"ok":false}`:                                   "till.check says no.",
		`{"ok":true,"problems":["a warning only"]}`:      "",
		`{"ok":"yes"}`:                                   "",
		`[]`:                                             "",
	} {
		check := doing("till.check", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
			return json.RawMessage(answer), nil
		})
		c := doing("till.count", bus.UIOnly, ok)
		c.Checks.Requires = []string{"till.check"}
		b, _, _ := bustest.New(t, check, c)
		got := ""
		if r := b.Invoke(t.Context(), call("till.count", `{}`)); !r.OK() {
			got = r.Err.Message
		}
		if got != want {
			t.Errorf("%s: %q, want %q", answer, got, want)
		}
	}
}

// TestB4AKeyStoredMeanwhileIsFoundInsideTheTransaction: another program on the
// same journal finishes between the first look and the transaction.
// holds: B4
func TestB4AKeyStoredMeanwhileIsFoundInsideTheTransaction(t *testing.T) {
	for name, tc := range map[string]struct {
		theirs string
		code   bus.Code
	}{"the same call": {`{"coins":5}`, ""}, "another one": {`{"coins":6}`, bus.Validation}} {
		other, j, _ := bustest.New(t, add())
		o, _, _ := bustest.Options()
		o.Journal = j
		c := add()
		once := false
		c.Checks.Preconditions = []bus.Precondition{{Name: "meanwhile", Check: func(context.Context, *bus.Call) error {
			if !once {
				once = true
				wantOK(t, other.Invoke(t.Context(), keyed(tc.theirs, "k")))
			}
			return nil
		}}}
		b := bus.New(o)
		b.MustRegister(c)
		r := b.Invoke(t.Context(), keyed(`{"coins":5}`, "k"))
		if tc.code == "" && (!r.OK() || !r.Replayed) || tc.code != "" &&
			(r.Err == nil || r.Err.Reason != bus.ReasonIdempotencyMismatch) {
			t.Errorf("%s: %s", name, wire(t, r))
		}
		records(t, j, 2)
	}
}

// blind is a journal that cannot look keys up.
type blind struct{ *bustest.Journal }

func (blind) Lookup(context.Context, bus.Key) (*bus.Stored, error) { return nil, errPlain }

// holds: B4
func TestB4AKeyThatCannotBeLookedUpDoesNotRun(t *testing.T) {
	o, j, _ := bustest.Options()
	o.Journal = blind{j}
	b := bus.New(o)
	one := add()
	one.Run.Concurrency = bus.Exclusive // it could be refused before its transaction
	b.MustRegister(one)
	wantError(t, b.Invoke(t.Context(), keyed(`{"coins":1}`, "k")), bus.Transient, bus.ReasonJournal)
	if records(t, j, 1); j.Row("till", "main") != nil {
		t.Error("it ran")
	}
}

// holds: B6
func TestB6WhoWaitsInAQueueCanBeCancelled(t *testing.T) {
	open, entered := make(chan struct{}), make(chan struct{}, 2)
	c := doing("a.slow", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
		entered <- struct{}{}
		<-open
		return nil, nil
	})
	c.Run.Concurrency, c.Run.QueueDepth = bus.Exclusive, 2
	b, j, _ := bustest.New(t, c)
	first := make(chan bus.Result, 1)
	go func() { first <- b.Invoke(context.Background(), call("a.slow", `{}`)) }()
	<-entered
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan bus.Result, 2)
	for range 2 {
		go func() { waiting <- b.Invoke(ctx, call("a.slow", `{}`)) }()
	}
	cancel()
	for range 2 {
		wantError(t, <-waiting, bus.Transient, bus.ReasonCancelled)
	}
	close(open)
	wantOK(t, <-first)
	wantOK(t, b.Invoke(t.Context(), call("a.slow", `{}`)))
	records(t, j, 4)
}

// holds: B12
func TestB12AFailedDryRunIsRecordedAsOne(t *testing.T) {
	b, j, _ := bustest.New(t, doing("a.b", bus.UIOnly, func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
		_ = bustest.Tables(ctx).Set("t", "1", map[string]any{"x": 1})
		return nil, bus.Errorf(bus.NotFound, bus.ReasonRecord, "No such thing.")
	}))
	inv := call("a.b", `{}`)
	inv.DryRun = true
	r := b.Invoke(t.Context(), inv)
	wantError(t, r, bus.NotFound, bus.ReasonRecord)
	if e := records(t, j, 1); !r.DryRun || !e.Result.DryRun || j.Row("t", "1") != nil {
		t.Errorf("%s", wire(t, r))
	}
}

func TestRateLimitsSurviveARoundTripAndGarbageDoesNot(t *testing.T) {
	c := doing("a.b", bus.Pure, ok)
	c.Run.RateLimit = &bus.RateLimit{Requests: 1, Period: time.Minute}
	b, _, _ := bustest.New(t, c)
	wantOK(t, b.Invoke(t.Context(), call("a.b", `{}`)))
	first := wire(t, b.Invoke(t.Context(), call("a.b", `{}`)))
	var r bus.Result
	if err := json.Unmarshal([]byte(first), &r); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(first, wire(t, r)); d != "" || r.Err.RetryAfter != time.Minute {
		t.Errorf("(-sent +read again):\n%s", d)
	}
	for _, garbage := range []string{`[]`, `{"status":1}`, `{"status":"success","events":1}`,
		`{"status":"error","violations":1}`} {
		if err := json.Unmarshal([]byte(garbage), &r); err == nil {
			t.Errorf("%s is a result", garbage)
		}
	}
}
