package builtin

import (
	"slices"

	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
)

// mean resolves a command. A sentence that may be several commands is the likeliest whose names are found. Where two
// that act are equally likely and the names do not tell, the person is asked.
func (d *dialogue) mean(c reading, from, end int) (reading, resolution) {
	c = d.spokenFirst(c, from, end)
	first := d.resolve(c, from, end)
	equal := c.acts() && len(c.others) > 0 && c.others[0].score == c.score
	if len(first.need) > 0 || len(c.others) == 0 || !equal && !first.unknown() {
		return c, first
	}
	var known []reading
	var results []resolution
	if !first.unknown() {
		known, results = append(known, c), append(results, first)
	}
	for _, one := range c.others {
		if len(known) > 0 && one.score < known[0].score {
			break
		}
		r := d.resolve(one, from, end)
		if len(r.need) > 0 {
			return c, r
		}
		if !r.unknown() && (len(one.pointing()) == 0 || d.spokenOf(one, from, end)) {
			known, results = append(known, one), append(results, r)
		}
	}
	switch {
	case len(known) == 0:
		return c, first
	case len(known) == 1 || !known[0].acts():
		return known[0], results[0]
	}
	var options []bus.Option
	for _, one := range known {
		options = append(options, bus.Option{Value: one.pattern.tool.Capability, Title: one.pattern.tool.Title})
	}
	return c, resolution{asked: &question{meaning: true, options: options,
		text: "That can mean several things, and I have not done anything. Which one?"}}
}

// spokenFirst prefers the command in which "it" refers to the thing mentioned last.
func (d *dialogue) spokenFirst(c reading, from, end int) reading {
	if len(c.others) == 0 || d.spokenOf(c, from, end) {
		return c
	}
	for i, one := range c.others {
		if one.acts() == c.acts() && d.spokenOf(one, from, end) {
			rest := slices.Delete(slices.Clone(c.others), i, i+1)
			c.others = nil
			one.others, one.score = append([]reading{c}, rest...), c.score+1
			return one
		}
	}
	return c
}

// pointing lists the fields whose words point at something spoken of.
func (c reading) pointing() []field {
	return slices.DeleteFunc(slices.Clone(c.pattern.fields), func(f field) bool {
		s, said := c.slots[f.Name]
		return !said || f.Lookup == "" || !s.pointed(f)
	})
}

// spokenOf says that what the command points at came up in the turn before.
func (d *dialogue) spokenOf(c reading, from, end int) bool {
	before := max(from-1, 0)
	for before > 0 && d.messages[before].Role != model.RoleUser {
		before--
	}
	recent := &dialogue{known: d.known, tools: d.tools, messages: d.messages[before:]}
	return slices.ContainsFunc(c.pointing(), func(f field) bool {
		return len(recent.recall(f, c.slots[f.Name], from-before, end-before)) > 0
	})
}

// unknown says that a name was said that is not known.
func (r resolution) unknown() bool { return r.asked != nil && r.asked.unknown || r.refused != "" }

// meant is the plan with the command that the person chose among several; nil when the answer is none of them.
func (p *plan) meant(q *question, text string) *plan {
	n, ok := chosenFrom(q.options, text)
	if !ok {
		return nil
	}
	next := &plan{since: p.since, saying: p.saying, commands: slices.Clone(p.commands)}
	for _, c := range append([]reading{p.commands[q.command]}, p.commands[q.command].others...) {
		if c.pattern.tool.Title == q.options[n].Title {
			c.others = nil
			next.commands[q.command] = c
		}
	}
	return next
}
