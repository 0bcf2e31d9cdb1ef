package shop

import (
	"context"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

type vouchIn struct {
	StaffID  string `json:"staffId" jsonschema:"minLength=1,maxLength=100" jsonschema_extras:"x-lookup=session.get#/people"`
	PIN      string `json:"pin" jsonschema:"minLength=1,maxLength=12,writeOnly=true"`
	Approval string `json:"approval" jsonschema:"minLength=1,maxLength=100"`
}

func (vouchIn) DescribeFields() map[string]string {
	return map[string]string{"approval": "Id of the card that the PIN is for."}
}

// sessionVouch checks a PIN at somebody else's card. It allows nothing by itself:
// the door that showed the card takes its answer there.
func sessionVouch(p Ports) bus.Capability {
	return bus.Define(bus.Capability{
		Name: nameVouch, Title: "Prove a PIN at a card", Category: "session",
		Description: "Checks the PIN of somebody who stands beside the person at the desk, for one card that waits for an answer. " +
			"Use it from a card that needs a manager. It signs nobody in and does not approve anything by itself; wrong PINs count as they do for signing in.",
		SideEffect: bus.UIOnly, Access: agentNever, Resources: write, Public: true, Passive: true,
		Bulk:        true, // the row with the hash changes, and a hash has no place in a record
		Concurrency: pinGroup, QueueDepth: 8,
	}, func(ctx context.Context, call *bus.Call, in vouchIn) (signInOut, error) {
		m, err := staffByID(ctx, in.StaffID)
		if err != nil {
			return signInOut{}, err
		}
		if !m.pin {
			return signInOut{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "%s has no PIN, and so cannot approve anything here.", m.name).
				WithHint("Ask an owner to set one with staff.setPin.")
		}
		if err := checkPIN(ctx, call, p, m, in.PIN); err != nil {
			return signInOut{}, err
		}
		call.Summarize("Prove that %s is here", m.name)
		return signInOut{sessionStaff{m.id, m.name, m.role, scopes(m.role)}, authenticationPIN}, nil
	})
}

// Colleagues are the people at the desk with what each may do, those who may
// least first. Authentication says how each can prove who they are at a card: by
// "pin", or, without one, not at all. It runs inside Journal.View.
func Colleagues(ctx context.Context) ([]bus.Principal, error) {
	return list(ctx, func(r row) (bus.Principal, error) {
		m, err := scanStaff(r)
		p := m.principal()
		if p.Authentication = ""; m.pin {
			p.Authentication = authenticationPIN
		}
		return p, err
	}, selectStaff+` ORDER BY CASE m.role WHEN 'auditor' THEN 0 WHEN 'clerk' THEN 1 WHEN 'manager' THEN 2 ELSE 3 END, m.name_fold, m.id`)
}

// couldBeJoined says whether somebody else at the desk has a right, and a PIN to
// approve with.
func couldBeJoined(ctx context.Context, by bus.Principal, scope string) (bool, error) {
	if by.Has(scope) {
		return false, nil
	}
	all, err := Colleagues(ctx)
	return slices.ContainsFunc(all, func(p bus.Principal) bool {
		return p.Person != by.Person && p.Authentication != "" && p.Has(scope)
	}), err
}
