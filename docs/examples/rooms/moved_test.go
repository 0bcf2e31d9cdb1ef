package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/codegen"
)

var update = flag.Bool("update", false, "write the types of the page again")

// newMoved is newAPI with the first handlers moved.
func newMoved(t *testing.T, moved int, ask func(context.Context, policy.Card) (policy.Answer, error)) (*api, *bus.Bus,
	*audit.Log) {
	file := filepath.Join(t.TempDir(), "rooms.db")
	s, err := open(file)
	if err != nil {
		t.Fatal(err)
	}
	log, err := audit.Open(t.Context(), file, audit.Options{Adopt: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { log.Close(); s.db.Close() })
	rules := policy.New(policy.Options{Ask: ask})
	b := bus.New(bus.Options{Journal: log, Approver: rules, Name: "rooms", Version: "1.0.0"})
	return serve(t, newServer(s, b, moved)), b, log
}

// TestTheAPIAtEachStep runs the program's own test with 0 to 5 handlers moved. Each answer stays the same to the byte,
// and the log has the calls of the moved handlers alone.
func TestTheAPIAtEachStep(t *testing.T) {
	before := newAPI(t)
	testTheAPI(before)
	calls := []int{0, 2, 7, 11, 14, 17} // the API's test makes so many that reach the first n handlers
	for moved := range len(steps(nil)) + 1 {
		t.Run(fmt.Sprintf("%d moved", moved), func(t *testing.T) {
			a, _, log := newMoved(t, moved, nil)
			testTheAPI(a)
			if !slices.Equal(*a.said, *before.said) {
				t.Errorf("the API answers\n%q\nand before\n%q", *a.said, *before.said)
			}
			found, err := log.Search(t.Context(), audit.Query{Reads: true})
			if err != nil || len(found.Records) != calls[moved] {
				t.Errorf("the log has %d records, not %d (%v)", len(found.Records), calls[moved], err)
			}
		})
	}
}

// TestAnAssistantNeedsAYes: a model can call a moved handler. A destructive one needs the person's permission.
func TestAnAssistantNeedsAYes(t *testing.T) {
	var asked []string
	answer := bus.AnswerDeny
	a, b, log := newMoved(t, 5, func(_ context.Context, c policy.Card) (policy.Answer, error) {
		asked = append(asked, c.Sentence)
		return policy.Answer{Answer: answer}, nil
	})
	call := func(person user, name, arguments string) bus.Result {
		return b.Invoke(t.Context(), bus.Invocation{Capability: name, Arguments: []byte(arguments),
			Caller: bus.Caller{Type: bus.CallerAgent}, Principal: person.principal()})
	}
	ana, kim := users["token-of-ana"], users["token-of-kim"]
	const attic = `{"room":"Attic"}`
	book := `{"room":"Attic","day":"2027-03-01","hour":9,"title":"Plans"}`
	if r := call(kim, "booking.make", book); r.Err != nil || len(asked) != 0 {
		t.Fatalf("%v, asked %q", r.Err, asked)
	}
	if r := call(kim, "booking.make", book); r.Err == nil || r.Err.Code != bus.PreconditionFailed {
		t.Errorf("the program's error has the code of %v", r.Err)
	}
	if r := call(kim, "room.close", attic); r.Err == nil || r.Err.Reason != bus.ReasonPermission {
		t.Errorf("Kim closes a room: %v", r.Err)
	}
	if r := call(ana, "room.close", attic); r.Err == nil || r.Err.Reason != bus.ReasonDeclined || len(asked) != 1 {
		t.Errorf("%v, asked %q", r.Err, asked)
	}
	a.send("ana GET /bookings?day=2027-03-01", `"by":"Kim"`)
	answer = bus.AnswerAllow
	if r := call(ana, "room.close", attic); r.Err != nil || string(r.Data) != `{"room":"Attic"}` {
		t.Errorf("%s %v", r.Data, r.Err)
	}
	a.send("ana DELETE /rooms/Attic", "404")
	found, err := log.Search(t.Context(), audit.Query{Capability: "room.close", Status: bus.StatusSuccess})
	if err != nil || len(found.Records) != 1 || len(found.Records[0].Effects) != 2 {
		t.Errorf("the log has %+v (%v)", found.Records, err)
	}
}

func TestTheTypesOfThePageAreFresh(t *testing.T) {
	const path = "page/capabilities.gen.ts"
	_, b, _ := newMoved(t, 5, nil)
	m, err := b.Manifest(t.Context(), bus.View{Caller: bus.CallerUI, Principal: users["token-of-ana"].principal()})
	if err != nil {
		t.Fatal(err)
	}
	made, err := codegen.TypeScript(m)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		err = os.WriteFile(path, made, 0o644)
	}
	if kept, _ := os.ReadFile(path); err != nil || !bytes.Equal(kept, made) {
		t.Errorf("%s is stale (%v): go test . -update", path, err)
	}
}
