package builtin

import (
	"fmt"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// suggest asks about a name that fits nothing: it offers what comes near, and takes none of it by itself.
func (d *dialogue) suggest(c reading, f field, s slotText, seen []item, searched bool, r *resolution) {
	if d.respelt(c, f, s, seen, r) {
		return
	}
	name := contents(s, f)
	least := name[len(name)-1]
	called := fmt.Sprintf("%s called “%s”", lowerLabel(f), text.Clean(s.text, 80))
	if d.uncounted(c, least, seen, r) || d.sizes(f, least, seen, r) {
		return
	}
	near := seen
	if searched || len(seen) > maxChoices {
		near = highest(seen, func(it item) int { return it.near(lexicon.PlainWords(least)) })
	}
	if !searched && len(seen) == 0 {
		r.refuse("There is no %s to choose from, so I cannot do that.", lowerLabel(f))
		return
	}
	which, options := "Which of these is it?", offered(near)
	if searched && len(options) == 1 {
		which = fmt.Sprintf("Did you mean %s?", options[0].Title)
	}
	r.offer(f, options, "There is no "+called+". "+which, "I found no "+called+". Which one do you mean?")
}

// uncounted refuses "remove 2 pens" where the command has no place for the 2:
// doing it to all of them is not what was said.
func (d *dialogue) uncounted(c reading, name []lexicon.Token, seen []item, r *resolution) bool {
	if len(name) < 2 || name[0].Quoted {
		return false
	}
	if _, counts := lexicon.Number(lexicon.PlainWords(name[:1])); !counts || len(pick(seen, lexicon.PlainWords(name[1:]))) == 0 {
		return false
	}
	r.refuse("“%s” does not take a number, so I have not done it. %s", c.pattern.tool.Title, text.Sentence(d.titled(c.pattern.tool.Description)))
	return true
}

// sizes offers the parts of the thing when it does not come in the size that was said.
func (d *dialogue) sizes(f field, name []lexicon.Token, seen []item, r *resolution) bool {
	rest := withoutSizes(name)
	if len(rest) == len(name) {
		return false
	}
	var options []bus.Option
	top := pick(seen, lexicon.PlainWords(rest))
	for _, it := range top {
		of := it.parts()
		for _, part := range of {
			options = append(options, bus.Option{Value: part.id, Title: it.name + " " + part.name})
		}
		if len(of) == 0 {
			options = append(options, bus.Option{Value: it.id, Title: it.name})
		}
	}
	if len(top) == 0 {
		return false
	}
	written := fmt.Sprintf("There is no “%s”. Which %s instead?", text.Clean(textOf(name), 80), lowerLabel(f))
	r.offer(f, options, written, written)
	return true
}
