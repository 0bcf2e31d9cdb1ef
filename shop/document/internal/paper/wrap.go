package paper

import (
	"strings"
	"unicode"
)

// line is a line of text in visual order, from left to right.
type line struct {
	text []rune
	rtl  bool // the paragraph runs from right to left
}

// lines breaks a text into lines no wider than width, in mm. It splits a word only if the word alone is too wide.
func (f *fonts) lines(text string, width float64, s style) []line {
	var all []line
	for paragraph := range strings.SplitSeq(text, "\n") {
		rtl := rightToLeft(paragraph)
		rest := joined([]rune(paragraph))
		for {
			n := f.fits(rest, width, s)
			all = append(all, line{visual(trimmed(rest[:n]), rtl), rtl})
			rest = rest[n:]
			for len(rest) > 0 && rest[0] == ' ' {
				rest = rest[1:]
			}
			if len(rest) == 0 {
				break
			}
		}
	}
	return all
}

func trimmed(line []rune) []rune {
	for len(line) > 0 && line[len(line)-1] == ' ' {
		line = line[:len(line)-1]
	}
	return line
}

// fits returns the number of characters that fit on a line, at least one.
func (f *fonts) fits(text []rune, width float64, s style) int {
	var used float64
	breakAt := 0
	for i, r := range text {
		used += f.runeWidth(r, s)
		if used > width && r != ' ' && i > 0 {
			if breakAt > 0 {
				return breakAt
			}
			return i
		}
		if i+1 < len(text) && mayBreak(r, text[i+1]) {
			breakAt = i + 1
		}
	}
	return len(text)
}

// mayBreak reports whether a line may end between two characters: after a space, a hyphen or the @ of an address, and
// anywhere in a script without spaces, but not before a mark.
func mayBreak(r, next rune) bool {
	if unicode.Is(unicode.Mn, next) || unicode.In(next, unicode.Po, unicode.Pe) && ideograph(r) {
		return false
	}
	return r == ' ' || r == '-' || r == '/' || r == '@' || ideograph(r) || ideograph(next)
}

func ideograph(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}
