package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/agent/policy"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// program makes a plan that does something with some of the records of a list, and takes what a row says as a text.
func (r *randomCalls) program() json.RawMessage {
	kind := []string{"order", "customer", "product"}[r.IntN(3)]
	list, pointer, _ := strings.Cut(r.lists[kind], "#")
	var able []*bus.Capability
	for _, c := range r.capabilities {
		if r.harmless(c.Name) && strings.Contains(string(c.InputSchema), `"x-entity":"`+kind+`"`) {
			able = append(able, c)
		}
	}
	c := able[r.IntN(len(able))]
	if r.chance(0.6) { // of the others few are possible with each record
		c, _ = r.desk.Bus.Lookup(map[string]string{"order": "order.addNote", "customer": "customer.addNote",
			"product": "catalog.setPrice"}[kind])
	}
	var schema struct {
		Properties map[string]map[string]any `json:"properties"`
	}
	_ = json.Unmarshal(c.InputSchema, &schema) // it compiles
	args, _ := r.arguments(c, 1).(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		field := schema.Properties[name]
		switch {
		case field["x-entity"] == kind:
			args[name] = map[string]any{"$item": "/id"}
		case args[name] != nil && field["type"] == "string" && field["enum"] == nil && field["format"] == nil &&
			field["x-entity"] == nil && r.chance(0.5):
			args[name] = map[string]any{"$item": map[string]string{"order": "/items", "customer": "/name", "product": "/name"}[kind]}
		}
	}
	reads := map[string]any{"limit": 200}
	if kind == "order" {
		reads["status"] = "pending"
	}
	rows, some := r.rowsOf(list, pointer, reads), []string{}
	for range 1 + r.IntN(3) {
		id, _ := jsonpointer.At(rows[r.IntN(len(rows))], "/id")
		some = append(some, id.(string))
	}
	names, err := r.desk.Bus.Names(r.t.Context(), r.desk.Person, kind, some...)
	if err != nil {
		r.t.Fatal(err)
	}
	maps.Copy(r.names[kind], names)
	raw, err := json.Marshal(map[string]any{"steps": []any{map[string]any{"capability": list, "arguments": reads},
		map[string]any{"capability": c.Name, "arguments": args,
			"$each": map[string]any{"from": "/0" + pointer, "where": map[string]any{"/id": map[string]any{"in": some}}}}}})
	if err != nil {
		r.t.Fatal(err)
	}
	return raw
}

// rowsOf reads a list.
func (r *randomCalls) rowsOf(list, pointer string, arguments any) []any {
	raw, _ := json.Marshal(arguments) // values of JSON
	res := r.desk.Bus.Invoke(r.t.Context(), bus.Invocation{Capability: list, Arguments: raw, Principal: r.desk.Person,
		Caller: bus.Caller{Type: bus.CallerTest, Source: "cards"}})
	var data any
	r.decode(res.Data, &data)
	found, _ := jsonpointer.At(data, pointer)
	rows, _ := found.([]any)
	return rows
}

func (r *randomCalls) decode(raw []byte, into any) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		r.t.Fatal(err)
	}
}

// asDone returns the arguments of a program of [randomCalls.program] as its steps are done, and what it does; any others
// as they are.
func (r *randomCalls) asDone(arguments json.RawMessage) (done json.RawMessage, does string) {
	type step struct {
		Each *struct {
			From  string
			Where map[string]struct{ In []any }
		} `json:"$each,omitempty"`
		Capability string         `json:"capability"`
		Arguments  map[string]any `json:"arguments"`
	}
	var plan struct {
		Steps []step `json:"steps"`
	}
	var written struct{ Steps []map[string]json.RawMessage }
	if json.Unmarshal(arguments, &written) != nil || len(written.Steps) != 2 || written.Steps[1]["$each"] == nil {
		return arguments, ""
	}
	r.decode(arguments, &plan)
	var all []map[string]json.RawMessage
	add := func(capability string, args map[string]any) {
		raw, err := json.Marshal(args)
		if err != nil {
			r.t.Fatal(err)
		}
		name, _ := json.Marshal(capability) // a text
		all = append(all, map[string]json.RawMessage{"capability": name, "arguments": r.desk.Bus.WithDefaults(capability, raw)})
	}
	list, each := plan.Steps[0], plan.Steps[1]
	add(list.Capability, list.Arguments)
	rows := r.rowsOf(list.Capability, strings.TrimPrefix(each.Each.From, "/0"), list.Arguments)
	for _, row := range rows {
		id, _ := jsonpointer.At(row, "/id")
		if !slices.Contains(each.Each.Where["/id"].In, id) {
			continue
		}
		args := map[string]any{}
		for name, v := range each.Arguments {
			if object, _ := v.(map[string]any); object["$item"] != nil {
				v, _ = jsonpointer.At(row, object["$item"].(string))
			}
			args[name] = v
		}
		add(each.Capability, args)
	}
	done, err := json.Marshal(map[string]any{"steps": all})
	if err != nil {
		r.t.Fatal(err)
	}
	return done, each.Capability
}

// withoutShared leaves out the values that a card shows with the first of the steps that share them.
func withoutShared(card policy.Card, leaves []leaf) []leaf {
	values := map[string]string{}
	for _, l := range leaves {
		values[l.Pointer] = string(l.Value)
	}
	stepOf := func(pointer string) (int, string) {
		number, inside, _ := strings.Cut(strings.TrimPrefix(pointer, "/steps/"), "/")
		n, _ := strconv.Atoi(number)
		return n, inside
	}
	return slices.DeleteFunc(leaves, func(l leaf) bool {
		n, inside := stepOf(l.Pointer)
		return slices.ContainsFunc(card.Arguments, func(a policy.CardArgument) bool {
			first, of := stepOf(a.Pointer)
			return of == inside && first < n && n <= a.Through && values[a.Pointer] == string(l.Value)
		})
	})
}
