package builtin

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/titles"
)

// report says in plain words what came of a call.
func (t *talk) report(tool model.Tool, res outcome) string {
	if !res.ok() {
		return t.failure(tool, res)
	}
	if tool.SideEffect == bus.Pure {
		return t.describe(res.Data)
	}
	var said []string
	if res.Replayed {
		said = append(said, t.lang.say("again"))
	}
	said = append(said, happened(res.Events)...)
	if len(said) == 0 {
		said = append(said, t.lang.say("done", t.titleOf(tool)))
	}
	if res.Note != "" {
		said = append(said, text.Sentence(res.Note))
	}
	already := strings.Join(said, " ")
	for _, line := range t.scalars(res.Data) {
		if !strings.Contains(already, line.value) {
			said = append(said, line.sentence)
		}
	}
	return strings.Join(said, " ")
}

// titleOf is a tool's title in the language.
func (t *talk) titleOf(tool model.Tool) string {
	for _, a := range t.x.actions {
		if a.tool.Name == tool.Name {
			return a.title
		}
	}
	return tool.Title
}

// titled puts titles in the place of capability names, which only programs know.
func (t *talk) titled(said string) string {
	return titles.InPlaceOfNames(said, func(name string) (string, bool) {
		tool, ok := t.tool(name)
		return t.titleOf(tool), ok
	})
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
			said = append(said, text.Sentence(e.Summary))
		case e.Type == bus.EventNotification && e.Message != "":
			said = append(said, text.Sentence(e.Message))
		}
	}
	return said
}

// failure says what went wrong and what would mend it, with titles for names.
func (t *talk) failure(tool model.Tool, res outcome) string {
	said := text.Sentence(t.titled(res.Message))
	switch {
	case res.Note == text.NobodyAnswered:
		return t.lang.say("unanswered")
	case res.Code == bus.Forbidden && res.Reason == bus.ReasonDeclined:
		return t.lang.say("declined", said)
	case res.Code == bus.Validation && len(res.Violations) > 0:
		return t.lang.say("failed", schema.Violations(tool.Input, res.Violations))
	}
	hint := text.Sentence(t.titled(strings.ReplaceAll(res.Hint, "Invoke ", "Use ")))
	return t.lang.say("failed", joinParts(" ", said, hint))
}

// line is one named value, and that with its label as a sentence.
type line struct{ value, sentence string }

// scalars lists the plain values of an object in the order they are written.
func (t *talk) scalars(data json.RawMessage) []line {
	var m map[string]any
	_ = json.Unmarshal(data, &m) // anything else has nothing to show
	var list []line
	for _, k := range schema.Keys(data) {
		if said, ok := t.shortText(k, m[k]); ok {
			list = append(list, line{said, text.Sentence(schema.Label(k) + ": " + said)})
		}
	}
	return list
}

// momentForm is how a moment is written.
const momentForm = "Monday, 2 January 2006, 15:04"

// opaqueID is an id made by a program, which tells a person nothing.
var opaqueID = regexp.MustCompile(`^(?:[a-z]+_[a-z0-9_-]*[0-9][a-z0-9_-]*|[a-z]+(?:_[a-z0-9]+)+|` +
	`[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

// shortText shows a value that fits on a line. Bookkeeping is left out.
func (t *talk) shortText(key string, v any) (string, bool) {
	switch key {
	case "nextCursor", "next_cursor", "hasMore", "has_more", "id":
		return "", false
	}
	switch x := v.(type) {
	case string:
		if x == "" || len(x) > 200 || opaqueID.MatchString(x) {
			return "", false
		}
		if day, err := time.Parse(time.DateOnly, x); err == nil {
			return day.Format("Monday, 2 January 2006"), true
		}
		return t.titled(text.Clean(x, 200)), true
	case float64:
		if moment, ok := millis(x); ok {
			return moment.Local().Format(momentForm), true
		}
		return text.Value(v), true
	case bool:
		return text.Value(v), true
	case map[string]any:
		if text, ok := resultMoney(x); ok {
			return text, true
		}
		name := text.NameOf(x)
		return name, name != ""
	}
	return "", false
}

// maxListed is how many entries of a list are read out.
const maxListed = 8

// describe reads out a result: its plain values, then its lists.
func (t *talk) describe(data json.RawMessage) string {
	var m map[string]json.RawMessage
	_ = json.Unmarshal(data, &m) // anything else has nothing to show
	var values, lists, empty []string
	for _, l := range t.scalars(data) {
		values = append(values, l.sentence)
	}
	more := slices.ContainsFunc([]string{"hasMore", "has_more"}, func(k string) bool { return string(m[k]) == "true" })
	for _, k := range schema.Keys(data) {
		var list []json.RawMessage
		if json.Unmarshal(m[k], &list) != nil || list == nil {
			continue
		}
		if said := t.listText(text.SplitName(k), list, more); len(list) > 0 {
			lists = append(lists, said)
		} else {
			empty = append(empty, said)
		}
	}
	if len(lists) == 0 && len(empty) == 1 {
		lists = empty
	}
	parts := append([]string{strings.Join(values, " ")}, lists...)
	return cmp.Or(joinParts("\n\n", parts...), t.lang.say("nothing to show"))
}

func (t *talk) listText(name string, list []json.RawMessage, more bool) string {
	if len(list) == 0 {
		return t.lang.say("none found", name)
	}
	lines := []string{text.Capitalize(name) + ":"}
	for i, e := range list {
		if i == maxListed {
			lines = append(lines, "- "+t.lang.say("more", len(list)-i))
			break
		}
		lines = append(lines, "- "+t.entryText(e))
	}
	if more {
		lines = append(lines, t.lang.say("more there"))
	}
	return strings.Join(lines, "\n")
}

// resultMoney reads an amount of a result: the application's own text for it, if
// it has one. Arguments are never read this way: their text would be the model's.
func resultMoney(m map[string]any) (string, bool) {
	said, ok := text.Money(m)
	if own, has := m["text"].(string); ok && has && own != "" {
		return text.Clean(own, 40), true
	}
	return said, ok
}

// maxDetails is how many values stand beside the name of an entry.
const maxDetails = 4

// entryText reads out one entry of a list: its name, how many, a few of its plain values, and the parts it has.
func (t *talk) entryText(raw json.RawMessage) string {
	var m map[string]any
	if json.Unmarshal(raw, &m) != nil {
		var v any
		_ = json.Unmarshal(raw, &v) // part of a document that was read
		return text.Value(v)
	}
	if said, is := t.recordText(m); is {
		return said
	}
	name := text.NameOf(m)
	if n, ok := m["quantity"].(float64); ok && name != "" {
		name = fmt.Sprintf("%v × %s", n, name)
	}
	var details, parts []string
	labelled := amounts(m) > 2 // a price and a total speak for themselves, five figures do not
	for _, k := range schema.Keys(raw) {
		if list, is := m[k].([]any); is {
			parts = append(parts, partsText(list)...)
			continue
		}
		said, shown := t.shortText(k, m[k])
		_, plain := m[k].(string)
		sum, nested := m[k].(map[string]any)
		moment, _ := m[k].(float64)
		_, dated := millis(moment)
		// bare numbers and yes or no say nothing without their label
		if !shown || !plain && !nested && !dated || len(said) > 60 || strings.HasSuffix(k, "Id") ||
			len(details) == maxDetails || strings.Contains(strings.Join(append(details, name), "\n"), said) {
			continue
		}
		if sum != nil && labelled {
			said = text.SplitName(k) + " " + said
		}
		details = append(details, said)
	}
	return joinParts(" — ", name, strings.Join(append(details, parts...), ", "))
}

// amounts counts the sums of money in an entry.
func amounts(m map[string]any) (n int) {
	for _, v := range m {
		t, _ := v.(map[string]any)
		if _, money := resultMoney(t); money {
			n++
		}
	}
	return n
}

// maxParts is how many parts of an entry are read out.
const maxParts = 4

// partsText names the first parts of a thing with what each costs and how many there are.
func partsText(list []any) (texts []string) {
	for _, e := range list {
		m, _ := e.(map[string]any)
		said := text.NameOf(m)
		if said == "" {
			return nil
		}
		if len(texts) == maxParts {
			return append(texts, fmt.Sprintf("and %d more", len(list)-maxParts))
		}
		for _, k := range slices.Sorted(maps.Keys(m)) {
			sum, _ := m[k].(map[string]any)
			n, number := m[k].(float64)
			if money, ok := resultMoney(sum); ok {
				said += " " + money
			} else if _, moment := millis(n); number && !moment {
				said += fmt.Sprintf(" (%s %s)", text.SplitName(k), text.Value(n))
			}
		}
		texts = append(texts, said)
	}
	return texts
}

// recordText reads out a record of what was asked and done: what, who, when and whether it worked.
func (t *talk) recordText(m map[string]any) (string, bool) {
	capability, is := m["capability"].(string)
	caller, has := m["caller"].(map[string]any)
	at, dated := m["time"].(float64)
	if !is || !has || !dated {
		return "", false
	}
	said, _ := m["summary"].(string)
	if tool, known := t.tool(capability); said == "" && known {
		said = tool.Title
	}
	id, _ := caller["person"].(string)
	var who []string
	for part := range strings.FieldsSeq(text.SplitName(id)) {
		who = append(who, text.Capitalize(part))
	}
	if kind, _ := caller["type"].(string); kind == string(bus.CallerAgent) {
		who = append(who, "(assistant)")
	}
	moment, _ := millis(at)
	said = text.Capitalize(text.Clean(cmp.Or(said, text.SplitName(capability)), 200)) + " — " +
		joinParts(", ", text.Clean(strings.Join(who, " "), 60), moment.Local().Format(momentForm))
	if status, _ := m["status"].(string); status == "error" {
		said += ", not done"
	}
	return said, true
}

// millis reads a moment in milliseconds, of this century.
func millis(n float64) (time.Time, bool) {
	return time.UnixMilli(int64(n)), n >= 1e12 && n < 1e13 && n == float64(int64(n))
}
