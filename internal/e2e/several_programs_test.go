package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// commandLine is a running deskhand that is talked to line by line.
type commandLine struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out chan string // its lines, standard error among them
}

func begins(t *testing.T, folder string, args ...string) *commandLine {
	t.Helper()
	p := &commandLine{t: t, cmd: exec.Command("deskhand", append([]string{"--data", folder}, args...)...),
		out: make(chan string, 1000)}
	reads, writes := io.Pipe()
	p.cmd.Stdout, p.cmd.Stderr = writes, writes
	var err error
	if p.in, err = p.cmd.StdinPipe(); err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		lines := bufio.NewScanner(reads)
		lines.Buffer(nil, 1<<20)
		lines.Split(lineOrQuestion)
		for lines.Scan() {
			p.out <- lines.Text()
		}
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may have ended
		_ = p.cmd.Wait()
		_ = writes.Close()
	})
	return p
}

// lineOrQuestion splits lines, and a question that waits for its answer in its line.
func lineOrQuestion(data []byte, atEOF bool) (int, []byte, error) {
	if i := strings.Index(string(data), "not] "); i >= 0 && !strings.Contains(string(data[:i]), "\n") {
		return i + 5, data[:i+5], nil
	}
	return bufio.ScanLines(data, atEOF)
}

func (p *commandLine) says(line string, v ...any) {
	p.t.Helper()
	if _, err := fmt.Fprintf(p.in, line+"\n", v...); err != nil {
		p.t.Fatal(err)
	}
}

// hears waits for a line that contains a text.
func (p *commandLine) hears(text string) string {
	p.t.Helper()
	var all []string
	for limit := time.After(time.Minute); ; {
		select {
		case line := <-p.out:
			if all = append(all, line); strings.Contains(line, text) {
				return line
			}
		case <-limit:
			p.t.Fatalf("%q was not said within a minute:\n%s", text, strings.Join(all, "\n"))
		}
	}
}

// said is what a program has said that was not heard yet.
func (p *commandLine) said() string {
	var all []string
	for {
		select {
		case line := <-p.out:
			all = append(all, line)
		default:
			return strings.Join(all, "\n")
		}
	}
}

// nextCard waits for a card that opens or closes at the window. asks is the program whose call it is about.
func nextCard(t *testing.T, cards <-chan policy.CardEvent, asks *commandLine) policy.CardEvent {
	t.Helper()
	select {
	case e := <-cards:
		return e
	case <-time.After(time.Minute):
		t.Fatalf("no card opened or closed within a minute; the program that asks said:\n%s", asks.said())
		return policy.CardEvent{}
	}
}

// TestR9SeveralProgramsOnOneShop: a window, a chat, the cards of a terminal, a bus and two scripts at once.
//
// holds: R9 A7 B4
func TestR9SeveralProgramsOnOneShop(t *testing.T) {
	folder := desktest.Copy(t)
	cards := make(chan policy.CardEvent, 20)
	var window desk.Boundary
	window = desk.Boundary{Context: t.Context(), Folder: folder, Emit: func(name string, payload any) {
		if e, is := payload.(policy.CardEvent); is && name == "approval" {
			cards <- e
		}
	}, Open: func() (*desk.Desk, error) {
		return desk.Open(t.Context(), desk.Options{Folder: folder, Door: desk.DoorWindow, OnCard: window.ShowCard})
	}}
	t.Cleanup(window.Close)
	if m := window.Manifest(`{}`); !strings.Contains(m, "approval.answer") {
		t.Fatalf("%.300s", m)
	}
	d, err := window.Ready()
	if err != nil {
		t.Fatal(err)
	}
	decide := func(c policy.Card, answer bus.Answer) {
		t.Helper()
		said, _ := json.Marshal(policy.Answer{ApprovalID: c.ApprovalID, Answer: answer})
		if got := window.Decide(string(said)); !strings.Contains(got, `"ok":true`) {
			t.Errorf("%s: %s", answer, got)
		}
	}
	order, another := placed(t, d), placed(t, d)

	// Two scripts put things into carts all the while.
	guji := desktest.Guji(t, d)
	scripts := []*commandLine{begins(t, folder, "bus", "--approve", "deny"), begins(t, folder, "bus")}
	const each = 20
	for n := range each {
		for i, s := range scripts {
			s.says(`{"capability":"cart.addItem","arguments":{"productId":%q,"quantity":1},"idempotency_key":"k%d-%d"}`, guji, i,
				n)
		}
	}

	// What a bus asks, the window answers.
	asks := begins(t, folder, "bus", "--approve", "ask")
	asks.says(`{"capability":"order.addNote","arguments":{"orderId":%q,"text":"by hand"}}`, order)
	asks.hears(`"status":"success"`)
	cancel := fmt.Sprintf(`{"capability":"order.cancel","arguments":{"orderId":%q,"reason":"no longer needed"},`+
		`"caller":{"type":"agent","source":"script"}}`, order)
	asks.says("%s", cancel)
	e := nextCard(t, cards, asks)
	if e.Type != policy.CardOpened || !strings.Contains(e.Card.Sentence, "Ana Ruiz") {
		t.Fatalf("%+v", e)
	}
	if list := d.Policy.Pending(d.Person.ID); len(list) != 1 {
		t.Errorf("pending: %+v", list)
	}
	decide(e.Card, bus.AnswerDeny)
	asks.hears(`"reason":"declined"`)
	if e := nextCard(t, cards, asks); e.Type != policy.CardClosed || e.Answer != bus.AnswerDeny {
		t.Errorf("%+v", e)
	}

	// What a bus asks, another terminal answers, and the window's card goes.
	terminal := begins(t, folder, "approvals")
	terminal.hears("are asked here")
	asks.says("%s", cancel)
	terminal.hears("Ana Ruiz")
	_, word, _ := strings.Cut(terminal.hears("To allow it, type: "), "type: ")
	terminal.hears("Allow once?")
	opened := nextCard(t, cards, asks)
	terminal.says("y")
	terminal.hears("Type " + word + " to allow it.")
	terminal.hears("Allow once?")
	terminal.says("%s", word)
	asks.hears(`"status":"success"`)
	if e := nextCard(t, cards, asks); e.Type != policy.CardClosed || e.Answer != bus.AnswerAllow ||
		e.Card.ApprovalID != opened.Card.ApprovalID {
		t.Errorf("%+v", e)
	}

	// What a chat asks, the window answers: the terminals say so, and go on.
	chat := begins(t, folder, "chat")
	chat.says("cancel order %s, no longer needed", another)
	chat.hears("Allow once?")
	e = nextCard(t, cards, chat)
	terminal.hears("Allow once?")
	decide(e.Card, bus.AnswerAllow)
	terminal.hears("answered elsewhere (allow)")
	chat.hears("answered elsewhere (allow)")
	if e := nextCard(t, cards, chat); e.Type != policy.CardClosed {
		t.Errorf("%+v", e)
	}
	chat.says("show the cart")
	chat.hears("Show the cart")

	for _, s := range scripts {
		for range each {
			s.hears(`"status":"success"`)
		}
	}
	page, err := d.Log.Search(t.Context(), audit.Query{Capability: "approval.answer", Limit: 50})
	var callers []string // the newest first
	for _, r := range page.Records {
		callers = append(callers, r.Caller.Type)
	}
	if err != nil || strings.Join(callers, " ") != "ui cli ui" {
		t.Errorf("answers are recorded of %v: %v", callers, err)
	}
	if v, err := d.Log.Verify(t.Context(), nil); err != nil || !v.OK {
		t.Errorf("%+v %v", v, err)
	}
}

// placed places an order of Ana's at the window and returns its id.
func placed(t *testing.T, d *desk.Desk) string {
	t.Helper()
	desktest.Must(t, d, "ui", "cart.addItem", fmt.Sprintf(`{"productId":%q,"quantity":1,"customerId":"cus_201100"}`,
		desktest.Guji(t, d)), nil)
	var cart struct{ SavedAddresses, SavedPaymentMethods []struct{ ID string } }
	desktest.Must(t, d, "ui", "cart.getSummary", `{}`, &cart)
	var out struct{ OrderID string }
	desktest.Must(t, d, "ui", "checkout.submit", fmt.Sprintf(`{"shippingAddressId":%q,"paymentMethodId":%q}`,
		cart.SavedAddresses[0].ID, cart.SavedPaymentMethods[0].ID), &out)
	return out.OrderID
}
