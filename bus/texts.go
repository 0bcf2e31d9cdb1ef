package bus

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"
)

// texts describes the capabilities and their fields: see Define.
//
//go:embed texts.txt
var texts string

// withTexts fills in what c does not say itself from its section of c.Texts, and panics if there is none.
func (c *Capability) withTexts() {
	if c.Texts == "" {
		return
	}
	title, lines, found := section(c.Texts, c.Name)
	if !found {
		panic(fmt.Sprintf("there is no section %q in its texts", c.Name))
	}
	c.Title = cmp.Or(c.Title, title)
	var description []string
	for _, line := range lines {
		if phrase, is := strings.CutPrefix(line, "- "); is {
			c.Assistant.Phrases = append(c.Assistant.Phrases, phrase)
		} else if help, is := strings.CutPrefix(line, "? "); is {
			c.Help = cmp.Or(c.Help, help)
		} else {
			description = append(description, line)
		}
	}
	c.Description = cmp.Or(c.Description, strings.Join(description, " "))
}

// What follows the name of a field in texts, before the words that people say for its values, or the kind of
// record that it is an id of.
const (
	says   = " says"
	entity = " entity"
)

// fieldTexts returns the descriptions of the fields of a struct type, by JSON
// name, from the section of texts with the type's name.
func fieldTexts(texts, typeName string) map[string]string {
	_, lines, _ := section(texts, typeName)
	out := make(map[string]string, len(lines))
	var last string
	for _, line := range lines {
		if more, is := strings.CutPrefix(line, "\t"); is {
			out[last] += " " + more
		} else {
			last, line, _ = strings.Cut(line, ": ")
			out[last] = line
		}
	}
	return out
}

// section returns what follows "name:" on its line of texts, and the indented lines below it.
func section(texts, name string) (title string, lines []string, found bool) {
	_, rest, found := strings.Cut("\n"+texts, "\n"+name+":")
	title, rest, _ = strings.Cut(rest, "\n")
	for line := range strings.Lines(rest) {
		line, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "\t")
		if !indented {
			break
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(title), lines, found
}
