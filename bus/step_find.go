package bus

import (
	"context"
	"slices"
	"strings"
)

// find is B1. An agent does not learn of what is hidden from it.
func (r *run) find(context.Context) error {
	switch r.inv.Caller.Type {
	case CallerUI, CallerAgent, CallerTest, CallerCLI, CallerSchedule:
	default:
		return Errorf(Validation, ReasonEnvelope, "The caller type %q is not one of ui, agent, test, cli, schedule.",
			r.inv.Caller.Type)
	}
	switch {
	case r.tooLong != "":
		return Errorf(Validation, ReasonEnvelope, "%s is longer than %d bytes.", r.tooLong, longestID)
	case r.inv.Timeout < 0:
		return Errorf(Validation, ReasonEnvelope, "timeout_ms must not be negative.")
	case r.inv.Capability == "":
		return Errorf(Validation, ReasonEnvelope, "The invocation names no capability.").
			WithHint(`Send {"capability":"name","arguments":{…}}.`)
	}
	c := r.b.find(r.inv.Capability)
	if c == nil || (c.Assistant.Hidden && r.inv.Caller.Type == CallerAgent) {
		err := Errorf(NotFound, ReasonCapability, "There is no capability %q.", r.inv.Capability)
		if near := r.b.nearest(r.inv.Capability, r.inv.Caller.Type); near != "" {
			return err.WithHint("Did you mean %s?", near)
		}
		return err.WithHint("Look at the manifest for what there is.")
	}
	r.cap = c
	r.entry.Version, r.entry.SideEffect = c.Version, c.SideEffect
	r.entry.Bulk, r.entry.Unrecorded = c.Run.Bulk, c.Run.Unrecorded
	return nil
}

// nearest suggests up to three names that look like the one asked for.
func (b *Bus) nearest(name string, caller CallerType) string {
	if len(name) > 2*longestName {
		return "" // nothing is near it, and finding that out would take long
	}
	distances := map[string]int{}
	var found []string
	for _, c := range b.Capabilities() {
		if c.Assistant.Hidden && caller == CallerAgent {
			continue
		}
		d := editDistance(strings.ToLower(name), strings.ToLower(c.Name))
		if domain, _, ok := strings.Cut(name, "."); ok && strings.HasPrefix(c.Name, domain+".") {
			d -= len(domain)
		}
		if d <= len(name)/2 {
			distances[c.Name], found = d, append(found, c.Name)
		}
	}
	slices.SortStableFunc(found, func(a, b string) int { return distances[a] - distances[b] })
	return strings.Join(found[:min(3, len(found))], ", ")
}

// editDistance is the number of single-character edits between a and b.
func editDistance(a, b string) int {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		diagonal := prev[0]
		prev[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			diagonal, prev[j] = prev[j], min(prev[j]+1, prev[j-1]+1, diagonal+cost)
		}
	}
	return prev[len(b)]
}
