package day

import (
	"context"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/internal/text"
)

type moveIn struct {
	Amount core.ChangeIn `json:"amount"`
	Reason string        `json:"reason" jsonschema:"minLength=1,maxLength=120"`
}

type moveOut struct {
	MoveID string `json:"moveId"`
	Desk   string `json:"desk"`
}

// move records cash put into or taken out of the drawer of a desk.
func move(ctx context.Context, s *core.Shop, call *bus.Call, in moveIn) (out moveOut, err error) {
	amount, reason := in.Amount.Amount, text.Line(in.Reason, core.NameLimit)
	if err := s.CheckCurrency(core.PriceIn(in.Amount), "/amount"); err != nil {
		return out, err
	}
	switch {
	case amount == 0:
		return out, core.Invalid("/amount", "Nothing would move.")
	case reason == "":
		return out, core.Invalid("/reason", "Say why the cash moves.")
	}
	out = moveOut{call.NewID("cash"), core.Desk(call.Person)}
	call.Fact("amount", s.MoneyFact(amount))
	if amount > 0 {
		call.Summarize("Put %s into the drawer of %s: %s", s.Money(amount), out.Desk, reason)
	} else {
		call.Summarize("Take %s out of the drawer of %s: %s", s.Money(-amount), out.Desk, reason)
	}
	call.Announce("day", bus.Textf("The drawer of %s has other cash.", out.Desk), out.MoveID)
	return out, core.Insert(ctx, `cash_moves (id, desk, amount, reason, person, at)`, out.MoveID, out.Desk, amount, reason,
		call.Person.ID, call.Now.UnixMilli())
}
