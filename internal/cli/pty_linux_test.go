package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// pseudoTerminal is a terminal that a test types on and looks at.
type pseudoTerminal struct {
	t      *testing.T
	keys   *os.File // what is written is typed
	inside *os.File // standard input and output of the program

	mu    sync.Mutex // guards shown
	shown bytes.Buffer
}

func openPTY(t *testing.T) *pseudoTerminal {
	t.Helper()
	keys, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = keys.Close() })
	number := 0
	raw, err := keys.SyscallConn()
	if err == nil {
		err = raw.Control(func(fd uintptr) {
			if err = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0); err == nil {
				number, err = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
			}
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	inside, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = inside.Close() })
	p := &pseudoTerminal{t: t, keys: keys, inside: inside}
	go func() { _, _ = io.Copy(p, keys) }() // it ends with keys
	return p
}

// Write takes what the terminal shows.
func (p *pseudoTerminal) Write(piece []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown.Write(piece)
}

// shows returns what the terminal has shown.
func (p *pseudoTerminal) shows() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.shown.String()
}

// awaits waits until the terminal has shown a text so many times after a place.
func (p *pseudoTerminal) awaits(from int, text string, times int) {
	p.t.Helper()
	for range 6000 {
		if strings.Count(p.shows()[from:], text) >= times {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.t.Fatalf("no %d × %q in:\n%s", times, text, p.shows())
}

// types types text, and waits until the terminal has it: it shows what is typed. Enter is "\n".
func (p *pseudoTerminal) types(text string) {
	p.t.Helper()
	from := len(p.shows())
	if _, err := io.WriteString(p.keys, text); err != nil {
		p.t.Fatal(err)
	}
	p.awaits(from, strings.NewReplacer("\n", "\r\n", "\x04", "").Replace(text), 1)
}

// heldClock lets a time pass when a test says so.
type heldClock struct {
	asked  chan time.Duration
	passed chan time.Time
}

func newHeldClock() *heldClock {
	return &heldClock{asked: make(chan time.Duration, 100), passed: make(chan time.Time)}
}

func (c *heldClock) after(d time.Duration) <-chan time.Time {
	c.asked <- d
	return c.passed
}

// atCard is a chat on a pseudo-terminal whose model asked the person to type, and then calls.
type atCard struct {
	*pseudoTerminal
	clock   *heldClock
	folder  string
	release func()
	ended   chan error
}

func chatAtCard(t *testing.T, folder, call, arguments string) *atCard {
	t.Helper()
	url, release := patientModel(t, "There are 3 orders: type y and press Enter to see them.",
		strings.ReplaceAll(call, ".", "_"), arguments)
	c := &atCard{pseudoTerminal: openPTY(t), clock: newHeldClock(), folder: folder, release: release,
		ended: make(chan error, 1)}
	term := &terminal{Process: Process{In: c.inside, Out: &screen{to: c.inside}, ErrOut: io.Discard}, ctx: t.Context(),
		flags: &commands{Data: folder, PINFD: -1}, after: c.clock.after, rand: bytes.NewReader(make([]byte, 400))}
	go func() {
		c.ended <- chatCommand{Text: []string{"show my orders"}, Endpoint: url, Model: "m", Autonomy: "ask",
			Approve: "ask"}.Run(term)
	}()
	c.awaits(0, "to see them.", 1)
	return c
}

// drawn lets the model call, and waits for the whole card.
func (c *atCard) drawn() {
	c.t.Helper()
	c.release()
	c.awaits(0, "─ open until", 1)
	if d := <-c.clock.asked; d != 500*time.Millisecond {
		c.t.Errorf("the card is there for %s before it is asked", d)
	}
}

// asked lets the time for reading pass, and waits for the question.
func (c *atCard) asked(times int) {
	c.t.Helper()
	c.clock.passed <- time.Time{}
	c.awaits(0, "Allow once?", times)
}

// decided waits for the end and returns the decision of the record.
func (c *atCard) decided(capability string) (status, answer string) {
	c.t.Helper()
	if err := <-c.ended; err != nil && !errors.Is(err, errQuiet) {
		c.t.Fatal(err)
	}
	d := desktest.Open(c.t, desk.Options{Folder: c.folder})
	found, err := d.Log.Search(c.t.Context(), audit.Query{Capability: capability})
	if err != nil || len(found.Records) == 0 || found.Records[0].Decision == nil {
		c.t.Fatalf("%+v %v\n%s", found.Records, err, c.shows())
	}
	return string(found.Records[0].Status), string(found.Records[0].Decision.Answer)
}

// TestA24NothingTypedBeforeAnswersACard: nor what is typed while it is drawn, and no half of it.
//
// holds: A24
func TestA24NothingTypedBeforeAnswersACard(t *testing.T) {
	shop, order := cardShop(t)
	for name, tt := range map[string]struct{ before, drawing, after string }{
		"a yes in the queue":         {before: "y\n", after: "n\n"},
		"half a line, then Enter":    {before: "y", after: "\n"},
		"half a line that was sent":  {before: "y\x04", after: "\n"},
		"a paste of several lines":   {before: "y\ny\nyes\nallow\nbaba\n", after: "n\n"},
		"while it is drawn":          {drawing: "y\n", after: "n\n"},
		"half while it is drawn":     {drawing: "y", after: "\n"},
		"half the word":              {drawing: "ba", after: "ba\n"},
		"the word, known beforehand": {before: "baba\n", drawing: "baba\n", after: "n\n"},
		"a paste around the card":    {before: "y\nba", drawing: "ba\ny\n", after: "n\n"},
	} {
		for capability, arguments := range theCalls {
			t.Run(name+", "+capability, func(t *testing.T) {
				c := chatAtCard(t, shop, capability, fmt.Sprintf(arguments, order))
				c.types(tt.before)
				c.drawn()
				c.types(tt.drawing)
				c.asked(1)
				c.types(tt.after)
				if status, answer := c.decided(capability); status != "error" || answer != "deny" {
					t.Errorf("%s %s\n%s", status, answer, c.shows())
				}
			})
		}
	}
}

// TestA24AnAnswerAfterTheCardCounts: a yes, or about money the word.
//
// holds: A24
func TestA24AnAnswerAfterTheCardCounts(t *testing.T) {
	for capability, arguments := range theCalls {
		t.Run(capability, func(t *testing.T) {
			shop, order := cardShop(t)
			c := chatAtCard(t, shop, capability, fmt.Sprintf(arguments, order))
			c.types("typed before\n")
			c.drawn()
			c.asked(1)
			c.types("y\n")
			if money := capability == "order.cancel"; money != strings.Contains(c.shows(), "To allow it, type: "+theWord) {
				t.Error(c.shows())
			} else if money {
				c.awaits(0, "Type "+theWord+" to allow it.", 1)
				c.asked(2)
				c.types(strings.ToUpper(theWord) + "\n")
			}
			if status, answer := c.decided(capability); status != "success" || answer != "allow" {
				t.Errorf("%s %s\n%s", status, answer, c.shows())
			}
		})
	}
}
