package builtin

// correcting are the words with which people take back what they said last.
var correcting = runs("no wait make it", "no wait make that", "no make it", "no make that", "no wait", "wait no", "no sorry", "sorry no", "no i mean", "no i meant", "i mean", "i meant",
	"sorry i mean", "sorry i meant", "make that", "scratch that", "strike that", "or rather", "wait make it", "wait make that", "wait", "oops", "hang on", "actually make it", "actually make that")

// corrected reads "three, no wait, four pens" as "four pens", and "to Ana's, I mean
// Diana's list" as "to Diana's list". It gives the words with the text they are in.
func corrected(text string, list []token) (string, []token) {
	if madeIt(text, list) != "" {
		return text, list // it corrects what was said before
	}
	for i := 1; i < len(list)-1; i++ {
		n := correctionAt(list[i:])
		if n == 0 && list[i].word == "no" && list[i].comma && list[i+1].comma {
			n = 1
		}
		if n == 0 || i+n >= len(list) || !list[i].comma && n == 1 {
			continue
		}
		text = rewritten(text, list[:i], list[i+n:])
		return corrected(text, withoutFillers(openForms(tokenise(text))))
	}
	return text, list
}

// rewritten puts what was said after a correction in the place of what it corrects.
func rewritten(text string, before, after []token) string {
	said := func(list []token) string {
		if len(list) == 0 {
			return ""
		}
		return text[list[0].start:list[len(list)-1].end] + " "
	}
	tail := func(list []token) string {
		if len(list) == 0 {
			return ""
		}
		return text[list[0].start:]
	}
	if n := countAt(after); n > 0 {
		for at := len(before) - 1; at > 0; at-- {
			if _, is := number([]string{before[at].word}); is && !before[at].quoted {
				return said(before[:at]) + said(after[:n]) + said(before[at+1:]) + tail(after[n:])
			}
		}
	}
	for at := len(before) - 1; at > 0; at-- {
		if linking[before[at].word] {
			return said(before[:at+1]) + tail(withoutLink(after))
		}
	}
	return said(before[:1]) + tail(after)
}

// correctionAt is how many words take something back where the list begins.
func correctionAt(list []token) int {
	n := 0
	for _, run := range correcting {
		if len(run) > n && runAt(list, run) {
			n = len(run)
		}
	}
	return n
}

// countAt is how many words of the list's beginning are a number.
func countAt(list []token) int {
	for n := min(2, len(list)); n > 0; n-- {
		if _, is := number(plainWords(list[:n])); is && !list[0].quoted {
			return n
		}
	}
	return 0
}

func withoutLink(list []token) []token {
	if len(list) > 1 && linking[list[0].word] {
		return list[1:]
	}
	return list
}

// madeIt reads "no wait, four" behind something that was done as "make it four";
// "" when the words correct nothing.
func madeIt(text string, list []token) string {
	from := 0
	for from < len(list)-1 && weak[list[from].word] {
		from++
	}
	n := correctionAt(list[from:])
	if n == 0 && list[from].word == "no" && len(list) > from+1 && list[from+1].comma {
		n = 1
	}
	if n == 0 || from+n >= len(list) {
		return ""
	}
	return "make it " + text[list[from+n].start:]
}
