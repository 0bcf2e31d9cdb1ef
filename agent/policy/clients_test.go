package policy_test

import (
	"strings"
	"testing"
	"time"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
)

// TestR2OnlyScopesThatExistAreGivenToAClient: a misspelt one is refused with the nearest, before the client exists.
//
// holds: R2
func TestR2OnlyScopesThatExistAreGivenToAClient(t *testing.T) {
	b := openBooth(t, policy.Options{})
	for scope, near := range map[string]string{"grant:raed": "grant:read", "polcy:write": "policy:write",
		"Audit:read": "audit:read", "weather:forecast": "The manifest", "grant:*": "The manifest", strings.Repeat("x", 9000): "manifest"} {
		r := b.Person("assistant.enrolClient", `{"name":"probe","scopes":["grant:read",%q]}`, scope)
		b.Fails(r, bus.Validation, bus.ReasonArguments, "no permission")
		if r.Err != nil && !strings.Contains(r.Err.Hint, near) {
			t.Errorf("%s: %q", scope, r.Err.Hint)
		}
	}
	b.Does(nil, "assistant.enrolClient", `{"name":"probe","scopes":["grant:read","policy:write"]}`)
	b.Does(nil, "assistant.enrolClient", `{"name":"other","scopes":["*"]}`)
}

// TestR2AClientIsReplacedOnlyAfterItsEnd, which a person brings about or its time.
//
// holds: R2
func TestR2AClientIsReplacedOnlyAfterItsEnd(t *testing.T) {
	b := openBooth(t, policy.Options{})
	const first, second = `{"name":"probe","scopes":["grant:read"],"days":2}`, `{"name":"probe","days":3}`
	refused := func(args string) {
		t.Helper()
		r := b.Person("assistant.enrolClient", "%s", args)
		b.Fails(r, bus.PreconditionFailed, bus.ReasonState, `"probe" is enrolled already`)
		if r.Err != nil && !strings.Contains(r.Err.Hint, "deskhand mcp end probe") {
			t.Error(r.Err.Hint)
		}
	}
	b.Does(nil, "assistant.enrolClient", first)
	refused(first)
	refused(second)
	b.Does(nil, "assistant.endClient", `{"name":"probe"}`)
	b.Does(nil, "assistant.enrolClient", first)
	b.Clock.Advance(2*24*time.Hour - time.Minute)
	refused(second)
	b.Clock.Advance(time.Hour)
	b.Does(nil, "assistant.enrolClient", second)
	refused(first)
}
