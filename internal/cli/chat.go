package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent"
	"github.com/deskhand/deskhand/agent/openai"
	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/keychain"
	"github.com/google/uuid"
)

type chatCommand struct {
	Text     []string `arg:"" optional:"" help:"${chatText}"`
	Endpoint string   `help:"${chatEndpoint}" placeholder:"URL"`
	Model    string   `help:"The endpoint's name of the model." placeholder:"M"`
	Mask     bool     `help:"${chatMask}"`
	Autonomy string   `help:"${chatAutonomy}" enum:"look,ask,grants" default:"ask"`
	Approve  string   `help:"How a confirmation is answered: ${enum}." enum:"ask,deny,allow" default:"ask"`
}

func (c chatCommand) Run(t *terminal) error {
	o := answered(c.Approve)
	o.Mask = c.Mask
	if (c.Endpoint == "") != (c.Model == "") {
		return errors.New("--endpoint and --model go together")
	}
	if c.Endpoint != "" {
		m, err := openai.New(openai.Options{BaseURL: c.Endpoint, Model: c.Model,
			Key: keychain.New(t.flags.Data).ModelKey(c.Endpoint)})
		if err != nil {
			return err
		}
		o.Model = m
	}
	talk := &conversation{cardReader: cardReader{t: t, in: newLines(t.In), out: t.Out},
		id: "chat_" + uuid.Must(uuid.NewV7()).String(), autonomy: policy.Autonomy(c.Autonomy)}
	if c.Approve == "ask" {
		o.OnCard = talk.card
	}
	return t.with(o, func(d *desk.Desk) error {
		talk.desk = d
		talk.sayWhatLeaves()
		for _, text := range c.Text {
			if err := talk.say(text); err != nil {
				return err
			}
		}
		if len(c.Text) == 0 {
			return talk.loop()
		}
		if talk.failed {
			return errQuiet
		}
		return nil
	})
}

// conversation is a chat in the terminal.
type conversation struct {
	cardReader
	id       string
	autonomy policy.Autonomy
	failed   bool            // a turn ended in an error, or a card was not allowed
	streamed map[string]bool // ids of messages that were shown in pieces
	options  []bus.Option    // of the latest question
}

func (c *conversation) loop() error {
	fmt.Fprintln(c.t.Out, "Talk to the shop; end with Ctrl+D.")
	for {
		fmt.Fprint(c.t.Out, "> ")
		read := c.t.wait(readingTime)
		line, err := c.in.next(c.t.ctx)
		text, picked := c.option(strings.TrimSpace(string(line)))
		select {
		case <-read:
			picked = false
		default:
		}
		switch {
		case picked:
			c.line("Type the number again: it was typed before the list could be read.")
		case text != "":
			if err := c.say(text); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			fmt.Fprintln(c.t.Out)
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// sayWhatLeaves warns before the first sentence to a remote model that the conversation leaves the computer.
func (c *conversation) sayWhatLeaves() {
	s := c.desk.Bridge.Status()
	if !s.Remote || c.t.flags.JSON {
		return
	}
	c.line("%s at %s answers. What you say and what it looks up leaves this computer%s.", s.Model, s.Endpoint,
		map[bool]string{true: "; personal values that were looked up are masked"}[s.Masked])
}

// option returns the option of the latest question with the number in line, or line itself if there is none.
func (c *conversation) option(line string) (text string, picked bool) {
	if n, err := strconv.Atoi(line); err == nil && n >= 1 && n <= len(c.options) {
		return c.options[n-1].Title, true
	}
	return line, false
}

func (c *conversation) say(text string) error {
	c.streamed, c.options = map[string]bool{}, nil
	return c.desk.Bridge.Send(c.t.ctx, agent.Turn{ConversationID: c.id, Text: text, Principal: c.desk.Person,
		Autonomy: c.autonomy}, c.show)
}

// show prints an update: JSON lines for programs, a readable log for people.
func (c *conversation) show(u agent.Update) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case u.Type == agent.UpdateTurnEnded && u.Status == agent.StatusError,
		u.Type == agent.UpdateResult && u.Result != nil && u.Result.Err != nil && u.Result.Err.Reason == bus.ReasonDeclined:
		c.failed = true
	}
	if c.t.flags.JSON {
		_ = json.NewEncoder(c.t.Out).Encode(u)
		return
	}
	switch u.Type {
	case agent.UpdateDelta:
		c.streamed[u.MessageID] = true
		fmt.Fprint(c.t.Out, said(u.Text))
		c.midLine = !strings.HasSuffix(u.Text, "\n")
	case agent.UpdateWaiting:
		c.line("  (%s)", u.Text)
	case agent.UpdateMessage:
		if !c.streamed[u.MessageID] {
			c.lines(u.Text)
		} else {
			c.freshLine()
		}
		c.options = nil
		for _, choice := range u.Choices {
			c.options = append(c.options, choice.Options...)
		}
		for i, o := range c.options {
			c.line("  %d. %s", i+1, o.Title)
		}
	case agent.UpdateCall:
		c.line("  · %s %s", u.Title, string(u.Arguments))
	case agent.UpdateResult:
		if u.Result != nil && !u.Result.OK() {
			c.line("    %s: %s", u.Result.Err.Code, u.Result.Err.Message)
		}
	case agent.UpdateTurnEnded:
		c.freshLine()
		for i, tap := range u.Suggestions {
			if len(c.options) == i { // after a question its answers have the numbers
				c.options = append(c.options, bus.Option{Title: strconv.Itoa(i + 1)})
				c.line("  %d. %s", i+1, tap.Text)
			}
		}
		if last := cmp.Or(u.Error, u.Notice); last != "" {
			c.lines(last)
		}
	}
}
