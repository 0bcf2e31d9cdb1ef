package bus_test

import (
	"encoding/json"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

func TestALeanToolSaysEachDescriptionOnce(t *testing.T) {
	tool := bus.Tool{Name: "t", Parameters: json.RawMessage(`{"type":"object","properties":{
		"least":{"type":"object","properties":{"amount":{"type":"integer","description":"In minor units."}}},
		"most":{"type":"object","properties":{"amount":{"type":"integer","description":"In minor units."}}},
		"note":{"type":"string","description":"For the people at the desk."}}}`)}
	got := tool.Lean(bus.ManifestEntry{Help: "Does it."}).Parameters
	want := `{"properties":{"least":{"properties":{"amount":{"description":"In minor units.","type":"integer"}},"type":"object"},` +
		`"most":{"properties":{"amount":{"type":"integer"}},"type":"object"},` +
		`"note":{"description":"For the people at the desk.","type":"string"}},"type":"object"}`
	if string(got) != want {
		t.Errorf("%s", got)
	}
}
