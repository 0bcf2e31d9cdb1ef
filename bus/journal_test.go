package bus_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// holds: U1
func TestU1ARecordIsOfItsEntry(t *testing.T) {
	entry := bus.Entry{Declined: map[string]any{"amount": 7}, Result: bus.Result{Err: bus.Errorf(bus.Validation,
		bus.ReasonState, "This does not fit.").WithHint("Change it.")}}
	entry.Invocation.RequestID = "req_1"
	entry.Result.Err.Violations = []bus.Violation{{Path: "/coins", Message: "is too small"}}
	entry.Result.Err.SchemaSide = "request"
	r := bus.RecordOf(&entry)
	got := fmt.Sprint(r.TraceID, r.Code, r.Reason, r.SchemaSide, r.Message, r.RecoveryHint, r.Violations, r.Facts, r.DryRun)
	if got != fmt.Sprint("req_1", bus.Validation, bus.ReasonState, "request", "This does not fit.", "Change it.",
		entry.Result.Err.Violations, entry.Declined, false) {
		t.Errorf("an error: %s", got)
	}

	entry.Invocation.TraceID, entry.Invocation.DryRun = "req_0", true
	entry.Result = bus.Result{Data: json.RawMessage(`{"total":8}`), Facts: map[string]any{"amount": 8}}
	r = bus.RecordOf(&entry)
	got = fmt.Sprintln(r.TraceID, string(r.Data), r.Facts, r.DryRun, r.Redacted)
	if got != "req_0 {\"total\":8} map[amount:8] true []\n" {
		t.Errorf("a dry run: %s", got)
	}

	entry.Invocation.DryRun, entry.Result.DryRun, entry.Unrecorded = false, true, true
	if r = bus.RecordOf(&entry); !r.DryRun || r.Data != nil || fmt.Sprint(r.Redacted) != "[/data]" {
		t.Errorf("what is not recorded: %+v", r)
	}
}
