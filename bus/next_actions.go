package bus

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// The points of a next action. Earlier sequences of actions by the same people count most, then the relations in the
// definitions.
const (
	pointsFollowed = 8 // each time it followed the last one, up to three times
	pointsNext     = 9 // the last one lists it as next; less for each name before it
	pointsUnlocked = 6 // the last one is required by it, or named in its hints
	pointsMends    = 5 // the hints of the last one name it
	pointsGroup    = 3 // the same group
	pointsDomain   = 2 // the same domain
	pointsPage     = 2 // its page is the current one
	pointsCategory = 1 // the same category
	pointsPhrases  = 1 // it has phrases
	pointsShortcut = 1 // it has a shortcut
	pointsRepeat   = 4 // subtracted for the same capability again
)

// NextActions ranks the capabilities that the viewer can invoke now, most likely first. It considers the capabilities
// that usually followed the last of the recent invocations (oldest first; only their names count), Listing.Next, hints
// and requirements, and group, domain and page. It needs no model. The same state and history give the same list; equal
// ranks are in the order of their names. It excludes status indicators, discovery and plans.
func (b *Bus) NextActions(ctx context.Context, v View, recent []Invocation) ([]ManifestEntry, error) {
	m, err := b.Manifest(ctx, v)
	if err != nil {
		return nil, err
	}
	history := newHistory(recent)
	last := b.find(history.last)
	points := map[string]int{}
	next := slices.DeleteFunc(m.Capabilities, func(e ManifestEntry) bool {
		return !v.actionable(&e) || b.find(e.Name).plan // its steps are listed
	})
	for i := range next {
		points[next[i].Name] = history.points(&next[i], last) + standing(&next[i], v.Route)
	}
	slices.SortStableFunc(next, func(a, b ManifestEntry) int { return cmp.Compare(points[b.Name], points[a.Name]) })
	return next, nil
}

// actionable reports whether an entry is an action that the viewer can invoke now.
func (v View) actionable(e *ManifestEntry) bool {
	return e.Available && e.rule(v.Caller) != RuleDeny && e.Type != TypeStatus && !e.Passive &&
		e.Name != nameList && e.Name != nameDescribe
}

// rule returns the access rule of a kind of caller, or "" if there is none.
func (e *ManifestEntry) rule(caller CallerType) Rule {
	if e.Access == nil {
		return ""
	}
	return e.Access.of(caller)
}

// standing returns the points that do not depend on the history.
func standing(e *ManifestEntry, route string) (points int) {
	if route != "" && slices.Contains(e.Routes, route) {
		points += pointsPage
	}
	if len(e.Phrases) > 0 {
		points += pointsPhrases
	}
	if e.Shortcut != "" {
		points += pointsShortcut
	}
	return points
}

// history holds the part of the past that predicts the next action.
type history struct {
	last     string
	followed map[string]int // number of times that each capability followed last
}

func newHistory(recent []Invocation) history {
	done := slices.DeleteFunc(slices.Clone(recent), func(inv Invocation) bool { return inv.DryRun })
	h := history{followed: map[string]int{}}
	if len(done) == 0 {
		return h
	}
	h.last = done[len(done)-1].Capability
	for i, inv := range done[1:] {
		if done[i].Capability == h.last {
			h.followed[inv.Capability]++
		}
	}
	return h
}

// points returns the points that depend on the last invocation. There are none if there was none, or its capability no
// longer exists.
func (h history) points(e *ManifestEntry, last *registered) int {
	if last == nil {
		return 0
	}
	points := pointsFollowed * min(h.followed[e.Name], 3)
	if slices.Contains(e.Requires, last.Name) || hintsAt(e.Preconditions, last.Name) {
		points += pointsUnlocked
	}
	if i := slices.Index(last.Listing.Next, e.Name); i >= 0 {
		points += max(pointsNext-i, 1)
	}
	if hintsAt(last.Checks.Preconditions, e.Name) || slices.Contains(last.Checks.Requires, e.Name) {
		points += pointsMends
	}
	if e.Group != "" && e.Group == last.Listing.Group {
		points += pointsGroup
	}
	if e.Category != "" && e.Category == last.Listing.Category {
		points += pointsCategory
	}
	domain, _, _ := strings.Cut(last.Name, ".")
	if strings.HasPrefix(e.Name, domain+".") {
		points += pointsDomain
	}
	if e.Name == last.Name {
		points -= pointsRepeat
	}
	return points
}

// hintsAt reports whether the hint of a precondition names a capability.
func hintsAt(conditions []Precondition, name string) bool {
	isName := func(word string) bool { return strings.Trim(word, ".,;:()`\"'") == name }
	return slices.ContainsFunc(conditions, func(p Precondition) bool {
		return slices.ContainsFunc(strings.Fields(p.Hint), isName)
	})
}
