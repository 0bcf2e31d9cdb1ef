package bus_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// holds: B1
func TestB1UnknownNameIsNotFoundWithNearest(t *testing.T) {
	b, j, _ := bustest.New(t, add(), read())
	r := b.Invoke(t.Context(), call("till.ad", `{}`))
	wantError(t, r, bus.NotFound, bus.ReasonCapability)
	if !strings.Contains(r.Err.Hint, "till.add") {
		t.Errorf("hint %q does not name till.add", r.Err.Hint)
	}
	records(t, j, 1)
}

// holds: B1 C11
func TestB1HiddenFromAgentIsNotFoundForAgentOnly(t *testing.T) {
	c := read()
	c.Assistant.Hidden = true
	b, _, _ := bustest.New(t, c)
	wantError(t, b.Invoke(t.Context(), byAgent(call("till.read", `{}`))), bus.NotFound, bus.ReasonCapability)
	wantOK(t, b.Invoke(t.Context(), call("till.read", `{}`)))
}

// holds: B2
func TestB2EveryViolationIsListedAndTheHandlerNotCalled(t *testing.T) {
	b, j, _ := bustest.New(t, add())
	r := b.Invoke(t.Context(), call("till.add", `{"coins":0,"note":"`+strings.Repeat("x", 30)+`","extra":1}`))
	wantError(t, r, bus.Validation, bus.ReasonArguments)
	var paths []string
	for _, v := range r.Err.Violations {
		paths = append(paths, v.Path)
	}
	if d := cmp.Diff([]string{"", "/coins", "/note"}, paths); d != "" {
		t.Errorf("paths (-want +got):\n%s", d)
	}
	e := records(t, j, 1)
	if e.Kind != bus.KindSchemaViolation || r.Err.SchemaSide != "request" || j.Row("till", "main") != nil {
		t.Errorf("kind %q, side %q, row %v", e.Kind, r.Err.SchemaSide, j.Row("till", "main"))
	}
}

// holds: B2
func TestB2BrokenJSONIsValidationAndRecorded(t *testing.T) {
	b, j, _ := bustest.New(t, add())
	for _, args := range []string{`{`, `[]`, `"x"`, `null`, `{} {}`} {
		wantError(t, b.Invoke(t.Context(), call("till.add", args)), bus.Validation, bus.ReasonArguments)
	}
	records(t, j, 5)
}

// holds: B2
func TestB2DefaultsAreFilledIn(t *testing.T) {
	b, j, _ := bustest.New(t, add())
	wantOK(t, b.Invoke(t.Context(), call("till.add", `{"coins":3}`)))
	if got := string(records(t, j, 1).Invocation.Arguments); got != `{"coins":3,"times":1}` {
		t.Errorf("recorded arguments %s", got)
	}
}

// holds: C1
func TestC1OlderThanMinVersionIsRefused(t *testing.T) {
	b, _, _ := bustest.New(t, read())
	inv := call("till.read", `{}`)
	inv.MinVersion = "1.1"
	wantError(t, b.Invoke(t.Context(), inv), bus.Validation, bus.ReasonVersion)
	inv.MinVersion = "1.0"
	wantOK(t, b.Invoke(t.Context(), inv))
}

// holds: C1 B2
func TestC1ARaisedMajorVersionRefusesOlderCallersBeforeAnythingElse(t *testing.T) {
	c := add()
	c.Version = "2.1.0"
	b, j, _ := bustest.New(t, c)
	inv := call("till.add", `{"coins":"of another schema"}`)
	inv.MinVersion, inv.IdempotencyKey = "1.4", "k"
	inv.Principal.Scopes = nil
	r := b.Invoke(t.Context(), inv)
	wantError(t, r, bus.Validation, bus.ReasonVersion)
	if !strings.Contains(r.Err.Message, "2.1.0") || !strings.Contains(r.Err.Hint, "manifest") || r.Err.Violations != nil {
		t.Error(r.Err.Message, r.Err.Hint, r.Err.Violations)
	}
	if e := records(t, j, 1); e.Effects != nil || e.Attempts != 0 {
		t.Errorf("something ran: %+v", e)
	}
}

// holds: B3
func TestB3MissingScopeIsForbidden(t *testing.T) {
	b, j, _ := bustest.New(t, add())
	inv := call("till.add", `{"coins":1}`)
	inv.Principal.Scopes = []string{"till:read"}
	wantError(t, b.Invoke(t.Context(), inv), bus.Forbidden, bus.ReasonPermission)
	if records(t, j, 1).Effects != nil {
		t.Error("a refused call has effects")
	}
}

// holds: B3 C11
func TestB3AccessRulesPerCallerKind(t *testing.T) {
	no := doing("a.no", bus.UIOnly, ok)
	no.Checks.Access.Agent = bus.RuleDeny
	only := doing("a.only", bus.UIOnly, ok)
	only.Assistant.Only = true
	b, _, _ := bustest.New(t, no, only)
	wantError(t, b.Invoke(t.Context(), byAgent(call("a.no", `{}`))), bus.Forbidden, bus.ReasonAgentForbidden)
	wantOK(t, b.Invoke(t.Context(), call("a.no", `{}`)))
	wantError(t, b.Invoke(t.Context(), call("a.only", `{}`)), bus.Forbidden, bus.ReasonPermission)
	wantOK(t, b.Invoke(t.Context(), byAgent(call("a.only", `{}`))))
}

// TestB3AnAgentIsToldFirstWhatIsForbidden: wrong arguments of a forbidden call are not corrected, and those of a call that
// another person or a yes allows are.
// holds: B2 B3
func TestB3AnAgentIsToldFirstWhatIsForbidden(t *testing.T) {
	limited := add()
	limited.Checks.Limit = func(context.Context, *bus.Call) error {
		return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "It needs a manager.")
	}
	no := add()
	no.Checks.Access.Agent = bus.RuleDeny
	secret := add()
	secret.Assistant.Hidden = true
	for name, tt := range map[string]struct {
		c      bus.Capability
		scopes []string
		rule   bus.Rule // of policy; "": a person calls
		code   bus.Code
		reason bus.Reason
	}{
		"denied by the access, without the scope": {no, nil, bus.RuleAllow, bus.Forbidden, bus.ReasonPermission},
		"without the scope":                       {add(), []string{"till:read"}, bus.RuleAllow, bus.Validation, bus.ReasonArguments},
		"a person without it":                     {add(), []string{"till:read"}, "", bus.Validation, bus.ReasonArguments},
		"denied by the access":                    {no, []string{"*"}, bus.RuleAllow, bus.Forbidden, bus.ReasonAgentForbidden},
		"denied by policy":                        {add(), []string{"*"}, bus.RuleDeny, bus.Forbidden, bus.ReasonCapabilityNotGranted},
		"hidden":                                  {secret, []string{"*"}, bus.RuleAllow, bus.NotFound, bus.ReasonCapability},
		"limited by what is said":                 {limited, []string{"*"}, bus.RuleAllow, bus.Validation, bus.ReasonArguments},
		"asked for":                               {add(), []string{"*"}, bus.RuleConfirm, bus.Validation, bus.ReasonArguments},
		"allowed":                                 {add(), []string{"*"}, bus.RuleAllow, bus.Validation, bus.ReasonArguments},
	} {
		for _, args := range []string{`{"coins":"many"}`, `{}`, `{"coins":1,"coin":2}`, `{"coins"`, `[1]`} {
			b, j := withApprover(t, &approver{rule: tt.rule}, tt.c)
			inv := call("till.add", args)
			if inv.Principal.Scopes = tt.scopes; tt.rule != "" {
				inv = byAgent(inv)
			}
			r := b.Invoke(t.Context(), inv)
			if r.Err == nil || r.Err.Code != tt.code || r.Err.Reason != tt.reason {
				t.Errorf("%s, %s: %s", name, args, wire(t, r))
			}
			e := records(t, j, 1)
			if wrong := e.Kind == bus.KindSchemaViolation; wrong != (tt.code == bus.Validation) ||
				wrong && e.Decision != nil || len(e.Invocation.Arguments) == 0 {
				t.Errorf("%s, %s: recorded as %+v", name, args, e)
			}
		}
	}
}

// holds: B3
func TestB3LimitDependsOnArguments(t *testing.T) {
	c := add()
	c.Checks.Limit = func(_ context.Context, call *bus.Call) error {
		var in addIn
		if err := call.Decode(&in); err != nil {
			return err
		}
		if in.Coins > 10 {
			return bus.Errorf(bus.Forbidden, bus.ReasonLimit, "More than 10 coins need a manager.")
		}
		return nil
	}
	b, _, _ := bustest.New(t, c)
	wantError(t, b.Invoke(t.Context(), call("till.add", `{"coins":11}`)), bus.Forbidden, bus.ReasonLimit)
	wantOK(t, b.Invoke(t.Context(), call("till.add", `{"coins":10}`)))
}

func keyed(args, key string) bus.Invocation {
	inv := call("till.add", args)
	inv.IdempotencyKey = key
	return inv
}

// holds: B4
func TestB4SameKeyRunsOnce(t *testing.T) {
	b, j, _ := bustest.New(t, add())
	first := b.Invoke(t.Context(), keyed(`{"coins":5}`, "k"))
	again := b.Invoke(t.Context(), keyed(`{"times":1.0,"coins":5e0}`, "k"))
	wantOK(t, first)
	wantOK(t, again)
	if !again.Replayed || string(again.Data) != string(first.Data) || j.Row("till", "main")["total"] != 5 {
		t.Errorf("replayed %v, data %s, row %v", again.Replayed, again.Data, j.Row("till", "main"))
	}
	wantError(t, b.Invoke(t.Context(), keyed(`{"coins":6}`, "k")), bus.Validation, bus.ReasonIdempotencyMismatch)
	records(t, j, 3)
}

// holds: B4
func TestB4OnlySuccessIsStored(t *testing.T) {
	var fail atomic.Bool
	fail.Store(true)
	c := doing("a.b", bus.UIOnly, func(context.Context, *bus.Call) (json.RawMessage, error) {
		if fail.Load() {
			return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Not yet.")
		}
		return json.RawMessage(`{}`), nil
	})
	b, _, _ := bustest.New(t, c)
	inv := call("a.b", `{}`)
	inv.IdempotencyKey = "k"
	wantError(t, b.Invoke(t.Context(), inv), bus.PreconditionFailed, bus.ReasonState)
	fail.Store(false)
	if r := b.Invoke(t.Context(), inv); !r.OK() || r.Replayed {
		t.Errorf("a mended refusal did not run: %s", wire(t, r))
	}
}

// holds: B4
func TestB4DuplicatesOfARunningKeyShareItsOutcome(t *testing.T) {
	var ran atomic.Int32
	gate := make(chan struct{})
	c := doing("a.slow", bus.UIOnly, func(context.Context, *bus.Call) (json.RawMessage, error) {
		ran.Add(1)
		<-gate
		return json.RawMessage(`{"n":1}`), nil
	})
	b, j, _ := bustest.New(t, c)
	inv := call("a.slow", `{}`)
	inv.IdempotencyKey = "k"
	var wg sync.WaitGroup
	var replayed atomic.Int32
	for range 50 {
		wg.Go(func() {
			if r := b.Invoke(context.Background(), inv); r.OK() && r.Replayed {
				replayed.Add(1)
			}
		})
	}
	close(gate)
	wg.Wait()
	if ran.Load() != 1 || replayed.Load() != 49 {
		t.Errorf("ran %d times, %d replayed", ran.Load(), replayed.Load())
	}
	records(t, j, 50)
}

// holds: B5
func TestB5ConditionsAndPreconditionsCarryTheirHint(t *testing.T) {
	o, j, _ := bustest.Options()
	var open atomic.Bool
	o.Conditions = map[string]func(context.Context, *bus.Call) error{"till.open": func(context.Context, *bus.Call) error {
		if open.Load() {
			return nil
		}
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonCondition, "The till is closed.").WithHint("Invoke till.open.")
	}}
	c := add()
	c.Permissions = append(c.Permissions, "till.open")
	c.Checks.Preconditions = []bus.Precondition{{Name: "odd", Message: "Only odd amounts.", Hint: "Add one.",
		Check: func(_ context.Context, call *bus.Call) error {
			var in addIn
			if err := call.Decode(&in); err != nil {
				return err
			}
			if in.Coins%2 == 0 {
				return bus.ErrUnmet
			}
			return nil
		}}}
	b := bus.New(o)
	b.MustRegister(c)
	r := b.Invoke(t.Context(), call("till.add", `{"coins":1}`))
	wantError(t, r, bus.PreconditionFailed, bus.ReasonCondition)
	open.Store(true)
	r = b.Invoke(t.Context(), call("till.add", `{"coins":2}`))
	wantError(t, r, bus.PreconditionFailed, bus.ReasonPrecondition)
	if r.Err.Message != "Only odd amounts." || r.Err.Hint != "Add one." {
		t.Errorf("message %q hint %q", r.Err.Message, r.Err.Hint)
	}
	wantOK(t, b.Invoke(t.Context(), call("till.add", `{"coins":3}`)))
	records(t, j, 3)
}

// holds: C8
func TestC8RequiresARefusedPureCapability(t *testing.T) {
	check := doing("till.check", bus.Pure, func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
		if total(ctx) > 0 {
			return json.RawMessage(`{"ok":true}`), nil
		}
		return json.RawMessage(`{"ok":false,"problems":[{"message":"The till is empty."}]}`), nil
	})
	c := doing("till.count", bus.UIOnly, ok)
	c.Checks.Requires = []string{"till.check"}
	b, _, _ := bustest.New(t, check, c, add())
	r := b.Invoke(t.Context(), call("till.count", `{}`))
	wantError(t, r, bus.PreconditionFailed, bus.ReasonUnavailable)
	if r.Err.Message != "The till is empty." {
		t.Errorf("message %q", r.Err.Message)
	}
	wantOK(t, b.Invoke(t.Context(), call("till.add", `{"coins":1}`)))
	wantOK(t, b.Invoke(t.Context(), call("till.count", `{}`)))
}

// holds: B6 C10
func TestB6RateLimitAnswersWhenToComeBack(t *testing.T) {
	c := doing("a.b", bus.Pure, ok)
	c.Run.RateLimit = &bus.RateLimit{Requests: 2, Period: time.Minute}
	b, _, clock := bustest.New(t, c)
	wantOK(t, b.Invoke(t.Context(), call("a.b", `{}`)))
	wantOK(t, b.Invoke(t.Context(), call("a.b", `{}`)))
	r := b.Invoke(t.Context(), call("a.b", `{}`))
	wantError(t, r, bus.Transient, bus.ReasonRateLimit)
	if r.Err.RetryAfter != 30*time.Second || r.Err.Limit != 2 || !r.Err.ResetAt.Equal(clock.Now().Add(30*time.Second)) {
		t.Errorf("%s", wire(t, r))
	}
	clock.Advance(30 * time.Second)
	wantOK(t, b.Invoke(t.Context(), call("a.b", `{}`)))
	clock.Advance(-time.Hour)
	wantError(t, b.Invoke(t.Context(), call("a.b", `{}`)), bus.Transient, bus.ReasonRateLimit)
}

// sharedBuckets is a journal whose buckets other programs empty, after the call looked and before its transaction.
type sharedBuckets struct {
	*bustest.Journal
	later bus.Bucket
	takes int
}

type sharedExec struct {
	bus.Exec
	j *sharedBuckets
}

func (*sharedBuckets) Bucket(context.Context, string) (bus.Bucket, error) { return bus.Bucket{}, nil }

func (*sharedBuckets) Slot(context.Context, string, int) (func(), error) { return func() {}, nil }

func (*sharedBuckets) SlotFull(string, int) (bool, error) { return false, nil }

func (*sharedBuckets) Elsewhere(context.Context, func(*bus.Entry)) error { return nil }

func (x sharedExec) Bucket(context.Context, string) (bus.Bucket, error) { return x.j.later, nil }

func (j *sharedBuckets) Do(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	if e.Token != nil {
		j.takes++
	}
	return j.Journal.Do(ctx, e, func(ctx context.Context, x bus.Exec) error { return run(ctx, sharedExec{x, j}) })
}

// TestB6TheSharedBucketIsLookedAtAgain: another program may take the last token in between.
//
// holds: B6 C10
func TestB6TheSharedBucketIsLookedAtAgain(t *testing.T) {
	limited, free := doing("a.b", bus.UIOnly, ok), doing("a.free", bus.UIOnly, ok)
	limited.Run.RateLimit = &bus.RateLimit{Requests: 1, Period: time.Minute}
	o, journal, clock := bustest.Options()
	j := &sharedBuckets{Journal: journal, later: bus.Bucket{FullAt: clock.Now().Add(time.Minute).UnixNano()}}
	o.Journal = j
	b := bus.New(o)
	b.MustRegister(limited, free)
	wantOK(t, b.Invoke(t.Context(), call("a.free", `{}`)))
	wantError(t, b.Invoke(t.Context(), call("a.b", `{}`)), bus.Transient, bus.ReasonRateLimit)
	if clock.Advance(time.Minute); j.takes != 1 {
		t.Errorf("%d calls take a token", j.takes)
	}
	wantOK(t, b.Invoke(t.Context(), call("a.b", `{}`)))
}

// holds: B6 C9
func TestB6ExclusiveOverlapIsConflictAndAQueueWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := doing("a.slow", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
			time.Sleep(time.Second)
			return json.RawMessage(`{}`), nil
		})
		slow.Run.Concurrency, slow.Run.QueueDepth = bus.Exclusive, 1
		b, j, _ := bustest.New(t, slow)
		results := make(chan bus.Result, 3)
		for range 3 {
			go func() { results <- b.Invoke(context.Background(), call("a.slow", `{}`)) }()
			synctest.Wait()
		}
		codes := map[bus.Code]int{}
		for range 3 {
			r := <-results
			if r.OK() {
				codes["ok"]++
			} else {
				codes[r.Err.Code]++
			}
		}
		if d := cmp.Diff(map[bus.Code]int{"ok": 2, bus.Conflict: 1}, codes); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
		records(t, j, 3)
	})
}

// holds: B8
func TestB8EveryEndHasOneResultAndOneRecord(t *testing.T) {
	cases := map[string]struct {
		h      handler
		code   bus.Code
		reason bus.Reason
	}{
		"panic": {func(context.Context, *bus.Call) (json.RawMessage, error) { panic("no") }, bus.Internal, bus.ReasonPanic},
		"uncoded": {func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, errPlain }, bus.Internal,
			bus.ReasonUncoded},
		"coded": {func(context.Context, *bus.Call) (json.RawMessage, error) {
			return nil, bus.Errorf(bus.NotFound, bus.ReasonRecord, "No such coin.")
		}, bus.NotFound, bus.ReasonRecord},
		"timeout": {func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, bus.Transient, bus.ReasonTimeout},
		"deaf": {func(context.Context, *bus.Call) (json.RawMessage, error) {
			time.Sleep(20 * soon)
			return nil, nil
		}, bus.Transient, bus.ReasonTimeout},
		"not JSON": {func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{`), nil },
			bus.Internal, bus.ReasonResponse},
		"undeclared fact": {func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
			c.Fact("x", 1)
			return nil, nil
		}, bus.Internal, bus.ReasonUncoded},
	}
	for name, tc := range cases {
		for _, effect := range []bus.SideEffect{bus.Pure, bus.UIOnly, bus.Network} {
			t.Run(name+"/"+string(effect), func(t *testing.T) {
				c := doing("a.b", effect, func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
					_ = bustest.Tables(ctx).Set("t", "1", map[string]any{"x": 1}) // refused where it may not
					return tc.h(ctx, call)
				})
				if tc.reason == bus.ReasonTimeout {
					c.Run.Timeout = soon
				}
				b, j, _ := bustest.New(t, c)
				reason := tc.reason
				if effect == bus.Network && reason == bus.ReasonTimeout {
					reason = bus.ReasonInterrupted // nobody knows whether it reached its goal
				}
				wantError(t, b.Invoke(t.Context(), call("a.b", `{}`)), tc.code, reason)
				records(t, j, 1)
				if j.Row("t", "1") != nil || len(j.Inflight()) > 0 {
					t.Error("an effect or a note stayed")
				}
			})
		}
	}
}

// holds: B8
func TestB8InternalMessageHidesTheCause(t *testing.T) {
	b, _, _ := bustest.New(t, doing("a.b", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
		return nil, errPlain
	}))
	if r := b.Invoke(t.Context(), call("a.b", `{}`)); strings.Contains(wire(t, r), "disk ate") {
		t.Errorf("the cause is on the wire: %s", wire(t, r))
	}
}

// holds: B8
func TestB8CancelByRequestID(t *testing.T) {
	started := make(chan struct{})
	c := doing("a.b", bus.UIOnly, func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
		close(started)
		<-ctx.Done()
		return nil, ctx.Err()
	})
	b, j, _ := bustest.New(t, c)
	inv := call("a.b", `{}`)
	inv.RequestID = "r1"
	done := make(chan bus.Result)
	go func() { done <- b.Invoke(context.Background(), inv) }()
	<-started
	if b.Cancel("r1", "another") {
		t.Error("cancelled by another person")
	}
	if !b.Cancel("r1", clerk.ID) {
		t.Fatal("the running request was not found")
	}
	wantError(t, <-done, bus.Transient, bus.ReasonCancelled)
	records(t, j, 1)
	if b.Cancel("r1", clerk.ID) {
		t.Error("a finished request was cancelled")
	}
}

// holds: B9
func TestB9BadOutputIsInternalAndRolledBack(t *testing.T) {
	c := add()
	h := c.Handler
	c.Handler = func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
		_, err := h(ctx, call)
		return json.RawMessage(`{"total":"many"}`), err
	}
	b, j, _ := bustest.New(t, c)
	r := b.Invoke(t.Context(), call("till.add", `{"coins":1}`))
	wantError(t, r, bus.Internal, bus.ReasonResponse)
	e := records(t, j, 1)
	if e.Kind != bus.KindSchemaViolation || string(e.Response) != `{"total":"many"}` || j.Row("till", "main") != nil ||
		r.Data != nil {
		t.Errorf("kind %s, response %s, row %v, data %s", e.Kind, e.Response, j.Row("till", "main"), r.Data)
	}
	if r.Err.SchemaSide != "response" {
		t.Errorf("side %q", r.Err.SchemaSide)
	}
}

// holds: B10
func TestB10JournalFailureMeansNothingHappened(t *testing.T) {
	b, j, _ := bustest.New(t, add(), read())
	j.Fail(errPlain)
	wantError(t, b.Invoke(t.Context(), call("till.add", `{"coins":1}`)), bus.Transient, bus.ReasonJournal)
	wantError(t, b.Invoke(t.Context(), call("till.read", `{}`)), bus.Transient, bus.ReasonJournal)
	j.Fail(nil)
	if j.Row("till", "main") != nil {
		t.Error("an unrecorded effect stayed")
	}
}

// holds: B11
func TestB11EventsFollowTheCommitInOrder(t *testing.T) {
	b, j, _ := bustest.New(t, add())
	sub := b.Subscribe()
	defer sub.Close()
	wantOK(t, b.Invoke(t.Context(), call("till.add", `{"coins":1}`)))
	first, _ := sub.Next(t.Context())
	second, _ := sub.Next(t.Context())
	if first.Type != bus.EventInvocation || second.Type != bus.EventStateChange || second.Domain != "till" ||
		second.RequestID != first.RequestID {
		t.Errorf("%+v\n%+v", first, second)
	}
	records(t, j, 1)
}

// holds: B12
func TestB12DryRunLeavesNoEffectAndNoKey(t *testing.T) {
	b, j, _ := bustest.New(t, add())
	inv := keyed(`{"coins":5}`, "k")
	inv.DryRun = true
	r := b.Invoke(t.Context(), inv)
	wantOK(t, r)
	if !r.DryRun || r.Facts["amount"] != 5.0 || j.Row("till", "main") != nil {
		t.Errorf("%s, row %v", wire(t, r), j.Row("till", "main"))
	}
	if e := records(t, j, 1); len(e.Effects) != 1 || !e.Result.DryRun {
		t.Errorf("record %+v", e)
	}
	if r := b.Invoke(t.Context(), keyed(`{"coins":5}`, "k")); !r.OK() || r.Replayed {
		t.Errorf("the dry run used up the key: %s", wire(t, r))
	}
}

func TestRunningRequestIDIsRefusedTwice(t *testing.T) {
	started, gate := make(chan struct{}), make(chan struct{})
	c := doing("a.b", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
		close(started)
		<-gate
		return nil, nil
	})
	b, j, _ := bustest.New(t, c)
	inv := call("a.b", `{}`)
	inv.RequestID = "same"
	done := make(chan bus.Result)
	go func() { done <- b.Invoke(context.Background(), inv) }()
	<-started
	r := b.Invoke(t.Context(), inv)
	wantError(t, r, bus.Validation, bus.ReasonEnvelope)
	if r.RequestID == "same" {
		t.Error("two results with one request id")
	}
	close(gate)
	wantOK(t, <-done)
	records(t, j, 2)
}

// holds: C13
func TestC13SecretsAreRedactedInTheRecordOnly(t *testing.T) {
	c := doing("a.key", bus.UIOnly, func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
		return call.Arguments, nil
	})
	c.InputSchema = json.RawMessage(
		`{"type":"object","properties":{"user":{"type":"string"},"pins":{"type":"array","items":{"type":"string","writeOnly":true}}}}`)
	c.OutputSchema = c.InputSchema
	b, j, _ := bustest.New(t, c)
	inv := call("a.key", `{"pins":["1234","99"],"user":"kim"}`)
	inv.IdempotencyKey = "k"
	for range 2 {
		r := b.Invoke(t.Context(), inv)
		if string(r.Data) != `{"pins":["1234","99"],"user":"kim"}` {
			t.Errorf("the caller got %s", r.Data)
		}
	}
	for _, e := range j.Entries() {
		if got := string(e.Invocation.Arguments) + string(e.Result.Data); strings.Contains(got, "1234") ||
			strings.Contains(got, "99") {
			t.Errorf("a secret is in the record: %s", got)
		}
	}
}

// holds: A8
func TestPreviewAndExecutionAgreeOnIDs(t *testing.T) {
	a := &approver{say: yes}
	b, _ := withApprover(t, a, add())
	r := b.Invoke(t.Context(), byAgent(call("till.add", `{"coins":1}`)))
	wantOK(t, r)
	if string(a.asked[0].Data) != string(r.Data) {
		t.Errorf("previewed %s, executed %s", a.asked[0].Data, r.Data)
	}
}

// holds: C8
func TestC8ARequirementSeesTheArgumentsThatItShares(t *testing.T) {
	type in struct {
		Way string `json:"way,omitempty" jsonschema:"enum=sent,enum=taken"`
	}
	type out struct {
		OK       bool     `json:"ok"`
		Problems []string `json:"problems"`
	}
	check := bus.Define(bus.Capability{Name: "till.check", Title: "Check", Description: "Checks.", SideEffect: bus.Pure},
		func(_ context.Context, _ *bus.Call, in in) (out, error) {
			return out{in.Way == "taken", []string{"It is " + in.Way + "."}}, nil
		})
	type more struct {
		in
		Note string `json:"note,omitempty"`
	}
	c := bus.Define(bus.Capability{Name: "till.count", Title: "Count", Description: "Counts.", SideEffect: bus.UIOnly},
		func(context.Context, *bus.Call, more) (struct{}, error) { return struct{}{}, nil })
	c.Checks.Requires = []string{"till.check"}
	b, _, _ := bustest.New(t, check, c)
	wantOK(t, b.Invoke(t.Context(), call("till.count", `{"way":"taken","note":"a note"}`)))
	for args, says := range map[string]string{`{"way":"sent"}`: "It is sent.", `{"note":"taken"}`: "It is ."} {
		r := b.Invoke(t.Context(), call("till.count", args))
		wantError(t, r, bus.PreconditionFailed, bus.ReasonUnavailable)
		if r.Err.Message != says {
			t.Errorf("%s: %q", args, r.Err.Message)
		}
	}
}
