package schema

import "encoding/json"

// PlanStep is a step of a plan with what it came to.
type PlanStep struct {
	Capability string
	Summary    string
	Data       json.RawMessage
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
