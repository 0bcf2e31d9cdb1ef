package bus

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// Choice is an argument with its possible values. An error and a question may have choices. A window shows the options
// as buttons, a terminal numbers them, and a model gets their values.
type Choice struct {
	Field   string   `json:"field"`   // JSON Pointer of the argument without the first slash, "rooms/0/id"
	Options []Option `json:"options"` // at least one

	// Capability is the capability of a plan's step that has the argument; else "".
	Capability string `json:"capability,omitempty"`
}

// Option is one value of a Choice.
type Option struct {
	Value any    `json:"value"` // the value for the argument, such as an id
	Title string `json:"title"` // for display; differs from the titles of the other options
}

// maxOptions limits the options that are offered at once.
const maxOptions = 50

// WithChoice returns a copy of e that offers values for an argument. Without options it offers nothing. It offers at
// most the first 50 options. Choices are in the result but not in the record, because the possible values change.
func (e *Error) WithChoice(field string, options ...Option) *Error {
	if len(options) == 0 {
		return e
	}
	c := *e
	options = slices.Clone(options[:min(len(options), maxOptions)])
	c.Choices = append(slices.Clone(e.Choices), Choice{Field: field, Options: options})
	return &c
}

// offer adds to an error the records that could replace a nonexistent id in the arguments. For a plan these are the
// choices of the refused step.
func (r *run) offer(ctx context.Context, e *Error) (told *Error) {
	of, step := r, r.refusedStep.Load()
	if step != nil {
		of = step.run
	}
	if e == nil || of.cap == nil || e.Reason != ReasonRecord && e.Reason != ReasonState || e.Choices != nil ||
		ctx.Err() != nil {
		return e
	}
	defer func() {
		if p := recover(); p != nil {
			_ = r.panicked(p) // the log has the error; the result has no choices
			told = e
		}
	}()
	told = e
	_ = r.b.o.Journal.View(ctx, func(ctx context.Context) error { // without choices the error stays the same
		lists := lists{}
		for _, id := range of.givenIDs() {
			told = told.WithChoice(id.field, of.options(ctx, id, lists)...)
		}
		return nil
	})
	if step != nil {
		told = told.ofStep(step.at, of.cap.Name)
	}
	return told
}

// ofStep returns e with the choices of a plan's step as choices of the plan.
func (e *Error) ofStep(i int, capability string) *Error {
	c := *e
	c.Choices = slices.Clone(e.Choices)
	for n := range c.Choices {
		c.Choices[n].Field = fmt.Sprintf("steps/%d/arguments/%s", i, c.Choices[n].Field)
		c.Choices[n].Capability = capability
	}
	return &c
}

// givenID is an argument that is the id of a record.
type givenID struct {
	field string
	kind  *kind
	text  string
}

// maxGiven limits the ids of a call that are looked up.
const maxGiven = 20

// givenIDs returns the ids in the arguments, also within lists and objects.
func (r *run) givenIDs() (ids []givenID) {
	kinds := r.b.listed.Load().kinds
	var walk func(value any, pointer, pattern string)
	walk = func(value any, pointer, pattern string) {
		switch v := value.(type) {
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				step := "/" + jsonpointer.Escape(name)
				walk(v[name], pointer+step, pattern+step)
			}
		case []any:
			for i, item := range v {
				walk(item, fmt.Sprint(pointer, "/", i), pattern+"/*")
			}
		case string:
			kind := kinds[r.cap.in.EntityAt(pattern)]
			if v != "" && kind != nil && kind.by != nil && len(ids) < maxGiven {
				ids = append(ids, givenID{strings.TrimPrefix(pointer, "/"), kind, v})
			}
		}
	}
	walk(r.args, "", "")
	return ids
}

// lists holds the records of lists without a query by the name of the list, so that each is read once for all ids.
type lists map[string][]map[string]any

// maxFound limits the records that are offered instead of a nonexistent one.
const maxFound = 8

// options returns records of a kind that the caller may read, as replacements for a given id. It returns none if the
// list from which this call takes ids contains the id. A list with a query searches for the given text. Of another list
// it returns the records that contain the text, or all records if there are few.
func (r *run) options(ctx context.Context, id givenID, read lists) []Option {
	l := r.b.listed.Load()
	of := r.cap.entry().Sources[id.kind.Type]
	name, pointer, _ := strings.Cut(of, "#")
	at, known := l.at[name]
	if !known {
		return nil
	}
	list, args, words := l.caps[at], map[string]any{}, id.text
	given, _ := r.args.(map[string]any)
	for _, required := range list.in.Required() {
		args[required] = given[required]
	}
	searched := list.in.HasField("/query")
	records, again := read[of]
	if searched {
		args["query"], again = words, false
		if names, err := r.b.namesIn(ctx, r.inv.Principal, id.kind.Type, []string{words}); err != nil ||
			names[words] != "" {
			return nil
		}
	}
	if !again {
		records = r.read(ctx, list, args, pointer)
		read[of] = records
	}
	if slices.ContainsFunc(records, func(record map[string]any) bool { return record["id"] == words }) {
		return nil
	}
	if !searched {
		found := slices.DeleteFunc(slices.Clone(records), func(record map[string]any) bool {
			return !strings.Contains(strings.ToLower(fmt.Sprint(record)), strings.ToLower(words))
		})
		if len(found) > 0 || len(records) > maxFound {
			records = found
		}
	}
	return r.named(ctx, id.kind, records[:min(len(records), maxFound)])
}

// read lists records in the snapshot of ctx with the checks of an invocation. It returns none if the caller may not
// read them or a person would have to confirm.
func (r *run) read(ctx context.Context, list *registered, args map[string]any, pointer string) []map[string]any {
	return recordsIn(r.answer(ctx, list, args), pointer)
}

// answer returns the output of a pure capability without its secrets; see read.
func (r *run) answer(ctx context.Context, list *registered, args map[string]any) json.RawMessage {
	look := r.b.start(Invocation{Capability: list.Name, Caller: r.inv.Caller, Principal: r.inv.Principal})
	look.cap, look.seed, look.now = list, r.seed, r.now
	look.inv.Arguments, _ = json.Marshal(args) // they came from JSON
	if !(View{Principal: r.inv.Principal, Caller: r.inv.Caller.Type}).sees(&list.sight) {
		return nil
	}
	for _, check := range []func(context.Context) error{look.validateInput, look.authorize, look.checkStillReady} {
		if check(ctx) != nil {
			return nil
		}
	}
	if d := look.entry.Decision; d != nil && d.Rule != RuleAllow {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, look.timeout())
	defer cancel()
	data, err := list.handle(ctx, look.newCall())
	if err != nil {
		return nil
	}
	look.setResult(Result{Data: data}) // without its secrets
	return look.entry.Result.Data
}

// recordsIn returns the objects of the list at a JSON Pointer of an output.
func recordsIn(data json.RawMessage, pointer string) (records []map[string]any) {
	var answer any
	_ = json.Unmarshal(data, &answer) // invalid JSON contains no list
	at, _ := jsonpointer.At(answer, pointer)
	list, _ := at.([]any)
	for _, item := range list {
		if record, is := item.(map[string]any); is {
			records = append(records, record)
		}
	}
	return records
}

// named makes options of records with distinct titles. If several records share a name, the title also contains a field
// that differs.
func (r *run) named(ctx context.Context, k *kind, records []map[string]any) (options []Option) {
	var ids []string
	for _, record := range records {
		id, _ := record["id"].(string)
		ids = append(ids, id)
	}
	names := map[string]string{}
	if k.Resolve != nil {
		names, _ = r.b.namesIn(ctx, r.inv.Principal, k.Type, ids) // a record without a name is no option
	}
	same := map[string][]map[string]any{}
	for i, record := range records {
		names[ids[i]] = cmp.Or(names[ids[i]], k.NameOf(record))
		same[names[ids[i]]] = append(same[names[ids[i]]], record)
	}
	for i, record := range records {
		title := names[ids[i]]
		if title == "" || ids[i] == "" {
			continue
		}
		if others := same[title]; len(others) > 1 {
			title += " (" + distinction(record, others) + ")"
		}
		options = append(options, Option{ids[i], title})
	}
	return options
}

// distinction returns the first text of a record, by field name, that no other record has, or its id if there is none.
func distinction(record map[string]any, among []map[string]any) string {
	for _, field := range slices.Sorted(maps.Keys(record)) {
		text, _ := record[field].(string)
		shared := 0
		for _, other := range among {
			if said, _ := other[field].(string); said == text {
				shared++
			}
		}
		if text != "" && shared == 1 && field != "id" && !strings.HasSuffix(field, "Id") {
			return text
		}
	}
	return fmt.Sprint(record["id"])
}
