// Package lexicon holds the English words that the built-in assistant understands in every
// application: tokens, numbers, days, sizes, courtesies, corrections. It knows no capability.
package lexicon

import (
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// Token is one word of a sentence.
type Token struct {
	Word       string // lower case, without accents; once canonical, the word it does for
	Plain      string // the same, as it was said
	Text       string // as it was written
	Start, End int    // bytes in the text
	Quoted     bool   // inside quotation marks: talk about words, never a command
	Comma      bool   // behind a comma, a colon or a dash
	short      bool   // written out from a short form
}

// Tokenise splits a sentence into tokens.
func Tokenise(said string) []Token {
	var list []Token
	for _, w := range text.Scan(said) {
		list = append(list, Token{Word: w.Folded, Plain: w.Folded, Text: w.Text, Start: w.Start, End: w.End, Quoted: w.Quoted, Comma: w.Comma})
	}
	return list
}

// Number reads a quantity in digits or words: 2, 2x, two, twenty-five, a couple
// of, half a dozen.
func Number(list []string) (float64, bool) {
	if len(list) > 1 && list[len(list)-1] == "of" {
		list = list[:len(list)-1] // "a couple of"
	}
	if n := len(list) - 1; n > 0 && containers[strings.TrimSuffix(list[n], "s")] {
		list = list[:n] // "3 bags"
	}
	switch len(list) {
	case 1:
		w := list[0]
		if n, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSuffix(w, "x"), ",", ""), 64); err == nil && DigitFirst(w) {
			return n, true
		}
		if n, ok := text.NumberWords[w]; ok {
			return float64(n), true
		}
		tens, ones, ok := strings.Cut(w, "-")
		if ok {
			return Number([]string{tens, ones})
		}
	case 2:
		a, okA := Number(list[:1])
		b, okB := Number(list[1:])
		switch {
		case list[1] == "x" && okA:
			return a, true
		case list[0] == "half" && okB:
			return b / 2, true
		case okA && okB && (b == 12 || b == 100) && a < 12: // two dozen, three hundred
			return a * b, true
		case okA && okB && a >= 20 && a <= 90 && b < 10:
			return a + b, true
		}
	case 3:
		if list[0] == "half" && Noise[list[1]] {
			return Number([]string{list[0], list[2]})
		}
	}
	return 0, false
}

// containers are units in which things are counted.
var containers = Set("bag pack packet box bottle tin can jar piece unit item copy portion sachet carton")

func DigitFirst(w string) bool {
	w = strings.TrimPrefix(w, "-")
	return w != "" && w[0] >= '0' && w[0] <= '9'
}

// Noise may stand anywhere without meaning anything for what is asked.
var Noise = Set("the a an my her his their our your its this that these those please kindly now current also some another all any")

// Weak words may stand anywhere and mean little, unless a phrase has them.
var Weak = Set("just too also new whole entire full complete again already still ever yet actually instead here there currently over " +
	"herself himself themselves myself really simply quite rather nicely kinda basically stil")

// Passing words say when, and not what: a phrase that has one is said without it too.
var Passing = Set("still already yet currently")

// Pronouns stand for something said before.
var Pronouns = Set("it he she they we i you him her his them their that this these those one me my our us mine hers theirs ours")

// OwnPronouns refer to what is current here, not to a person mentioned before.
var OwnPronouns = Set("me my mine our ours us current this")

// Linking words begin the part of a sentence that says to what, with what, for whom.
var Linking = Set("to with for from of at as because about under named called in on into onto by via using through since")

// Guards make a sentence something else than a plain instruction: a negation, a
// condition, a doubt, reported talk, a wish for another time. Inside quotation
// marks they are only text.
var Guards = Set("not never don't dont doesn't didn't won't can't cannot shouldn't wouldn't isn't nothing nobody " +
	"if unless when whenever once until till before after while provided assuming suppose supposing " +
	"maybe perhaps probably possibly might may should would could or but except instead without " +
	"said says say saying told tells asked asks wrote writes thinks thought mentioned wants wanted meant means " +
	"is are was were am be been will shall did does do has had " +
	"what how why who whose which where later tomorrow tonight soon yesterday example pretend imagine hypothetically")

func Set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// same lists words that ask for the same thing; phrases and sentences both go
// through it, so which one is chosen does not matter.
var same = map[string]string{"put": "add", "display": "show", "view": "show", "list": "show", "search": "find", "lookup": "find",
	"%": "percent", "delete": "remove", "drop": "remove", "change": "set", "update": "set", "modify": "set", "adjust": "set",
	"stick": "add", "pop": "add", "chuck": "add", "toss": "add", "include": "add", "ditch": "remove",
	"he": "she", "they": "she", "canceled": "cancelled", "canceling": "cancelling", "colour": "color", "colours": "colors",
	"longer": "more", "email": "mail", "emails": "mail", "named": "called"}

// alike lists words that join the parts of a sentence in the same way. Which one
// was said is kept, since some phrases tell them apart.
var alike = map[string]string{"into": "to", "onto": "to", "in": "to", "on": "to", "using": "with", "by": "with", "via": "with", "through": "with"}

// sameRuns does the same for runs of words, longest first.
var sameRuns = []struct {
	run  []string
	word string
}{
	{[]string{"what", "is", "in"}, "show"}, {[]string{"what", "is", "on"}, "show"}, {[]string{"let", "me", "see"}, "show"},
	{[]string{"tell", "me", "about"}, "show"}, {[]string{"show", "me"}, "show"}, {[]string{"give", "me"}, "show"},
	{[]string{"find", "me"}, "find"}, {[]string{"look", "up"}, "find"}, {[]string{"look", "for"}, "find"},
	{[]string{"find", "for"}, "find"}, {[]string{"take", "out"}, "remove"}, {[]string{"take", "off"}, "remove"},
	{[]string{"take", "away"}, "remove"}, {[]string{"show", "show"}, "show"},
	{[]string{"tell", "me", "what"}, "what"}, {[]string{"tell", "me", "which"}, "which"}, {[]string{"tell", "me", "show"}, "show"},
	{[]string{"add", "in"}, "add"}, {[]string{"throw", "in"}, "add"}, {[]string{"pull", "up"}, "show"}, {[]string{"bring", "up"}, "show"}, {[]string{"get", "up"}, "show"},
	{[]string{"can", "i", "see"}, "show"}, {[]string{"i", "want", "to", "see"}, "show"},
}

// Canonical replaces words by the one that stands for them.
func (l *Lexicon) Canonical(list []Token) []Token {
	out := make([]Token, 0, len(list))
	for _, t := range list {
		if !t.Quoted {
			t.Word = l.Stands(t.Word)
		}
		out = append(out, t)
	}
	for _, r := range sameRuns {
		for i := 0; i+len(r.run) <= len(out); i++ {
			if RunAt(out[i:], r.run) {
				t := out[i]
				t.Word, t.End = r.word, out[i+len(r.run)-1].End
				out = append(out[:i], append([]Token{t}, out[i+len(r.run):]...)...)
			}
		}
	}
	return out
}

func RunAt(list []Token, run []string) bool {
	if len(list) < len(run) {
		return false
	}
	for i, w := range run {
		if list[i].Word != w || list[i].Quoted {
			return false
		}
	}
	return true
}

var courtesies = Runs("please", "kindly", "hey", "hi", "hello", "ok", "okay", "so", "now", "then", "and", "well", "right", "yes", "yeah",
	"sure", "alright", "all right", "can you", "could you", "would you", "will you", "i want to", "i want you to", "i would like to",
	"i would like you to", "i'd like to", "i'd like you to", "i need to", "i need you to", "she wants to", "she would like to", "she needs to",
	"she wants you to", "we need to", "we want to", "we should now", "do you know", "can you tell me",
	"could you tell me", "would you tell me", "do you happen to know", "i would like to know", "i want to know", "go on and", "quick question", "listen", "that is everything", "that is all", "that is it", "we are done", "all done", "let us", "let 's", "go ahead and", "go and")

var farewells = Runs("please", "thanks", "thank you", "right now", "right away", "now", "for me", "as well", "too", "ok", "okay", "then")

func Runs(list ...string) [][]string {
	var out [][]string
	for _, s := range list {
		out = append(out, strings.Fields(s))
	}
	return out
}

// Wish counts the leading words that introduce another person's wish: "Ana wants to".
func Wish(list []Token) int {
	if len(list) > 3 && list[0].Word == "let" && !Joining[list[1].Word] { // "let Ana pay it by card"
		if list[2].Plain[0] == list[2].Text[0] {
			return 2
		}
		return 3
	}
	for n := 1; n <= 2 && n+2 < len(list); n++ {
		switch {
		case Guards[list[n-1].Word] || Noise[list[n-1].Word] || list[n-1].Quoted:
			return 0
		case RunAt(list[n:], []string{"wants", "to"}), RunAt(list[n:], []string{"needs", "to"}):
			return n + 2
		case n+3 < len(list) && RunAt(list[n:], []string{"would", "like", "to"}):
			return n + 3
		}
	}
	return 0
}

// Instruction takes the courtesies off either end of a sentence. polite tells
// that it was put as a request, so that its question mark means nothing.
func (l *Lexicon) Instruction(list []Token) (rest []Token, polite bool) {
	for again := true; again && len(list) > 0; {
		again = false
		var said []string
		for _, run := range l.courtesies {
			if len(run) > len(said) && len(run) < len(list) && RunAt(list, run) {
				said = run
			}
		}
		if len(said) > 0 {
			polite = polite || said[len(said)-1] == "you" || said[0] == "i" || said[0] == "she"
			list, again = list[len(said):], true
		}
	}
	for again := true; again && len(list) > 0; {
		again = false
		for _, run := range farewells {
			if n := len(list) - len(run); n > 0 && RunAt(list[n:], run) {
				list, again = list[:n], true
				break
			}
		}
	}
	return list, polite
}

// Undoable are verbs that people try and that phrases may not have: it is better
// to say that it cannot be done than that it was not understood.
var Undoable = Set("delete erase wipe purge export import reorder print email mail call phone text message fax refund return ship dispatch " +
	"pay buy sell create make edit rename merge move copy duplicate restore undo redo download upload backup sync connect install " +
	"approve reject ban block archive close reopen assign schedule remind notify invoice charge void exchange replace swap track " +
	"deliver collect repeat log sign subscribe unsubscribe translate calculate write read order")

// Joining words carry no meaning of their own in a loose reading.
var Joining = Set("to with for from of at as in on into onto by using via through about under and up out off down it that this them one ones " +
	"she i we you me us her be is are was were am been do does did has have had get got gets will would can could shall there " +
	"what which who whose where when how much many any some please then now so")

// Articles before a name say that one is meant.
var Articles = Set("a an one the this that another")

func PlainWords(list []Token) []string {
	var words []string
	for _, t := range list {
		words = append(words, t.Word)
	}
	return words
}

// IsCode reports whether a word is the number of a thing rather than a name.
func IsCode(w string) bool { return len(w) > 4 && strings.ContainsAny(w, "0123456789") }

func Sayings(list ...string) map[string]bool {
	m := map[string]bool{}
	for _, s := range list {
		m[s] = true
	}
	return m
}

func (l *Lexicon) CanonicalWords(s string) []string {
	return PlainWords(l.Canonical(Tokenise(s)))
}
