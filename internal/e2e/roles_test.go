package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/desk/desktest"
)

// TestM2AnAssistantIsOfferedWhatItsPersonMayDo: an auditor reads, and so does the auditor's assistant. It finds the
// rest and is told that it is forbidden, and every status that it is told is what happens.
//
// holds: M2 M3
func TestM2AnAssistantIsOfferedWhatItsPersonMayDo(t *testing.T) {
	d := desktest.Sample(t, desk.Options{Person: "wen_castellano"})
	if d.Person.Role != "auditor" {
		t.Fatalf("%+v", d.Person)
	}
	m, err := d.Bus.Manifest(t.Context(), bus.View{Caller: bus.CallerAgent, Principal: d.Person})
	if err != nil {
		t.Fatal(err)
	}
	tools, err := m.Tools()
	if err != nil {
		t.Fatal(err)
	}
	offered := func(name string) bool {
		return slices.ContainsFunc(tools, func(tool bus.Tool) bool { return tool.Capability == name })
	}
	if offered("cart.addItem") || !offered("order.search") || !offered("audit.search") {
		t.Errorf("%d tools, among them cart.addItem: %v", len(tools), offered("cart.addItem"))
	}
	status := map[string]string{}
	for cursor := ""; ; {
		var page struct {
			Capabilities []struct {
				Name   string
				Status string `json:"grant_status"`
			}
			Next string `json:"next_cursor"`
		}
		desktest.Must(t, d, bus.CallerAgent, "capability.list", fmt.Sprintf(`{"limit":100,"cursor":%q}`, cursor), &page)
		for _, c := range page.Capabilities {
			status[c.Name] = c.Status
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	for name, told := range map[string]string{"cart.addItem": "forbidden", "customer.erase": "forbidden",
		"order.search": "granted"} {
		if status[name] != told {
			t.Errorf("%s is told to be %q", name, status[name])
		}
	}
	for _, c := range d.Bus.Capabilities() {
		told, listed := status[c.Name]
		if !listed || told == "confirmation_required" {
			continue
		}
		res := d.Bus.Invoke(t.Context(), bus.Invocation{Capability: c.Name, Arguments: json.RawMessage(`{}`), DryRun: true,
			Principal: d.Person, Caller: bus.Caller{Type: bus.CallerAgent, Source: "chat_1"}})
		if res.Err != nil && res.Err.Code == bus.Validation {
			continue // looked at before rights are
		}
		if forbidden := res.Err != nil && res.Err.Code == bus.Forbidden; forbidden != (told == "forbidden") {
			t.Errorf("%s is told to be %q and answers %v", c.Name, told, res.Err)
		}
		if told == "forbidden" && c.Checks.Access.Agent == "" && offered(c.Name) {
			t.Errorf("%s is a tool and forbidden", c.Name)
		}
	}
}
