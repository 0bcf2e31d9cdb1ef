package bus

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// succeed makes the handler's output the result (B10).
func (r *run) succeed(out json.RawMessage, call *Call) {
	stamp := r.now
	for i := range call.events {
		call.events[i].RequestID, call.events[i].Time = r.inv.RequestID, stamp
		call.events[i].stripURLs()
	}
	r.summarize(call.summary.stripped())
	if call.did != nil {
		r.entry.Steps = call.did
	}
	var texts Texts
	texts.Within("/data", call.texts)
	r.setResult(Result{Status: StatusSuccess, RequestID: r.inv.RequestID, Data: out, Events: call.events,
		Facts: call.facts, Texts: texts, CostEstimate: r.cap.Run.CostEstimate, ExecutionTime: r.elapsed(), Time: stamp})
}

// summarize sets the sentence about the run.
func (r *run) summarize(summary Text) {
	r.entry.Summary, r.entry.Texts = summary.String(), nil
	r.entry.Texts.Put("/summary", summary)
}

// setResult sets a success: complete for the caller and the idempotency key, without its secrets for the record.
func (r *run) setResult(res Result) {
	r.entry.Stored = res.Data
	r.entry.Result = res
	if data, where := r.b.redactData(r.cap, res.Data); where != nil {
		redacted := slices.Clip(r.redacted)
		for _, pointer := range where {
			redacted = append(redacted, "/data"+pointer)
		}
		r.entry.Result.Data, r.entry.Redacted = data, redacted
		r.entry.Result.Texts = res.Texts.without(redacted)
	}
}

// refuse records an invocation that did not reach its transaction.
func (r *run) refuse(ctx context.Context, err error) {
	if !r.kept {
		r.keepUnread()
	}
	r.fail(err)
	r.record(ctx)
}

// fail makes err the result.
func (r *run) fail(err error) {
	r.setError(err)
	r.logDefect()
}

// logDefect logs a result that is a defect of the application.
func (r *run) logDefect() {
	if e := r.entry.Result.Err; e != nil && e.Code == Internal {
		r.b.o.Logger.Error("invocation failed", "capability", r.inv.Capability, "request_id", r.inv.RequestID,
			"reason", e.Reason, "violations", e.Violations, "cause", loggable(e.Unwrap()))
	}
}

// setError is fail for a run that the journal may repeat.
func (r *run) setError(err error) {
	e := coded(err).withoutUserinfo()
	r.entry.Result = Result{Status: StatusError, RequestID: r.inv.RequestID, Err: e, DryRun: r.inv.DryRun,
		ExecutionTime: r.elapsed(), Time: r.now}
	r.entry.Read, r.entry.Effects = false, nil
	r.summarize(Text{})
}

// record stores the entry alone. A call without a record counts as failed, so the caller gets an error even if a result
// was ready.
func (r *run) record(ctx context.Context) {
	write := r.b.o.Journal.Record
	if r.begun {
		write = r.b.o.Journal.Finish
	}
	err := write(context.WithoutCancel(ctx), r.entry)
	// Another program may have taken the last token.
	if e, coded := errors.AsType[*Error](err); coded && e.Reason == ReasonRateLimit {
		r.fail(e)
		err = write(context.WithoutCancel(ctx), r.entry)
	}
	if err != nil {
		failed := r.journalFailed(err)
		if r.begun {
			failed = errUnknown.WithCause(err)
		}
		r.fail(failed)
	}
	r.done = true
}

func (r *run) journalFailed(err error) error {
	r.b.o.Logger.Error("journal failed", "capability", r.inv.Capability, "request_id", r.inv.RequestID, "cause", err)
	if told, ok := errors.AsType[*Error](err); ok && (told.Reason == ReasonJournal || told.Reason == ReasonDamaged) {
		return told
	}
	return Errorf(Transient, ReasonJournal, "It could not be written down, so it was not done.").
		WithHint("Check that the disk is not full and the data folder is writable, " +
			"then try again with the same idempotency key.")
}

// elapsed returns the time so far, without the time a person took to answer.
func (r *run) elapsed() time.Duration { return r.b.o.Clock().Sub(r.wall) - r.asked }
