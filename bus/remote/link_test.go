package remote_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/bus/remote"
)

const greeting = `{"type":"hello","body":{"protocol":1}}`

// peer is the other end of a link, played line by line.
type peer struct {
	net.Conn
	lines *bufio.Scanner
}

// played starts an end whose other end says lines, one of them after each that it reads.
func played(t *testing.T) (net.Conn, peer) {
	here, there := net.Pipe()
	t.Cleanup(func() { there.Close() })
	lines := bufio.NewScanner(there)
	lines.Buffer(nil, remote.MaxFrame)
	return here, peer{there, lines}
}

// say writes a line; read reads one.
func (p peer) say(line string) { _, _ = fmt.Fprintln(p, line) }
func (p peer) read() string    { p.lines.Scan(); return p.lines.Text() }

func TestAnotherEndThatIsNoneIsNotTalkedTo(t *testing.T) {
	for name, c := range map[string]struct{ first, want string }{
		"another version":   {`{"type":"hello","body":{"protocol":2}}`, "the other end speaks version 2 of the protocol, and this program version 1: update the older"},
		"a web server":      {"HTTP/1.1 400 Bad Request", "does not keep to the protocol: a line is no frame"},
		"a call first":      {`{"type":"invoke","id":1,"body":{}}`, `it began with "invoke"`},
		"nothing":           {"", "does not keep to the protocol"},
		"an unknown frame":  {`{"type":"sing"}`, `there is no frame "sing"`},
		"an unknown field":  {`{"type":"hello","body":{},"song":1}`, "a line is no frame"},
		"a body too many":   {`{"type":"cancel","id":1,"body":{}}`, `a frame "cancel" has not what it needs`},
		"a line too long":   {strings.Repeat("x", remote.MaxFrame+10), "a frame is longer than 1048576 bytes"},
		"a piece and other": {`{"type":"hello","part":"eyI=","more":true}` + "\n" + `{"type":"event","part":"eyI="}`, "a body is interrupted by another"},
	} {
		t.Run(name, func(t *testing.T) {
			here, far := played(t)
			go far.read()
			go far.say(c.first)
			l, err := remote.Open(t.Context(), here, remote.Options{})
			if err == nil {
				l.Close()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("opened with %v, want %q", err, c.want)
			}
		})
	}
}

func TestAnEndThatIsSilentIsNotWaitedForLongerThanTheContext(t *testing.T) {
	here, far := played(t)
	go far.read()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(10*time.Millisecond, cancel)
	if _, err := remote.Open(ctx, here, remote.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("opened with %v", err)
	}
}

// holds: R6
func TestALyingEndEndsTheLinkAndNoCallTakesItsWord(t *testing.T) {
	ok := func(id int, request string) string {
		return fmt.Sprintf(`{"type":"result","id":%d,"body":{"status":"success","request_id":%q,"data":{}}}`, id, request)
	}
	for name, c := range map[string]struct {
		says []string // after the call
		want bool     // its result is taken
		err  string
	}{
		"well behaved":             {[]string{ok(1, "req_1")}, true, ""},
		"twice":                    {[]string{ok(1, "req_1"), ok(1, "req_1")}, true, "a result of a call that is not open"},
		"of a call not made":       {[]string{ok(7, "req_1")}, false, "a result of a call that is not open"},
		"of another request":       {[]string{ok(1, "req_9")}, false, "the result of another request"},
		"no result":                {[]string{`{"type":"result","id":1,"body":"done"}`}, false, "a result is not understood"},
		"progress of no call":      {[]string{`{"type":"progress","id":3,"body":{"type":"progress"}}`}, false, "progress of a call that was not made"},
		"an event nobody wants":    {[]string{`{"type":"event","body":{"type":"stateChange"}}`}, false, "an event that nobody asked for"},
		"a call where none served": {[]string{`{"type":"invoke","id":1,"body":{}}`}, false, "it calls an end that serves no calls"},
		"a second greeting":        {[]string{greeting}, false, "it greets again"},
		"its end in the middle":    {[]string{`{"type":"result","id":1,"part":"eyI=","more":true}`, "CLOSE"}, false, "unexpected EOF"},
	} {
		t.Run(name, func(t *testing.T) {
			here, far := played(t)
			go func() {
				go far.say(greeting)
				far.read()
				far.read() // the call
				for _, line := range c.says {
					if line == "CLOSE" {
						far.Close()
						return
					}
					far.say(line)
				}
				far.Close()
			}()
			l, err := remote.Open(t.Context(), here, remote.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r := l.Invoke(t.Context(), bus.Invocation{Capability: "label.print", RequestID: "req_1"}, nil)
			<-l.Done()
			if r.OK() != c.want || !c.want && r.Err.Reason != bus.ReasonInterrupted {
				t.Errorf("answered with %v %v", r.Status, r.Err)
			}
			if err := l.Err(); c.err == "" != (err == nil) || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Errorf("the link ended with %v, want %q", err, c.err)
			}
		})
	}
}

func TestACancelledCallWaitsForItsAnswerOnlyAWhile(t *testing.T) {
	here, far := played(t)
	calls, givenUp := make(chan string, 4), make(chan struct{})
	go func() {
		go far.say(greeting)
		far.read()
		for range 2 {
			calls <- far.read()
		}
		<-givenUp
		far.say(`{"type":"result","id":1,"body":{"status":"success","request_id":"req_1"}}`) // too late
		calls <- far.read()
		far.say(`{"type":"result","id":2,"body":{"status":"success","request_id":"req_2"}}`)
		far.read()
	}()
	l, err := remote.Open(t.Context(), here, remote.Options{Grace: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-calls
		cancel()
	}()
	r := l.Invoke(ctx, bus.Invocation{Capability: "label.print", RequestID: "req_1"}, nil)
	if r.OK() || r.Err.Reason != bus.ReasonInterrupted {
		t.Errorf("answered with %v", r.Err)
	}
	close(givenUp)
	if c := <-calls; !strings.Contains(c, `"cancel","id":1`) {
		t.Errorf("the other end was told %s", c)
	}
	if r := l.Invoke(t.Context(), bus.Invocation{Capability: "label.print", RequestID: "req_2"}, nil); !r.OK() {
		t.Errorf("the next call was answered with %v", r.Err)
	}
}

// holds: R6
func TestWhatIsLargerThanAFrameTravelsInPieces(t *testing.T) {
	b, _ := shelf(t, echo())
	l := over(t, b, kims, remote.Options{})
	words := strings.Repeat("<é\u2028>", 100_000)
	args, _ := json.Marshal(map[string]string{"words": words})
	for range 2 {
		r := l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.echo", Arguments: args}, nil)
		var got struct{ Words string }
		if err := r.Decode(&got); err != nil || got.Words != words {
			t.Fatalf("%d bytes came back, want %d (%v)", len(got.Words), len(words), err)
		}
	}
	args, _ = json.Marshal(map[string]string{"words": strings.Repeat("x", remote.MaxBody)})
	if r := l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.echo", Arguments: args}, nil); r.OK() ||
		r.Err.Code != bus.Validation {
		t.Errorf("what is too large was answered with %v", r.Err)
	}
	if r := l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.echo", Arguments: []byte(`{"words":""}`)}, nil); !r.OK() {
		t.Errorf("after it the link answered %v", r.Err)
	}
}

func TestProgressGoesToItsCallAndEventsToWhoWantsThem(t *testing.T) {
	b, _ := shelf(t, echo(), quickPut())
	heard := make(chan bus.Event, 64)
	l := over(t, b, kims, remote.Options{OnEvent: func(e bus.Event) { heard <- e }})
	var percents []int
	r := l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.echo", Arguments: []byte(`{"words":"a"}`)},
		func(e bus.Event) { percents = append(percents, e.Percent) })
	if !r.OK() {
		t.Fatal(r.Err)
	}
	if want := []int{25, 50, 75, 100}; !slices.Equal(percents, want) {
		t.Errorf("before the result came the progress %v, want %v", percents, want)
	}
	b.Invoke(t.Context(), bus.Invocation{Capability: "shelf.put", Arguments: []byte(`{"id":"a","count":1}`),
		Caller: bus.Caller{Type: bus.CallerUI}, Principal: kims.Principal})
	for e := range heard {
		if e.Type == bus.EventStateChange && e.Domain == "shelf" {
			break
		}
	}
}

// TestProgressComesBeforeTheResult also where the other end reads late: the call has its result before the first
// progress could leave.
func TestProgressComesBeforeTheResult(t *testing.T) {
	b, _ := shelf(t, echo())
	here, far := played(t)
	answered := make(chan struct{})
	served := make(chan error, 1)
	go func() {
		l, err := remote.Open(t.Context(), here, remote.Options{Bus: b, View: kims,
			Answer: func(ctx context.Context, invocation []byte, stamp func(*bus.Invocation)) bus.Result {
				defer close(answered)
				return b.InvokeJSON(ctx, invocation, stamp)
			}})
		if err == nil {
			<-l.Done()
		}
		served <- err
	}()
	said := make(chan struct{})
	go func() {
		defer close(said)
		far.say(greeting)
	}()
	far.read() // the greeting
	<-said     // a call before it ends the link
	far.say(`{"type":"invoke","id":1,"body":{"capability":"shelf.echo","arguments":{"words":"a"},"caller":{}}}`)
	<-answered
	for _, want := range []string{`"percent":25}`, `"percent":50}`, `"percent":75}`, `"percent":100}`, `"type":"result"`} {
		if line := far.read(); !strings.Contains(line, want) {
			t.Fatalf("%s came, want %s", line, want)
		}
	}
	far.Close()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

// holds: R6
func TestTheServingEndSaysWhoCalls(t *testing.T) {
	b, j := shelf(t, put())
	v := bus.View{Caller: bus.CallerAgent, Principal: bus.Principal{ID: "peer", Scopes: []string{"shelf:read"}, Door: "link"}}
	l := over(t, b, v, remote.Options{})
	r := l.Invoke(t.Context(), bus.Invocation{Capability: "shelf.put", Arguments: []byte(`{"id":"a","count":1}`),
		Caller:    bus.Caller{Type: bus.CallerUI, Source: "says so"},
		Principal: bus.Principal{ID: "owner", Scopes: []string{"*"}}}, nil)
	if r.OK() || r.Err.Code != bus.Forbidden {
		t.Errorf("it was answered with %v", r.Err)
	}
	all := j.Entries()
	inv := all[len(all)-1].Invocation
	if inv.Caller.Type != bus.CallerAgent || inv.Principal.ID != "peer" || inv.Caller.Source != "says so" {
		t.Errorf("recorded as %+v of %+v", inv.Caller, inv.Principal)
	}
}

// FuzzOtherEnd: whatever comes, a link ends or answers, and no more comes of it.
func FuzzOtherEnd(f *testing.F) {
	f.Add([]byte(greeting + "\n" + `{"type":"invoke","id":1,"body":{"capability":"shelf.put","arguments":{"id":"a","count":1}}}` + "\n"))
	f.Add([]byte(greeting + "\n" + `{"type":"cancel","id":1}` + "\n" + `{"type":"invoke","id":1,"part":"e30=","more":false}` + "\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		b, j, _ := bustest.New(t, quickPut())
		here, there := net.Pipe()
		go func() {
			_, _ = there.Write(text)
			there.Close()
		}()
		go func() {
			for s := bufio.NewScanner(there); s.Scan(); {
			}
		}()
		_ = remote.Serve(t.Context(), here, b, bus.View{Caller: bus.CallerCLI, Principal: bus.Principal{ID: "nobody"}})
		if n := count(j, "a"); n != 0 {
			t.Errorf("%d are on the shelf", n)
		}
	})
}

// greedy is a connection to an end that makes calls, and reads nothing but the greeting until it is let.
type greedy struct {
	lines    chan string // that it says, one a Read
	let      chan struct{}
	answered atomic.Int64
	greeted  atomic.Bool
}

func (g *greedy) Read(p []byte) (int, error) {
	select {
	case line := <-g.lines:
		return copy(p, line+"\n"), nil
	case <-g.let:
		select {
		case line := <-g.lines:
			return copy(p, line+"\n"), nil
		default:
			return 0, io.EOF
		}
	}
}

func (g *greedy) Write(p []byte) (int, error) {
	if g.greeted.Swap(true) {
		<-g.let
		g.answered.Add(1)
	}
	return len(p), nil
}

func (g *greedy) Close() error { return nil }

// TestAnEndThatReadsNoAnswersIsNotReadEither, once too many of its calls have no answer. When it reads, all are answered;
// when it reads nothing for too long, the link ends.
func TestAnEndThatReadsNoAnswersIsNotReadEither(t *testing.T) {
	for _, reads := range []bool{true, false} {
		const calls = 500
		g := &greedy{lines: make(chan string, calls+1), let: make(chan struct{})}
		g.lines <- greeting
		for id := range calls {
			g.lines <- fmt.Sprintf(`{"type":"invoke","id":%d,"body":{}}`, id+1)
		}
		grace := time.Hour
		if !reads {
			grace = time.Millisecond
		}
		var unread atomic.Int64
		l, err := remote.Open(t.Context(), g, remote.Options{MaxCalls: 2, Grace: grace,
			Answer: func(context.Context, []byte, func(*bus.Invocation)) bus.Result {
				unread.Store(max(unread.Load(), calls-int64(len(g.lines))-g.answered.Load()))
				return bus.Result{Status: bus.StatusSuccess}
			}})
		if err != nil {
			t.Fatal(err)
		}
		if reads {
			time.Sleep(50 * time.Millisecond) // for a link that goes on reading
			close(g.let)
			<-l.Done()
			if err := l.Err(); err != nil || g.answered.Load() != calls {
				t.Errorf("%d calls are answered, and the link ended with %v", g.answered.Load(), err)
			}
		} else {
			for err = l.Err(); err == nil; err = l.Err() {
				time.Sleep(time.Millisecond)
			}
			if !strings.Contains(err.Error(), "reads no answers") {
				t.Error(err)
			}
			close(g.let)
			<-l.Done()
		}
		if n := unread.Load(); n > 5 {
			t.Errorf("%d calls were read that had no answer", n)
		}
	}
}
