package bus

import (
	"context"
	"encoding/json"
)

// preview runs the handler and rolls back. A call that cannot be rolled back has a Preview function.
func (r *run) preview(ctx context.Context) (p *Preview, err error) {
	ctx, cancel := context.WithTimeout(ctx, r.timeout())
	defer cancel()
	try := func(ctx context.Context, x Exec) error {
		r.exec = x
		handler, output := r.cap.previewer()
		out, call, err := r.attempt(ctx, handler, output)
		if err != nil {
			return err
		}
		p = r.previewOf(out, call, x)
		return nil
	}
	if r.cap.writes() {
		r.prepare(ctx)
		err = r.b.o.Journal.DryRun(ctx, r.entry, try)
	} else {
		err = r.b.o.Journal.View(ctx, func(ctx context.Context) error { return try(ctx, nil) })
	}
	return p, r.orJournal(ctx, err)
}

// previewer returns the handler for a preview and the schema of its output. A Preview function describes the step and
// not its outcome, so it has no schema.
func (c *registered) previewer() (handler, side) {
	show, out := c.Handler, c.out
	if c.Run.Preview != nil {
		show, out = c.Run.Preview, side{}
	}
	return func(ctx context.Context, call *Call) (json.RawMessage, error) { return show(c.within(ctx), call) }, out
}

// previewOf returns the preview of a call that ran, with the digest that an approval is bound to.
func (r *run) previewOf(out json.RawMessage, call *Call, x Exec) *Preview {
	summary := call.summaryOr(r.cap)
	p := &Preview{Summary: summary.String(), Data: out, Facts: call.facts, Bills: call.bills()}
	p.Texts.Put("/summary", summary)
	p.Texts.Within("/data", call.texts)
	if x != nil {
		p.Effects = x.Effects()
	}
	p.Digest = digest(r.cap.Name, r.argumentsIdentity(), p.Summary, p.Data, p.Facts, p.Effects,
		p.Bills, p.Texts)
	return p
}
