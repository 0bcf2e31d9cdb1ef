package builtin

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
)

// owner passes over "Ana's" in front of a word of the phrase. Whether the thing is Ana's shows when it is looked up.
func (m *matcher) owner(part []element, i int, r reading, next func(int, reading)) {
	if len(r.words) == 0 || len(r.owner) > 0 || part[0].word == "'s" {
		return
	}
	from := m.skip(i)
	for to := from + 1; to <= from+3 && to+1 < len(m.list); to++ {
		if m.list[to].Word != "'s" || !lexicon.SaysSame(m.list[to+1].Word,
			part[0].word) || m.list[from].Quoted || lexicon.Guards[m.list[from].Word] {
			continue
		}
		r.owner = lexicon.AsSaid(m.list[from:to])
		r.score -= to - from
		m.part(part, to+1, r, next)
		return
	}
}

// belongs reports whether a result names a person by these words.
func belongs(data json.RawMessage, owner []lexicon.Token) bool {
	for _, v := range object(data) {
		somebody, _ := v.(map[string]any)
		if (item{primary: nameWords(text.NameOf(somebody))}).fit(lexicon.PlainWords(owner)) > 1 {
			return true
		}
	}
	return false
}

// ofOwner takes words such as "open" out of "Ana's open task" where the look-up has a closed set for them.
func ofOwner(lex *lexicon.Lexicon, tool model.Tool, s slotText, known map[string]any) (slotText, map[string]any) {
	for _, in := range readSchema(lex, tool.Input, tool.Sources) {
		i := slices.IndexFunc(s.tokens, func(t lexicon.Token) bool { return !t.Quoted && in.says([]lexicon.Token{t}) })
		if len(in.Enum) == 0 || i < 0 || len(s.tokens) < 2 {
			continue
		}
		known = maps.Clone(known)
		known[in.Name], _ = in.closing([]string{s.tokens[i].Word})
		s.tokens = slices.Delete(slices.Clone(s.tokens), i, i+1)
	}
	return s, known
}

// fitsOwned settles the field by "work" of "Ana's work", on the condition that what was looked up is Ana's.
func (d *dialogue) fitsOwned(c reading, f field, s slotText, items []item, r *resolution) bool {
	at := slices.IndexFunc(s.tokens, func(t lexicon.Token) bool { return t.Word == "'s" && !t.Quoted })
	if at < 1 || at+1 == len(s.tokens) || len(r.owner) > 0 ||
		!d.fits(c, f, slotText{text: s.text, tokens: s.tokens[at+1:]}, items, r) {
		return false
	}
	r.owner = s.tokens[:at]
	return true
}
