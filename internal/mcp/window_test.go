package mcp_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// TestO2NoSuccessOfWhatOnlyAWindowShows: no window shows what a client opens there, so it is refused with a way out,
// under each name that it can be called by.
//
// holds: O2 R1
func TestO2NoSuccessOfWhatOnlyAWindowShows(t *testing.T) {
	eachRevision(t, func(t *testing.T, c *client) {
		for name, arguments := range map[string]string{
			"form.fill":       `{"capability":"order.cancel","arguments":{"orderId":"none","pin":"1234","nonsense":true}}`,
			"navigation.go":   `{"page":"orders"}`,
			"modal.open":      `{"dialog":"palette"}`,
			"tour.start":      `{"tour":"desk"}`,
			"tour.leave":      `{"tour":"desk"}`,
			"session.signOut": `{}`,
		} {
			for tool, sent := range map[string]string{strings.ReplaceAll(name, ".", "_"): arguments,
				"capability_call": `{"name":"` + name + `","arguments":` + arguments + `}`} {
				got := c.call(tool, sent)
				if got.Code != bus.PreconditionFailed || got.Reason != bus.ReasonUnavailable || got.Hint == "" {
					t.Errorf("%s by %s: %+v", name, tool, got)
				}
			}
			for _, r := range c.records(audit.Query{Capability: name}) {
				if r.Status == "success" {
					t.Errorf("%s is recorded as a success", name)
				}
			}
		}
		plan := c.call("plan_propose", `{"steps":[{"capability":"navigation.go","arguments":{"page":"orders"}}]}`)
		if plan.Status == "success" {
			t.Errorf("as a step: %+v", plan)
		}
	})
}
