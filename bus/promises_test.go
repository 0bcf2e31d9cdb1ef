package bus_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// logging is a bus whose log the test reads.
func logging(t *testing.T, caps ...bus.Capability) (*bus.Bus, *bytes.Buffer) {
	t.Helper()
	o, _, _ := bustest.Options()
	var log bytes.Buffer
	o.Logger = slog.New(slog.NewTextHandler(&log, nil))
	b := bus.New(o)
	b.MustRegister(caps...)
	return b, &log
}

func failing1(err error) handler {
	return func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, err }
}

// holds: B9
func TestB9TheCauseOfADefectIsForTheProgramOnly(t *testing.T) {
	b, log := logging(t, doing("a.fail", bus.Pure, failing1(errPlain)),
		doing("a.break", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) { panic("kaputt") }))
	r := b.Invoke(t.Context(), call("a.fail", `{}`))
	if wantError(t, r, bus.Internal, bus.ReasonUncoded); !errors.Is(r.Err, errPlain) {
		t.Errorf("the cause is gone: %v", errors.Unwrap(r.Err))
	}
	if !strings.Contains(log.String(), errPlain.Error()) || strings.Contains(wire(t, r), errPlain.Error()) {
		t.Errorf("%s in %s", wire(t, r), log)
	}
	wantError(t, b.Invoke(t.Context(), call("a.break", `{}`)), bus.Internal, bus.ReasonPanic)
	if !strings.Contains(log.String(), "kaputt") {
		t.Error(log)
	}
}

// holds: B9
func TestB9AnApplicationsReasonHasAtMost64Bytes(t *testing.T) {
	for n, want := range map[int]bool{64: true, 65: false} {
		reason := bus.Reason("a." + strings.Repeat("x", n-2))
		b, _ := logging(t, doing("a.fail", bus.Pure, failing1(bus.Errorf(bus.NotFound, reason, "No."))))
		if r := b.Invoke(t.Context(), call("a.fail", `{}`)); (r.Err.Reason == reason) != want {
			t.Errorf("%d bytes: %s", n, wire(t, r))
		}
	}
}

// holds: B5
func TestB5WhatIsRequiredHasToSucceed(t *testing.T) {
	var seen bus.Call
	verdict := errors.New("not yet")
	ready := doing("till.ready", bus.Pure, func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
		seen = *c
		return json.RawMessage(`{"ok":true}`), verdict
	})
	ready.Title = "Ready"
	count := doing("till.count", bus.UIOnly, ok)
	count.Checks.Requires = []string{"till.ready"}
	b, _ := logging(t, ready, count)
	for _, tc := range []struct {
		says    error
		code    bus.Code
		message string
	}{{bus.ErrUnmet, bus.PreconditionFailed, "Ready says no."},
		{bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "It is closed."), bus.PreconditionFailed, "It is closed."},
		{errPlain, bus.Internal, "Something went wrong"}} {
		verdict = tc.says
		r := b.Invoke(t.Context(), call("till.count", `{"coins":1}`))
		if r.Err == nil || r.Err.Code != tc.code || !strings.Contains(r.Err.Message, tc.message) {
			t.Errorf("%v: %s", tc.says, wire(t, r))
		}
	}
	verdict = nil
	wantOK(t, b.Invoke(t.Context(), call("till.count", `{"coins":1}`)))
	if seen.Capability.Name != "till.ready" || string(seen.Arguments) != `{}` {
		t.Errorf("it was asked as %s with %s", seen.Capability.Name, seen.Arguments)
	}
}

// holds: B5
func TestB5AConditionAloneIsChecked(t *testing.T) {
	o, _, _ := bustest.Options()
	open := false
	o.Conditions = map[string]func(context.Context, *bus.Call) error{"open": func(context.Context, *bus.Call) error {
		if !open {
			return bus.ErrUnmet
		}
		return nil
	}}
	b := bus.New(o)
	c := doing("till.count", bus.UIOnly, ok)
	c.Permissions = []string{"open"}
	b.MustRegister(c)
	wantError(t, b.Invoke(t.Context(), call("till.count", `{}`)), bus.PreconditionFailed, bus.ReasonCondition)
	if e := mustManifest(t, b, bus.View{All: true}).Capabilities[0]; e.Available {
		t.Errorf("%+v", e)
	}
	open = true
	wantOK(t, b.Invoke(t.Context(), call("till.count", `{}`)))
}

// holds: B5
func TestB5AChecksOwnHintGoesFirst(t *testing.T) {
	for own, want := range map[string]string{"Open the till.": "Open the till.", "": "Wait."} {
		c := doing("till.count", bus.UIOnly, ok)
		c.Checks.Preconditions = []bus.Precondition{{Name: "open", Message: "It is closed.", Hint: "Wait.",
			Check: func(context.Context, *bus.Call) error {
				return bus.Errorf(bus.PreconditionFailed, bus.ReasonPrecondition, "Closed.").WithHint("%s", own)
			}}}
		b, _ := logging(t, c)
		if r := b.Invoke(t.Context(), call("till.count", `{}`)); r.Err == nil || r.Err.Hint != want {
			t.Errorf("%q: %s", own, wire(t, r))
		}
	}
}

// holds: B7
func TestB7AStepOutsideThatIsCutOffBeforeItBeginsHasNotBegun(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	checks := 0
	c := doing("mail.send", bus.Network, func(context.Context, *bus.Call) (json.RawMessage, error) {
		t.Error("it was done")
		return nil, nil
	})
	c.Checks.Preconditions = []bus.Precondition{{Name: "line", Check: func(ctx context.Context, _ *bus.Call) error {
		if checks++; checks == 2 {
			cancel()
		}
		return ctx.Err()
	}}}
	b, j, _ := bustest.New(t, c)
	wantError(t, b.Invoke(ctx, call("mail.send", `{}`)), bus.Transient, bus.ReasonCancelled)
	if e := records(t, j, 1); checks != 2 || e.Result.Err.Reason != bus.ReasonCancelled {
		t.Errorf("%d checks, %+v", checks, e)
	}
}

// unbegun is a journal that cannot note what begins.
type unbegun struct{ *bustest.Journal }

func (unbegun) Begin(context.Context, *bus.Entry) error { return errPlain }

// holds: B7
func TestB7AStepOutsideThatCannotBeNotedIsNotDone(t *testing.T) {
	o, j, _ := bustest.Options()
	o.Journal = unbegun{j}
	b := bus.New(o)
	b.MustRegister(doing("mail.send", bus.Network, func(context.Context, *bus.Call) (json.RawMessage, error) {
		t.Error("it was done")
		return nil, nil
	}))
	wantError(t, b.Invoke(t.Context(), call("mail.send", `{}`)), bus.Transient, bus.ReasonJournal)
}

func TestIDsAndNumbersOfTwoCallsDiffer(t *testing.T) {
	o, _, _ := bustest.Options()
	o.Seed = nil
	b := bus.New(o)
	b.MustRegister(doing("a.draw", bus.Pure, func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
		return json.RawMessage(fmt.Sprintf(`{"id":%q}`, c.NewID("x"))), nil
	}))
	one, other := b.Invoke(t.Context(), call("a.draw", `{}`)), b.Invoke(t.Context(), call("a.draw", `{}`))
	if wantOK(t, one); string(one.Data) == string(other.Data) {
		t.Errorf("%s twice", one.Data)
	}
}

// holds: E1
func TestE1ASlowSubscriberMissesTheOldestOnly(t *testing.T) {
	const kept = 8192
	for missed := range 3 {
		b, _, _ := bustest.New(t, doing("a.work", bus.Pure, func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
			for i := range kept + missed - 1 { // and one event of the invocation
				c.Progress(i, "")
			}
			return nil, nil
		}))
		sub := b.Subscribe()
		wantOK(t, b.Invoke(t.Context(), call("a.work", `{}`)))
		if missed > 0 {
			if e, err := sub.Next(t.Context()); err != nil || e.Type != bus.EventMissed || e.Missed != missed {
				t.Errorf("%d missed: %+v %v", missed, e, err)
			}
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel() // what has happened is told all the same
		for i := range kept {
			if e, err := sub.Next(ended); err != nil || i < kept-1 && e.Percent != i+missed {
				t.Fatalf("event %d after %d missed: %+v %v", i, missed, e, err)
			}
		}
		if _, err := sub.Next(ended); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// holds: B11
func TestB11TheEventOfACallSaysHowItEndedAndNothingOfTheChat(t *testing.T) {
	b, _, _ := bustest.New(t, add())
	sub := b.Subscribe()
	inv := call("till.add", `{"coins":0}`)
	inv.Caller.TriggeringMessage, inv.Caller.Reasoning = "my secret", "because"
	wantError(t, b.Invoke(t.Context(), inv), bus.Validation, bus.ReasonArguments)
	e, err := sub.Next(t.Context())
	if err != nil || e.Code != bus.Validation || e.Status != "error" || e.Caller.Source != "t" ||
		e.Caller.TriggeringMessage != "" || e.Caller.Reasoning != "" {
		t.Errorf("%+v %+v %v", e, e.Caller, err)
	}
	dry := call("till.add", `{"coins":1}`)
	dry.DryRun = true
	for _, inv := range []bus.Invocation{dry, keyed(`{"coins":1}`, "k"), keyed(`{"coins":1}`, "k")} {
		wantOK(t, b.Invoke(t.Context(), inv))
	}
	sub.Close()
	var types []string
	for e, err := sub.Next(t.Context()); err == nil; e, err = sub.Next(t.Context()) {
		types = append(types, fmt.Sprint(e.Type, e.DryRun, e.Replayed))
	}
	want := []string{"invocationtrue false", "invocationfalse false", "stateChangefalse false", "invocationfalse true"}
	if diff := cmp.Diff(want, types); diff != "" {
		t.Error(diff)
	}
}

// holds: B4
func TestB4ADuplicateOfAStepOutsideWaitsForTheFirst(t *testing.T) {
	for args, reason := range map[string]bus.Reason{`{"to":"ana"}`: "", `{"to":"ben"}`: bus.ReasonIdempotencyMismatch} {
		synctest.Test(t, func(t *testing.T) {
			sent, hold := 0, make(chan struct{})
			send := func(context.Context, *bus.Call) (json.RawMessage, error) {
				sent++
				<-hold
				return nil, nil
			}
			b, _, _ := bustest.New(t, doing("mail.send", bus.Network, send))
			results := make([]bus.Result, 2)
			for i, args := range []string{`{"to":"ana"}`, args} {
				go func() { results[i] = b.Invoke(t.Context(), keyedCall("mail.send", args, "k")) }()
				synctest.Wait()
			}
			if sent != 1 {
				t.Errorf("%d were sent", sent)
			}
			close(hold)
			synctest.Wait()
			if r := results[1]; sent != 1 || reason == "" && !r.Replayed || reason != "" && r.Err.Reason != reason {
				t.Errorf("%d were sent, %s", sent, wire(t, r))
			}
		})
	}
}

// holds: B4
func TestB4AReplayCostsNoRateAndHasItsOwnTime(t *testing.T) {
	c := doing("a.count", bus.UIOnly, ok)
	c.Run.RateLimit = &bus.RateLimit{Requests: 1, Period: time.Hour}
	b, _, clock := bustest.New(t, c)
	first := b.Invoke(t.Context(), keyedCall("a.count", `{}`, "k"))
	wantOK(t, first)
	clock.Advance(time.Minute)
	again := b.Invoke(t.Context(), keyedCall("a.count", `{}`, "k"))
	if wantOK(t, again); !again.Replayed || !again.Time.Equal(first.Time.Add(time.Minute)) {
		t.Errorf("%s", wire(t, again))
	}
	wantError(t, b.Invoke(t.Context(), keyedCall("a.count", `{}`, "k2")), bus.Transient, bus.ReasonRateLimit)
}

// holds: B4
func TestB4AKeyOfAnEarlierVersionStillFits(t *testing.T) {
	b, j, _ := bustest.New(t, add())
	wantOK(t, b.Invoke(t.Context(), keyed(`{"coins":1}`, "k")))
	const stored = "0262af7f6e0550c29ee930b7efa51da7c5cca1595a1907ca468f29b7a12736f6"
	if got := records(t, j, 1).Key.Arguments; got != stored {
		t.Errorf("what earlier versions stored with a key would be taken for other arguments: %s", got)
	}
}

// holds: B1
func TestB1ARequestIDIsRunOnceAtATime(t *testing.T) {
	var b *bus.Bus
	var inner bus.Result
	b, j, _ := bustest.New(t, doing("a.nest", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
		if inner.Status == "" {
			inv := call("a.nest", `{}`)
			inv.RequestID = "mine"
			inner = b.Invoke(context.Background(), inv)
		}
		return nil, nil
	}))
	inv := call("a.nest", `{}`)
	inv.RequestID = "mine"
	wantOK(t, b.Invoke(t.Context(), inv))
	wantError(t, inner, bus.Validation, bus.ReasonEnvelope)
	if e := j.Entries()[0]; e.Invocation.RequestID != inner.RequestID || inner.RequestID == "mine" {
		t.Errorf("%s is recorded as %s", inner.RequestID, e.Invocation.RequestID)
	}
}

// holds: B1
func TestB1ADoorStampsWhatItKnows(t *testing.T) {
	b, j, _ := bustest.New(t, add())
	r := b.InvokeJSON(t.Context(), []byte(`{"capability":"till.add","arguments":{"coins":1},"caller":{"type":"agent"}}`),
		func(inv *bus.Invocation) { inv.Caller.Type, inv.Principal = bus.CallerUI, clerk })
	wantOK(t, r)
	wantError(t, b.InvokeJSON(t.Context(), []byte(`{"capability":`),
		func(inv *bus.Invocation) { inv.Caller.Type, inv.Principal = bus.CallerUI, clerk }), bus.Validation,
		bus.ReasonEnvelope)
	records(t, j, 2)
	for _, e := range j.Entries() {
		if e.Invocation.Caller.Type != bus.CallerUI || e.Invocation.Principal.ID != "p1" {
			t.Errorf("%+v", e.Invocation)
		}
	}
}

func TestAResultIsTheSameOnTheOtherSideOfTheWire(t *testing.T) {
	limited := bus.Errorf(bus.Transient, bus.ReasonRateLimit, "Too many.").WithHint("Wait.")
	limited.RetryAfter, limited.Limit, limited.Remaining, limited.ResetAt = 5*time.Second, 10, 3, time.UnixMilli(99)
	for _, want := range []bus.Result{
		{Status: "error", RequestID: "r", Err: limited, Time: time.UnixMilli(1)},
		{Status: "success", RequestID: "r", Data: json.RawMessage(`{"x":1}`), Replayed: true, Time: time.UnixMilli(1)},
		{Status: "success", RequestID: "r", Data: json.RawMessage(`{"x":1}`), Facts: map[string]any{"a": 1.0},
			CostEstimate: map[string]string{"USD": "1"}, ExecutionTime: 4 * time.Millisecond, DryRun: true, Time: time.UnixMilli(1)},
	} {
		var got bus.Result
		if err := json.Unmarshal([]byte(wire(t, want)), &got); err != nil || wire(t, got) != wire(t, want) {
			t.Errorf("%v: %s, not %s", err, wire(t, got), wire(t, want))
		}
		if want.Err != nil && got.Err.Remaining != 3 {
			t.Errorf("%+v", got.Err)
		}
	}
}

// stalled is a journal whose records wait.
type stalled struct {
	*bustest.Journal
	until chan struct{}
}

func (s stalled) Record(ctx context.Context, e *bus.Entry) error {
	<-s.until
	return s.Journal.Record(ctx, e)
}

// holds: B10
func TestB10ClosingWaitsForTheRecordOfEachCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o, j, _ := bustest.Options()
		s := stalled{j, make(chan struct{})}
		o.Journal = s
		b := bus.New(o)
		b.MustRegister(doing("a.read", bus.Pure, ok))
		go b.Invoke(t.Context(), call("a.read", `{}`))
		synctest.Wait()
		closed := false
		go func() { closed = b.Close(context.Background()) == nil }()
		synctest.Wait()
		if closed {
			t.Error("closed before the record")
		}
		close(s.until)
		synctest.Wait()
		if !closed || len(j.Entries()) != 1 {
			t.Errorf("%v, %d records", closed, len(j.Entries()))
		}
	})
}

// holds: B8
func TestB8TheWaitBetweenAttemptsIsWhatThePolicySays(t *testing.T) {
	for name, tc := range map[string]struct {
		retry    bus.RetryPolicy
		attempts int
		took     time.Duration
	}{
		"one attempt":     {bus.RetryPolicy{MaxAttempts: 1, InitialDelay: time.Second}, 1, 0},
		"two":             {bus.RetryPolicy{MaxAttempts: 2, InitialDelay: time.Second}, 2, time.Second},
		"always the same": {bus.RetryPolicy{MaxAttempts: 4, InitialDelay: time.Second}, 4, 3 * time.Second},
		"longer each time": {bus.RetryPolicy{MaxAttempts: 4, InitialDelay: time.Second, BackoffMultiplier: 2}, 4,
			7 * time.Second},
		"up to a longest": {bus.RetryPolicy{MaxAttempts: 4, InitialDelay: time.Second, BackoffMultiplier: 2,
			MaxDelay: 1500 * time.Millisecond},
			4, 4 * time.Second},
		"shorter than the first": {bus.RetryPolicy{MaxAttempts: 2, InitialDelay: time.Second, BackoffMultiplier: 2,
			MaxDelay: time.Millisecond}, 2, time.Second},
	} {
		for _, exclusive := range []bus.Concurrency{"", bus.Exclusive} {
			synctest.Test(t, func(t *testing.T) {
				c := doing("a.try", bus.Pure, failing1(bus.Errorf(bus.Transient, bus.ReasonNetwork, "Not now.")))
				c.Run.Retry, c.Run.Concurrency = &tc.retry, exclusive
				b, j, _ := bustest.New(t, c)
				begun := time.Now()
				wantError(t, b.Invoke(t.Context(), call("a.try", `{}`)), bus.Transient, bus.ReasonNetwork)
				if e := records(t, j, 1); e.Attempts != tc.attempts || time.Since(begun) != tc.took {
					t.Errorf("%s: %d attempts, %s", name, e.Attempts, time.Since(begun))
				}
			})
		}
	}
}

// holds: B8
func TestB8ACallerShortensTheTimeButNeverLengthensIt(t *testing.T) {
	for asked, want := range map[time.Duration]time.Duration{0: time.Second, 50 * time.Millisecond: 50 * time.Millisecond,
		5 * time.Second: time.Second, time.Millisecond: time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			c := doing("a.wait", bus.Pure, func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
				<-ctx.Done()
				return nil, ctx.Err()
			})
			c.Run.Timeout = time.Second
			b, _, _ := bustest.New(t, c)
			inv := call("a.wait", `{}`)
			inv.Timeout = asked
			begun := time.Now()
			wantError(t, b.Invoke(t.Context(), inv), bus.Transient, bus.ReasonTimeout)
			if took := time.Since(begun); took != want {
				t.Errorf("%d ms: %s", asked, took)
			}
		})
	}
	b, _, _ := bustest.New(t, doing("a.read", bus.Pure, ok))
	if c, _ := b.Lookup("a.read"); c.Run.Timeout != 30*time.Second {
		t.Errorf("the default is %s", c.Run.Timeout)
	}
}

// holds: B10
func TestB10WhichReadsNeedNotBeKept(t *testing.T) {
	file := doing("file.write", bus.UIOnly, ok)
	file.Resources = []string{"filesystem:write"}
	b, j, _ := bustest.New(t, read(), file)
	key := call("till.read", `{}`)
	key.IdempotencyKey = "k"
	for _, inv := range []bus.Invocation{call("till.read", `{}`), byAgent(call("till.read", `{}`)), key,
		call("file.write", `{}`)} {
		wantOK(t, b.Invoke(t.Context(), inv))
	}
	for i, e := range j.Entries() {
		if e.Read != (i == 0) {
			t.Errorf("%d: %+v", i, e)
		}
	}
}

// holds: B7
func TestB7AReadThatBecameAnotherIsAskedAgain(t *testing.T) {
	value := 1
	a := &approver{rule: bus.RuleConfirm, say: func(n int, p *bus.Preview) bus.Decision {
		if n == 1 {
			value = 2
		}
		return yes(n, p)
	}}
	b, _ := withApprover(t, a, doing("a.read", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
		return json.RawMessage(fmt.Sprintf(`{"value":%d}`, value)), nil
	}))
	r := b.Invoke(t.Context(), byAgent(call("a.read", `{}`)))
	if wantOK(t, r); len(a.asked) != 2 || string(r.Data) != `{"value":2}` {
		t.Errorf("asked %d times, %s", len(a.asked), r.Data)
	}
}

// holds: B10
func TestB10ASecretOfAnAnswerIsNotInTheRecord(t *testing.T) {
	c := doing("key.make", bus.UIOnly, func(context.Context, *bus.Call) (json.RawMessage, error) {
		return json.RawMessage(`{"pin":"4711","name":"x"}`), nil
	})
	c.InputSchema = json.RawMessage(`{"type":"object","properties":{"old":{"type":"string","writeOnly":true}}}`)
	c.OutputSchema = json.RawMessage(`{"type":"object",
		"properties":{"pin":{"type":"string","writeOnly":true},"name":{}}}`)
	b, j, _ := bustest.New(t, c)
	r := b.Invoke(t.Context(), call("key.make", `{"old":"1"}`))
	if wantOK(t, r); !strings.Contains(string(r.Data), "4711") {
		t.Errorf("%s", r.Data)
	}
	e := records(t, j, 1)
	if strings.Contains(string(e.Result.Data), "4711") || strings.Contains(string(e.Invocation.Arguments), `"1"`) ||
		!slices.Equal(e.Redacted, []string{"/arguments/old", "/data/pin"}) {
		t.Errorf("%s %s %v", e.Invocation.Arguments, e.Result.Data, e.Redacted)
	}
}

// holds: B2
func TestB2TheMessageNamesTheFirstViolation(t *testing.T) {
	c := doing("a.take", bus.Pure, ok)
	c.InputSchema = json.RawMessage(`{"type":"object","additionalProperties":{"type":"integer"}}`)
	b, _, _ := bustest.New(t, c)
	for args, want := range map[string]string{
		`[]`:                         "must be a JSON object.",
		`{"a":"x"}`:                  "/a: ",
		`{"a":"x","b":"y"}`:          " (and 1 more).",
		`{"a":"x","b":"y","c":true}`: " (and 2 more).",
	} {
		r := b.Invoke(t.Context(), call("a.take", args))
		wantError(t, r, bus.Validation, bus.ReasonArguments)
		more := strings.Contains(r.Err.Message, "more")
		if !strings.Contains(r.Err.Message, want) || more != strings.Contains(want, "more") {
			t.Errorf("%s: %s", args, r.Err.Message)
		}
	}
}

// holds: B2
func TestB2AnOlderVersionIsRefused(t *testing.T) {
	for _, tc := range []struct {
		have, want string
		ok         bool
	}{{"1.2.3", "1.2.3", true}, {"1.2.3", "1.2", true}, {"1.2", "1.2.0", true}, {"1.2", "1.2.1", false},
		{"1.10", "1.9", true}, {"1.9", "1.10", false}, {"2.0", "1.99", false}, {"2.0", "2", true}, {"2.0", "0.9", true}, {"1.0", "0.9", true}, {"1.99", "2.0", false},
		{"1.2-beta", "1.2", true}, {"1.2", "1.3-beta", false}, {"1", "x", true}, {"1.9", "1.8:7", true},
		{"1.1", "1.18446744073709551616", false}} {
		c := doing("a.read", bus.Pure, ok)
		c.Version = tc.have
		b, _, _ := bustest.New(t, c)
		inv := call("a.read", `{}`)
		inv.MinVersion = tc.want
		if r := b.Invoke(t.Context(), inv); r.OK() != tc.ok {
			t.Errorf("%s for %s: %s", tc.have, tc.want, wire(t, r))
		}
	}
}

// holds: B8
func TestB8OnlyTheLastRunOfATransactionCounts(t *testing.T) {
	run := 0
	for name, tc := range map[string]struct {
		h    handler
		fits func(e bus.Entry) bool
	}{
		"broken, then right": {func(context.Context, *bus.Call) (json.RawMessage, error) {
			if run++; run == 1 {
				return json.RawMessage(`{"count":"many"}`), nil
			}
			return json.RawMessage(`{"count":1}`), nil
		}, func(e bus.Entry) bool { return e.Result.OK() && e.Kind == bus.KindInvocation && e.Response == nil }},
		"right, then failed": {func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
			if run++; run == 1 {
				c.Summarize("Done")
				return json.RawMessage(`{"count":1}`), nil
			}
			return nil, bus.Errorf(bus.NotFound, bus.ReasonRecord, "It is gone.")
		}, func(e bus.Entry) bool { return !e.Result.OK() && e.Summary == "" && e.Result.Data == nil }},
	} {
		run = 0
		o, _, _ := bustest.Options()
		j := &repeating{}
		o.Journal = j
		b := bus.New(o)
		c := doing("a.count", bus.UIOnly, tc.h)
		c.OutputSchema = json.RawMessage(`{"type":"object","properties":{"count":{"type":"integer"}}}`)
		b.MustRegister(c)
		b.Invoke(t.Context(), call("a.count", `{}`))
		if e := records(t, &j.Journal, 1); run != 2 || !tc.fits(e) {
			t.Errorf("%s: %d runs, %+v", name, run, e)
		}
	}
}

// holds: M3
func TestD3ACursorOfWhatIsNotThereIsRefused(t *testing.T) {
	b := discoverable(t, nil)
	l := list(t, b, bus.CallerTest, clerk, `{"limit":1}`)
	raw, err := base64.RawURLEncoding.DecodeString(l.NextCursor)
	if err != nil {
		t.Fatal(err)
	}
	var cursor map[string]any
	if err := json.Unmarshal(raw, &cursor); err != nil {
		t.Fatal(err)
	}
	cursor["n"] = "no.such"
	raw, _ = json.Marshal(cursor)
	wantError(t, b.Invoke(t.Context(), call("capability.list",
		fmt.Sprintf(`{"limit":1,"cursor":%q}`, base64.RawURLEncoding.EncodeToString(raw)))), bus.Validation,
		bus.ReasonArguments)
	all := list(t, b, bus.CallerTest, clerk, `{}`)
	n := len(all.names())
	if l = list(t, b, bus.CallerTest, clerk, fmt.Sprintf(`{"limit":%d}`, n)); l.HasMore || l.NextCursor != "" || n < 2 {
		t.Errorf("%d are all there are: %+v", n, l)
	}
	for _, name := range []string{all.names()[0], all.names()[n-1]} {
		wantOK(t, b.Invoke(t.Context(), call("capability.describe", fmt.Sprintf(`{"name":%q}`, name))))
	}
	if schema := string(bus.Capabilities()[1].OutputSchema); !strings.Contains(schema, `"grant_status":{"type":"string"}`) {
		t.Error(schema)
	}
}

// uncounted is a journal that cannot tell whether a group's turn is free.
type uncounted struct{ *bustest.Journal }

func (uncounted) SlotFull(string, int) (bool, error) { return false, errPlain }

func (uncounted) Bucket(context.Context, string) (bus.Bucket, error) { return bus.Bucket{}, nil }

func (uncounted) Elsewhere(ctx context.Context, _ func(*bus.Entry)) error { return ctx.Err() }

func (uncounted) Slot(context.Context, string, int) (func(), error) { return func() {}, nil }

// holds: B6
func TestB6AGroupThatCannotBeLookedAtIsNotEntered(t *testing.T) {
	o, j, _ := bustest.Options()
	o.Journal = uncounted{j}
	b := bus.New(o)
	c := doing("a.one", bus.UIOnly, func(context.Context, *bus.Call) (json.RawMessage, error) {
		t.Error("it was done")
		return nil, nil
	})
	c.Run.Concurrency = bus.Exclusive
	b.MustRegister(c)
	wantError(t, b.Invoke(t.Context(), call("a.one", `{}`)), bus.Transient, bus.ReasonJournal)
}

// holds: B1
func TestB1WhatNamesACallHasAtMost256Bytes(t *testing.T) {
	b, _, _ := bustest.New(t, doing("a.read", bus.Pure, ok))
	for name, set := range map[string]func(*bus.Invocation, string){
		"request_id":               func(inv *bus.Invocation, s string) { inv.RequestID = s },
		"trace_id":                 func(inv *bus.Invocation, s string) { inv.TraceID = s },
		"idempotency_key":          func(inv *bus.Invocation, s string) { inv.IdempotencyKey = s },
		"caller.source":            func(inv *bus.Invocation, s string) { inv.Caller.Source = s },
		"caller.parent_request_id": func(inv *bus.Invocation, s string) { inv.Caller.ParentRequestID = s },
	} {
		inv := call("a.read", `{}`)
		set(&inv, strings.Repeat("x", 256))
		wantOK(t, b.Invoke(t.Context(), inv))
		set(&inv, strings.Repeat("x", 257))
		r := b.Invoke(t.Context(), inv)
		if wantError(t, r, bus.Validation, bus.ReasonEnvelope); r.Err.Message != name+" is longer than 256 bytes." {
			t.Error(r.Err.Message)
		}
	}
}

// holds: B1
func TestB1AFieldThatStandsTwiceIsAFaultOfWhereItStands(t *testing.T) {
	b, _, _ := bustest.New(t, doing("a.read", bus.Pure, ok))
	for sent, want := range map[string]bus.Reason{
		`{"capability":"a.read","arguments":{"a":1,"a":2}}`:               bus.ReasonArguments,
		`{"capability":"a.read","caller":{"source":"a","source":"b"}}`:    bus.ReasonEnvelope,
		`{"capability":"a.read","trace_id":"a","Trace_ID":"b"}`:           bus.ReasonEnvelope,
		`{"capability":"a.read","caller":null,"arguments":{"a":{"b":1}}}`: "",
	} {
		r := b.InvokeJSON(t.Context(), []byte(sent), func(inv *bus.Invocation) { inv.Caller.Type = bus.CallerTest })
		if r.OK() != (want == "") || r.Err != nil && r.Err.Reason != want {
			t.Errorf("%s: %s", sent, wire(t, r))
		}
	}
}

// holds: B2
func TestB2AMisspeltFieldIsToldTheNearest(t *testing.T) {
	long := strings.Repeat("y", 63) + "z"
	c := doing("a.take", bus.Pure, ok)
	c.InputSchema = json.RawMessage(`{"type":"object","additionalProperties":false,
		"properties":{"abcdef":{},"omega1":{},"omega2":{},"` + long + `":{}}}`)
	b, _, _ := bustest.New(t, c)
	for name, want := range map[string]string{
		"abcdeg": "abcdef", "ABCDEF": "abcdef",
		"abcxyz":                "abcdef", // up to a third and one of its letters
		"abwxyz":                "",
		"omegaX":                "omega1", // of two the first
		"omega22":               "omega2",
		strings.Repeat("y", 64): long,
		strings.Repeat("y", 65): "", // no name is as long
		"q":                     "",
	} {
		r := b.Invoke(t.Context(), call("a.take", fmt.Sprintf(`{%q:1}`, name)))
		wantError(t, r, bus.Validation, bus.ReasonArguments)
		if _, got, _ := strings.Cut(r.Err.Message, "did you mean "); strings.Trim(got, `"?.`) != want {
			t.Errorf("%s: %s", name, r.Err.Message)
		}
	}
}

// holds: B7
func TestB7AStepOutsideThatCannotBeShownAgainIsNotDone(t *testing.T) {
	shown := 0
	c := doing("mail.send", bus.Network, func(context.Context, *bus.Call) (json.RawMessage, error) {
		t.Error("it was done")
		return nil, nil
	})
	c.Run.Preview = func(context.Context, *bus.Call) (json.RawMessage, error) {
		if shown++; shown > 1 {
			return nil, bus.Errorf(bus.NotFound, bus.ReasonRecord, "Ana is gone.")
		}
		return nil, nil
	}
	b, _ := withApprover(t, &approver{say: yes}, c)
	wantError(t, b.Invoke(t.Context(), byAgent(call("mail.send", `{}`))), bus.NotFound, bus.ReasonRecord)
}
