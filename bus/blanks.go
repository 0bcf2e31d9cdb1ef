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

// keptStep is a step of a plan that is done later. MinVersion is of the capability when the step was kept.
type keptStep struct {
	planStep
	MinVersion string `json:"minVersion"`
}

// blankKey is a key of an object that stands for a value that is not known yet: {"$blank": "noteId"}, perhaps with a
// "title" for people.
const blankKey = "$blank"

var blankName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,39}$`) })

// maxBlankTitle is how many bytes the title of a blank may have.
const maxBlankTitle = 120

// Form returns what is to be filled in where the arguments of steps, as plan.propose takes them, have {"$blank": name}:
// the schema of an object with each blank as the input of its capability has that place. It is an error if a step
// cannot be one, or not any more: a step may say the "minVersion" of its capability.
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

// addBlanks adds what the blanks of a step are, by name, and checks the rest of its arguments.
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

// addBlank adds what a blank at a place in the arguments of a step is.
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
		return nil // it is the same value
	}
	node = maps.Clone(node)
	if text != "" {
		node["title"] = text
	}
	blanks[name] = node
	return nil
}

// orEmpty is raw, and {} for nothing.
func orEmpty(raw json.RawMessage) []byte { return []byte(cmp.Or(string(raw), "{}")) }

// Fill returns steps with values in the place of their blanks, as plan.propose takes them. The values are an object as
// [Call.Form] describes it, which stands at a place of the arguments of the call.
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
