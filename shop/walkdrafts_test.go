package shop_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/reckonertest"
)

// mergeName is the capability that merges the changes of a walk on a draft.
const mergeName = "walk.merge"

func (w *walk) mergeCapability() bus.Capability {
	return bus.Merge(bus.Capability{Name: mergeName, Title: "Merge a draft", Description: "Does what was done on a draft.",
		SideEffect: bus.Destructive, Reversible: true, Permissions: []string{"plan:write"}, Resources: []string{"database:write"},
		Facts: []string{"steps", "left"}},
		func(context.Context, *bus.Call, struct{}) ([]bus.Record, error) { return w.drafted, nil })
}

// draft makes calls on a copy of the shop while others use the shop, and merges them.
func (w *walk) draft(replay func()) {
	w.t.Helper()
	name := fmt.Sprint("draft", w.r.Uint32())
	path := filepath.Join(w.t.TempDir(), "draft.db")
	if err := w.log.Fork(w.t.Context(), path); err != nil {
		w.t.Fatal(err)
	}
	draft := openWalk(w.t, path, name, w.r)
	person := w.staff[2+w.r.IntN(2)]
	draft.staff, draft.clock = []bus.Principal{person, person, person, person}, w.clock
	for range 15 {
		draft.step()
		if w.r.IntN(4) == 0 {
			w.clock = draft.clock
			w.step()
			draft.clock = w.clock
			replay()
		}
	}
	done, err := draft.log.Standing(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	w.drafted = done
	w.person, w.clock = person, draft.clock
	w.last = mergeName + " by " + person.Role
	res := w.bus.Invoke(w.t.Context(), bus.Invocation{Capability: mergeName, Arguments: json.RawMessage(`{}`),
		Caller: bus.Caller{Type: bus.CallerTest}, Principal: person})
	w.judge(res)
	n := w.done[mergeName]
	if !res.OK() {
		w.done[mergeName] = [2]int{n[0], n[1] + 1}
		return
	}
	w.done[mergeName] = [2]int{n[0] + 1, n[1]}
	w.undo = append(w.undo, res.RequestID)
	w.readStates()
}

// merged are the calls on the draft that a merge did; those that it left out are named in its answer.
func (d *desk) merged(r bus.Record) (calls []reckonertest.Call) {
	d.t.Helper()
	var out struct {
		Left []struct{ Subject struct{ ID string } }
	}
	if err := json.Unmarshal(r.Data, &out); err != nil {
		d.t.Fatal(err)
	}
	left := map[string]bool{}
	for _, l := range out.Left {
		left[l.Subject.ID] = true
	}
	for _, r := range d.drafted {
		if !left[r.RequestID] {
			calls = append(calls, callOf(r))
		}
	}
	return calls
}

// walkVariable makes the test of random days a program that works in a shop until it is killed. Its value is the name of
// the program, the time in ms and the path of the shop's file.
const walkVariable = "SHOP_TEST_WALK"

// killedProgram lets another program make calls in the shop, and kills it during its work.
func (w *walk) killedProgram(name string) {
	w.t.Helper()
	w.last = "a program that was killed"
	p := exec.Command(os.Args[0], "-test.run=^TestRandomDaysAgreeWithTheReckoner$")
	p.Env = append(os.Environ(), fmt.Sprintf("%s=%s|%d|%s", walkVariable, name, w.clock.UnixMilli(), w.path))
	out, err := p.StdoutPipe()
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		w.t.Fatal(err)
	}
	steps := bufio.NewScanner(out)
	for range 2 + w.r.IntN(15) {
		if !steps.Scan() || steps.Text() != "step" {
			w.t.Errorf("it printed %q", steps.Text())
			break
		}
	}
	time.Sleep(time.Duration(w.r.IntN(4000)) * time.Microsecond) // it goes on
	if err := p.Process.Kill(); err != nil {
		w.t.Fatal(err)
	}
	_ = p.Wait() // it says that it was killed
	w.clock = time.UnixMilli(w.number(`SELECT MAX(time) FROM audit_records`))
	w.readStates()
}

// walkUntilKilled is the program.
func walkUntilKilled(t *testing.T, name, clock, path string) {
	ms, err := strconv.ParseInt(clock, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	w := openWalk(t, path, name, rand.New(rand.NewPCG(uint64(ms), 20260401)))
	w.clock, w.closes, w.erases = time.UnixMilli(ms), true, false
	for {
		w.step()
		if t.Failed() {
			return
		}
		fmt.Println("step")
	}
}
