package codegen

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/internal/version"
)

// Change is a difference between a capability and the version that a client was generated from.
type Change struct {
	Capability string `json:"capability"`
	Side       string `json:"side,omitempty"` // "request" or "response"; "" for the capability itself
	Path       string `json:"path,omitempty"` // of the field; * stands for any item
	Message    string `json:"message"`
	Breaking   bool   `json:"breaking"` // calls may be refused, or outputs may not be readable
}

// String describes the change on one line.
func (c Change) String() string {
	where := map[string]string{"": "", "request": " takes", "response": " gives"}[c.Side]
	if c.Path != "" {
		where += " " + c.Path
	}
	return c.Capability + where + ": " + c.Message
}

// Compare returns the changes since a client was generated. file is the manifest that it was generated from, or the
// client itself. A client in Go or TypeScript only contains a fingerprint of each capability, so every difference
// counts as breaking. With a manifest, Compare also lists new capabilities.
func Compare(file []byte, now bus.Manifest) ([]Change, error) {
	was, whole, err := contractsIn(file)
	if err != nil {
		return nil, err
	}
	present := map[string]contract{}
	for _, e := range now.Capabilities {
		if present[e.Name], err = contractOf(e); err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
	}
	w := comparison{changes: []Change{}}
	for _, old := range was {
		c, still := present[old.Name]
		delete(present, old.Name)
		w.at = Change{Capability: old.Name}
		switch {
		case !still:
			w.note("", "is gone", true)
			continue
		case c.Version != old.Version:
			w.note("", fmt.Sprintf("is at version %s, was at %s", c.Version, old.Version),
				version.Older(c.Version, old.Version) || version.Raised(c.Version, old.Version))
		}
		if old.Print != "" {
			if old.Print != c.fingerprint() {
				w.note("", "its schemas changed; the manifest that the client was generated from tells how", true)
			}
			continue
		}
		for _, side := range []struct{ name, was, is string }{{"request", old.Takes, c.Takes},
			{"response", old.Gives, c.Gives}} {
			w.at.Side = side.name
			if err := w.side(side.was, side.is); err != nil {
				return nil, fmt.Errorf("%s %s: %w", old.Name, side.name, err)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(present)) {
		if whole {
			w.at = Change{Capability: name}
			w.note("", "is new", false)
		}
	}
	return w.changes, nil
}

var (
	inPython  = regexp.MustCompile(`(?m)^    ("(?:[^"\\]|\\.)*"): \((".*")\),$`)
	inComment = regexp.MustCompile(`(?m)^// contract ("(?:[^"\\]|\\.)*") ("(?:[^"\\]|\\.)*") ([0-9a-f]{16})$`)
)

// contractsIn reads the contracts in a manifest or in a generated client. whole means that the file is a manifest.
func contractsIn(file []byte) (found []contract, whole bool, err error) {
	if text := bytes.TrimSpace(file); len(text) > 0 && text[0] == '{' {
		var m bus.Manifest
		if err := m.UnmarshalJSON(file); err != nil {
			return nil, true, err
		}
		for _, e := range m.Capabilities {
			c, err := contractOf(e)
			if err != nil {
				return nil, true, fmt.Errorf("%s: %w", e.Name, err)
			}
			found = append(found, c)
		}
		return found, true, nil
	}
	for _, row := range inPython.FindAllSubmatch(file, -1) {
		var texts [4]string
		if err := json.Unmarshal(slices.Concat([]byte("["), row[1], []byte(","), row[2], []byte("]")), &texts); err != nil {
			return nil, false, fmt.Errorf("the client was changed by hand: %w", err)
		}
		found = append(found, contract{Name: texts[0], Version: texts[1], Takes: texts[2], Gives: texts[3]})
	}
	for _, row := range inComment.FindAllSubmatch(file, -1) {
		c := contract{Print: string(row[3])}
		if err := errors.Join(json.Unmarshal(row[1], &c.Name), json.Unmarshal(row[2], &c.Version)); err != nil {
			return nil, false, fmt.Errorf("the client was changed by hand: %w", err)
		}
		found = append(found, c)
	}
	if found == nil {
		return nil, false, errors.New("it is neither a manifest nor a generated client")
	}
	return found, false, nil
}

// comparison collects changes.
type comparison struct {
	changes []Change
	at      Change         // the capability and side in comparison
	was, is map[string]any // the documents, for references
	met     map[[2]string]bool
}

func (w *comparison) note(path, message string, breaking bool) {
	c := w.at
	c.Path, c.Message, c.Breaking = path, message, breaking
	w.changes = append(w.changes, c)
}

func (w *comparison) side(was, is string) error {
	if was == is {
		return nil
	}
	var before, after any
	if err := errors.Join(json.Unmarshal([]byte(was), &before), json.Unmarshal([]byte(is), &after)); err != nil {
		return err
	}
	w.was, _ = before.(map[string]any)
	w.is, _ = after.(map[string]any)
	w.met = map[[2]string]bool{}
	return w.schemas("", before, after)
}

// narrower records that fewer values are valid than before, so that calls may be refused. wider records that more
// values are valid, so that a reader may get unknown ones.
func (w *comparison) narrower(path, message string) { w.note(path, message, w.at.Side == "request") }
func (w *comparison) wider(path, message string)    { w.note(path, message, w.at.Side == "response") }

// schemas compares the old and the new schema of a value.
func (w *comparison) schemas(path string, before, after any) error {
	was, _ := before.(map[string]any)
	is, _ := after.(map[string]any)
	oldRef, _ := was["$ref"].(string)
	newRef, _ := is["$ref"].(string)
	if oldRef != "" || newRef != "" {
		if at := [2]string{oldRef, newRef}; w.met[at] {
			return nil
		} else {
			w.met[at] = true
		}
		var err error
		if oldRef != "" {
			before, err = deref(w.was, oldRef)
		}
		if newRef != "" && err == nil {
			after, err = deref(w.is, newRef)
		}
		if err != nil {
			return err
		}
		return w.schemas(path, before, after)
	}
	if before == false || after == false {
		if !reflect.DeepEqual(before, after) {
			w.note(path, "it is "+map[bool]string{true: "not allowed any more", false: "allowed now"}[after == false],
				(after == false) == (w.at.Side == "request"))
		}
		return nil
	}
	w.types(path, was, is)
	w.values(path, was, is)
	w.bounds(path, was, is)
	for _, keyword := range []string{"pattern", "format", "multipleOf", "uniqueItems", "not", "allOf", "prefixItems"} {
		had, has := was[keyword], is[keyword]
		switch {
		case reflect.DeepEqual(had, has):
		case had == nil:
			w.narrower(path, "must fit "+keyword+" "+short(has))
		case has == nil:
			w.wider(path, "need not fit "+keyword+" "+short(had)+" any more")
		default:
			w.note(path, keyword+" is "+short(has)+", was "+short(had), true)
		}
	}
	if err := w.alternatives(path, was, is); err != nil {
		return err
	}
	if err := w.fields(path, was, is); err != nil {
		return err
	}
	if was["items"] == nil && is["items"] == nil {
		return nil
	}
	return w.schemas(path+"/*", orTrue(was["items"]), orTrue(is["items"]))
}

func orTrue(schema any) any {
	if schema == nil {
		return true
	}
	return schema
}

// short formats a value for a sentence.
func short(v any) string {
	text, _ := encoded(v) // it was decoded from JSON
	if len(text) > 80 {
		return text[:80] + "…"
	}
	return text
}

// kindsOf returns the types that a schema accepts, or all types if it names none.
func kindsOf(s map[string]any) (kinds []string) {
	switch t := s["type"].(type) {
	case string:
		kinds = []string{t}
	case []any:
		for _, kind := range t {
			kinds = append(kinds, fmt.Sprint(kind))
		}
	default:
		return []string{"null", "boolean", "integer", "number", "string", "array", "object"}
	}
	if slices.Contains(kinds, "number") && !slices.Contains(kinds, "integer") {
		kinds = append(kinds, "integer")
	}
	return kinds
}

func (w *comparison) types(path string, was, is map[string]any) {
	had, has := kindsOf(was), kindsOf(is)
	lost := slices.DeleteFunc(slices.Clone(had), func(kind string) bool { return slices.Contains(has, kind) })
	added := slices.DeleteFunc(slices.Clone(has), func(kind string) bool { return slices.Contains(had, kind) })
	if len(lost) > 0 {
		w.narrower(path, "cannot be "+strings.Join(lost, ", ")+" any more")
	}
	if len(added) > 0 {
		w.wider(path, "can be "+strings.Join(added, ", ")+" too")
	}
}

// valuesOf returns the values that a schema lists, or nil if it accepts others.
func valuesOf(s map[string]any) (values []string) {
	list, listed := s["enum"].([]any)
	if c, one := s["const"]; one {
		list, listed = []any{c}, true
	}
	if !listed {
		return nil
	}
	values = []string{}
	for _, v := range list {
		values = append(values, short(v))
	}
	return values
}

func (w *comparison) values(path string, was, is map[string]any) {
	had, has := valuesOf(was), valuesOf(is)
	switch {
	case had == nil && has == nil:
	case had == nil:
		w.narrower(path, "can be only "+strings.Join(has, ", "))
	case has == nil:
		w.wider(path, "can be anything, not only "+strings.Join(had, ", "))
	default:
		for _, v := range had {
			if !slices.Contains(has, v) {
				w.narrower(path, "cannot be "+v+" any more")
			}
		}
		for _, v := range has {
			if !slices.Contains(had, v) {
				w.wider(path, "can be "+v+" too")
			}
		}
	}
}

func (w *comparison) bounds(path string, was, is map[string]any) {
	for _, keyword := range []string{"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties",
		"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"} {
		had, before := was[keyword].(float64)
		has, now := is[keyword].(float64)
		least := strings.HasPrefix(strings.TrimPrefix(strings.ToLower(keyword), "exclusive"), "min")
		switch {
		case !before && !now || before && now && had == has:
		case !before:
			w.narrower(path, fmt.Sprintf("%s is %v, was not limited", keyword, has))
		case !now:
			w.wider(path, fmt.Sprintf("%s is not limited, was %v", keyword, had))
		case (has > had) == least:
			w.narrower(path, fmt.Sprintf("%s is %v, was %v", keyword, has, had))
		default:
			w.wider(path, fmt.Sprintf("%s is %v, was %v", keyword, has, had))
		}
	}
}

// alternatives compares anyOf and oneOf. Equal alternatives are ignored. If a single one remains on each side, it
// counts as changed.
func (w *comparison) alternatives(path string, was, is map[string]any) error {
	for _, keyword := range []string{"anyOf", "oneOf"} {
		had, _ := was[keyword].([]any)
		has, _ := is[keyword].([]any)
		same := func(list []any) func(any) bool {
			return func(v any) bool {
				return slices.ContainsFunc(list, func(other any) bool { return reflect.DeepEqual(v, other) })
			}
		}
		lost := slices.DeleteFunc(slices.Clone(had), same(has))
		added := slices.DeleteFunc(slices.Clone(has), same(had))
		switch {
		case had == nil && has != nil:
			w.narrower(path, "must fit one of "+short(has))
		case had != nil && has == nil:
			w.wider(path, "need not fit one of "+short(had)+" any more")
		case len(lost) == 1 && len(added) == 1:
			if err := w.schemas(path, lost[0], added[0]); err != nil {
				return err
			}
		default:
			for _, v := range lost {
				w.narrower(path, "cannot be "+short(v)+" any more")
			}
			for _, v := range added {
				w.wider(path, "can be "+short(v)+" too")
			}
		}
	}
	return nil
}

// fields compares objects. Readers ignore unknown fields.
func (w *comparison) fields(path string, was, is map[string]any) error {
	had, _ := was["properties"].(map[string]any)
	has, _ := is["properties"].(map[string]any)
	request := w.at.Side == "request"
	before, now := needed(was, had, request), needed(is, has, request)
	all := maps.Clone(has)
	if all == nil {
		all = map[string]any{}
	}
	maps.Copy(all, had)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		at := path + "/" + name
		old, existed := had[name]
		field, exists := has[name]
		required := slices.Contains(now, any(name))
		switch {
		case !exists:
			w.note(at, "is gone", true)
			continue
		case !existed && required && request:
			w.note(at, "is new and required", true)
			continue
		case !existed:
			w.note(at, "is new", false)
			continue
		case required && !slices.Contains(before, any(name)):
			w.narrower(at, "is required")
		case !required && slices.Contains(before, any(name)):
			w.wider(at, "can be absent")
		}
		if err := w.schemas(at, old, field); err != nil {
			return err
		}
	}
	open, opened := orTrue(was["additionalProperties"]), orTrue(is["additionalProperties"])
	if reflect.DeepEqual(open, opened) {
		return nil
	}
	if open == false || opened == false {
		w.note(path, "further fields are "+map[bool]string{true: "not allowed any more", false: "allowed"}[opened == false],
			request && opened == false)
		return nil
	}
	return w.schemas(path+"/*", open, opened)
}
