package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/internal/desk"
)

// cardReader shows confirmation cards in the terminal and reads the answers.
type cardReader struct {
	t    *terminal
	in   *lines
	out  io.Writer // where cards and questions go
	desk *desk.Desk

	mu      sync.Mutex // held while printing: cards and updates come from several goroutines
	midLine bool
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

// card prints a confirmation card and reads the answer. Anything but a plain yes declines.
func (c *cardReader) card(e policy.CardEvent) {
	if e.Type != policy.CardOpened {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.freshLine()
	if c.t.flags.JSON {
		_ = json.NewEncoder(c.out).Encode(e)
	} else {
		c.print(e.Card)
	}
	answer := policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: policy.AnswerDeny, By: c.desk.Person.Person}
	if len(e.Card.Approvers) > 0 {
		done, why := c.secondApprover(e.Card)
		if done {
			return
		}
		answer.Reason = why
	} else {
		switch said := c.read("Allow once? [y/N, or why not] "); strings.ToLower(said) {
		case "y", "yes", "allow":
			answer.Answer = policy.AnswerAllow
		case "", "n", "no", "deny":
		default:
			answer.Reason = said
		}
	}
	if err := c.desk.Policy.Decide(answer); err != nil {
		c.lines(inWords(err))
	}
}

// read asks for one line; "" at the end of input.
func (c *cardReader) read(question string) string {
	fmt.Fprint(c.out, question)
	text, err := c.in.next(c.t.ctx)
	said := strings.TrimSpace(string(text))
	if err != nil && said == "" {
		fmt.Fprintln(c.out, "(nobody answers)")
	}
	return said
}

// secondApprover asks who approves a card, and for the PIN, until one is right (done) or approval is declined; why is
// the reason given.
func (c *cardReader) secondApprover(card policy.Card) (done bool, why string) {
	c.line("It needs %s. Who approves?", card.Needs)
	for i, a := range card.Approvers {
		c.line("  %d. %s (%s)", i+1, a.Name, a.Role)
	}
	for {
		said := c.read("Number, or why not: ")
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
		pin, err := c.t.typePIN(c.t.ctx, who.Name)
		if err == nil {
			err = c.desk.Policy.ApproveByPIN(c.t.ctx,
				policy.Approval{ApprovalID: card.ApprovalID, Approver: who.ID, PIN: policy.PIN(pin)})
		}
		if err == nil {
			return true, ""
		}
		c.lines(inWords(err))
		if c.t.ctx.Err() != nil {
			return false, ""
		}
	}
}

func (c *cardReader) print(card policy.Card) {
	c.line("┌─ Confirm: %s", card.Title)
	c.line("│  %s", card.Sentence)
	if card.Why != "" {
		c.line("│  %s", card.Why)
	}
	for i, s := range card.Steps {
		c.line("│  %d. %s", i+1, s)
	}
	for _, s := range card.Changed {
		c.line("│  changed: %s", s)
	}
	for _, a := range card.Arguments {
		c.line("│  %-22s %s   (%s)", a.Label, a.Text, strings.ReplaceAll(string(a.Origin), "_", " "))
	}
	for _, e := range card.Effects {
		c.line("│  %s", effectLine(e))
	}
	c.line("└─ open until %s", time.UnixMilli(card.ExpiresAt).Format("15:04:05"))
}
