package bus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

func TestWireShapeOfSuccessAndError(t *testing.T) {
	b, _, _ := bustest.New(t, add())
	want := `{"status":"success","request_id":"req_1","data":{"total":5,"id":"coin_acpynfw8eaeb8ecn"},"events":[{"type":"stateChange","request_id":"req_1","timestamp":1772442000000,"domain":"till","summary":"coins added","ids":["main"]}],"facts":{"amount":5},"execution_time_ms":0,"replayed":false,"timestamp":1772442000000}`
	if d := cmp.Diff(want, wire(t, b.Invoke(t.Context(), call("till.add", `{"coins":5}`)))); d != "" {
		t.Errorf("success (-want +got):\n%s", d)
	}
	want = `{"status":"error","request_id":"req_2","code":"VALIDATION","reason":"arguments","message":"The arguments do not fit till.add: missing property 'coins'.","recovery_hint":"Correct the arguments by the input schema and try again.","retryable":false,"violations":[{"path":"","message":"missing property 'coins'"}],"schema_side":"request","execution_time_ms":0,"texts":{"/message":{"key":"The arguments do not fit {0}: {1}.","values":["till.add","missing property 'coins'"]},"/recovery_hint":{"key":"Correct the arguments by the input schema and try again."}},"timestamp":1772442000000}`
	if d := cmp.Diff(want, wire(t, b.Invoke(t.Context(), call("till.add", `{}`)))); d != "" {
		t.Errorf("error (-want +got):\n%s", d)
	}
}

func TestWireResultsSurviveARoundTrip(t *testing.T) {
	b, _, _ := bustest.New(t, add())
	for _, args := range []string{`{"coins":5}`, `{"coins":-1}`} {
		first := wire(t, b.Invoke(t.Context(), call("till.add", args)))
		var r bus.Result
		if err := json.Unmarshal([]byte(first), &r); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(first, wire(t, r)); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
}

func TestDecodeInvocationRefusesWhatItDoesNotKnow(t *testing.T) {
	for _, bad := range []string{``, `{`, `{"capability":"a.b","args":{}}`, `{"capability":"a.b"} x`,
		`{"capability":"a.b"}{}`, `[]`, `{"capability":1}`,
		`{"capability":"a.b","capability":"a.c"}`, `{"capability":"a.b","Capability":"a.c"}`,
		`{"capability":"a.b","arguments":{},"Arguments":{"x":1}}`,
		`{"capability":"a.b","caller":{"type":"ui","type":"cli"}}`,
		`{"capability":"a.b","Principal":{"Scopes":["*"]}}`, `{"capability":"a.b","caller":{"door":"x"}}`} {
		if _, err := bus.DecodeInvocation([]byte(bad)); err == nil || strings.Contains(err.Error(), "bus.") {
			t.Errorf("%s: %v", bad, err)
		}
	}
	inv, err := bus.DecodeInvocation(
		[]byte(`{"capability":"a.b","arguments":{"x":1},"request_id":"r","idempotency_key":"k","trace_id":"t","min_version":"1.0","timeout_ms":5,"dry_run":true,"caller":{"type":"cli","source":"s","parent_request_id":"p","triggering_message":"m","reasoning":"w"}}`))
	if err != nil || inv.Caller.Reasoning != "w" || !inv.DryRun || inv.Timeout != 5*time.Millisecond {
		t.Errorf("%+v %v", inv, err)
	}
}

func TestInvocationNeedsACallerKind(t *testing.T) {
	b, j, _ := bustest.New(t, read())
	inv := call("till.read", `{}`)
	inv.Caller.Type = "root"
	wantError(t, b.Invoke(t.Context(), inv), bus.Validation, bus.ReasonEnvelope)
	wantError(t, b.Invoke(t.Context(), call("", `{}`)), bus.Validation, bus.ReasonEnvelope)
	records(t, j, 2)
}

// TestWhatNamesAnInvocationIsBounded: an id of a megabyte is refused by its field's name, and is not in the record.
func TestWhatNamesAnInvocationIsBounded(t *testing.T) {
	b, j, _ := bustest.New(t, read())
	long := strings.Repeat("x", 1<<20)
	for i, change := range []func(*bus.Invocation){
		func(inv *bus.Invocation) { inv.RequestID = long },
		func(inv *bus.Invocation) { inv.IdempotencyKey = long },
		func(inv *bus.Invocation) { inv.TraceID = long },
		func(inv *bus.Invocation) { inv.MinVersion = long },
		func(inv *bus.Invocation) { inv.Capability = long },
		func(inv *bus.Invocation) { inv.Caller.Source = long },
		func(inv *bus.Invocation) { inv.Caller.ParentRequestID = long },
		func(inv *bus.Invocation) { inv.Timeout = -1 },
	} {
		inv := call("till.read", `{}`)
		change(&inv)
		r := b.Invoke(t.Context(), inv)
		wantError(t, r, bus.Validation, bus.ReasonEnvelope)
		if said := fmt.Sprintf("%+v %+v", r, records(t, j, i+1)); len(said) > 10_000 ||
			!strings.Contains(said, "is longer than 256 bytes") && !strings.Contains(said, "must not be negative") {
			t.Errorf("%d: %d bytes: %.500s", i, len(said), said)
		}
	}
}

func TestCallersDifferOnlyInCallerAndDecision(t *testing.T) {
	var first string
	for _, kind := range []bus.CallerType{bus.CallerUI, bus.CallerTest, bus.CallerCLI, bus.CallerAgent} {
		b, j := withApprover(t, &approver{say: yes}, add())
		inv := call("till.add", `{"coins":5}`)
		inv.Caller.Type = kind
		wantOK(t, b.Invoke(t.Context(), inv))
		e := records(t, j, 1)
		e.Invocation.Caller, e.Decision = bus.Caller{}, nil
		got := fmt.Sprintf("%+v", e)
		if first == "" {
			first = got
		}
		if d := cmp.Diff(first, got); d != "" {
			t.Errorf("%s (-ui +%s):\n%s", kind, kind, d)
		}
	}
}

// holds: E2
func TestE2ASlowSubscriberIsToldWhatItMissed(t *testing.T) {
	b, _, _ := bustest.New(t, doing("a.b", bus.Pure, ok))
	sub := b.Subscribe()
	const n = 8192 + 10
	for range n {
		b.Invoke(t.Context(), call("a.b", `{}`))
	}
	e, err := sub.Next(t.Context())
	if err != nil || e.Type != bus.EventMissed || e.Missed != 10 {
		t.Fatalf("%+v %v", e, err)
	}
	sub.Close()
	got := 0
	for {
		if _, err := sub.Next(t.Context()); err != nil {
			break
		}
		got++
	}
	if got != n-10 {
		t.Errorf("%d events after the notice", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	waiting := b.Subscribe()
	if _, err := waiting.Next(ctx); err == nil {
		t.Error("Next ignored its context")
	}
}

// holds: E1
func TestE1ProgressComesAtOnceAndCarriesTheTask(t *testing.T) {
	gate := make(chan struct{})
	b, _, _ := bustest.New(t, doing("a.long", bus.UIOnly, func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
		c.Progress(40, "four of ten")
		<-gate
		c.Notify("info", "done %d", 10)
		return nil, nil
	}))
	sub := b.Subscribe()
	done := make(chan bus.Result)
	go func() { done <- b.Invoke(context.Background(), call("a.long", `{}`)) }()
	e, _ := sub.Next(t.Context())
	if e.Type != bus.EventProgress || e.Percent != 40 || e.TaskID == "" || e.TaskID != e.RequestID {
		t.Errorf("%+v", e)
	}
	close(gate)
	r := <-done
	if len(r.Events) != 1 || r.Events[0].Message != "done 10" {
		t.Errorf("%s", wire(t, r))
	}
}

func TestErrorsKeepTheirCauseOffTheWire(t *testing.T) {
	e := bus.Errorf(bus.Transient, bus.ReasonNetwork, "No answer.").WithCause(errPlain)
	if strings.Contains(e.Error(), "disk") || !strings.Contains(e.Error(), "TRANSIENT") || e.Unwrap() != errPlain ||
		!e.Retryable() {
		t.Errorf("%v", e)
	}
}
