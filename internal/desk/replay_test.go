package desk_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestAnUntouchedShopIsReplayedWithoutADifference: repetitions, files, drafts and sign-ins between ordinary calls. A
// picture's rows come from its record, because the file may be gone; a PIN's row stays as it is.
//
// holds: U6
func TestAnUntouchedShopIsReplayedWithoutADifference(t *testing.T) {
	s := openDraft(t)
	d := s.live
	call := func(name, args string) bus.Result { return through(t, d, "window", name, args) }
	done := func(name, args string) bus.Result {
		t.Helper()
		r := call(name, args)
		if !r.OK() {
			t.Fatal(name, r.Err)
		}
		return r
	}
	done("staff.setPin", `{"staffId":"tomas_okafor","pin":"739184"}`)
	last, err := d.Log.LastHead(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	from := last.Seq + 1
	first := done("order.addNote", fmt.Sprintf(`{"orderId":%q,"text":"Same"}`, s.orders[0])).RequestID
	subjects := fmt.Sprintf(`"subjects":[{"type":"order","id":%q}]`, s.orders[1])
	done("plan.repeat", fmt.Sprintf(`{%s,"requestIds":[%q]}`, subjects, first))
	done("session.signIn", `{"staffId":"tomas_okafor","pin":"739184"}`)
	done("plan.repeat", fmt.Sprintf(`{"subjects":[{"type":"order","id":%q}]}`, s.orders[2]))
	done("audit.undo", fmt.Sprintf(`{"requestId":%q}`, first))
	done("shop.backup", `{}`)
	done("shop.export", `{}`)
	call("shop.restore", `{"file":"none.db"}`)
	call("session.lock", `{}`)
	desktest.Must(t, s.draft, bus.CallerUI, "cash.move", putIn, nil)
	done("draft.merge", fmt.Sprintf(`{"draftId":%q}`, s.id))
	done("day.close", closeWith)
	var run audit.ReplayReport
	did(t, d, "audit.replay", map[string]int64{"from": from}, &run)
	if run.Different > 0 || run.State != run.Reached || run.Same < 5 || run.Skipped["works with files or other computers"] != 3 ||
		run.Skipped["a session of a program"] != 1 {
		t.Errorf("%+v", run)
	}

	// A program that writes another note differs, in that call and in its repetition.
	r, err := d.Replica(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	invoke := r.Invoke
	r.Invoke = func(ctx context.Context, inv bus.Invocation) bus.Result {
		inv.Arguments = bytes.Replace(inv.Arguments, []byte("Same"), []byte("Other"), 1)
		return invoke(ctx, inv)
	}
	run, err = d.Log.ReplayOn(t.Context(), r, from, last.Seq+3, nil)
	if err != nil || run.Different != 2 || run.State == run.Reached {
		t.Errorf("%+v %v", run, err)
	}
}
