package policy

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// CardApprover is a person who may approve a card for which the signed-in person lacks the right.
type CardApprover struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Role string `json:"role,omitempty"`
}

// PIN is a person's secret. It is never printed, logged or marshalled.
type PIN string

// hiddenPIN replaces a PIN in every output.
const hiddenPIN = "[PIN]"

// String implements fmt.Stringer.
func (PIN) String() string { return hiddenPIN }

// GoString implements fmt.GoStringer.
func (PIN) GoString() string { return hiddenPIN }

// LogValue implements slog.LogValuer.
func (PIN) LogValue() slog.Value { return slog.StringValue(hiddenPIN) }

// MarshalJSON implements json.Marshaler.
func (PIN) MarshalJSON() ([]byte, error) { return []byte(`"` + hiddenPIN + `"`), nil }

// Approval is the approval of a card by a second person with their PIN. It allows exactly the call on the card.
type Approval struct {
	ApprovalID string          `json:"approval_id"`
	Approver   string          `json:"approver"`            // id of the person, one of the card's Approvers
	PIN        PIN             `json:"pin"`                 //
	Arguments  json.RawMessage `json:"arguments,omitempty"` // absent, or those shown
	Reason     string          `json:"reason,omitempty"`    // in the person's words
}

// PINCheck is a request to verify a person's PIN; see [Options.VerifyPIN].
type PINCheck struct {
	Person     string
	PIN        PIN
	ApprovalID string // of the card it is for
	RequestID  string // of the request that waits
	TraceID    string
}

// SecondApprovers lists the colleagues who could approve a call, as [bus.Approver] describes: they have the right that
// the caller lacks, and a PIN.
func (p *Policy) SecondApprovers(ctx context.Context, req *bus.ApprovalRequest, may func(bus.Principal) bool) (
	[]bus.Principal, error) {
	if p.o.Colleagues == nil || p.o.VerifyPIN == nil || p.o.Fixed != "" {
		return nil, nil
	}
	all, err := p.o.Colleagues(ctx)
	if err != nil {
		return nil, err
	}
	var able []bus.Principal
	var unproven []string
	for _, c := range all {
		switch {
		case c.ID == req.Invocation.Principal.ID || !may(c):
		case c.Authentication == "":
			unproven = append(unproven, text.Clean(c.Name, 120))
		default:
			able = append(able, c)
		}
	}
	switch {
	case len(able) > 0 && p.o.OnCard == nil:
		return nil, req.Refused.WithHint("%s may approve it where a person is asked; on the command line with "+
			"--approve ask.", text.Clean(able[0].Name, 120))
	case len(able) == 0 && len(unproven) > 0:
		return nil, req.Refused.WithHint("%s could approve it here with a PIN, but has none yet: an owner sets one in the "+
			"settings.", strings.Join(unproven, " or "))
	}
	return able, nil
}

// approversOf lists the people who may allow the call, and returns the role that it needs.
func approversOf(req *bus.ApprovalRequest) (needs string, list []CardApprover) {
	for _, who := range req.Approvers {
		list = append(list, CardApprover{who.ID, text.Clean(who.Name, 120), who.Role})
	}
	if len(list) == 0 {
		return "", nil
	}
	return withArticle(list[0].Role), list
}

// withArticle returns "a manager" for manager and a phrase for another person if there is no role.
func withArticle(role string) string {
	switch {
	case role == "":
		return "somebody else"
	case strings.ContainsRune("aeiou", rune(role[0])):
		return "an " + role
	}
	return "a " + role
}

// atCard is the prefix of the authentication of a person who proved their identity at the card. The authentication of a
// signed-in person never has it.
const atCard = "card:"

// ApproveByPIN allows a card with the PIN of a second person. A wrong PIN leaves the card open. The first answer wins,
// and later ones are refused. It refuses arguments that differ from those on the card before it reads the PIN.
func (p *Policy) ApproveByPIN(ctx context.Context, a Approval) error {
	c, err := p.card(ctx, a.ApprovalID)
	if err != nil {
		return err
	}
	if a.Arguments != nil {
		if given, err := text.CanonicalJSON(a.Arguments); err != nil || !bytes.Equal(given, c.Given) {
			return errOnlyShown()
		}
	}
	if !c.mayApprove(a.Approver) {
		return bus.Errorf(bus.Forbidden, bus.ReasonPermission, "That person may not approve this.").WithHint("%s", c.whoMay())
	}
	proved, err := p.o.VerifyPIN(ctx, PINCheck{Person: a.Approver, PIN: a.PIN, ApprovalID: a.ApprovalID,
		RequestID: c.RequestID, TraceID: c.TraceID})
	if err != nil {
		return err
	}
	if proved.ID != a.Approver || proved.Authentication == "" {
		return fmt.Errorf("agent: %q was to prove who they are, not %q", a.Approver, proved.ID)
	}
	proved.Authentication = atCard + proved.Authentication
	return p.decide(ctx, Answer{ApprovalID: a.ApprovalID, Answer: bus.AnswerAllow, Reason: a.Reason, Who: proved})
}

func errOnlyShown() error {
	return bus.Errorf(bus.Validation, bus.ReasonArguments, "A PIN approves what the card shows, and nothing else.").
		WithHint("Change it first; the card comes again, and takes the PIN then.")
}

// whoMay names the people who may approve the card.
func (c *openCard) whoMay() string {
	names := make([]string, 0, len(c.Approvers))
	for _, a := range c.Approvers {
		names = append(names, a.Name)
	}
	return strings.Join(names, " or ") + " may approve it, each with their own PIN."
}
