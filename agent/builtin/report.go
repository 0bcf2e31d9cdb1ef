package builtin

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/titles"
)

// report describes the outcome of a call in plain words.
func (t *talk) report(g *guess, r *resolution, res outcome) string {
	tool := g.action.tool
	if !res.ok() {
		return t.failure(tool, res)
	}
	answer := t.sentenceOf(g, tool, res.Data)
	if tool.SideEffect == bus.Pure {
		return cmp.Or(answer, t.describe(res.Data))
	}
	var said []string
	if res.Replayed {
		said = append(said, t.lang.say("again"))
	}
	done := happened(res.Events)
	if answer != "" {
		done = []string{answer}
	} else if t.lang.name != "en" { // the texts of events are English
		done = []string{t.lang.say("done", t.named(g, r))}
	} else if len(done) == 0 {
		done = []string{t.lang.say("done", g.action.title)}
	}
	said = append(said, done...)
	if res.Note != "" {
		said = append(said, text.Sentence(res.Note))
	}
	if answer == "" {
		said = append(said, t.scalars(res.Data, strings.Join(said, " "))...)
	}
	return strings.Join(said, " ")
}

// gapsIn matches the gaps of an answer: a path into a result, with the singular and plural of its unit.
var gapsIn = text.Late(`\{([A-Za-z.]+)(?:\|([^|}]*)\|([^|}]*))?\}`)

// sentenceOf returns the first of the application's sentences for a result whose gaps all have a value. The gap {days}
// inValue the period in the person's words.
func (t *talk) sentenceOf(g *guess, tool model.Tool, data json.RawMessage) string {
	var v any
	_ = json.Unmarshal(data, &v) // other data fills no gaps
	for _, sentence := range t.b.texts[t.lang.name].answers[tool.Capability] {
		whole := true
		said := gapsIn().ReplaceAllStringFunc(sentence, func(gap string) string {
			m := gapsIn().FindStringSubmatch(gap)
			value := strings.Join(t.under(v, strings.Split(m[1], ".")), ", ")
			if sp, is := g.spans[periodSlot]; is && m[1] == periodSlot {
				value = g.s.verbatim(sp.i, sp.j)
			}
			whole = whole && value != ""
			if m[2] != "" {
				value += " " + map[bool]string{true: m[2], false: m[3]}[value == "1"]
			}
			return value
		})
		if whole {
			return text.Capitalize(said)
		}
	}
	return ""
}

// under lists the values at a path, with those of each entry of a list.
func (t *talk) under(v any, path []string) (list []string) {
	if entries, is := v.([]any); is {
		for _, e := range entries {
			list = append(list, t.under(e, path)...)
		}
		return list
	}
	m, is := v.(map[string]any)
	if !is {
		return nil
	}
	if len(path) > 1 {
		return t.under(m[path[0]], path[1:])
	}
	if said, shown := t.shortText(path[0], m[path[0]]); shown {
		list = append(list, said)
	}
	return list
}

// titleOf returns a tool's title in the language.
func (t *talk) titleOf(tool model.Tool) string {
	for _, a := range t.x.actions {
		if a.tool.Name == tool.Name {
			return a.title
		}
	}
	return tool.Title
}

// titled replaces capability names with titles, because only programs know the names.
func (t *talk) titled(said string) string {
	return titles.InPlaceOfNames(said, func(name string) (string, bool) {
		tool, ok := t.tool(name)
		return t.titleOf(tool), ok
	})
}

// happened returns the texts of a call's events: the first change, because later ones are its consequences, and every
// message for the person.
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

// failure describes an error and its remedy, with titles in place of names.
func (t *talk) failure(tool model.Tool, res outcome) string {
	said := text.Sentence(t.titled(res.Message))
	switch {
	case res.Note == text.NobodyAnswered:
		return t.lang.say("unanswered")
	case res.Code == bus.Forbidden && res.Reason == bus.ReasonDeclined:
		return t.lang.say("declined", said)
	case res.Code == bus.Validation && len(res.Violations) > 0:
		return t.lang.say("failed", schema.Violations(tool.Input, res.Violations).String())
	}
	hint := text.Sentence(t.titled(strings.ReplaceAll(res.Hint, "Invoke ", "Use ")))
	return t.lang.say("failed", joinParts(" ", said, hint))
}

// fieldName returns the name of a field of a result in the language, "" if it has none.
func (t *talk) fieldName(key string) string {
	name := strings.ToLower(schema.Label(unscaled(key)))
	if t.lang.name == "en" {
		return name
	}
	return t.b.texts[t.lang.name].label[name]
}

// scalars returns the plain values of an object in their order, each as a sentence with its label. It skips values that
// the reply contains already.
func (t *talk) scalars(data json.RawMessage, already string) (list []string) {
	var m map[string]any
	_ = json.Unmarshal(data, &m) // other data has nothing to show
	for _, k := range schema.Keys(data) {
		said, ok := t.shortText(k, m[k])
		if ok && t.fieldName(k) != "" && (already == "" || !strings.Contains(already, said)) {
			list = append(list, text.Sentence(text.Capitalize(t.fieldName(k))+": "+said))
		}
	}
	return list
}

// opaqueID matches an id made by a program, which has no meaning for a person.
var opaqueID = text.Late(`^(?:[a-z]+_[a-z0-9_-]*[0-9][a-z0-9_-]*|[a-z]+(?:_[a-z0-9]+)+|` +
	`[0-9a-f]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

// shortText formats a value for one line. It omits technical fields.
func (t *talk) shortText(key string, v any) (string, bool) {
	switch key {
	case "nextCursor", "next_cursor", "hasMore", "has_more", "id":
		return "", false
	}
	switch x := v.(type) {
	case string:
		if x == "" || len(x) > 200 || opaqueID().MatchString(x) {
			return "", false
		}
		if day, err := time.Parse(time.DateOnly, x); err == nil {
			return day.Format(t.lang.say("day")), true
		}
		own := t.b.texts[t.lang.name].label[strings.ToLower(text.SplitName(x))]
		return cmp.Or(own, t.titled(text.Clean(x, 200))), true
	case float64:
		if moment, ok := millis(x); ok {
			return moment.Local().Format(t.lang.say("moment")), true
		}
		if unscaled(key) != key {
			return strconv.FormatFloat(x/10_000, 'f', -1, 64) + " %", true
		}
		return text.Value(v), true
	case bool:
		return t.lang.say(map[bool]string{true: "yes", false: "no"}[x]), true
	case map[string]any:
		said, money := text.Money(x)
		if own, is := x["text"].(string); is && money { // as the application formats it
			said = text.Clean(own, 40)
		}
		said = cmp.Or(said, text.NameOf(x))
		return said, said != ""
	}
	return "", false
}

// unscaled returns a name without its unit: a number called …Ppm is in parts per million and shown in percent.
func unscaled(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, "Ppm"), "_ppm")
}

// describe formats a result: its plain values, then its lists.
func (t *talk) describe(data json.RawMessage) string {
	parts := []string{strings.Join(t.scalars(data, ""), " ")}
	var m map[string]json.RawMessage
	_ = json.Unmarshal(data, &m) // other data has nothing to show
	var empty []string
	for _, k := range schema.Keys(data) {
		var list []json.RawMessage
		switch err := json.Unmarshal(m[k], &list); {
		case err != nil || list == nil:
		case len(list) == 0:
			empty = append(empty, t.lang.say("none found", t.fieldName(k)))
		default:
			parts = append(parts, t.listed(t.fieldName(k), list))
		}
	}
	if len(parts) == 1 && len(empty) == 1 {
		parts = append(parts, empty...)
	}
	if more := string(m["hasMore"]) + string(m["has_more"]); more == "true" {
		parts = append(parts, t.lang.say("more there"))
	}
	return cmp.Or(joinParts("\n\n", parts...), t.lang.say("nothing to show"))
}

// maxListed limits the entries of a list in a reply, and maxDetails the values of each entry next to its name.
const maxListed, maxDetails = 8, 4

func (t *talk) listed(name string, list []json.RawMessage) string {
	var lines []string
	if name != "" {
		lines = append(lines, text.Capitalize(name)+":")
	}
	for _, e := range list[:min(maxListed, len(list))] {
		lines = append(lines, "- "+t.entryText(e))
	}
	if left := len(list) - maxListed; left > 0 {
		lines = append(lines, "- "+t.lang.say("more", left))
	}
	return strings.Join(lines, "\n")
}

// entryText describes one entry of a list: its name, or its texts, with its first numbers and parts. The window shows
// the complete entries.
func (t *talk) entryText(raw json.RawMessage) string {
	var m map[string]any
	if json.Unmarshal(raw, &m) != nil {
		return strings.Trim(string(raw), `"`)
	}
	if said, is := t.recordText(m); is {
		return said
	}
	name := fullName(m)
	var details, parts []string
	for _, k := range schema.Keys(raw) {
		said, shown := t.shortText(k, m[k])
		switch v := m[k].(type) {
		case string:
			shown = shown && name == ""
		case float64, map[string]any:
			said = t.fieldName(k) + " " + said
			shown = shown && said[0] != ' '
		case []any:
			for _, p := range v[:min(maxDetails, len(v))] {
				if _, object := p.(map[string]any); object {
					part, _ := json.Marshal(p) // it was read from JSON
					parts = append(parts, strings.ReplaceAll(t.entryText(part), " — ", " "))
				}
			}
		default:
			shown = false
		}
		if shown && len(said) <= 60 && len(details) < maxDetails && !strings.Contains(name, said) {
			details = append(details, said)
		}
	}
	return joinParts(" — ", name, strings.Join(append(details, parts...), ", "))
}

// fullName returns the name of an entry with its label, which distinguishes entries of the same name.
func fullName(m map[string]any) string {
	name := text.NameOf(m)
	label, _ := m["label"].(string)
	if label = text.Clean(label, 120); label != "" && !strings.Contains(name, label) {
		name += " (" + label + ")"
	}
	return name
}

// recordText describes an audit record: the action, the person, the time and the outcome.
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
		joinParts(", ", text.Clean(strings.Join(who, " "), 60), moment.Local().Format(t.lang.say("moment")))
	if status, _ := m["status"].(string); status == "error" {
		said += ", not done"
	}
	return said, true
}

// millis converts milliseconds since 1970 to a time, if they are in this century.
func millis(n float64) (time.Time, bool) {
	return time.UnixMilli(int64(n)), n >= 1e12 && n < 1e13 && n == float64(int64(n))
}

// joinParts joins the parts that are not empty.
func joinParts(separator string, parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), separator)
}
