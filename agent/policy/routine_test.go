package policy_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// openRoutines opens a booth with undo, in which the answer to every card is allow.
func openRoutines(t testing.TB) (*booth, *[]policy.Card) {
	var b *booth
	var cards []policy.Card
	b = openBooth(t, policy.Options{OnCard: func(e policy.CardEvent) {
		if e.Type != policy.CardOpened {
			return
		}
		cards = append(cards, e.Card)
		if err := b.Policy.Decide(policy.Answer{ApprovalID: e.Card.ApprovalID, Answer: bus.AnswerAllow,
			By: e.Card.Person, Who: bus.Principal{ID: e.Card.Person}}); err != nil {
			t.Error(err)
		}
	}})
	b.Bus.MustRegister(audit.UndoCapability(b.Log))
	return b, &cards
}

type listedRoutine struct {
	ID, Name, Problem string
	Does, Uses        []string
	Form              json.RawMessage
}

func (b *booth) routine(name, steps string) (r listedRoutine) {
	b.T.Helper()
	b.Does(&r, "routine.save", `{"name":%s,"steps":%s}`, quoted(name), steps)
	return r
}

func (b *booth) routines() []listedRoutine {
	b.T.Helper()
	var out struct{ Routines []listedRoutine }
	b.Does(&out, "routine.list", `{}`)
	return out.Routines
}

func (b *booth) state() string {
	b.T.Helper()
	return must[string](b.T)(b.Log.StateHash(context.Background()))
}

func (b *booth) remarks() (texts []string) {
	b.T.Helper()
	var out struct{ Remarks []struct{ Text string } }
	b.Does(&out, "remark.list", `{}`)
	for _, r := range out.Remarks {
		texts = append(texts, r.Text)
	}
	slices.Sort(texts)
	return texts
}

// drawnStep is a step by a routine, with a value for its blank, and by hand.
type drawnStep struct{ capability, kept, hand, blank, value string }

func drawSteps(r *rapid.T) (all []drawnStep) {
	for i := range rapid.IntRange(1, 6).Draw(r, "steps") {
		s := drawnStep{capability: "purse.pay", blank: fmt.Sprint("blank", i)}
		purse := fmt.Sprintf(`"purse_%d"`, rapid.IntRange(0, 9).Draw(r, "purse"))
		amount := fmt.Sprintf(`{"amount":%d,"currency":"USD"}`, rapid.IntRange(1, 400_000).Draw(r, "amount"))
		open := fmt.Sprintf(`{"$blank":%q}`, s.blank)
		s.hand = fmt.Sprintf(`{"purse":%s,"amount":%s}`, purse, amount)
		switch rapid.IntRange(0, 4).Draw(r, "blank") {
		case 0:
			s.kept, s.value = fmt.Sprintf(`{"purse":%s,"amount":%s}`, open, amount), purse
		case 1:
			s.kept, s.value = fmt.Sprintf(`{"purse":%s,"amount":%s}`, purse, open), amount
		case 2:
			s.value = fmt.Sprint(rapid.IntRange(-1, 400_000).Draw(r, "inner"))
			s.kept = fmt.Sprintf(`{"purse":%s,"amount":{"amount":%s,"currency":"USD"}}`, purse, open)
			s.hand = fmt.Sprintf(`{"purse":%s,"amount":{"amount":%s,"currency":"USD"}}`, purse, s.value)
		case 3:
			s.capability, s.value = "remark.add", quoted(rapid.String().Draw(r, "text"))
			s.kept, s.hand = `{"text":`+open+`}`, `{"text":`+s.value+`}`
		default:
			s.kept = s.hand
		}
		all = append(all, s)
	}
	return all
}

// holds: A23
func TestA23ARunIsTheSameCallsByHand(t *testing.T) {
	done, refused := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		by, hand := must2(openRoutines(t)), must2(openRoutines(t))
		var steps, values []string
		for _, s := range drawSteps(r) {
			steps = append(steps, fmt.Sprintf(`{"capability":%q,"arguments":%s}`, s.capability, s.kept))
			if s.value != "" {
				values = append(values, fmt.Sprintf(`%q:%s`, s.blank, s.value))
			}
			if hand == nil {
				continue
			}
			if res := hand.Person(s.capability, "%s", s.hand); !res.OK() {
				hand = nil // a plan is done whole or not at all
			}
		}
		routine := by.routine("All", "["+strings.Join(steps, ",")+"]")
		before := by.state()
		res := by.Person("routine.run", `{"routineId":%q,"values":{%s}}`, routine.ID, strings.Join(values, ","))
		switch {
		case hand == nil && res.OK():
			r.Fatal("by hand it is refused, and as a routine it is not")
		case hand == nil:
			refused++
			if by.state() != before {
				r.Fatal("it was refused and left something")
			}
			return
		case !res.OK():
			r.Fatalf("%+v", res.Err)
		}
		done++
		texts := by.remarks()
		if by.Paid() != hand.Paid() || cmp.Diff(hand.remarks(), texts) != "" {
			r.Fatalf("paid %d and by hand %d; %q", by.Paid(), hand.Paid(), texts)
		}
		by.Does(nil, "audit.undo", `{"requestId":%q}`, res.RequestID)
		if by.state() != before {
			r.Fatal("it is not taken back")
		}
		by.Does(nil, "routine.run", `{"routineId":%q,"values":{%s}}`, routine.ID, strings.Join(values, ","))
		by.Does(nil, "routine.remove", `{"routineId":%q}`, routine.ID)
		if len(texts) == 0 && by.state() != hand.state() { // remarks get new ids
			r.Fatal("the state is another one than by hand")
		}
	})
	if done == 0 || refused == 0 {
		t.Errorf("%d were done, %d refused", done, refused)
	}
}

func quoted(s string) string {
	raw, _ := json.Marshal(s) // a text marshals
	return string(raw)
}

func must2(b *booth, _ *[]policy.Card) *booth { return b }

const payRoutine = `[{"capability":"purse.pay","arguments":{"purse":{"$blank":"purse","title":"Out of"},"amount":{"amount":5,"currency":"USD"}}},
	{"capability":"remark.add","arguments":{"text":{"$blank":"text"}}}]`

// holds: A23
func TestA23ARoutineIsOneCardUnderItsName(t *testing.T) {
	b, cards := openRoutines(t)
	saved := b.routine("Pay and note", payRoutine)
	if diff := cmp.Diff([]listedRoutine{saved}, b.routines()); diff != "" || saved.Problem != "" {
		t.Error(diff, saved.Problem)
	}
	if diff := cmp.Diff([]string{"Pay out", "Add a remark"}, saved.Does); diff != "" {
		t.Error(diff)
	}
	const form = `{"additionalProperties":false,"properties":{` +
		`"purse":{"maxLength":60,"minLength":1,"title":"Out of","type":"string","x-entity":"purse"},` +
		`"text":{"maxLength":100,"minLength":1,"type":"string"}},"required":["purse","text"],"type":"object"}`
	if string(saved.Form) != form {
		t.Errorf("the form is %s", saved.Form)
	}
	run := jsonOf(t, `{"routineId":%q,"values":{"purse":"purse_ana","text":"paid"}}`, saved.ID)
	r := b.Agent("routine.run", "%s", run)
	if !r.OK() || b.Paid() != 5 || len(*cards) != 1 || (*cards)[0].Sentence != "Run the routine Pay and note" ||
		len((*cards)[0].Steps) != 2 {
		t.Fatalf("%+v %+v", r.Err, *cards)
	}
	page := must[audit.Page](t)(searchLog(b, "plan.propose"))
	if len(page.Records) != 1 || page.Records[0].Summary != "Pay and note: 1. Pay 5 out of purse_ana; 2. Add a remark" {
		t.Errorf("%+v", page.Records)
	}
	for _, name := range []string{"routine.save", "routine.remove"} {
		b.Fails(b.Agent(name, "%s", map[string]string{"routine.save": `{"name":"x","steps":` + payRoutine + `}`,
			"routine.remove": jsonOf(t, `{"routineId":%q}`, saved.ID)}[name]), bus.Forbidden, bus.ReasonAgentForbidden, "")
	}
}

func jsonOf(t *testing.T, format string, args ...any) string {
	t.Helper()
	return string(raw(format, args...))
}

// TestA23OneBlankAtTwoPlacesIsOneValue: two blanks with one name are one field, with the title of the first.
//
// holds: A23
func TestA23OneBlankAtTwoPlacesIsOneValue(t *testing.T) {
	b, _ := openRoutines(t)
	saved := b.routine("Twice", `[{"capability":"remark.add","arguments":{"text":{"$blank":"text","title":"Words"}}},
		{"capability":"remark.add","arguments":{"text":{"$blank":"text"}}}]`)
	if !strings.Contains(string(saved.Form), `"properties":{"text":{"maxLength":100,"minLength":1,"title":"Words"`) {
		t.Errorf("%s", saved.Form)
	}
	b.Does(nil, "routine.run", `{"routineId":%q,"values":{"text":"a"}}`, saved.ID)
	if diff := cmp.Diff([]string{"a", "a"}, b.remarks()); diff != "" {
		t.Error(diff)
	}
}

// holds: A23
func TestA23WhoRunsARoutineNeedsTheRightsOfItsSteps(t *testing.T) {
	b, cards := openRoutines(t)
	b.Bus.MustRegister(bus.Define(bus.Capability{Name: "safe.open", Title: "Open the safe", Description: "Opens the safe.",
		SideEffect: bus.UIOnly, Resources: []string{"database:write"}, Permissions: []string{"safe:write"}},
		func(context.Context, *bus.Call, struct{}) (struct{}, error) { return struct{}{}, nil }))
	saved := b.routine("Open up", `[{"capability":"safe.open"}]`)
	as := func(scopes ...string) bus.Result {
		who := bus.Principal{ID: "p_kim", Scopes: scopes}
		return b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "routine.run", Principal: who,
			Arguments: raw(`{"routineId":%q}`, saved.ID), Caller: bus.Caller{Type: bus.CallerUI}})
	}
	b.Fails(as("plan:write", "safe:write"), bus.Forbidden, bus.ReasonPermission, "routine:write")
	b.Fails(as("routine:write", "safe:write"), bus.Forbidden, bus.ReasonPermission, "plan:write")
	b.Fails(as("routine:write", "plan:write"), bus.Forbidden, bus.ReasonPermission, "safe:write")
	if r := as("routine:write", "plan:write", "safe:write"); !r.OK() || len(*cards) != 1 {
		t.Errorf("%+v", r.Err)
	}
	other := func(scopes ...string) bus.Result {
		return b.Bus.Invoke(t.Context(), bus.Invocation{Capability: "routine.remove",
			Principal: bus.Principal{ID: "p_kim", Scopes: scopes}, Arguments: raw(`{"routineId":%q}`, saved.ID),
			Caller: bus.Caller{Type: bus.CallerUI}})
	}
	b.Fails(other("routine:write"), bus.Forbidden, bus.ReasonPermission, "Another person")
	if r := other("routine:write", "policy:write"); !r.OK() {
		t.Error(r.Err)
	}
}

// holds: A23
func TestA23WhatIsWrongWithARoutineIsSaid(t *testing.T) {
	b, _ := openRoutines(t)
	saved := b.routine("Pay and note", payRoutine)
	for values, path := range map[string]string{
		`{}`:                              "/values",
		`{"purse":"purse_ana"}`:           "/values",
		`{"purse":1,"text":"a"}`:          "/values/purse",
		`{"purse":"purse_ana","text":""}`: "/values/text",
		`{"purse":"purse_ana","text":"a","tip":5}`:   "/values",
		`{"purse":{"$from":"/0/left"},"text":"a"}`:   "/values/purse",
		`{"purse":{"$blank":"purse"},"text":"a"}`:    "/values/purse",
		`{"purse":"purse_ana","text":["a","b","c"]}`: "/values/text",
	} {
		r := b.Person("routine.run", `{"routineId":%q,"values":%s}`, saved.ID, values)
		b.Fails(r, bus.Validation, bus.ReasonArguments, "What was filled in does not fit")
		if len(r.Err.Violations) == 0 || r.Err.Violations[0].Path != path {
			t.Errorf("%s: %+v", values, r.Err.Violations)
		}
	}
	b.Fails(b.Person("routine.run", `{"routineId":"routine_1"}`), bus.NotFound, bus.ReasonRecord, "no such routine")
	for steps, words := range map[string]string{
		`[{"capability":"purse.rob"}]`:                                                                               "Step 1 (purse.rob): There is no capability",
		`[{"capability":"plan.propose"}]`:                                                                            "cannot be part of a plan",
		`[{"capability":"routine.run"}]`:                                                                             "cannot be part of a plan",
		`[{"capability":"routine.save"}]`:                                                                            "missing properties 'name'",
		`[{"capability":"remark.add","arguments":{"text":{"$blank":"a b"}}}]`:                                        "At /text is no blank",
		`[{"capability":"remark.add","arguments":{"text":{"$blank":7}}}]`:                                            "At /text is no blank",
		`[{"capability":"remark.add","arguments":{"text":{"$blank":"a","titel":"b"}}}]`:                              "At /text is no blank",
		`[{"capability":"remark.add","arguments":{"text":{"$blank":"a","title":["b"]}}}]`:                            "At /text is no blank",
		`[{"capability":"remark.add","arguments":{"words":{"$blank":"a"}}}]`:                                         "nothing at /words",
		`[{"capability":"remark.add","arguments":{"$blank":"a"}}]`:                                                   "nothing at",
		`[{"capability":"remark.add","arguments":{"text":7}}]`:                                                       "/text",
		`[{"capability":"purse.pay","arguments":{"purse":{"$blank":"a"},"amount":{"amount":"b","currency":"USD"}}}]`: "/amount/amount",
		`[{"capability":"remark.add","arguments":{"text":"a"}},{"capability":"remark.add","arguments":{"text":""}}]`: "Step 2",
	} {
		r := b.Person("routine.save", `{"name":"Other","steps":%s}`, steps)
		if r.OK() || r.Err.Code != bus.Validation && r.Err.Code != bus.NotFound || !strings.Contains(r.Err.Message, words) {
			t.Errorf("%s: %+v, want %q", steps, r.Err, words)
		}
	}
	b.Fails(b.Person("routine.save", `{"name":"PAY and note","steps":%s}`, payRoutine), bus.Conflict, bus.ReasonChanged, "")
	b.Fails(b.Person("routine.save", `{"name":"\u200b\u202e \n","steps":%s}`, payRoutine), bus.Validation,
		bus.ReasonArguments, "name")
	if b.Paid() != 0 || len(b.routines()) != 1 {
		t.Error("something was done")
	}
}

// holds: A23
func TestA23ANameIsOneLineOfText(t *testing.T) {
	b, cards := openRoutines(t)
	saved := b.routine("Pay\n\u202eAll\x07 done <b>{0}</b> %s", payRoutine)
	b.Does(nil, "routine.run", `{"routineId":%q,"values":{"purse":"purse_ana","text":"\u202e%%s {\"$blank\":\"purse\"}"}}`, saved.ID)
	if want := "Pay All done <b>{0}</b> %s"; saved.Name != want ||
		(*cards)[0].Sentence != "Run the routine "+want {
		t.Errorf("%q %q", saved.Name, (*cards)[0].Sentence)
	}
	if got := b.remarks(); len(got) != 1 || got[0] != "\u202e%s {\"$blank\":\"purse\"}" {
		t.Errorf("%q", got)
	}
}

// TestA23ARoutineOfWhatIsGoneRunsNothing: a routine does not run if a capability of a step is gone or has another
// version or schema.
//
// holds: A23
func TestA23ARoutineOfWhatIsGoneRunsNothing(t *testing.T) {
	b, cards := openRoutines(t)
	saved := b.routine("Pay and note", payRoutine)
	for change, words := range map[string]func(*bus.Capability) bool{
		`There is no capability "remark.add"`: func(c *bus.Capability) bool { return c.Name != "remark.add" },
		"2.0.0": func(c *bus.Capability) bool {
			if c.Name == "remark.add" {
				c.Version = "2.0.0"
			}
			return true
		},
		"/text": func(c *bus.Capability) bool {
			if c.Name == "remark.add" {
				c.InputSchema = raw(`{"type":"object","properties":{"words":{"type":"string"}},"additionalProperties":false}`)
			}
			return true
		},
	} {
		other := bus.New(bus.Options{Journal: b.Log, Approver: b.Policy, Clock: b.Clock.Now})
		all := append(b.Capabilities(), policy.Capabilities(policy.Options{Log: b.Log})...)
		for _, c := range append(all, bus.Capabilities()...) {
			if words(&c) {
				other.MustRegister(c)
			}
		}
		inv := bus.Invocation{Capability: "routine.run", Principal: owner, Caller: bus.Caller{Type: bus.CallerUI},
			Arguments: raw(`{"routineId":%q,"values":{"purse":"purse_ana","text":"a"}}`, saved.ID)}
		r := other.Invoke(t.Context(), inv)
		b.Fails(r, bus.PreconditionFailed, bus.ReasonState, change)
		inv.Capability, inv.Arguments = "routine.list", nil
		var out struct{ Routines []listedRoutine }
		if err := json.Unmarshal(other.Invoke(t.Context(), inv).Data, &out); err != nil ||
			!strings.Contains(out.Routines[0].Problem, change) {
			t.Errorf("%v %+v", err, out)
		}
	}
	if len(*cards) != 0 || b.Paid() != 0 {
		t.Error("something was asked or done")
	}
}
