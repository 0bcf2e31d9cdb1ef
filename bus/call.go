package bus

import (
	"cmp"
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus/internal/spelling"
)

// Call is one execution from the view of its handler. Its clock and id seed are fixed for the invocation, so that a
// preview, the execution and a replay agree. It is for one goroutine at a time.
type Call struct {
	Capability *Capability
	Arguments  json.RawMessage // validated, defaults filled in
	Person     Principal
	RequestID  string
	Now        time.Time // the invocation's clock; never call time.Now in a handler

	// TraceID and IdempotencyKey are those of the invocation. A step in another program may need them.
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
	ofSteps     []*Bill            // the bills of a plan's steps
	stepRefused func(*refusedStep) // records the refused step of a plan
	exec        Exec               // the transaction; nil if there is none
	numbers     *numbering         // the source of numbers of series; nil if there is none
	title       string             // of a plan that has one
	did         []string           // for a plan not named by its arguments: the capabilities of its steps
	progress    func(Event)
	caller      CallerType
	prepared    *prepared        // the result of [Run].Prepare; nil if it did not run
	verdicts    map[string]error // results of required capabilities while a manifest is made; else nil
}

// CallerType returns the kind of caller, for a handler that passes the call on to another program. The behaviour of a
// capability does not depend on it: [Access] has the rules.
func (c *Call) CallerType() CallerType { return c.caller }

// Lookup returns the capability of the application with a name.
func (c *Call) Lookup(name string) (*Capability, bool) {
	if c.b == nil {
		return nil, false
	}
	return c.b.Lookup(name)
}

// CheckScope refuses a scope that no capability requires, and names the nearest.
func (c *Call) CheckScope(scope string) error {
	if c.b == nil || scope == "*" {
		return nil
	}
	var all []string
	for _, of := range c.b.Capabilities() {
		all = append(all, slices.DeleteFunc(slices.Clone(of.Permissions), func(p string) bool { return !isScope(p) })...)
	}
	slices.Sort(all)
	if all = slices.Compact(all); slices.Contains(all, scope) {
		return nil
	}
	err := Errorf(Validation, ReasonArguments, "There is no permission %q.", scope)
	if near := spelling.Near(scope, all); len(scope) <= longestName && near != nil {
		return err.WithHint("Did you mean %s?", strings.Join(near, ", "))
	}
	return err.WithHint("The manifest names the permissions of each capability.")
}

// NewID returns an id such as "ord_k3x…". Preview, execution and replay get the same id.
func (c *Call) NewID(prefix string) string {
	sum := c.draw()
	return prefix + "_" + idEncoding.EncodeToString(sum[:10])
}

// Number draws a number in [0, n). Preview, execution and replay get the same number.
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

// Changed announces a change in a domain after the commit. [Capability.Changes] must declare the domain. "*" means that
// any domain may have changed.
func (c *Call) Changed(domain, summary string, ids ...string) {
	c.events = append(c.events, Event{Type: EventStateChange, Domain: domain, Summary: summary, IDs: ids})
}

// Announce is Changed with a sentence that can be translated.
func (c *Call) Announce(domain string, summary Text, ids ...string) {
	c.Changed(domain, summary.String(), ids...)
	c.events[len(c.events)-1].Texts.Put("/summary", summary)
}

// Notify shows a message to the person after the commit.
func (c *Call) Notify(level Level, format string, args ...any) {
	message := Textf(format, args...)
	e := Event{Type: EventNotification, Level: level, Message: message.String()}
	e.Texts.Put("/message", message)
	c.events = append(c.events, e)
}

// Progress publishes the progress of long work immediately.
func (c *Call) Progress(percent int, message string) {
	if c.progress != nil {
		c.progress(Event{Type: EventProgress, TaskID: c.RequestID, Percent: percent, Message: message})
	}
}

// Fact states a value computed inside the transaction, such as "amount" or "personId". Grants, budgets, limits and
// cards use it. Capability.Facts must declare it.
func (c *Call) Fact(name string, value any) {
	if c.facts == nil {
		c.facts = map[string]any{}
	}
	c.facts[name] = value
}

// Summarize sets a sentence, with names and amounts, that describes the call. It is the heading of the confirmation
// card and of the record.
func (c *Call) Summarize(format string, args ...any) { c.summary = Textf(format, args...) }

// SetTexts sets the sentences in the output of a handler that writes JSON itself, by pointers that begin with /data. A
// handler of [Define] does not need it, because the bus finds its Text fields.
func (c *Call) SetTexts(texts Texts) { c.texts = texts.below("/data") }

// summaryOr returns the summary, or the title of the capability if there is none.
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

// Bill returns the bill of this call for the handler to fill in. An empty bill is not shown.
func (c *Call) Bill() *Bill { return &c.bill }

// isEmpty reports whether the bill is empty.
func (r *Bill) isEmpty() bool {
	return cmp.Or(len(r.Lines), len(r.Sums), len(r.About), len(r.Follows)) == 0
}

// bills returns the bill of the call or, for a plan, one bill for each step, nil for a step without one.
func (c *Call) bills() []*Bill {
	if slices.ContainsFunc(c.ofSteps, func(b *Bill) bool { return b != nil }) {
		return c.ofSteps
	}
	if c.bill.isEmpty() {
		return nil
	}
	return []*Bill{&c.bill}
}

// addStep stores the bill of the next step of a plan.
func (c *Call) addStep(step *Call) {
	var bill *Bill
	if !step.bill.isEmpty() {
		bill = &step.bill
	}
	c.ofSteps = append(c.ofSteps, bill)
}
