package builtin

import (
	"slices"
	"strconv"

	"github.com/deskhand/deskhand/agent/internal/text"
)

// units are the ways to say a measure. A number before one is a size, not a
// count: 2 kg of something are not two of it.
var units = map[string]string{
	"kg": "kg", "kgs": "kg", "kilo": "kg", "kilos": "kg", "kilogram": "kg", "kilograms": "kg", "kilogramme": "kg", "kilogrammes": "kg",
	"g": "g", "gr": "g", "gram": "g", "grams": "g", "gramme": "g", "grammes": "g",
	"lb": "lb", "lbs": "lb", "pound": "lb", "pounds": "lb", "oz": "oz", "ounce": "oz", "ounces": "oz",
	"l": "l", "liter": "l", "liters": "l", "litre": "l", "litres": "l", "ml": "ml", "milliliter": "ml", "milliliters": "ml",
	"millilitre": "ml", "millilitres": "ml", "cl": "cl",
}

// size reads a word such as 250g as a size in its plain form.
func size(w string) (string, bool) {
	if !digitFirst(w) {
		return "", false
	}
	i := 0
	for i < len(w) && (w[i] >= '0' && w[i] <= '9' || w[i] == '.' || w[i] == ',') {
		i++
	}
	unit, ok := units[w[i:]]
	if n, err := strconv.ParseFloat(w[:i], 64); ok && err == nil {
		return text.Value(n) + unit, true // 1.0 l is 1 l
	}
	return w[:i] + unit, ok
}

// withSizes joins numbers and units to one word each: "1 kg bags of beans" is
// "1kg beans". The container and the "of" behind a size say nothing more.
func withSizes(list []token) []token {
	var out []token
	for i := 0; i < len(list); i++ {
		t := list[i]
		if n, ok := number([]string{t.word}); ok && !t.quoted && i+1 < len(list) && units[list[i+1].word] != "" && !list[i+1].quoted {
			t.word, t.text, t.end = text.Value(n)+units[list[i+1].word], t.text+" "+list[i+1].text, list[i+1].end
			i++
		} else if s, ok := size(t.word); ok {
			t.word = s
		}
		out = append(out, t)
		if _, ok := size(t.word); !ok {
			continue
		}
		switch {
		case i+1 < len(list) && list[i+1].word == "of":
			i++
		case i+2 < len(list) && list[i+2].word == "of":
			i += 2
		}
	}
	return out
}

// isSize says that a word is a size.
func isSize(t token) bool {
	_, ok := size(t.word)
	return ok
}

// measured moves the last number before a name into the name when a unit stands
// between: from then on nobody has said how many.
func (c command) measured() command {
	order := inOrder(c.slots)
	for _, name := range order {
		s := c.slots[name]
		if f := c.pattern.field(name); f.Lookup == "" || len(s.tokens) == 0 || units[s.tokens[0].word] == "" || s.tokens[0].quoted {
			continue
		}
		if slices.ContainsFunc(s.lead, func(t token) bool { return articles[t.word] }) { // "a kilo of"
			one := s.tokens[0]
			one.word, one.text = "1", "1"
			s.tokens = slices.Concat([]token{one}, s.tokens)
			c.slots[name] = s
			continue
		}
		for _, other := range slices.Backward(order) {
			n := c.slots[other]
			if f := c.pattern.field(other); !f.isNumber() || len(n.tokens) == 0 || n.tokens[len(n.tokens)-1].end > s.tokens[0].start {
				continue
			}
			v, _ := c.pattern.field(other).value(n.tokens, n.text)
			t := n.tokens[0]
			t.word, t.text = text.Value(v), n.text
			s.tokens = slices.Concat([]token{t}, s.tokens)
			s.text = n.text + " " + s.text
			c.slots[name] = s
			delete(c.slots, other)
			break
		}
	}
	return c
}

// articles before a name say that one is meant.
var articles = set("a an one the this that another")

// single says that one of something is meant: "a book", "the book", "a kilo of
// beans".
func (c command) single() bool {
	for name, s := range c.slots {
		if c.pattern.field(name).Lookup == "" || len(s.tokens) == 0 {
			continue
		}
		if slices.ContainsFunc(s.lead, func(t token) bool { return articles[t.word] }) || articles[s.tokens[0].word] && !s.tokens[0].quoted ||
			isSize(withSizes(s.tokens)[0]) {
			return true
		}
	}
	return false
}
