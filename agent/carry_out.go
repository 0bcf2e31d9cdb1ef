package agent

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// job is one call of a reply.
type job struct {
	call       model.Call
	capability string
	entry      bus.ManifestEntry // zero for a tool name that the model invented
	requestID  string
	result     bus.Result
	note       string // text for the model next to the result
	edited     json.RawMessage
	running    bool              // it outlives the turn and has no result yet
	begun      chan struct{}     // of a call that may outlive the turn: closed before it reaches the bus
	replyCost  map[string]string // cost of the model's reply that made the call
	others     bool              // other people wrote a part of the result
	shown      string            // request id of the card that showed this part; "": no card
	held       string            // the reason to keep this part back; "": the model may read it
}

func (j *job) pure() bool { return j.entry.SideEffect == bus.Pure }

// carryOut runs the calls of a reply and answers each: successive reads in parallel, all other calls in order. It
// returns false if there were too many calls.
func (t *turnRun) carryOut(ctx context.Context, reply model.Reply) bool {
	jobs := make([]*job, len(reply.Calls))
	for i, c := range reply.Calls {
		jobs[i] = t.job(c)
	}
	if i := slices.IndexFunc(jobs, func(j *job) bool { return j.call.Tool != suggestTool }); i >= 0 {
		jobs[i].replyCost = t.replyCost.estimate() // the first call carries the cost of the whole reply
	}
	within := t.calls+len(jobs) <= t.b.o.MaxCalls
	t.calls += len(jobs)
	tooMany := bus.Errorf(bus.Forbidden, bus.ReasonCapabilityNotGranted,
		"There were too many calls in this turn; this one was not run.")
	for i := 0; i < len(jobs); {
		n := 1
		if jobs[i].call.Tool == suggestTool && within {
			jobs[i].result = t.suggest(ctx, jobs[i])
		} else if !within && jobs[i].call.Tool == suggestTool { // not a capability, so it has no record
			jobs[i].result = t.refusal(jobs[i], tooMany)
		} else if !within {
			jobs[i].result = t.invokeOnce(policy.Refuse(ctx, tooMany), jobs[i], t.invocation(reply, jobs[i]))
		} else if jobs[i].pure() {
			for i+n < len(jobs) && jobs[i+n].pure() && jobs[i+n].call.Tool != suggestTool {
				n++
			}
			t.readAll(ctx, reply, jobs[i:i+n])
		} else {
			t.announce(jobs[i])
			t.runCall(ctx, reply, jobs[i])
		}
		i += n
	}
	t.review(ctx, jobs)
	for _, j := range jobs {
		answer := model.Message{Role: model.RoleTool, CallID: j.call.ID, Text: j.answer(), Others: j.others,
			Shown: j.shown, Held: j.held}
		if j.result.Err != nil {
			answer.Violations = j.result.Err.Violations
		}
		t.conv.messages = append(t.conv.messages, answer)
		t.conv.limits[j.call.ID] = t.budget.result
		t.record(j)
	}
	return within
}

// capabilityName returns the capability of a tool's name, even if the model did not get this tool. It returns an
// unknown name unchanged, so that the bus records it and answers NOT_FOUND with the nearest names.
func (t *turnRun) capabilityName(tool string) string {
	if name, ok := t.capabilities[tool]; ok {
		return name
	}
	if c := t.b.capabilityOf(tool); c != nil {
		return c.Name
	}
	return text.Clean(tool, 64)
}

// redactedCalls returns the calls of a reply in the form that is stored, shown and sent back to the model, without the
// values that the bus redacts in its records.
func (t *turnRun) redactedCalls(calls []model.Call) []model.Call {
	kept := slices.Clone(calls)
	for i := range kept {
		c, name := &kept[i], t.capabilityName(kept[i].Tool)
		if c.Tool == suggestTool {
			t.redactSuggestions(c)
			continue
		}
		c.Capability = name
		if c.Arguments = t.b.o.Bus.Redacted(name, c.Arguments); !text.IsObject(string(c.Arguments)) {
			c.Arguments = json.RawMessage("{}") // secrets in other JSON cannot be found
		}
		if c.Broken != "" && string(t.b.o.Bus.Redacted(name, json.RawMessage(c.Broken))) != c.Broken {
			c.Broken = text.Redacted
		}
	}
	return kept
}

// job resolves the capability of a call.
func (t *turnRun) job(c model.Call) *job {
	j := &job{call: c, capability: t.capabilityName(c.Tool), requestID: t.b.o.NewID("req")}
	if c.Tool == suggestTool {
		j.entry = bus.ManifestEntry{Title: "Suggest next steps", SideEffect: bus.Pure}
		return j
	}
	t.filled(j)
	j.entry = t.titles[j.capability]
	if j.entry.Title == "" {
		j.entry.Title = j.capability
		if known, ok := t.b.o.Bus.Lookup(j.capability); ok && !known.Assistant.Hidden { // the view omits it
			j.entry.Title, j.entry.SideEffect, j.entry.Reversible = known.Title, known.SideEffect, known.Reversible
		}
	}
	return j
}

func (t *turnRun) readAll(ctx context.Context, reply model.Reply, jobs []*job) {
	var wg sync.WaitGroup
	free := make(chan struct{}, t.b.o.MaxParallel)
	for _, j := range jobs {
		t.announce(j)
	}
	for _, j := range jobs {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			t.runCall(ctx, reply, j)
		})
	}
	wg.Wait()
}

func (t *turnRun) announce(j *job) {
	t.emitCall(j, UpdateCall, t.b.o.Bus.Redacted(j.capability, j.call.Arguments), nil)
}

// emitCall sends an update about a call.
func (t *turnRun) emitCall(j *job, as UpdateType, arguments json.RawMessage, result *bus.Result) {
	t.emit(Update{Type: as, CallID: j.call.ID, RequestID: j.requestID, Capability: j.capability, Title: j.entry.Title,
		SideEffect: j.entry.SideEffect, Arguments: arguments, Result: result})
}

// runCall runs an announced call and sends its result as an update.
func (t *turnRun) runCall(ctx context.Context, reply model.Reply, j *job) {
	if t.runsInBackground(j) && t.startInBackground(ctx, reply, j) {
		return
	}
	j.result = t.invoke(ctx, reply, j)
	t.emitResult(j)
}

func (t *turnRun) emitResult(j *job) { t.emitCall(j, UpdateResult, j.edited, &j.result) }

// editedNote precedes the arguments that a person put in place of the model's.
const editedNote = "The person changed the arguments to "

// maxRetries limits the repetitions of a call after a transient error without asking the model.
const maxRetries = 2

// invoke runs a call on the bus, unless the error policy of this turn forbids it. It repeats a call after a transient
// error with the same key, except calls that needed approval.
func (t *turnRun) invoke(ctx context.Context, reply model.Reply, j *job) bus.Result {
	if ctx.Err() != nil {
		return t.refusal(j, bus.Errorf(bus.Transient, bus.ReasonCancelled,
			"The person stopped the turn before this was begun; it was not done."))
	}
	if t.erased(ctx) {
		return t.refusal(j, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s", endedByErasure))
	}
	if err := t.errors.forbids(j); err != nil {
		return t.refusal(j, err)
	}
	if err := t.unclearAmount(j); err != nil {
		res := t.refusal(j, err)
		t.errors.record(t.requests, j, res)
		return res
	}
	if j.begun != nil {
		close(j.begun)
	}
	if j.capability == TurnCapability || j.capability == nameReview {
		ctx = policy.Refuse(ctx, bus.Errorf(bus.Forbidden, bus.ReasonAgentForbidden, "The application does that itself."))
	}
	inv := t.invocation(reply, j)
	for attempt := 0; ; attempt++ {
		res := t.invokeFitting(ctx, j, inv)
		inv.CostEstimate = nil // the first attempt recorded it
		wait, again := t.worthRepeating(res, j, attempt)
		if !again || t.b.o.Sleep(ctx, wait) != nil {
			t.errors.record(t.requests, j, res)
			j.note = t.explanation(j, res)
			edit, ignored := t.conv.provenance.TakeOutcome(inv.RequestID)
			if edit != nil {
				j.edited = t.b.o.Bus.Redacted(j.capability, edit)
				j.note = editedNote + string(j.edited)
			}
			if ignored && !res.OK() && res.Err.Reason != bus.ReasonCancelled {
				j.note = text.NobodyAnswered
			}
			return res
		}
		inv.RequestID = t.b.o.NewID("req")
	}
}

// invokeOnce runs a call and registers it for Stop while it runs. The events of a call in the background count as news
// for the model, those of other calls do not.
func (t *turnRun) invokeOnce(ctx context.Context, j *job, inv bus.Invocation) bus.Result {
	t.awaitStop(func() { t.running[inv.RequestID] = true })
	t.b.mu.Lock()
	j.requestID = inv.RequestID
	if !j.running {
		t.conv.ownRequests[inv.RequestID] = true
	}
	t.b.mu.Unlock()
	res := t.b.o.Bus.Invoke(ctx, inv)
	t.awaitStop(func() { delete(t.running, inv.RequestID) })
	return res
}

// worthRepeating returns the delay before repeating a call that needs no approval: once after CONFLICT, with backoff
// after TRANSIENT.
func (t *turnRun) worthRepeating(res bus.Result, j *job, attempt int) (time.Duration, bool) {
	if res.Err == nil || t.isPlan(j.capability) || j.entry.SideEffect != bus.Pure && j.entry.SideEffect != bus.UIOnly {
		return 0, false
	}
	switch e := res.Err; {
	case e.Code == bus.Conflict && e.Reason == bus.ReasonBusy && attempt < 1:
		return time.Second, true
	case e.Code == bus.Transient && e.Reason != bus.ReasonCancelled && attempt < maxRetries &&
		e.RetryAfter <= 10*time.Second:
		return max(time.Second<<attempt, e.RetryAfter), true
	}
	return 0, false
}

// maxWords limits the sentence and the reasoning in a record, in bytes.
const maxWords = 4000

func (t *turnRun) invocation(reply model.Reply, j *job) bus.Invocation {
	args := j.call.Arguments
	if j.call.Broken != "" {
		args = json.RawMessage(j.call.Broken) // the bus names the mistake in it
	}
	return bus.Invocation{
		Capability: j.capability, Arguments: args, RequestID: j.requestID, TraceID: t.id, IdempotencyKey: t.key(j),
		Caller: bus.Caller{Type: bus.CallerAgent, Source: t.conv.id, ParentRequestID: t.id,
			TriggeringMessage: text.Clean(t.text, maxWords), Reasoning: text.Clean(reply.Text, maxWords)},
		Principal: t.principal(), CostEstimate: j.replyCost,
	}
}

// principal returns the speaker with the model, the rules and the present autonomy.
func (t *turnRun) principal() bus.Principal {
	who, m := t.who, *t.who.Model
	m.Rules, m.Autonomy = t.rules.digest(), string(t.conv.provenance.Autonomy())
	who.Model = &m
	return who
}

// key returns the idempotency key of a call. The same call never runs twice. For outward calls, a call with the same
// arguments under another id in the same turn counts as the same call.
func (t *turnRun) key(j *job) string {
	if j.pure() || j.call.Broken != "" {
		return ""
	}
	args := string(text.CanonicalOrNil(j.call.Arguments))
	what := j.capability + "\x00" + args
	outward := j.entry.SideEffect == bus.Network || j.entry.SideEffect == bus.Destructive
	if key := t.keys[what]; key != "" && outward {
		return key
	}
	sum := sha256.Sum256([]byte(strings.Join([]string{t.conv.id, t.id, j.call.ID, j.capability, args}, "\x00")))
	key := "call_" + hex.EncodeToString(sum[:16])
	if outward {
		t.keys[what] = key
	}
	return key
}

// refusal returns the bridge's answer to a call that does not reach the bus.
func (t *turnRun) refusal(j *job, err *bus.Error) bus.Result {
	return bus.Result{Status: bus.StatusError, RequestID: j.requestID, Err: err, Time: t.b.o.Clock()}
}

// answer returns the tool message: the result with the note in it.
func (j *job) answer() string {
	if j.running {
		return runningAnswer(j)
	}
	raw, err := json.Marshal(j.result)
	if err != nil {
		raw, _ = json.Marshal(bus.Result{Status: bus.StatusError, RequestID: j.requestID,
			Err: bus.Errorf(bus.Internal, bus.ReasonUncoded, "The result cannot be shown.")})
	}
	if j.note == "" {
		return string(raw)
	}
	quoted, _ := json.Marshal(j.note)
	return fmt.Sprintf(`{"note":%s,%s`, quoted, raw[1:])
}

// record keeps the values of a result for cards, and the action for the end of the turn.
func (t *turnRun) record(j *job) {
	t.conv.toolset.saw(j.capability, j.result)
	t.learn(j.capability, j.result, j.held == "")
	t.choices = nil
	if j.result.Err != nil {
		t.choices = j.result.Err.Choices
	}
	if !j.pure() {
		t.actions = append(t.actions, j.action())
		t.conv.did(t.b.o.Bus, j)
	}
}

// did stores the outcome of a successful call.
func (c *conversation) did(b *bus.Bus, j *job) {
	arguments := j.call.Arguments
	if j.edited != nil {
		arguments = j.edited
	}
	if a := j.action(); a.Outcome == ActionDone {
		outcome := bus.Phrase(a.Text) // a title
		if a.Texts != nil {
			outcome = a.Texts.At("/text", a.Text)
		}
		c.provenance.Did(j.capability, b.WithDefaults(j.capability, arguments), outcome)
	}
}

func (t *turnRun) isPlan(capability string) bool {
	c, known := t.b.o.Bus.Lookup(capability)
	return known && c.IsPlan()
}

// learn records the names and values in a result, and the tainted text if the model reads it.
func (t *turnRun) learn(capability string, res bus.Result, reads bool) {
	if res.OK() {
		t.conv.provenance.Learned(res.Data)
		t.learnFrom(capability, res.Data, reads)
		return
	}
	if res.Err == nil {
		return // a running call has no result yet
	}
	c, known := t.b.o.Bus.Lookup(capability)
	for _, choice := range res.Err.Choices {
		personal := false
		if known {
			if list, listed := t.b.listOf(c, choice); listed {
				personal = len(schema.MarkedFields(list.OutputSchema, schema.KeywordPersonal)) > 0
				if reads && schema.NamesTaint(list.OutputSchema) {
					t.conv.provenance.ReadTainted(list.Title)
				}
			}
		}
		for _, o := range choice.Options {
			named, _ := json.Marshal(map[string]any{"id": o.Value, "name": o.Title}) // a value was read from JSON
			t.conv.provenance.Learned(named)
			if personal {
				t.conv.mask.LearnName(o.Title)
			}
		}
	}
}

// listOf returns the capability that lists the records for a choice in a refusal of c.
func (b *Bridge) listOf(c *bus.Capability, of bus.Choice) (list *bus.Capability, known bool) {
	field := of.Field
	if of.Capability != "" {
		if c, known = b.o.Bus.Lookup(of.Capability); !known {
			return nil, false
		}
		_, field, _ = strings.Cut(field, "/arguments/")
	}
	kind := schema.EntityAt(c.InputSchema, "/"+field)
	name, _, _ := strings.Cut(b.o.Bus.Sources(c.Name)[kind], "#")
	return b.o.Bus.Lookup(name)
}

// learnFrom records the personal values in a result, and whether the model reads tainted text in it.
func (t *turnRun) learnFrom(capability string, data json.RawMessage, reads bool) {
	switch c, known := t.b.o.Bus.Lookup(capability); {
	case !known:
	case c.IsPlan():
		for _, step := range schema.PlanSteps(data).Steps {
			t.learnFrom(step.Capability, step.Data, reads)
		}
		t.conv.mask.Learn(c.OutputSchema, data)
	default:
		t.conv.mask.Learn(c.OutputSchema, data)
		if reads {
			t.conv.provenance.Read(c, data)
		}
	}
}
