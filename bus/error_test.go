package bus_test

import (
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
	"github.com/google/go-cmp/cmp"
)

// holds: B8
func TestB8OnlyTheSevenCodesLeaveTheBus(t *testing.T) {
	for name, err := range map[string]error{
		"an eighth code":              bus.Errorf("TEAPOT", bus.ReasonState, "Short and stout."),
		"a reason under another code": bus.Errorf(bus.Conflict, bus.ReasonTimeout, "Late."),
		"a reason nobody knows":       bus.Errorf(bus.Conflict, "stout", "Short."),
		"no reason":                   &bus.Error{Code: bus.Conflict},
		"no code":                     &bus.Error{Message: "Well."},
		"one of them behind another's": bus.Errorf("TEAPOT", "stout", "Short.").
			WithCause(bus.Errorf(bus.Conflict, bus.ReasonBusy, "Busy.")),
	} {
		b, _, _ := bustest.New(t, doing("a.b", bus.Pure, func(context.Context, *bus.Call) (json.RawMessage, error) {
			return nil, err
		}))
		r := b.Invoke(t.Context(), call("a.b", `{}`))
		wantError(t, r, bus.Internal, bus.ReasonUncoded)
		if strings.Contains(wire(t, r), "hort") {
			t.Errorf("%s: its words are on the wire: %s", name, wire(t, r))
		}
	}
}

// holds: B8
func TestB8ReasonsAreAClosedListUnderEachCode(t *testing.T) {
	seen := map[bus.Reason]bool{}
	for _, code := range []bus.Code{bus.Validation, bus.Forbidden, bus.PreconditionFailed, bus.Conflict, bus.NotFound,
		bus.Transient, bus.Internal} {
		list := code.Reasons()
		if len(list) == 0 {
			t.Errorf("%s has no reasons", code)
		}
		for _, reason := range list {
			if seen[reason] {
				t.Errorf("%s stands under two codes", reason)
			}
			seen[reason] = true
		}
		list[0] = "spoilt"
		if cmp.Equal(list, code.Reasons()) {
			t.Error("the list can be changed from outside")
		}
	}
	if len(seen) != len(reasonsDeclared(t)) {
		t.Errorf("%d reasons are listed and %d declared", len(seen), len(reasonsDeclared(t)))
	}
	if bus.Code("TEAPOT").Reasons() != nil {
		t.Error("an eighth code has reasons")
	}
}

// reasonsDeclared are the names of the constants of type Reason in the source.
func reasonsDeclared(t *testing.T) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "error.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	ast.Inspect(file, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok {
			if kind, ok := v.Type.(*ast.Ident); ok && kind.Name == "Reason" {
				names = append(names, v.Names[0].Name)
			}
		}
		return true
	})
	return names
}
