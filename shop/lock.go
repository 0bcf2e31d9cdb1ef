package shop

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// authenticationLocked is that of nobody at a desk that is locked; the name is
// then of the person it is locked for.
const authenticationLocked = "locked"

// AtLockedDesk is nobody at a desk that is locked for somebody: what a door puts
// in place of that person until somebody signs in.
func AtLockedDesk(name string) bus.Principal {
	return bus.Principal{Name: name, Authentication: authenticationLocked}
}

// domainLock is the domain of events about a desk that is locked, or opened again
// by the person it was locked for: nobody else is at it, and nothing that is shown
// there has to go.
const domainLock = "lock"

// The lock is a preference of the desk, which is nobody's own.
const (
	nobodys        = ""
	lockPreference = "lockAfterMinutes"
)

type settingsSecurity struct {
	LockAfterMinutes int64 `json:"lockAfterMinutes"`
}

func (settingsSecurity) DescribeFields() map[string]string {
	return map[string]string{
		"lockAfterMinutes": "Without a touch for so long the window locks, for people who have a PIN; 0: it does not.",
	}
}

func lockAfterMinutes(ctx context.Context) (int64, error) {
	kept, err := preference(ctx, nobodys, lockPreference, "0")
	if err != nil {
		return 0, err
	}
	minutes, err := strconv.ParseInt(kept, 10, 64)
	if err != nil {
		return 0, fmt.Errorf("shop: how long until the window locks: %w", err)
	}
	return minutes, nil
}

func setSecurity(ctx context.Context, _ *bus.Call, _ Ports, _ *deskShop, v settingsValues) (string, error) {
	words := "Let the window stay open"
	if *v.LockAfterMinutes > 0 {
		words = fmt.Sprintf("Lock the window after %d min without a touch", *v.LockAfterMinutes)
	}
	return words, prefer(ctx, nobodys, lockPreference, strconv.FormatInt(*v.LockAfterMinutes, 10))
}

// LockAfter is how long somebody may be away before the window locks; 0 is for
// ever, and so it is for who has no PIN to open it again. It runs inside
// Journal.View.
func LockAfter(ctx context.Context, staffID string) (time.Duration, error) {
	m, found, err := find(ctx, scanStaff, selectStaff+` WHERE m.id = ?`, staffID)
	if err != nil || !found || !m.pin {
		return 0, err
	}
	minutes, err := lockAfterMinutes(ctx)
	return time.Duration(minutes) * time.Minute, err
}

// sessionLock leaves the person at the desk, who has to prove it again. The door
// keeps that, as it keeps who is signed in.
func sessionLock() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "session.lock", Title: "Lock the window", Category: "session",
		Description: "Locks the window until somebody signs in; carts and what was begun stay as they are for the same person. " +
			"Use it when somebody leaves for a moment. It does not sign out, and it takes a PIN to be of use.",
		SideEffect: bus.UIOnly, Permissions: []string{"session:write"}, Access: agentNever, Resources: read, Idempotent: true,
	}, func(ctx context.Context, call *bus.Call, _ struct{}) (struct{}, error) {
		m, err := staffByID(ctx, call.Person.Person)
		if err != nil {
			return struct{}{}, err
		}
		if !m.pin {
			return struct{}{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s has no PIN, so a lock would keep nobody out.", m.name).
				WithHint("Ask an owner to set one with staff.setPin, or use session.signOut.")
		}
		call.Summarize("Lock the window of %s", m.name)
		call.Changed(domainLock, "The window is locked.")
		return struct{}{}, nil
	})
}

// sessionStay tells the door that somebody is there. It reads nothing and changes
// nothing: that it came is what counts.
func sessionStay() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "session.stay", Title: "Somebody is at the desk", Category: "session", Type: bus.TypeStatus,
		Description: "Says that somebody touched the window, so that it does not lock. " +
			"Use it from the window while it is used. It does not open a window that is locked.",
		SideEffect: bus.Pure, Permissions: []string{"session:read"}, Access: agentNever, AgentHidden: true, Passive: true,
	}, func(context.Context, *bus.Call, struct{}) (struct{}, error) { return struct{}{}, nil })
}
