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
	Model  func() model.Model // asked at the start of each turn; nil from it means: none is set up

	// Context gives the minimal summary of the present state that the model needs
	// to act, fresh for every turn; it must marshal to JSON.
	Context func(ctx context.Context, person bus.Principal) (any, error)
	// Personal names the fields of the context that carry the mark x-personal in
	// their tags: what leaves the machine is told before it does.
	Personal []string
	// NameFields are the fields, in small letters, whose values are names of people,
	// beside those that end in "name": a part of a name is masked too.
	NameFields []string

	View func() bus.View // prunes the tools, by route; default everything an agent may see

	// Mask says for which models personal values are replaced by placeholders, which are put back in what the model
	// says, beside those for which assistant.setMasked does. nil: for none.
	Mask func(bus.ModelID) bool

	// Note is added to the instructions of every model, "" for nothing.
	Note string

	// Forms says that there is a page, which shows the form of an UpdateForm.
	Forms bool

	// Store keeps the conversations, so that they can be continued later. nil: they end with the program.
	Store *Store
	// Switches is the store whose switches, budget and rules count; nil: Store.
	Switches *Store

	// Price gives the present price of a model, at the start of each turn; nil from it
	// means unknown. nil: no model has a price.
	Price func(ctx context.Context, m bus.ModelID) (*Price, error)

	// Zone is where "yesterday" is meant, and a budget's day; default the clock's own.
	Zone   func(ctx context.Context) (*time.Location, error)
	Clock  func() time.Time                                 // default time.Now
	NewID  func(prefix string) string                       // default prefix_ + UUID v7
	Sleep  func(ctx context.Context, d time.Duration) error // waits before a retry; default a timer
	Logger *slog.Logger                                     // default slog.Default

	MaxSteps    int           // model requests per turn; default 16
	MaxCalls    int           // calls per turn; default 64
	MaxTokens   int           // of a turn's requests, in and out; default 1 000 000
	MaxTime     time.Duration // of a turn; default 30 minutes
	MaxRequest  time.Duration // of one model request; default 10 minutes: cold local models are slow
	MaxQuiet    time.Duration // after which the person is told that the model is waited for; default 5 seconds
	MaxContext  int           // bytes of the context summary; default 8 KiB
	MaxInline   time.Duration // for which a turn waits for long work before that goes on by itself; default 2 seconds
	MaxParallel int           // reads at once; default 8
	MaxHistory  int           // tokens of a conversation that a model is told; default 48 000
	MaxResult   int           // tokens of one result that it is told; default 6 000: of a longer list it is told a part

	// MaxToolTokens is the budget of the tool definitions; default 4 000. Where not all fit, a conversation begins with
	// [Bridge.Core]: the model reaches the others by capability.list and capability.describe, when they are registered.
	// Of a model whose context is known to be small they take no more than a third.
	MaxToolTokens int
	// Core lists the capabilities that are used most, the most used first. nil: the number of their phrases tells which
	// these may be.
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
	tasks         map[*task]context.CancelCauseFunc // what may outlive its turn
	ended         map[string][]ended                // by conversation: what did, and its model was not told of
	log           eventLog
	asked         bus.ModelID   // the one that was asked last, empty before
	answered      bool          // it answered then
	latency       time.Duration // of that
}

// Turn is one sentence of a person.
type Turn struct {
	ConversationID string
	Text           string
	Principal      bus.Principal // who says it; the bridge fills in door, conversation and model
	Pages          []PageContext // what is open before them

	// Autonomy is how far the person lets the assistant go from now on; "": as far as before, at first policy.AskFirst.
	Autonomy policy.Autonomy
}

// New makes a bridge. It panics when something required is missing.
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

// Close stops every running turn and returns when all have ended: by then their
// calls have their records. No turn begins afterwards.
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

// errStopped is the cause of a context cancelled by the person.
var errStopped = errors.New("agent: stopped by the person")

// longestMessage bounds a message of the person in bytes: it stands in the conversation and in the log.
const longestMessage = 64 << 10

// Send runs one turn and returns when it ended. Everything that happens, failures included, is told through sink, the
// last time as turn_ended; an error means that no turn began. sink is called by one goroutine at a time.
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
	c.ownRequests = map[string]bool{} // all events of the last turn's calls have been passed over
	b.begun++
	c.turn, c.ended, c.used = t, false, b.begun
	b.turns.Add(1)
	return t, nil
}

func (b *Bridge) end(t *turnRun) {
	b.mu.Lock()
	t.conv.turn = nil
	b.evict()
	b.mu.Unlock()
	b.turns.Done()
}

// maxIdle limits the conversations in memory that have no running turn. The others are read from the store when they go
// on.
const maxIdle = 32

// evict drops the conversations that were used least recently, if all of them is stored. The caller holds b.mu.
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

// Thread is what the turns of a conversation in memory have told, and the turn of them that goes on, "" when none
// does: its end is still to be told. After more erasures than these it may hold what was erased.
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
	return turnID, c.thread.told(), c.erasures.all
}

// Stop ends the running turn of a person's conversation: the model's request and the calls that run. It reports whether
// there was one; the turn itself then says what was and was not done.
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

// Status says which model would answer now and how it did the last time; one that
// was not asked yet counts as connected.
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
	if b.asked.Endpoint == profile.Endpoint && b.asked.Name == profile.Name { // what another one did says nothing of it
		s.Connected, s.LatencyMS = b.answered, b.latency.Milliseconds()
	}
	return s
}

// masks says whether personal values are kept from a model.
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
