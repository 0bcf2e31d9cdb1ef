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

// Violations is what is wrong with arguments, in sentences with the labels that a person sees.
func Violations(input json.RawMessage, violations []bus.Violation) string {
	fields := Fields(input)
	var said []string
	for _, v := range violations {
		said = append(said, violation(fields, v))
	}
	return strings.Join(said, " ")
}

// english writes numbers as people read them.
var english = message.NewPrinter(language.English)

// violation is one in a sentence: "Quantity must be at least 1."
func violation(fields []Field, v bus.Violation) string {
	label := "What was asked"
	steps := strings.Split(strings.TrimPrefix(v.Path, "/"), "/")
	for _, f := range fields {
		if f.Name == steps[0] {
			label = f.Label()
		}
	}
	if n := len(steps) - 1; n > 0 {
		label += " (" + text.SplitName(steps[n]) + ")"
	}
	want := english.Sprint(v.Params["want"])
	got, _ := v.Params["got"].(string)
	names, _ := v.Params["properties"].([]string)
	switch v.Keyword {
	case "minimum":
		return label + " must be at least " + want + "."
	case "maximum":
		return label + " must be at most " + want + "."
	case "minLength":
		if want == "1" {
			return label + " must not be empty."
		}
		return label + " must have at least " + want + " characters."
	case "maxLength":
		return label + " must have at most " + want + " characters."
	case "type":
		if want == "[integer]" && (got == "string" || got == "number") {
			return label + " must be a whole number."
		}
	case "required":
		return labels(fields, names) + " is missing."
	case "additionalProperties":
		return labels(fields, names) + " does not belong there."
	case "enum":
		choices, _ := v.Params["want"].([]any)
		return label + " must be " + text.Clean("one of "+list(choices), 200) + "."
	case "const":
		return label + " must be " + text.Clean(want, 200) + "."
	}
	return label + " is not as it must be."
}

func list(values []any) string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = fmt.Sprint(v)
	}
	return strings.Join(texts, ", ")
}

// labels lists properties by their labels.
func labels(fields []Field, names []string) string {
	list := make([]string, len(names))
	for i, name := range names {
		list[i] = Named(fields, name).Label()
	}
	return strings.Join(list, " and ")
}
