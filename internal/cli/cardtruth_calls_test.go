package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
	"github.com/deskhand/deskhand/internal/jsonpointer"
)

// randomCalls makes calls that fit the schemas of a shop, with hostile values.
type randomCalls struct {
	*rand.Rand
	t     *testing.T
	desk  *desk.Desk
	words []string                     // of the catalogues of the page, which data must not be taken for
	ids   map[string][]string          // by the kind of record
	names map[string]map[string]string // by the kind of record and its id
	lists map[string]string            // by the kind of record: the capability that lists it, and where

	capabilities []*bus.Capability
}

func newRandomCalls(t *testing.T, d *desk.Desk, seed uint64) *randomCalls {
	t.Helper()
	r := &randomCalls{Rand: rand.New(rand.NewPCG(seed, 7)), t: t, desk: d, ids: map[string][]string{},
		names: map[string]map[string]string{}, lists: map[string]string{}}
	for _, room := range []string{"language", "shop"} {
		r.readWords("../../frontend/src/" + room + "/de.po")
	}
	for _, c := range d.Bus.Capabilities() {
		if c.SideEffect != bus.Pure && !c.Assistant.Hidden && c.Name != "peer.add" {
			r.capabilities = append(r.capabilities, c)
		}
	}
	r.people()
	return r
}

// readWords reads the words of a catalogue that could be a name.
func (r *randomCalls) readWords(file string) {
	f, err := os.Open(file)
	if err != nil {
		r.t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		word, err := strconv.Unquote(strings.TrimPrefix(lines.Text(), "msgid "))
		if err == nil && word != "" && len(word) < 60 && !strings.ContainsAny(word, "{}") {
			r.words = append(r.words, word)
		}
	}
}

// people gives the shop customers, products, carts and orders with hostile names.
func (r *randomCalls) people() {
	try := func(name string, args any) (out struct{ ProductID, CustomerID string }) {
		raw, _ := json.Marshal(args)
		res := r.desk.Bus.Invoke(r.t.Context(), bus.Invocation{Capability: name, Arguments: raw, Principal: r.desk.Person,
			Caller: bus.Caller{Type: bus.CallerTest, Source: "cards"}})
		_ = json.Unmarshal(res.Data, &out) // a name may be refused
		return out
	}
	for range 6 {
		product := try("catalog.createProduct", map[string]any{"name": r.text(120), "variants": []any{map[string]any{
			"price": map[string]any{"amount": 500 + r.IntN(500), "currency": "USD"}, "stock": 50}}})
		customer := try("customer.create", map[string]any{"name": r.text(120), "address": map[string]any{
			"label": r.text(60), "line1": r.text(120), "city": r.text(80), "postalCode": "04101", "country": "US"}})
		try("customer.addPaymentMethod", map[string]any{"customerId": customer.CustomerID, "kind": "onAccount"})
		for range 2 {
			try("cart.addItem", map[string]any{"productId": product.ProductID, "quantity": 2,
				"customerId": customer.CustomerID})
			try("checkout.submit", map[string]any{})
		}
		try("cart.addItem", map[string]any{"productId": product.ProductID, "quantity": 1, "customerId": customer.CustomerID})
	}
	r.look()
}

// look reads which records there are, and their names.
func (r *randomCalls) look() {
	m, err := r.desk.Bus.Manifest(r.t.Context(), bus.View{Caller: bus.CallerUI, Principal: r.desk.Person})
	if err != nil {
		r.t.Fatal(err)
	}
	for _, e := range m.Entities {
		r.ids[e.Type] = nil
		for _, source := range e.Sources {
			name, pointer, _ := strings.Cut(source, "#")
			res := r.desk.Bus.Invoke(r.t.Context(), bus.Invocation{Capability: name, Arguments: json.RawMessage(`{}`),
				Principal: r.desk.Person, Caller: bus.Caller{Type: bus.CallerTest, Source: "cards"}})
			var data any
			_ = json.Unmarshal(res.Data, &data) // what wants arguments lists nothing here
			found, _ := jsonpointer.At(data, pointer)
			records, _ := found.([]any)
			if len(records) > 0 {
				r.lists[e.Type] = source
			}
			for _, one := range records {
				fields, _ := one.(map[string]any)
				if id, is := fields["id"].(string); is && !slices.Contains(r.ids[e.Type], id) {
					r.ids[e.Type] = append(r.ids[e.Type], id)
				}
			}
		}
		names, err := r.desk.Bus.Names(r.t.Context(), r.desk.Person, e.Type, r.ids[e.Type]...)
		if err != nil {
			r.t.Fatal(err)
		}
		if r.names[e.Type] == nil {
			r.names[e.Type] = map[string]string{}
		}
		maps.Copy(r.names[e.Type], names)
	}
}

// kindAt is the kind of record that a place in the arguments of a call is the id of.
func (r *randomCalls) kindAt(name string, arguments any, pointer string) string {
	if step, inside, isStep := strings.Cut(pointer, "/arguments/"); isStep {
		of, _ := jsonpointer.At(arguments, step+"/capability")
		name, _ = of.(string)
		pointer = "/" + inside
	}
	c, known := r.desk.Bus.Lookup(name)
	if !known {
		return ""
	}
	var of any
	if err := json.Unmarshal(c.InputSchema, &of); err != nil {
		r.t.Fatal(err)
	}
	kind := ""
	for token := range strings.SplitSeq(pointer[1:], "/") {
		inside, found := jsonpointer.At(of, "/properties/"+token)
		if !found {
			inside, _ = jsonpointer.At(of, "/items")
		}
		of = inside
		if said, is := jsonpointer.At(of, "/x-entity"); is {
			kind, _ = said.(string)
		}
	}
	return kind
}

// refused leaves out what no call of an assistant without a window does.
func (r *randomCalls) refused(name string, result *sdk.CallToolResult) {
	raw, _ := json.Marshal(result)
	for _, never := range []string{"agent_forbidden", "This needs Deskhand's window"} {
		if bytes.Contains(raw, []byte(never)) {
			r.capabilities = slices.DeleteFunc(r.capabilities, func(c *bus.Capability) bool { return c.Name == name })
		}
	}
}

func (r *randomCalls) chance(p float64) bool { return r.Float64() < p }

// harmless reports whether a call may be allowed without an end to the walk.
func (r *randomCalls) harmless(name string) bool {
	room, _, _ := strings.Cut(name, ".")
	return slices.Contains([]string{"cart", "catalog", "customer", "order", "view"}, room) && name != "customer.erase"
}

// next makes a call.
func (r *randomCalls) next() (name string, arguments json.RawMessage) {
	if r.chance(0.15) {
		return "plan.propose", r.program()
	}
	c := r.capabilities[r.IntN(len(r.capabilities))]
	arguments, err := json.Marshal(r.arguments(c, 0))
	if err != nil {
		r.t.Fatal(err)
	}
	return c.Name, arguments
}

func (r *randomCalls) arguments(c *bus.Capability, depth int) any {
	var schema map[string]any
	if err := json.Unmarshal(c.InputSchema, &schema); err != nil {
		return map[string]any{}
	}
	return r.value(schema, depth)
}

// value makes a value that fits a schema as well as it can without solving it.
func (r *randomCalls) value(schema map[string]any, depth int) any {
	if all, is := schema["enum"].([]any); is {
		return all[r.IntN(len(all))]
	}
	if of, is := schema["x-entity"].(string); is && len(r.ids[of]) > 0 && r.chance(0.95) {
		return r.ids[of][r.IntN(len(r.ids[of]))]
	}
	kind := schema["type"]
	if several, is := kind.([]any); is {
		kind = several[0]
	}
	switch kind {
	case "object":
		return r.object(schema, depth)
	case "array":
		items, _ := schema["items"].(map[string]any)
		list := []any{}
		for range number(schema["minItems"], 0) + r.IntN(3) {
			list = append(list, r.value(items, depth+1))
		}
		return list
	case "integer", "number":
		low := number(schema["minimum"], 0)
		return low + r.IntN(min(number(schema["maximum"], low+1000)-low, 1000)+1)
	case "boolean":
		return r.chance(0.5)
	}
	return r.formed(schema)
}

func number(v any, otherwise int) int {
	if n, is := v.(float64); is {
		return int(n)
	}
	return otherwise
}

func (r *randomCalls) object(schema map[string]any, depth int) any {
	made := map[string]any{}
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	if properties["capability"] != nil && properties["arguments"] != nil && depth < 3 { // a step of a plan
		c := r.capabilities[r.IntN(len(r.capabilities))]
		return map[string]any{"capability": c.Name, "arguments": r.arguments(c, depth+1)}
	}
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		of, _ := properties[name].(map[string]any)
		if slices.Contains(required, any(name)) || r.chance(0.5) {
			if v := r.value(of, depth+1); v != "" || of["pattern"] == nil {
				made[name] = v
			}
		}
	}
	if name, money := made["currency"]; money && made["amount"] != nil && name != "" {
		made["currency"] = "USD"
	}
	if len(properties) == 0 && schema["additionalProperties"] != false {
		for range r.IntN(3) {
			made[r.text(40)] = r.text(100)
		}
	}
	return made
}

// formed makes a text of a format, or any.
func (r *randomCalls) formed(schema map[string]any) string {
	switch schema["format"] {
	case "date":
		return fmt.Sprintf("2026-%02d-%02d", 1+r.IntN(12), 1+r.IntN(28))
	case "email":
		return fmt.Sprintf("ana%d@example.com", r.IntN(100))
	case "uri":
		return "https://example.com/" + strconv.Itoa(r.IntN(100))
	}
	if pattern, is := schema["pattern"].(string); is {
		return map[string]string{"^([01][0-9]|2[0-3]):[0-5][0-9]$": "18:00", "^[a-z0-9_-]{1,40}$": "home",
			"^[a-z0-9-]{1,40}$": "home", "^[0-9]+$": "7", "^[A-Z]{3}$": "USD", "^[0-9]{4}$": "4242", "^[A-Z]{2}$": "US",
			`^[a-z][A-Za-z]*\.[a-z][A-Za-z]*$`: "order.addNote"}[pattern]
	}
	return r.text(number(schema["maxLength"], 10_000))
}

// text makes a hostile text of at most so many characters.
func (r *randomCalls) text(most int) string {
	one := func() string {
		if r.chance(0.4) {
			return r.words[r.IntN(len(r.words))]
		}
		return hostileTexts[r.IntN(len(hostileTexts))]
	}
	text := one()
	switch {
	case r.chance(0.05):
		text = strings.Repeat(text+" ", 1+10_000/len(text))
	case r.chance(0.3):
		text += []string{", ", "; ", ": ", " of ", ". ", " "}[r.IntN(6)] + one()
	}
	if letters := []rune(text); len(letters) > most {
		text = string(letters[:most])
	}
	return text
}
