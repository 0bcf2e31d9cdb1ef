package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// report says in plain words what came of a command.
func (d *dialogue) report(c command, res outcome) string {
	tool := c.pattern.tool
	if !res.ok() {
		return d.failure(tool, res)
	}
	if tool.SideEffect == bus.Pure {
		return d.describe(res.Data)
	}
	var said []string
	if res.Replayed {
		said = append(said, "That had been done already; it was not done again.")
	}
	said = append(said, happened(res.Events)...)
	if len(said) == 0 {
		said = append(said, "Done: "+sentence(tool.Title))
	}
	if res.Note != "" {
		said = append(said, sentence(res.Note))
	}
	already := strings.Join(said, " ")
	for _, line := range d.scalars(res.Data) {
		if !strings.Contains(already, line.value) {
			said = append(said, sentence(line.String()))
		}
	}
	return strings.Join(said, " ")
}

// happened reads what a call itself told: the first change, since later ones are
// its consequences, and every message for the person.
func happened(events []bus.Event) []string {
	var said []string
	changed := false
	for _, e := range events {
		switch {
		case e.Type == bus.EventStateChange && e.Summary != "" && !changed:
			changed = true
			said = append(said, sentence(e.Summary))
		case e.Type == bus.EventNotification && e.Message != "":
			said = append(said, sentence(e.Message))
		}
	}
	return said
}

// failure says what went wrong and what would mend it, with titles for names.
func (d *dialogue) failure(tool Tool, res outcome) string {
	text := sentence(d.titled(res.Message))
	switch {
	case res.Note == nobodyAnswered:
		return nobodyAnswered + " I have not done it."
	case res.Code == bus.Forbidden && res.Reason == bus.ReasonDeclined:
		return "I have not done it. " + text
	case res.Code == bus.Validation && len(res.Violations) > 0:
		return "That did not work. " + plainViolations(tool.Input, res.Violations)
	}
	hint := sentence(d.titled(strings.ReplaceAll(res.Hint, "Invoke ", "Use ")))
	if hint != "" {
		text += " " + hint
	}
	return "That did not work. " + text
}

// line is one named value.
type line struct{ label, value string }

func (l line) String() string { return l.label + ": " + l.value }

// scalars lists the plain values of an object in the order they are written.
func (d *dialogue) scalars(data json.RawMessage) []line {
	var m map[string]any
	if json.Unmarshal(data, &m) != nil {
		return nil
	}
	var list []line
	for _, k := range orderedKeys(data) {
		if text, ok := d.shortText(k, m[k]); ok {
			list = append(list, line{capitalise(strings.TrimSuffix(words(k), " id")), text})
		}
	}
	return list
}

// opaqueID is an id made by a program, which tells a person nothing.
var opaqueID = regexp.MustCompile(`^(?:[a-z]+_[a-z0-9_-]*[0-9][a-z0-9_-]*|[a-z]+(?:_[a-z0-9]+)+|[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

// shortText shows a value that fits on a line. Bookkeeping is left out.
func (d *dialogue) shortText(key string, v any) (string, bool) {
	switch key {
	case "nextCursor", "next_cursor", "hasMore", "has_more", "id":
		return "", false
	}
	switch t := v.(type) {
	case string:
		if t == "" || len(t) > 200 || opaqueID.MatchString(t) {
			return "", false
		}
		if day, err := time.Parse(time.DateOnly, t); err == nil {
			return day.Format("Monday, 2 January 2006"), true
		}
		return d.titled(clean(t, 200)), true
	case float64:
		if moment, ok := millis(t); ok {
			return moment.Local().Format("Monday, 2 January 2006, 15:04"), true
		}
		return valueText(v), true
	case bool:
		return valueText(v), true
	case map[string]any:
		if text, ok := resultMoney(t); ok {
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
func (d *dialogue) describe(data json.RawMessage) string {
	var m map[string]json.RawMessage
	if json.Unmarshal(data, &m) != nil {
		return "There is nothing to show."
	}
	var values []string
	for _, l := range d.scalars(data) {
		values = append(values, sentence(l.String()))
	}
	parts := []string{strings.Join(values, " ")}
	lists := map[string][]json.RawMessage{}
	for k, v := range m {
		var list []json.RawMessage
		if json.Unmarshal(v, &list) == nil && list != nil {
			lists[k] = list
		}
	}
	for _, k := range orderedKeys(data) {
		if list, is := lists[k]; is && (len(list) > 0 || len(lists) == 1) {
			parts = append(parts, d.listText(words(k), list, string(m["hasMore"]) == "true" || string(m["has_more"]) == "true"))
		}
	}
	if text := join(parts); text != "" {
		return text
	}
	return "There is nothing to show."
}

func (d *dialogue) listText(name string, list []json.RawMessage, more bool) string {
	if len(list) == 0 {
		return "No " + name + " found."
	}
	lines := []string{capitalise(name) + ":"}
	for i, e := range list {
		if i == maxListed {
			lines = append(lines, fmt.Sprintf("- … and %d more", len(list)-i))
			break
		}
		lines = append(lines, "- "+d.entryText(e, 4))
	}
	if more {
		lines = append(lines, "There are more; be more exact to see them.")
	}
	return strings.Join(lines, "\n")
}

// resultMoney reads an amount of a result: the application's own text for it, if
// it has one. Arguments are never read this way: their text would be the model's.
func resultMoney(m map[string]any) (string, bool) {
	text, ok := moneyText(m)
	if own, has := m["text"].(string); ok && has && own != "" {
		return clean(own, 40), true
	}
	return text, ok
}

// entryText reads out one entry of a list: its name, how many, a few of its
// plain values, and the parts it has.
func (d *dialogue) entryText(raw json.RawMessage, limit int) string {
	var m map[string]any
	if json.Unmarshal(raw, &m) != nil {
		var v any
		_ = json.Unmarshal(raw, &v) // part of a document that was read
		return valueText(v)
	}
	if text, ok := d.recordText(m); ok {
		return text
	}
	name := nameOf(m)
	if n, ok := m["quantity"].(float64); ok && name != "" {
		name = fmt.Sprintf("%v × %s", n, name)
	}
	var details, parts []string
	labelled := amounts(m) > 2 // a price and a total speak for themselves, five figures do not
	for _, k := range orderedKeys(raw) {
		if list, is := m[k].([]any); is && limit > 1 {
			parts = append(parts, partsText(list)...)
			continue
		}
		if text, ok := d.detail(k, m[k]); ok && len(details) < limit && !strings.Contains(strings.Join(append(details, name), "\n"), text) {
			if _, is := m[k].(map[string]any); is && labelled {
				text = words(k) + " " + text
			}
			details = append(details, text)
		}
	}
	details = append(details, parts...)
	switch {
	case name == "":
		return strings.Join(details, ", ")
	case len(details) == 0:
		return name
	}
	return name + " — " + strings.Join(details, ", ")
}

// amounts counts the sums of money in an entry.
func amounts(m map[string]any) (n int) {
	for _, v := range m {
		if t, is := v.(map[string]any); is {
			if _, money := resultMoney(t); money {
				n++
			}
		}
	}
	return n
}

// detail shows a value beside a name: short text, moments and money. Other bare
// numbers and yes or no say nothing without their label.
func (d *dialogue) detail(key string, v any) (string, bool) {
	switch t := v.(type) {
	case bool:
		return "", false
	case float64:
		if _, moment := millis(t); !moment {
			return "", false
		}
	}
	text, ok := d.shortText(key, v)
	return text, ok && len(text) <= 60 && !strings.HasSuffix(key, "Id")
}

// partsText names the first parts of a thing with what each costs and how many
// there are.
func partsText(list []any) []string {
	var texts []string
	for _, e := range list {
		m, ok := e.(map[string]any)
		if !ok || nameOf(m) == "" {
			return nil
		}
		if len(texts) == 4 {
			return append(texts, fmt.Sprintf("and %d more", len(list)-len(texts)))
		}
		text := nameOf(m)
		for _, k := range slices.Sorted(maps.Keys(m)) {
			switch t := m[k].(type) {
			case map[string]any:
				if money, ok := resultMoney(t); ok {
					text += " " + money
				}
			case float64:
				if _, moment := millis(t); !moment {
					text += fmt.Sprintf(" (%s %s)", words(k), valueText(t))
				}
			}
		}
		texts = append(texts, text)
	}
	return texts
}

// recordText reads out a record of what was asked and done: what, who, when and
// whether it worked.
func (d *dialogue) recordText(m map[string]any) (string, bool) {
	capability, is := m["capability"].(string)
	caller, has := m["caller"].(map[string]any)
	at, dated := m["time"].(float64)
	if !is || !has || !dated {
		return "", false
	}
	text, _ := m["summary"].(string)
	if text == "" {
		text = words(capability)
		if t, known := d.tool(capability); known {
			text = t.Title
		}
	}
	id, _ := caller["person"].(string)
	who := personName(id)
	if kind, _ := caller["type"].(string); kind == string(bus.CallerAgent) {
		who = strings.TrimSpace(who + " (assistant)")
	}
	text = capitalise(clean(text, 200)) + " — " + commas(clean(who, 60), time.UnixMilli(int64(at)).Local().Format("Monday, 2 January 2006, 15:04"))
	if status, _ := m["status"].(string); status == "error" {
		text += ", not done"
	}
	return text, true
}

// personName makes a name of a person's id, which is made of one.
func personName(id string) string {
	var names []string
	for _, n := range strings.Fields(words(id)) {
		names = append(names, capitalise(n))
	}
	return strings.Join(names, " ")
}

// commas joins what is not empty.
func commas(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}
