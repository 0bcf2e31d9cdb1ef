package bus

import "context"

// holdOnce takes what the permission costs where there is no transaction for it:
// before anything is done, and only once for all attempts.
func (r *run) holdOnce(ctx context.Context) error {
	if r.shown == nil || r.held {
		return nil
	}
	r.held = true
	return r.takeHold(ctx, func(ctx context.Context) error { return r.b.o.Journal.View(ctx, r.stillJoined) })
}

// takeHold makes sure that the permission still stands, and takes what it costs.
func (r *run) takeHold(ctx context.Context, stands func(context.Context) error) error {
	if r.refused != nil {
		if err := stands(ctx); err != nil {
			return err
		}
	}
	if r.hold == nil {
		return nil
	}
	return r.hold(ctx)
}
