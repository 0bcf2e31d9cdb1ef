package schema

import "encoding/json"

// PlanStep is a step of a plan with what it came to.
type PlanStep struct {
	Capability string
	Summary    string
	Data       json.RawMessage
}

// PlanSteps are the steps of a plan with what they came to.
func PlanSteps(data json.RawMessage) (plan struct {
	Steps    []PlanStep
	OneByOne bool
	Subjects int // of plan.repeat: with how many records it is done
	Left     []struct{ Name, Why string }
}) {
	_ = json.Unmarshal(data, &plan) // anything else has no steps
	return plan
}
