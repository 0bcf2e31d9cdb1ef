package tour

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/window"
)

// tour is a way through what can be done here. Each step is something a person
// does with a real capability, through any door; when
// it has not been done, the capability's own availability says what is in the way.
type tour struct {
	id, title, about string
	scope            string // of whom it is for; "" is everybody
	steps            []tourStep
}

// tourStep is one step: the capability with which it is done.
type tourStep struct {
	id, title, text string
	capability      string
	subject         string       // the first id of the change it makes, where one capability does several steps
	place           window.Place // where the window does it
}

// The tours; the first that fits a person is offered.
const (
	tourOfSetup = "setup"
	tourOfDesk  = "desk"
)

// How far a tour or a step of it is.
const (
	tourNew      = "new"
	tourRunning  = "running"
	tourLeft     = "left"
	tourFinished = "finished"

	stepOpen    = "open"
	stepDone    = "done"
	stepSkipped = "skipped"
)

func tours() []tour {
	return []tour{
		{
			id: tourOfSetup, title: "Set up the shop", scope: "settings:write",
			about: "Name and money, tax, shipping, a first product, and who works here.",
			steps: []tourStep{
				{"shop", "Name the shop and its money", "What it is called stands on every receipt. Choose the currency now: it " +
					"cannot be changed once there are amounts.",
					"settings.set", "shop", window.Place{Page: "settings", ID: "shop"}},
				{"tax", "Say what tax there is", "A rate for each kind of thing you sell, in percent. Without tax, go on.",
					"settings.set", "tax", window.Place{Page: "settings", ID: "tax"}},
				{"shipping", "Say how things are sent", "Each way with its price and how many working days it takes. The first " +
					"is used unless another is chosen.",
					"settings.set", "shipping", window.Place{Page: "settings", ID: "shipping"}},
				{"product", "Add a first product", "With a price, and how many there are if you count them. A file of products " +
					"can be imported there as well.",
					"catalog.createProduct", "", window.Place{Page: "catalog"}},
				{"person", "Say who works here", "Give the owner your name, and add those who help you: a clerk takes orders, a " +
					"manager also sets prices.",
					"staff.save", "", window.Place{Page: "settings", ID: "staff"}},
				{"pin", "Set a PIN", "With one, nobody else is taken for you. Without one, whoever opens Deskhand is its owner.",
					"staff.setPin", "", window.Place{Page: "settings", ID: "staff"}},
			},
		},
		{
			id: tourOfDesk, title: "A tour of the desk",
			about: "An order from the first call to the audit log, by hand and by asking for it.",
			steps: []tourStep{
				{"customer", "Choose a customer", "Press F3, type part of a name and press Enter. Everybody who calls has a " +
					"cart of their own.",
					"cart.setCustomer", "", window.Place{Page: "counter"}},
				{"item", "Put something into the cart", "Press F2 and type a name, or scan a barcode. Enter puts it into the cart.",
					"cart.addItem", "", window.Place{Page: "counter"}},
				{"discount", "Ask for a discount", "Open the assistant with Ctrl J and write: give 5 % off. It does what you " +
					"could do by hand, under the same rules.",
					"cart.applyDiscount", "", window.Place{Page: "counter"}},
				{"order", "Submit the order", "Choose where it goes and how it is paid. What cannot be taken back is " +
					"shown to you first.",
					"checkout.submit", "", window.Place{Page: "counter"}},
				{"note", "Leave a note", "Open the order and add a note to it: whoever opens it next reads it.",
					"order.addNote", "", window.Place{Page: "orders"}},
				{"record", "Look it up", "Everything that was done stands in the audit log: by whom, why, and what it changed.",
					"navigation.go", "audit", window.Place{Page: "audit"}},
			},
		},
	}
}

// tourFor finds a tour that a person may take.
func tourFor(person bus.Principal, id string) (tour, error) {
	mine := toursOf(person)
	if i := slices.IndexFunc(mine, func(t tour) bool { return t.id == id }); i >= 0 {
		return mine[i], nil
	}
	return tour{}, core.NotFound("There is no tour %q for you.", id).WithHint("tour.get lists the tours.")
}

func toursOf(person bus.Principal) []tour {
	return slices.DeleteFunc(tours(), func(t tour) bool { return t.scope != "" && !person.Has(t.scope) })
}

// offered is the tour that somebody is asked about who has not begun it: how to
// set up a shop in which there is nothing to sell yet, else the desk. Nobody is
// asked who is taking one or has left one.
func offered(ctx context.Context, mine []tour, kept keptTours) (string, error) {
	for _, t := range mine {
		if s := kept.state(t); s == tourRunning || s == tourLeft {
			return "", nil
		}
	}
	for _, t := range mine {
		if kept.state(t) != tourNew {
			continue
		}
		if t.id == tourOfSetup {
			if stocked, err := core.Exists(ctx, `SELECT 1 FROM products`); err != nil || stocked {
				if err != nil {
					return "", err
				}
				continue
			}
		}
		return t.id, nil
	}
	return "", nil
}
