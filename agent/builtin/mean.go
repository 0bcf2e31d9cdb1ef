package builtin

import (
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/model"
)

// mean resolves a command. A sentence that may be several commands is the likeliest
// whose names are found. Where two that act are equally likely and the names do not
// tell, the person is asked.
func (d *dialogue) mean(c command, from, end int) (command, resolution) {
	c = d.spokenFirst(c, from, end)
	first := d.resolve(c, from, end)
	equal := c.acts() && len(c.others) > 0 && c.others[0].score == c.score
	if len(first.need) > 0 || len(c.others) == 0 || !equal && !first.unknown() {
		return c, first
	}
	var known []command
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
		if !r.unknown() && !(one.points() && !d.spokenOf(one, from, end)) {
			known, results = append(known, one), append(results, r)
		}
	}
	switch {
	case len(known) == 0:
		return c, first
	case len(known) == 1 || !known[0].acts():
		return known[0], results[0]
	}
	var titles []string
	for _, one := range known {
		titles = append(titles, one.pattern.tool.Title)
	}
	return c, resolution{asked: &question{meaning: true, choices: titles,
		text: "That can mean “" + strings.Join(titles, "” or “") + "”. I have not done anything. Which one?"}}
}

// spokenFirst prefers the command in which "it" refers to the thing mentioned last.
func (d *dialogue) spokenFirst(c command, from, end int) command {
	if len(c.others) == 0 || c.points() && d.spokenOf(c, from, end) {
		return c
	}
	for i, one := range c.others {
		if one.acts() == c.acts() && one.points() && d.spokenOf(one, from, end) {
			rest := slices.Delete(slices.Clone(c.others), i, i+1)
			c.others = nil
			one.others, one.score = append([]command{c}, rest...), c.score+1
			return one
		}
	}
	return c
}

// points says that a slot's words point at something spoken of.
func (c command) points() bool {
	for name, s := range c.slots {
		if f := c.pattern.field(name); f.Lookup != "" && s.pointed(*f) {
			return true
		}
	}
	return false
}

// spokenOf says that what the command points at came up in the turn before.
func (d *dialogue) spokenOf(c command, from, end int) bool {
	before := from - 1
	for before > 0 && d.messages[before].Role != model.RoleUser {
		before--
	}
	for name, s := range c.slots {
		f := c.pattern.field(name)
		if f.Lookup == "" || !s.pointed(*f) {
			continue
		}
		recent := &dialogue{lex: d.lex, tools: d.tools, messages: d.messages[max(before, 0):]}
		if len(recent.recall(*f, s, from-max(before, 0), end-max(before, 0))) > 0 {
			return true
		}
	}
	return false
}

// unknown says that a name was said that is not known.
func (r resolution) unknown() bool { return r.asked != nil && r.asked.unknown || r.refused != "" }

// acts says that the command does more than read.
func (c command) acts() bool { return reading{pattern: c.pattern}.acts() }

// meant is the plan with the command that the person chose among several; nil when
// the answer is none of them.
func (p *plan) meant(q *question, text string) *plan {
	n, ok := chosenFrom(q.choices, text)
	if !ok {
		return nil
	}
	next := &plan{since: p.since, saying: p.saying, commands: slices.Clone(p.commands)}
	for _, c := range append([]command{p.commands[q.command]}, p.commands[q.command].others...) {
		if c.pattern.tool.Title == q.choices[n] {
			c.others = nil
			next.commands[q.command] = c
		}
	}
	return next
}
