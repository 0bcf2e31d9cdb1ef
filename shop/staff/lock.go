package staff

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// authenticationLocked marks the empty principal of a locked desk; the name is then of the person it is locked for.
const authenticationLocked = "locked"

// AtLockedDesk is the empty principal of a desk locked for the person of that name: a door puts it in place of that
// person until someone signs in.
func AtLockedDesk(name string) bus.Principal {
	return bus.Principal{Name: name, Authentication: authenticationLocked}
}

// domainLock is the domain of events about a desk that is locked, or opened again by the person it was locked for: no
// one else is at it, and nothing that is shown there has to go.
const domainLock = "lock"

// The lock is a preference of the desk, not of a person.
const (
	WholeDesk      = ""
	LockPreference = "lockAfterMinutes"
)

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

// LockAfter is how long a person may be away before the window locks; 0 is for ever, and so it is for who has no PIN to
// open it again. It runs inside Journal.View.
func LockAfter(ctx context.Context, staffID string) (time.Duration, error) {
	m, found, err := core.Find(ctx, core.ScanStaff, core.SelectStaff+` WHERE m.id = ?`, staffID)
	if err != nil || !found || !m.PIN {
		return 0, err
	}
	minutes, err := LockAfterMinutes(ctx)
	return time.Duration(minutes) * time.Minute, err
}

// lock leaves the person at the desk, who has to prove it again. The door keeps that, as it keeps who is signed in.
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

// stay tells the door that the person is still there. It reads nothing and changes
// nothing: that it came is what counts.
func stay(context.Context, *bus.Call, struct{}) (struct{}, error) { return struct{}{}, nil }
