package builtin

import (
	"fmt"
	"maps"
	"slices"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// respelt settles a name with a slip of the pen in it, when only one thing can be meant and the command can be taken
// back. People are asked about: Anna is not a way to spell Ana.
func (d *dialogue) respelt(c reading, f field, s slotText, seen []item, r *resolution) bool {
	if c.pattern.tool.SideEffect == bus.Destructive || slices.ContainsFunc(seen, item.person) {
		return false
	}
	for _, name := range contents(s, f) {
		better, changed := respell(name, seen)
		if !changed {
			continue
		}
		var one resolution
		one.fields, one.args = r.fields, map[string]any{}
		if d.fits(c, f, slotText{text: s.text, tokens: better}, seen, &one) && one.asked == nil && one.refused == "" {
			maps.Copy(r.args, one.args)
			i := slices.IndexFunc(seen, func(it item) bool { return it.id == one.args[f.Name] })
			r.notes = append(r.notes, fmt.Sprintf("I took “%s” for %s.", text.Clean(s.text, 80), seen[i].name))
			return true
		}
	}
	return false
}

// person reports whether an item is a person: it has an address or a phone.
func (it item) person() bool {
	return it.fields["email"] != nil || it.fields["phone"] != nil || slices.ContainsFunc(it.lex.People, func(k string) bool { return it.fields[k] != nil })
}

// respell puts a word of the items in the place of each that is none of theirs, but
// one letter from exactly one of them.
func respell(name []lexicon.Token, seen []item) (better []lexicon.Token, changed bool) {
	var have []string
	for _, it := range seen {
		have = append(have, it.primary...)
		for _, part := range it.parts() {
			have = append(have, part.primary...)
		}
	}
	slices.Sort(have)
	have = slices.Compact(have)
	better = slices.Clone(name)
	for i, t := range better {
		if t.Quoted || len(t.Word) < 4 || lexicon.DigitFirst(t.Word) || wordFit(t.Word, have) > 0 {
			continue
		}
		near := slices.DeleteFunc(slices.Clone(have), func(h string) bool { return len(h) < 4 || h[0] != t.Word[0] || !lexicon.Slip(t.Word, h) })
		if len(near) == 1 {
			better[i].Word, changed = near[0], true
		}
	}
	return better, changed
}
