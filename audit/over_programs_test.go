package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
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

// limited returns a capability for each code path that takes a token.
func limited(read func(context.Context)) []bus.Capability {
	caps := []bus.Capability{
		{Name: "limited.write", SideEffect: bus.UIOnly, Resources: []string{"database:read", "database:write"}},
		{Name: "limited.read", SideEffect: bus.Pure},
		{Name: "limited.send", SideEffect: bus.Network,
			Run: bus.Run{Preview: func(context.Context, *bus.Call) (json.RawMessage, error) {
				return json.RawMessage(`{}`),
					nil
			}}},
	}
	for i := range caps {
		c := &caps[i]
		c.Title, c.Description, c.Run.RateLimit = c.Name, c.Name, &bus.RateLimit{Requests: 3, Period: time.Hour}
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
		r.Err.RetryAfter == 1200*time.Second
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

// TestC10TheLastTokenIsTakenOnce: another program takes the token between the check and the update of this one.
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

// lateJournal calls meanwhile after each read of a bucket.
type lateJournal struct {
	*audit.Log
	meanwhile func()
}

func (j lateJournal) Bucket(ctx context.Context, capability string) (bus.Bucket, error) {
	b, err := j.Log.Bucket(ctx, capability)
	j.meanwhile()
	return b, err
}

// TestC10ACallThatIsRefusedLaterTakesItsTokenToo: without that, a model could ask without end.
//
// holds: C10
func TestC10ACallThatIsRefusedLaterTakesItsTokenToo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	caps := limited(func(context.Context) {})
	caps[0].Checks.Access.User = bus.RuleConfirm // there is no person to ask
	for i := range 4 {
		b, log := sharedBus(t, path, caps...)
		r := b.Invoke(t.Context(), byUser("limited.write"))
		if declined := !r.OK() && r.Err.Reason == bus.ReasonDeclined; declined != (i < 3) || !declined && !atRate(r) {
			t.Errorf("call %d: %+v", i+1, r)
		}
		must(t, log.Close())
	}
}

// holding returns an exclusive capability that reports its start and waits.
func holding(concurrency bus.Concurrency, depth int, began chan<- string, end <-chan struct{}) bus.Capability {
	return bus.Capability{Name: "hold.it", Title: "Hold", Description: "Holds its group.", SideEffect: bus.Pure,
		Handler: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
			began <- call.RequestID
			<-end
			return json.RawMessage(`{}`), nil
		},
		Run: bus.Run{Concurrency: concurrency, QueueDepth: depth}}
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
	// One call runs and one waits, so the queue is full for the third.
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

// TestC9AWaitForAnotherProgramEndsWithTheCaller: after a timeout the place in the queue is free again.
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
	inv.Timeout = 20 * time.Millisecond
	if r := b.Invoke(t.Context(), inv); r.OK() || r.Err.Reason != bus.ReasonTimeout {
		t.Errorf("%+v", r)
	}
	give()
	if r := b.Invoke(t.Context(), byUser("hold.it")); !r.OK() {
		t.Error(r.Err)
	}
}

// TestSubscribersHearOtherPrograms: a program gets each event of another program once. It gets no own event twice, and
// none of calls that run in the page of another program.
func TestSubscribersHearOtherPrograms(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.db")
	caps := limited(func(context.Context) {})[:1]
	caps[0].Changes = []string{"limited"}
	caps[0].Handler = func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
		call.Notify(bus.LevelInfo, "Shown here.")
		call.Changed("limited", "changed", call.RequestID)
		return json.RawMessage(`{}`), nil
	}
	page := caps[0]
	page.Name, page.Run.ExecutionContext = "limited.page", "client"
	probe := limited(func(context.Context) {})[0]
	probe.Name, probe.Run.RateLimit = "limited.probe", nil
	here, _ := sharedBus(t, path, caps[0], page, probe)
	there, _ := sharedBus(t, path, caps[0], page, probe)
	sub := here.Subscribe()
	do := func(b *bus.Bus, name, request string) {
		inv := byUser(name)
		inv.RequestID = request
		ok(t, b.Invoke(t.Context(), inv))
	}
	next := func(within time.Duration) (bus.Event, error) {
		ctx, cancel := context.WithTimeout(t.Context(), within)
		defer cancel()
		return sub.Next(ctx)
	}
	for begun := time.Now(); ; { // until it follows
		do(there, probe.Name, "")
		if _, err := next(50 * time.Millisecond); err == nil {
			break
		} else if time.Since(begun) > time.Minute {
			t.Fatal("another program was never heard")
		}
	}
	do(here, "limited.write", "mine 1")
	do(there, "limited.page", "page")
	do(there, "limited.write", "theirs")
	do(here, "limited.write", "mine 2")
	got := map[string]int{}
	for got["theirs stateChange"] == 0 || got["mine 2 stateChange"] == 0 {
		e, err := next(time.Minute)
		if err != nil {
			t.Fatal(err, got)
		}
		if e.Capability == probe.Name {
			continue
		}
		got[e.RequestID+" "+string(e.Type)]++
	}
	want := map[string]int{"mine 1 invocation": 1, "mine 1 notification": 1, "mine 1 stateChange": 1,
		"mine 2 invocation": 1, "mine 2 notification": 1, "mine 2 stateChange": 1,
		"theirs invocation": 1, "theirs stateChange": 1}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestFollowersEndWithTheirLog: a program may close its log before its bus, so closing the log must end its followers.
func TestFollowersEndWithTheirLog(t *testing.T) {
	l := newLog(t)
	ended := make(chan error, 1)
	go func() { ended <- l.Elsewhere(t.Context(), func(*bus.Entry) {}) }()
	must(t, l.Close())
	for range 2 {
		if err := <-ended; err != nil {
			t.Errorf("it ended with %v", err)
		}
		go func() { ended <- l.Elsewhere(t.Context(), func(*bus.Entry) {}) }() // too late
	}
}

// TestAFollowerThatBeginsDuringACommit does not take the records of this program's commit for another program's.
// Otherwise their events would arrive twice.
func TestAFollowerThatBeginsDuringACommit(t *testing.T) {
	if !audit.CoversFromCommit(7, 9) {
		t.Error("the commit under way is another program's")
	}
}

// TestAnotherLogOfTheFile: two logs of one file work like two programs. Each reports the records of the other and not
// its own, and it stays open when the other one closes.
func TestAnotherLogOfTheFile(t *testing.T) {
	l := newLog(t)
	other := l.Another()
	heard := func(l *audit.Log) chan string {
		c := make(chan string, 16)
		go func() {
			if err := l.Elsewhere(t.Context(), func(e *bus.Entry) { c <- e.Invocation.RequestID }); err != nil &&
				t.Context().Err() == nil {
				t.Error(err)
			}
		}()
		return c
	}
	atOne, atOther := heard(l), heard(other)
	next := func(c chan string) string {
		select {
		case request := <-c:
			return request
		case <-time.After(time.Minute):
			return "nothing"
		}
	}
	for i, found := 0, ""; found == ""; i++ { // until both listen
		must(t, l.Record(t.Context(), entry(fmt.Sprint("probe ", i))))
		select {
		case found = <-atOther:
		case <-time.After(5 * time.Millisecond):
		}
	}
	for i, found := 0, ""; found == ""; i++ {
		must(t, other.Record(t.Context(), entry(fmt.Sprint("other probe ", i))))
		select {
		case found = <-atOne:
		case <-time.After(5 * time.Millisecond):
		}
	}
	must(t, other.Record(t.Context(), entry("by other")))
	must(t, l.Record(t.Context(), entry("by one")))
	for c, want := range map[chan string]string{atOne: "by other", atOther: "by one"} {
		for got := next(c); got != want; got = next(c) {
			if !strings.Contains(got, "probe") {
				t.Fatalf("heard %s, want %s", got, want)
			}
		}
	}
	a, err := l.Program()
	must(t, err)
	b, err := other.Program()
	must(t, err)
	if a == b {
		t.Errorf("both are called %s", a)
	}
	must(t, l.Close())
	if err := l.Record(t.Context(), entry("late")); err == nil {
		t.Error("a closed log records")
	}
	if gone, err := other.ProgramEnded(a); err != nil || !gone {
		t.Errorf("the first has ended: %v, %v", gone, err)
	}
	must(t, other.Record(t.Context(), entry("after")))
	select {
	case request := <-atOther:
		t.Errorf("heard its own %s", request)
	case request := <-atOne:
		t.Errorf("heard %s after it was closed", request)
	case <-time.After(100 * time.Millisecond):
	}
	must(t, other.Close())
	if err := other.Record(t.Context(), entry("later")); err == nil {
		t.Error("a closed file is written to")
	}
}
