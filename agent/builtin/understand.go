package builtin

import (
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// mood is the kind of a sentence.
type mood int

const (
	moodUnclear  mood = iota // no phrase fits
	moodCommand              // do this
	moodHelp                 // what can you do?
	moodIdentity             // who are you?
	moodThanks               //
	moodGreeting             //
	moodNegation             // don't …
	moodAbout                // a question about doing something, not a wish that it be done
	moodDoubtful             // a phrase fits, but with an if, a maybe, reported talk …
)

// understood is a sentence as the built-in assistant takes it.
type understood struct {
	mood     mood
	commands []reading // moodCommand: in order; else: what it seems to be about
	how      bool      // moodAbout: it asks how something is done, or whether it can be
}

// unsure says that it is a command by a loose reading only.
func (u understood) unsure() bool { return u.mood == moodCommand && u.commands[0].unsure }

// understand reads one sentence. Only a sentence that a phrase covers from its first word to its last is a command.
func understand(lex *lexicon.Lexicon, text string, patterns []*pattern, today time.Time) understood {
	list := lex.OpenForms(lexicon.Tokenise(text))
	plain := lexicon.PlainWords(list)
	whole := strings.Join(plain, " ")
	switch {
	case len(list) == 0:
		return understood{}
	case helpSayings[whole]:
		return understood{mood: moodHelp}
	case identitySayings[whole]:
		return understood{mood: moodIdentity}
	case greetingSayings[whole]:
		return understood{mood: moodGreeting}
	case thanking[plain[0]] || thanksSayings[whole]:
		return understood{mood: moodThanks}
	case len(patterns) == 0:
		return understood{}
	case len(list) > longestSaid && !slices.ContainsFunc(list, func(t lexicon.Token) bool { return t.Quoted }):
		return understood{} // too long to be typed; it was pasted
	}
	text, list = lex.Corrected(text, lexicon.WithoutFillers(list))
	list = lexicon.WithoutContrast(list)
	rest, polite := lex.Instruction(list)
	question := !polite && strings.HasSuffix(strings.TrimSpace(text), "?")
	if len(rest) > 0 && rest[0].Word == "let" {
		rest = rest[lexicon.Wish(rest):]
	}
	commands := split(text, lex.Canonical(rest), patterns, today)
	if n := lexicon.Wish(rest); n > 0 && len(commands) == 0 {
		rest, question = rest[n:], false
		commands = split(text, lex.Canonical(rest), patterns, today)
	}
	for _, run := range momentsAgo {
		if n := len(rest) - len(run); n > 0 && lexicon.RunAt(rest[n:], run) { // "it arrived this morning"
			if before := split(text, lex.Canonical(rest[:n]), patterns, today); len(commands) == 0 || len(before) > 0 && before[0].acts() && before[0].score > commands[0].score {
				commands = before
			}
		}
	}
	if len(commands) == 0 && !question {
		text, rest, commands = aboutIt(text, rest, patterns, today)
	}
	if to := handed(text, rest, patterns, today); len(to) > 0 && (len(commands) == 0 || to[0].score > commands[0].score+nearCost) {
		commands = to
	}
	if len(commands) == 0 {
		commands = somebodys(text, rest, patterns, today)
	}
	if one := whichOne(text, lex.Canonical(rest), patterns, today); len(one) > 0 {
		commands = one
	}
	if n := len(withoutParticle(rest)); len(commands) == 0 && n < len(rest) {
		commands = split(text, lex.Canonical(rest[:n]), patterns, today) // "stick two pens in"
	}
	if (len(commands) == 0 || commands[0].joined()) && !negating[plain[0]] && !question {
		if plainer := withoutAsides(text, lex.Canonical(rest), patterns, today); len(plainer) > 0 {
			commands = plainer
		}
	}
	if !negating[plain[0]] {
		loose := loosely(text, lex.Canonical(rest), patterns, today)
		switch {
		case len(commands) == 0:
			commands = loose
		case len(commands) == 1: // in case its names are not found
			commands[0].others = append(commands[0].others, alternatives(commands[0], loose)...)
		}
	}
	if made := lexicon.MadeIt(text, rest); len(commands) == 0 && made != "" {
		text = made
		commands = split(text, lex.Canonical(lex.OpenForms(lexicon.Tokenise(text))), patterns, today)
	}
	var all []reading
	for _, r := range commands {
		all = append(all, r.listed(text)...)
	}
	commands = all
	if len(commands) == 0 && len(list) <= 3 && slices.ContainsFunc(list, func(t lexicon.Token) bool { return strings.ContainsAny(t.Word, "0123456789") }) {
		commands = reads(split("show "+text, lex.Canonical(lex.OpenForms(lexicon.Tokenise("show "+text))), patterns, today)) // a number alone is looked at
	}
	if (asking[rest[0].Word] || asking[plain[0]]) && slices.ContainsFunc(commands, reading.guarded) {
		commands = reads(loosely(text, lex.Canonical(rest), patterns, today)) // a question, even if it has names in it
	}
	if len(commands) == 0 && (asking[rest[0].Word] && !asksHow(lexicon.PlainWords(rest)) || len(rest) > 1 && rest[0].Word == "tell" && asking[rest[1].Word]) {
		for _, t := range list {
			if lexicon.IsCode(t.Word) && !t.Quoted && len(commands) == 0 {
				commands = reads(split("show "+t.Text, lex.Canonical(lex.OpenForms(lexicon.Tokenise("show "+t.Text))), patterns, today)) // any question about a code shows the thing
			}
		}
	}
	switch {
	case len(commands) > 0 && slices.ContainsFunc(commands, reading.guarded):
		return understood{mood: moodDoubtful, commands: commands}
	case len(commands) > 0 && question && slices.ContainsFunc(commands, reading.acts) && !asking[commands[0].words[0]]:
		return understood{mood: moodAbout, commands: commands, how: true}
	case len(commands) > 0:
		return understood{mood: moodCommand, commands: commands}
	case negating[plain[0]] || len(rest) > 0 && negating[rest[0].Word] || slices.ContainsFunc(wishesFor, func(r []string) bool { return lexicon.RunAt(list, r) }):
		return understood{mood: moodNegation}
	case asking[plain[0]] || question:
		return understood{mood: moodAbout, commands: nearest(plain, patterns), how: asksHow(plain)}
	}
	return understood{commands: guess(rest, patterns)}
}

// guess returns what an instruction that was not understood may be about. The verb alone says little.
func guess(rest []lexicon.Token, patterns []*pattern) []reading {
	if len(rest) > 1 {
		if closer := nearest(lexicon.PlainWords(rest[1:]), patterns); len(closer) > 0 || lexicon.Undoable[rest[0].Word] {
			return closer
		}
	}
	return nearest(lexicon.PlainWords(rest), patterns)
}

// alternatives are the loose readings that a reading may be given up for: of other
// commands, and only ones that read in the place of one that reads.
func alternatives(r reading, loose []reading) []reading {
	if len(loose) == 0 {
		return nil
	}
	others := loose[0].others
	loose[0].others = nil
	return slices.DeleteFunc(append(loose, others...), func(o reading) bool {
		return o.pattern == r.pattern && len(o.slots) == len(r.slots) || o.acts() && !r.acts()
	})
}

// longestSaid is how long a sentence may be that is read, unless it quotes.
const longestSaid = 80

// reads keeps readings that only read.
func reads(list []reading) []reading {
	if slices.ContainsFunc(list, reading.acts) {
		return nil
	}
	return list
}

// asksHow tells "how do I …" and "can I …" from questions about the world, which an explanation would not answer.
func asksHow(said []string) bool {
	second := ""
	if len(said) > 1 {
		second = said[1]
	}
	return mayAsk[said[0]] || said[0] == "what" && second == "happens" ||
		said[0] == "how" && slices.Contains([]string{"do", "to", "can", "could", "would", "should"}, second)
}

// acts says that the command does more than read.
func (r reading) acts() bool { return r.pattern != nil && r.pattern.tool.SideEffect != bus.Pure }

// split reads a sentence as one command, or as several joined by "and", "then" or
// a comma when every one of them stands for itself and they say more together.
func split(text string, list []lexicon.Token, patterns []*pattern, today time.Time) []reading {
	whole := best(text, list, patterns, today)
	if len(whole) > 0 && !whole[0].joined() {
		return whole
	}
	for i := 1; i < len(list)-1; i++ {
		joint := list[i].Word == "and" || list[i].Word == "then"
		if list[i].Quoted || !joint && !list[i].Comma {
			continue
		}
		left := best(text, list[:i], patterns, today)
		if len(left) != 1 || left[0].joined() && len(left[0].listed(text)) < 2 {
			continue
		}
		from := i
		if joint {
			from++
		}
		rest, _ := patterns[0].lex.Instruction(list[from:])
		right := split(text, rest, patterns, today)
		if len(right) == 0 || right[0].bare() || len(whole) > 0 && whole[0].score >= left[0].score+right[0].score {
			continue
		}
		for len(right) > 0 {
			one, ok := left[0].with(right[0])
			if !ok {
				break
			}
			left[0], right = one, right[1:]
		}
		return append(left, right...)
	}
	return whole
}

// with joins two readings as the same command that fill different slots: "place it, send it to her home" is done once.
func (r reading) with(o reading) (reading, bool) {
	if i := slices.IndexFunc(o.others, func(other reading) bool { return other.pattern == r.pattern }); i >= 0 && o.pattern != r.pattern {
		o = o.others[i]
	}
	if r.pattern != o.pattern {
		return r, false
	}
	both := r
	for name, s := range o.slots {
		if _, bound := r.slots[name]; bound {
			return r, false
		}
		both = both.bind(name, s)
	}
	return both, true
}

// joined says that a slot took words on both sides of a joint, where another command may begin.
func (r reading) joined() bool {
	for name, s := range r.slots {
		f := r.pattern.field(name)
		if s.dictated || f.Postal || f.freeText() && len(s.tokens) > 0 && s.tokens[0].Quoted {
			continue
		}
		if len(s.tokens) > 0 && s.tokens[0].Word == "and" && !s.tokens[0].Quoted {
			return true
		}
		if slices.ContainsFunc(s.tokens[min(1, len(s.tokens)):], func(t lexicon.Token) bool { return !t.Quoted && (t.Word == "and" || t.Word == "then" || t.Comma) }) {
			return true
		}
	}
	return false
}

// bare says that a reading has no verb of its own: it begins with a number or a name.
func (r reading) bare() bool {
	for _, s := range r.slots {
		if len(s.tokens) > 0 && s.tokens[0].Start == r.said[0].Start {
			return true
		}
	}
	return false
}

// best picks the reading that most words vouch for. What comes near it stays with
// it: what the names in them turn out to be decides.
func best(text string, list []lexicon.Token, patterns []*pattern, today time.Time) []reading {
	var all []reading
	for _, p := range patterns {
		var own *reading
		for _, r := range append(p.readings(text, list), p.dayReadings(text, list, today)...) {
			if (own == nil || r.score > own.score) && !r.strained(list) && (r.acts() || !r.guarded()) {
				own = &r
			}
		}
		if own != nil {
			all = append(all, *own)
		}
	}
	return ranked(all)
}

// maxOthers bounds how many other commands a sentence is tried as, nearCost how far behind the best they may be.
const (
	maxOthers = 3
	nearCost  = 8
)

// nearest guesses which capability a sentence is about, for explanations only.
// A word of its title says more than one in a phrase.
func nearest(said []string, patterns []*pattern) []reading {
	var top []reading
	for _, p := range patterns {
		score := 0
		title := text.Words(p.tool.Title)
		for _, w := range said {
			if lexicon.Noise[w] || lexicon.Guards[w] || lexicon.Linking[w] || len(w) < 3 {
				continue
			}
			if p.mentions(w) {
				score += 2
			}
			switch {
			case slices.Contains(title, w):
				score += 2
			case slices.ContainsFunc(title, func(t string) bool { return lexicon.SameWord(w, t) }):
				score++
			}
		}
		r := reading{pattern: p, score: score}
		if score > 0 && (len(top) == 0 || score > top[0].score || score == top[0].score && top[0].acts() && !r.acts()) {
			top = []reading{r}
		}
	}
	return top
}

// mentions says whether a word occurs in the pattern's own words, give or take an ending.
func (p *pattern) mentions(w string) bool {
	w = p.lex.Stands(w)
	for _, part := range slices.Concat(p.heads, p.tails) {
		for _, e := range part.list {
			if e.word == "" || len(e.word) < 3 {
				continue
			}
			n := min(len(w), len(e.word))
			if lexicon.SameWord(w, e.word) || n >= 4 && w[:n] == e.word[:n] {
				return true
			}
		}
	}
	return false
}
