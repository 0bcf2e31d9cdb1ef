package schema

import (
	"encoding/json"

	"github.com/deskhand/deskhand/bus"
)

// PlanSteps are the steps of a plan with what they came to.
func PlanSteps(data json.RawMessage) (plan struct {
	Steps    []bus.PlanDone
	OneByOne bool
}) {
	_ = json.Unmarshal(data, &plan) // anything else has no steps
	return plan
}
