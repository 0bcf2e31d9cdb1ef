package desk

import (
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

const (
	nextRecords = 60 // number of records to consider
	nextListed  = 12 // number of names to list
)

// windowDomains lists the domains that only affect the window, not the shop.
var windowDomains = []string{"navigation", "modal", "theme", "language", "density", "textSize",
	"notifications", "session", "tour", "view"}

// nextActions returns the capabilities that the signed-in person is likely to use next, most likely first, from the
// last records of anyone. It omits capabilities that only change the window, and maintenance that is hidden from
// agents.
func (d *Desk) nextActions(ctx context.Context) ([]string, error) {
	page, err := d.Log.Search(ctx, audit.Query{Status: "success", Exclude: windowDomains, Limit: nextRecords})
	if err != nil {
		return nil, err
	}
	var recent []bus.Invocation
	for _, r := range slices.Backward(page.Records) {
		if r.Capability != "" && r.SideEffect != string(bus.Pure) {
			recent = append(recent, bus.Invocation{Capability: r.Capability, DryRun: r.DryRun})
		}
	}
	view := bus.View{Caller: bus.CallerUI, Principal: d.SignedIn(ctx), Route: *d.route.Load()}
	ranked, err := d.Bus.NextActions(ctx, view, recent)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, e := range ranked {
		domain, _, _ := strings.Cut(e.Name, ".")
		if e.SideEffect != bus.Pure && e.AgentVisible && !slices.Contains(windowDomains, domain) && len(names) < nextListed {
			names = append(names, e.Name)
		}
	}
	return names, nil
}
