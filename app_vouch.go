package main

import (
	"context"
	"encoding/json"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// vouchName is the capability that checks a PIN at somebody else's card.
const vouchName = "session.vouch"

// prove has the shop check a PIN at a card, on the bus like everything else: a
// wrong one is counted, and has a record beside the request that waits.
func (d *desk) prove(ctx context.Context, p policy.PINCheck) (bus.Principal, error) {
	args, err := json.Marshal(map[string]string{"staffId": p.Person, "pin": string(p.PIN), "approval": p.ApprovalID})
	if err != nil {
		return bus.Principal{}, err
	}
	caller := bus.CallerCLI
	if d.person.Door == doorWindow {
		caller = bus.CallerUI
	}
	r := d.bus.Invoke(ctx, bus.Invocation{Capability: vouchName, Arguments: args, TraceID: p.TraceID, Principal: d.signedIn(ctx),
		Caller: bus.Caller{Type: caller, Source: "approval", ParentRequestID: p.RequestID}})
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
	return bus.Principal{Person: out.Staff.ID, Name: out.Staff.Name, Role: out.Staff.Role, Scopes: out.Staff.Scopes,
		Authentication: out.Authentication, Door: d.person.Door}, nil
}
