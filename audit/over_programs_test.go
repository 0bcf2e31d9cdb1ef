package audit_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// sharedBus is the bus of one more program on the log at path.
func sharedBus(t *testing.T, path string, caps ...bus.Capability) (*bus.Bus, *audit.Log) {
	t.Helper()
	l, err := audit.Open(context.Background(), path, options())
	must(t, err)
	t.Cleanup(func() { _ = l.Close() })
	b := bus.New(bus.Options{Journal: l, Clock: func() time.Time { return epoch }})
	b.MustRegister(caps...)
	return b, l
}

// limited has one capability of each kind that a token is taken for in another way.
func limited(read func(context.Context)) []bus.Capability {
	caps := []bus.Capability{
		{Name: "limited.write", SideEffect: bus.UIOnly, Resources: []string{"database:read", "database:write"}},
		{Name: "limited.read", SideEffect: bus.Pure},
		{Name: "limited.send", SideEffect: bus.Network,
			Preview: func(context.Context, *bus.Call) (json.RawMessage, error) { return json.RawMessage(`{}`), nil }},
	}
	for i := range caps {
		c := &caps[i]
		c.Title, c.Description, c.RateLimit = c.Name, c.Name, &bus.RateLimit{Requests: 3, Period: time.Hour}
		c.Handler = func(ctx context.Context, _ *bus.Call) (json.RawMessage, error) {
			read(ctx)
			return json.RawMessage(`{}`), nil
		}
	}
	return caps
}

func byUser(name string) bus.Invocation {
	return bus.Invocation{Capability: name, Caller: bus.Caller{Type: bus.CallerTest}}
}

func atRate(r bus.Result) bool {
	return !r.OK() && r.Err.Code == bus.Transient && r.Err.Reason == bus.ReasonRateLimit &&
		r.Err.RetryAfterSeconds == 1200
}

// holds: C10 B6
func TestC10ARateLimitCountsOverAllProgramsAndSurvivesARestart(t *testing.T) {
	for _, name := range []string{"limited.write", "limited.read", "limited.send"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log.db")
			caps := limited(func(context.Context) {})
			one, log := sharedBus(t, path, caps...)
			other, _ := sharedBus(t, path, caps...)
			for i, b := range []*bus.Bus{one, other, one} {
				if r := b.Invoke(t.Context(), byUser(name)); !r.OK() {
					t.Fatalf("call %d: %v", i+1, r.Err)
				}
			}
			replayed := byUser(name)
			replayed.PinnedClock, replayed.PinnedSeed = epoch, []byte("seed")
			if r := one.Invoke(t.Context(), replayed); !r.OK() {
				t.Errorf("in a replay: %v", r.Err)
			}
			must(t, log.Close())
			again, _ := sharedBus(t, path, caps...)
			for what, b := range map[string]*bus.Bus{"the other program": other, "a new program": again} {
				if r := b.Invoke(t.Context(), byUser(name)); !atRate(r) {
					t.Errorf("%s, a fourth call: %+v", what, r)
				}
			}
		})
	}
}

// TestC10TheLastTokenIsTakenOnce: another program takes it after this one looked.
//
// holds: C10
func TestC10TheLastTokenIsTakenOnce(t *testing.T) {
	for _, name := range []string{"limited.write", "limited.read", "limited.send"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "log.db")
			var other *bus.Bus
			meanwhile := func() {
				for range 3 {
					if r := other.Invoke(t.Context(), byUser(name)); !r.OK() {
						t.Error(r.Err)
					}
				}
			}
			ran := false
			caps := limited(func(context.Context) { ran = true })
			other, _ = sharedBus(t, path, limited(func(context.Context) {})...)
			_, log := sharedBus(t, path)
			b := bus.New(bus.Options{Journal: lateJournal{log, meanwhile}, Clock: func() time.Time { return epoch }})
			b.MustRegister(caps...)
			inv := byUser(name)
			inv.RequestID = "late"
			if r := b.Invoke(t.Context(), inv); !atRate(r) || ran && name != "limited.read" {
				t.Errorf("ran %v: %+v", ran, r)
			}
			page, err := log.Search(t.Context(), audit.Query{RequestID: "late"})
			if err != nil || len(page.Records) != 1 || page.Records[0].Reason != bus.ReasonRateLimit {
				t.Errorf("recorded: %+v %v", page.Records, err)
			}
		})
	}
}

// lateJournal lets something happen between the look at a bucket and what follows.
type lateJournal struct {
	*audit.Log
	meanwhile func()
}

func (j lateJournal) Bucket(ctx context.Context, capability string) (bus.Bucket, error) {
	b, err := j.Log.Bucket(ctx, capability)
	j.meanwhile()
	return b, err
}

// TestC10ACallThatIsRefusedLaterTakesItsTokenToo: so that a model cannot ask for ever.
//
// holds: C10
func TestC10ACallThatIsRefusedLaterTakesItsTokenToo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	caps := limited(func(context.Context) {})
	caps[0].Access.User = bus.RuleConfirm // there is no person to ask
	for i := range 4 {
		b, log := sharedBus(t, path, caps...)
		r := b.Invoke(t.Context(), byUser("limited.write"))
		if declined := !r.OK() && r.Err.Reason == bus.ReasonDeclined; declined != (i < 3) || !declined && !atRate(r) {
			t.Errorf("call %d: %+v", i+1, r)
		}
		must(t, log.Close())
	}
}

// holding is an exclusive capability that says when it began, and waits.
func holding(concurrency string, depth int, began chan<- string, end <-chan struct{}) bus.Capability {
	return bus.Capability{Name: "hold.it", Title: "Hold", Description: "Holds its group.", SideEffect: bus.Pure,
		Concurrency: concurrency, QueueDepth: depth,
		Handler: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
			began <- call.RequestID
			<-end
			return json.RawMessage(`{}`), nil
		}}
}

// holds: C9
func TestC9AGroupIsExclusiveOverAllPrograms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	began, end := make(chan string), make(chan struct{})
	var programs []*bus.Bus
	for range 3 {
		b, _ := sharedBus(t, path, holding(bus.Exclusive, 1, began, end))
		programs = append(programs, b)
	}
	results := make(chan bus.Result)
	for i, b := range programs {
		inv := byUser("hold.it")
		go func() { results <- b.Invoke(context.Background(), inv) }()
		if i == 0 {
			<-began
		}
	}
	// One runs and one waits, so that there is no place for the third.
	if r := <-results; r.OK() || r.Err.Code != bus.Conflict || r.Err.Reason != bus.ReasonBusy {
		t.Errorf("the third: %+v", r)
	}
	select {
	case <-began:
		t.Error("two run at once")
	default:
	}
	end <- struct{}{}
	<-began
	end <- struct{}{}
	for range 2 {
		if r := <-results; !r.OK() {
			t.Error(r.Err)
		}
	}
}

// TestC9AWaitForAnotherProgramEndsWithTheCaller: and its place is free again.
//
// holds: C9
func TestC9AWaitForAnotherProgramEndsWithTheCaller(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	_, log := sharedBus(t, path)
	give, err := log.Slot(t.Context(), "group:till", 1)
	must(t, err)
	began, end := make(chan string, 1), make(chan struct{})
	close(end)
	b, _ := sharedBus(t, path, holding("till", 1, began, end))
	inv := byUser("hold.it")
	inv.TimeoutMS = 20
	if r := b.Invoke(t.Context(), inv); r.OK() || r.Err.Reason != bus.ReasonTimeout {
		t.Errorf("%+v", r)
	}
	give()
	if r := b.Invoke(t.Context(), byUser("hold.it")); !r.OK() {
		t.Error(r.Err)
	}
}

// callingBus is a bus with an exclusive capability that writes when it begins and ends into
// a file, and one that all programs together may call so often.
func callingBus(path string, tokens int) (*bus.Bus, *audit.Log, error) {
	l, err := audit.Open(context.Background(), path, options())
	if err != nil {
		return nil, nil, err
	}
	caps := limited(func(context.Context) {})[:1]
	caps[0].RateLimit = &bus.RateLimit{Requests: tokens, Period: 10_000 * time.Hour}
	turn := holding(bus.Exclusive, 2, nil, nil)
	turn.Handler = func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
		if err := note(path, "in", call.RequestID); err != nil {
			return nil, err
		}
		time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
		return json.RawMessage(`{}`), note(path, "out", call.RequestID)
	}
	b := bus.New(bus.Options{Journal: l})
	return b, l, b.Register(append(caps, turn)...)
}

func note(path, what, request string) error {
	f, err := os.OpenFile(path+".turns", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(f, what, request)
	return errors.Join(err, f.Close())
}

// keepCalling is a program that calls both until it is killed, and prints a line for each answer.
func keepCalling(path string, tokens int) {
	b, _, err := callingBus(path, tokens)
	if err != nil {
		panic(err)
	}
	for n := 0; ; n++ {
		for _, name := range []string{"hold.it", "limited.write"} {
			inv := byUser(name)
			inv.RequestID = fmt.Sprint(os.Getpid(), "-", n, "-", name)
			r := b.Invoke(context.Background(), inv)
			if e := r.Err; e != nil && e.Reason != bus.ReasonBusy && e.Reason != bus.ReasonRateLimit {
				panic(r.Err)
			}
			fmt.Println(r.Status)
		}
	}
}

// TestC9LimitsHoldWhileProgramsAreKilled runs three programs on one log and kills them at random,
// again and again: no two are in an exclusive capability, no token is taken twice or lost, and
// nothing stays held.
//
// holds: C9 C10
func TestC9LimitsHoldWhileProgramsAreKilled(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	rounds, answers := soak(8, 60_000), 0
	tokens := 8 * rounds
	b, log, err := callingBus(path, tokens)
	must(t, err)
	for range rounds {
		var programs []*exec.Cmd
		var lines []*bufio.Scanner
		for range 3 {
			p := program(t, path, "limits", tokens)
			out, err := p.StdoutPipe()
			must(t, err)
			must(t, p.Start())
			programs, lines = append(programs, p), append(lines, bufio.NewScanner(out))
		}
		for i, p := range programs {
			for range rand.IntN(12) + 1 {
				if lines[i].Scan() {
					answers++
				}
			}
			time.Sleep(time.Duration(rand.IntN(3000)) * time.Microsecond)
			must(t, p.Process.Kill())
			_ = p.Wait() // it was killed
		}
	}
	left := 0
	for b.Invoke(t.Context(), byUser("limited.write")).OK() {
		left++
	}
	if r := b.Invoke(t.Context(), byUser("hold.it")); !r.OK() {
		t.Errorf("the turn is held: %v", r.Err)
	}
	if n := count(t, log, `SELECT count(*) FROM audit_records WHERE status = 'success' AND capability =
		(SELECT id FROM audit_capabilities WHERE name = 'limited.write')`); n != tokens {
		t.Errorf("%d calls passed a limit of %d", n, tokens)
	}
	turns := exclusiveTurns(t, path)
	if v, err := log.Verify(t.Context(), nil); err != nil || !v.OK {
		t.Errorf("verdict: %+v %v", v, err)
	}
	t.Logf("%d programs killed in %d rounds, %d answers, %d turns one after the other, %d of %d tokens left at the end",
		3*rounds, rounds, answers, turns, left, tokens)
}

// exclusiveTurns counts the turns and finds those that overlap: only a program that was killed
// does not end its turn.
func exclusiveTurns(t *testing.T, path string) (turns int) {
	text, err := os.ReadFile(path + ".turns")
	must(t, err)
	inside, abandoned := "", map[string]bool{}
	for line := range strings.Lines(string(text)) {
		what, request, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case what == "in":
			if inside != "" {
				abandoned[inside] = true
			}
			inside = request
			turns++
		case abandoned[request] || request != inside:
			t.Errorf("%s was still inside when another began", request)
		default:
			inside = ""
		}
	}
	return turns
}
