package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// The examples' application keeps notes.

type noteIn struct {
	Text string `json:"text" jsonschema:"minLength=1,maxLength=80" jsonschema_description:"What to remember."`
}

type noteOut struct {
	ID string `json:"id"`
}

// addNote writes: it runs in a transaction and says what it did.
func addNote() bus.Capability {
	return bus.Define(bus.Capability{
		Name: "note.add", Title: "Add a note", Description: "Adds a note to the pad.", SideEffect: bus.UIOnly,
		Resources: []string{"database:write"},
		Assistant: bus.Assistant{Phrases: []string{"note {text}"}},
	}, func(ctx context.Context, call *bus.Call, in noteIn) (noteOut, error) {
		id := call.NewID("note")
		call.Summarize("Note %q", in.Text)
		call.Changed("note", "a note was added", id)
		return noteOut{ID: id}, bustest.Tables(ctx).Set("notes", "last", map[string]any{"id": id, "text": in.Text})
	})
}

// newBus makes a bus on a journal in memory, with a clock that stands still and
// ids that are counted. An application gives it a durable journal.
func newBus(caps ...bus.Capability) (*bus.Bus, *bustest.Journal) {
	o, journal, _ := bustest.Options()
	b := bus.New(o)
	b.MustRegister(caps...)
	return b, journal
}

// by is an invocation by a person at the window.
func by(name, arguments string) bus.Invocation {
	return bus.Invocation{Capability: name, Arguments: json.RawMessage(arguments),
		Caller: bus.Caller{Type: bus.CallerUI, Source: "Pad"}, Principal: bus.Principal{ID: "kim", Scopes: []string{"*"}}}
}

func show(r bus.Result) {
	if r.Err != nil {
		fmt.Println(r.Err)
		if r.Err.Hint != "" {
			fmt.Println("  hint:", r.Err.Hint)
		}
		return
	}
	fmt.Println(string(r.Data))
}

// A bus, a capability of a plain function, and an invocation with Go values. What is wrong with a call comes back as a
// coded error, and the journal has one record of each.
func ExampleNew() {
	journal := &bustest.Journal{} // package audit has the durable one
	b := bus.New(bus.Options{Journal: journal, Name: "pad", Version: "1.0.0"})
	b.MustRegister(addNote())
	kim := bus.Invocation{Capability: "note.add", Caller: bus.Caller{Type: bus.CallerUI, Source: "Pad"},
		Principal: bus.Principal{ID: "kim", Name: "Kim"}}

	_, err := bus.Invoke[noteOut](context.Background(), b, kim, noteIn{Text: "the code of the door"})
	fmt.Println(err, journal.Row("notes", "last")["text"])
	_, err = bus.Invoke[noteOut](context.Background(), b, kim, noteIn{})
	fmt.Println(err)
	fmt.Println(len(journal.Entries()), "records")
	// Output:
	// <nil> the code of the door
	// VALIDATION: The arguments do not fit note.add: /text: minLength: got 0, want 1.
	// 2 records
}

// Define makes a capability of a plain function: when it is registered, the schemas come from its types.
func ExampleDefine() {
	b, _ := newBus(addNote())
	c, _ := b.Lookup("note.add")
	fmt.Println(string(c.InputSchema))
	fmt.Println(string(c.OutputSchema))
	// Output:
	// {"properties":{"text":{"type":"string","maxLength":80,"minLength":1,"description":"What to remember."}},"additionalProperties":false,"type":"object","required":["text"]}
	// {"properties":{"id":{"type":"string"}},"type":"object","required":["id"]}
}

// DefineFunc makes a capability of a function that a program already has, and gives the program's errors their codes.
func ExampleDefineFunc() {
	errLost := errors.New("the key is lost")
	open := func(_ context.Context, in noteIn) (noteOut, error) {
		if in.Text == "safe" {
			return noteOut{}, errLost
		}
		return noteOut{ID: in.Text}, nil
	}
	b, _ := newBus(bus.DefineFunc(bus.Capability{
		Name: "door.open", Title: "Open a door", Description: "Opens a door of the house.", SideEffect: bus.UIOnly,
	}, open, func(ctx context.Context, call *bus.Call, run func(context.Context) error) error {
		err := run(ctx) // a program adds the person and the transaction of the call to ctx
		if errors.Is(err, errLost) {
			return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "Look for the key first.").WithCause(err)
		}
		return err
	}))
	show(b.Invoke(context.Background(), by("door.open", `{"text":"cellar"}`)))
	r := b.Invoke(context.Background(), by("door.open", `{"text":"safe"}`))
	show(r)
	fmt.Println(errors.Is(r.Error(), errLost))
	// Output:
	// {"id":"cellar"}
	// PRECONDITION_FAILED: Look for the key first.
	// true
}

// A raw capability brings its own schemas and reads its arguments itself.
func ExampleCapability() {
	b, _ := newBus(bus.Capability{
		Name: "pad.measure", Title: "Measure the pad", Description: "Says how large the pad is.", SideEffect: bus.Pure,
		InputSchema: json.RawMessage(
			`{"type":"object","properties":{"unit":{"enum":["mm","in"],"default":"mm"}},"additionalProperties":false}`),
		OutputSchema: json.RawMessage(`{"type":"object","required":["width"],"properties":{"width":{"type":"number"}}}`),
		Handler: func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
			var in struct{ Unit string }
			if err := call.Decode(&in); err != nil {
				return nil, err
			}
			if in.Unit == "in" {
				return json.RawMessage(`{"width":5.8}`), nil
			}
			return json.RawMessage(`{"width":148}`), nil
		},
	})
	show(b.Invoke(context.Background(), by("pad.measure", `{}`)))
	show(b.Invoke(context.Background(), by("pad.measure", `{"unit":"in"}`)))
	// Output:
	// {"width":148}
	// {"width":5.8}
}

// Whoever asks, there is one result, and one record.
func ExampleBus_Invoke() {
	b, journal := newBus(addNote())
	ctx := context.Background()
	show(b.Invoke(ctx, by("note.add", `{"text":"Buy milk"}`)))
	show(b.Invoke(ctx, by("note.add", `{"text":""}`)))
	show(b.Invoke(ctx, by("note.burn", `{}`)))
	for _, e := range journal.Entries() {
		fmt.Printf("%s %s, rows changed: %d\n", e.Invocation.RequestID, e.Result.Status, len(e.Effects))
	}
	// Output:
	// {"id":"note_acpynfw8eaeb8ecn"}
	// VALIDATION: The arguments do not fit note.add: /text: minLength: got 0, want 1.
	//   hint: Correct the arguments by the input schema and try again.
	// NOT_FOUND: There is no capability "note.burn".
	//   hint: Did you mean note.add?
	// req_1 success, rows changed: 1
	// req_2 error, rows changed: 0
	// req_3 error, rows changed: 0
}

// The same key and arguments run once: a second call gets the first one's answer.
func ExampleBus_Invoke_idempotency() {
	b, _ := newBus(addNote())
	inv := by("note.add", `{"text":"Buy milk"}`)
	inv.IdempotencyKey = "tap-1"
	first, second := b.Invoke(context.Background(), inv), b.Invoke(context.Background(), inv)
	fmt.Println(string(first.Data) == string(second.Data), first.Replayed, second.Replayed)

	inv.Arguments = json.RawMessage(`{"text":"Buy oats"}`)
	show(b.Invoke(context.Background(), inv))
	// Output:
	// true false true
	// VALIDATION: The idempotency key was already used with other arguments.
	//   hint: Use a new key for a new action.
}

// A precondition says why not, and what mends it.
func ExamplePrecondition() {
	frame := addNote()
	frame.Name, frame.Title = "note.frame", "Frame the note"
	frame.Checks.Preconditions = []bus.Precondition{{
		Name: "written", Message: "There is no note yet.", Hint: "Invoke note.add first.",
		Check: func(ctx context.Context, _ *bus.Call) error {
			if bustest.Tables(ctx).Get("notes", "last") == nil {
				return bus.ErrUnmet
			}
			return nil
		},
	}}
	b, _ := newBus(addNote(), frame)
	show(b.Invoke(context.Background(), by("note.frame", `{"text":"x"}`)))
	// Output:
	// PRECONDITION_FAILED: There is no note yet.
	//   hint: Invoke note.add first.
}

// A dry run is the handler itself, rolled back: what it would do, and nothing done.
func ExampleInvocation_dryRun() {
	b, journal := newBus(addNote())
	inv := by("note.add", `{"text":"Buy milk"}`)
	inv.DryRun = true
	show(b.Invoke(context.Background(), inv))
	for _, e := range journal.Entries() {
		fmt.Println(e.Summary, e.Effects[0].Op, e.Effects[0].After["text"])
	}
	fmt.Println("in the table:", journal.Row("notes", "last"))
	// Output:
	// {"id":"note_acpynfw8eaeb8ecn"}
	// Note "Buy milk" insert Buy milk
	// in the table: map[]
}

// careful asks a person: here one who reads the card and agrees.
type careful struct{}

func (careful) Authorize(context.Context, *bus.ApprovalRequest) (bus.Decision, error) {
	return bus.Decision{Rule: bus.RuleConfirm, By: "the house rules"}, nil
}

func (careful) Approve(_ context.Context, _ *bus.ApprovalRequest, p *bus.Preview) (bus.Decision, error) {
	fmt.Println("May I?", p.Summary)
	return bus.Decision{Allowed: true, Answer: "allow", By: "kim"}, nil
}

// An agent's call that policy wants confirmed is first run and rolled back; the
// person's answer holds for exactly what was shown.
func ExampleApprover() {
	o, journal, _ := bustest.Options()
	o.Approver = careful{}
	b := bus.New(o)
	b.MustRegister(addNote())
	inv := by("note.add", `{"text":"Buy milk"}`)
	inv.Caller = bus.Caller{Type: bus.CallerAgent, Source: "chat_1", Reasoning: "They asked me to."}
	show(b.Invoke(context.Background(), inv))
	fmt.Println(journal.Entries()[0].Decision.Answer, "by", journal.Entries()[0].Decision.By)
	// Output:
	// May I? Note "Buy milk"
	// {"id":"note_acpynfw8eaeb8ecn"}
	// allow by kim
}

// Events come after the commit, in one order, to everybody.
func ExampleBus_Subscribe() {
	b, _ := newBus(addNote())
	sub := b.Subscribe()
	defer sub.Close()
	b.Invoke(context.Background(), by("note.add", `{"text":"Buy milk"}`))
	for range 2 {
		e, err := sub.Next(context.Background())
		fmt.Println(e.Type, e.RequestID, e.Capability, e.Domain, e.Summary, err)
	}
	// Output:
	// invocation req_1 note.add   <nil>
	// stateChange req_1  note a note was added <nil>
}
