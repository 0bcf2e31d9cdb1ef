package bus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// example is a sentence that Go and the page render: frontend/src/language/sentence.test.ts reads the same table.
type example struct {
	Sentence json.RawMessage
	English  string
	German   string
	Values   []string // of people: they are in both
}

func examples(t *testing.T) (all []example) {
	t.Helper()
	raw, err := os.ReadFile("testdata/sentences.json")
	if err == nil {
		err = json.Unmarshal(raw, &all)
	}
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	return all
}

func TestGoRendersASentenceFromItsKeyAndValues(t *testing.T) {
	for _, e := range examples(t) {
		var texts bus.Texts
		if err := json.Unmarshal(fmt.Appendf(nil, `{"/message":%s}`, e.Sentence), &texts); err != nil {
			t.Fatal(err)
		}
		if got := texts["/message"].String(); got != e.English {
			t.Errorf("%s is %q, not %q", e.Sentence, got, e.English)
		}
		for _, v := range e.Values {
			if !strings.Contains(e.English, v) || !strings.Contains(e.German, v) {
				t.Errorf("%q is not in both of %q and %q", v, e.English, e.German)
			}
		}
	}
}

// price is an amount as an application has it.
type price struct {
	Amount   int64  `json:"amount"`
	Currency string `json:"currency"`
	Text     string `json:"text"`
}

func (p price) String() string { return p.Text }

func TestKeyAndValuesRenderWhatTheFormatSays(t *testing.T) {
	dollars := price{123450, "USD", "$1,234.50"}
	for format, args := range map[string][]any{
		"Nothing in it.":               nil,
		"%s is %d %% off %q":           {"Guji", 5, `a "quoted" word`},
		"%[2]s before %[1]s, %[2]s":    {"Ana", "Ben"},
		"{%s} is no gap, nor is {0}":   {"{1}"},
		"%s, %.2f kg, %v, %05d":        {dollars, 1.256, []string{"a", "b"}, 42},
		"%s and %s":                    {bus.Textf("%d of %s", 3, "A filter was deleted."), bus.Phrase("{braces}")},
		"%v went wrong for %s, %x, %t": {fmt.Errorf("it: %d", 7), bus.LevelInfo, "hex", true},
		"%d pieces, %d more":           {uint8(3), int64(-4)},
	} {
		texts := bus.Texts{"/message": bus.Textf(format, args...)}
		raw, err := json.Marshal(texts)
		if err != nil {
			t.Fatal(err)
		}
		var read bus.Texts
		if err := json.Unmarshal(raw, &read); err != nil {
			t.Fatal(err)
		}
		want := fmt.Sprintf(format, args...)
		if got := read["/message"].String(); got != want {
			t.Errorf("%s is %q, not %q", raw, got, want)
		}
		if again, err := json.Marshal(read); err != nil || string(again) != string(raw) {
			t.Errorf("read and written again it is %s, not %s (%v)", again, raw, err)
		}
	}
}

// shelfOut has sentences at all the places where an output may have them.
type shelfOut struct {
	Problems []bus.Text          `json:"problems"`
	ByShelf  map[string]bus.Text `json:"byShelf"`
	Next     *struct {
		Why bus.Text `json:"why"`
	} `json:"next"`
	Note bus.Text `json:"note,omitzero"`
	Name string   `json:"name"`
	Beside
}

// Beside has sentences that are not in its JSON.
type Beside struct {
	Summary string    `json:"summary"`
	Texts   bus.Texts `json:"-"`
}

func TestAResultHasTheSentencesOfItsOutputWithKeyAndValues(t *testing.T) {
	b, _ := newBus(bus.Define(bus.Capability{Name: "shelf.look", Title: "Look", Description: "Look.",
		SideEffect: bus.Pure},
		func(_ context.Context, call *bus.Call, _ struct{}) (out shelfOut, err error) {
			out.Problems = []bus.Text{bus.Textf("%s is empty.", "The note."), bus.Textf("%d left", 3)}
			out.ByShelf = map[string]bus.Text{"a/b": bus.Textf("Full.")}
			out.Next = &struct {
				Why bus.Text `json:"why"`
			}{bus.Textf("Because.")}
			out.Name = "Full."
			out.Summary = "It is full."
			out.Texts.Put("/summary", bus.Textf("It is full."))
			return out, nil
		}))
	r := b.Invoke(t.Context(), bus.Invocation{Capability: "shelf.look", Caller: bus.Caller{Type: bus.CallerTest}})
	if !r.OK() {
		t.Fatal(r.Err)
	}
	raw, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var wire struct {
		Data  shelfOut
		Texts map[string]struct {
			Key    string
			Values []any
		}
	}
	if err := json.Unmarshal(raw, &wire); err != nil {
		t.Fatal(err)
	}
	if got := wire.Data.Problems[0].String(); got != "The note. is empty." {
		t.Errorf("the output says %q in English", got)
	}
	got := map[string]string{}
	for at, text := range wire.Texts {
		got[at] = fmt.Sprint(text.Key, text.Values)
	}
	want := map[string]string{"/data/problems/0": "{0} is empty.[The note.]", "/data/problems/1": "{0, number} left[3]",
		"/data/byShelf/a~1b": "Full.[]", "/data/next/why": "Because.[]", "/data/summary": "It is full.[]"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("the sentences are\n%v, not\n%v", got, want)
	}
	var back bus.Result
	if err := json.Unmarshal(raw, &back); err != nil || back.Texts["/data/problems/0"].String() != "The note. is empty." {
		t.Error(back.Texts, err)
	}
}

func TestAnErrorKeepsKeyAndValuesAsLongAsItSaysTheSame(t *testing.T) {
	e := bus.Errorf(bus.NotFound, bus.ReasonRecord, "There is no %s.", "till.open").
		WithHint("Use %s or till.open.", "till.list")
	texts := func(e *bus.Error) bus.Texts {
		raw, err := json.Marshal(bus.Result{Status: bus.StatusError, Err: e})
		var wire struct{ Texts bus.Texts }
		if err == nil {
			err = json.Unmarshal(raw, &wire)
		}
		if err != nil {
			t.Fatal(err)
		}
		return wire.Texts
	}
	if got := texts(e); len(got) != 2 || got["/message"].String() != e.Message ||
		got["/recovery_hint"].String() != e.Hint {
		t.Errorf("an error has %v", got)
	}
	other := *e
	other.Message = "Something else."
	if got := texts(&other); len(got) != 1 {
		t.Errorf("an error whose message was changed has %v", got)
	}
	b, _ := newBus(bus.Capability{Name: "till.open", Title: "Open the till", Description: "Open.", SideEffect: bus.Pure,
		Handler: func(context.Context, *bus.Call) (json.RawMessage, error) { return nil, nil }})
	told := b.ForPeople(e)
	if told.Hint != "Use till.list or “Open the till”." || texts(told)["/recovery_hint"].String() != told.Hint {
		t.Errorf("for people the hint is %q, with %v", told.Hint, texts(told))
	}
}

// noted runs a call with a summary, and returns its record and the digest of the preview.
func noted(t *testing.T, dry bool, format string, args ...any) (r bus.Record, digest string) {
	t.Helper()
	a := &approver{say: yes}
	c := doing("note.add", bus.UIOnly, func(_ context.Context, call *bus.Call) (json.RawMessage, error) {
		call.Summarize(format, args...)
		return json.RawMessage(`{}`), nil
	})
	b, journal := withApprover(t, a, c)
	inv := byAgent(call("note.add", `{}`))
	inv.DryRun = dry
	if r := b.Invoke(t.Context(), inv); !r.OK() {
		t.Fatal(r.Err)
	}
	for _, p := range a.asked {
		digest = p.Digest
	}
	entries := journal.Entries()
	return bus.RecordOf(&entries[len(entries)-1]), digest
}

func TestARecordHasKeyAndValues(t *testing.T) {
	for _, dry := range []bool{false, true} {
		r, _ := noted(t, dry, "Add the note %s", "A filter was deleted.")
		if got, _ := json.Marshal(r.Texts); string(got) !=
			`{"/summary":{"key":"Add the note {0}","values":["A filter was deleted."]}}` {
			t.Errorf("dry run %v: the record has %s", dry, got)
		}
	}
}

func TestTheDigestOfWhatWasShownCoversKeyAndValues(t *testing.T) {
	_, whole := noted(t, false, "Add the note of Ana")
	_, again := noted(t, false, "Add the note of Ana")
	_, gap := noted(t, false, "Add the note of %s", "Ana")
	if whole == "" || whole != again {
		t.Errorf("the same sentence has the digests %q and %q", whole, again)
	}
	if whole == gap {
		t.Error("two sentences that read the same in English only have one digest")
	}
}
