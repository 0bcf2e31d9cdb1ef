// Package text cleans user input and folds it for search. Both sides of a comparison are folded the same way, so
// "anais" finds "Anaïs".
package text

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Line makes a name or label safe to display: composed, on one line, without control, bidirectional or other invisible
// characters, and at most limit runes long.
func Line(s string, limit int) string {
	return clip(strings.Join(strings.Fields(strip(s, false)), " "), limit)
}

// Block is Line for a text of several lines. Line breaks stay, with at most one empty line in a row.
func Block(s string, limit int) string {
	lines := strings.Split(strip(strings.ReplaceAll(s, "\r\n", "\n"), true), "\n")
	var out []string
	for _, line := range lines {
		line = strings.Join(strings.Fields(line), " ")
		if line == "" && (len(out) == 0 || out[len(out)-1] == "") {
			continue
		}
		out = append(out, line)
	}
	return clip(strings.TrimSpace(strings.Join(out, "\n")), limit)
}

// Fold prepares text for search: lower case, no accents, separators for everything but letters and digits, and one
// space around every word. So " guji " finds a whole word and " guj" the beginning of a word.
func Fold(parts ...string) string {
	words := Words(strings.Join(parts, " "))
	if len(words) == 0 {
		return " "
	}
	return " " + strings.Join(words, " ") + " "
}

// Words returns the folded words of s without possessive endings: "Ana's" becomes "ana".
func Words(s string) []string {
	var words []string
	for _, field := range strings.FieldsFunc(fold(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	}) {
		field = strings.Trim(field, "'")
		field = strings.TrimSuffix(field, "'s")
		if field = strings.ReplaceAll(field, "'", ""); field != "" {
			words = append(words, field)
		}
	}
	return words
}

// Spellings returns alternative spellings of the words of s by the folded word: ae, oe and ue for umlauts in s. The
// reverse applies only to whole words, since "blue" begins no "Blume".
func Spellings(s string) map[string]string {
	other := map[string]string{}
	long := Words(spelledOut.Replace(norm.NFC.String(s)))
	for i, w := range Words(s) {
		if i < len(long) && long[i] != w {
			other[w] = long[i]
		} else if short := contracted.Replace(w); short != w {
			other[w] = " " + short + " "
		}
	}
	return other
}

var (
	spelledOut = strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "å", "aa",
		"Å", "Aa", "ø", "oe", "Ø", "Oe")
	contracted = strings.NewReplacer("ae", "a", "oe", "o", "ue", "u")
)

// Keywords returns the words without articles, prepositions, units of counting and plural endings: "two bags of the
// mugs" becomes "mug". A search uses them when the original words find nothing.
func Keywords(words []string) []string {
	var out []string
	for _, w := range words {
		if fillers[w] {
			continue
		}
		if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
			w = strings.TrimSuffix(w, "s")
		}
		out = append(out, w)
	}
	return out
}

// Slug returns an identifier of ASCII letters, digits and underscores, or "" if s has none of these.
func Slug(s string, limit int) string {
	var b strings.Builder
	for _, w := range Words(s) {
		kept := strings.Map(func(r rune) rune {
			if r < unicode.MaxASCII {
				return r
			}
			return -1
		}, w)
		if kept == "" || b.Len()+len(kept)+1 > limit {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('_')
		}
		b.WriteString(kept)
	}
	return b.String()
}

// Digits keeps the ASCII digits of s.
func Digits(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

var fillers = wordSet("a an and any bag bags box boxes can cans cup cups for in my of on one pack packs packet " +
	"packets piece pieces some that the these this those to unit units with")

func wordSet(s string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(s) {
		set[w] = true
	}
	return set
}

// Characters that decomposition leaves unchanged: letters, and variants of the apostrophe.
var plain = strings.NewReplacer("ß", "ss", "æ", "ae", "œ", "oe", "ø", "o", "đ", "d", "ð", "d", "þ", "th", "ł", "l", "ħ",
	"h", "ı", "i", "ŋ", "n", "’", "'", "ʼ", "'")

func fold(s string) string {
	s = strings.ToLower(norm.NFKD.String(strings.ToValidUTF8(s, " ")))
	s = strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, s)
	return plain.Replace(s)
}

// strip removes invisible characters, which can deceive. Joiners stay, because some scripts and emoji need them.
func strip(s string, lines bool) string {
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case r == '\n' && lines:
			return r
		case r == '\n', r == '\r', r == '\t', r == '\u2028', r == '\u2029':
			return ' '
		case r == '\u200c', r == '\u200d':
			return r
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs), r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "")))
}

// visible reports whether a rune is visible. Spaces, joiners, marks without a letter and blank letters are not.
func visible(r rune) bool {
	return r != '\u2800' && !unicode.In(r, unicode.White_Space, unicode.Cf, unicode.M,
		unicode.Other_Default_Ignorable_Code_Point)
}

// clip cuts text after limit runes. It returns "" if no visible character is left.
func clip(s string, limit int) string {
	n := 0
	for i := range s {
		if n == limit {
			s = strings.TrimSpace(s[:i])
			break
		}
		n++
	}
	if !strings.ContainsFunc(s, visible) {
		return ""
	}
	return s
}
