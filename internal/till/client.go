package till

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/google/uuid"

	"github.com/deskhand/deskhand/agent/page"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/remote"
)

// LinkDomain is the domain of the state changes that report the link to the page, with "up" or "down" as their first
// id. If there is a copy, its time follows, in Unix milliseconds, and the names of the capabilities that it answers.
const LinkDomain = "link"

// patience is the default time that a call waits for an interrupted link before it is refused.
const patience = 5 * time.Second

// Client handles the calls of a till's page through its host. Run maintains the link. All methods may be called from
// any goroutine.
type Client struct {
	Dial func(context.Context) (io.ReadWriteCloser, error) // opens a connection to the host
	Emit func(stream string, payload any)                  // sends an event to the page
	// Pick lets the person choose a file of a kind on this computer. content is nil if the person cancelled. If Pick is
	// nil, no file can be chosen.
	Pick     func(kind string) (name string, content []byte, err error)
	Patience time.Duration // time that a call waits for the link; 0: 5 s
	Removed  func()        // called once when the host refuses this till because its owner removed it; may be nil
	// Own holds the capabilities that only change the content of the window. They run here, and the host records them.
	Own []bus.Capability
	// Copy answers some reads while there is no link. It is read with the rights of the signed-in person, and forgotten
	// at a sign-out.
	Copy Copy

	once   sync.Once
	window string // drawn once
	own    *own
	copied *copied

	emitMu sync.Mutex // makes the last report to the page the current one; taken before mu

	mu       sync.Mutex // guards the other fields
	link     *remote.Link
	cut      bool          // a link was lost, or none could be opened; false if the host refuses this till
	back     chan struct{} // closed when there is a link, or the till was refused
	refused  error         // why the host refuses this till; nil if it does not
	session  string
	heard    uint64          // number of the last event shown
	number   uint64          // number of the last call
	open     map[uint64]bool // calls without an answer, by number
	answered uint64          // all calls up to this one have an answer
}

var _ page.Methods = (*Client)(nil)

func (c *Client) begin() {
	c.once.Do(func() {
		c.window, c.back, c.open = uuid.NewString(), make(chan struct{}), map[uint64]bool{}
		c.own, c.copied = newOwn(c), &copied{c: c, old: make(chan struct{}, 1), person: make(chan struct{}, 1)}
	})
}

// Run maintains a link to the host until ctx ends, or until the owner removes this till. It reopens a link that ended,
// first immediately, then at growing intervals.
func (c *Client) Run(ctx context.Context) {
	c.begin()
	var inside sync.WaitGroup
	defer inside.Wait()
	ctx, end := context.WithCancel(ctx)
	defer end()
	inside.Go(func() { c.own.show(ctx) })
	inside.Go(func() { c.own.record(ctx) })
	inside.Go(func() { c.copied.keep(ctx) })
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval, wait.MaxInterval = 50*time.Millisecond, time.Second
	for ctx.Err() == nil {
		link, err := c.connect(ctx)
		if err == nil {
			wait.Reset()
			signal(c.copied.old)
			c.tell()
			select {
			case <-link.Done():
			case <-ctx.Done():
				_ = link.Close()
			}
			err = link.Err()
			c.lost(link)
			c.tell()
		}
		slog.Debug("there is no link to the host", "cause", err)
		if c.note(err) {
			c.tell()
		}
		if WasRemoved(err) && c.Removed != nil {
			c.Removed()
			return
		}
		select {
		case <-time.After(wait.NextBackOff()):
		case <-ctx.Done():
		}
	}
}

// tell reports the state of the link to the page and, while the link is down, the time of the copy.
func (c *Client) tell() {
	c.emitMu.Lock()
	defer c.emitMu.Unlock()
	state := "up"
	if c.isCut() {
		state = "down"
	}
	c.Emit("bus", bus.Event{Type: bus.EventStateChange, Domain: LinkDomain,
		IDs: append([]string{state}, c.copied.said()...)})
}

func (c *Client) isCut() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.cut
}

// connect opens a link and the session in it.
func (c *Client) connect(ctx context.Context) (*remote.Link, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	conn, err := c.Dial(ctx)
	if err != nil {
		return nil, err
	}
	link, err := remote.Open(ctx, conn, remote.Options{Bus: c.own.bus, View: c.own.view(), Answer: c.answer})
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	raw, err := json.Marshal(openRequest{c.window, c.session, c.heard})
	c.mu.Unlock()
	var out openAnswer
	if err == nil {
		r := link.Invoke(ctx, bus.Invocation{Capability: callOpen, Arguments: raw}, nil)
		if err = r.Error(); err == nil {
			err = json.Unmarshal(r.Data, &out)
		}
	}
	if err == nil && out.Session == "" {
		err = errors.New("till: the host named no session")
	}
	if err != nil {
		_ = link.Close()
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.enter(out.Session)
	c.link, c.cut, c.refused = link, false, nil
	close(c.back)
	return link, nil
}

func (c *Client) lost(link *remote.Link) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.link == link {
		c.link, c.cut, c.back = nil, true, make(chan struct{})
	}
}

// note records the reason for a missing link, and reports whether it is new to the page. If the host refuses this till,
// waiting and later calls are answered with that reason.
func (c *Client) note(why error) (news bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before := c.cut
	coded, is := errors.AsType[*bus.Error](why)
	if c.cut = !is || coded.Code == bus.Transient; !c.cut {
		c.refused = why
		close(c.back)
		c.back = make(chan struct{})
	}
	return c.cut != before
}

// enter switches to a session. The caller holds mu. The page's events of another session are outdated.
func (c *Client) enter(session string) {
	if session == c.session {
		return
	}
	before := c.session
	c.session, c.heard = session, 0
	if before != "" {
		c.copied.another()
		c.Emit("bus", renewed)
	}
}

// answer handles events from the host, one call after the other, because the host waits for each. Other calls are for
// this till's own bus.
func (c *Client) answer(ctx context.Context, invocation []byte, stamp func(*bus.Invocation)) bus.Result {
	var in struct {
		Capability string
		Arguments  showRequest
	}
	err := json.Unmarshal(invocation, &in)
	if err == nil && in.Capability != callShow {
		return c.own.serve(ctx, invocation, stamp)
	}
	if err != nil || in.Arguments.Session == "" {
		return failed(bus.Errorf(bus.Validation, bus.ReasonEnvelope, "What the host sent is not understood.").
			WithHint("Update the older of the two programs.").WithCause(err))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.enter(in.Arguments.Session)
	for _, e := range in.Arguments.Events {
		if e.Number <= c.heard {
			continue
		}
		if c.heard = e.Number; !c.own.has(e.Stream, e.Payload) {
			c.Emit(e.Stream, e.Payload)
		}
		c.copied.hear(e.Stream, e.Payload)
	}
	return bus.Result{Status: bus.StatusSuccess, Data: json.RawMessage(`{}`)}
}

// Invoke runs one invocation, locally if the capability belongs to this till.
func (c *Client) Invoke(invocation string) string {
	c.begin()
	if answer, is := c.own.invoke(invocation); is {
		return answer
	}
	if answer, is := c.copied.invoke(invocation); is {
		return answer
	}
	before := c.copied.changes()
	answer := c.call("invoke", invocation)
	if c.copied.changes() != before { // a read before the person had the right was refused
		signal(c.copied.old)
	}
	return answer
}

// Cancel ends a running invocation.
func (c *Client) Cancel(request string) string { return c.call("cancel", request) }

// Manifest lists the capabilities of the signed-in person. A page that loads learns immediately that the link is
// interrupted.
func (c *Client) Manifest(request string) string {
	c.begin()
	if c.isCut() {
		c.tell()
	}
	return c.call("manifest", request)
}

// Send passes a sentence to the assistant.
func (c *Client) Send(request string) string { return c.call("send", request) }

// Stop ends the running turn of a conversation.
func (c *Client) Stop(request string) string { return c.call("stop", request) }

// Decide answers a confirmation card.
func (c *Client) Decide(request string) string { return c.call("decide", request) }

// DropFile passes a file dropped onto the window to the host.
func (c *Client) DropFile(request string) string { return c.call("dropFile", request) }

// PickFile lets the person choose a file of this computer, and passes it to the host.
func (c *Client) PickFile(request string) string {
	var in struct{ Kind string }
	if err := json.Unmarshal([]byte(request), &in); err != nil || c.Pick == nil {
		return page.Refusal(bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "No file can be chosen here.").
			WithCause(err))
	}
	name, content, err := c.Pick(in.Kind)
	switch {
	case err != nil:
		return page.Refusal(err)
	case content == nil:
		return "{}"
	}
	raw, err := json.Marshal(struct {
		Name    string `json:"name"`
		Content []byte `json:"content"`
	}{name, content})
	if err != nil {
		return page.Refusal(err)
	}
	return c.DropFile(string(raw))
}

// call makes a call of the page at the host.
func (c *Client) call(method, request string) string {
	answer, _ := c.make(context.Background(), pageRequest{Method: method, Request: json.RawMessage(cmp.Or(request, "{}"))})
	return answer
}

// make makes a call of the page at the host, over several links if necessary. answered reports whether the host
// answered.
func (c *Client) make(ctx context.Context, in pageRequest) (answer string, answered bool) {
	c.begin()
	in.Number = c.take()
	defer c.done(in.Number)
	sentIn := "" // the session of its first attempt
	for {
		link, session, upTo, refused := c.wait(ctx)
		switch {
		case refused != nil:
			return page.Refusal(refused), true
		case link == nil && sentIn == "":
			return page.Refusal(bus.Errorf(bus.Transient, bus.ReasonNetwork, "The shop cannot be reached.").
				WithHint("Nothing was changed. It goes on when the link is back.")), false
		case link == nil, sentIn != "" && session != sentIn && !in.mayRepeat():
			return page.Refusal(bus.Errorf(bus.Transient, bus.ReasonInterrupted,
				"The shop could not be reached any more: it is not known whether that was done.").
				WithHint("Look whether it was done before you do it again.")), link != nil
		}
		sentIn, in.Answered = session, upTo
		raw, err := json.Marshal(in)
		if err != nil {
			return page.Refusal(bus.Errorf(bus.Validation, bus.ReasonEnvelope, "What the page sent is not understood.").
				WithCause(err)), true
		}
		r := link.Invoke(ctx, bus.Invocation{Capability: callPage, Arguments: raw}, nil)
		if r.OK() {
			return string(r.Data), true
		}
		if r.Err == nil || r.Err.Code != bus.Transient {
			return page.Refusal(r.Error()), true
		}
		select {
		case <-link.Done(): // if the call has not ended, the host ends it
			c.lost(link)
		case <-ctx.Done():
			return "", false
		}
	}
}

// take draws the number of a call.
func (c *Client) take() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.number++
	c.open[c.number] = true
	return c.number
}

// done records that a call has its answer.
func (c *Client) done(number uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.open, number)
	for c.answered < c.number && !c.open[c.answered+1] {
		c.answered++
	}
}

// wait waits for a link. It returns a nil link after the waiting time of a call, or if the host refuses this till.
func (c *Client) wait(ctx context.Context) (link *remote.Link, session string, answered uint64, refused error) {
	limit := c.Patience
	if limit == 0 {
		limit = patience
	}
	over := time.After(limit)
	for {
		c.mu.Lock()
		back := c.back
		link, session, answered, refused = c.link, c.session, c.answered, c.refused
		c.mu.Unlock()
		if link != nil || refused != nil {
			return link, session, answered, refused
		}
		select {
		case <-back:
		case <-over:
			return nil, "", 0, nil
		case <-ctx.Done():
			return nil, "", 0, nil
		}
	}
}

// mayRepeat reports whether a second attempt of a call is harmless at a host that does not know of the first.
func (in *pageRequest) mayRepeat() bool {
	switch in.Method {
	case "manifest", "cancel", "stop":
		return true
	case "invoke":
		var call struct {
			Key    string `json:"idempotency_key"`
			DryRun bool   `json:"dry_run"`
		}
		return in.Ran || json.Unmarshal(in.Request, &call) == nil && (call.Key != "" || call.DryRun)
	}
	return false
}
