package bus

import (
	"bytes"
	"context"
	"errors"
)

// maxAsks limits the questions about one invocation when the data changes while the person decides.
const maxAsks = 5

// approveAndExecute asks a person if necessary, executes, checks the output and commits: the steps B7 to B10 of
// docs/specification.md. An approval holds for exactly the effect on the card. If the execution differs, it is
// rolled back and the person is asked again.
func (r *run) approveAndExecute(ctx context.Context) error {
	if r.foreseen != nil {
		return r.executeForeseen(ctx)
	}
	confirm := r.entry.Decision != nil && r.entry.Decision.Rule == RuleConfirm && !r.inv.DryRun
	if !confirm {
		return r.execute(ctx)
	}
	var before *Preview
	for range maxAsks {
		preview, err := r.preview(ctx)
		if err != nil {
			return err
		}
		if before != nil && before.Digest == preview.Digest {
			before = nil // the permission is no longer valid; the effect is the same
		}
		again, err := r.ask(ctx, preview, before)
		if err != nil {
			return err
		}
		before = preview
		if again {
			before = nil // the person edited the arguments; the data has not changed
			continue
		}
		r.shown = preview
		if err := r.execute(ctx); !errors.Is(err, ErrVoid) {
			return err
		}
		if r.needsApprover != nil { // the possible approvers may have changed too
			if err := r.checkPerson(ctx); err != nil {
				return err
			}
		}
	}
	return Errorf(Conflict, ReasonChanged, "Things kept changing while the answer was awaited; nothing was done.").
		WithHint("Try again when it is quieter.")
}

// ask lets a person decide. again means that the person edited the arguments, so a new preview is necessary.
func (r *run) ask(ctx context.Context, preview, before *Preview) (again bool, err error) {
	rule := *r.entry.Decision
	d := Decision{Answer: AnswerNobody}
	if r.b.o.Approver != nil {
		asked := r.b.o.Clock()
		d, err = r.b.o.Approver.Approve(ctx, &ApprovalRequest{Capability: &r.cap.Capability, Invocation: r.inv,
			Changed: before, Refused: r.needsApprover, Approvers: r.possibleApprovers}, preview)
		took := r.b.o.Clock().Sub(asked)
		r.asked += took
		d.Asked = took
		if err != nil {
			if ctx.Err() != nil {
				return false, ended(ctx)
			}
			return false, err
		}
	}
	d.Rule = rule.Rule
	if d.By == "" && d.Answer != AnswerExpired { // the rule answered, not a person
		d.By = rule.By
	}
	if d.Answer == AnswerAllow && rule.Answer == AnswerEdit {
		d.Answer = AnswerEdit // the person allowed the edited call
	}
	d.Digest = preview.Digest
	r.entry.Decision = &d
	if d.Arguments == nil {
		if err := r.checkApprover(d); err != nil {
			return false, err
		}
	}
	if !d.Allowed {
		r.entry.Declined = preview.Facts
		return false, declined(r.cap.TitleText(), d)
	}
	if d.Arguments == nil {
		r.reserve, r.reserved = d.Reserve, false
		return false, nil
	}
	asked := r.body
	if err := r.setArguments(d.Arguments); err != nil {
		return false, err
	}
	if bytes.Equal(r.body, asked) {
		d.Answer = rule.Answer // the same arguments: only ask again
	}
	// The key still belongs to the original request, so that a retry of it gets the result of the edited call.
	if err := r.checkPerson(ctx); err != nil {
		return false, err
	}
	return true, r.b.o.Journal.View(ctx, r.checkStillReady)
}

func declined(title Text, d Decision) error {
	switch d.Answer {
	case AnswerNobody:
		return Errorf(Forbidden, ReasonDeclined, "%s must be confirmed by a person, and nobody is there to ask.", title).
			WithHint("Run it where someone can answer; on the command line, --approve says how it is answered.")
	case AnswerExpired:
		return Errorf(Forbidden, ReasonDeclined, "%s was not confirmed in time.", title).WithHint("Ask again.")
	}
	if d.Reason != "" {
		return Errorf(Forbidden, ReasonDeclined, "%s was declined: %s", title, d.Reason)
	}
	return Errorf(Forbidden, ReasonDeclined, "%s was declined.", title)
}

// reserveOnce takes the cost of the permission outside of a transaction: before the effect, and once for all attempts.
func (r *run) reserveOnce(ctx context.Context) error {
	if r.shown == nil || r.reserved {
		return nil
	}
	r.reserved = true
	if r.needsApprover != nil {
		if err := r.b.o.Journal.View(ctx, r.stillApproved); err != nil {
			return err
		}
	}
	if r.reserve == nil {
		return nil
	}
	return r.reserve(ctx)
}

// reserveInTransaction checks that the permission is still valid and takes its cost, in the transaction of the effect.
func (r *run) reserveInTransaction(ctx context.Context) error {
	if r.needsApprover != nil {
		if err := r.stillApproved(ctx); err != nil {
			return err
		}
	}
	if r.reserve == nil {
		return nil
	}
	return r.reserve(ctx)
}
