package remote

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// Invoker runs an invocation at another end, like the Invoke of a [Link], or of a type that reconnects.
type Invoker func(ctx context.Context, inv bus.Invocation, progress func(bus.Event)) bus.Result

// Mount returns the capabilities of another end's manifest for a local bus, with their names and texts. Register
// refuses names that the bus already has. The bus validates arguments before they leave and the output before anyone
// sees it. It keeps its own record of each call under the same request id, trace id and idempotency key.
//
// A capability that changes more than the other end's own user interface, by its class or its resources, gets the class
// network: this end cannot roll it back, and the link may end in its middle. Its preview is the other end's dry run.
// The other end enforces permissions, preconditions, groups and rates. The access rules apply at both ends. A caller
// may tighten rules of another program that it considers too weak before it registers the capabilities.
func Mount(m bus.Manifest, invoke Invoker) []bus.Capability {
	caps := make([]bus.Capability, len(m.Capabilities))
	for i, e := range m.Capabilities {
		caps[i] = mounted(e, invoke)
	}
	for _, e := range m.Entities {
		list(caps, e)
	}
	return caps
}

// mounted returns one capability of another end.
func mounted(e bus.ManifestEntry, invoke Invoker) bus.Capability {
	c := bus.Capability{Name: e.Name, Title: e.Title, Help: e.Help, Description: e.Description, Version: e.Version,
		Since: e.Since, Type: e.Type, InputSchema: e.InputSchema, OutputSchema: e.OutputSchema,
		SideEffect: e.SideEffect, Facts: e.Facts,
		Listing: bus.Listing{Category: e.Category, Group: e.Group, Tags: e.Tags, Routes: e.Routes, Shortcut: e.Shortcut,
			Passive: e.Passive, Public: e.Public},
		Run: bus.Run{Timeout: time.Duration(e.TimeoutMS) * time.Millisecond, Idempotent: e.Idempotent,
			Background: e.Background, CostEstimate: e.CostEstimate, ExecutionContext: "remote", Location: e.Location},
		Assistant: bus.Assistant{Hidden: !e.AgentVisible, Only: e.AgentOnly, Phrases: e.Phrases},
	}
	if e.Access != nil {
		c.Checks.Access = *e.Access
	}
	if e.SideEffect == bus.Destructive && c.Checks.Access.Agent == "" {
		c.Checks.Access.Agent = bus.RuleConfirm // as policy has it for the original class
	}
	call := func(dry bool) func(context.Context, *bus.Call) (json.RawMessage, error) {
		return func(ctx context.Context, call *bus.Call) (json.RawMessage, error) {
			r := invoke(ctx, invocation(e, call, dry), func(p bus.Event) { call.Progress(p.Percent, p.Message) })
			return forwarded(r, e, call)
		}
	}
	c.Handler = call(false)
	switch beyond := slices.ContainsFunc(e.Resources, changes); {
	case e.SideEffect == bus.Pure && !beyond:
		c.Resources = []string{"network:read"}
	case e.SideEffect == bus.UIOnly && !beyond:
		c.Resources, c.Run.Preview = []string{"network:write"}, call(true)
	default:
		c.SideEffect, c.Resources, c.Run.Preview = bus.Network, []string{"network:write"}, call(true)
	}
	return c
}

// changes reports whether a capability with a resource can change more than a user interface.
func changes(resource string) bool {
	return resource == "compute:execute" || strings.HasSuffix(resource, ":write")
}

// invocation returns the call for the other end. A dry run is another request, and has no key.
func invocation(e bus.ManifestEntry, call *bus.Call, dry bool) bus.Invocation {
	inv := bus.Invocation{Capability: e.Name, Arguments: call.Arguments, MinVersion: e.Version, TraceID: call.TraceID,
		Caller: bus.Caller{Type: call.CallerType(), ParentRequestID: call.RequestID}, DryRun: dry,
		Principal: call.Person} // not on the wire
	if !dry {
		inv.RequestID, inv.IdempotencyKey = call.RequestID, call.IdempotencyKey
	}
	return inv
}

// forwarded returns the output of a handler for a result of the other end.
func forwarded(r bus.Result, e bus.ManifestEntry, call *bus.Call) (json.RawMessage, error) {
	if r.Err != nil {
		return nil, r.Err
	}
	for name, value := range r.Facts {
		if slices.Contains(e.Facts, name) {
			call.Fact(name, value)
		}
	}
	if r.Summary != "" {
		call.Summarize("%s", r.Texts.At("/summary", r.Summary))
	}
	call.SetTexts(r.Texts)
	return r.Data, nil
}

// list declares the kind of records e at the capabilities that list them. It drops the link to the other end's pages.
func list(caps []bus.Capability, e bus.Entity) {
	at := func(name string) int {
		return slices.IndexFunc(caps, func(c bus.Capability) bool { return c.Name == name })
	}
	if at(e.Get) < 0 {
		e.Get = ""
	}
	declared := bus.Entity{Type: e.Type, Title: e.Title, Get: e.Get, Display: e.Display}
	for _, source := range e.Sources {
		name, pointer, _ := strings.Cut(source, "#")
		if i := at(name); i >= 0 {
			declared.List = pointer
			caps[i].Entities = append(caps[i].Entities, declared)
			declared = bus.Entity{Type: e.Type}
		}
	}
}
