package main

import (
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// What a window offers to do next.
const (
	nextLookedAt = 60 // of the last records
	nextListed   = 12 // names, the most likely first
)

// aboutTheWindow are the domains that say how somebody gets about, and nothing of
// what they do there.
var aboutTheWindow = []string{"navigation", "modal", "theme", "language", "session", "tour"}

// next names what whoever is signed in is likely to do next, by what was done here
// last, whoever did it: what changes something, and not the window alone.
func (d *desk) next(ctx context.Context) ([]string, error) {
	page, err := d.log.Search(ctx, audit.Query{Status: "success", Without: aboutTheWindow, Limit: nextLookedAt})
	if err != nil {
		return nil, err
	}
	var recent []bus.Invocation
	for _, r := range slices.Backward(page.Records) {
		if r.Capability != "" && r.SideEffect != string(bus.Pure) {
			recent = append(recent, bus.Invocation{Capability: r.Capability, DryRun: r.DryRun})
		}
	}
	ranked, err := d.bus.NextActions(ctx, bus.View{Caller: bus.CallerUI, Principal: d.signedIn(ctx), Route: *d.route.Load()}, recent)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, e := range ranked {
		domain, _, _ := strings.Cut(e.Name, ".")
		if e.SideEffect != bus.Pure && !slices.Contains(aboutTheWindow, domain) && len(names) < nextListed {
			names = append(names, e.Name)
		}
	}
	return names, nil
}
