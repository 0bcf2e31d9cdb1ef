package bus

import (
	"cmp"
	"slices"
	"strings"
	"sync"
)

// listing is a snapshot of the registered capabilities, by name. It never changes. A manifest, a search and a page of a
// list each use one.
type listing struct {
	caps  []*registered
	at    map[string]int // indexes in caps by name
	kinds map[string]*kind
	find  func() *searchIndex

	// One element for each of caps, in arrays, because each manifest reads them for a thousand capabilities.
	sights   []sight
	encoded  func() []encodedEntry
	stateful []int // indexes of the capabilities that depend on the state
}

// newListing sorts caps and keeps the slice.
func newListing(caps []*registered) *listing {
	slices.SortFunc(caps, func(a, b *registered) int { return cmp.Compare(a.Name, b.Name) })
	l := &listing{caps: caps, at: make(map[string]int, len(caps)), sights: make([]sight, len(caps))}
	for i, c := range caps {
		l.at[c.Name], l.sights[i] = i, c.sight
		if c.hasState() {
			l.stateful = append(l.stateful, i)
		}
	}
	l.encoded = sync.OnceValue(func() []encodedEntry {
		all := make([]encodedEntry, len(l.caps))
		for i, c := range l.caps {
			all[i] = *c.encoded()
		}
		return all
	})
	l.find = sync.OnceValue(func() *searchIndex { return newSearchIndex(l.caps) })
	return l
}

// sight holds the properties that determine whether a view shows a capability.
type sight struct {
	scopes, routes       []string
	hidden, only, public bool
}

func (c *Capability) prepareSight() sight {
	scopes := slices.DeleteFunc(slices.Clone(c.Permissions), func(s string) bool { return !isScope(s) })
	return sight{scopes, c.Listing.Routes, c.Assistant.Hidden, c.Assistant.Only, c.Listing.Public}
}

// sees prunes by caller and permission. It affects the list, not the rights. An agent without a person sees all
// capabilities that are visible to agents.
func (v View) sees(s *sight) bool {
	agent := v.Caller == CallerAgent
	switch {
	case v.All:
		return true
	case agent && (s.hidden || v.Principal.ID == ""):
		return !s.hidden
	case !agent && (s.only || v.Principal.ID == "" && !s.public):
		return false
	}
	return s.missing(v.Principal) == nil
}

// missing returns the scopes that a person lacks.
func (s *sight) missing(p Principal) (scopes []string) {
	for _, scope := range s.scopes {
		if !p.Has(scope) {
			scopes = append(scopes, scope)
		}
	}
	return scopes
}

// here prunes by route.
func (v View) here(s *sight) bool {
	return v.All || v.Route == "" || len(s.routes) == 0 || slices.Contains(s.routes, v.Route)
}

// visible returns the indexes of the capabilities in a view, in order.
func (l *listing) visible(v View) []int {
	shown := make([]int, 0, len(l.caps))
	for i := range l.sights {
		if s := &l.sights[i]; v.sees(s) && (v.here(s) || slices.Contains(v.Keep, l.caps[i].Name)) {
			shown = append(shown, i)
		}
	}
	if v.Budget > 0 {
		shown = l.afford(v, shown)
	}
	return shown
}

// afford removes the capabilities that exceed the budget. It depends only on the definitions and not on the current
// state, so that a model's tools stay the same from one request to the next.
func (l *listing) afford(v View, shown []int) []int {
	turn := map[string]int{} // of each domain: how many were ranked
	ranks := make([]rank, len(shown))
	for i, at := range shown {
		c := l.caps[at]
		domain, _, _ := strings.Cut(c.Name, ".")
		r := rank{at: at, class: 3, place: turn[domain]}
		switch kept := slices.Index(v.Keep, c.Name); {
		case kept >= 0:
			r.class, r.place = 0, kept
		case c.Name == nameList || c.Name == nameDescribe:
			r.class = 1
		case v.Route != "" && slices.Contains(c.Listing.Routes, v.Route):
			r.class = 2
		}
		turn[domain]++
		ranks[i] = r
	}
	slices.SortStableFunc(ranks, func(a, b rank) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.place, b.place), cmp.Compare(a.at, b.at))
	})
	left, kept := v.Budget, shown[:0]
	tools := 0
	for _, r := range ranks {
		c := l.caps[r.at]
		switch cost := c.encoded().tokens; {
		case !c.entry().isTool(): // it needs no budget
			kept = append(kept, r.at)
		case cost <= left && tools < maxTools:
			left -= cost
			tools++
			kept = append(kept, r.at)
		}
	}
	slices.Sort(kept)
	return kept
}

// rank is the priority of a capability in the budget.
type rank struct{ at, class, place int }
