package builtin

import (
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
)

// longestName limits the words of a person's name at the beginning of a sentence.
const longestName = 3

// somebodys reads "Ana Ruiz wants express" as "she wants express", of Ana Ruiz:
// phrases are about her, and what turns out not to be Ana's is refused.
func somebodys(text string, list []lexicon.Token, patterns []*pattern, today time.Time) []reading {
	for n := 1; n <= longestName && n+1 < len(list); n++ {
		t := list[n-1]
		if lexicon.Guards[t.Word] || lexicon.Noise[t.Word] || lexicon.Pronouns[t.Word] || lexicon.Joining[t.Word] || lexicon.Undoable[t.Word] || t.Quoted || n > 1 && t.Comma || !capital(t.Text) {
			return nil
		}
		if capital(list[n].Text) || list[n].Comma {
			continue
		}
		her := t
		her.Word, her.Folded = "she", "she"
		found := ownedBy(list[:n], text, slices.Concat([]lexicon.Token{her}, list[n:]), patterns, today)
		if len(found) > 0 && !found[0].bare() {
			return found
		}
	}
	return nil
}

// handed reads "send Ana the bill" as "send the bill", of Ana.
func handed(text string, list []lexicon.Token, patterns []*pattern, today time.Time) []reading {
	if len(list) < 4 || !handing[patterns[0].lex.Canonical(list[:1])[0].Word] {
		return nil
	}
	n := 1
	for n <= longestName && n < len(list)-1 && capital(list[n].Text) && !list[n].Quoted {
		n++
	}
	if n == 1 || list[n].Word != "the" && list[n].Word != "a" && list[n].Word != "an" {
		return nil
	}
	found := ownedBy(list[1:n], text, slices.Concat(list[:1], list[n:]), patterns, today)
	if len(found) > 0 && slices.ContainsFunc(found[0].pattern.fields, func(f field) bool {
		_, said := found[0].slots[f.Name]
		return said && f.Lookup != "" // so that it shows whose it is
	}) {
		return found
	}
	return nil
}

// ownedBy reads a sentence as one command about what is a person's.
func ownedBy(owner []lexicon.Token, text string, list []lexicon.Token, patterns []*pattern, today time.Time) []reading {
	found := split(text, patterns[0].lex.Canonical(list), patterns, today)
	if len(found) != 1 || found[0].guarded() || found[0].joined() || len(found[0].owner) > 0 {
		return nil
	}
	found[0].owner, found[0].others = lexicon.AsSaid(owner), nil
	return found
}

// needsLookUp says that the command is about something that is looked up.
func (p *pattern) needsLookUp() bool {
	return slices.ContainsFunc(p.fields, func(f field) bool { return f.Required && f.Lookup != "" })
}

func capital(text string) bool {
	return strings.ToLower(text) != text && !strings.ContainsAny(text, "0123456789")
}
