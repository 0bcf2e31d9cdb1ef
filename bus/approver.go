package bus

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// Approver decides calls for policy and for the person. The bus asks it and does not know its rules. With a nil
// Approver, access rules alone apply, and no one can confirm a call.
//
// An Approver may also be a [SecondApprover]. One with a method Attach(*Bus) receives its bus from [New]. One with
//
//	GrantStatus(ctx context.Context, c *Capability, p Principal) (string, error)
//
// predicts the treatment of a call by an agent at work for p, before its arguments are known: "granted" if the call
// runs, "confirmation_required" or "forbidden" as a [Rule], or the status of a grant (active, pending, denied, revoked,
// expired). capability.list and capability.describe show it; without it they use access rules. It must not block.
type Approver interface {
	// Authorize returns the decision of policy about a call by an agent: RuleAllow, RuleConfirm or RuleDeny, and the
	// name of the deciding rule. It must not block.
	Authorize(ctx context.Context, req *ApprovalRequest) (Decision, error)

	// Approve asks a person and waits. It returns a Decision with or without Allowed. If Arguments is set, the person
	// edited them, and the bus validates, previews and asks again. When ctx ends it returns ctx's error.
	Approve(ctx context.Context, req *ApprovalRequest, preview *Preview) (Decision, error)
}

// grantTeller is the optional method of an [Approver].
type grantTeller interface {
	GrantStatus(ctx context.Context, c *Capability, p Principal) (string, error)
}

// SecondApprover is an [Approver] that lets a colleague with the necessary right approve a call of a person who lacks
// it. Without it a refusal is final.
type SecondApprover interface {
	// SecondApprovers lists the people who could approve a call whose caller lacks a right; req.Refused names the
	// right. They can authenticate at a card, and may returns true with their scopes added. Those with the fewest
	// rights come first. If there is no one, the call is refused, with the error of SecondApprovers if it returns one.
	// The bus calls it in a snapshot, and again in the transaction of the effect; it must not block. Approve then
	// receives the people. Only a Decision with one of them as By, and with their Authentication, allows the call.
	SecondApprovers(ctx context.Context, req *ApprovalRequest, may func(Principal) bool) ([]Principal, error)
}

// ApprovalRequest describes a call to an Approver.
type ApprovalRequest struct {
	Capability *Capability
	Invocation Invocation // with defaults filled in
	Changed    *Preview   // set when an earlier approval became void: the preview on that card

	Refused   *Error      // why the caller alone may not make the call; nil if the caller may
	Approvers []Principal // with Refused: the only people who may allow it
}

// Decision records the authorisation of a call. It is part of the record.
type Decision struct {
	Rule    Rule   `json:"rule,omitempty"` // the result of policy
	By      string `json:"by,omitempty"`   // the deciding rule, or the person who answered
	GrantID string `json:"grant_id,omitempty"`

	ApprovalID string `json:"approval_id,omitempty" jsonschema_extras:"x-detail=0"`

	Answer Answer        `json:"answer,omitempty"` // "" without a card
	Reason string        `json:"reason,omitempty"` // the person's words
	Asked  time.Duration `json:"-"`                // time until the person answered; asked_ms in JSON

	// digest of the preview on the card
	Digest string `json:"digest,omitempty" jsonschema_extras:"x-detail=0"`

	// Authentication is the way in which By authenticated at the card, such as "pin". It is absent if By was signed in
	// where the answer came from.
	Authentication string `json:"authentication,omitempty"`

	// Needs names the holder of the right that the call required, such as "a manager"; absent for the caller's own.
	// Tainted lists the titles of capabilities that gave the model text by others before a person was asked. Both are
	// reasons why a grant could not answer instead of the person.
	Needs   string   `json:"needs,omitempty"`
	Tainted []string `json:"tainted,omitempty"`

	Allowed   bool            `json:"-"`
	Code      Reason          `json:"-"` // with RuleDeny: agent_forbidden, capability_not_granted or constraint
	Arguments json.RawMessage `json:"-"` // edited by the person

	// Reserve, with Allowed, takes the cost of the permission, such as one use of a grant. The bus calls it in the
	// effect's transaction, after the handler and before the commit, so that a rollback undoes it. For an effect
	// outside of a transaction it is called once, right before the effect. If it returns [ErrVoid], the permission is
	// no longer valid: the bus undoes the effect and calls Approve again.
	Reserve func(ctx context.Context) error `json:"-"`
}

// Answer is the outcome of a question to a person.
type Answer string

// The answers.
const (
	AnswerAllow   Answer = "allow"   // once, as shown
	AnswerEdit    Answer = "edit"    // with other arguments
	AnswerGrant   Answer = "grant"   // allowed by a grant, or answered with one
	AnswerDeny    Answer = "deny"    //
	AnswerExpired Answer = "expired" // no answer came in time
	AnswerStopped Answer = "stopped" // the caller stopped waiting
	AnswerNobody  Answer = "nobody"  // no person was available
)

type plainDecision Decision // without methods

// wireDecision is the JSON of a Decision with its last fields in order.
type wireDecision struct {
	*plainDecision
	AskedMS        int64  `json:"asked_ms,omitempty"`
	Digest         string `json:"digest,omitempty"`
	Authentication string `json:"authentication,omitempty"`
}

// MarshalJSON writes the recorded fields.
func (d Decision) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireDecision{(*plainDecision)(&d), d.Asked.Milliseconds(), d.Digest, d.Authentication})
}

// UnmarshalJSON reads the recorded fields.
func (d *Decision) UnmarshalJSON(data []byte) error {
	w := wireDecision{plainDecision: (*plainDecision)(d)}
	err := json.Unmarshal(data, &w)
	d.Asked, d.Digest, d.Authentication = fromMS(w.AskedMS), w.Digest, w.Authentication
	return err
}

// ErrVoid means that an approval is no longer valid, or that the call would now do something else.
var ErrVoid = errors.New("bus: the approval is void")

// Preview describes the effect of a call. It is computed by running the call and rolling back.
type Preview struct {
	Summary string          `json:"summary"` // one sentence with names
	Data    json.RawMessage `json:"data,omitempty"`
	Facts   map[string]any  `json:"facts,omitempty"`
	Effects []Effect        `json:"effects,omitempty"`
	// Bills holds the bill of the call, if it has one. For a plan, if any step has a bill, it holds one for each step,
	// nil for none.
	Bills  []*Bill `json:"bills,omitempty"`
	Texts  Texts   `json:"texts,omitempty"` // of Summary and Data
	Digest string  `json:"digest"`          // over capability, canonical arguments and all of the above
}

// Bill itemises the cost of a call. A confirmation card shows it below the summary. The handler computes it from its
// effects, like the summary, and it is part of the digest, so that the execution must match it.
type Bill struct {
	Lines   []BillLine  `json:"lines,omitempty"`
	Sums    []BillValue `json:"sums,omitempty"`    // sums of the lines; the last is the total
	About   []BillValue `json:"about,omitempty"`   // the people, places and payments concerned
	Follows []string    `json:"follows,omitempty"` // further consequences, each in a few words
}

// BillLine is one item. Amounts are formatted text.
type BillLine struct {
	Quantity int64  `json:"quantity"`
	Text     string `json:"text"`
	Each     string `json:"each,omitempty"` // the unit price, if the amount is computed from it
	Amount   string `json:"amount,omitempty"`
}

// BillValue is a value with its label, both for display.
type BillValue struct {
	Label string `json:"label"`
	Text  string `json:"text"`
	// Argument is the JSON Pointer of the argument that the value describes, so that a card need not show it twice.
	Argument string `json:"argument,omitempty"`
}
