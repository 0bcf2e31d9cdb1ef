package text

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Word is one word of a text.
type Word struct {
	Folded     string // in small letters, without accents
	Text       string // as written
	Start, End int    // bytes in the text
	Quoted     bool   // inside quotation marks
	Comma      bool   // after a comma, a colon or a dash
}

// Scan splits a text into words. "Ana's" becomes ana + 's; numbers, e-mail addresses and codes such as A-12 stay whole.
// It drops other punctuation.
func Scan(text string) []Word {
	runes, at, inside := Runes(text)
	var list []Word
	for i := 0; i < len(runes); {
		if !startsWord(runes, i) {
			if runes[i] == '%' {
				list = append(list, Word{Folded: "%", Text: "%", Start: at[i], End: at[i+1], Quoted: inside[i]})
			}
			i++
			continue
		}
		j := i + 1
		for j < len(runes) && continuesWord(runes, j) {
			j++
		}
		t := Word{Folded: Fold(string(runes[i:j])), Text: text[at[i]:at[j]], Start: at[i], End: at[j], Quoted: inside[i]}
		if n := len(list); n > 0 {
			between := text[list[n-1].End:t.Start]
			t.Comma = strings.ContainsAny(between, ",;:–—") || strings.Contains(between, " - ")
		}
		list = append(list, t)
		i = j
	}
	return list
}

// Runes lists the characters of a text with plain quotation marks, the byte offset of each and of the text's end, and
// whether each is inside quotation marks.
func Runes(text string) (runes []rune, at []int, quoted []bool) {
	for i, r := range text {
		runes, at = append(runes, PlainQuote(r)), append(at, i)
	}
	return runes, append(at, len(text)), quotedRunes(runes)
}

// PlainQuote converts curly and angled quotation marks to plain ones.
func PlainQuote(r rune) rune {
	switch r {
	case '’', '‘':
		return '\''
	case '“', '”', '„', '«', '»':
		return '"'
	}
	return r
}

func alnum(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

func startsWord(runes []rune, i int) bool {
	next := func(n int) rune {
		if i+n < len(runes) {
			return runes[i+n]
		}
		return 0
	}
	switch runes[i] {
	case '\'': // the 's of a possessive
		return (next(1) == 's' || next(1) == 'S') && !alnum(next(2)) &&
			(i == 0 || alnum(runes[i-1]) || runes[i-1] == '}' || runes[i-1] == '"')
	case '$', '€', '£':
		return unicode.IsDigit(next(1))
	case '-':
		return unicode.IsDigit(next(1)) && (i == 0 || unicode.IsSpace(runes[i-1]))
	case '+': // of a phone number, not of "+2 bags"
		digits := 1
		for unicode.IsDigit(next(digits)) {
			digits++
		}
		return digits > 5 || digits > 1 && !alnum(next(digits)) &&
			(unicode.IsDigit(next(digits+1)) || unicode.IsDigit(next(digits+2)))
	}
	return alnum(runes[i])
}

func continuesWord(runes []rune, j int) bool {
	r := runes[j]
	if alnum(r) {
		return true
	}
	if j+1 >= len(runes) || !alnum(runes[j+1]) || !(alnum(runes[j-1])) {
		return false
	}
	if r == '\'' { // don't, I'd, O'Neill stay whole; a possessive does not
		return !((runes[j+1] == 's' || runes[j+1] == 'S') && (j+2 >= len(runes) || !alnum(runes[j+2])))
	}
	return strings.ContainsRune(".,@_+-/&:", r)
}

// quotedRunes marks the characters inside quotation marks. A single quote opens only before a word and closes only
// after one, so that an apostrophe does neither.
func quotedRunes(runes []rune) []bool {
	marks := make([]bool, len(runes))
	edge := func(i int) bool { return i < 0 || i >= len(runes) || !alnum(runes[i]) }
	for i := 0; i < len(runes); i++ {
		q := runes[i]
		if q != '"' && !(q == '\'' && edge(i-1) && !edge(i+1)) {
			continue
		}
		for j := i + 1; j < len(runes); j++ {
			if runes[j] == q && (q == '"' || edge(j+1)) {
				for k := i; k <= j; k++ {
					marks[k] = true
				}
				i = j
				break
			}
		}
	}
	return marks
}

// plainLetters maps letters that Unicode does not decompose into a letter and an accent.
var plainLetters = strings.NewReplacer("þ", "th", "ð", "d", "ø", "o", "ł", "l", "đ", "d", "ß", "ss", "æ", "ae",
	"œ", "oe", "ı", "i")

// Fold lowers case and removes accents, so that "Jose" finds "José".
func Fold(s string) string {
	var b strings.Builder
	for _, r := range norm.NFD.String(plainLetters.Replace(strings.ToLower(s))) {
		if !unicode.Is(unicode.Mn, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// Words returns the folded words of a text.
func Words(text string) []string {
	var list []string
	for _, w := range Scan(text) {
		list = append(list, w.Folded)
	}
	return list
}

// Normalized returns a text as one line of normalised words with a space on either side, so that callers can search for
// whole words.
func Normalized(text string) string {
	words := Words(text)
	for i, w := range words {
		if n, ok := NumberWords[w]; ok {
			words[i] = strconv.Itoa(n)
		}
	}
	return " " + strings.Join(append(words, ""), " ")
}

// IsNumber reports whether s is a number in digits.
func IsNumber(s string) bool {
	_, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	return err == nil
}

// NumberWords maps English words for numbers to their values.
var NumberWords = map[string]int{"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
	"eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15,
	"sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50,
	"sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "dozen": 12, "couple": 2, "pair": 2, "both": 2}
