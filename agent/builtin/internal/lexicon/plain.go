package lexicon

import (
	"slices"
	"strings"
)

// shortForms are words that people run together or cut short, written out.
var shortForms = map[string]string{
	"i'd": "i would", "you'd": "you would", "he'd": "he would", "she'd": "she would", "we'd": "we would", "they'd": "they would",
	"i'll": "i will", "you'll": "you will", "he'll": "he will", "she'll": "she will", "we'll": "we will", "they'll": "they will", "it'll": "it will", "that'll": "that will",
	"i'm": "i am", "you're": "you are", "we're": "we are", "they're": "they are", "im": "i am", "theyre": "they are",
	"i've": "i have", "you've": "you have", "we've": "we have", "they've": "they have", "ive": "i have", "weve": "we have",
	"whats": "what is", "wheres": "where is", "whos": "who is", "hows": "how is", "thats": "that is", "hes": "he is", "shes": "she is",
	"how'd": "how did", "what'd": "what did", "what're": "what are", "who'd": "who would", "what've": "what have", "how're": "how are",
	"gimme": "give me", "lemme": "let me", "wanna": "want to", "gotta": "have to", "u": "you", "pls": "please", "plz": "please", "plse": "please", "thx": "thanks", "tnx": "thanks",
	"ty": "thanks", "qty": "quantity", "w": "with", "asap": "now", "acct": "account", "addr": "address",
	"tmrw": "tomorrow", "tmr": "tomorrow", "yday": "yesterday", "wk": "week", "nr": "number", "&": "and", "anymore": "any more", "ad": "add",
	"don't": "do not", "dont": "do not", "doesn't": "does not", "doesnt": "does not", "didn't": "did not", "didnt": "did not", "won't": "will not", "wont": "will not",
	"can't": "can not", "cant": "can not", "cannot": "can not", "isn't": "is not", "isnt": "is not", "aren't": "are not", "wasn't": "was not", "wouldn't": "would not",
	"shouldn't": "should not", "couldn't": "could not", "hasn't": "has not", "haven't": "have not",
}

// beforeIs are words behind which 's is short for "is".
var beforeIs = Set("what where who how when that there here it he she everything everyone one")

// beenDone are words before which 's is short for "has".
var beenDone = Set("got been gone had come become")

// behindIs are words before which 's is short for "is", after any name.
var behindIs = Set("after here next up on taking paying calling returning sending bringing picking coming moving waiting asking not")

// OpenForms writes short forms out. The words keep the place of what was written.
func (l *Lexicon) OpenForms(list []Token) []Token {
	out := make([]Token, 0, len(list))
	for i, t := range list {
		long, short := l.short[t.Word]
		switch {
		case t.Quoted:
		case short:
			for j, w := range strings.Fields(long) {
				part := t
				part.Word, part.Comma, part.short = w, t.Comma && j == 0, true
				out = append(out, part)
			}
			continue
		case t.Word == "'s" && i > 0 && i+1 < len(list) && beenDone[list[i+1].Word]:
			t.Word = "has"
		case t.Word == "'s" && i > 0 && (beforeIs[list[i-1].Word] || i+1 < len(list) && behindIs[list[i+1].Word]):
			t.Word = "is"
		case strings.HasSuffix(t.Word, "'d") || strings.HasSuffix(t.Word, "'ll"):
			name, end, _ := strings.Cut(t.Word, "'")
			verb := t
			t.Word, t.Plain, t.Text, t.End = name, name, t.Text[:len(name)], t.Start+len(name)
			verb.Word, verb.short, verb.Comma = map[string]string{"d": "would", "ll": "will"}[end], true, false
			out = append(out, t, verb)
			continue
		}
		out = append(out, t)
	}
	return out
}

// fillers are said while thinking or to be kind; they may stand anywhere.
var fillers = Runs("if you do not mind", "if you don't mind", "if you would", "if you can", "if you could", "if possible", "if that is ok", "if that is okay", "when you can",
	"when you get a chance", "when you have a moment", "when you have a minute", "when you have a sec", "when you get a sec", "whenever you can", "real quick", "really quick",
	"by the way", "right now", "right away", "straight away", "for me", "for us", "please", "kindly", "so far", "um", "umm", "uh", "uhm", "er", "erm", "hmm", "btw", "quickly", "mate",
	"thank you", "thanks", "cheers", "as well", "lol", "at the moment", "in there", "for now", "for the moment", "for today",
	"for a minute", "for a moment", "for a bit", "for a sec", "for a second", "for a while", "for one minute", "for one moment", "from today", "from now", "from today on", "starting today",
	"lately", "recently", "nowadays", "these days", "at all", "in total", "altogether", "overall", "or so", "to be honest",
	"while you are at it", "while we are at it", "if you like", "any time soon", "in our books", "on file")

// WithoutFillers takes fillers out, unless nothing would be left.
func WithoutFillers(list []Token) []Token {
	if out := FillersOut(list); len(out) > 0 {
		return out
	}
	return list
}

func FillersOut(list []Token) []Token {
	out := make([]Token, 0, len(list))
	for i := 0; i < len(list); {
		n := 0
		for _, run := range fillers {
			if len(run) > n && RunAt(list[i:], run) {
				n = len(run)
			}
		}
		if n == 0 {
			out = append(out, list[i])
			i++
			continue
		}
		if i+n < len(list) && list[i].Comma {
			list = slices.Clone(list)
			list[i+n].Comma = true
		}
		i += n
	}
	return out
}
