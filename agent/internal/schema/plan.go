package schema

import (
	"encoding/json"
	"slices"
)

// PlanStep is a step of a plan with what it came to.
type PlanStep struct {
	Capability string
	Summary    string
	Data       json.RawMessage
	Facts      map[string]any
	Arguments  json.RawMessage // of a program
	Of         int             // of a program: which step it is of, as it was written
}

// IsProgram reports whether steps are those of a program: some of them done for each row of a list.
func IsProgram(steps []PlanStep) bool {
	return slices.ContainsFunc(steps, func(s PlanStep) bool { return s.Of > 0 })
}

// MovedRow is a row of which a number becomes another one than it became elsewhere.
type MovedRow struct {
	Table             string
	Key, After, Shown map[string]any
}

// PlanSteps are the steps of a plan with what they came to.
func PlanSteps(data json.RawMessage) (plan struct {
	Steps    []PlanStep
	OneByOne bool
	Subjects int // of plan.repeat: with how many records it is done
	Left     []struct{ Name, Why string }
	Moved    []MovedRow // of a [bus.Merge]
}) {
	_ = json.Unmarshal(data, &plan) // anything else has no steps
	return plan
}
