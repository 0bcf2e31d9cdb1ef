package builtin

import (
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// token is one word of a sentence.
type token struct {
	word       string // lower case, without accents; once canonical, the word it does for
	plain      string // the same, as it was said
	text       string // as it was written
	start, end int    // bytes in the text
	quoted     bool   // inside quotation marks: talk about words, never a command
	comma      bool   // behind a comma, a colon or a dash
	short      bool   // written out from a short form
}

// tokenise splits a sentence into tokens.
func tokenise(said string) []token {
	var list []token
	for _, w := range text.Scan(said) {
		list = append(list, token{word: w.Folded, plain: w.Folded, text: w.Text, start: w.Start, end: w.End, quoted: w.Quoted, comma: w.Comma})
	}
	return list
}

// number reads a quantity in digits or words: 2, 2x, two, twenty-five, a couple
// of, half a dozen.
func number(list []string) (float64, bool) {
	if len(list) > 1 && list[len(list)-1] == "of" {
		list = list[:len(list)-1] // "a couple of"
	}
	if n := len(list) - 1; n > 0 && containers[strings.TrimSuffix(list[n], "s")] {
		list = list[:n] // "3 bags"
	}
	switch len(list) {
	case 1:
		w := list[0]
		if n, err := strconv.ParseFloat(strings.ReplaceAll(strings.TrimSuffix(w, "x"), ",", ""), 64); err == nil && digitFirst(w) {
			return n, true
		}
		if n, ok := text.NumberWords[w]; ok {
			return float64(n), true
		}
		tens, ones, ok := strings.Cut(w, "-")
		if ok {
			return number([]string{tens, ones})
		}
	case 2:
		a, okA := number(list[:1])
		b, okB := number(list[1:])
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
		if list[0] == "half" && noise[list[1]] {
			return number([]string{list[0], list[2]})
		}
	}
	return 0, false
}

// containers are what things are counted in, whatever they are.
var containers = set("bag pack packet box bottle tin can jar piece unit item copy portion sachet carton")

func digitFirst(w string) bool {
	w = strings.TrimPrefix(w, "-")
	return w != "" && w[0] >= '0' && w[0] <= '9'
}

// noise may stand anywhere without meaning anything for what is asked.
var noise = set("the a an my her his their our your its this that these those please kindly now current also some another all any")

// weak words may stand anywhere and mean little, unless a phrase has them.
var weak = set("just too also new whole entire full complete again already still ever yet actually instead here there currently over " +
	"herself himself themselves myself really simply quite rather nicely kinda basically stil")

// passing words say when, and not what: a phrase that has one is said without it too.
var passing = set("still already yet currently")

// pronouns stand for something said before.
var pronouns = set("it he she they we i you him her his them their that this these those one me my our us mine hers theirs ours")

// ownPronouns mean whatever is current here, not someone who was spoken of.
var ownPronouns = set("me my mine our ours us current this")

// linking words begin the part of a sentence that says to what, with what, for whom.
var linking = set("to with for from of at as because about under named called in on into onto by via using through since")

// guards make a sentence something else than a plain instruction: a negation, a
// condition, a doubt, reported talk, a wish for another time. Inside quotation
// marks they are only text.
var guards = set("not never don't dont doesn't didn't won't can't cannot shouldn't wouldn't isn't nothing nobody " +
	"if unless when whenever once until till before after while provided assuming suppose supposing " +
	"maybe perhaps probably possibly might may should would could or but except instead without " +
	"said says say saying told tells asked asks wrote writes thinks thought mentioned wants wanted meant means " +
	"is are was were am be been will shall did does do has had " +
	"what how why who whose which where later tomorrow tonight soon yesterday example pretend imagine hypothetically")

func set(words string) map[string]bool {
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
	"stick": "add", "pop": "add", "chuck": "add", "toss": "add", "include": "add", "ditch": "remove", "basket": "cart",
	"he": "she", "they": "she", "canceled": "cancelled", "canceling": "cancelling", "colour": "color", "colours": "colors",
	"longer": "more", "client": "customer", "clients": "customers", "things": "products", "stuff": "products", "articles": "products", "email": "mail", "emails": "mail", "named": "called"}

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

// canonical replaces words by the one that stands for them.
func canonical(list []token) []token {
	out := make([]token, 0, len(list))
	for _, t := range list {
		if w, ok := same[t.word]; ok && !t.quoted {
			t.word = w
		}
		out = append(out, t)
	}
	for _, r := range sameRuns {
		for i := 0; i+len(r.run) <= len(out); i++ {
			if runAt(out[i:], r.run) {
				t := out[i]
				t.word, t.end = r.word, out[i+len(r.run)-1].end
				out = append(out[:i], append([]token{t}, out[i+len(r.run):]...)...)
			}
		}
	}
	return out
}

func runAt(list []token, run []string) bool {
	if len(list) < len(run) {
		return false
	}
	for i, w := range run {
		if list[i].word != w || list[i].quoted {
			return false
		}
	}
	return true
}

var politeness = runs("please", "kindly", "hey", "hi", "hello", "ok", "okay", "so", "now", "then", "and", "well", "right", "yes", "yeah",
	"sure", "alright", "all right", "can you", "could you", "would you", "will you", "i want to", "i want you to", "i would like to",
	"i would like you to", "i'd like to", "i'd like you to", "i need to", "i need you to", "she wants to", "she would like to", "she needs to",
	"she wants you to", "the customer wants to", "the customer would like to", "we need to", "we want to", "we should now", "do you know", "can you tell me",
	"could you tell me", "would you tell me", "do you happen to know", "i would like to know", "i want to know", "go on and", "quick question", "listen", "that is everything", "that is all", "that is it", "we are done", "all done", "let us", "let 's", "go ahead and", "go and")

var farewells = runs("please", "thanks", "thank you", "right now", "right away", "now", "for me", "as well", "too", "ok", "okay", "then")

func runs(list ...string) [][]string {
	var out [][]string
	for _, s := range list {
		out = append(out, strings.Fields(s))
	}
	return out
}

// wish is how many words tell that somebody wants what follows done: "Ana wants to".
func wish(list []token) int {
	if len(list) > 3 && list[0].word == "let" && !joining[list[1].word] { // "let Ana pay it by card"
		if list[2].plain[0] == list[2].text[0] {
			return 2
		}
		return 3
	}
	for n := 1; n <= 2 && n+2 < len(list); n++ {
		switch {
		case guards[list[n-1].word] || noise[list[n-1].word] || list[n-1].quoted:
			return 0
		case runAt(list[n:], []string{"wants", "to"}), runAt(list[n:], []string{"needs", "to"}):
			return n + 2
		case n+3 < len(list) && runAt(list[n:], []string{"would", "like", "to"}):
			return n + 3
		}
	}
	return 0
}

// instruction takes the courtesies off either end of a sentence. polite tells
// that it was put as a request, so that its question mark means nothing.
func instruction(list []token) (rest []token, polite bool) {
	for again := true; again && len(list) > 0; {
		again = false
		var said []string
		for _, run := range politeness {
			if len(run) > len(said) && len(run) < len(list) && runAt(list, run) {
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
			if n := len(list) - len(run); n > 0 && runAt(list[n:], run) {
				list, again = list[:n], true
				break
			}
		}
	}
	return list, polite
}
