package builtin_test

import (
	"strings"
	"testing"

	"github.com/deskhand/deskhand/agent/builtin"
	"github.com/deskhand/deskhand/agent/internal/agenttest"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// BenchmarkBuiltin measures one request to the built-in assistant.
func BenchmarkBuiltin(b *testing.B) {
	var tools []model.Tool
	offered, _, _ := bustest.New(b, agenttest.Capabilities()...)
	manifest, err := offered.Manifest(b.Context(), bus.View{All: true})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range manifest.Capabilities {
		tools = append(tools, model.Tool{Name: strings.ReplaceAll(c.Name, ".", "_"), Capability: c.Name, Title: c.Title,
			Description: c.Description, SideEffect: c.SideEffect, Phrases: c.Phrases, Input: c.InputSchema,
			Sources: c.Sources})
	}
	for name, said := range map[string]string{
		"sentence": "add two bags of the Guji to Ana's cart",
		"unclear":  "make me a sandwich with everything on it",
		"pasted":   strings.Repeat("add two bags of the Guji to Ana's cart and note it on order A1001 with message ", 40),
	} {
		b.Run(name, func(b *testing.B) {
			m, req := builtin.New(nil, nil, nil), model.Request{Tools: tools, Messages: []model.Message{{Role: model.RoleUser,
				Text: said}}}
			for b.Loop() {
				if _, err := m.Stream(b.Context(), req, func(model.Delta) {}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
