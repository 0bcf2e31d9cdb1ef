package builtin

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/bus"
)

// take sets a field to an item, and what else the item says of what is asked for:
// a line that names what it is of names both.
func (r *resolution) take(f field, it item) {
	r.args[f.Name] = it.id
	if raw, err := json.Marshal(it.fields); err == nil {
		r.seen = append(r.seen, raw) // it may say whose it is
	}
	for _, other := range r.fields {
		id, is := it.fields[other.Name].(string)
		if _, known := r.args[other.Name]; is && !known && id != "" && strings.HasSuffix(other.Name, "Id") {
			r.args[other.Name] = id
		}
	}
}

func (d *dialogue) settle(f field, s slotText, top []item, r *resolution) {
	if len(top) > 1 {
		top = ledBy(top, s.lead)
	}
	if it, ok := newestOf(top); ok && s.latest() {
		top = []item{it}
	}
	if len(top) == 1 {
		r.take(f, top[0])
		return
	}
	r.askWhich(f, top, fmt.Sprintf("“%s” fits %d of them. Which %s exactly?", text.Clean(s.text, 80), len(top), lowerLabel(f)))
}

// askWhich asks which of the items is meant; tooMany is the question where they are not offered.
func (r *resolution) askWhich(f field, items []item, tooMany string) {
	if len(items) == 0 {
		r.refuse("There is no %s to choose from, so I cannot do that.", lowerLabel(f))
		return
	}
	r.offer(f, offered(items), fmt.Sprintf("Which %s?", lowerLabel(f)), tooMany)
}

// offer asks with options, or without them where there are none or too many.
func (r *resolution) offer(f field, options []bus.Option, with, without string) {
	if len(options) == 0 || len(options) > maxChoices {
		options, with = nil, without
	}
	r.ask(f, with, options)
}

// settlePart takes a thing together with the part that was named, or the default among the parts that fit.
func (r *resolution) settlePart(f field, s slotText, of item, parts []item, part string) {
	if it, ok := unsaid(parts); ok {
		r.args[f.Name], r.args[part] = of.id, it.id
		return
	}
	var options []bus.Option
	for _, it := range parts {
		options = append(options, bus.Option{Value: it.id, Title: of.name + " " + it.name})
	}
	said := fmt.Sprintf("“%s” can be several. Which one?", text.Clean(s.text, 80))
	r.offer(f, options, said, said)
}
