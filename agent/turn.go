package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/internal/tokens"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// turnRun is one running turn. The goroutine of Send owns all fields except those that mu guards.
type turnRun struct {
	b          *Bridge
	conv       *conversation
	id         string
	text       string
	who        bus.Principal
	pages      []PageContext
	model      model.Model
	events     []bus.Event // since the last turn
	missed     int         // number of earlier ones that the log dropped
	endedTasks []ended     // tasks that ended since the last turn
	start      time.Time
	from       int // index of the turn's first message
	cancel     context.CancelCauseFunc

	manifest     bus.Manifest
	budget       tokenBudget
	system       string
	tools        []bus.Tool                   // in the conversation's order
	more         int                          // number of tools that the model does not get
	capabilities map[string]string            // capability by tool name
	titles       map[string]bus.ManifestEntry // by capability

	calls     int
	spent     tally
	replyCost tally // the part of the latest reply
	continued bool
	written   bool // the latest reply contained a call written as text
	nudged    bool // the model was reminded to make calls as calls
	shortened bool // the request was repeated with less content
	requests  int  // number of requests to the model
	rules     houseRules
	reviews   bool      // the person reviews text that other people wrote before the model reads it
	sent      hash.Hash // digest of the requests; nil for a model without an address
	errors    errorPolicy
	keys      map[string]string // idempotency keys of outward calls, by capability and arguments
	actions   []Action
	choices   []bus.Choice // of the latest call, if it was refused

	suggestions  []Suggestion // the latest ones
	alternatives bool         // the person should choose only one of them

	over chan struct{} // closed when another turn may begin

	mu       sync.Mutex // guards the rest
	sink     func(Update)
	running  map[string]bool // by request id
	stopping chan struct{}   // nil until stop begins, closed when it has cancelled the turn
}

func newTurn(b *Bridge, c *conversation, turn Turn, model model.Model, sink func(Update),
	cancel context.CancelCauseFunc) *turnRun {
	profile := model.Profile()
	profile.PromptVersion = cmp.Or(profile.PromptVersion, promptVersion)
	who := turn.Principal
	_, at, elsewhere := strings.Cut(who.Door, ":")
	who.Door, who.ConversationID, who.Model = "bridge", c.id, &profile
	if elsewhere { // a remote computer's name follows the colon
		who.Door += ":" + at
	}
	return &turnRun{b: b, conv: c, id: b.o.NewID("turn"), text: turn.Text, who: who, pages: b.cleaned(turn.Pages),
		model: model, start: b.o.Clock(), sink: sink, cancel: cancel, keys: map[string]string{}, running: map[string]bool{},
		over: make(chan struct{}),
		errors: errorPolicy{refused: map[string]*bus.Error{}, declined: map[string]int{}, wrong: map[string][]int{},
			final: map[string]*bus.Error{}}}
}

// emit passes an update to the sink, one at a time.
func (t *turnRun) emit(u Update) {
	u.ConversationID, u.TurnID = t.conv.id, t.id
	t.mu.Lock()
	defer t.mu.Unlock()
	t.conv.thread.add(u)
	if t.sink != nil {
		t.sink(u)
	}
}

// awaitStop changes the running calls, and waits if the turn is being stopped, so that no call and no request to the
// model begins before it is cancelled.
func (t *turnRun) awaitStop(change func()) {
	t.mu.Lock()
	change()
	stopping := t.stopping
	t.mu.Unlock()
	if stopping != nil {
		<-stopping
	}
}

// stop ends the turn. It cancels running calls first, so that each gets its own result: see awaitStop.
func (t *turnRun) stop() {
	t.mu.Lock()
	ids, begun := slices.Collect(maps.Keys(t.running)), t.stopping != nil
	if !begun {
		t.stopping = make(chan struct{})
	}
	t.mu.Unlock()
	if begun {
		return
	}
	for _, id := range ids {
		t.b.o.Bus.Cancel(id, t.who.ID)
	}
	t.cancel(errStopped)
	close(t.stopping)
}

// run carries out the whole turn.
func (t *turnRun) run(ctx context.Context) {
	before := t.conv.provenance.Autonomy()
	t.emit(Update{Type: UpdateTurnStarted, Text: t.text, Model: t.who.Model, Autonomy: before})
	t.conv.provenance.Heard(text.Mentions(t.text, func(m text.Mention) string {
		t.conv.mask.LearnContext(struct { // an id may contain a name
			ID, Name string `x:"personal=true"`
		}{m.ID, m.Name})
		return m.Name + " " + m.ID
	}))
	ctx = t.conv.provenance.In(ctx)
	status, failure := t.loop(ctx)
	if isStop(ctx) || ctx.Err() != nil {
		status, failure = StatusStopped, ""
		t.say(t.stopText())
	} else if failure != "" && len(t.actions) > 0 {
		t.say(actionsText(t.actions)) // the failure does not name them
	}
	end := Update{Type: UpdateTurnEnded, Status: status, Error: failure, Actions: t.actions, Suggestions: t.suggestions,
		Plan: t.plan()}
	if !t.spent.none() {
		usage := t.spent.usage()
		end.Usage = &usage
	}
	t.save(ctx)
	end.Notice = t.nearBudget(ctx)
	if now := t.conv.provenance.Autonomy(); now != before {
		end.Autonomy = now
	}
	t.recordTurn(ctx, status)
	t.b.mu.Lock()
	t.conv.ended = true // the turn is stored completely, so Thread no longer reports it as running
	t.b.mu.Unlock()
	t.emit(end)
}

// loop asks the model and carries out its calls until it makes no more.
func (t *turnRun) loop(ctx context.Context) (Status, string) {
	t.conv.toolset.found = t.b.o.Bus.Relevant(bus.View{Caller: bus.CallerAgent, Principal: t.who}, t.text, maxFound)
	if failure := cmp.Or(t.readRules(ctx), t.refresh(ctx, true)); failure != "" {
		return StatusError, failure
	}
	t.start = t.at(ctx)
	t.from = len(t.conv.messages)
	t.spent.price = t.price(ctx)
	t.conv.messages = append(t.conv.messages, model.Message{Role: model.RoleUser, Text: t.text,
		Context: t.stateContext(ctx),
		At:      t.start, Open: open(t.pages)})
	t.save(ctx)
	for step := 0; ; step++ {
		if failure := cmp.Or(t.limit(step), t.overBudget(ctx)); failure != "" {
			return StatusLimit, failure
		}
		if t.erased(ctx) {
			return t.endErased()
		}
		reply, err := t.ask(ctx)
		if errors.Is(err, errErased) {
			return t.endErased()
		}
		if shorter := (interface{ FitsLess() bool })(nil); errors.As(err, &shorter) && shorter.FitsLess() && !t.shortened {
			t.shortened, t.conv.toolset.offered = true, nil // the endpoint stated its limit
			clear(t.conv.limits)
			if failure := t.refresh(ctx, true); failure != "" {
				return StatusError, failure
			}
			continue
		}
		if err != nil {
			t.appendReply(reply)
			return StatusError, t.explain(err)
		}
		if len(reply.Calls) == 0 {
			status, failure, again := t.finish(reply)
			if again {
				continue
			}
			return status, failure
		}
		kept := reply
		kept.Calls = t.redactedCalls(reply.Calls)
		t.appendReply(kept)
		if done := t.carryOut(ctx, reply); !done {
			return StatusLimit, fmt.Sprintf("The assistant wanted more than %d calls in one turn, so it was stopped.",
				t.b.o.MaxCalls)
		}
		t.save(ctx)
		if ctx.Err() != nil {
			return StatusStopped, ""
		}
		if strings.TrimSpace(reply.Text) != "" && t.onlySuggested(reply) {
			return StatusDone, "" // the suggestions end the turn
		}
		if failure := t.refresh(ctx, false); failure != "" {
			return StatusError, failure
		}
	}
}

// limit returns a sentence about the limit that the turn has reached, "" for none.
func (t *turnRun) limit(step int) string {
	switch {
	case step >= t.b.o.MaxSteps:
		return fmt.Sprintf("The assistant took %d steps without coming to an end, so it was stopped.", step)
	case t.spent.input+t.spent.output >= t.b.o.MaxTokens:
		return fmt.Sprintf("The turn took %d tokens, so it was stopped.", t.spent.input+t.spent.output)
	case t.b.o.Clock().Sub(t.start) > t.b.o.MaxTime:
		return fmt.Sprintf("The turn took longer than %s, so it was stopped.", text.Duration(t.b.o.MaxTime))
	}
	return ""
}

// refresh builds the tools for the next request from the present manifest. It returns a sentence if that fails. The
// flag begins is true at the beginning of a turn or for a new choice of tools.
func (t *turnRun) refresh(ctx context.Context, begins bool) (failure string) {
	view, set := t.b.o.View(), &t.conv.toolset
	view.Caller, view.Principal = bus.CallerAgent, t.who
	usual := set.core
	if usual == nil {
		usual = t.b.o.Core(ctx)
	}
	view.Keep = slices.Concat(view.Keep, usual, set.keep())
	view.Budget = cmp.Or(view.Budget, math.MaxInt32) // the tools are chosen below, so the manifest needs no limit
	m, err := t.b.o.Bus.Manifest(ctx, view)
	if err != nil {
		t.b.o.Logger.Error("no manifest for the assistant", "cause", err)
		return "The application could not say what it can do. Try again."
	}
	tools, err := m.Tools()
	if err != nil {
		t.b.o.Logger.Error("no tools for the assistant", "cause", err)
		return "The application has more to offer here than a model can be told: " + text.Sentence(err.Error())
	}
	if forms, bad := t.formTools(m); bad == nil {
		tools = append(tools, forms...)
	}
	if !t.b.o.Forms {
		tools = slices.DeleteFunc(tools, func(tool bus.Tool) bool { return tool.Capability == nameForm })
	}
	if t.conv.provenance.Autonomy() == policy.LookOnly {
		tools = slices.DeleteFunc(tools, func(tool bus.Tool) bool {
			c, known := t.b.o.Bus.Lookup(tool.Capability)
			return known && c.SideEffect != bus.Pure
		})
	}
	t.titles = map[string]bus.ManifestEntry{}
	for _, e := range m.Capabilities {
		t.titles[e.Name] = e
	}
	t.manifest, t.capabilities, t.system = m, map[string]string{}, system(m.Application.Name)+t.b.o.Note+t.rules.prompt()
	t.budget = t.b.tokenBudget(contextSize(ctx, t.model), t.conv.ratio, t.system)
	if set.core == nil {
		set.core = core(m, usual)
	}
	if t.tools = tools; !readsManifest(t.model) {
		t.tools = set.choose(tools, t.titles, t.budget.tools, begins)
		left := t.budget.tools
		for _, tool := range t.tools {
			left -= toolTokens(tool)
		}
		t.budget.history = max(t.budget.history+min(left, 0), smallestTurn) // a described tool may exceed its budget
	}
	t.more = len(tools) - len(t.tools)
	if t.callsByName() {
		t.more++ // capability.call is not a real capability
	}
	for _, tool := range tools {
		t.capabilities[tool.Name] = tool.Capability
	}
	return ""
}

// at returns the time of the person's sentence in the zone for days.
func (t *turnRun) at(ctx context.Context) time.Time {
	if t.b.o.Zone == nil {
		return t.start
	}
	zone, err := t.b.o.Zone(ctx)
	if err != nil {
		t.b.o.Logger.Warn("no time zone for the assistant", "cause", err)
		return t.start
	}
	return t.start.In(zone)
}

// price returns the model's price, nil if unknown.
func (t *turnRun) price(ctx context.Context) *Price {
	p, err := t.b.o.Price(ctx, *t.who.Model)
	if err != nil {
		t.b.o.Logger.Warn("no price of the model", "cause", err)
		return nil
	}
	return p
}

func (t *turnRun) stateContext(ctx context.Context) string {
	state, err := t.b.o.Context(ctx, t.who)
	if err != nil {
		t.b.o.Logger.Warn("no context for the assistant", "cause", err)
		state = nil
	}
	t.conv.mask.LearnContext(state)
	for _, p := range t.pages {
		for _, id := range p.IDs { // an id may contain a name
			t.conv.mask.LearnContext(struct {
				ID string `x:"personal=true"`
			}{id})
		}
	}
	masks, err := t.b.masks(ctx, *t.who.Model)
	news := eventLines(t.missed, t.events, !masks && err == nil && !t.reviews)
	for _, e := range t.endedTasks {
		news = append(news, t.endedText(e))
	}
	if readsManifest(t.model) {
		return stateContext("", state, t.pages, t.b.o.MaxContext, news, t.tools, t.titles)
	}
	if t.more > 0 {
		news = append(news, fmt.Sprintf(moreTools, t.more))
	}
	for _, tool := range t.conv.toolset.hints {
		news = append(news, fmt.Sprintf(hintedTool, callTool.Name, tool.Name, tool.Description, tool.Parameters))
	}
	limit := min(t.b.o.MaxContext, t.budget.history*tokens.Bytes/4)
	return t.b.toolNames(stateContext(now(t.at(ctx)), state, t.pages, limit, news, t.tools, t.titles))
}

// ask makes one request. It contains the context of this turn only, because older state is stale.
func (t *turnRun) ask(ctx context.Context) (model.Reply, error) {
	req := model.Request{System: t.system, Tools: t.toolList()}
	var did []doneIn
	messages := t.forModel()
	if !readsManifest(t.model) {
		did = doneBefore(messages[:t.from])
	}
	req.Messages = t.conv.window.messages(messages, t.from, t.budget.history, did)
	id := t.b.o.NewID("msg")
	limited, cancel := context.WithTimeout(ctx, t.b.o.MaxRequest)
	defer cancel()
	began := t.b.o.Clock()
	stopNotice := t.waitNotice(id)
	show := func(said string) {
		if said != "" {
			stopNotice()
			t.emit(Update{Type: UpdateDelta, MessageID: id, Text: said})
		}
	}
	var said words
	reply, err := t.stream(limited, req, func(d model.Delta) { show(said.next(d.Text)) })
	if reply.Text, t.written = t.beforeCall(reply.Text); !t.written {
		show(said.held)
	}
	stopNotice()
	if !isStop(ctx) {
		t.b.recordLatency(*t.who.Model, t.b.o.Clock().Sub(began), err)
	}
	t.measure(req, reply.Usage)
	t.replyCost = t.spent.add(reply.Usage)
	if t.erased(ctx) { // the reply may be about the erased person
		if reply.Text != "" {
			t.emit(Update{Type: UpdateMessage, MessageID: id, Text: erasedText})
		}
		return model.Reply{}, errErased
	}
	if len(reply.Choices) == 0 && len(reply.Calls) == 0 {
		reply.Choices = t.choices
	}
	if strings.TrimSpace(reply.Text) != "" {
		t.emit(Update{Type: UpdateMessage, MessageID: id, Text: reply.Text, Choices: reply.Choices})
	}
	if err != nil {
		return model.Reply{Text: reply.Text}, err
	}
	for i := range reply.Calls {
		reply.Calls[i] = t.mend(reply.Calls[i])
		reply.Calls[i].ID = t.conv.uniqueCallID(reply.Calls[i].ID)
	}
	return reply, nil
}

// stream asks the model, with personal values masked if the settings require it.
func (t *turnRun) stream(ctx context.Context, req model.Request, show func(model.Delta)) (model.Reply, error) {
	if masks, err := t.b.masks(ctx, *t.who.Model); err != nil || !masks {
		if err != nil {
			return model.Reply{}, err
		}
		t.noteSent(req)
		return t.model.Stream(ctx, req, show)
	}
	v := t.conv.mask
	req = v.Request(req)
	t.noteSent(req)
	piece, flush := v.Stream(show)
	reply, err := t.model.Stream(ctx, req, piece)
	flush()
	return v.Reply(reply), err
}

func (t *turnRun) toolList() []model.Tool {
	list := make([]model.Tool, 0, len(t.tools)+1)
	if len(t.tools) < maxTools {
		list = append(list, suggesting()) // always first, so that new tools come at the end
	}
	for _, tool := range t.tools {
		e := t.titles[tool.Capability]
		if !readsManifest(t.model) {
			tool.Description = t.b.toolNames(tool.Description)
			tool.Parameters = json.RawMessage(t.b.toolNames(string(tool.Parameters)))
		}
		list = append(list, model.Tool{Name: tool.Name, Description: tool.Description, Parameters: tool.Parameters,
			Capability: tool.Capability, Title: e.Title, SideEffect: e.SideEffect, Phrases: e.Phrases, Input: e.InputSchema,
			Sources: e.Sources, Closed: e.UnavailableReason,
			Usual: max(0, slices.Index(t.conv.toolset.core, tool.Capability)-1)}) // after the two discovery tools
	}
	return list
}

// forModel returns the messages in the form for the model: results without unneeded parts, cut to their token budget.
func (t *turnRun) forModel() []model.Message {
	if readsManifest(t.model) {
		return t.conv.messages
	}
	calls := map[string]model.Call{} // by id
	messages := slices.Clone(t.conv.messages)
	for i, m := range messages {
		for _, c := range m.Calls {
			calls[c.ID] = c
		}
		messages[i].Calls = t.wrapped(m.Calls)
		if m.Role == model.RoleTool {
			answer, of := m.Text, calls[m.CallID]
			if why, is := t.isKeptBack(m); is {
				answer = t.b.withoutOthers(of.Capability, answer, why)
			}
			limit, was := t.conv.limits[m.CallID]
			if !was {
				limit = t.budget.result
			}
			messages[i].Text, _ = t.leanResult(answer, of.Capability, limit)
			messages[i].Shown, messages[i].Held = "", ""
		}
	}
	return messages
}

// measure compares the estimate of a request with the endpoint's count and keeps the ratio.
func (t *turnRun) measure(req model.Request, counted model.Usage) {
	if counted.Input == 0 || counted.Estimated {
		return
	}
	estimated := tokens.Of(append(req.Messages, model.Message{Text: req.System}))
	for _, tool := range t.tools {
		estimated += toolTokens(tool)
	}
	t.conv.ratio = min(float64(counted.Input)/float64(max(estimated, 1)), maxRatio)
}

// maxRatio limits the tokens that the bridge believes an endpoint counts for each estimated token.
const maxRatio = 2

// appendReply adds the model's text and calls to the conversation.
func (t *turnRun) appendReply(r model.Reply) {
	if strings.TrimSpace(r.Text) == "" && len(r.Calls) == 0 {
		return
	}
	if len(r.Calls) == 0 && t.calls == 0 {
		r.Thoughts = "" // no endpoint accepts the thoughts of a turn without calls
	}
	t.conv.messages = append(t.conv.messages, model.Message{Role: model.RoleAssistant, Text: r.Text, Calls: r.Calls,
		Choices: r.Choices, Thoughts: r.Thoughts})
}

// say shows a sentence of the bridge and keeps it, so that the model can read it later.
func (t *turnRun) say(text string) {
	t.emit(Update{Type: UpdateMessage, MessageID: t.b.o.NewID("msg"), Text: text})
	t.appendReply(model.Reply{Text: text})
}

// goOnContext asks the model to continue after its reply was cut off in a call.
const goOnContext = "[From the application]\nYour last reply was too long and was cut off in the middle of a tool " +
	"call. Nothing in it was run. Make the call again, with fewer words and one call at a time.\n[End.]"

// finish ends a turn with a reply that makes no calls. The result again reports that the reply was cut off in a call
// and the model gets one more chance.
func (t *turnRun) finish(reply model.Reply) (status Status, failure string, again bool) {
	t.appendReply(reply)
	switch {
	case reply.Dropped > 0 && reply.Finish == model.FinishLength && !t.continued:
		t.continued = true
		t.conv.messages = append(t.conv.messages, model.Message{Role: model.RoleUser, Context: goOnContext})
		return "", "", true
	case reply.Dropped > 0 && reply.Finish == model.FinishLength:
		return StatusLimit, "The reply was cut off in the middle of a call, so that call was not run. Ask for less at a " +
			"time.", false
	case reply.Finish == model.FinishLength:
		return StatusLimit, "The reply is longer than the model may write; the end is missing.", false
	case reply.Finish == model.FinishFilter:
		return StatusError, "The endpoint withheld the reply, so nothing in it was run.", false
	case t.written:
		return t.nudge()
	case strings.TrimSpace(reply.Text) == "" && len(t.actions) > 0:
		t.say(actionsText(t.actions)) // the model did not describe its actions
	case strings.TrimSpace(reply.Text) == "" && len(t.suggestions) > 0: // the buttons are the answer
	case strings.TrimSpace(reply.Text) == "":
		return StatusError, "The model gave an empty reply. Say it again, or choose another model.", false
	}
	return StatusDone, "", false
}

// nudge gives a model that writes its calls as text one more chance.
func (t *turnRun) nudge() (status Status, failure string, again bool) {
	if t.nudged {
		return StatusError, "The model writes what it wants to do instead of doing it, so nothing was done. Choose a model " +
			"that is made for tools; llama.cpp has to be started with --jinja.", false
	}
	t.nudged = true
	t.conv.messages = append(t.conv.messages, model.Message{Role: model.RoleUser, Context: nudgeContext})
	return "", "", true
}

// explain returns a sentence about a failed request.
func (t *turnRun) explain(err error) string {
	var e interface {
		error
		ForPeople() bool
	}
	switch {
	case errors.As(err, &e) && e.ForPeople():
		return e.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Sprintf("The model did not finish within %s. Try again, or choose a faster one.",
			text.Duration(t.b.o.MaxRequest))
	case !errors.Is(err, context.Canceled): // the person stopped the turn or ended the program
		t.b.o.Logger.Error("the model failed", "cause", err)
	}
	return "The model failed. Try again."
}
