package lexicon

import (
	_ "embed"
	"strings"
)

//go:embed words.txt
var wordsFile string

// lists are the lists of words.txt by name.
var lists = readLists(wordsFile)

// The lists that this package uses itself; words.txt says what each is for.
var (
	abbreviations = Set("abbreviations")
	alike         = Pairs("alike")
	Articles      = Set("articles")
	beenDone      = Set("beenDone")
	BeforeDays    = Set("beforeDays")
	beforeIs      = Set("beforeIs")
	behindIs      = Set("behindIs")
	containers    = Set("containers")
	contrasting   = Runs("contrasting")
	correcting    = Runs("correcting")
	courtesies    = Runs("courtesies")
	currencyWords = Pairs("currencyWords")
	farewells     = Runs("farewells")
	fillers       = Runs("fillers")
	Guards        = Set("guards")
	Joining       = Set("joining")
	Linking       = Set("linking")
	months        = Places("months")
	Noise         = Set("noise")
	OwnPronouns   = Set("ownPronouns")
	Passing       = Set("passing")
	Pronouns      = Set("pronouns")
	same          = Pairs("same")
	sameRuns      = Runs("sameRuns") // each ends in "= word"
	shortForms    = Pairs("shortForms")
	Undoable      = Set("undoable")
	Units         = Pairs("units")
	Weak          = Set("weak")
	weekdays      = Places("weekdays")
)

func readLists(file string) map[string]string {
	lists, name := map[string]string{}, ""
	for line := range strings.Lines(file) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "["):
			name = strings.Trim(line, "[]")
		default:
			lists[name] += line + " "
		}
	}
	return lists
}

// entries are what commas part in a list. A name without a list is a mistake in the program.
func entries(name string) []string {
	list, known := lists[name]
	if !known {
		panic("lexicon: words.txt has no list " + name)
	}
	all := strings.Split(list, ",")
	for i := range all {
		all[i] = strings.TrimSpace(all[i])
	}
	return all
}

// Set reads a list of words.
func Set(name string) map[string]bool {
	words := map[string]bool{}
	for w := range Places(name) {
		words[w] = true
	}
	return words
}

// Sayings reads a list of runs of words that each are all that is said.
func Sayings(name string) map[string]bool {
	sayings := map[string]bool{}
	for _, entry := range entries(name) {
		sayings[entry] = true
	}
	return sayings
}

// Runs reads a list of runs of words.
func Runs(name string) (runs [][]string) {
	for _, entry := range entries(name) {
		runs = append(runs, strings.Fields(entry))
	}
	return runs
}

// Pairs reads a list of words that each stand for others.
func Pairs(name string) map[string]string {
	pairs := map[string]string{}
	for _, entry := range entries(name) {
		words, other, _ := strings.Cut(entry, " = ")
		for _, w := range strings.Fields(words) {
			pairs[w] = other
		}
	}
	return pairs
}

// Places reads a list in which a word's place matters, counted from one.
func Places(name string) map[string]int {
	places := map[string]int{}
	for i, entry := range entries(name) {
		for _, w := range strings.Fields(entry) {
			places[w] = i + 1
		}
	}
	return places
}
