package staff

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// authenticationLocked marks the empty principal of a locked desk. Its name is that of the person who may unlock it.
const authenticationLocked = "locked"

// AtLockedDesk returns the empty principal of a desk that is locked for the person with that name. A door uses it in
// place of that person until someone signs in.
func AtLockedDesk(name string) bus.Principal {
	return bus.Principal{Name: name, Authentication: authenticationLocked}
}

// domainLock is the domain of events about a locked desk, or one unlocked by the same person. No other person uses the
// desk then, so the window keeps its content.
const domainLock = "lock"

// The preference of the lock belongs to the desk, not to a person.
const (
	WholeDesk      = ""
	LockPreference = "lockAfterMinutes"
)

// LockAfterMinutes returns the idle time in minutes after which the desk locks; 0 means never.
func LockAfterMinutes(ctx context.Context) (int64, error) {
	kept, err := core.Preference(ctx, WholeDesk, LockPreference, "0")
	if err != nil {
		return 0, err
	}
	minutes, err := strconv.ParseInt(kept, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("shop: how long until the window locks: %w", err)
	}
	return minutes, nil
}

// LockAfter returns the idle time after which the window locks. It returns 0, which means never, for a person without a
// PIN, who could not unlock it. It runs inside Journal.View.
func LockAfter(ctx context.Context, staffID string) (time.Duration, error) {
	m, found, err := core.Find(ctx, core.ScanStaff, core.SelectStaff+` WHERE m.id = ?`, staffID)
	if err != nil || !found || !m.PIN {
		return 0, err
	}
	minutes, err := LockAfterMinutes(ctx)
	return time.Duration(minutes) * time.Minute, err
}

// lock locks the desk for the person, who must then enter the PIN. The door keeps the lock, like the session.
func lock(ctx context.Context, call *bus.Call, _ struct{}) (none struct{}, err error) {
	m, err := core.StaffByID(ctx, call.Person.ID)
	if err != nil {
		return none, err
	}
	if !m.PIN {
		return none, core.Refused("%s has no PIN, so a lock would keep nobody out.", m.Name).
			WithHint("Ask an owner to set one with staff.setPin, or use session.signOut.")
	}
	call.Summarize("Lock the window of %s", m.Name)
	call.Announce(domainLock, bus.Textf("The window is locked."))
	return none, nil
}

// stay reports activity of the person to the door. The call itself is the signal, so it reads and changes nothing.
func stay(context.Context, *bus.Call, struct{}) (struct{}, error) { return struct{}{}, nil }
