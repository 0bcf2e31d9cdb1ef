package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestA7TheCommandLineAsksForAManager: who approves, and with which PIN, is asked
// on the terminal, where nothing of it is shown.
// holds: A7
func TestA7TheCommandLineAsksForAManager(t *testing.T) {
	for name, tt := range map[string]struct {
		approve, said, typed string
		none                 bool // no terminal
		ok                   bool
		shows                []string
	}{
		"approved": {approve: "ask", said: "1\n", typed: desktest.OwnersPIN, ok: true,
			shows: []string{"Cancel order", "It needs an owner. Who approves?", "1. Mara Lindqvist (owner)", " × ", "Subtotal", "Then: stock rises by "}},
		"a wrong PIN first": {approve: "ask", said: "1\n1\n", typed: "1111\n" + desktest.OwnersPIN, ok: true,
			shows: []string{"That is not the PIN of Mara Lindqvist."}},
		"declined in words": {approve: "ask", said: "not today\n", shows: []string{"was declined: not today"}},
		"no input": {approve: "ask",
			shows: []string{"(nobody answers)", "A refund over $250.00 needs a manager."}},
		"another number": {approve: "ask", said: "7\nno\n", shows: []string{"There is no 7."}},
		"no terminal":    {approve: "ask", said: "1\n", none: true, shows: []string{"there is no terminal"}},
		"not asked": {shows: []string{"A refund over $250.00 needs a manager.",
			"Mara Lindqvist may approve it", "--approve ask"}},
		"allowed unseen": {approve: "allow", shows: []string{"A refund over $250.00 needs a manager."}},
	} {
		t.Run(name, func(t *testing.T) {
			folder, order := desktest.OverTheLimit(t)
			typed := strings.NewReader(tt.typed + "\n")
			var out, shown bytes.Buffer
			term := &terminal{Process: Process{In: strings.NewReader(tt.said), Out: &out, ErrOut: &shown}, ctx: t.Context(),
				flags: &commands{Data: folder, As: "june_park", PINFD: -1},
				tty: func() (tty, error) {
					if tt.none {
						return nil, errors.New("there is none")
					}
					return &fakeTTY{Reader: typed}, nil
				}}
			err := invokeCommand{Name: "order.cancel", Arguments: fmt.Sprintf(`{"orderId":%q,"reason":"other"}`, order),
				Approve: tt.approve}.Run(term)
			if (err == nil) != tt.ok {
				t.Errorf("%v %s", err, shown.String())
			}
			all := fmt.Sprint(shown.String(), err)
			for _, s := range tt.shows {
				if !strings.Contains(all, s) {
					t.Errorf("no %q in %s", s, all)
				}
			}
			if strings.Contains(all+out.String(), desktest.OwnersPIN) {
				t.Error("the PIN is shown")
			}
		})
	}
}

// holds: A7
func TestA7TheChatAsksForAManager(t *testing.T) {
	folder, order := desktest.OverTheLimit(t)
	var out bytes.Buffer
	term := &terminal{Process: Process{In: strings.NewReader("1\n"), Out: &out, ErrOut: io.Discard}, ctx: t.Context(),
		flags: &commands{Data: folder, As: "june_park", PINFD: -1},
		tty:   func() (tty, error) { return &fakeTTY{Reader: strings.NewReader(desktest.OwnersPIN + "\n")}, nil }}
	err := chatCommand{Text: []string{"cancel order " + order + " because it was ordered by mistake"}, Approve: "ask"}.Run(
		term)
	if err != nil || !strings.Contains(out.String(), "It needs an owner. Who approves?") {
		t.Errorf("%v %s", err, out.String())
	}
	d := desktest.Open(t, desk.Options{Folder: folder})
	trace, bad := d.Log.Search(t.Context(), audit.Query{Capability: "order.cancel"})
	if bad != nil || len(trace.Records) != 1 || trace.Records[0].Status != "success" ||
		trace.Records[0].Caller.Type != "agent" || trace.Records[0].Decision.By != "mara_lindqvist" {
		t.Errorf("%+v %v\n%s", trace.Records, bad, out.String())
	}
}

// TestA24OnAPipeOnlyTheWordAllows: the lines of a pipe may have been there before the card; the word was not.
//
// holds: A24
func TestA24OnAPipeOnlyTheWordAllows(t *testing.T) {
	shop, order := cardShop(t)
	for name, tt := range map[string]struct {
		capability, said, want string
	}{
		"a yes":           {"order.addNote", "y\n", "nobody"},
		"many":            {"order.cancel", "y\nyes\nallow\nY\n", "nobody"},
		"no input":        {"order.addNote", "", "nobody"},
		"another word":    {"order.cancel", "bubu\n", "deny"},
		"no":              {"order.addNote", "n\nbaba\n", "deny"},
		"the word":        {"order.addNote", "y\nbaba\n", "allow"},
		"about money too": {"order.cancel", "baba", "allow"},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			if err := os.CopyFS(folder, os.DirFS(shop)); err != nil {
				t.Fatal(err)
			}
			url, release := patientModel(t, "Type y.", strings.ReplaceAll(tt.capability, ".", "_"),
				fmt.Sprintf(theCalls[tt.capability], order))
			release()
			var out bytes.Buffer
			term := &terminal{Process: Process{In: strings.NewReader(tt.said), Out: &out, ErrOut: &out}, ctx: t.Context(),
				flags: &commands{Data: folder, PINFD: -1}, rand: bytes.NewReader(make([]byte, 400))}
			if err := (chatCommand{Text: []string{"go on"}, Endpoint: url, Model: "m", Autonomy: "ask",
				Approve: "ask"}).Run(term); (err == nil) != (tt.want == "allow") || err != nil && !errors.Is(err, errQuiet) {
				t.Fatal(err)
			}
			d := desktest.Open(t, desk.Options{Folder: folder})
			found, err := d.Log.Search(t.Context(), audit.Query{Capability: tt.capability})
			if err != nil || len(found.Records) == 0 || string(found.Records[0].Decision.Answer) != tt.want {
				t.Errorf("%+v %v\n%s", found.Records, err, out.String())
			}
		})
	}
}

// TestA24TheWordIsInTheCardOfAProgram reads it where output is JSON; no card shows it that needs none.
//
// holds: A24
func TestA24TheWordIsInTheCardOfAProgram(t *testing.T) {
	var out bytes.Buffer
	c := &cardReader{t: &terminal{Process: Process{Out: &out}, ctx: t.Context(), flags: &commands{JSON: true}},
		in: newLines(strings.NewReader("")), out: &out, ended: func() {}, desk: &desk.Desk{}}
	a := &askedCard{}
	a.ctx, a.cancel = context.WithCancel(t.Context())
	a.cancel()
	c.ask(a, policy.CardEvent{Type: policy.CardOpened, Card: policy.Card{ApprovalID: "a1"}})
	var shown struct {
		Type, Word string
		Card       policy.Card
	}
	if err := json.NewDecoder(&out).Decode(&shown); err != nil || len(shown.Word) != 4 || shown.Card.ApprovalID != "a1" {
		t.Errorf("%+v %v", shown, err)
	}
}

// TestA24TheWordIsForMoney and for what cannot be taken back.
//
// holds: A24
func TestA24TheWordIsForMoney(t *testing.T) {
	amount := map[string]any{"amount": 4783, "currency": "USD"}
	for name, tt := range map[string]struct {
		card policy.Card
		want bool
	}{
		"a note":             {policy.Card{SideEffect: bus.UIOnly}, false},
		"a mail":             {policy.Card{SideEffect: bus.Network, Bills: []*bus.Bill{nil, {}}}, false},
		"a number":           {policy.Card{Facts: map[string]any{"amount": 3}}, false},
		"an erasure":         {policy.Card{SideEffect: bus.Destructive}, true},
		"a fact":             {policy.Card{Facts: map[string]any{"refund": amount}}, true},
		"an argument":        {policy.Card{Arguments: []policy.CardArgument{{Value: amount}}}, true},
		"a list of amounts":  {policy.Card{Facts: map[string]any{"lines": []any{amount}}}, true},
		"a bill":             {policy.Card{Bills: []*bus.Bill{{Sums: []bus.BillValue{{Label: "Total"}}}}}, true},
		"a step with a bill": {policy.Card{Bills: []*bus.Bill{nil, {Lines: []bus.BillLine{{Text: "Tea"}}}}}, true},
		"a right":            {policy.Card{Capability: "agent.requestCapability"}, true},
	} {
		if got := movesMoney(&tt.card); got != tt.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

// TestA24ANumberIsTypedAfterItsList: one that waited before the options were shown picks none of them.
//
// holds: A24
func TestA24ANumberIsTypedAfterItsList(t *testing.T) {
	for name, tt := range map[string]struct {
		passed bool
		want   string
	}{
		"before": {false, "Type the number again"}, "after": {true, "· Search orders"},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			after := func(time.Duration) <-chan time.Time {
				passed := make(chan time.Time, 1)
				if tt.passed {
					passed <- time.Time{}
				}
				return passed
			}
			term := &terminal{Process: Process{In: strings.NewReader("finish with the cart\n2\n"), Out: &out,
				ErrOut: &out}, ctx: t.Context(), flags: &commands{Data: desktest.Copy(t), PINFD: -1}, after: after}
			if err := (chatCommand{Autonomy: "ask", Approve: "ask"}).Run(term); err != nil {
				t.Fatal(err)
			}
			_, later, listed := strings.Cut(out.String(), "  2. Search orders")
			if !listed || !strings.Contains(later, tt.want) {
				t.Error(out.String())
			}
		})
	}
}
