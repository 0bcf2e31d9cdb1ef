package policy

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// asDone returns the request of a program with one step for each row; it returns other requests unchanged.
func asDone(req *bus.ApprovalRequest, preview *bus.Preview) *bus.ApprovalRequest {
	steps := schema.PlanSteps(preview.Data).Steps
	if !req.Capability.IsPlan() || !schema.IsProgram(steps) {
		return req
	}
	type call struct {
		Arguments  json.RawMessage `json:"arguments"`
		Capability string          `json:"capability"`
	}
	calls := make([]call, len(steps))
	for i, s := range steps {
		calls[i] = call{s.Arguments, s.Capability}
	}
	done := *req
	done.Invocation.Arguments, _ = json.Marshal(map[string]any{"steps": calls}) // they were read from JSON
	return &done
}

// showProgram turns the card of a plan into that of a program. Its sentence has the number of runs of each step and the
// sum of the amounts. A value that all rows share appears once.
func (p *Policy) showProgram(c *Card, req *bus.ApprovalRequest, preview *bus.Preview) {
	steps := schema.PlanSteps(preview.Data).Steps
	if !req.Capability.IsPlan() || !schema.IsProgram(steps) {
		return
	}
	said := p.sentenceOf(steps, preview.Texts)
	if title := req.Invocation.As.Title; title != "" {
		said = bus.Textf("Run the routine %s: %s", title, said)
	}
	c.say(said, text.MaxShown)
	c.shareValues(req, steps)
}

// sentenceOf sums up a program: a step that runs once has its own sentence, others show their number and amounts.
func (p *Policy) sentenceOf(steps []schema.PlanStep, texts bus.Texts) (said bus.Text) {
	b := p.bus.Load()
	for first := 0; first < len(steps); {
		of := steps[first]
		n := 1
		for first+n < len(steps) && steps[first+n].Of == of.Of {
			n++
		}
		next := texts.At(fmt.Sprintf("/data/steps/%d/summary", first), of.Summary)
		if c, known := b.Lookup(of.Capability); known {
			if all := totals(steps[first : first+n]); n > 1 && all != "" {
				next = bus.Textf("%d × %s, %s in all", n, c.TitleText(), all)
			} else if n > 1 {
				next = bus.Textf("%d × %s", n, c.TitleText())
			}
			switch {
			case c.SideEffect == bus.Pure:
			case said.IsZero():
				said = next
			default:
				said = bus.Textf("%s; %s", said, next)
			}
		}
		first += n
	}
	return said
}

// shareValues merges the values that all rows of a step share into the first of them.
func (c *Card) shareValues(req *bus.ApprovalRequest, steps []schema.PlanStep) {
	written, _ := text.ParseJSON(req.Invocation.Arguments) // the bus decoded them
	type place struct {
		of     int
		inside string
	}
	rows, same := map[int]int{}, map[place][]int{}
	for _, s := range steps {
		rows[s.Of]++
	}
	for i := range c.Arguments {
		a := &c.Arguments[i]
		at, inside := stepOf(a.Pointer)
		of := place{steps[at].Of, inside}
		if origin := originIn(written, fmt.Sprint("/steps/", of.of), inside); origin != "" {
			a.Origin = origin
		}
		same[of] = append(same[of], i)
	}
	gone := map[string]bool{} // by pointer
	for of, at := range same {
		first := &c.Arguments[at[0]]
		if len(at) == 1 || len(at) != rows[of.of] || slices.ContainsFunc(at, func(i int) bool {
			return !reflect.DeepEqual(c.Arguments[i].Value, first.Value) || c.Arguments[i].Origin != first.Origin
		}) {
			continue
		}
		n, _ := stepOf(first.Pointer)
		first.Through, _ = stepOf(c.Arguments[at[len(at)-1]].Pointer)
		first.Label = strings.Replace(first.Label, fmt.Sprint(" ", n+1), fmt.Sprintf(" %d to %d", n+1, first.Through+1), 1)
		for _, i := range at[1:] {
			gone[c.Arguments[i].Pointer] = true
		}
	}
	c.Arguments = slices.DeleteFunc(c.Arguments, func(a CardArgument) bool { return gone[a.Pointer] })
}

// stepOf returns the step index of an argument of a plan, and the pointer of the argument inside the step.
func stepOf(pointer string) (step int, inside string) {
	number, inside, _ := strings.Cut(strings.TrimPrefix(pointer, "/steps/"), "/")
	step, _ = strconv.Atoi(number) // every argument of a plan is in a step
	return step, "/" + inside
}

// originIn returns the origin of a value in a step of a program, "" if the program contains the value itself.
func originIn(written any, step, inside string) Origin {
	for end := range inside + "/" {
		if end == 0 || end < len(inside) && inside[end] != '/' {
			continue
		}
		at, ok := jsonpointer.At(written, step+inside[:end])
		object, _ := at.(map[string]any)
		for key := range object {
			if key == "$item" || key == "$from" || key == "$count" {
				return OriginLookedUp
			}
		}
		if !ok {
			return OriginDefault
		}
	}
	return ""
}

// totals returns the sums of the amounts of all steps by currency; "" if there are none.
func totals(steps []schema.PlanStep) string {
	sums := map[string]quantity{}
	for _, s := range steps {
		q, ok := moneyOf(s.Facts[factAmount])
		if !ok {
			continue
		}
		if sum, has := sums[q.currency]; has {
			q.n.Add(q.n, sum.n)
		}
		sums[q.currency] = q
	}
	var all []string
	for _, code := range slices.Sorted(maps.Keys(sums)) {
		amount := json.Number(sums[code].n.FloatString(0))
		all = append(all, text.Value(map[string]any{"amount": amount, "currency": code}))
	}
	return strings.Join(all, " + ")
}
