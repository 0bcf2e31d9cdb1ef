package bus_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

// many makes n capabilities of a large application: some with checks, some of
// them the same ones, some for one page only.
func many(n int) []bus.Capability {
	verbs := []string{"get", "search", "create", "update", "archive", "export", "approve", "assign"}
	things := []string{"invoice", "ticket", "employee", "supplier", "shipment", "contract", "asset", "budget", "lead",
		"campaign"}
	caps := []bus.Capability{doing("desk.ready", bus.Pure, ok)}
	for i := 1; i < n; i++ {
		verb, thing := verbs[i%len(verbs)], things[i/len(verbs)%len(things)]
		c := doing(fmt.Sprintf("%s%d.%s", thing, i/(len(verbs)*len(things)), verb), bus.UIOnly, ok)
		c.Title = fmt.Sprintf("%s one %s of area %d", verb, thing, i)
		c.Description = fmt.Sprintf("To %s one %s of area %d, with who asked for it and why. Use it when a person names "+
			"the %s; it does not tell anybody outside.", verb, thing, i, thing)
		c.Listing.Category, c.Assistant.Phrases = thing, []string{verb + " the " + thing + " {id}"}
		c.InputSchema = json.RawMessage(
			`{"type":"object","additionalProperties":false,"required":["id"],"properties":{"id":{"type":"string","maxLength":64},"note":{"type":"string","maxLength":200}}}`)
		c.OutputSchema = json.RawMessage(`{"type":"object","properties":{"id":{"type":"string"}}}`)
		switch i % 10 {
		case 1:
			c.Checks.Requires = []string{"desk.ready"}
		case 2:
			c.Checks.Available = func(ctx context.Context, _ *bus.Call) error {
				if total(ctx) == 0 {
					return bus.Errorf(bus.PreconditionFailed, bus.ReasonUnavailable, "The till is empty.")
				}
				return nil
			}
		case 3:
			c.Listing.Routes = []string{"/" + thing}
		}
		caps = append(caps, c)
	}
	return caps
}

// BenchmarkManifest measures the manifest of 1 000 capabilities, joined from its
// parts, beside marshalling it whole and beside copying the bytes.
func BenchmarkManifest(b *testing.B) {
	x, _, _ := bustest.New(b, many(1000)...)
	x.MustRegister(bus.Define(bus.Capability{Name: "till.set", Title: "Set", Description: "Set.", SideEffect: bus.UIOnly,
		Resources: []string{"database:write"}},
		func(ctx context.Context, _ *bus.Call, _ struct{}) (struct{}, error) {
			return struct{}{}, bustest.Tables(ctx).Set("till", "main", map[string]any{"total": 1})
		}))
	view := bus.View{Caller: bus.CallerAgent, Principal: clerk}
	whole, err := x.Manifest(b.Context(), view)
	if err != nil {
		b.Fatal(err)
	}
	size, _ := json.Marshal(whole)
	b.Run("marshal whole", func(b *testing.B) {
		b.SetBytes(int64(len(size)))
		for b.Loop() {
			if _, err := json.Marshal(whole); err != nil {
				b.Fatal(err)
			}
		}
	})
	buffer := make([]byte, 0, 2*len(size))
	b.Run("copy", func(b *testing.B) {
		b.SetBytes(int64(len(size)))
		for b.Loop() {
			buffer = append(buffer[:0], size...)
		}
	})
	join := func(b *testing.B, v bus.View) {
		out, err := x.AppendManifest(b.Context(), buffer[:0], v)
		if err != nil || len(out) == 0 {
			b.Fatal(err)
		}
	}
	b.Run("join", func(b *testing.B) {
		b.SetBytes(int64(len(size)))
		b.ReportAllocs()
		for b.Loop() {
			join(b, view)
		}
	})
	b.Run("states", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if out, err := x.AppendStates(b.Context(), buffer[:0], view); err != nil || len(out) == 0 {
				b.Fatal(err)
			}
		}
	})
	b.Run("availability", func(b *testing.B) { // nobody sees anything: what is left is the look at the state
		for b.Loop() {
			join(b, bus.View{Caller: bus.CallerUI})
		}
	})
	b.Run("availability after a change", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			x.Invoke(b.Context(), call("till.set", `{}`))
			b.StartTimer()
			join(b, bus.View{Caller: bus.CallerUI})
		}
	})
	// a question, a common word, one that is not finished
	for _, query := range []string{"approve the invoice of area 7", "person", "inv"} {
		b.Run("search "+query, func(b *testing.B) {
			for b.Loop() {
				if bus.Search(x, query, 21) == 0 {
					b.Fatal("nothing found")
				}
			}
		})
	}
}
