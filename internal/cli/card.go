package cli

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// cardReader shows confirmation cards in the terminal and reads the answers.
type cardReader struct {
	t     *terminal
	in    *lines
	out   io.Writer // receives cards and questions
	desk  *desk.Desk
	ended func() // called at the end of the input; nil: the end leaves the card without an answer
	over  bool   // the input has ended

	mu      sync.Mutex // held while printing, and while a card is open: both come from several goroutines
	midLine bool

	cards sync.Mutex // guards asked
	asked map[string]*askedCard
}

// askedCard is a card that the terminal shows, or will show after another one.
type askedCard struct {
	ctx    context.Context // ends when the card is closed
	cancel func()
	end    bus.Answer // answer with which it was closed
}

func (c *cardReader) freshLine() {
	if c.midLine {
		fmt.Fprintln(c.out)
		c.midLine = false
	}
}

// line prints a line of the program itself. It quotes text by others.
func (c *cardReader) line(format string, args ...any) {
	c.freshLine()
	for i, arg := range args {
		if text, is := arg.(string); is {
			args[i] = quoted(text)
		}
	}
	fmt.Fprintf(c.out, format+"\n", args...)
}

// lines prints text by others that may have several lines.
func (c *cardReader) lines(text string) {
	c.freshLine()
	fmt.Fprintln(c.out, said(text))
}

// card shows a card in a goroutine until it is answered here or elsewhere.
func (c *cardReader) card(e policy.CardEvent) {
	c.cards.Lock()
	defer c.cards.Unlock()
	if a := c.asked[e.Card.ApprovalID]; e.Type == policy.CardClosed {
		if a != nil {
			a.end = e.Answer
			a.cancel()
		}
		return
	}
	a := &askedCard{}
	a.ctx, a.cancel = context.WithCancel(c.t.ctx)
	if c.asked == nil {
		c.asked = map[string]*askedCard{}
	}
	c.asked[e.Card.ApprovalID] = a
	first := c.mu.TryLock() // prevents output between the caller's text and its card
	go func() {
		if !first {
			c.mu.Lock()
		}
		defer c.mu.Unlock()
		if a.ctx.Err() == nil {
			c.ask(a, e)
		}
		a.cancel()
		c.cards.Lock()
		delete(c.asked, e.Card.ApprovalID)
		c.cards.Unlock()
	}()
}

// ask prints a card and reads the answer. Any answer except a plain yes declines.
func (c *cardReader) ask(a *askedCard, e policy.CardEvent) {
	c.freshLine()
	word := ""
	if len(e.Card.Approvers) == 0 && (!c.in.drop() || movesMoney(&e.Card)) {
		word = c.t.word()
	}
	if c.t.flags.JSON {
		_ = json.NewEncoder(c.out).Encode(struct {
			policy.CardEvent
			Word string `json:"word,omitempty"`
		}{e, word})
	} else {
		c.print(e.Card, word)
	}
	answer := policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerDeny, By: c.desk.Person.ID,
		Who: c.desk.Person}
	if len(e.Card.Approvers) > 0 {
		done, why := c.secondApprover(a.ctx, e.Card)
		if done {
			return
		}
		answer.Reason = why
	} else {
		yes, why := c.confirm(a.ctx, "Allow once? [y/N, or why not] ", "Allow once? [the word, N, or why not] ", word)
		if answer.Reason = why; yes {
			answer.Answer = bus.AnswerAllow
		}
	}
	if a.ctx.Err() != nil { // closed, or the program or its input has ended
		c.cards.Lock()
		end := a.end
		c.cards.Unlock()
		if end != "" {
			c.line("It was answered elsewhere (%s).", end)
		}
		return
	}
	decide := c.desk.Policy.Decide
	if c.over && answer.Answer == bus.AnswerDeny {
		decide = func(a policy.Answer) error { return c.desk.Policy.Leave(a.ApprovalID) }
	}
	if err := decide(answer); err != nil {
		c.lines(c.t.inWords(err))
	}
}

// agrees asks the person a question of the program itself. Any answer except yes means no.
func (c *cardReader) agrees(ctx context.Context, question string) bool {
	word := ""
	if !c.in.drop() {
		word = c.t.word()
	}
	yes, _ := c.confirm(ctx, question+" [y/N] ", fmt.Sprintf("%s [%s/N] ", question, word), word)
	return yes
}

// confirm repeats a question until the answer is clear. An answer other than yes or no declines and becomes the reason
// why. With a word, only the word means yes. It appears together with the question, so input typed earlier cannot
// contain it.
func (c *cardReader) confirm(ctx context.Context, question, wordQuestion, word string) (yes bool, why string) {
	if word != "" {
		question = wordQuestion
	}
	for {
		said, fresh := c.read(ctx, question)
		switch answer := strings.ToLower(said); answer {
		case "", "n", "no", "deny":
			return false, ""
		case "y", "yes", "allow":
			if word == "" {
				return fresh, ""
			}
			c.line("Type %s to allow it.", word)
		default:
			if answer == word {
				return true, ""
			}
			return false, said
		}
	}
}

// read reads one line, "" at the end of the input or of ctx. It drops terminal input from before readingTime after the
// question's text. fresh reports that the answer was typed later.
func (c *cardReader) read(ctx context.Context, question string) (said string, fresh bool) {
	if c.in.drop() {
		select {
		case <-c.t.wait(readingTime):
			fresh = c.in.drop()
		case <-ctx.Done():
		}
	}
	fmt.Fprint(c.out, question)
	text, err := c.in.next(ctx)
	said = strings.TrimSpace(string(text))
	switch {
	case ctx.Err() != nil && c.t.ctx.Err() == nil:
		fmt.Fprintln(c.out)
	case err != nil && said == "":
		fmt.Fprintln(c.out, "(nobody answers)")
		c.over = true
		if c.ended != nil {
			c.ended()
		}
	}
	return said, fresh
}

// readingTime is the minimum time between a question and an answer that counts.
const readingTime = 500 * time.Millisecond

// word draws a word that any keyboard can type. It can be short, because it only has to be unpredictable.
func (t *terminal) word() string {
	random := t.rand
	if random == nil {
		random = rand.Reader
	}
	drawn := make([]byte, 4)
	_, _ = io.ReadFull(random, drawn) // the system's random numbers never fail
	for i, letters := range []string{"bdfgklmnprstvw", "aeiou", "bdfgklmnprstvw", "aeiou"} {
		drawn[i] = letters[int(drawn[i])%len(letters)]
	}
	return string(drawn)
}

// wait returns a channel that receives after a time.
func (t *terminal) wait(d time.Duration) <-chan time.Time {
	if t.after == nil {
		return time.After(d)
	}
	return t.after(d)
}

// movesMoney reports whether a card concerns money, an effect without undo, or a right to act without cards.
func movesMoney(card *policy.Card) bool {
	if card.SideEffect == bus.Destructive || card.Capability == "agent.requestCapability" {
		return true
	}
	for _, b := range card.Bills {
		if b != nil && len(b.Lines)+len(b.Sums) > 0 {
			return true
		}
	}
	values := []any{card.Facts}
	for _, a := range card.Arguments {
		values = append(values, a.Value)
	}
	raw, err := json.Marshal(values)
	var plain any
	return err != nil || json.Unmarshal(raw, &plain) != nil || hasAmount(plain)
}

// hasAmount reports whether a JSON value contains an amount of money.
func hasAmount(v any) bool {
	switch t := v.(type) {
	case map[string]any:
		_, amount := t["amount"].(float64)
		_, currency := t["currency"].(string)
		return amount && currency || slices.ContainsFunc(slices.Collect(maps.Values(t)), hasAmount)
	case []any:
		return slices.ContainsFunc(t, hasAmount)
	}
	return false
}

// secondApprover asks for the approver of a card and the PIN, until a PIN is correct (done) or the person declines with
// the reason why.
func (c *cardReader) secondApprover(ctx context.Context, card policy.Card) (done bool, why string) {
	c.line("It needs %s. Who approves?", card.Needs)
	for i, a := range card.Approvers {
		c.line("  %d. %s (%s)", i+1, a.Name, a.Role)
	}
	for {
		said, _ := c.read(ctx, "Number, or why not: ") // the PIN allows it
		n, err := strconv.Atoi(said)
		switch {
		case said == "" || strings.EqualFold(said, "n") || strings.EqualFold(said, "no"):
			return false, ""
		case err != nil:
			return false, said
		case n < 1 || n > len(card.Approvers):
			c.line("There is no %d.", n)
			continue
		}
		who := card.Approvers[n-1]
		pin, err := c.t.typePIN(ctx, who.Name)
		if err == nil {
			err = c.desk.Policy.ApproveByPIN(ctx,
				policy.Approval{ApprovalID: card.ApprovalID, Approver: who.ID, PIN: policy.PIN(pin)})
		}
		if err == nil {
			return true, ""
		}
		if ctx.Err() != nil {
			return false, ""
		}
		c.lines(c.t.inWords(err))
	}
}

// choose asks for a value among the choices of an error, and sets it in the invocation.
func (c *cardReader) choose(r bus.Result, inv *bus.Invocation) bool {
	var args map[string]any
	if r.OK() || len(r.Err.Choices) == 0 || json.Unmarshal(inv.Arguments, &args) != nil {
		return false
	}
	choice := r.Err.Choices[0]
	c.line("%s", r.Err.Message)
	for i, o := range choice.Options {
		c.line("  %d. %s", i+1, o.Title)
	}
	said, _ := c.read(c.t.ctx, "Number, or nothing to leave it: ")
	n, err := strconv.Atoi(said)
	if err != nil || n < 1 || n > len(choice.Options) {
		return false
	}
	if !jsonpointer.Set(args, "/"+choice.Field, choice.Options[n-1].Value) {
		return false
	}
	inv.Arguments, err = json.Marshal(args)
	return err == nil
}

func (c *cardReader) print(card policy.Card, word string) {
	c.line("┌─ Confirm: %s", card.Title)
	c.line("│  %s", card.Sentence)
	if card.Client != "" {
		c.line("│  The assistant of %s asks.", card.Client)
	}
	if card.Why != "" {
		c.line("│  %s", card.Why)
	}
	for _, s := range card.Changed {
		c.line("│  changed: %s", s)
	}
	for i, s := range card.Steps {
		c.line("│  %d. %s", i+1, s)
		if i < len(card.Bills) {
			c.bill(card.Bills[i], nil)
		}
	}
	for _, l := range card.Left {
		c.line("│  left out: %s: %s", l.Name, l.Why)
	}
	if len(card.Steps) == 0 && len(card.Bills) == 1 {
		c.bill(card.Bills[0], card.Arguments)
	}
	for _, a := range card.Arguments {
		c.line("│  %-22s %s   (%s)", a.Label, a.Text, strings.ReplaceAll(string(a.Origin), "_", " "))
	}
	for _, e := range card.Effects {
		c.line("│  %s", effectLine(e))
	}
	if word != "" {
		c.line("│  To allow it, type: %s", word)
	}
	c.line("└─ open until %s", time.UnixMilli(card.ExpiresAt).Format("15:04:05"))
}

// bill prints the bill of a call. Arguments are on separate lines.
func (c *cardReader) bill(b *bus.Bill, args []policy.CardArgument) {
	if b == nil {
		return
	}
	for _, l := range b.Lines {
		what := fmt.Sprintf("%d × %s", l.Quantity, l.Text)
		if l.Each != "" && l.Quantity != 1 {
			what += ", " + l.Each + " each"
		}
		c.line("│     %-44s %12s", what, l.Amount)
	}
	for _, s := range b.Sums {
		c.line("│     %-44s %12s", s.Label, s.Text)
	}
	for _, a := range b.About {
		if !slices.ContainsFunc(args, func(of policy.CardArgument) bool { return of.Pointer == a.Argument }) {
			c.line("│  %-22s %s", a.Label, a.Text)
		}
	}
	if len(b.Follows) > 0 {
		c.line("│  Then: %s", strings.Join(b.Follows, ", "))
	}
}
