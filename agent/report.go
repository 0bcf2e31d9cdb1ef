package agent

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// report says in plain words what came of a command.
func (d *dialogue) report(c command, res outcome) string {
	tool := c.pattern.tool
	if !res.ok() {
		return d.failure(res)
	}
	if tool.SideEffect == bus.Pure {
		return describe(res.Data)
	}
	var said []string
	if res.Replayed {
		said = append(said, "That had been done already; it was not done again.")
	}
	for _, e := range res.Events {
		switch {
		case e.Type == bus.EventStateChange && e.Summary != "":
			said = append(said, sentence(e.Summary))
		case e.Type == bus.EventNotification && e.Message != "":
			said = append(said, sentence(e.Message))
		}
	}
	if len(said) == 0 {
		said = append(said, "Done: "+sentence(tool.Title))
	}
	if res.Note != "" {
		said = append(said, sentence(res.Note))
	}
	already := strings.Join(said, " ")
	for _, line := range scalars(res.Data) {
		if !strings.Contains(already, line.value) {
			said = append(said, line.String()+".")
		}
	}
	return strings.Join(said, " ")
}

// failure says what went wrong and what would mend it, with titles for names.
func (d *dialogue) failure(res outcome) string {
	text := sentence(res.Message)
	if res.Code == bus.Forbidden && res.Reason == bus.ReasonDeclined {
		return "I have not done it. " + text
	}
	hint := sentence(res.Hint)
	for _, t := range d.tools {
		hint = strings.ReplaceAll(hint, "Invoke "+t.Capability, "Use “"+t.Title+"”")
		hint = strings.ReplaceAll(hint, t.Capability, "“"+t.Title+"”")
	}
	if hint != "" {
		text += " " + hint
	}
	return "That did not work. " + text
}

// line is one named value.
type line struct{ label, value string }

func (l line) String() string { return l.label + ": " + l.value }

// scalars lists the plain values of an object in the order they are written:
// the first identifier too, since that is what people write down.
func scalars(data json.RawMessage) []line {
	var m map[string]any
	if json.Unmarshal(data, &m) != nil {
		return nil
	}
	var list []line
	for _, k := range orderedKeys(data) {
		if text, ok := shortText(k, m[k]); ok {
			list = append(list, line{capitalise(strings.TrimSuffix(words(k), " id")), text})
		}
	}
	return list
}

// shortText shows a value that fits on a line. Bookkeeping is left out.
func shortText(key string, v any) (string, bool) {
	switch key {
	case "nextCursor", "hasMore", "id":
		return "", false
	}
	switch t := v.(type) {
	case string:
		if t == "" || len(t) > 200 {
			return "", false
		}
		if day, err := time.Parse(time.DateOnly, t); err == nil {
			return day.Format("Monday, 2 January 2006"), true
		}
		return clean(t, 200), true
	case bool, float64:
		return valueText(v), true
	case map[string]any:
		if text, ok := moneyText(t); ok {
			return text, true
		}
		if name := nameOf(t); name != "" {
			return name, true
		}
	}
	return "", false
}

// maxListed is how many entries of a list are read out.
const maxListed = 8

// describe reads out a result: its plain values, then its lists.
func describe(data json.RawMessage) string {
	var m map[string]any
	if json.Unmarshal(data, &m) != nil {
		return "There is nothing to show."
	}
	var out []string
	for _, l := range scalars(data) {
		out = append(out, l.String()+".")
	}
	text := strings.Join(out, " ")
	keys := orderedKeys(data)
	lists := slices.DeleteFunc(slices.Clone(keys), func(k string) bool { _, is := m[k].([]any); return !is })
	for _, k := range lists {
		list := m[k].([]any)
		if len(list) == 0 && len(lists) > 1 {
			continue
		}
		text = join([]string{text, listText(words(k), list, m["hasMore"] == true)})
	}
	if text == "" {
		return "There is nothing to show."
	}
	return text
}

func listText(name string, list []any, more bool) string {
	if len(list) == 0 {
		return "No " + name + " found."
	}
	lines := []string{capitalise(name) + ":"}
	for i, e := range list {
		if i == maxListed {
			lines = append(lines, fmt.Sprintf("- … and %d more", len(list)-i))
			break
		}
		lines = append(lines, "- "+entryText(e))
	}
	if more {
		lines = append(lines, "There are more; be more exact to see them.")
	}
	return strings.Join(lines, "\n")
}

// entryText reads out one entry of a list: its name, how many, and a few of its
// plain values.
func entryText(e any) string {
	m, ok := e.(map[string]any)
	if !ok {
		return valueText(e)
	}
	name := nameOf(m)
	if n, ok := m["quantity"].(float64); ok && name != "" {
		name = fmt.Sprintf("%v × %s", n, name)
	}
	raw, _ := json.Marshal(m) // decoded from JSON
	var details []string
	for _, k := range orderedKeys(raw) {
		if len(details) == 4 || k == "quantity" || strings.HasSuffix(k, "Id") || k == "default" {
			continue
		}
		if text, ok := shortText(k, m[k]); ok && !strings.Contains(name, text) {
			details = append(details, text)
		}
	}
	if name == "" {
		return strings.Join(details, ", ")
	}
	if len(details) == 0 {
		return name
	}
	return name + " — " + strings.Join(details, ", ")
}
