package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/deskhand/deskhand/internal/faulttest"
)

// program is a bus and its view of the journal that two of them share. A killed one changes nothing there any more.
type program struct {
	*bustest.Journal
	bus   *bus.Bus
	d     *driver
	dead  bool
	begun map[string]*bus.Entry // network steps under way, by request
}

var errDead = errors.New("this program was killed")

func (p *program) Do(ctx context.Context, e *bus.Entry, run func(context.Context, bus.Exec) error) error {
	if p.dead {
		return errDead
	}
	return p.Journal.Do(ctx, e, run)
}

func (p *program) Record(ctx context.Context, e *bus.Entry) error {
	if p.dead {
		return errDead
	}
	return p.Journal.Record(ctx, e)
}

func (p *program) Begin(ctx context.Context, e *bus.Entry) error {
	if p.dead {
		return errDead
	}
	err := p.Journal.Begin(ctx, e)
	if err == nil {
		note := *e
		p.d.mu.Lock()
		p.begun[e.Invocation.RequestID] = &note
		p.d.mu.Unlock()
	}
	return err
}

func (p *program) Finish(ctx context.Context, e *bus.Entry) error {
	if p.dead {
		return errDead
	}
	err := p.Journal.Finish(ctx, e)
	if err == nil {
		p.d.mu.Lock()
		delete(p.begun, e.Invocation.RequestID)
		p.d.mu.Unlock()
	}
	return err
}

// Authorize has a card for each call of an agent that changes something.
func (p *program) Authorize(_ context.Context, req *bus.ApprovalRequest) (bus.Decision, error) {
	if req.Capability.SideEffect == bus.Pure {
		return bus.Decision{Rule: bus.RuleAllow, By: "test"}, nil
	}
	return bus.Decision{Rule: bus.RuleConfirm, By: "test"}, nil
}

// Approve waits for the driver.
func (p *program) Approve(ctx context.Context, req *bus.ApprovalRequest, _ *bus.Preview) (bus.Decision, error) {
	card, release := p.d.hold(&p.d.cards)
	defer release()
	select {
	case answer := <-card.end:
		return bus.Decision{Rule: bus.RuleConfirm, Allowed: answer > 0, Answer: map[bool]bus.Answer{true: bus.AnswerAllow,
			false: bus.AnswerDeny}[answer > 0], By: "p1"}, nil
	case <-ctx.Done():
		return bus.Decision{}, ctx.Err()
	}
}

// held is a card or a network step that waits for the driver.
type held struct{ end chan int }

// hold adds to what waits for the driver, until release is called.
func (d *driver) hold(list *[]*held) (h *held, release func()) {
	h = &held{end: make(chan int, 1)}
	d.mu.Lock()
	defer d.mu.Unlock()
	*list = append(*list, h)
	return h, func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		*list = slices.DeleteFunc(*list, func(w *held) bool { return w == h })
	}
}

// ongoing is an invocation and, once it ended, its result.
type ongoing struct {
	inv    bus.Invocation
	at     *program
	cancel context.CancelFunc
	result *bus.Result
}

// driver runs two programs step by step. All that they do between two steps comes to its end before the next one.
type driver struct {
	mu       sync.Mutex // guards what calls change: lists, notes and what has begun; several end at one moment
	t        *testing.T
	journal  *bustest.Journal
	programs [2]*program
	calls    map[string]*ongoing
	order    []string
	cards    []*held
	steps    []*held  // network steps inside their handler
	outside  []string // requests that had their effect outside
	choices  []uint16
	wrong    []string
	broken   bool // the journal fails
}

// next draws a number below n.
func (d *driver) next(n int) int {
	if len(d.choices) == 0 {
		return 0
	}
	c := int(d.choices[0])
	d.choices = d.choices[1:]
	return c % n
}

func (d *driver) note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.wrong = append(d.wrong, fmt.Sprintf(format, args...))
}

// start makes a program on the journal.
func (d *driver) start(t *testing.T) *program {
	t.Helper()
	o, _, _ := bustest.Options()
	p := &program{Journal: d.journal, d: d, begun: map[string]*bus.Entry{}}
	o.Journal, o.Approver, o.Clock = p, p, time.Now
	o.Seed, o.NewRequestID = nil, nil
	p.bus = bus.New(o)
	write := func(end func() error) handler {
		return func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
			tables := bustest.Tables(ctx)
			n, _ := tables.Get("sums", "all")["n"].(int)
			err := errors.Join(tables.Set("done", call.RequestID, map[string]any{"id": call.RequestID}),
				tables.Set("sums", "all", map[string]any{"n": n + 1}))
			if err == nil {
				err = end()
			}
			return json.RawMessage(`{"request":"` + call.RequestID + `"}`), err
		}
	}
	add := doing("d.add", bus.UIOnly, write(func() error { return nil }))
	seldom := doing("d.seldom", bus.UIOnly, write(func() error { return nil }))
	seldom.Run.RateLimit = &bus.RateLimit{Requests: 2, Period: time.Minute}
	alone := doing("d.alone", bus.Destructive, write(func() error { return nil }))
	alone.Run.Concurrency, alone.Run.QueueDepth = bus.Exclusive, 1
	reach := doing("d.reach", bus.Network, d.reach)
	reach.Run.Timeout = 20 * time.Second
	p.bus.MustRegister(add, seldom, alone, reach,
		doing("d.fail", bus.UIOnly, write(func() error {
			return bus.Errorf(bus.Conflict, bus.ReasonChanged, "It changed.")
		})),
		doing("d.break", bus.UIOnly, write(func() error { return errPlain })),
		doing("d.panic", bus.UIOnly, write(func() error { panic("on purpose") })),
		doing("d.look", bus.Pure, ok))
	return p
}

var driven = []string{"d.add", "d.add", "d.seldom", "d.alone", "d.reach", "d.reach", "d.fail", "d.break", "d.panic",
	"d.look", "d.nothing"}

// reach is a network step: it waits for the driver, which says how it ends.
func (d *driver) reach(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
	step, release := d.hold(&d.steps)
	defer release()
	for _, e := range d.journal.Entries() {
		if e.Invocation.RequestID == call.RequestID {
			d.note("%s is recorded before its effect", call.RequestID)
		}
	}
	select {
	case end := <-step.end:
		if end == 0 {
			return nil, bus.Errorf(bus.Conflict, bus.ReasonState, "The other side refused.")
		}
		d.mu.Lock()
		d.outside = append(d.outside, call.RequestID)
		d.mu.Unlock()
		if end == 1 {
			return nil, errPlain
		}
		return json.RawMessage(`{"request":"` + call.RequestID + `"}`), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// step does one thing and waits until all is still.
func (d *driver) step() {
	switch d.next(8) {
	case 0, 1, 2:
		d.invoke()
	case 3:
		if len(d.cards) > 0 {
			d.cards[d.next(len(d.cards))].end <- d.next(3)
		}
	case 4:
		if len(d.steps) > 0 {
			d.steps[d.next(len(d.steps))].end <- d.next(4)
		}
	case 5:
		d.broken = !d.broken && d.next(2) == 0
		d.journal.Fail(map[bool]error{true: errPlain}[d.broken])
	case 6:
		if d.next(3) == 0 {
			d.kill(d.next(2))
		} else if len(d.order) > 0 {
			d.calls[d.order[len(d.order)-1-d.next(min(4, len(d.order)))]].cancel()
		}
	case 7:
		time.Sleep(time.Duration(1+d.next(40)) * time.Second)
	}
	synctest.Wait()
	d.check()
}

func (d *driver) invoke() {
	p := d.programs[d.next(2)]
	inv := call(driven[d.next(len(driven))], `{}`)
	inv.RequestID = fmt.Sprint("r", len(d.order))
	if key := d.next(6); key < 4 {
		inv.IdempotencyKey = fmt.Sprint("k", key)
	}
	inv.DryRun = d.next(9) == 0
	if d.next(3) == 0 {
		inv = byAgent(inv)
	}
	ctx, cancel := context.WithCancel(d.t.Context())
	c := &ongoing{inv: inv, at: p, cancel: cancel}
	d.calls[inv.RequestID] = c
	d.order = append(d.order, inv.RequestID)
	go func() {
		r := p.bus.Invoke(ctx, inv)
		if !p.dead {
			c.result = &r
		}
	}()
}

// kill abandons a bus without closing it, and starts another, which finds the steps that were under way.
func (d *driver) kill(at int) {
	p := d.programs[at]
	p.dead = true
	if d.broken { // a program that starts needs its journal
		d.broken = false
		d.journal.Fail(nil)
	}
	for _, request := range slices.Sorted(maps.Keys(p.begun)) {
		if err := d.journal.Finish(d.t.Context(), p.begun[request].Interrupted()); err != nil {
			d.note("what was under way is not recorded: %v", err)
		}
	}
	for _, c := range d.calls { // its goroutines end
		if c.at == p {
			c.cancel()
		}
	}
	d.programs[at] = d.start(d.t)
}

// check looks at the journal after a step.
func (d *driver) check() {
	records, done, fresh := map[string][]bus.Entry{}, 0, map[string]string{}
	for _, e := range d.journal.Entries() {
		inv := e.Invocation
		records[inv.RequestID] = append(records[inv.RequestID], e)
		success := e.Result.OK() && !e.Result.Replayed && !e.Result.DryRun
		row := d.journal.Row("done", inv.RequestID) != nil
		wrote := len(e.Effects) > 0 && !e.Result.DryRun // a dry run records what it would have done
		if wrote != row || wrote && !success {
			d.note("%s of %s: its row is there %v, its record has %d effects", inv.RequestID, inv.Capability, row,
				len(e.Effects))
		}
		if wrote {
			done++
		}
		key := inv.Capability + " " + string(inv.Caller.Type) + " " + inv.IdempotencyKey
		if success && inv.IdempotencyKey != "" {
			if fresh[key] != "" {
				d.note("%s was done by %s and by %s", key, fresh[key], inv.RequestID)
			}
			fresh[key] = inv.RequestID
		}
	}
	if n, _ := d.journal.Row("sums", "all")["n"].(int); n != done {
		d.note("%d rows were added, and %d are recorded", n, done)
	}
	d.keys(records)
	for _, request := range d.order {
		c, of := d.calls[request], records[request]
		switch {
		case c.result == nil && c.at.dead:
			if len(of) > 1 {
				d.note("%s of a killed program has %d records", request, len(of))
			}
		case c.result == nil:
			if len(of) > 0 {
				d.note("%s has a record and no result", request)
			}
			if d.journal.Row("done", request) != nil {
				d.note("%s has an effect and no result", request)
			}
		default:
			d.ended(c, of)
		}
	}
}

// keys looks for those that are stored without the record of what was done with them, and for what was done twice.
func (d *driver) keys(records map[string][]bus.Entry) {
	for _, request := range d.order {
		inv := d.calls[request].inv
		if inv.IdempotencyKey == "" {
			continue
		}
		k := bus.Key{Value: inv.IdempotencyKey, Capability: inv.Capability, CallerType: inv.Caller.Type,
			Source: inv.Caller.Source}
		stored, err := d.journal.Lookup(d.t.Context(), k)
		if err != nil {
			d.note("%v", err)
		}
		if stored != nil && len(records[stored.RequestID]) == 0 {
			d.note("key %s is kept for %s, which has no record", inv.IdempotencyKey, stored.RequestID)
		}
	}
	times := map[string]int{}
	for _, request := range d.outside {
		if inv := d.calls[request].inv; inv.IdempotencyKey != "" {
			key := string(inv.Caller.Type) + inv.IdempotencyKey
			if times[key]++; times[key] > 1 {
				d.note("key %s reached out twice", key)
			}
		}
	}
}

// ended compares a result with its record, and with what the specification says of results.
func (d *driver) ended(c *ongoing, of []bus.Entry) {
	r, request := c.result, c.inv.RequestID
	if r.RequestID != request || r.OK() == (r.Err != nil) {
		d.note("%s has the result %s", request, wire(d.t, *r))
	}
	if e := r.Err; e != nil {
		if e.Reason == bus.ReasonJournal || errors.Is(e, errDead) {
			if slices.ContainsFunc(of, func(e bus.Entry) bool { return e.Result.OK() }) {
				d.note("%s could not be written down, and was done", request)
			}
			return
		}
		if !slices.Contains(codes, e.Code) || e.Message == "" {
			d.note("%s ended with %s", request, wire(d.t, *r))
		}
	}
	switch {
	case len(of) == 0 && r.Err != nil && r.Err.Reason == bus.ReasonInterrupted &&
		slices.Contains(d.journal.Inflight(), request):
		// The journal failed when the step ended: its next start records that.
	case len(of) != 1:
		d.note("%s has %d records: %s", request, len(of), wire(d.t, *r))
	case of[0].Result.Status != r.Status || codeOf(of[0].Result) != codeOf(*r) || of[0].Result.Replayed != r.Replayed:
		d.note("%s has the result %s and the record %s", request, wire(d.t, *r), wire(d.t, of[0].Result))
	case r.Replayed && r.OK():
		var first struct{ Request string }
		if err := json.Unmarshal(r.Data, &first); err != nil || first.Request != "" && d.calls[first.Request] == nil {
			d.note("%s has the data %s", request, r.Data)
		}
	}
}

// codes are all that a result may have.
var codes = []bus.Code{bus.Validation, bus.Forbidden, bus.PreconditionFailed, bus.Conflict, bus.NotFound, bus.Transient,
	bus.Internal}

func codeOf(r bus.Result) bus.Code {
	if r.Err == nil {
		return ""
	}
	return r.Err.Code
}

// drive runs a walk of these choices, and returns how many steps it had and what went wrong.
func drive(t *testing.T, choices []uint16) (steps int, wrong []string) {
	synctest.Test(t, func(t *testing.T) {
		d := &driver{t: t, journal: &bustest.Journal{}, calls: map[string]*ongoing{}, choices: choices}
		for i := range d.programs {
			d.programs[i] = d.start(t)
		}
		for len(d.choices) > 0 && len(d.wrong) == 0 {
			d.step()
			steps++
		}
		wrong = d.wrong
		d.journal.Fail(nil)
		for _, c := range d.calls {
			c.cancel()
		}
		synctest.Wait()
		for _, p := range d.programs {
			if err := p.bus.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(time.Hour)
	})
	return steps, wrong
}

// TestB12TwoBusesOnOneJournalKeepOneResultAndOneRecord drives two buses step by step: an invocation, an answer to a card,
// the end of a network step, a fault of the journal, a cancellation, a kill, a step of the clock. After each, every
// invocation that ended has one result and one record, effect, record and key are there together or not at all, and no
// key is done twice.
//
// holds: B4 B10 B12
func TestB12TwoBusesOnOneJournalKeepOneResultAndOneRecord(t *testing.T) {
	for _, choices := range keptWalks {
		if _, wrong := drive(t, choices); len(wrong) > 0 {
			t.Errorf("%v: %s", choices, wrong)
		}
	}
	done, all := 0, 0
	for done < *walks {
		rapid.Check(t, func(rt *rapid.T) {
			choices := rapid.SliceOfN(rapid.Uint16(), 40, 300).Draw(rt, "choices")
			steps, wrong := drive(t, choices)
			if len(wrong) > 0 {
				rt.Fatalf("keep it in keptWalks: %#v\n%s", choices, wrong)
			}
			done, all = done+1, all+steps
		})
	}
	t.Logf("%d steps of two buses in %d walks", all, done)
}

// TestSeededMistakesOfAJournalAreFound makes each mistake of a list in the journal: the walks of two buses find it.
func TestSeededMistakesOfAJournalAreFound(t *testing.T) {
	faulttest.FindsMistakes(t, "testdata/journal_mistakes.json", "bustest", "bustest",
		"TestB12TwoBusesOnOneJournalKeepOneResultAndOneRecord", nil)
}

// keptWalks are those that once failed.
var keptWalks = [][]uint16{}
