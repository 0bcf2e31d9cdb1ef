package bus

import (
	"cmp"
	_ "embed"
	"fmt"
	"strings"
	"sync"
)

// texts describes the capabilities and their fields: see Define.
//
//go:embed texts.txt
var texts string

// sections holds the sections of a text by name.
type sections map[string]section

// section is the rest of the line after a name, and the indented lines below it.
type section struct {
	title  string
	lines  []string
	fields func() map[string]string // the lines of a struct type: descriptions by JSON name
}

// knownTexts caches the sections of each text, because every desk of a program defines its capabilities from the same
// texts.
var knownTexts sync.Map // of *sections, by text

// sectionsOf returns the sections of a text, or nil for "". The same text always gives the same pointer.
func sectionsOf(text string) *sections {
	if text == "" {
		return nil
	}
	if known, is := knownTexts.Load(text); is {
		return known.(*sections)
	}
	all, name := sections{}, ""
	for line := range strings.Lines(text) {
		line, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "\t")
		if indented && name != "" {
			s := all[name]
			s.lines = append(s.lines, line)
			all[name] = s
			continue
		}
		of, title, is := strings.Cut(line, ":")
		if _, before := all[of]; is && !before {
			name, all[of] = of, section{title: strings.TrimSpace(title)}
		} else {
			name = ""
		}
	}
	for name, s := range all {
		if !strings.Contains(name, ".") {
			s.fields = sync.OnceValue(func() map[string]string { return fieldTexts(s.lines) })
			all[name] = s
		}
	}
	known, _ := knownTexts.LoadOrStore(text, &all)
	return known.(*sections)
}

// withTexts sets the empty fields of c from its section of c.Texts, and panics if there is no section.
func (c *Capability) withTexts(texts *sections) {
	if texts == nil {
		return
	}
	own, found := (*texts)[c.Name]
	if !found {
		panic(fmt.Sprintf("there is no section %q in its texts", c.Name))
	}
	c.Title = cmp.Or(c.Title, own.title)
	var description []string
	for _, line := range own.lines {
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

// The words after the name of a field in texts: they precede the words that people use for its values, or the kind of
// record that the field identifies.
const (
	says   = " says"
	entity = " entity"
)

// fields returns the descriptions of the fields of a struct type, by JSON name, from the section with the type's name.
func (s *sections) fields(typeName string) map[string]string {
	if s == nil || (*s)[typeName].fields == nil {
		return nil
	}
	return (*s)[typeName].fields()
}

func fieldTexts(lines []string) map[string]string {
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
