package audit_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/audit/capabilities"
	"github.com/deskhand/deskhand/bus"
)

// replicas returns a function that opens a copy of the log and a toy bus on it.
func replicas(t *testing.T, l **audit.Log) func(context.Context) (*audit.Replica, error) {
	return func(ctx context.Context) (*audit.Replica, error) {
		path := filepath.Join(t.TempDir(), "toy.db")
		if _, err := (*l).Backup(ctx, path); err != nil {
			return nil, err
		}
		b, copied := toyAt(t, path, bus.Options{Approver: yes{}})
		return &audit.Replica{Log: copied, Invoke: b.Invoke, Close: copied.Close}, nil
	}
}

func replayable(t *testing.T) (b *bus.Bus, l *audit.Log) {
	t.Helper()
	b, l = newToy(t, bus.Options{})
	b.MustRegister(capabilities.New(l, capabilities.Options{Replica: replicas(t, &l)})...)
	return b, l
}

func replayed(t *testing.T, b *bus.Bus, arguments string) (report audit.ReplayReport) {
	t.Helper()
	res := call(b, "", "audit.replay", arguments)
	ok(t, res)
	must(t, json.Unmarshal(res.Data, &report))
	return report
}

// TestU6AnySliceOfTheLogIsReplayedOnACopy: random requests and undoes, and random
// slices of them.
// holds: U6
func TestU6AnySliceOfTheLogIsReplayedOnACopy(t *testing.T) {
	b, l := replayable(t)
	r := rand.New(rand.NewPCG(5, 6))
	states := []string{stateHash(t, l)}
	for n := range 120 {
		steps, _ := json.Marshal(r.Perm(len(toyActions))[:1+r.IntN(4)])
		if r.IntN(6) == 0 {
			undo(b, fmt.Sprint("r", n), fmt.Sprint("r", n-1))
		} else {
			call(b, fmt.Sprint("r", n), "toy.act", fmt.Sprintf(`{"steps":%s}`, steps))
		}
		states = append(states, stateHash(t, l))
	}
	now := stateHash(t, l)
	reached := 0
	for range 10 {
		from := 1 + r.IntN(len(states)-2)
		to := from + r.IntN(len(states)-from)
		res := call(b, "", "audit.replay", fmt.Sprintf(`{"from":%d,"to":%d}`, from, to))
		if res.Err != nil { // rows that can only change all at once
			refusedAs(t, res, bus.PreconditionFailed, bus.ReasonState, "cannot be taken back")
			continue
		}
		var report audit.ReplayReport
		must(t, json.Unmarshal(res.Data, &report))
		if report.Different > 0 || report.Reached != report.State || report.State != states[to] {
			t.Errorf("%d to %d: %+v", from, to, report)
		}
		reached++
	}
	if reached < 3 {
		t.Errorf("only %d of the slices", reached)
	}
	if stateHash(t, l) != now {
		t.Error("the shop itself was changed")
	}
}

// holds: U6
func TestU6AReplayOfALogThatLiesSaysSo(t *testing.T) {
	b, l := replayable(t)
	ok(t, call(b, "r1", "toy.act", `{"steps":[0]}`))
	ok(t, call(b, "r2", "toy.act", `{"steps":[0]}`))
	audit.Execute(t, l, `UPDATE audit_payloads SET body = CAST(replace(CAST(body AS TEXT), '"rows":[1]',
			'"rows":[2]') AS BLOB) WHERE seq = 2`)
	if report := replayed(t, b, `{"from":1}`); report.Same != 1 || report.Different != 1 || len(report.Notable) != 1 ||
		report.Notable[0].Why != "its data" {
		t.Errorf("report: %+v", report)
	}
}

func TestACopyIsNotTakenBackBehindWhatWasNotKept(t *testing.T) {
	b, l := replayable(t)
	ok(t, call(b, "r1", "toy.act", `{"steps":[0]}`))
	ok(t, call(b, "r2", "toy.load", `{"steps":[0]}`))
	ok(t, call(b, "r3", "toy.act", `{"steps":[0]}`))
	refusedAs(t, call(b, "", "audit.replay", `{"from":2}`), bus.PreconditionFailed, bus.ReasonState,
		"behind record 2 (toy.load)")
	if report := replayed(t, b, `{"from":3,"to":3}`); report.Same != 1 || report.State != report.Reached {
		t.Errorf("report: %+v", report)
	}
	refusedAs(t, call(b, "", "audit.replay", `{"from":900}`), bus.Validation, bus.ReasonArguments, "no records from 900")
	audit.Execute(t, l, `DELETE FROM audit_payloads WHERE seq = 3`)
	refusedAs(t, call(b, "", "audit.replay", `{"from":3}`), bus.PreconditionFailed, bus.ReasonState, "behind record 3")
	agent := b.Invoke(context.Background(), bus.Invocation{Capability: "audit.replay",
		Arguments: json.RawMessage(`{"from":1}`),
		Caller:    bus.Caller{Type: bus.CallerAgent}, Principal: bus.Principal{ID: "u1", Scopes: []string{"*"}}})
	refusedAs(t, agent, bus.Forbidden, bus.ReasonAgentForbidden, "not allowed")
}

// TestU6AReplayFromBeforeAnErasureSaysWhereToBegin: a copy cannot restore erased data either, so the error names the
// first record from which a replay is possible.
//
// holds: U6
func TestU6AReplayFromBeforeAnErasureSaysWhereToBegin(t *testing.T) {
	b, l, _ := newClients(t)
	ok(t, call(b, "save", "client.save", `{"id":"c_500x","name":"Zofia","mail":"zofia.w@example.org"}`))
	ok(t, call(b, "other", "client.save", `{"id":"c_600x","name":"Other","mail":"other@example.org"}`))
	ok(t, call(b, "erase", "client.erase", `{"id":"c_500x"}`))
	ok(t, call(b, "after", "client.save", `{"id":"c_700x","name":"After","mail":"after@example.org"}`))
	replay := func(from int64) error {
		copied := filepath.Join(t.TempDir(), "copy.db")
		_, err := l.Backup(t.Context(), copied)
		must(t, err)
		again, of := clientsAt(t, copied)
		_, err = l.ReplayOn(t.Context(), &audit.Replica{Log: of, Invoke: again.Invoke, Close: of.Close}, from, 0, nil)
		return err
	}
	must(t, replay(4))
	var coded *bus.Error
	if err := replay(1); !errors.As(err, &coded) || coded.Code != bus.PreconditionFailed ||
		!strings.Contains(coded.Message, "erased a person") || coded.Hint != "Begin with a later record: 4." {
		t.Error(err)
	}
}
