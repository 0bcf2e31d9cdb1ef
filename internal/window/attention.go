package window

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent/policy"
)

// title is the title of the window.
const title = "Deskhand"

// desktop holds the system's functions for a window that its person may not see.
type desktop struct {
	title    func(string)                // sets the title of the window
	behind   func() bool                 // reports whether the person works in another window
	urge     func(bool)                  // marks the window in the system's list of windows, or removes the mark
	notify   func(id, what, more string) // shows a notification
	withdraw func(id string)             // removes it
	german   func() bool                 // reports whether the person reads German
	muted    func() bool                 // reports whether the person wants no notifications
}

// attention notifies a person who uses another window that cards wait. The title of the window shows their number, and
// a notification shows each card that opens while the window is behind. It names the action but no values, because
// others may see the screen.
type attention struct {
	desktop
	events  chan policy.CardEvent
	waiting []string // the ids of the open cards
}

func newAttention(d desktop) *attention {
	return &attention{desktop: d, events: make(chan policy.CardEvent, 100)}
}

// onCard receives an event of a card that is sent to the page. It does not wait for the desktop.
func (a *attention) onCard(e policy.CardEvent) {
	select {
	case a.events <- e:
	default: // the desktop hangs
	}
}

// run follows the events until ctx ends.
func (a *attention) run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case e := <-a.events:
			a.follow(e)
		}
	}
}

// follow notifies about a new card, and withdraws the notification of a closed one. An open card is sent again when the
// page loads.
func (a *attention) follow(e policy.CardEvent) {
	id := e.Card.ApprovalID
	switch known := slices.Index(a.waiting, id); {
	case e.Type == policy.CardOpened && known < 0:
		a.waiting = append(a.waiting, id)
		if a.behind() {
			a.urge(true)
			if !a.muted() {
				a.tell(e.Card)
			}
		}
	case e.Type == policy.CardClosed && known >= 0:
		a.waiting = slices.Delete(a.waiting, known, known+1)
		a.withdraw(id)
	default:
		return
	}
	if len(a.waiting) > 0 {
		a.title("(" + strconv.Itoa(len(a.waiting)) + ") " + title)
		return
	}
	a.title(title)
	a.urge(false)
}

// tell shows a notification of a card. In German it omits the title of the action, which only the page translates.
func (a *attention) tell(c policy.Card) {
	if a.german() {
		a.notify(c.ApprovalID, "Wartet auf Ihre Antwort", "")
		return
	}
	a.notify(c.ApprovalID, "Waiting for your answer", c.Title)
}

// systemIsGerman reports whether the environment of the program is set to German.
func systemIsGerman() bool {
	for _, variable := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if set := os.Getenv(variable); set != "" {
			return strings.HasPrefix(set, "de")
		}
	}
	return false
}
