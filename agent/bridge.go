package agent

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent/internal/clock"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/userinfo"
	"github.com/google/uuid"
)

// Options configure a Bridge. Bus, Policy and Model are required.
type Options struct {
	Bus    *bus.Bus
	Policy *policy.Policy
	Model  func() model.Model // called at the start of each turn; nil from it: no model is set up

	// Context returns a minimal summary of the present state that the model needs to act. Each turn calls it. The
	// result must marshal to JSON.
	Context func(ctx context.Context, person bus.Principal) (any, error)
	// Personal names the fields of the context that have the mark x-personal in their tags. [AssistantStatus] lists
	// them among the fields that leave the machine.
	Personal []string
	// NameFields lists fields, in small letters, whose values are names of people, in addition to those that end in
	// "name". For these values the mask also hides each part of the name.
	NameFields []string

	View func() bus.View // limits the tools by route; default everything an agent may see

	// Mask reports whether a model gets placeholders instead of personal values. The bridge restores the values in its
	// replies. The setting assistant.setMasked adds remote models. nil: no other model.
	Mask func(bus.ModelID) bool

	// Note is added to the instructions of every model; "" adds nothing.
	Note string

	// Forms reports whether there is a page, which shows the form of an UpdateForm.
	Forms bool

	// Store keeps the conversations, so that they can continue later. nil: they end with the program.
	Store *Store
	// Switches is the store of the switches, budget and rules that apply; nil: Store.
	Switches *Store

	// Price returns the present price of a model at the start of each turn; nil from it means unknown. nil: no model
	// has a price.
	Price func(ctx context.Context, m bus.ModelID) (*Price, error)

	// Zone returns the time zone for words such as "yesterday" and for the days of a budget; default the clock's zone.
	Zone   func(ctx context.Context) (*time.Location, error)
	Clock  func() time.Time                                 // default time.Now
	NewID  func(prefix string) string                       // default prefix_ + UUID v7
	Sleep  func(ctx context.Context, d time.Duration) error // waits before a retry; default a timer
	Logger *slog.Logger                                     // default slog.Default

	MaxSteps    int           // model requests per turn; default 16
	MaxCalls    int           // calls per turn; default 64
	MaxTokens   int           // of all requests of a turn, in and out; default 1 000 000
	MaxTime     time.Duration // limit of a turn; default 30 minutes
	MaxRequest  time.Duration // limit of one model request; default 10 minutes: cold local models are slow
	MaxQuiet    time.Duration // until a notice that the model has not answered yet; default 5 seconds
	MaxContext  int           // bytes of the context summary; default 8 KiB
	MaxInline   time.Duration // until long work continues in the background; default 2 seconds
	MaxParallel int           // reads at once; default 8
	MaxHistory  int           // tokens of a conversation in a request; default 48 000
	MaxResult   int           // tokens of one result in a request; default 6 000: a longer list is cut

	// MaxToolTokens is the budget of the tool definitions; default 4 000. If not all fit, a conversation begins with
	// [Bridge.Core], and the model finds the others by capability.list and capability.describe, if they are registered.
	// For a model with a known small context the definitions get at most a third of it.
	MaxToolTokens int
	// Core lists the capabilities in most use, the most used first. nil: those with the most phrases count as most
	// used.
	Core func(ctx context.Context) []string
}

// Bridge runs conversations between a person, a model and a bus. It is safe for
// concurrent use; each conversation has one turn at a time.
type Bridge struct {
	o     Options
	sub   *bus.Subscription
	turns sync.WaitGroup // the running ones

	mu            sync.Mutex // guards the rest
	closed        bool
	conversations map[string]*conversation
	begun         int                               // turns so far
	tasks         map[*task]context.CancelCauseFunc // may outlive their turn
	ended         map[string][]ended                // by conversation: results of tasks that the model has not read yet
	log           eventLog
	asked         bus.ModelID   // the model of the latest request, empty before the first
	answered      bool          // the latest request succeeded
	latency       time.Duration // of the latest request
}

// Turn is one sentence of a person.
type Turn struct {
	ConversationID string
	Text           string
	Principal      bus.Principal // the speaker; the bridge sets door, conversation and model
	Pages          []PageContext // the open pages

	// Autonomy limits the assistant from now on; "" keeps the present value, which starts as policy.AskFirst.
	Autonomy policy.Autonomy
}

// New makes a bridge. It panics if a required option is missing.
func New(o Options) *Bridge {
	if o.Bus == nil || o.Policy == nil || o.Model == nil {
		panic("agent: New needs Options.Bus, Options.Policy and Options.Model")
	}
	if o.View == nil {
		o.View = func() bus.View { return bus.View{} }
	}
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.NewID == nil {
		o.NewID = func(prefix string) string { return prefix + "_" + uuid.Must(uuid.NewV7()).String() }
	}
	if o.Sleep == nil {
		o.Sleep = clock.Sleep
	}
	o.Logger, o.Switches = cmp.Or(o.Logger, slog.Default()), cmp.Or(o.Switches, o.Store)
	if o.Mask == nil {
		o.Mask = func(bus.ModelID) bool { return false }
	}
	if o.Context == nil {
		o.Context = func(context.Context, bus.Principal) (any, error) { return nil, nil }
	}
	if o.Core == nil {
		o.Core = func(context.Context) []string { return []string{} }
	}
	if o.Price == nil {
		o.Price = func(context.Context, bus.ModelID) (*Price, error) { return nil, nil }
	}
	o.MaxSteps = cmp.Or(o.MaxSteps, 16)
	o.MaxCalls = cmp.Or(o.MaxCalls, 64)
	o.MaxTokens = cmp.Or(o.MaxTokens, 1_000_000)
	o.MaxTime = cmp.Or(o.MaxTime, 30*time.Minute)
	o.MaxRequest = cmp.Or(o.MaxRequest, 10*time.Minute)
	o.MaxQuiet = cmp.Or(o.MaxQuiet, 5*time.Second)
	o.MaxContext = cmp.Or(o.MaxContext, 8<<10)
	o.MaxInline = cmp.Or(o.MaxInline, 2*time.Second)
	o.MaxParallel = cmp.Or(o.MaxParallel, 8)
	o.MaxToolTokens = cmp.Or(o.MaxToolTokens, 4_000)
	o.MaxHistory = cmp.Or(o.MaxHistory, 48_000)
	o.MaxResult = cmp.Or(o.MaxResult, 6_000)
	return &Bridge{o: o, sub: o.Bus.Subscribe(), conversations: map[string]*conversation{},
		tasks: map[*task]context.CancelCauseFunc{}, ended: map[string][]ended{}}
}

// Close stops every running turn and returns when all have ended. By then their calls have their records. No turn
// begins afterwards.
func (b *Bridge) Close() {
	b.mu.Lock()
	b.closed = true
	for _, c := range b.conversations {
		if c.turn != nil {
			c.turn.stop()
		}
	}
	for _, cancel := range b.tasks {
		cancel(errStopped)
	}
	b.mu.Unlock()
	b.turns.Wait()
	b.sub.Close()
}

// errStopped is the cause of a context that the person cancelled.
var errStopped = errors.New("agent: stopped by the person")

// longestMessage limits a message of the person in bytes, because the conversation and the log store it.
const longestMessage = 64 << 10

// Send runs one turn and returns when it has ended. It passes every update, failures included, to sink; the last one is
// turn_ended. An error means that no turn began. One goroutine at a time calls sink. The sink may not call Send for the
// same conversation itself, because that waits until the sink returns.
func (b *Bridge) Send(ctx context.Context, turn Turn, sink func(Update)) error {
	turn.Text = userinfo.Strip(strings.TrimSpace(turn.Text))
	switch {
	case turn.Text == "":
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "There is nothing to send.")
	case len(turn.Text) > longestMessage:
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "The message is longer than %d kB.", longestMessage>>10).
			WithHint("Say it in parts.")
	case turn.Autonomy != "" && !slices.Contains(policy.Autonomies, turn.Autonomy):
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "The autonomy %q is none of look, ask, grants.", turn.Autonomy)
	case turn.ConversationID == "":
		return bus.Errorf(bus.Validation, bus.ReasonArguments, "A turn needs a conversation.")
	}
	if on, err := b.o.Switches.enabled(ctx); err != nil || !on {
		return cmp.Or(err, errSwitchedOff())
	}
	model := b.o.Model()
	if model == nil {
		return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "No assistant is set up.").
			WithHint("Choose one in the settings.")
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if !b.awaitEnd(ctx, turn.ConversationID) {
		return bus.Errorf(bus.Transient, bus.ReasonCancelled, "The application is closing.")
	}
	if err := b.recall(ctx, turn); err != nil {
		return err
	}
	t, err := b.begin(turn, model, sink, cancel)
	if err != nil {
		return err
	}
	defer b.end(t)
	t.run(ctx)
	return nil
}

// awaitEnd waits for the turn of a conversation if its end has been announced, because a page that reads turn_ended may
// send the next turn at once. It returns false if ctx ends first.
func (b *Bridge) awaitEnd(ctx context.Context, conversationID string) bool {
	b.mu.Lock()
	var over chan struct{}
	if c := b.conversations[conversationID]; c != nil && c.turn != nil && c.ended {
		over = c.turn.over
	}
	b.mu.Unlock()
	if over == nil {
		return true
	}
	select {
	case <-over:
		return true
	case <-ctx.Done():
		return false
	}
}

// begin opens the conversation for one turn.
func (b *Bridge) begin(turn Turn, model model.Model, sink func(Update), cancel context.CancelCauseFunc) (*turnRun,
	error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, bus.Errorf(bus.Transient, bus.ReasonCancelled, "The application is closing.")
	}
	b.log.drain(b.sub)
	c := b.conversations[turn.ConversationID]
	switch {
	case c == nil:
		c = b.newConversation(turn)
		b.conversations[turn.ConversationID] = c
	case c.person != turn.Principal.ID:
		return nil, errNoConversation()
	case c.turn != nil:
		return nil, bus.Errorf(bus.Conflict, bus.ReasonBusy, "The assistant is still busy with what was said before.").
			WithHint("Wait, or stop it.")
	}
	if turn.Autonomy != "" {
		c.provenance.SetAutonomy(turn.Autonomy)
	}
	t := newTurn(b, c, turn, model, sink, cancel)
	t.missed, t.events = b.log.since(c.eventsSeen, c.ownRequests)
	c.eventsSeen = b.log.end()
	t.addEndedTasks(b.ended[c.id])
	delete(b.ended, c.id)
	c.ownRequests = map[string]bool{} // the log position has passed all events of the last turn's calls
	b.begun++
	c.turn, c.ended, c.used = t, false, b.begun
	b.turns.Add(1)
	return t, nil
}

func (b *Bridge) end(t *turnRun) {
	b.mu.Lock()
	t.conv.turn = nil
	close(t.over)
	b.evict()
	b.mu.Unlock()
	b.turns.Done()
}

// maxIdle limits the conversations in memory without a running turn. The bridge reads the others from the store when
// they continue.
const maxIdle = 32

// evict drops the completely stored conversations with the oldest last turns. The caller holds b.mu.
func (b *Bridge) evict() {
	var idle []*conversation
	for _, c := range b.conversations {
		if b.o.Store != nil && c.turn == nil && c.saved == len(c.messages) {
			idle = append(idle, c)
		}
	}
	slices.SortFunc(idle, func(a, c *conversation) int { return a.used - c.used })
	for _, c := range idle[:max(len(idle)-maxIdle, 0)] {
		delete(b.conversations, c.id)
		delete(b.ended, c.id)
	}
}

// Thread returns the recent updates of a conversation in memory and the id of its running turn, "" if none runs. The
// end of that turn is not among the updates. After more erasures than it returns, the updates may contain erased text.
func (b *Bridge) Thread(conversationID string) (turnID string, told []any, erasures int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.conversations[conversationID]
	if c == nil {
		return "", nil, 0
	}
	if c.turn != nil && !c.ended {
		turnID = c.turn.id
	}
	return turnID, c.thread.recent(), c.erasures.all
}

// Stop ends the running turn of a person's conversation, with the model's request and the running calls. It reports
// whether there was one. The turn then lists the done and the stopped actions.
func (b *Bridge) Stop(conversationID, person string) bool {
	b.mu.Lock()
	c := b.conversations[conversationID]
	var t *turnRun
	if c != nil {
		t = c.turn
	}
	b.mu.Unlock()
	if t == nil || t.who.ID != person {
		return false
	}
	t.stop()
	return true
}

// Status describes the model that would answer now and its latest request. A model without a request counts as
// connected.
func (b *Bridge) Status() AssistantStatus {
	s := AssistantStatus{Enabled: true}
	answering := b.o.Model()
	if answering == nil {
		return s
	}
	profile := answering.Profile()
	if s.Remote = model.IsRemote(profile); s.Remote {
		s.Masked, s.Leaves = b.o.Mask(profile), b.personalFields(context.Background())
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	s.Endpoint, s.Model, s.Connected = profile.Endpoint, profile.Name, true
	if b.asked.Endpoint == profile.Endpoint && b.asked.Name == profile.Name { // only this model counts
		s.Connected, s.LatencyMS = b.answered, b.latency.Milliseconds()
	}
	return s
}

// masks reports whether a model gets placeholders instead of personal values.
func (b *Bridge) masks(ctx context.Context, m bus.ModelID) (bool, error) {
	if b.o.Mask(m) || !model.IsRemote(m) {
		return b.o.Mask(m), nil
	}
	return b.o.Switches.masked(ctx)
}

// recordLatency keeps the outcome of the latest request for Status.
func (b *Bridge) recordLatency(m bus.ModelID, took time.Duration, err error) {
	b.mu.Lock()
	b.asked, b.answered, b.latency = m, err == nil, took
	b.mu.Unlock()
}
