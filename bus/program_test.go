package bus_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

type note struct {
	ID     string `json:"id"`
	Text   string `json:"text"`
	Status string `json:"status"`
	Weight int    `json:"weight"`
	Reader string `json:"reader,omitempty"`
}

type notesOut struct {
	Notes      []note `json:"notes"`
	NextCursor string `json:"nextCursor,omitempty"`
}

// notes lists *all; its sight and its answer can be changed while a person reads the card.
func notes(all *notesOut) bus.Capability {
	return bus.Define(bus.Capability{Name: "note.list", Title: "List notes", Description: "Lists notes.",
		SideEffect: bus.Pure}, func(context.Context, *bus.Call, struct{}) (notesOut, error) { return *all, nil })
}

type readIn struct {
	ID    string `json:"id" jsonschema:"minLength=1"`
	Words string `json:"words,omitempty"`
	Count int    `json:"count,omitempty"`
}

// reading marks a note as read; not the one with the id "locked".
func reading() bus.Capability {
	return bus.Define(bus.Capability{Name: "note.read", Title: "Mark as read", Description: "Marks a note as read.",
		SideEffect: bus.UIOnly, Resources: []string{"database:write"}, Facts: []string{"amount"}},
		func(ctx context.Context, call *bus.Call, in readIn) (note, error) {
			if in.ID == "locked" {
				return note{}, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "It is locked.")
			}
			call.Fact("amount", 1)
			call.Summarize("Mark %s as read", in.ID)
			return note{ID: in.ID, Text: in.Words}, bustest.Tables(ctx).Set("read", in.ID,
				map[string]any{"words": in.Words, "count": in.Count})
		})
}

func someNotes(n int) *notesOut {
	all := &notesOut{Notes: []note{}}
	for i := range n {
		all.Notes = append(all.Notes, note{ID: fmt.Sprint("n", i), Text: fmt.Sprint("Words ", i),
			Status: []string{"open", "closed", "lost"}[i%3], Weight: i})
	}
	return all
}

// programBus is a bus with notes whose cards are answered by a.
func programBus(t *testing.T, a bus.Approver, all *notesOut) (*bus.Bus, *bustest.Journal) {
	t.Helper()
	return planBus(t, a, notes(all), reading(), mailing(func() error { return nil }))
}

const (
	listNotes = `{"capability":"note.list"},`
	readEach  = `{"$each":{"from":"/0/notes"},"capability":"note.read","arguments":{"id":{"$item":"/id"}}}`
)

// readWhere is a program that marks the notes that a filter keeps.
func readWhere(filter string) bus.Invocation {
	return plan(listNotes + `{"$each":{"from":"/0/notes","where":` + filter +
		`},"capability":"note.read","arguments":{"id":{"$item":"/id"}}}`)
}

// holds: A26
func TestA26AProgramIsDoneForTheRowsThatTheFilterKeeps(t *testing.T) {
	for filter, want := range map[string]string{
		`{}`:                                   "n0 n1 n2 n3 n4 n5 n6",
		`{"/status":"open"}`:                   "n0 n3 n6",
		`{"/status":{"in":["closed","lost"]}}`: "n1 n2 n4 n5",
		`{"/status":{"not_in":["closed","lost"]}}`: "n0 n3 n6",
		`{"/weight":{"min":2,"max":4.0}}`:          "n2 n3 n4",
		`{"/weight":3.0}`:                          "n3",
		`{"/text":{"min":"Words 4"}}`:              "n4 n5 n6",
		`{"/status":"open","/weight":{"max":3}}`:   "n0 n3",
		`{"/reader":null,"/weight":{"min":5}}`:     "n5 n6",
	} {
		a := &approver{rule: bus.RuleConfirm, say: yes}
		b, j := programBus(t, a, someNotes(7))
		r := b.Invoke(t.Context(), readWhere(filter))
		wantOK(t, r)
		var got []string
		for i := range 7 {
			if id := fmt.Sprint("n", i); j.Row("read", id) != nil {
				got = append(got, id)
			}
		}
		n := len(strings.Fields(want))
		said := fmt.Sprintf("%d × Mark as read", n)
		if n == 1 {
			said = fmt.Sprintf("Mark %s as read", want)
		}
		if strings.Join(got, " ") != want || len(a.asked) != 1 || a.asked[0].Summary != said || r.Facts["steps"] != float64(n+1) {
			t.Errorf("%s: %v %s", filter, got, wire(t, r))
		}
		if e := records(t, j, 1); len(e.Steps) != n+1 || e.Steps[1] != "note.read" {
			t.Errorf("%s: filed under %v", filter, e.Steps)
		}
	}
}

// holds: A26
func TestA26AProgramSaysWhatIsWrongWithIt(t *testing.T) {
	for name, tt := range map[string]struct {
		steps, words string
		code         bus.Code
	}{
		"no list":            {listNotes + strings.Replace(readEach, "/0/notes", "/0/nots", 1), "is no list", bus.Validation},
		"a later step":       {listNotes + strings.Replace(readEach, "/0/notes", "/1/notes", 1), "is no list", bus.Validation},
		"itself first":       {strings.Replace(readEach, "/0/notes", "/-1", 1), "is no list", bus.Validation},
		"no pointer":         {listNotes + strings.Replace(readEach, "/0/notes", "0/notes", 1), "is no list", bus.Validation},
		"not of what writes": {addSeven + "," + strings.Replace(readEach, "/0/notes", "/0/total", 1), "only reads", bus.Validation},
		"no field of a row":  {listNotes + strings.Replace(readEach, `"/id"`, `"/name"`, 1), `"/name" is nothing that a row has`, bus.Validation},
		"outside of a row":   {listNotes + `{"capability":"note.read","arguments":{"id":{"$item":"/id"}}}`, "that a row has", bus.Validation},
		"a filter of nothing": {listNotes + strings.Replace(readEach, `"}`, `","where":{"/staus":{"not_in":["x"]}}}`, 1),
			`no field "/staus"`, bus.Validation},
		"a filter of an unknown bound": {listNotes + strings.Replace(readEach, `"}`, `","where":{"/status":{"like":"x"}}}`, 1),
			"The filter", bus.Validation},
		"a filter of a list": {listNotes + strings.Replace(readEach, `"}`, `","where":{"/status":["x"]}}`, 1), "The filter", bus.Validation},
		"outside":            {listNotes + readEach + "," + sendMail, "reaches outside", bus.Validation},
		"outside for each": {listNotes + `{"$each":{"from":"/0/notes"},"capability":"mail.send","arguments":{}}`,
			"reaches outside", bus.Validation},
		"a count of no list": {listNotes + `{"capability":"note.read","arguments":{"id":"x","count":{"$count":"/0/notes/0"}}},` + readEach,
			"nothing that an earlier step gave", bus.Validation},
		"nothing to do": {listNotes + strings.Replace(readEach, `"}`, `","where":{"/status":"gone"}}`, 1), "nothing to do", bus.PreconditionFailed},
	} {
		a := &approver{rule: bus.RuleConfirm, say: yes}
		b, j := programBus(t, a, someNotes(3))
		r := b.Invoke(t.Context(), plan(tt.steps))
		if r.Err == nil || r.Err.Code != tt.code || !strings.Contains(r.Err.Message, tt.words) || len(a.asked) != 0 ||
			j.Row("read", "n0") != nil || len(r.Err.Choices) != 0 {
			t.Errorf("%s: %s", name, wire(t, r))
		}
		records(t, j, 1)
	}
}

// holds: A26
func TestA26NoListIsTakenOfAStepThatWrites(t *testing.T) {
	touch := doing("note.touch", bus.UIOnly, func(context.Context, *bus.Call) (json.RawMessage, error) {
		return json.RawMessage(`{"notes":[{"id":"n0"}]}`), nil
	})
	a := &approver{rule: bus.RuleConfirm, say: yes}
	b, j := planBus(t, a, touch, reading())
	r := b.Invoke(t.Context(), plan(`{"capability":"note.touch"},`+readEach))
	if wantError(t, r, bus.Validation, bus.ReasonArguments); len(a.asked) != 0 || j.Row("read", "n0") != nil {
		t.Error(wire(t, r))
	}
}

// holds: A26
func TestA26AProgramHasBounds(t *testing.T) {
	for n, want := range map[int]string{199: "", 200: "comes to 201 steps, and 200 are the most", 0: "nothing to do"} {
		b, _ := programBus(t, &approver{rule: bus.RuleConfirm, say: yes}, someNotes(n))
		r := b.Invoke(t.Context(), plan(listNotes+readEach))
		if want == "" {
			wantOK(t, r)
		} else if r.Err == nil || !strings.Contains(r.Err.Message, want) {
			t.Errorf("%d rows: %s", n, wire(t, r))
		}
	}
	b, _ := programBus(t, &approver{rule: bus.RuleConfirm, say: yes}, someNotes(100))
	r := b.Invoke(t.Context(), plan(listNotes+readEach+","+readEach))
	if r.Err == nil || !strings.Contains(r.Err.Message, "comes to 201 steps") {
		t.Error(wire(t, r))
	}
	all := someNotes(3)
	all.NextCursor = "more"
	b, j := programBus(t, &approver{rule: bus.RuleConfirm, say: yes}, all)
	for _, steps := range []string{readEach, `{"capability":"note.read","arguments":{"id":"x","count":{"$count":"/0/notes"}}}`} {
		r = b.Invoke(t.Context(), plan(listNotes+steps))
		if wantError(t, r, bus.Validation, bus.ReasonArguments); j.Row("read", "n0") != nil {
			t.Error(wire(t, r))
		}
	}
}

// holds: A26
func TestA26ARowThatFailsEndsTheProgramAndOffersNoChoice(t *testing.T) {
	all := someNotes(3)
	all.Notes[1].ID = "locked"
	b, j := programBus(t, &approver{rule: bus.RuleConfirm, say: yes}, all)
	r := b.Invoke(t.Context(), plan(listNotes+readEach))
	wantError(t, r, bus.PreconditionFailed, bus.ReasonState)
	if r.Err.Message != "Step 2 (note.read): Row 2: It is locked. Nothing of the plan was done." || j.Row("read", "n0") != nil ||
		r.Err.Choices != nil {
		t.Error(wire(t, r))
	}
}

// holds: A26
func TestA26TheListIsReadAgainBeforeTheCommit(t *testing.T) {
	all := someNotes(3)
	a := &approver{rule: bus.RuleConfirm}
	a.say = func(n int, p *bus.Preview) bus.Decision {
		if n == 1 {
			all.Notes = append(all.Notes, note{ID: "late", Status: "open"})
			return yes(n, p)
		}
		return bus.Decision{Answer: "deny", By: "p1"}
	}
	b, j := programBus(t, a, all)
	wantError(t, b.Invoke(t.Context(), plan(listNotes+readEach)), bus.Forbidden, bus.ReasonDeclined)
	if len(a.asked) != 2 || a.asked[1].Summary != "4 × Mark as read" || j.Row("read", "n0") != nil {
		t.Errorf("%+v", a.asked)
	}
	a.asked, a.say = nil, func(n int, p *bus.Preview) bus.Decision {
		all.Notes[0].Text += "!" // a row that stays is not the one that was shown either
		return yes(n, p)
	}
	r := b.Invoke(t.Context(), plan(listNotes+readEach))
	if wantError(t, r, bus.Conflict, bus.ReasonChanged); len(a.asked) != 5 || j.Row("read", "n0") != nil {
		t.Errorf("asked %d times, %s", len(a.asked), wire(t, r))
	}
}

// holds: A26
func TestA26WhatARowSaysIsNoReference(t *testing.T) {
	all := someNotes(3)
	for i, words := range []string{`{"$from":"/0/notes/0/id"}`, `{"$item":"/id"}`, `__proto__`} {
		all.Notes[i].Text = words
	}
	whole := bus.Define(bus.Capability{Name: "note.keep", Title: "Keep", Description: "Keeps a row.", SideEffect: bus.UIOnly,
		Resources: []string{"database:write"}}, func(ctx context.Context, call *bus.Call, in struct {
		Row map[string]any `json:"row"`
	}) (struct{}, error) {
		raw, err := json.Marshal(in.Row)
		return struct{}{}, errors.Join(err, bustest.Tables(ctx).Set("kept", fmt.Sprint(in.Row["id"]), map[string]any{"row": string(raw)}))
	})
	b, j := planBus(t, &approver{rule: bus.RuleConfirm, say: yes}, notes(all), reading(), whole,
		doing("wild.list", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
			return json.RawMessage(`{"rows":[{"id":"a","$from":"/0/rows/0/id"},{"id":"b","x":{"$item":"/id"},"__proto__":{"id":"c"}}]}`), nil
		}))
	wantOK(t, b.Invoke(t.Context(), plan(listNotes+`{"$each":{"from":"/0/notes"},"capability":"note.read",
		"arguments":{"id":{"$item":"/id"},"words":{"$item":"/text"},"count":{"$count":"/0/notes"}}}`)))
	for i, n := range all.Notes {
		if row := j.Row("read", n.ID); row["words"] != n.Text || row["count"] != 3 {
			t.Errorf("%d: %v", i, row)
		}
	}
	wantOK(t, b.Invoke(t.Context(), plan(`{"capability":"wild.list"},{"$each":{"from":"/0/rows"},"capability":"note.keep",
		"arguments":{"row":{"$item":""}}},{"capability":"note.keep","arguments":{"row":{"$from":"/0/rows/1"}}}`)))
	if got := j.Row("kept", "a")["row"]; got != `{"$from":"/0/rows/0/id","id":"a"}` {
		t.Error(got)
	}
	if got := j.Row("kept", "b")["row"]; got != `{"__proto__":{"id":"c"},"id":"b","x":{"$item":"/id"}}` {
		t.Error(got)
	}
}

// holds: A26
func TestA26APureStepForEachRowIsAListToo(t *testing.T) {
	get := bus.Define(bus.Capability{Name: "note.get", Title: "Get a note", Description: "Gets a note.", SideEffect: bus.Pure},
		func(_ context.Context, _ *bus.Call, in readIn) (note, error) {
			return note{ID: in.ID, Weight: len(in.ID)}, nil
		})
	b, j := planBus(t, &approver{rule: bus.RuleConfirm, say: yes}, notes(someNotes(12)), reading(), get)
	r := b.Invoke(t.Context(), plan(listNotes+`{"$each":{"from":"/0/notes"},"capability":"note.get","arguments":{"id":{"$item":"/id"}}},
		{"$each":{"from":"/1","where":{"/weight":3}},"capability":"note.read","arguments":{"id":{"$item":"/id"},"count":{"$count":"/1"}}}`))
	wantOK(t, r)
	if j.Row("read", "n9") != nil || j.Row("read", "n11")["count"] != 12 {
		t.Error(wire(t, r))
	}
	r = b.Invoke(t.Context(), plan(listNotes+`{"$each":{"from":"/0/notes"},"capability":"note.get","arguments":{"id":{"$item":"/id"}}},
		{"$each":{"from":"/1","where":{"/wait":3}},"capability":"note.read","arguments":{"id":{"$item":"/id"}}}`))
	if r.Err == nil || !strings.Contains(r.Err.Message, `no field "/wait"`) {
		t.Error(wire(t, r))
	}
}

// holds: A26
func TestA26EachRowIsAuthorisedAsItself(t *testing.T) {
	a := &rowDenier{approver: approver{say: yes}}
	b, j := programBus(t, a, someNotes(3))
	r := b.Invoke(t.Context(), plan(listNotes+readEach))
	if r.Err == nil || r.Err.Code != bus.Forbidden || !strings.Contains(r.Err.Message, "Row 3") || j.Row("read", "n0") != nil {
		t.Error(wire(t, r))
	}
}

// rowDenier forbids the note n2 alone.
type rowDenier struct{ approver }

func (s *rowDenier) Authorize(_ context.Context, req *bus.ApprovalRequest) (bus.Decision, error) {
	switch {
	case strings.Contains(string(req.Invocation.Arguments), `"id":"n2"`):
		return bus.Decision{Rule: bus.RuleDeny}, nil
	case req.Capability.Name == "plan.propose":
		return bus.Decision{Rule: bus.RuleConfirm}, nil
	}
	return bus.Decision{Rule: bus.RuleAllow}, nil
}
