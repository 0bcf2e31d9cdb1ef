package bus

import (
	"fmt"
	"strings"
)

// WithPhrases returns the capabilities with their Phrases set from text, which
// is usually an embedded file: a line with a capability's name, then one
// indented line for each of its phrases.
//
//	# comments and blank lines are allowed
//	note.add
//		note {text}
//		add a note {text}
//
// It is called when an application starts and panics with the line number if
// the text names a capability that is not in the list or that already has
// phrases, or if a name has no phrases or a phrase no name.
func WithPhrases(text string, capabilities []Capability) []Capability {
	out := append([]Capability(nil), capabilities...)
	byName := make(map[string]*Capability, len(out))
	for i := range out {
		byName[out[i].Name] = &out[i]
	}
	var current *Capability
	fail := func(line int, problem string) { panic(fmt.Sprintf("bus: phrases, line %d: %s", line, problem)) }
	for i, line := range strings.Split(text, "\n") {
		number, content := i+1, strings.TrimSpace(line)
		switch {
		case content == "" || content[0] == '#':
		case line[0] == ' ' || line[0] == '\t':
			if current == nil {
				fail(number, fmt.Sprintf("the phrase %q stands under no capability", content))
				return nil
			}
			current.Phrases = append(current.Phrases, content)
		default:
			if current != nil && len(current.Phrases) == 0 {
				fail(number, current.Name+" has no phrases")
			}
			c, known := byName[content]
			if !known {
				fail(number, fmt.Sprintf("there is no capability %q", content))
			}
			if len(c.Phrases) > 0 {
				fail(number, c.Name+" already has phrases")
			}
			current = c
		}
	}
	if current != nil && len(current.Phrases) == 0 {
		fail(strings.Count(text, "\n")+1, current.Name+" has no phrases")
	}
	return out
}
