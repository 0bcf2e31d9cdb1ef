package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
	"github.com/deskhand/deskhand/internal/mcp"
)

// build/cards.sh gives each round another seed, and has the page show the same cards.
var (
	cardCalls = flag.Int("card-calls", 120, "make this many random calls for cards")
	cardSeed  = flag.Uint64("card-seed", 1, "make the calls of this seed")
	cardsTo   = flag.String("cards-to", "", "write the cards to this file, for the page")
)

// cardDesk is a shop with a client of the protocol that calls anything, and a person at a terminal who reads the cards.
type cardDesk struct {
	t      *testing.T
	desk   *desk.Desk
	client *sdk.ClientSession
	opened chan policy.Card
	late   chan time.Time
	calls  *randomCalls
	page   *json.Encoder

	cards, values, allowed, programs int
}

// shownCard is a card as the page is sent it, with what it must show.
type shownCard struct {
	Seed   uint64                       `json:"seed"`
	Number int                          `json:"number"`
	Card   policy.Card                  `json:"card"`
	Leaves []leaf                       `json:"leaves"`
	Names  map[string]map[string]string `json:"names"` // by the kind of record and its id
}

// TestA7ACardTellsTheTruth: of random calls with hostile values each value that is executed is on the card of the
// terminal and on that of the protocol's client, as it is, and no other; and no answer counts that was typed before.
//
// holds: A7 A24
func TestA7ACardTellsTheTruth(t *testing.T) {
	c := openCardDesk(t)
	refused := 0
	for n := range *cardCalls {
		name, arguments := c.calls.next()
		if !c.call(n, name, arguments) {
			refused++
		}
		if t.Failed() {
			t.Fatalf("seed %d, call %d: %s %s", *cardSeed, n, name, arguments)
		}
	}
	t.Logf("seed %d: %d cards with %d values, %d of them allowed, %d of programs; %d calls had no card", *cardSeed, c.cards,
		c.values, c.allowed, c.programs, refused)
	if c.cards < *cardCalls/8 || c.allowed < 3 || c.programs < *cardCalls/40 {
		t.Errorf("%d cards of %d calls, %d allowed; %d of programs", c.cards, *cardCalls, c.allowed, c.programs)
	}
}

func openCardDesk(t *testing.T) *cardDesk {
	c := &cardDesk{t: t, opened: make(chan policy.Card), late: make(chan time.Time)}
	var server *mcp.Server
	c.desk = desktest.Sample(t, desk.Options{Door: mcp.Door, OnCard: func(e policy.CardEvent) {
		server.OnCard(e)
		if e.Type == policy.CardOpened {
			c.opened <- e.Card
		}
	}})
	desktest.Must(t, c.desk, bus.CallerUI, "policy.set", `{"rules":[{"class":"ui-only","rule":"confirmation_required"}]}`,
		nil)
	c.calls = newRandomCalls(t, c.desk, *cardSeed)
	c.writeManifest()
	server = mcp.New(mcp.Options{Bus: c.desk.Bus, Bridge: c.desk.Bridge, Client: "probe", Version: "0",
		Who: func(ctx context.Context) (bus.Principal, error) { return c.desk.SignedIn(ctx), nil },
		After: func(d time.Duration) <-chan time.Time {
			if d < time.Second {
				return time.After(time.Millisecond)
			}
			return c.late
		}})
	here, there := sdk.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	go func() { _ = server.Run(ctx, here) }() // it ends with ctx
	client, err := sdk.NewClient(&sdk.Implementation{Name: "probe", Version: "1"}, nil).Connect(ctx, there, nil)
	if err != nil {
		t.Fatal(err)
	}
	c.client = client
	return c
}

// writeManifest begins the file for the page.
func (c *cardDesk) writeManifest() {
	if *cardsTo == "" {
		return
	}
	file, err := os.Create(*cardsTo)
	if err != nil {
		c.t.Fatal(err)
	}
	c.t.Cleanup(func() { _ = file.Close() })
	c.page = json.NewEncoder(file)
	m, err := c.desk.Bus.Manifest(c.t.Context(), bus.View{Caller: bus.CallerUI, Principal: c.desk.Person})
	if err == nil {
		err = c.page.Encode(m)
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// invoke calls a tool of the protocol beside what goes on.
func (c *cardDesk) invoke(tool string, arguments any) chan *sdk.CallToolResult {
	done := make(chan *sdk.CallToolResult, 1)
	go func() {
		result, err := c.client.CallTool(c.t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			c.t.Errorf("%s: %v", tool, err)
		}
		done <- result
	}()
	return done
}

// call makes a call and reads its card at each place; false when it has none.
func (c *cardDesk) call(n int, name string, arguments json.RawMessage) bool {
	done := c.invoke("capability_call", map[string]any{"name": name, "arguments": arguments})
	var card policy.Card
	select {
	case card = <-c.opened:
	case result := <-done:
		c.calls.refused(name, result)
		return false
	}
	c.late <- time.Time{}
	waiting := <-done
	executed := c.desk.Bus.WithDefaults(name, arguments)
	steps, does := c.calls.asDone(executed)
	leaves := inOrderOf(card, withoutShared(card, leavesOf(c.t, steps)))
	if does != "" {
		c.programs++
	}
	if card.Capability == "plan.repeat" { // its steps say what is done with which record
		leaves = nil
	}
	c.calls.look()
	var given any
	_ = json.Unmarshal(steps, &given) // leavesOf has read it
	for i, l := range leaves {
		leaves[i].Kind = c.calls.kindAt(name, given, l.Pointer)
		leaves[i].Name = c.calls.names[leaves[i].Kind][l.text()]
	}
	c.cards, c.values = c.cards+1, c.values+len(leaves)
	if c.page != nil {
		if err := c.page.Encode(shownCard{*cardSeed, n, card, leaves, c.calls.names}); err != nil {
			c.t.Fatal(err)
		}
	}
	c.readClient(waiting, card, leaves)
	allow := c.calls.harmless(cmp.Or(does, name)) && c.calls.chance(0.6)
	c.t.Run(name, func(t *testing.T) { c.terminal(t, card, leaves, allow) })
	result := <-c.invoke("approval_wait", map[string]any{"requestId": card.RequestID})
	if result == nil || c.t.Failed() {
		return true
	}
	c.record(card, executed, allow)
	return true
}

// record compares the record of a call with its card.
func (c *cardDesk) record(card policy.Card, executed json.RawMessage, allow bool) {
	found, err := c.desk.Log.Search(c.t.Context(), audit.Query{RequestID: card.RequestID})
	if err != nil || len(found.Records) != 1 || found.Records[0].Decision == nil {
		c.t.Fatalf("%+v %v", found, err)
	}
	r := found.Records[0]
	if allowed := r.Decision.Answer == bus.AnswerAllow; allowed != allow {
		c.t.Errorf("it was answered with %s, and allowed is %v", r.Decision.Answer, allow)
	}
	if allow {
		c.allowed++
		if got, want := string(c.desk.Bus.WithDefaults(card.Capability, r.Arguments)), string(executed); got != want {
			c.t.Errorf("executed was %s, and shown %s", got, want)
		}
	}
}

// readClient reads what the protocol's client gets while a person is asked.
func (c *cardDesk) readClient(result *sdk.CallToolResult, card policy.Card, leaves []leaf) {
	c.t.Helper()
	var told struct {
		Meta struct {
			Preview struct {
				Title, Sentence string
				Steps           []string
				Values          []struct{ Label, Text string }
			} `json:"deskhand/preview"`
		} `json:"_meta"`
		StructuredContent struct{ Status string }
	}
	raw, err := json.Marshal(result)
	if err == nil {
		err = json.Unmarshal(raw, &told)
	}
	p := told.Meta.Preview
	if err != nil || told.StructuredContent.Status != "waiting" || bytes.Contains(raw, []byte(card.ApprovalID)) {
		c.t.Errorf("the client is told %s %v", raw, err)
	}
	if p.Title != card.Title || p.Sentence != card.Sentence || !slices.Equal(p.Steps, card.Steps) ||
		len(p.Values) != len(leaves) {
		c.t.Errorf("the client reads %+v for %d values", p, len(leaves))
		return
	}
	for i, l := range leaves {
		if !l.readsAs(p.Values[i].Text) {
			c.t.Errorf("the client reads %q for %s %s", p.Values[i].Text, l.Pointer, l.Value)
		}
	}
}

// terminal shows a card on a terminal where something was typed before, reads it there and answers it.
func (c *cardDesk) terminal(t *testing.T, card policy.Card, leaves []leaf, allow bool) {
	p, clock := openPTY(t), newHeldClock()
	term := &terminal{Process: Process{In: p.inside, Out: &screen{to: p.inside}}, ctx: t.Context(), flags: &commands{},
		after: clock.after, rand: bytes.NewReader(make([]byte, 400))}
	reader := &cardReader{t: term, in: newLines(p.inside), out: term.Out, desk: c.desk}
	early := []string{"", "y\n", "yes\n", theWord + "\n", "y", "allow\ny\n"}
	p.types(early[c.calls.IntN(len(early))])
	typed := len(p.shows())
	asked := make(chan struct{})
	go func() {
		defer close(asked)
		reader.ask(&askedCard{ctx: t.Context()}, policy.CardEvent{Type: policy.CardOpened, Card: card})
	}()
	p.awaits(typed, "─ open until", 1)
	<-clock.asked
	drawn, _, _ := strings.Cut(p.shows()[typed:], "─ open until")
	p.types(early[c.calls.IntN(len(early))])
	clock.passed <- time.Time{}
	p.awaits(typed, "Allow once?", 1)
	answer := "n\n"
	if allow {
		answer = "y\n"
		if strings.Contains(drawn, "│  To allow it, type: ") {
			answer = theWord + "\n"
		}
	}
	p.types(answer)
	<-asked
	c.readTerminal(t, drawn, card, leaves)
}

// readTerminal finds each value on a drawn card, and nothing that is neither a value nor of the preview.
func (c *cardDesk) readTerminal(t *testing.T, drawn string, card policy.Card, leaves []leaf) {
	lines := onScreen(t, drawn)
	if len(lines) < 3 || !strings.HasPrefix(lines[0], "┌─ Confirm: ") || lines[len(lines)-1] != "└" {
		t.Fatalf("no card: %q", lines)
	}
	var body []string
	for _, line := range lines[1 : len(lines)-1] {
		inside, is := strings.CutPrefix(line, "│  ")
		if !is {
			t.Errorf("a line outside of the card: %q", line)
		}
		body = append(body, inside)
	}
	take := func(what string, is func(line string) bool) {
		at := slices.IndexFunc(body, is)
		if at < 0 {
			t.Errorf("not on the card: %s\n%s", what, drawn)
			return
		}
		body = slices.Delete(body, at, at+1)
	}
	if len(card.Arguments) != len(leaves) {
		t.Fatalf("%d values for %d lines of %s", len(leaves), len(card.Arguments), card.Capability)
	}
	for i, l := range leaves {
		a := card.Arguments[i]
		if a.Pointer != l.Pointer {
			t.Errorf("%s is on the card, and executed is %s", a.Pointer, l.Pointer)
		}
		take(l.Pointer+" "+string(l.Value), func(line string) bool {
			value, label := strings.CutPrefix(line, fmt.Sprintf("%-22s ", quoted(a.Label)))
			value, origin := strings.CutSuffix(value, "   ("+strings.ReplaceAll(string(a.Origin), "_", " ")+")")
			return label && origin && l.readsAs(value)
		})
	}
	exactly := func(text string) {
		take(text, func(line string) bool { return readsAs(line, text, longest) })
	}
	exactly(card.Sentence)
	for i, s := range card.Steps {
		exactly(fmt.Sprintf("%d. %s", i+1, s))
	}
	for _, s := range card.Changed {
		exactly("changed: " + s)
	}
	for _, l := range card.Left {
		exactly(fmt.Sprintf("left out: %s: %s", l.Name, l.Why))
	}
	for _, s := range []string{card.Why, card.Client} {
		if s != "" {
			take(s, func(line string) bool { return strings.Contains(reading(line), reading(s)) })
		}
	}
	for _, e := range card.Effects {
		take(e.Table, func(line string) bool {
			return strings.HasPrefix(line, fmt.Sprintf("%s %s ", e.Op, e.Table)) && showsRow(line, e)
		})
	}
	for _, b := range card.Bills {
		for _, text := range textsOf(b, len(card.Steps) > 0, card.Arguments) {
			take(strings.Join(text, " "), func(line string) bool {
				return !slices.ContainsFunc(text, func(s string) bool { return !strings.Contains(reading(line), reading(s)) })
			})
		}
	}
	body = slices.DeleteFunc(body, func(line string) bool { return strings.HasPrefix(line, "To allow it, type: ") })
	if len(body) > 0 {
		t.Errorf("nobody knows what this is of: %q", body)
	}
}
