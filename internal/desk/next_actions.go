package desk

import (
	"context"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

const (
	nextRecords = 60 // how many of the last records are considered
	nextListed  = 12 // how many names are listed
)

// windowDomains are the domains of moving about in the window, without effect on the shop.
var windowDomains = []string{"navigation", "modal", "theme", "language", "density", "textSize",
	"notifications", "session", "tour", "view"}

// nextActions names capabilities the person signed in is likely to use next, most likely first, by the last records
// of anyone. Only those that change something other than the window are listed, and no upkeep that is hidden from
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
