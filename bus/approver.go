package bus

import (
	"context"
	"encoding/json"
	"errors"
	"time"
)

// Approver answers for policy and for the person. The bus asks it and knows
// nothing of how it decides. nil means: access rules alone, nobody to ask.
//
// An Approver may also be a [GrantTeller] and a [SecondApprover]. One with a method Attach(*Bus) is given its bus by
// [New].
type Approver interface {
	// Authorize says what policy makes of a call by an agent: RuleAllow,
	// RuleConfirm or RuleDeny, and which rule said so. It must not block.
	Authorize(ctx context.Context, req *ApprovalRequest) (Decision, error)

	// Approve asks a person and waits. It returns a Decision with Allowed set or not; with Arguments set the person
	// edited them, and the bus validates, previews and asks again. When ctx ends it returns ctx's error.
	Approve(ctx context.Context, req *ApprovalRequest, preview *Preview) (Decision, error)
}

// GrantTeller is an [Approver] that tells beforehand what an agent may expect. Without it discovery goes by access
// rules.
type GrantTeller interface {
	// GrantStatus tells capability.list and capability.describe what an agent at work for p may expect of a call whose
	// arguments are not known yet: "granted" if it runs, "confirmation_required" or "forbidden" as a [Rule], or the
	// status of a grant (active, pending, denied, revoked, expired). It must not block.
	GrantStatus(ctx context.Context, c *Capability, p Principal) (string, error)
}

// SecondApprover is an [Approver] by which a person who lacks a right may be joined by one who has it. Without it a
// refusal is final.
type SecondApprover interface {
	// SecondApprovers lists who could approve a call whose caller lacks a right (req.Refused says which): people who can
	// prove at a card who they are and with whose scopes added may returns true, those with the fewest rights first. If
	// there is no one the caller is refused, by the error of SecondApprovers if it gives one. It is asked in a snapshot,
	// and again in the transaction of the effect; it must not block. Approve is then told who they are, and only a
	// Decision with one of them as By, and with how that was proved, lets the call happen.
	SecondApprovers(ctx context.Context, req *ApprovalRequest, may func(Principal) bool) ([]Principal, error)
}

// ApprovalRequest is what an Approver is told.
type ApprovalRequest struct {
	Capability *Capability
	Invocation Invocation // with defaults filled in
	Changed    *Preview   // set when an earlier approval was void: what was shown then

	Refused   *Error      // why the caller alone may not; nil: they may
	Approvers []Principal // with Refused: the only people who may allow it
}

// Decision is how a call was authorised; it is part of the record.
type Decision struct {
	Rule    Rule   `json:"rule,omitempty"` // what policy said
	By      string `json:"by,omitempty"`   // which rule, or the person who answered
	GrantID string `json:"grant_id,omitempty"`

	ApprovalID string `json:"approval_id,omitempty" jsonschema_extras:"x-detail=0"`

	Answer Answer        `json:"answer,omitempty"` // "" without a card
	Reason string        `json:"reason,omitempty"` // the person's words
	Asked  time.Duration `json:"-"`                // asked_ms in JSON: how long the person took

	// digest of the preview on the card
	Digest string `json:"digest,omitempty" jsonschema_extras:"x-detail=0"`

	// Authentication is how By proved at the card who they are, such as "pin".
	// Absent: by being signed in where the answer came from.
	Authentication string `json:"authentication,omitempty"`

	// Needs is whose right the call took, such as "a manager"; absent: the caller's own. Tainted lists the titles of what
	// gave the model text of others before a person was asked. Both are why no grant could answer for the person.
	Needs   string   `json:"needs,omitempty"`
	Tainted []string `json:"tainted,omitempty"`

	Allowed   bool            `json:"-"`
	Code      Reason          `json:"-"` // with RuleDeny: agent_forbidden, capability_not_granted or constraint
	Arguments json.RawMessage `json:"-"` // edited by the person

	// Reserve, with Allowed, takes what the permission costs, such as one use of a grant. It is called in the effect's
	// transaction, after the handler and before the commit, and is undone with it; for what runs outside of a
	// transaction it is called once, right before that begins. [ErrVoid] from it means that the permission does not
	// hold any more: what was done is undone, and Approve is asked again.
	Reserve func(ctx context.Context) error `json:"-"`
}

// Answer is how a question to a person ended.
type Answer string

// The answers.
const (
	AnswerAllow   Answer = "allow"   // once, as it was shown
	AnswerEdit    Answer = "edit"    // with other arguments
	AnswerGrant   Answer = "grant"   // allowed by a grant, or answered with one
	AnswerDeny    Answer = "deny"    //
	AnswerExpired Answer = "expired" // no answer came in time
	AnswerStopped Answer = "stopped" // the caller stopped waiting
	AnswerNobody  Answer = "nobody"  // no person was there to ask
)

type plainDecision Decision // without methods

// wireDecision is the JSON of a Decision, whose last fields come last.
type wireDecision struct {
	*plainDecision
	AskedMS        int64  `json:"asked_ms,omitempty"`
	Digest         string `json:"digest,omitempty"`
	Authentication string `json:"authentication,omitempty"`
}

// MarshalJSON writes what of it is recorded.
func (d Decision) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireDecision{(*plainDecision)(&d), d.Asked.Milliseconds(), d.Digest, d.Authentication})
}

// UnmarshalJSON reads what of it is recorded.
func (d *Decision) UnmarshalJSON(data []byte) error {
	w := wireDecision{plainDecision: (*plainDecision)(d)}
	err := json.Unmarshal(data, &w)
	d.Asked, d.Digest, d.Authentication = fromMS(w.AskedMS), w.Digest, w.Authentication
	return err
}

// ErrVoid says that what was allowed is not allowed any more, or is not what would be done now.
var ErrVoid = errors.New("bus: the approval is void")

// Preview is what a call would do, computed by running it and rolling back.
type Preview struct {
	Summary string          `json:"summary"` // one sentence with names
	Data    json.RawMessage `json:"data,omitempty"`
	Facts   map[string]any  `json:"facts,omitempty"`
	Effects []Effect        `json:"effects,omitempty"`
	// Bills has the bill of the call, if it has one; of a plan, if any step has, one for each step, nil for none.
	Bills  []*Bill `json:"bills,omitempty"`
	Texts  Texts   `json:"texts,omitempty"` // of Summary and Data
	Digest string  `json:"digest"`          // over capability, canonical arguments and all of the above
}

// Bill is what a call comes to, itemised as on a bill: a confirmation card shows it below the sentence. The handler
// computes it from what it did, as it does the summary, and it is part of the digest: what is done is what was shown.
type Bill struct {
	Lines   []BillLine  `json:"lines,omitempty"`
	Sums    []BillValue `json:"sums,omitempty"`    // what the lines come to; the last is the total
	About   []BillValue `json:"about,omitempty"`   // whom it concerns, where it goes, how it is paid
	Follows []string    `json:"follows,omitempty"` // what else becomes of it, each in a few words
}

// BillLine is one item. Amounts are text for people.
type BillLine struct {
	Quantity int64  `json:"quantity"`
	Text     string `json:"text"`
	Each     string `json:"each,omitempty"` // the price of one, where the amount follows from it
	Amount   string `json:"amount,omitempty"`
}

// BillValue is a value with its label, both for people.
type BillValue struct {
	Label string `json:"label"`
	Text  string `json:"text"`
	// Argument is the JSON Pointer of the argument that it shows in words, so that a card need not show that twice.
	Argument string `json:"argument,omitempty"`
}
