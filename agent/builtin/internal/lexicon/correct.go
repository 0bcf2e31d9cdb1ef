package lexicon

// Corrected reads "three, no wait, four pens" as "four pens", and "to Ana's, I mean
// Diana's list" as "to Diana's list". It gives the words with the text they are in.
func (l *Lexicon) Corrected(text string, list []Token) (string, []Token) {
	if MadeIt(text, list) != "" {
		return text, list // it corrects what was said before
	}
	for i := 1; i < len(list)-1; i++ {
		n := LongestRun(correcting, list[i:])
		if n == 0 && list[i].Word == "no" && list[i].Comma && list[i+1].Comma {
			n = 1
		}
		if n == 0 || i+n >= len(list) || !list[i].Comma && n == 1 {
			continue
		}
		text = rewritten(text, list[:i], list[i+n:])
		return l.Corrected(text, WithoutFillers(l.OpenForms(Tokenise(text))))
	}
	return text, list
}

// rewritten puts what was said after a correction in the place of what it corrects.
func rewritten(text string, before, after []Token) string {
	said := func(list []Token) string {
		if len(list) == 0 {
			return ""
		}
		return text[list[0].Start:list[len(list)-1].End] + " "
	}
	tail := func(list []Token) string {
		if len(list) == 0 {
			return ""
		}
		return text[list[0].Start:]
	}
	if n := countAt(after); n > 0 {
		for at := len(before) - 1; at > 0; at-- {
			if _, is := Number([]string{before[at].Word}); is && !before[at].Quoted {
				return said(before[:at]) + said(after[:n]) + said(before[at+1:]) + tail(after[n:])
			}
		}
	}
	for at := len(before) - 1; at > 0; at-- {
		if Linking[before[at].Word] {
			if len(after) > 1 && Linking[after[0].Word] {
				after = after[1:]
			}
			return said(before[:at+1]) + tail(after)
		}
	}
	return said(before[:1]) + tail(after)
}

// countAt is how many words of the list's beginning are a number.
func countAt(list []Token) int {
	for n := min(2, len(list)); n > 0; n-- {
		if _, is := Number(PlainWords(list[:n])); is && !list[0].Quoted {
			return n
		}
	}
	return 0
}

// MadeIt reads "no wait, four" behind something that was done as "make it four"; "" when the words correct nothing.
func MadeIt(text string, list []Token) string {
	from := 0
	for from < len(list)-1 && Weak[list[from].Word] {
		from++
	}
	n := LongestRun(correcting, list[from:])
	if n == 0 && list[from].Word == "no" && len(list) > from+1 && list[from+1].Comma {
		n = 1
	}
	if n == 0 || from+n >= len(list) {
		return ""
	}
	return "make it " + text[list[from+n].Start:]
}
