package builtin

import (
	"slices"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
)

// measured moves the last number before a name into the name when a unit stands
// between: the quantity counts as not said.
func (c reading) measured() reading {
	order := inOrder(c.slots)
	for _, name := range order {
		s := c.slots[name]
		if f := c.pattern.field(name); f.Lookup == "" || len(s.tokens) == 0 || lexicon.Units[s.tokens[0].Word] == "" || s.tokens[0].Quoted {
			continue
		}
		if slices.ContainsFunc(s.lead, func(t lexicon.Token) bool { return lexicon.Articles[t.Word] }) { // "a kilo of"
			one := s.tokens[0]
			one.Word, one.Text = "1", "1"
			s.tokens = slices.Concat([]lexicon.Token{one}, s.tokens)
			c.slots[name] = s
			continue
		}
		for _, other := range slices.Backward(order) {
			n := c.slots[other]
			if f := c.pattern.field(other); !f.isNumber() || len(n.tokens) == 0 || n.tokens[len(n.tokens)-1].End > s.tokens[0].Start {
				continue
			}
			v, _ := c.pattern.field(other).value(n.tokens, n.text)
			t := n.tokens[0]
			t.Word, t.Text = text.Value(v), n.text
			s.tokens = slices.Concat([]lexicon.Token{t}, s.tokens)
			s.text = n.text + " " + s.text
			c.slots[name] = s
			delete(c.slots, other)
			break
		}
	}
	return c
}

// single says that one of something is meant: "a book", "the book", "a kilo of beans".
func (c reading) single() bool {
	for name, s := range c.slots {
		if c.pattern.field(name).Lookup == "" || len(s.tokens) == 0 {
			continue
		}
		if slices.ContainsFunc(s.lead, func(t lexicon.Token) bool { return lexicon.Articles[t.Word] }) || lexicon.Articles[s.tokens[0].Word] && !s.tokens[0].Quoted ||
			lexicon.IsSize(lexicon.WithSizes(s.tokens)[0]) {
			return true
		}
	}
	return false
}
