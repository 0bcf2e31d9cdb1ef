package remote_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
)

// scissors cut a connection when as many frames have passed, in both directions together.
type scissors struct {
	mu     sync.Mutex // guards the rest
	left   int
	within bool // in the middle of the frame after the last
	cut    bool
	close  func()
}

// cuttable is one end of a connection that scissors cut.
type cuttable struct {
	net.Conn
	by *scissors
}

func (c cuttable) Write(line []byte) (int, error) {
	c.by.mu.Lock()
	now := c.by.left == 0
	c.by.left--
	within := c.by.within
	if now {
		c.by.cut = true
	}
	c.by.mu.Unlock()
	switch {
	case now && within:
		n, _ := c.Conn.Write(line[:len(line)/2])
		c.by.close()
		return n, io.ErrClosedPipe
	case now:
		c.by.close()
		return 0, io.ErrClosedPipe
	}
	return c.Conn.Write(line)
}

// cutAfter makes one call over a link that is cut after so many frames. opened tells whether the link was there.
func cutAfter(t *testing.T, b *bus.Bus, v bus.View, frames int, within bool, inv bus.Invocation,
) (r bus.Result, opened, cut bool) {
	t.Helper()
	here, there := net.Pipe()
	s := &scissors{left: frames, within: within, close: func() { here.Close(); there.Close() }}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = remote.Serve(t.Context(), cuttable{there, s}, b, v)
	}()
	l, err := remote.Open(t.Context(), cuttable{here, s}, remote.Options{})
	if err == nil {
		r = l.Invoke(t.Context(), inv, nil)
		l.Close()
		<-l.Done()
	}
	s.close()
	<-served
	s.mu.Lock()
	defer s.mu.Unlock()
	return r, err == nil, s.cut
}

func count(j *bustest.Journal, id string) int {
	n, _ := j.Row("shelf", id)["count"].(int)
	return n
}

// holds: N4
func TestALinkCutAfterAnyFrameLosesNothingAndDoesNothingTwice(t *testing.T) {
	for _, within := range []bool{false, true} {
		for _, key := range []string{"", "one"} {
			t.Run(fmt.Sprintf("in the middle %v, key %q", within, key), func(t *testing.T) {
				for frames := 0; ; frames++ {
					b, j := shelf(t, quickPut(), list())
					v := kims
					inv := bus.Invocation{Capability: "shelf.put", Arguments: []byte(`{"id":"a","count":2}`), RequestID: "req_cut",
						IdempotencyKey: key}
					r, opened, cut := cutAfter(t, b, v, frames, within, inv)
					done := count(j, "a")
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
					if key != "" {
						if again := over(t, b, v, remote.Options{}).Invoke(t.Context(), inv, nil); !again.OK() {
							t.Fatalf("cut after %d frames, then over a new link: %v", frames, again.Err)
						}
						if done := count(j, "a"); done != 2 {
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

// quickPut is put without a confirmation.
func quickPut() bus.Capability {
	c := put()
	c.Checks.Access.User = bus.RuleAllow
	return c
}

// holds: N4
func TestWhatRunsForALinkThatIsGoneIsCancelled(t *testing.T) {
	entered, ended := make(chan struct{}), make(chan error, 1)
	wait := bus.Define(bus.Capability{Name: "shelf.wait", Title: "Wait", Description: "Wait.", SideEffect: bus.Pure},
		func(ctx context.Context, _ *bus.Call, _ struct{}) (struct{}, error) {
			close(entered)
			<-ctx.Done()
			ended <- ctx.Err()
			return struct{}{}, ctx.Err()
		})
	b, _ := shelf(t, wait)
	l := over(t, b, kims, remote.Options{})
	result := make(chan bus.Result, 1)
	go func() { result <- l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.wait"}, nil) }()
	<-entered
	l.Close()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the handler ended with %v", err)
	}
	if r := <-result; r.OK() || r.Err.Reason != bus.ReasonNetwork {
		t.Errorf("the caller was answered with %v", r.Err)
	}
	if r := l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.wait"}, nil); r.OK() ||
		r.Err.Reason != bus.ReasonNetwork {
		t.Errorf("after its end the link answered %v", r.Err)
	}
}

// kims is what a person called Kim may see and do from a terminal.
var kims = bus.View{Caller: bus.CallerCLI, Principal: bus.Principal{ID: "kim", Scopes: []string{"*"}, Door: "link"}}
