package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
)

type demoBenchmark struct{}

// trial is what policy.tryOut and a proposal of grant.suggest say of past cards.
type trial struct {
	Cards        int      `json:"cards"`
	Spared       int      `json:"spared"`
	Denied       int      `json:"denied"`
	DeniedSpared []string `json:"deniedSpared"`
}

func (t trial) String() string {
	let := fmt.Sprintf("none of the %d denied", t.Denied)
	if n := len(t.DeniedSpared); n > 0 {
		let = fmt.Sprintf("and %d of the %d denied let through", n, t.Denied)
	}
	return fmt.Sprintf("%d cards, %d spared, %s", t.Cards, t.Spared, let)
}

// grantTerms are those of a proposal, as grant.create takes them.
type grantTerms struct {
	Grantee     policy.Grantee     `json:"grantee"`
	Capability  string             `json:"capability"`
	Constraints policy.Constraints `json:"constraints"`
	Limits      policy.GrantLimits `json:"limits"`
	Until       int64              `json:"until"`
}

// Run has a scripted assistant ask 41 times on a shop of its own, and lets its log say what was worth a grant.
func (demoBenchmark) Run(t *terminal) (err error) {
	folder, err := os.MkdirTemp("", "deskhand-demo-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	demo := &benchmark{terminal: t}
	d, err := desk.Open(t.ctx, desk.Options{Folder: folder, Create: true, Door: "cli", OnCard: demo.answer})
	if err != nil {
		return err
	}
	demo.desk = d
	return errors.Join(demo.run(), d.Close())
}

// benchmark is the demonstration on its way.
type benchmark struct {
	*terminal
	desk  *desk.Desk
	asked int // cards
}

// dear is from what amount in minor units the scripted person denies.
const dear = 10_000

// answer is the scripted person's.
func (b *benchmark) answer(e policy.CardEvent) {
	if e.Type != policy.CardOpened {
		return
	}
	b.asked++
	a := policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerAllow, Who: b.desk.Person}
	if amount, _ := e.Card.Facts["amount"].(map[string]any); amount["amount"].(float64) >= dear {
		a.Answer = bus.AnswerDeny
	}
	if err := b.desk.Policy.Decide(a); err != nil {
		fmt.Fprintln(b.ErrOut, err)
	}
}

func (b *benchmark) run() error {
	if _, err := b.invoke(b.desk, "shop.setUp", map[string]string{"from": "sample"}, "demo"); err != nil {
		return err
	}
	began := time.Now()
	if err := b.orders(41); err != nil {
		return err
	}
	fmt.Fprintf(b.Out, "A scripted assistant asked %d times to submit an order; a scripted person denied what was dear.\n"+
		"(%.1f s, every card and answer in the log)\n\n", b.asked, time.Since(began).Seconds())

	var found struct {
		Proposals []struct {
			grantTerms
			trial
			Text string `json:"text"`
		} `json:"proposals"`
	}
	if err := b.read("grant.suggest", struct{}{}, &found); err != nil {
		return err
	}
	if len(found.Proposals) == 0 {
		return errors.New("the log suggests nothing")
	}
	p := found.Proposals[0]
	fmt.Fprintf(b.Out, "The log suggests a grant:\n  %s\n  %s\n\n", p.Text, p.trial)

	wider := p.grantTerms
	wider.Constraints = policy.Constraints{}
	for key, bound := range p.Constraints {
		if wider.Constraints[key] = bound; key == "amount" {
			wider.Constraints[key] = json.RawMessage(`{"max":{"amount":100000,"currency":"USD"}}`)
		}
	}
	wider.Limits.Uses = 1000
	var tried trial
	if err := b.read("policy.tryOut", map[string]any{"grant": wider}, &tried); err != nil {
		return err
	}
	fmt.Fprintf(b.Out, "A wider one, up to $1,000.00 each, tried on the same log:\n  %s\n    %s\n\n", tried,
		strings.Join(tried.DeniedSpared, "\n    "))

	if _, err := b.invoke(b.desk, "grant.create", p.grantTerms, "demo"); err != nil {
		return err
	}
	b.asked = 0
	if err := b.orders(again); err != nil {
		return err
	}
	_, err := fmt.Fprintf(b.Out, "The suggested one is given, and the first %d are done again: a card for %d of them.\n",
		again, b.asked)
	return err
}

// again is how many orders are submitted once more under the grant.
const again = 12

// orders has the assistant submit n orders for one customer, of which the 11th, 26th and 41st are dear.
func (b *benchmark) orders(n int) error {
	var people struct{ Customers []struct{ ID string } }
	if err := b.read("customer.search", map[string]string{"query": "Ana Ruiz"}, &people); err != nil {
		return err
	}
	var goods struct{ Products []struct{ ID string } }
	if err := b.read("catalog.search", map[string]string{"query": "Guji"}, &goods); err != nil {
		return err
	}
	customer, product := people.Customers[0].ID, goods.Products[0].ID
	if _, err := b.invoke(b.desk, "cart.setCustomer", map[string]string{"customerId": customer}, "demo"); err != nil {
		return err
	}
	who := b.desk.Person
	who.Model, who.ConversationID = &bus.ModelID{Endpoint: "http://localhost/v1", Name: "scripted"}, "demo"
	for i := range n {
		quantity := 1 + i%2
		if i%15 == 10 {
			quantity = 8
		}
		if _, err := b.invoke(b.desk, "cart.addItem", map[string]any{"productId": product, "quantity": quantity},
			"demo"); err != nil {
			return err
		}
		r := b.desk.Bus.Invoke(b.ctx, bus.Invocation{Capability: "checkout.submit", Principal: who,
			Arguments: json.RawMessage(`{"fulfilment":"takeAway"}`), Caller: bus.Caller{Type: bus.CallerAgent, Source: "demo"}})
		if !r.OK() && r.Err.Reason != bus.ReasonDeclined {
			return failure(r)
		}
		if !r.OK() { // what was denied is left; the next begins anew
			if _, err := b.invoke(b.desk, "cart.clear", struct{}{}, "demo"); err != nil {
				return err
			}
		}
		if _, err := b.invoke(b.desk, "cart.setCustomer", map[string]string{"customerId": customer}, "demo"); err != nil {
			return err
		}
	}
	return nil
}

// read runs a capability and decodes its answer.
func (b *benchmark) read(name string, args, into any) error {
	r, err := b.invoke(b.desk, name, args, "demo")
	if err != nil {
		return err
	}
	return json.Unmarshal(r.Data, into)
}
