package bus

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/deskhand/deskhand/bus/internal/plan"
	"github.com/deskhand/deskhand/bus/internal/schema"
)

// keptStep is a step of a plan that runs later. MinVersion is the version of the capability when the step was saved.
type keptStep struct {
	planStep
	MinVersion string `json:"minVersion"`
}

// blankKey is a key of an object that represents an unknown value: {"$blank": "noteId"}. The object may also contain a
// "title" for display.
const blankKey = "$blank"

var blankName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,39}$`) })

// maxBlankTitle limits the title of a blank, in bytes.
const maxBlankTitle = 120

// Form returns the schema of an object with the values for the blanks of steps. The steps are as plan.propose takes
// them, with {"$blank": name} in their arguments. Each blank has the schema of its position in the input of its
// capability. Form returns an error if a capability cannot be a step, or cannot any longer: a step may contain the
// "minVersion" of its capability.
func (c *Call) Form(steps json.RawMessage) (json.RawMessage, error) {
	var all []keptStep
	if err := json.Unmarshal(steps, &all); err != nil {
		return nil, Errorf(Validation, ReasonArguments, "The steps do not fit: %s.", plainJSONError(err))
	}
	blanks, plain := map[string]any{}, make([]planStep, len(all))
	for i, s := range all {
		plain[i] = s.planStep
	}
	for i, s := range all {
		err := c.b.addBlanks(blanks, s)
		if err == nil && s.Each != nil {
			_, err = c.b.checkEach(plain, i)
		}
		if err != nil {
			return nil, stepError(i, s.planStep, err)
		}
	}
	required := []any{}
	for _, name := range slices.Sorted(maps.Keys(blanks)) {
		if _, has := blanks[name].(map[string]any)["default"]; !has {
			required = append(required, name)
		}
	}
	return schema.AppendCanonical(nil, map[string]any{"type": "object", "properties": blanks, "required": required,
		"additionalProperties": false})
}

// addBlanks adds the schemas of the blanks of a step by name, and checks the other arguments of the step.
func (b *Bus) addBlanks(blanks map[string]any, s keptStep) error {
	if err := b.CheckStep(s.Capability); err != nil {
		return err
	}
	step := b.find(s.Capability)
	r := &run{b: b, cap: step, entry: &Entry{}, inv: Invocation{MinVersion: s.MinVersion}}
	if err := r.checkVersion(); err != nil {
		return err
	}
	args, why := b.decode(orEmpty(s.Arguments))
	if why != "" {
		return Errorf(Validation, ReasonArguments, "The arguments do not fit: %s.", why)
	}
	var open []string
	_, err := plan.Replace(args, "", func(o map[string]any, at string) (any, bool, error) {
		name, isBlank := o[blankKey]
		if plan.IsReference(o) || isBlank {
			open = append(open, at)
		}
		if !isBlank {
			return nil, false, nil
		}
		return nil, true, addBlank(blanks, step, o, name, at)
	})
	if err != nil {
		return err
	}
	wrong := slices.DeleteFunc(step.in.validate(args), func(v Violation) bool {
		return slices.ContainsFunc(open, func(at string) bool { return strings.HasPrefix(v.Path+"/", at+"/") })
	})
	if len(wrong) > 0 {
		return r.violated("request", wrong)
	}
	return nil
}

// addBlank adds the schema of a blank at a position in the arguments of a step.
func addBlank(blanks map[string]any, step *registered, o map[string]any, named any, at string) error {
	name, _ := named.(string)
	title, titled := o["title"]
	text, isText := title.(string)
	if !blankName().MatchString(name) || titled != (len(o) == 2) || titled && (!isText || len(text) > maxBlankTitle) {
		return Errorf(Validation, ReasonArguments, "At %s is no blank.", cmp.Or(at, "/")).
			WithHint(`Write {"$blank": "noteId"}, with a name of up to 40 letters and digits, and perhaps a "title".`)
	}
	node := step.in.NodeAt(at)
	if node == nil {
		return Errorf(Validation, ReasonArguments, "%s has nothing at %s to be filled in.", step.TitleText(), at)
	}
	if _, there := blanks[name]; there {
		return nil // the same value
	}
	node = maps.Clone(node)
	if text != "" {
		node["title"] = text
	}
	blanks[name] = node
	return nil
}

// orEmpty returns raw, or {} if raw is empty.
func orEmpty(raw json.RawMessage) []byte { return []byte(cmp.Or(string(raw), "{}")) }

// Fill returns steps, as plan.propose takes them, with their blanks replaced by values. values is an object with the
// schema from [Call.Form]. at is its position in the arguments of the call, for errors.
func (c *Call) Fill(steps, values json.RawMessage, at string) (json.RawMessage, error) {
	form, err := c.Form(steps)
	if err != nil {
		return nil, err
	}
	s, err := schema.Compile(form)
	if err != nil {
		return nil, err
	}
	given, why := c.b.decode(orEmpty(values))
	wrong := []Violation{{Message: why}}
	if why == "" {
		s.Fill(given)
		wrong = side{s}.validate(given)
	}
	if len(wrong) > 0 {
		e := Errorf(Validation, ReasonArguments, "What was filled in does not fit: %s.", firstOf(wrong)).
			WithHint("Fill in what the form asks for.")
		for _, v := range wrong {
			v.Path, e.SchemaSide = at+v.Path, "request"
			e.Violations = append(e.Violations, v)
		}
		return nil, e
	}
	var all []planStep
	if err := json.Unmarshal(steps, &all); err != nil {
		return nil, err
	}
	for i := range all {
		args, _ := c.b.decode(orEmpty(all[i].Arguments)) // Form read them
		args, err = plan.Replace(args, "", func(o map[string]any, _ string) (any, bool, error) {
			name, is := o[blankKey].(string)
			return given.(map[string]any)[name], is, nil
		})
		if err == nil {
			all[i].Arguments, err = schema.AppendCanonical(nil, args)
		}
		if err != nil {
			return nil, err
		}
	}
	return json.Marshal(all)
}
