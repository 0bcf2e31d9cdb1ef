package builtin

import (
	"archive/zip"
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/blevesearch/snowballstem/german"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// wordFiles has the files of the folder words, compressed. Internal/gen writes it.
//
//go:embed words.zip
var wordFiles []byte

// stemmers are the stemmers of the supported languages.
var stemmers = map[string]func(*snowballstem.Env) bool{"en": english.Stem, "de": german.Stem}

// runs maps words and runs of words to their meanings.
type runs struct {
	value   map[string]string
	longest int // in words
}

// language holds the assistant's data about one language: words by section, and the sentences of its replies.
type language struct {
	name string
	runs map[string]*runs
	says map[string]string

	common map[string]bool // stems of the words that are part of no name
}

// languages returns the supported languages, English first.
func languages() []*language {
	var list []*language
	files, err := zip.NewReader(bytes.NewReader(wordFiles), int64(len(wordFiles)))
	if err != nil {
		panic("builtin: " + err.Error()) // it is embedded above
	}
	for _, f := range files.File {
		text, err := fs.ReadFile(files, f.Name)
		if err != nil {
			panic("builtin: " + err.Error())
		}
		l := readLanguage(string(text))
		l.common = map[string]bool{}
		if r := l.runs["common"]; r != nil {
			for w := range r.value {
				l.common[l.stem(w)] = true
			}
		}
		list = append(list, l)
	}
	slices.SortStableFunc(list, func(a, b *language) int {
		return cmp.Or(cmp.Compare(len(a.name), len(b.name)), strings.Compare(b.name, a.name))
	})
	return list
}

// readLanguage reads the sections of a file: "[section]", then lines of runs, "a, b = c", or of sentences, "name:
// text".
func readLanguage(file string) *language {
	l := &language{runs: map[string]*runs{}, says: map[string]string{}}
	section := ""
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
		case section == "name":
			l.name = line
		case section == "says":
			name, said, _ := strings.Cut(line, ": ")
			l.says[name] = said
		default:
			l.addRuns(section, line)
		}
	}
	return l
}

func (l *language) addRuns(section, line string) {
	r := l.runs[section]
	if r == nil {
		r = &runs{value: map[string]string{}}
		l.runs[section] = r
	}
	said, value, _ := strings.Cut(line, " = ")
	for run := range strings.SplitSeq(said, ", ") {
		run = strings.ReplaceAll(text.Fold(strings.TrimSpace(run)), "'s", " 's") // tokens splits it in the same way
		r.value[run] = value
		r.longest = max(r.longest, strings.Count(run, " ")+1)
	}
}

// at finds the longest run of a section that begins at a word. It returns the number of words, 0 for none, and the
// meaning.
func (l *language) at(section string, list []token, i int) (n int, value string) {
	r := l.runs[section]
	if r == nil {
		return 0, ""
	}
	for n = min(r.longest, len(list)-i); n > 0; n-- {
		if value, is := r.value[joinWords(list[i:i+n])]; is && !list[i].quoted {
			return n, value
		}
	}
	return 0, ""
}

// is reports whether a list of words is one complete run of a section.
func (l *language) is(section string, list []token) bool {
	n, _ := l.at(section, list, 0)
	return n > 0 && n == len(list)
}

// has reports whether a single word is in a section.
func (l *language) has(section, word string) bool {
	_, is := l.word(section, word)
	return is
}

// ends reports whether a word has an ending that is in a section.
func (l *language) ends(section, word string) bool {
	for i := 2; i < len(word) && l.runs[section] != nil; i++ {
		if _, is := l.runs[section].value[word[i:]]; is {
			return true
		}
	}
	return false
}

// word returns the meaning of a single word in a section.
func (l *language) word(section, word string) (value string, is bool) {
	if r := l.runs[section]; r != nil {
		value, is = r.value[word]
	}
	return value, is
}

func joinWords(list []token) string {
	if len(list) == 1 {
		return list[0].word
	}
	words := make([]string, len(list))
	for i, t := range list {
		words[i] = t.word
	}
	return strings.Join(words, " ")
}

// same returns the representative of a word's synonyms.
func (l *language) same(word string) string {
	if same, is := l.word("same", word); is {
		return same
	}
	return word
}

// stem returns the stem that the forms of a word share.
func (l *language) stem(word string) string {
	word = l.same(word)
	ending := stemmers[l.name]
	if ending == nil {
		return word
	}
	env := snowballstem.NewEnv(word)
	ending(env)
	return env.Current()
}

// stems replaces the words of a query by their stems, as far as these are their beginnings.
func (l *language) stems(query string) string {
	list := strings.Fields(query)
	for i, w := range list {
		if stem := l.stem(text.Fold(w)); strings.HasPrefix(text.Fold(w), stem) && len(stem) > 2 {
			list[i] = stem
		}
	}
	return strings.Join(list, " ")
}

// bare returns the longest word of a query without its ending, such as that of a plural or a genitive.
func (l *language) bare(query string) (long string) {
	for w := range strings.FieldsSeq(query) {
		if len(w) > len(long) {
			long = w
		}
	}
	return l.stems(long)
}

// say returns one of the assistant's sentences, with the gaps {0} and {1} filled in.
func (l *language) say(name string, gaps ...any) string {
	said := l.says[name]
	for i, gap := range gaps {
		said = strings.ReplaceAll(said, fmt.Sprintf("{%d}", i), fmt.Sprint(gap))
	}
	return said
}
