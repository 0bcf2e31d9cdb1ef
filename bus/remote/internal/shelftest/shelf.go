// Package shelftest has the capabilities that the tests of links call, and what a link must hold that is cut.
package shelftest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

type putIn struct {
	ID    string `json:"id" jsonschema:"minLength=1,maxLength=40"`
	Count int    `json:"count" jsonschema:"minimum=1,maximum=99"`
}

type putOut struct {
	Count int `json:"count"`
}

// Kim is what a person called Kim may see and do from a terminal.
func Kim() bus.View {
	return bus.View{Caller: bus.CallerCLI, Principal: bus.Principal{ID: "kim", Scopes: []string{"*"}, Door: "link"}}
}

// Put counts things on a shelf.
func Put() bus.Capability {
	return bus.Define(bus.Capability{Name: "shelf.put", Title: "Put", Description: "Put things on a shelf.",
		SideEffect: bus.Destructive, Permissions: []string{"shelf:write"}, Resources: []string{"database:write"},
		Facts: []string{"amount"},
		Checks: bus.Checks{Access: bus.Access{User: bus.RuleConfirm}, Preconditions: []bus.Precondition{{Name: "room",
			Message: "The shelf is full.", Hint: "Invoke shelf.list.",
			Check: func(context.Context, *bus.Call) error { return nil }}}},
		Run: bus.Run{Concurrency: "shelf", QueueDepth: 2, RateLimit: &bus.RateLimit{Requests: 30, Period: 60e9}},
	}, putOn)
}

func putOn(ctx context.Context, call *bus.Call, in putIn) (putOut, error) {
	if ctx.Err() != nil {
		return putOut{}, ctx.Err()
	}
	n, _ := bustest.Tables(ctx).Get("shelf", in.ID)["count"].(int)
	call.Changed("shelf", "things were put", in.ID)
	call.Fact("amount", in.Count)
	call.Summarize("Put %d on %s", in.Count, in.ID)
	return putOut{n + in.Count}, bustest.Tables(ctx).Set("shelf", in.ID, map[string]any{"count": n + in.Count})
}

// QuickPut is Put without a confirmation.
func QuickPut() bus.Capability {
	c := Put()
	c.Checks.Access.User = bus.RuleAllow
	return c
}

// Count is how many things are on a shelf.
func Count(j *bustest.Journal, id string) int {
	n, _ := j.Row("shelf", id)["count"].(int)
	return n
}

// List is pure.
func List() bus.Capability {
	return bus.Define(bus.Capability{Name: "shelf.list", Title: "List", Description: "List the shelf.",
		SideEffect: bus.Pure, Permissions: []string{"shelf:read"}},
		func(context.Context, *bus.Call, struct{}) (struct {
			Items []putOut `json:"items"`
		}, error) {
			return struct {
				Items []putOut `json:"items"`
			}{[]putOut{{1}}}, nil
		})
}

// Send reaches outside, for agents only.
func Send() bus.Capability {
	say := func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{"sent":1}`), nil }
	return bus.Capability{Name: "shelf.send", Title: "Send", Description: "Send the shelf.", SideEffect: bus.Network,
		Handler: say, Run: bus.Run{Preview: say}, Assistant: bus.Assistant{Only: true},
		InputSchema: json.RawMessage(`{"type":"object","properties":{"to":{"type":"string","format":"email"}},` +
			`"required":["to"],"additionalProperties":false}`),
		OutputSchema: json.RawMessage(`{"type":"object","required":["sent"]}`)}
}

// Echo answers what it got, as large as it is, after four events of progress.
func Echo() bus.Capability {
	type words struct {
		Words string `json:"words"`
	}
	return bus.Define(bus.Capability{Name: "shelf.echo", Title: "Echo", Description: "Say it again.",
		SideEffect: bus.Pure}, func(_ context.Context, call *bus.Call, in words) (words, error) {
		for i := range 4 {
			call.Progress(25*(i+1), "on its way")
		}
		return in, nil
	})
}

// Conforms passes each capability through the conformance kit, called by invoke.
func Conforms(t *testing.T, invoke func(context.Context, *bus.Bus, bus.Invocation) bus.Result) {
	for _, c := range []bus.Capability{Put(), List(), Send()} {
		t.Run(c.Name, func(t *testing.T) {
			b, _, _ := bustest.New(t, Put(), List(), Send())
			for _, f := range bustest.Check(t.Context(), bustest.App{Bus: b, Invoke: invoke, Bodies: 60}, c.Name) {
				t.Errorf("%s: %s", f.Rule, f.Message)
			}
		})
	}
}

// Scissors cut a connection when as many frames have passed, in both directions together.
type Scissors struct {
	Cut func() // cuts it

	mu     sync.Mutex // guards the rest
	left   int
	within bool
	cut    bool
}

// NewScissors cuts after so many frames, or in the middle of the frame after them.
func NewScissors(frames int, within bool, cut func()) *Scissors {
	return &Scissors{Cut: cut, left: frames, within: within}
}

// End is one end of the connection that s cuts. Each Write is a frame.
func (s *Scissors) End(conn io.ReadWriteCloser) io.ReadWriteCloser { return cuttable{conn, s} }

// Done tells whether s has cut.
func (s *Scissors) Done() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cut
}

type cuttable struct {
	io.ReadWriteCloser
	by *Scissors
}

func (c cuttable) Write(line []byte) (int, error) {
	c.by.mu.Lock()
	now := c.by.left == 0
	c.by.left--
	c.by.cut = c.by.cut || now
	c.by.mu.Unlock()
	if !now {
		return c.ReadWriteCloser.Write(line)
	}
	n := 0
	if c.by.within {
		n, _ = c.ReadWriteCloser.Write(line[:len(line)/2])
	}
	c.by.Cut()
	rest, err := c.ReadWriteCloser.Write(line[n:]) // it is for the connection to notice
	return n + rest, err
}

// Call makes one call of b, for Kim, over a link of its own.
type Call func(t *testing.T, b *bus.Bus, inv bus.Invocation) bus.Result

// Cuttable makes one call of b, for Kim, over a link that is cut after so many frames. opened tells whether the link
// was there, cut whether it was cut; nothing of it runs any more when it returns.
type Cuttable func(t *testing.T, b *bus.Bus, frames int, within bool, inv bus.Invocation) (
	r bus.Result, opened, cut bool)

// LosesNothing cuts a link after each frame of a conversation, and in the middle of each: what the caller is told is
// so, and with a key the call can be made over a new link and is done once.
func LosesNothing(t *testing.T, cutAfter Cuttable, again Call) {
	for _, within := range []bool{false, true} {
		for _, key := range []string{"", "one"} {
			t.Run(fmt.Sprintf("in the middle %v, key %q", within, key), func(t *testing.T) {
				for frames := 0; ; frames++ {
					b, j, _ := bustest.New(t, QuickPut(), List())
					inv := bus.Invocation{Capability: "shelf.put", Arguments: []byte(`{"id":"a","count":2}`), RequestID: "req_cut",
						IdempotencyKey: key}
					r, opened, cut := cutAfter(t, b, frames, within, inv)
					told(t, r, opened, key, frames, Count(j, "a"))
					if key != "" {
						if r := again(t, b, inv); !r.OK() {
							t.Fatalf("cut after %d frames, then over a new link: %v", frames, r.Err)
						}
						if done := Count(j, "a"); done != 2 {
							t.Fatalf("cut after %d frames, then once more: %d are on the shelf, want 2", frames, done)
						}
					}
					if !cut {
						if frames < 4 { // two greetings, a call, its answer
							t.Fatalf("only %d frames were cut away", frames)
						}
						return
					}
				}
			})
		}
	}
}

// told compares what a caller was told with what is on the shelf.
func told(t *testing.T, r bus.Result, opened bool, key string, frames, done int) {
	t.Helper()
	switch {
	case !opened:
		if done != 0 {
			t.Fatalf("cut after %d frames, before it was open: %d are on the shelf", frames, done)
		}
	case r.OK():
		if done != 2 {
			t.Fatalf("cut after %d frames: it succeeded, and %d are on the shelf", frames, done)
		}
	case r.Err.Code != bus.Transient:
		t.Fatalf("cut after %d frames: %v", frames, r.Err)
	case key == "" && r.Err.Reason == bus.ReasonNetwork && done != 0:
		t.Fatalf("cut after %d frames: said to be undone, and %d are on the shelf", frames, done)
	case key != "" && !r.Err.Retryable():
		t.Fatalf("cut after %d frames: with a key it can be asked for again: %v", frames, r.Err)
	}
}
