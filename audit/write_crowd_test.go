package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

type memberInput struct {
	Member int    `json:"member"`
	Before int    `json:"before"` // rows written before the misdeed
	After  int    `json:"after"`  // and after
	How    string `json:"how"`
}

// misdeeds are ways in which a member of a batch harms itself or the shared transaction. The handler returns their
// error.
var misdeeds = map[string]func(ctx context.Context, b *bus.Bus, call *bus.Call) error{
	"nothing": func(context.Context, *bus.Bus, *bus.Call) error { return nil },
	"fails": func(context.Context, *bus.Bus, *bus.Call) error {
		return bus.Errorf(bus.Conflict, bus.ReasonBusy, "No.").WithHint("Later.")
	},
	"fails without a code": func(context.Context, *bus.Bus, *bus.Call) error { return errors.New("no") },
	"panics":               func(context.Context, *bus.Bus, *bus.Call) error { panic("no") },
	"commits": func(ctx context.Context, _ *bus.Bus, _ *bus.Call) error {
		_, err := audit.Tx(ctx).ExecContext(ctx, `COMMIT`)
		if err == nil {
			panic("it may commit")
		}
		return nil
	},
	"rolls back": func(ctx context.Context, _ *bus.Bus, _ *bus.Call) error {
		_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT OR ROLLBACK INTO marks VALUES (-1, -1)`)
		return err
	},
	"breaks a rule and hides it": func(ctx context.Context, _ *bus.Bus, _ *bus.Call) error {
		_, _ = audit.Tx(ctx).ExecContext(ctx,
			`INSERT INTO marks SELECT -2, x FROM (SELECT 1 x UNION ALL SELECT 2 UNION ALL SELECT -5)`)
		return nil
	},
	"is cancelled": func(_ context.Context, b *bus.Bus, call *bus.Call) error {
		b.Cancel(call.RequestID, "")
		return nil
	},
	"takes too long": func(context.Context, *bus.Bus, *bus.Call) error { time.Sleep(3 * time.Millisecond); return nil },
	"leaves a query open": func(ctx context.Context, _ *bus.Bus, _ *bus.Call) error {
		_, err := audit.Tx(ctx).QueryContext(ctx, `SELECT * FROM marks`)
		return err
	},
	"writes on after it has returned": func(ctx context.Context, _ *bus.Bus, _ *bus.Call) error {
		go func() {
			for n := range 50 {
				_, _ = audit.Tx(ctx).ExecContext(ctx, `INSERT INTO marks VALUES (-3, ?)`, n)
			}
		}()
		return bus.Errorf(bus.Conflict, bus.ReasonBusy, "No.").WithHint("Later.")
	},
}

func newCrowd(t *testing.T) (*bus.Bus, *audit.Log) {
	o := options()
	o.Migrations = domain("-- +goose Up\nCREATE TABLE marks (member INTEGER, n INTEGER CHECK (n >= 0), PRIMARY KEY " +
		"(member, n)) STRICT;\n")
	l := open(t, filepath.Join(t.TempDir(), "crowd.db"), o)
	b := bus.New(bus.Options{Journal: l, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))})
	b.MustRegister(bus.Define(bus.Capability{Name: "crowd.act", Title: "Act", Description: "Acts.", SideEffect: bus.UIOnly,
		Resources: []string{"database:write"}},
		func(ctx context.Context, call *bus.Call, in memberInput) (struct{}, error) {
			write := func(from, to int) error {
				for n := from; n < to; n++ {
					if _, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO marks VALUES (?, ?)`, in.Member, n); err != nil {
						return err
					}
				}
				return nil
			}
			if err := write(0, in.Before); err != nil {
				return struct{}{}, err
			}
			if err := misdeeds[in.How](ctx, b, call); err != nil {
				return struct{}{}, err
			}
			return struct{}{}, write(in.Before, in.Before+in.After)
		}))
	return b, l
}

// TestRandomNeighboursAreNotHarmed makes batches of members that behave at
// random: each has all of its rows and a success, or none and another ending.
func TestRandomNeighboursAreNotHarmed(t *testing.T) {
	b, l := newCrowd(t)
	r := rand.New(rand.NewPCG(5, 6))
	hows := slices.Sorted(maps.Keys(misdeeds))
	endings := map[string]int{}
	for batch := range soak(25, 400) {
		members := make([]memberInput, 1+r.IntN(48))
		results := make([]bus.Result, len(members))
		for i := range members {
			members[i] = memberInput{Member: batch*100 + i, Before: r.IntN(4), After: r.IntN(4), How: hows[r.IntN(len(hows))]}
			if r.IntN(2) == 0 {
				members[i].How = "nothing"
			}
		}
		crowd(t, l, len(members), func(i int) {
			args, _ := json.Marshal(members[i])
			inv := bus.Invocation{Capability: "crowd.act", Arguments: args, RequestID: fmt.Sprint("m", members[i].Member),
				Caller: bus.Caller{Type: bus.CallerTest}}
			if members[i].How == "takes too long" {
				inv.Timeout = time.Millisecond
			}
			results[i] = b.Invoke(context.Background(), inv)
		})
		for i, m := range members {
			rows := count(t, l, `SELECT count(*) FROM marks WHERE member = ?`, m.Member)
			log := recorded(t, l, fmt.Sprint("m", m.Member))
			good := results[i].OK()
			endings[fmt.Sprint(m.How, " ", good)]++
			switch {
			case len(log) != 1 || (log[0].Status == "success") != good:
				t.Fatalf("%+v: %+v, recorded %+v", m, results[i], log)
			case good && (rows != m.Before+m.After || len(log[0].Effects) != rows) || !good &&
				(rows != 0 || len(log[0].Effects) != 0):
				t.Fatalf("%+v: %d rows, recorded %+v", m, rows, log)
			case m.How == "nothing" && !good:
				t.Fatalf("a neighbour was harmed: %+v", results[i].Err)
			}
		}
	}
	if n := count(t, l, `SELECT count(*) FROM marks WHERE member < 0`); n != 0 {
		t.Errorf("%d rows belong to nobody", n)
	}
	if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK {
		t.Errorf("verdict: %+v %v", v, err)
	}
	t.Log(endings)
}
