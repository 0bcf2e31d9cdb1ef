package audit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

func ok(t testing.TB, r bus.Result) {
	t.Helper()
	if !r.OK() {
		t.Fatalf("%s: %v %+v", r.RequestID, r.Err, r.Err.Unwrap())
	}
}

func refusedAs(t testing.TB, r bus.Result, code bus.Code, reason bus.Reason, words string) {
	t.Helper()
	if r.OK() || r.Err.Code != code || r.Err.Reason != reason || !strings.Contains(r.Err.Message, words) ||
		r.Err.Hint == "" {
		t.Errorf("%s: %+v", words, r.Err)
	}
}

// holds: U5
func TestU5UndoTakesBackExactlyWhatOneRequestDid(t *testing.T) {
	b, l := newToy(t, bus.Options{})
	empty := stateHash(t, l)
	ok(t, call(b, "r1", "toy.act", `{"steps":[0,0,1,1,2,5,7,8]}`)) // a team with a seated person cannot be closed
	full := stateHash(t, l)
	ok(t, call(b, "r2", "toy.act", `{"steps":[4,10,9]}`)) // cascades over all of it
	if stateHash(t, l) == full {
		t.Fatal("nothing happened")
	}
	ok(t, undo(b, "u1", "r2"))
	if stateHash(t, l) != full {
		t.Error("not as it was before")
	}
	ok(t, undo(b, "u2", "u1")) // redo
	ok(t, undo(b, "u3", "u2"))
	ok(t, undo(b, "u4", "r1"))
	if stateHash(t, l) != empty {
		t.Error("not empty again")
	}
	refusedAs(t, undo(b, "u5", "r1"), bus.Conflict, bus.ReasonChanged, "undone already")
}

// holds: U5
func TestU5AnUndoIsLinkedToWhatItTookBack(t *testing.T) {
	b, l := newToy(t, bus.Options{})
	ok(t, call(b, "r1", "toy.act", `{"steps":[0]}`))
	ok(t, undo(b, "u1", "r1"))
	trace, err := l.Trace(context.Background(), "r1")
	must(t, err)
	if len(trace.Records) != 2 || trace.Records[1].RequestID != "u1" || trace.Records[1].Facts["undoes"] != "r1" ||
		trace.Records[1].Effects[0].Op != "delete" {
		t.Errorf("trace: %+v", trace.Records)
	}
}

// holds: U5
func TestU5UndoRefusesWhatItCannotTakeBack(t *testing.T) {
	b, l := newToy(t, bus.Options{})
	ok(t, call(b, "act", "toy.act", `{"steps":[0,1]}`))
	ok(t, call(b, "hard", "toy.hard", `{"steps":[0]}`))
	ok(t, call(b, "load", "toy.load", `{"steps":[0]}`))
	ok(t, call(b, "post", "toy.post", `{"steps":[]}`))
	ok(t, call(b, "odd", "toy.odd", `{"steps":[],"note":"x"}`))
	ok(t, call(b, "none", "toy.act", `{"steps":[12]}`))
	call(b, "failed", "toy.act", `{"steps":[99999999999999999999]}`)
	dry := bus.Invocation{Capability: "toy.act", Arguments: json.RawMessage(`{"steps":[0]}`), RequestID: "dry",
		DryRun: true,
		Caller: bus.Caller{Type: bus.CallerTest}, Principal: bus.Principal{Scopes: []string{"*"}}}
	ok(t, b.Invoke(context.Background(), dry))
	before := stateHash(t, l)
	for target, words := range map[string]string{
		"hard": "not reversible", "load": "does not keep the rows", "post": "reached outside", "odd": "values of any type",
	} {
		refusedAs(t, undo(b, "u-"+target, target), bus.PreconditionFailed, bus.ReasonState, words)
	}
	for target, words := range map[string]string{"none": "changed nothing", "failed": "failed", "dry": "tried out"} {
		r := undo(b, "u-"+target, target)
		if r.OK() || r.Err.Reason != bus.ReasonState || !strings.Contains(r.Err.Message, words) ||
			r.Err.Hint != "There is nothing to take back." {
			t.Errorf("there is nothing to change by hand after %q: %+v", target, r.Err)
		}
	}
	refusedAs(t, undo(b, "u-nobody", "nobody"), bus.NotFound, bus.ReasonRecord, "no request nobody")
	audit.Execute(t, l, `DELETE FROM audit_payloads WHERE seq = 1`)
	refusedAs(t, undo(b, "u-erased", "act"), bus.PreconditionFailed, bus.ReasonState, "erased")
	if stateHash(t, l) != before {
		t.Error("a refusal changed something")
	}
}

// holds: U5
func TestU5UndoIsRefusedWhenTheWorldHasMovedOn(t *testing.T) {
	for name, since := range map[string]string{
		"changed":                 `UPDATE people SET score = 99`,
		"deleted":                 `DELETE FROM people`,
		"a row depends":           `INSERT INTO tags (person, tag) SELECT id, 'new' FROM people`,
		"a row cannot go":         `INSERT INTO desks (no, person) SELECT 1, max(id) FROM people`,
		"another column, by blob": `UPDATE people SET photo = x'01'`,
	} {
		t.Run(name, func(t *testing.T) {
			b, l := newToy(t, bus.Options{})
			ok(t, call(b, "team", "toy.act", `{"steps":[0]}`))
			ok(t, call(b, "hire", "toy.act", `{"steps":[2,8]}`))
			must(t, do(t, l, entry("since"), since))
			before := stateHash(t, l)
			refusedAs(t, undo(b, "u1", "hire"), bus.Conflict, bus.ReasonChanged, "since")
			if stateHash(t, l) != before {
				t.Error("it was changed all the same")
			}
		})
	}
}

// holds: U5
func TestU5UndoLooksOnlyAtTheColumnsThatChanged(t *testing.T) {
	b, l := newToy(t, bus.Options{})
	ok(t, call(b, "hire", "toy.act", `{"steps":[0,2]}`))
	ok(t, call(b, "score", "toy.act", `{"steps":[8]}`))
	must(t, do(t, l, entry("since"), `UPDATE people SET boss = id`))
	ok(t, undo(b, "u1", "score"))
	if n := count(t, l, `SELECT count(*) FROM people WHERE boss = id AND score IS NULL`); n != 2 {
		t.Error("the other column was put back too")
	}
}

// holds: U5
func TestU5NobodyUndoesWhatTheyCouldNotHaveDone(t *testing.T) {
	b, _ := newToy(t, bus.Options{})
	ok(t, call(b, "r1", "toy.act", `{"steps":[0]}`))
	ok(t, call(b, "r2", "toy.hard", `{"steps":[0]}`))
	as := func(target string, p bus.Principal) bus.Result {
		return b.Invoke(context.Background(), bus.Invocation{Capability: "audit.undo",
			Arguments: json.RawMessage(fmt.Sprintf(`{"requestId":%q}`, target)),
			Caller:    bus.Caller{Type: bus.CallerUI}, Principal: p})
	}
	refusedAs(t, as("r1", bus.Principal{Scopes: []string{"audit:write"}}), bus.Forbidden, bus.ReasonPermission,
		"toy:write")
	refusedAs(t, as("r1", bus.Principal{Scopes: []string{"toy:write"}}), bus.Forbidden, bus.ReasonPermission,
		"audit:write")
	refusedAs(t, as("r2", bus.Principal{Scopes: []string{"*"}, Model: &bus.ModelID{Name: "m"}}), bus.Forbidden,
		bus.ReasonAgentForbidden, "assistant")
}

// TestU5UndoRestoresTheStateOrRefuses walks through random requests, undoes and
// redoes of them: 10 000 in a soak.
// holds: U5
func TestU5UndoRestoresTheStateOrRefuses(t *testing.T) {
	b, l := newToy(t, bus.Options{Seed: seeds(1)})
	r := rand.New(rand.NewPCG(1, 2))
	var done []string
	now := stateHash(t, l)
	refused, restored, redone := 0, 0, 0
	for n, end := 0, soak(1_000, 10_000); n < end; n++ {
		id := fmt.Sprint("r", n)
		switch {
		case len(done) > 0 && r.IntN(4) == 0: // any earlier one: it may be refused, and then nothing changes
			res := undo(b, id, done[max(0, len(done)-1-r.IntN(30))])
			after := stateHash(t, l)
			switch {
			case res.OK():
				ok(t, undo(b, id+"-redo", id))
				if n, redone = n+1, redone+1; stateHash(t, l) != now {
					t.Fatalf("%s: taking back the undo does not lead back", id)
				}
			case res.Err.Code != bus.Conflict || res.Err.Reason != bus.ReasonChanged:
				t.Fatalf("%s: %+v", id, res.Err)
			case after != now:
				t.Fatalf("%s: refused, and changed", id)
			default:
				refused++
			}
		default:
			steps, _ := json.Marshal(r.Perm(len(toyActions))[:1+r.IntN(5)])
			res := call(b, id, "toy.act", fmt.Sprintf(`{"steps":%s}`, steps))
			after := stateHash(t, l)
			if !res.OK() {
				if after != now {
					t.Fatalf("%s failed, and changed: %+v", id, res.Err)
				}
				continue
			}
			if after == now {
				continue // it changed nothing
			}
			if r.IntN(2) == 0 {
				done, now = append(done, id), after
				continue
			}
			n++
			switch res := undo(b, id+"-undo", id); {
			case !res.OK() && res.Err.Reason != bus.ReasonChanged:
				t.Fatalf("%s: %+v", id, res.Err)
			case !res.OK():
				t.Logf("%s: %s was refused at once", id, steps)
				refused, now = refused+1, after
			case stateHash(t, l) != now:
				t.Fatalf("%s %s: the state is not as before", id, steps)
			default:
				restored++
			}
		}
	}
	t.Logf("restored %d, redone %d, refused %d", restored, redone, refused)
	if restored < 100 || redone < 10 || refused < 10 {
		t.Errorf("too one-sided: restored %d, redone %d, refused %d", restored, redone, refused)
	}
	if v, err := l.Verify(context.Background(), nil); err != nil || !v.OK {
		t.Errorf("verdict: %+v %v", v, err)
	}
}

// seeds gives the same id seeds in each run.
func seeds(from uint64) func() []byte {
	r := rand.New(rand.NewPCG(from, 0))
	return func() []byte { return fmt.Appendf(nil, "%016x", r.Uint64()) }
}

// TestWhatAnApplicationKeepsIsNotUndone: Options.Undoable can refuse an undo with a reason, and allow the same undo
// later.
func TestWhatAnApplicationKeepsIsNotUndone(t *testing.T) {
	closed := true
	lo := options()
	lo.Undoable = func(ctx context.Context, effects []bus.Effect) error {
		if audit.Tx(ctx) == nil || len(effects) != 1 || effects[0].Op != bus.Insert {
			t.Errorf("asked for %+v", effects)
		}
		if closed {
			return bus.Errorf(bus.Conflict, bus.ReasonChanged, "It was closed with 12.").WithHint("Enter the opposite.")
		}
		return nil
	}
	b, l := toyWith(t, filepath.Join(t.TempDir(), "toy.db"), bus.Options{}, lo)
	ok(t, call(b, "r1", "toy.act", `{"steps":[0]}`))
	state := stateHash(t, l)
	refusedAs(t, undo(b, "u1", "r1"), bus.Conflict, bus.ReasonChanged, "closed with 12")
	if stateHash(t, l) != state {
		t.Error("it was undone")
	}
	closed = false
	ok(t, undo(b, "u2", "r1"))
}
