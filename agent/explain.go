package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/schema"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// explanation returns a note for a result that a model could misread: a description of the fields with wrong values, or
// the reason why a list is empty.
func (t *turnRun) explanation(j *job, res bus.Result) string {
	known, is := t.b.o.Bus.Lookup(j.capability)
	switch {
	case !is || readsManifest(t.model):
	case res.Err != nil && res.Err.Code == bus.Validation:
		if said := schema.About(known.InputSchema, res.Err.Violations); said != "" {
			return "What is wanted: " + said + numberHint(res.Err.Violations)
		}
		return strings.TrimSpace(numberHint(res.Err.Violations))
	case res.OK() && j.pure():
		return emptyList(j.call.Arguments, res.Data)
	}
	return ""
}

// numberHint explains the form of a number after a text or a decimal number was refused; "" for other violations.
func numberHint(violations []bus.Violation) string {
	for _, v := range violations {
		want, got := fmt.Sprint(v.Params["want"]), v.Params["got"]
		switch {
		case v.Keyword != "type":
		case strings.Contains(want, "integer") && (got == "string" || got == "number"):
			return " Only a whole number is taken there: digits without quotes and separators, such as 1250."
		case strings.Contains(want, "number") && got == "string":
			return " Write a number without quotes and separators of thousands, with a point before decimals: 1250.5."
		}
	}
	return ""
}

// emptyList lists the conditions that an empty list had to meet together; "" for other results.
func emptyList(arguments, data json.RawMessage) string {
	var asked, got map[string]any
	if json.Unmarshal(arguments, &asked) != nil || json.Unmarshal(data, &got) != nil {
		return ""
	}
	lists := 0
	for _, v := range got {
		if list, is := v.([]any); is && len(list) > 0 {
			return ""
		} else if is {
			lists++
		}
	}
	delete(asked, "limit")
	delete(asked, "cursor")
	if lists != 1 || len(asked) == 0 {
		return ""
	}
	var said []string
	for _, name := range slices.Sorted(maps.Keys(asked)) {
		value, _ := json.Marshal(asked[name]) // it was read from JSON
		said = append(said, fmt.Sprintf("%s %s", name, text.Clean(string(value), 80)))
	}
	return "Nothing is found with all of this: " + strings.Join(said, ", ") + ". Fewer words, or less of it, find more."
}

// unclearAmount refuses a decimal number as an amount of money: a program reads 49.0 as 49 cents, a person as 49
// dollars.
func (t *turnRun) unclearAmount(j *job) *bus.Error {
	known, is := t.b.o.Bus.Lookup(j.capability)
	if !is || j.call.Broken != "" || readsManifest(t.model) {
		return nil
	}
	path := schema.DecimalAmount(known.InputSchema, j.call.Arguments)
	if path == "" {
		return nil
	}
	err := bus.Errorf(bus.Validation, bus.ReasonArguments, "The amount at %s is a decimal number.", path).
		WithHint("Write it in the smallest unit of the currency, as a whole number: 4900 is $49.00.")
	err.Violations = []bus.Violation{{Path: path, Message: "a decimal number, not a whole one"}}
	return err
}
