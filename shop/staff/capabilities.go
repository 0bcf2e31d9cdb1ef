// Package staff manages the people who work at the desk: sessions, PINs, the second approver and the lock.
package staff

import (
	"context"
	_ "embed"
	"io"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
)

// Ports holds the functions outside the shop that sessions and PINs need.
type Ports struct {
	// Random is the source of secrets. Unlike the numbers that a Call draws, its bytes are unpredictable.
	Random  io.Reader
	Records SearchRecords
}

// SearchRecords searches the audit log within the transaction of ctx.
type SearchRecords = func(ctx context.Context, q audit.Query) (audit.Page, error)

// texts describes the capabilities and their fields: see bus.Define.
//
//go:embed texts.txt
var texts string

// named resolves the ids of staff to names.
var named = core.Named(`SELECT id, name FROM staff WHERE id`)

// Capabilities returns the capabilities of staff and sessions.
func Capabilities(p Ports) []bus.Capability {
	// The hash of a PIN must not be in a record, so changes of its row are Bulk.
	return append(core.NeedShop(
		bus.Define(core.Read(bus.Capability{Name: "staff.list", Texts: texts, Type: bus.TypeData,
			Entities: []bus.Entity{{Type: "staff", Title: "Member of staff", List: "/staff", Resolve: named}},
			Checks:   bus.Checks{Access: core.AgentNever}}), list),
		// Not reversible: undoing a promotion to owner could leave a shop without one.
		bus.Define(core.Write(bus.Capability{Name: "staff.save", Texts: texts, Checks: bus.Checks{
			Access: core.AgentNever}}), save),
		bus.Define(core.Write(bus.Capability{Name: "staff.remove", Texts: texts, Checks: bus.Checks{Access: core.AgentNever},
			Run: bus.Run{Bulk: true}}),
			remove),
		bus.Define(core.Write(bus.Capability{Name: "staff.setPin", Texts: texts, Checks: bus.Checks{Access: core.AgentNever},
			Run: bus.Run{Bulk: true}}),
			p.setPIN),
		bus.Define(core.Write(bus.Capability{Name: nameSignIn, Texts: texts, Changes: []string{"session", domainLock},
			Listing: bus.Listing{Public: true},
			Checks:  bus.Checks{Access: core.AgentNever},
			Run:     bus.Run{Bulk: true, Concurrency: pinGroup, QueueDepth: 8, ExecutionContext: "client"}}), p.signIn),
		bus.Define(core.Write(bus.Capability{Name: nameSecondApprover, Texts: texts,
			Listing: bus.Listing{Public: true, Passive: true},
			Checks:  bus.Checks{Access: core.AgentNever},
			Run:     bus.Run{Bulk: true, Concurrency: pinGroup, QueueDepth: 8}}), p.approve)),
		bus.Define(core.Read(bus.Capability{Name: "session.get", Texts: texts, Type: bus.TypeState,
			Provides: []string{"session", domainLock, "staff", "settings"},
			Entities: []bus.Entity{{Type: "person", Title: "Person", List: "/people", Resolve: named}},
			Listing:  bus.Listing{Public: true}}), get),
		bus.Define(bus.Capability{Name: "session.signOut", Texts: texts, SideEffect: bus.UIOnly,
			Permissions: []string{"session:write"},
			Checks:      bus.Checks{Access: core.AgentMay},
			Run:         bus.Run{Idempotent: true, ExecutionContext: "client"}}, signOut),
		bus.Define(core.Write(bus.Capability{Name: "session.lock", Texts: texts, Changes: []string{domainLock},
			Resources: core.Reads,
			Checks:    bus.Checks{Access: core.AgentNever},
			Run:       bus.Run{Idempotent: true, ExecutionContext: "client"}}), lock),
		bus.Define(bus.Capability{Name: "session.stay", Texts: texts, Type: bus.TypeStatus, SideEffect: bus.Pure,
			Permissions: []string{"session:read"},
			Listing:     bus.Listing{Passive: true},
			Checks:      bus.Checks{Access: core.AgentNever},
			Assistant:   bus.Assistant{Hidden: true}}, stay))
}
