package desk

import (
	"context"
	"encoding/json"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// SecondApproverName is the capability that checks a second approver's PIN at a card. A clerk over a limit needs no
// manager to sign in, whose rights would then cover everything: the call continues with the fewest scopes of those who
// could allow it, for this run only.
const SecondApproverName = "session.vouch"

// checkPIN checks a second approver's PIN through the bus, so that a wrong PIN is counted and recorded with the waiting
// request.
func (d *Desk) checkPIN(ctx context.Context, p policy.PINCheck) (bus.Principal, error) {
	args, err := json.Marshal(map[string]string{"staffId": p.Person, "pin": string(p.PIN), "approval": p.ApprovalID})
	if err != nil {
		return bus.Principal{}, err
	}
	r := d.Bus.Invoke(ctx, bus.Invocation{Capability: SecondApproverName, Arguments: args, TraceID: p.TraceID,
		Principal: d.SignedIn(ctx), Caller: bus.Caller{Type: callerAt(d.Person.Door), Source: "approval",
			ParentRequestID: p.RequestID}})
	if !r.OK() {
		return bus.Principal{}, r.Err
	}
	var out struct {
		Staff struct {
			ID, Name, Role string
			Scopes         []string
		}
		Authentication string
	}
	if err := json.Unmarshal(r.Data, &out); err != nil {
		return bus.Principal{}, err
	}
	return bus.Principal{ID: out.Staff.ID, Name: out.Staff.Name, Role: out.Staff.Role, Scopes: out.Staff.Scopes,
		Authentication: out.Authentication, Door: d.Person.Door}, nil
}

// callerAt returns the kind of caller for a person at a door.
func callerAt(door string) bus.CallerType {
	if isWindow(door) {
		return bus.CallerUI
	}
	return bus.CallerCLI
}
