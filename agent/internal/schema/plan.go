package schema

import (
	"encoding/json"
	"slices"
)

// PlanStep is a step of a plan with its result.
type PlanStep struct {
	Capability string
	Summary    string
	Data       json.RawMessage
	Facts      map[string]any
	Arguments  json.RawMessage // of a program
	Of         int             // of a program: the index of the written step that it repeats
}

// IsProgram reports whether a plan is a program, which runs a step for each row of a list.
func IsProgram(steps []PlanStep) bool {
	return slices.ContainsFunc(steps, func(s PlanStep) bool { return s.Of > 0 })
}

// MovedRow is a row whose number differs between the source of a merge and its target.
type MovedRow struct {
	Table             string
	Key, After, Shown map[string]any
}

// PlanSteps reads the steps of a plan with their results.
func PlanSteps(data json.RawMessage) (plan struct {
	Steps    []PlanStep
	OneByOne bool
	Subjects int // of plan.repeat: number of records
	Left     []struct{ Name, Why string }
	Moved    []MovedRow // of a [bus.Merge]
}) {
	_ = json.Unmarshal(data, &plan) // other data has no steps
	return plan
}
