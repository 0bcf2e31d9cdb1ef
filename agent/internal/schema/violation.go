package schema

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

// Violations describes invalid arguments in sentences, with the labels that a person sees.
func Violations(input json.RawMessage, violations []bus.Violation) (all bus.Text) {
	fields := Fields(input)
	for i, v := range violations {
		one := violation(fields, v)
		if all = bus.Textf("%s %s", all, one); i == 0 {
			all = one
		}
	}
	return all
}

// english formats numbers for people.
var english = message.NewPrinter(language.English)

// violation describes one violation: "Quantity must be at least 1."
func violation(fields []Field, v bus.Violation) bus.Text {
	label := bus.Textf("What was asked")
	steps := strings.Split(strings.TrimPrefix(v.Path, "/"), "/")
	for _, f := range fields {
		if f.Name == steps[0] {
			label = bus.Phrase(f.Label())
		}
	}
	if n := len(steps) - 1; n > 0 {
		label = bus.Textf("%s (%s)", label, text.SplitName(steps[n]))
	}
	want := english.Sprint(v.Params["want"])
	got, _ := v.Params["got"].(string)
	names, _ := v.Params["properties"].([]string)
	switch v.Keyword {
	case "minimum":
		return bus.Textf("%s must be at least %s.", label, want)
	case "maximum":
		return bus.Textf("%s must be at most %s.", label, want)
	case "minLength":
		if want == "1" {
			return bus.Textf("%s must not be empty.", label)
		}
		return bus.Textf("%s must have at least %s characters.", label, want)
	case "maxLength":
		return bus.Textf("%s must have at most %s characters.", label, want)
	case "type":
		if want == "[integer]" && (got == "string" || got == "number") {
			return bus.Textf("%s must be a whole number.", label)
		}
	case "required":
		return bus.Textf("%s is missing.", labels(fields, names))
	case "additionalProperties":
		return bus.Textf("%s does not belong there.", labels(fields, names))
	case "enum":
		choices, _ := v.Params["want"].([]any)
		return bus.Textf("%s must be %s.", label, bus.Textf("one of %s", text.Clean(list(choices), 200)))
	case "const":
		return bus.Textf("%s must be %s.", label, text.Clean(want, 200))
	}
	return bus.Textf("%s is not as it must be.", label)
}

func list(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, ", ")
}

// labels joins properties by their labels.
func labels(fields []Field, names []string) (all bus.Text) {
	for i, name := range names {
		one := bus.Phrase(Named(fields, name).Label())
		if all = bus.Textf("%s and %s", all, one); i == 0 {
			all = one
		}
	}
	return all
}
