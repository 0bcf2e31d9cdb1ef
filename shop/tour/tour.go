package tour

import (
	"context"

	"github.com/deskhand/deskhand/shop/internal/core"
)

// tour is a guided tour. In each step the user calls a real capability in the window, the chat or any other client. If
// that is not possible, the capability's availability gives the reason.
type tour struct {
	ID    string `json:"id" jsonschema:"enum=desk,enum=setup"`
	Title string `json:"title"`
	About string `json:"about"`
	State string `json:"state" jsonschema:"enum=new,enum=running,enum=left,enum=finished"`
	Steps []step `json:"steps"`
	scope string // required scope; "" for everyone
}

// step is a step of a tour: its capability, and the first id of the capability's change if several steps share the
// capability.
type step struct {
	ID         string `json:"id"`
	Title      string `json:"title"`
	Text       string `json:"text" doc:"How it is done."`
	Capability string `json:"capability"`
	Subject    string `json:"subject,omitempty"`
	Page       string `json:"page" enum:"counter,orders,customers,catalog,reports,audit,settings"`
	PageID     string `json:"pageId,omitempty"`
	State      string `json:"state" jsonschema:"enum=open,enum=done,enum=skipped"`
}

// The tours. A person is offered the first one that applies.
const (
	tourOfSetup = "setup"
	tourOfDesk  = "desk"
)

// The states of a tour and of a step.
const (
	tourNew      = "new"
	tourRunning  = "running"
	tourLeft     = "left"
	tourFinished = "finished"

	stepOpen = "open"
	stepDone = "done"
)

func tours() []tour {
	return []tour{
		{
			ID: tourOfSetup, State: tourNew, Title: "Set up the shop", scope: "settings:write",
			About: "Name and money, tax, shipping, a first product, and who works here.",
			Steps: []step{
				{"shop", "Fill in what receipts say", "Address, telephone and tax number stand on every receipt. Look at the " +
					"currency now: it cannot be changed once there are amounts.",
					"settings.set", "shop", "settings", "shop", stepOpen},
				{"tax", "Say what tax there is", "A rate for each kind of thing you sell, in percent. Without tax, go on.",
					"settings.set", "tax", "settings", "tax", stepOpen},
				{"shipping", "Say how things are sent", "Each way with its price and how many working days it takes. The first " +
					"is used unless another is chosen.",
					"settings.set", "shipping", "settings", "shipping", stepOpen},
				{"product", "Add a first product", "With a price, and how many there are if you count them. A file of products " +
					"can be imported there as well.",
					"catalog.createProduct", "", "catalog", "", stepOpen},
				{"person", "Say who works here", "Give the owner your name, and add those who help you: a clerk takes orders, a " +
					"manager also sets prices.",
					"staff.save", "", "settings", "staff", stepOpen},
				{"pin", "Set a PIN", "With one, nobody else is taken for you. Without one, whoever opens Deskhand is its owner.",
					"staff.setPin", "", "settings", "staff", stepOpen},
			},
		},
		{
			ID: tourOfDesk, State: tourNew, Title: "A tour of the desk",
			About: "An order from the first call to the audit log, by hand and by asking for it.",
			Steps: []step{
				{"customer", "Choose a customer", "Press F3, type part of a name and press Enter. Everybody who calls has a " +
					"cart of their own.",
					"cart.setCustomer", "", "counter", "", stepOpen},
				{"item", "Put something into the cart", "Press F2 and type a name, or scan a barcode. Enter puts it into the cart.",
					"cart.addItem", "", "counter", "", stepOpen},
				{"discount", "Ask for a discount", "Open the assistant with Ctrl J and write: give 5 % off. It does what you " +
					"could do by hand, under the same rules.",
					"cart.applyDiscount", "", "counter", "", stepOpen},
				{"order", "Submit the order", "Choose where it goes and how it is paid. What cannot be taken back is " +
					"shown to you first.",
					"checkout.submit", "", "counter", "", stepOpen},
				{"note", "Leave a note", "Open the order and add a note to it: whoever opens it next reads it.",
					"order.addNote", "", "orders", "", stepOpen},
				{"record", "Look it up", "Everything that was done stands in the audit log: by whom, why, and what it changed.",
					"navigation.go", "audit", "audit", "", stepOpen},
			},
		},
	}
}

// offered returns the tour to offer to a person: the setup tour if the shop has no products, or else the desk tour. It
// offers none to a person who is taking or has left a tour.
func offered(ctx context.Context, mine []tour) (string, error) {
	for _, t := range mine {
		if t.State == tourRunning || t.State == tourLeft {
			return "", nil
		}
	}
	stocked, err := core.Exists(ctx, `SELECT 1 FROM products`)
	for _, t := range mine {
		if t.State == tourNew && !(t.ID == tourOfSetup && stocked) {
			return t.ID, err
		}
	}
	return "", err
}
