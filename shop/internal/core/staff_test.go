package core

import (
	"testing"

	"github.com/deskhand/deskhand/bus"
)

// A unit test, because no capability returns the desk.

func TestDeskIsTheTillOrMain(t *testing.T) {
	for door, want := range map[string]string{"window": "Main", "cli": "Main", "mcp": "Main", "": "Main", "till:": "Main",
		"till:Front": "Front", "cli:Market stall": "Market stall", "till:a:b": "a:b"} {
		if got := Desk(bus.Principal{Door: door}); got != want {
			t.Errorf("%q is at the desk %q, want %q", door, got, want)
		}
	}
}
