package agent

import "context"

// WithForm returns the context in which a bridge with a page invokes form.fill.
func WithForm(ctx context.Context) context.Context { return context.WithValue(ctx, formKey{}, &Form{}) }
