package builtin

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// token is one word of a sentence, or a quotation as one word.
type token struct {
	text       string // as typed
	word       string // in small letters, without accents and with short forms expanded
	stem       string
	start, end int // bytes in the sentence
	quoted     bool
	comma      bool // preceded by a comma, a colon or a dash
	noise      bool // a filler: it has no meaning by itself
	common     bool // cannot be part of a name
	mention    *text.Mention
}

// maxTokens is the greatest number of words in a sentence that is read. A quotation is one word.
const maxTokens = 80

// tokens splits a sentence into words and expands the short forms of the language.
func (l *language) tokens(said string) []token {
	var mentions []text.Mention
	said = strings.ReplaceAll(said, "\x00", " ") // NUL marks a mention below
	said = text.Mentions(said, func(m text.Mention) string {
		mentions = append(mentions, m)
		// The mark is as long as the mention, so that all words keep their positions.
		long := len(m.Name) + len(m.Entity) + len(m.ID) + len(`@[](:)`)
		return fmt.Sprintf("\"\x00%-*d\"", long-len("\"\x00\""), len(mentions)-1)
	})
	quotes := quotations(said)
	var list []token
	for _, w := range text.Scan(said) {
		t := token{text: w.Text, word: w.Folded, start: w.Start, end: w.End, comma: w.Comma}
		for len(quotes) > 0 && quotes[0][1] <= t.start {
			quotes = quotes[1:]
		}
		if len(quotes) > 0 && t.start >= quotes[0][0] {
			if n := len(list); n > 0 && list[n-1].start == quotes[0][0] && list[n-1].quoted {
				continue
			}
			t.quoted, t.start, t.end = true, quotes[0][0], quotes[0][1]
			t.text = said[t.start:t.end]
			if k, is := strings.CutPrefix(t.text, "\x00"); is {
				n, _ := strconv.Atoi(strings.TrimSpace(k)) // written above
				t.mention, t.text = &mentions[n], mentions[n].Name
			}
			t.word = text.Fold(t.text)
		}
		list = append(list, t)
	}
	list = l.writtenOut(list)
	for i := range list {
		list[i].stem = l.stem(list[i].word)
		if i > 0 && l.longName(list[i]) {
			list[i].stem = list[i].word
		}
		list[i].common = l.common[list[i].stem] && !list[i].quoted
		for n, _ := l.at("noise", list, i); n > 0; n-- {
			list[i+n-1].noise = true
		}
	}
	return list
}

// longName reports whether a capitalised word is too long for its stem: "Wegener" is no form of "weg", and "Kannen"
// none of "kann".
func (l *language) longName(t token) bool {
	return t.text != t.word && (len(t.stem) <= 3 && len(t.word) >= len(t.stem)+3 || l.has("asking", t.stem))
}

// scannedForm matches addresses and the forms of a scanned code with several parts.
// Source: GS1 General Specifications, 5.1.2 and 7.8.
var scannedForm = text.Late(`\((?:01|02)\)\d{14}(?:\(\d{2,4}\)[^\s()]+)*|\][A-Za-z]\d[!-~]{6,}|` +
	`(?i:https?)://\S*[^\s.,;!?)]`)

// quotations returns the positions of text between quotation marks, without the marks, and of scanned codes that do not
// overlap it.
func quotations(said string) [][2]int {
	places := quoted(said)
	for _, of := range scannedForm().FindAllStringIndex(said, -1) {
		at, _ := slices.BinarySearchFunc(places, of[0], func(p [2]int, from int) int { return p[1] - from })
		if at == len(places) || places[at][0] >= of[1] {
			places = slices.Insert(places, at, [2]int(of))
		}
	}
	return places
}

// quoted returns the byte ranges between quotation marks.
func quoted(said string) (places [][2]int) {
	_, at, inside := text.Runes(said)
	for i := 0; i < len(inside); i++ {
		if !inside[i] {
			continue
		}
		j := i
		for j+1 < len(inside) && inside[j+1] && !(j > i && closes(said[at[j]:at[j+1]], said[at[i]:at[i+1]])) {
			j++
		}
		if j > i+1 {
			places = append(places, [2]int{at[i+1], at[j]})
		}
		i = j
	}
	return places
}

// closes reports whether a mark ends the quotation that another one opened.
func closes(mark, opened string) bool {
	return text.PlainQuote([]rune(mark)[0]) == text.PlainQuote([]rune(opened)[0])
}

// writtenOut expands words that people run together or cut short.
func (l *language) writtenOut(list []token) []token {
	var out []token
	for i := 0; i < len(list); i++ {
		n, whole := l.at("short", list, i)
		if n == 0 {
			out = append(out, list[i])
			continue
		}
		for word := range strings.SplitSeq(whole, " ") {
			part := list[i]
			part.text, part.word, part.end = word, word, list[i+n-1].end
			out = append(out, part)
		}
		i += n - 1
	}
	return out
}

// words returns the original text of a list of tokens.
func words(said string, list []token) string {
	if len(list) == 0 {
		return ""
	}
	if len(list) == 1 && list[0].quoted {
		return list[0].text
	}
	if from, to := list[0].start, list[len(list)-1].end; from < to && list[len(list)-1].start-from >= len(list)-1 {
		return said[from:to]
	}
	return spoken(list) // a correction reordered the words, so they are no range of the sentence
}

// opening returns the start of a token, with the quotation mark or @ before it.
func opening(said string, t token) int {
	if mark, size := utf8.DecodeLastRuneInString(said[:t.start]); t.quoted &&
		(mark == '@' || strings.ContainsRune(`"'`, text.PlainQuote(mark))) {
		return t.start - size
	}
	return t.start
}

// sentences splits a text at the ends of sentences and at words that separate commands.
func (l *language) sentences(said string) []string {
	var list []string
	all := l.tokens(said)
	from := 0
	cut := func(end, next int) {
		if s := strings.Trim(said[from:end], " ,;\n\t"); s != "" {
			list = append(list, s)
		}
		from = next
	}
	for i := 1; i < len(all); i++ {
		t, before := all[i], all[i-1]
		if t.quoted && before.quoted || before.end > t.start || t.start < from {
			continue
		}
		between := said[before.end:t.start]
		stop := strings.ContainsAny(between, "!?;\n") || strings.Contains(between, ". ") &&
			!l.has("abbreviations", text.Fold(said[before.start:before.end])) // as typed: "nr" is read as "number"
		if stop && strings.TrimSpace(between) != "" {
			at := opening(said, t)
			cut(at, at)
		} else if n, _ := l.at("afterwards", all, i); n > 0 && i+n < len(all) {
			cut(t.start, opening(said, all[i+n]))
		}
	}
	cut(len(said), len(said))
	return list
}
