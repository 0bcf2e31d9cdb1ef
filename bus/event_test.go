package bus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// holds: E1
func TestE1EveryEventFitsThePublishedSchema(t *testing.T) {
	c := jsonschema.NewCompiler()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(bus.Event{}.JSONSchema()))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("mem:///event.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("mem:///event.json")
	if err != nil {
		t.Fatal(err)
	}
	say := doing("a.say", bus.UIOnly,
		func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
			c.Progress(0, "")
			c.Progress(50, "half")
			c.Notify("warning", "Mind the gap.")
			c.Changed("gap", "it widened", "g1")
			c.Changed("route", "")
			return nil, nil
		})
	say.Changes = []string{"gap", "route"}
	b, _, _ := bustest.New(t, add(), say)
	sub := b.Subscribe()
	for _, inv := range []bus.Invocation{call("a.say", `{}`), call("till.add", `{"coins":1}`), call("till.add", `{}`),
		call("none", `{}`), keyed(`{"coins":1}`, "k"), keyed(`{"coins":1}`, "k")} {
		b.Invoke(t.Context(), inv)
	}
	sub.Close()
	types := map[bus.EventType]int{}
	for {
		e, err := sub.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		types[e.Type]++
		raw, _ := json.Marshal(e)
		value, _ := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", raw, err)
		}
	}
	want := map[bus.EventType]int{bus.EventInvocation: 6, bus.EventStateChange: 4, bus.EventNotification: 1, bus.EventProgress: 2}
	if d := cmp.Diff(want, types); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	for _, bad := range []string{`{"type":"rumour"}`, `{"type":"missed"}`,
		`{"type":"notification","request_id":"r","timestamp":1,"level":"deafening","message":"x"}`,
		`{"type":"stateChange","request_id":"r","timestamp":1,"domain":"d","percent":1}`} {
		value, _ := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(bad)))
		if schema.Validate(value) == nil {
			t.Errorf("%s fits", bad)
		}
	}
}

// TestE2AllSubscribersSeeOneOrder: events of calls at once reach every subscriber
// in one order, those of one call together, and none is lost.
// holds: E2
func TestE2AllSubscribersSeeOneOrder(t *testing.T) {
	b, _, _ := bustest.New(t, add())
	const calls, subscribers = 50, 8
	var wg sync.WaitGroup
	seen := make([][]string, subscribers)
	var subs []*bus.Subscription
	for i := range subscribers {
		s := b.Subscribe()
		subs = append(subs, s)
		wg.Go(func() {
			for {
				e, err := s.Next(context.Background())
				if err != nil {
					return
				}
				seen[i] = append(seen[i], fmt.Sprint(e.RequestID, " ", e.Type))
			}
		})
	}
	var done sync.WaitGroup
	for range calls {
		done.Go(func() { b.Invoke(context.Background(), call("till.add", `{"coins":1}`)) })
	}
	done.Wait()
	for _, s := range subs {
		s.Close()
		s.Close() // once more changes nothing
	}
	b.Invoke(t.Context(), call("till.add", `{"coins":1}`))
	wg.Wait()
	if len(seen[0]) != 2*calls {
		t.Errorf("%d events of %d calls", len(seen[0]), calls)
	}
	for i := 0; i+1 < len(seen[0]); i += 2 {
		var first, second, kind string
		_, _ = fmt.Sscan(seen[0][i], &first, &kind)
		_, _ = fmt.Sscan(seen[0][i+1], &second)
		if first != second || kind != string(bus.EventInvocation) {
			t.Errorf("%s is followed by %s", seen[0][i], seen[0][i+1])
		}
	}
	for i := range seen {
		if d := cmp.Diff(seen[0], seen[i]); d != "" {
			t.Errorf("subscriber %d (-first +this):\n%s", i, d)
		}
	}
}

// holds: E2
func TestE2WaitingEndsWithAnEventAContextOrClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _, _ := bustest.New(t, read())
		sub := b.Subscribe()
		ctx, cancel := context.WithCancel(t.Context())
		type got struct {
			e   bus.Event
			err error
		}
		next := func() chan got {
			c := make(chan got, 1)
			go func() { e, err := sub.Next(ctx); c <- got{e, err} }()
			synctest.Wait()
			return c
		}
		waiting := next()
		b.Invoke(t.Context(), call("till.read", `{}`))
		if g := <-waiting; g.e.Type != bus.EventInvocation {
			t.Errorf("%+v", g)
		}
		waiting = next()
		cancel()
		if g := <-waiting; !errors.Is(g.err, context.Canceled) {
			t.Errorf("%+v", g)
		}
		ctx = t.Context()
		waiting = next()
		sub.Close()
		if g := <-waiting; !errors.Is(g.err, io.EOF) {
			t.Errorf("%+v", g)
		}
	})
}

// holds: E2
func TestE2WhoNeverReadsIsToldOnceHowMuch(t *testing.T) {
	const backlog, n = 8192, 3*8192 + 7
	b, _, _ := bustest.New(t, doing("a.many", bus.Pure, func(_ context.Context, c *bus.Call) (json.RawMessage, error) {
		for i := range n - 1 { // in progress: each is published by itself
			c.Progress(i%100, "")
		}
		return nil, nil
	}))
	sub := b.Subscribe()
	b.Invoke(t.Context(), call("a.many", `{}`))
	e, err := sub.Next(t.Context())
	if err != nil || e.Type != bus.EventMissed || e.Missed != n-backlog {
		t.Fatalf("%+v %v", e, err)
	}
	sub.Close()
	for i := range backlog {
		if e, err := sub.Next(t.Context()); err != nil || e.Type == bus.EventMissed {
			t.Fatalf("event %d: %+v %v", i, e, err)
		}
	}
	if _, err := sub.Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("%v", err)
	}
}

// holds: E1
func TestE1ADryRunIsAnnouncedAsOne(t *testing.T) {
	b, _, _ := bustest.New(t, add())
	s := b.Subscribe()
	defer s.Close()
	inv := call("till.add", `{"coins":1}`)
	inv.DryRun = true
	wantOK(t, b.Invoke(t.Context(), inv))
	if e, err := s.Next(t.Context()); err != nil || !e.DryRun {
		t.Errorf("%+v %v", e, err)
	}
}

// holds: E2
func TestE2SubscriptionsEndWithTheirBusAfterTheLastEvent(t *testing.T) {
	b, _, _ := bustest.New(t, add())
	before := b.Subscribe()
	wantOK(t, b.Invoke(t.Context(), call("till.add", `{"coins":1}`)))
	if err := b.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	var seen int
	for {
		_, err := before.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		seen++
	}
	if seen == 0 {
		t.Error("what came before the end is lost")
	}
	if _, err := b.Subscribe().Next(t.Context()); !errors.Is(err, io.EOF) {
		t.Errorf("later: %v", err)
	}
}
