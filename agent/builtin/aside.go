package builtin

import (
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
)

// People tell why they want something: "clear the list, we are starting over", "she is in a hurry, make it express". A
// clause that only tells is no part of what is to be done, when what is left is a plain instruction by itself.

// longestAside is how many words a clause has that only tells.
const longestAside = 12

// tellsOnly says that a clause may be left out: it begins with who or what it is
// about, and nothing in it is an instruction, a value or a turn.
func tellsOnly(lex *lexicon.Lexicon, list []lexicon.Token) bool {
	for len(list) > 1 && (lexicon.Weak[list[0].Word] || list[0].Word == "and") {
		list = list[1:]
	}
	if len(list) < 2 || len(list) > longestAside || list[0].Quoted {
		return false
	}
	if !tellers[list[0].Word] && !slices.Contains(lex.People, list[0].Word) && !somebodyDid(list) {
		return false
	}
	return !slices.ContainsFunc(list, func(t lexicon.Token) bool {
		_, counts := text.NumberWords[t.Word]
		return t.Quoted || turning[t.Word] || counts && t.Word != "one" || strings.ContainsAny(t.Word, "0123456789@%")
	})
}

// idleTalk says that a sentence before another only tells something.
func idleTalk(lex *lexicon.Lexicon, text string) bool {
	list := lexicon.WithoutFillers(lex.OpenForms(lexicon.Tokenise(text)))
	for len(list) > 1 && (leadingTalk[list[0].Word] || lexicon.Weak[list[0].Word]) {
		list = list[1:]
	}
	return idly[list[0].Word] && tellsOnly(lex, list)
}

// somebodyDid reports whether a clause begins with a name and a verb in the past.
func somebodyDid(list []lexicon.Token) bool {
	for i, t := range list[:min(len(list), 4)] {
		switch {
		case i > 0 && (telling[t.Word] || strings.HasSuffix(t.Word, "ed") && len(t.Word) > 4):
			return true
		case t.Text[:1] != strings.ToUpper(t.Text[:1]) || t.Text[0] >= '0' && t.Text[0] <= '9':
			return false
		}
	}
	return false
}

// withoutAsides reads a sentence without a clause in front of it or behind it that only tells something. What acts must
// be said in full by what is left, and none of its own words may be in what is left out.
func withoutAsides(text string, list []lexicon.Token, patterns []*pattern, today time.Time) []reading {
	for i := len(list) - 1; i > 0; i-- {
		joint := reasoning[list[i].Word] && i > 1
		if list[i].Quoted || !list[i].Comma && !joint {
			continue
		}
		for _, cut := range [][2][]lexicon.Token{{list[:i], list[i:]}, {list[i:], list[:i]}} {
			kept, left := cut[0], cut[1]
			if joint && !list[i].Comma && &kept[0] == &list[i] || !tellsOnly(patterns[0].lex, left) {
				continue
			}
			kept, _ = patterns[0].lex.Instruction(kept)
			found := split(text, kept, patterns, today)
			if len(found) == 0 {
				found = loosely(text, kept, patterns, today)
			}
			if len(found) > 0 && !slices.ContainsFunc(found, func(r reading) bool { return r.bare() && !r.complete() || r.guarded() || r.concerns(left) }) {
				return found
			}
		}
	}
	return nil
}

// concerns says that words tell something the command could take: they have a word
// of its own that tells it from others, or a value of one of its closed sets.
func (r reading) concerns(list []lexicon.Token) bool {
	return r.acts() && len(r.slots) < len(r.pattern.fields) && slices.ContainsFunc(list, func(t lexicon.Token) bool {
		if own := r.pattern.word(t.Word); own != "" && r.pattern.words.weight(own) >= 8 && !slices.Contains(r.words, own) {
			return true
		}
		return slices.ContainsFunc(r.pattern.fields, func(f field) bool {
			_, bound := r.slots[f.Name]
			return !bound && len(f.Enum) > 0 && f.says([]lexicon.Token{t})
		})
	})
}
