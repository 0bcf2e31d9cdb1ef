package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
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
	out   io.Writer // where cards and questions go
	desk  *desk.Desk
	ended func() // called at the end of the input, which then is no answer; nil: it denies

	mu      sync.Mutex // held while printing, and while a card is asked: they come from several goroutines
	midLine bool

	cards sync.Mutex // guards asked
	asked map[string]*askedCard
}

// askedCard is a card that the terminal asks, or will ask after another one.
type askedCard struct {
	ctx    context.Context // ends when the card is closed
	cancel func()
	end    bus.Answer // how it was closed
}

func (c *cardReader) freshLine() {
	if c.midLine {
		fmt.Fprintln(c.out)
		c.midLine = false
	}
}

// line prints a line of the program's own; what others wrote is quoted in it.
func (c *cardReader) line(format string, args ...any) {
	c.freshLine()
	for i, arg := range args {
		if text, is := arg.(string); is {
			args[i] = quoted(text)
		}
	}
	fmt.Fprintf(c.out, format+"\n", args...)
}

// lines prints text of others that may have several lines.
func (c *cardReader) lines(text string) {
	c.freshLine()
	fmt.Fprintln(c.out, said(text))
}

// card asks a card beside what goes on, until it is answered here or elsewhere.
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
	first := c.mu.TryLock() // nothing is printed between what asks and its card
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

// ask prints a card and reads the answer. Anything but a plain yes declines.
func (c *cardReader) ask(a *askedCard, e policy.CardEvent) {
	c.freshLine()
	if c.t.flags.JSON {
		_ = json.NewEncoder(c.out).Encode(e)
	} else {
		c.print(e.Card)
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
		switch said := c.read(a.ctx, "Allow once? [y/N, or why not] "); strings.ToLower(said) {
		case "y", "yes", "allow":
			answer.Answer = bus.AnswerAllow
		case "", "n", "no", "deny":
		default:
			answer.Reason = said
		}
	}
	if a.ctx.Err() != nil { // closed, or the end of the program or its input
		c.cards.Lock()
		end := a.end
		c.cards.Unlock()
		if end != "" {
			c.line("It was answered elsewhere (%s).", end)
		}
		return
	}
	if err := c.desk.Policy.Decide(answer); err != nil {
		c.lines(inWords(err))
	}
}

// read asks for one line; "" at the end of input, or of ctx.
func (c *cardReader) read(ctx context.Context, question string) string {
	fmt.Fprint(c.out, question)
	text, err := c.in.next(ctx)
	said := strings.TrimSpace(string(text))
	switch {
	case ctx.Err() != nil && c.t.ctx.Err() == nil:
		fmt.Fprintln(c.out)
	case err != nil && said == "":
		fmt.Fprintln(c.out, "(nobody answers)")
		if c.ended != nil {
			c.ended()
		}
	}
	return said
}

// secondApprover asks who approves a card, and for the PIN, until one is right (done) or approval is declined; why is
// the reason given.
func (c *cardReader) secondApprover(ctx context.Context, card policy.Card) (done bool, why string) {
	c.line("It needs %s. Who approves?", card.Needs)
	for i, a := range card.Approvers {
		c.line("  %d. %s (%s)", i+1, a.Name, a.Role)
	}
	for {
		said := c.read(ctx, "Number, or why not: ")
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
		c.lines(inWords(err))
	}
}

// choose asks for the argument that a refusal has choices for, and puts what is chosen into the invocation.
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
	n, err := strconv.Atoi(c.read(c.t.ctx, "Number, or nothing to leave it: "))
	if err != nil || n < 1 || n > len(choice.Options) {
		return false
	}
	if !jsonpointer.Set(args, "/"+choice.Field, choice.Options[n-1].Value) {
		return false
	}
	inv.Arguments, err = json.Marshal(args)
	return err == nil
}

func (c *cardReader) print(card policy.Card) {
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
	c.line("└─ open until %s", time.UnixMilli(card.ExpiresAt).Format("15:04:05"))
}

// bill prints what a call comes to; arguments have a line of their own.
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
