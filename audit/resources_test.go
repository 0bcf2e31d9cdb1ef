package audit_test

import (
	"context"
	"slices"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// TestC14AHandlerReadsWhatItsResourcesName gives a handler without database:read no transaction, though its
// preconditions have one; a handler with database:write may read too.
//
// holds: C14
func TestC14AHandlerReadsWhatItsResourcesName(t *testing.T) {
	l := newLog(t)
	count := func(ctx context.Context) (n int, err error) {
		err = audit.Tx(ctx).QueryRowContext(ctx, `SELECT count(*) FROM items`).Scan(&n)
		return n, err
	}
	b := bus.New(bus.Options{Journal: l})
	for name, resources := range map[string][]string{"item.guess": nil, "item.fetch": {"network:read"},
		"item.count": {"database:read"}, "item.change": {"database:write"}} {
		b.MustRegister(bus.Define(bus.Capability{Name: name, Title: "T", Description: "D", SideEffect: bus.UIOnly,
			Resources: resources,
			Checks: bus.Checks{Preconditions: []bus.Precondition{{Name: "item.ready", Message: "M", Hint: "H",
				Check: func(ctx context.Context, _ *bus.Call) error {
					_, err := count(ctx)
					return err
				}}}}},
			func(ctx context.Context, _ *bus.Call, _ struct{}) (struct{}, error) {
				_, err := count(ctx)
				return struct{}{}, err
			}))
	}
	for name, reads := range map[string]bool{"item.guess": false, "item.fetch": false, "item.count": true,
		"item.change": true} {
		res := call(b, name, name, `{}`)
		if res.OK() != reads || !reads && res.Err.Code != bus.Internal {
			t.Errorf("%s reads: %v, %v", name, res.OK(), res.Err)
		}
		if dry := b.Invoke(t.Context(), bus.Invocation{Capability: name, DryRun: true,
			Caller: bus.Caller{Type: bus.CallerUI}}); dry.OK() != reads {
			t.Errorf("%s reads in a dry run: %v, %v", name, dry.OK(), dry.Err)
		}
	}
	if records := slices.Concat(recorded(t, l, "item.guess"), recorded(t, l, "item.count")); len(records) != 2 {
		t.Errorf("%d records", len(records))
	}
}
