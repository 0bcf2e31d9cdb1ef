package schema

import (
	"encoding/json"
	"regexp"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// Violations says what is wrong with arguments in the words of the labels a
// person sees, not of the schema.
func Violations(input json.RawMessage, violations []bus.Violation) string {
	fields := Fields(input)
	var said []string
	for _, v := range violations {
		said = append(said, violation(fields, v))
	}
	return strings.Join(said, " ")
}

var (
	missing  = regexp.MustCompile(`^missing propert(?:y|ies) (.*)$`)
	unknown  = regexp.MustCompile(`^additional propert(?:y|ies) (.*) not allowed$`)
	inQuotes = regexp.MustCompile(`'([^']*)'`)
	wanted   = regexp.MustCompile(`want (.*)$`)
)

// violation puts one into a sentence: "Quantity must be at least 1."
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
	want := ""
	if m := wanted.FindStringSubmatch(v.Message); m != nil {
		want = text.Clean(m[1], 80)
	}
	keyword, _, _ := strings.Cut(v.Message, ":")
	switch keyword {
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
	case "got string, want integer", "got number, want integer":
		return label + " must be a whole number."
	}
	if m := missing.FindStringSubmatch(v.Message); m != nil {
		return named(fields, m[1]) + " is missing."
	}
	if m := unknown.FindStringSubmatch(v.Message); m != nil {
		return named(fields, m[1]) + " does not belong there."
	}
	if rest, is := strings.CutPrefix(v.Message, "value must be "); is {
		return label + " must be " + text.Clean(strings.ReplaceAll(rest, "'", ""), 200) + "."
	}
	return label + " is not as it must be."
}

// named lists properties by their labels.
func named(fields []Field, list string) string {
	var labels []string
	for _, m := range inQuotes.FindAllStringSubmatch(list, -1) {
		label := Label(m[1])
		for _, f := range fields {
			if f.Name == m[1] {
				label = f.Label()
			}
		}
		labels = append(labels, label)
	}
	return strings.Join(labels, " and ")
}
