package staff

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

type secondApproverIn struct {
	StaffID  string `json:"staffId" jsonschema:"minLength=1,maxLength=100" x:"entity=person"`
	PIN      string `json:"pin" jsonschema:"minLength=1,maxLength=12,writeOnly=true"`
	Approval string `json:"approval" jsonschema:"minLength=1,maxLength=100" doc:"Id of the card that the PIN is for."`
}

// approve checks the PIN of a second approver. It grants nothing itself; the door that showed the card uses the result.
func (p Ports) approve(ctx context.Context, call *bus.Call, in secondApproverIn) (out signInOut, err error) {
	m, err := core.StaffByID(ctx, in.StaffID)
	if err != nil {
		return out, err
	}
	if !m.PIN {
		return out, core.Refused("%s has no PIN, and so cannot approve anything here.", m.Name).
			WithHint("Ask an owner to set one with staff.setPin.")
	}
	if err := checkPIN(ctx, call, p, m, in.PIN); err != nil {
		return out, err
	}
	call.Summarize("Prove that %s is here", m.Name)
	return signInOut{Staff: sessionStaff{m.ID, m.Name, m.Role, core.Scopes(m.Role)},
		Authentication: core.AuthenticationPIN}, nil
}
