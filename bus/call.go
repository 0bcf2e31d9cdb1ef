package bus

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"slices"
	"time"
)

// Call is one execution as its handler sees it. Its clock and id seed are fixed per invocation, so that a preview, the
// execution and a replay agree. It is for one goroutine at a time.
type Call struct {
	Capability *Capability
	Arguments  json.RawMessage // validated, defaults filled in
	Person     Principal
	RequestID  string
	Now        time.Time // the invocation's clock; never call time.Now in a handler

	// TraceID and IdempotencyKey are those of the invocation, for a step at another program that takes them too.
	TraceID        string
	IdempotencyKey string

	b           *Bus
	seed        []byte
	ids         uint64
	events      []Event
	facts       map[string]any
	summary     Text
	texts       Texts // of the output
	bill        Bill
	ofSteps     []*Bill            // of a plan: those of its steps
	stepRefused func(*refusedStep) // notes the step of a plan that was refused
	exec        Exec               // the transaction it runs in; nil: none
	numbers     *numbering         // where it draws numbers of series; nil: there are none
	title       string             // of a plan that has one
	did         []string           // of a plan that is not named by its arguments: the capabilities of its steps
	progress    func(Event)
	caller      CallerType       // for the bus's own capabilities: an application's see no difference
	prepared    *prepared        // what [Run].Prepare made before the transaction; nil: it did not run
	verdicts    map[string]error // of required capabilities, while a manifest is made; else nil
}

// Lookup finds a capability of the application by its name.
func (c *Call) Lookup(name string) (*Capability, bool) {
	if c.b == nil {
		return nil, false
	}
	return c.b.Lookup(name)
}

// NewID makes an id such as "ord_k3x…": the same one in preview, execution and replay.
func (c *Call) NewID(prefix string) string {
	sum := c.draw()
	return prefix + "_" + idEncoding.EncodeToString(sum[:10])
}

// Number draws a number in [0, n): the same one in preview, execution and replay.
func (c *Call) Number(n uint64) uint64 {
	sum := c.draw()
	return binary.BigEndian.Uint64(sum[:]) % n
}

var idEncoding = base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)

func (c *Call) draw() [32]byte {
	c.ids++
	buf := make([]byte, 0, len(c.seed)+8)
	buf = append(buf, c.seed...)
	buf = binary.BigEndian.AppendUint64(buf, c.ids)
	return sha256.Sum256(buf)
}

// Changed announces, after the commit, that things in a domain changed, which [Capability.Changes] declares; in "*",
// that anything may have.
func (c *Call) Changed(domain, summary string, ids ...string) {
	c.events = append(c.events, Event{Type: EventStateChange, Domain: domain, Summary: summary, IDs: ids})
}

// Announce is Changed with a sentence that other languages can say too.
func (c *Call) Announce(domain string, summary Text, ids ...string) {
	c.Changed(domain, summary.String(), ids...)
	c.events[len(c.events)-1].Texts.Put("/summary", summary)
}

// Notify shows the person a message after the commit.
func (c *Call) Notify(level Level, format string, args ...any) {
	message := Textf(format, args...)
	e := Event{Type: EventNotification, Level: level, Message: message.String()}
	e.Texts.Put("/message", message)
	c.events = append(c.events, e)
}

// Progress publishes at once how far long work has come.
func (c *Call) Progress(percent int, message string) {
	if c.progress != nil {
		c.progress(Event{Type: EventProgress, TaskID: c.RequestID, Percent: percent, Message: message})
	}
}

// Fact states a value computed inside the transaction, such as "amount" or "personId": grants, budgets, limits and
// cards go by it. It must be declared in Capability.Facts.
func (c *Call) Fact(name string, value any) {
	if c.facts == nil {
		c.facts = map[string]any{}
	}
	c.facts[name] = value
}

// Summarize sets the one sentence, with names and amounts, about what this call
// does: it heads the confirmation card and the record.
func (c *Call) Summarize(format string, args ...any) { c.summary = Textf(format, args...) }

// SetTexts gives the output of a handler that writes JSON itself its sentences, by pointers that begin with /data. A
// handler of [Define] needs no such call: its Text fields are found.
func (c *Call) SetTexts(texts Texts) { c.texts = texts.below("/data") }

// summaryOr is the summary, or the title of the capability where there is none.
func (c *Call) summaryOr(of *registered) Text {
	if c.summary.IsZero() {
		return of.TitleText()
	}
	return c.summary.stripped()
}

// Decode reads the arguments into v.
func (c *Call) Decode(v any) error {
	if err := json.Unmarshal(c.Arguments, v); err != nil {
		return Errorf(Validation, ReasonArguments, "The arguments do not fit: %s.", plainJSONError(err))
	}
	return nil
}

// Bill is the bill of this call, for the handler to fill in. One that stays empty is not shown.
func (c *Call) Bill() *Bill { return &c.bill }

// isEmpty reports whether a handler filled nothing in.
func (r *Bill) isEmpty() bool {
	return cmp.Or(len(r.Lines), len(r.Sums), len(r.About), len(r.Follows)) == 0
}

// bills are those of the call itself, or of the steps of a plan: one for each, nil for a step without one.
func (c *Call) bills() []*Bill {
	if slices.ContainsFunc(c.ofSteps, func(b *Bill) bool { return b != nil }) {
		return c.ofSteps
	}
	if c.bill.isEmpty() {
		return nil
	}
	return []*Bill{&c.bill}
}

// addStep keeps the bill of the next step of a plan.
func (c *Call) addStep(step *Call) {
	var bill *Bill
	if !step.bill.isEmpty() {
		bill = &step.bill
	}
	c.ofSteps = append(c.ofSteps, bill)
}
