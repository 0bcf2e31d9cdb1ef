package bus

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/bus/internal/plan"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// planEach makes a step run for each row of a list. A plan with such a step is a program.
type planEach struct {
	From  string          `json:"from" jsonschema:"minLength=2,maxLength=200"`
	Where json.RawMessage `json:"where,omitempty" jsonschema:"type=object"`
}

// maxExpanded limits the steps of a program after expansion.
const maxExpanded = 200

// isProgram reports whether a step runs for each row of a list.
func isProgram(steps []planStep) bool {
	return slices.ContainsFunc(steps, func(s planStep) bool { return s.Each != nil })
}

// checkEach returns the filter of step i. It refuses a list that no earlier step reads, a filter that does not fit the
// rows, and a program that reaches outside.
func (b *Bus) checkEach(steps []planStep, i int) (plan.Filter, error) {
	if b.anyOutside(steps) {
		return nil, Errorf(Validation, ReasonArguments, "A plan with $each cannot have a step that reaches outside.").
			WithHint("Leave that step out and call it by itself afterwards.")
	}
	each := steps[i].Each
	number, inside, _ := strings.Cut(strings.TrimPrefix(each.From, "/"), "/")
	at, err := strconv.Atoi(number)
	var source *registered
	if err == nil && at >= 0 && at < i && each.From[0] == '/' {
		source = b.find(steps[at].Capability)
	}
	if source == nil || source.SideEffect != Pure {
		return nil, Errorf(Validation, ReasonArguments, "%q is no list of an earlier step that only reads.", each.From).
			WithHint(`Write "from": "/0/notes": the number of that step, from 0, and where its answer has the list.`)
	}
	filter, bad, ok := plan.ParseFilter(each.Where)
	if !ok {
		return nil, Errorf(Validation, ReasonArguments, "The filter says nothing that can be checked of %q.", bad).
			WithHint(`Write {"/status": "open"}, {"/status": {"in": ["open", "paid"]}} or not_in, ` +
				`or {"/total": {"min": 1, "max": 9}}.`)
	}
	row := ""
	if inside != "" {
		row = "/" + inside + "/*"
	}
	if steps[at].Each != nil { // its results are a list
		_, row, _ = strings.Cut(strings.TrimPrefix(row, "/"), "/")
		row = strings.TrimSuffix("/"+row, "/")
	}
	for _, field := range filter.Fields() {
		if !source.out.mayHave(row, field) {
			return nil, Errorf(Validation, ReasonArguments, "The rows of %s have no field %q.", source.TitleText(), field)
		}
	}
	return filter, nil
}

// mayHave reports whether an object at a path may have a value at a JSON Pointer. A schema that names no fields allows
// any.
func (s side) mayHave(path, pointer string) bool {
	for _, token := range strings.Split(pointer, "/")[1:] {
		if s.Schema == nil {
			return true
		}
		if names := s.FieldsAt(path); len(names) > 0 && !slices.Contains(names, jsonpointer.Unescape(token)) {
			return false
		}
		path += "/" + token
	}
	return true
}

// rowsOf returns the rows for step i. others is the minimum number of other steps.
func (b *Bus) rowsOf(steps []planStep, i int, results []any, others int) (rows []any, err error) {
	filter, err := b.checkEach(steps, i)
	if err != nil {
		return nil, err
	}
	all, more, ok := plan.Rows(results, steps[i].Each.From)
	switch {
	case !ok:
		return nil, Errorf(Validation, ReasonArguments, "%q is no list of an earlier step that only reads.",
			steps[i].Each.From)
	case more:
		return nil, Errorf(Validation, ReasonArguments, "The list goes on after the page that was read.").
			WithHint("Read more rows at once by its limit, or fewer by its filters.")
	}
	for _, row := range all {
		if filter.Keeps(row) {
			rows = append(rows, row)
		}
	}
	if n := others + len(rows); n > maxExpanded {
		return nil, Errorf(Validation, ReasonArguments, "The plan comes to %d steps, and %d are the most.", n, maxExpanded).
			WithHint("Narrow the list by a filter, or do it in parts.")
	}
	return rows, nil
}

// finishProgram summarizes a program with the number of runs of each step.
func (b *Bus) finishProgram(call *Call, in planInput, out *planOutput) error {
	times, last := make([]int, len(in.Steps)), make([]planDone, len(in.Steps))
	for _, done := range out.Steps {
		times[done.Of]++
		last[done.Of] = done
		call.did = append(call.did, done.Capability)
	}
	var said []Text
	changes := false
	for i, s := range in.Steps {
		c := b.find(s.Capability)
		switch {
		case c == nil || c.SideEffect == Pure:
			continue
		case times[i] != 1:
			said = append(said, Textf("%d × %s", times[i], c.TitleText()))
		default:
			said = append(said, last[i].Summary)
		}
		changes = changes || times[i] > 0
	}
	if !changes {
		return Errorf(PreconditionFailed, ReasonState, "There is nothing to do: no row of the list fits.")
	}
	call.summary = joined(said, "; ")
	return nil
}

// ofRow adds the number of the row to the error of a step.
func ofRow(n int, err error) error {
	e := coded(err)
	if e.Code == Internal {
		return err
	}
	return e.WithMessage("Row %d: %s", n+1, e.MessageText())
}
