package builtin

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
	"github.com/deskhand/deskhand/agent/internal/text"
	"github.com/deskhand/deskhand/agent/model"
)

// pointed says that words point at something spoken of rather than name it: "it", "that folder", "her last folder".
func (s slotText) pointed(f field) bool {
	points := slices.ContainsFunc(s.lead, func(t lexicon.Token) bool {
		return lexicon.Pronouns[t.Word] || pointers[t.Word]
	})
	for _, t := range s.tokens {
		switch {
		case t.Quoted:
			return false
		case lexicon.Pronouns[t.Word] || newest[t.Word] || sameAgain[t.Word]:
			points = true
		case !lexicon.Noise[t.Word] && t.Word != "'s" && !lexicon.SameWord(t.Word, f.kindWord()):
			return false
		}
	}
	return points && len(s.tokens) > 0
}

// pointedAt finds "that folder" where the kind of thing is a word of the phrase itself, so that no slot has taken it.
func (c reading) pointedAt(f field) (slotText, bool) {
	for i := 1; i < len(c.said); i++ {
		t, before := c.said[i], c.said[i-1]
		if lexicon.SameWord(t.Word, f.kindWord()) && pointers[before.Word] && !t.Quoted && !before.Quoted {
			return slotText{text: before.Text + " " + t.Text, tokens: c.said[i : i+1], lead: c.said[i-1 : i]}, true
		}
	}
	return slotText{}, false
}

// latest says that the newest of several is meant.
func (s slotText) latest() bool {
	return slices.ContainsFunc(s.tokens, func(t lexicon.Token) bool { return newest[t.Word] && !t.Quoted })
}

// owned says that the words are "her address" or "my folder": whose it is, not which one was spoken of.
func (s slotText) owned() bool {
	return slices.ContainsFunc(s.lead, func(t lexicon.Token) bool {
		return owners[t.Word] || lexicon.OwnPronouns[t.Word] && t.Word != "this" && t.Word != "current"
	})
}

// recall finds what words that point stand for: the value this field had last in the conversation, or what was found
// when it was last looked up. Several found are for the person to choose from. "My" and "our" mean what is current,
// which is what the application assumes by itself.
func (d *dialogue) recall(f field, s slotText, from, end int) []item {
	if last := s.tokens[len(s.tokens)-1]; lexicon.OwnPronouns[last.Word] || s.owned() && !s.latest() {
		return nil
	}
	tool, _ := d.tool(f.Lookup)
	for i := min(from, end-1); i >= 0; i-- {
		for _, c := range slices.Backward(d.messages[i].Calls) {
			id, given := stringAt(c.Arguments, f.Name)
			if given && !s.latest() {
				return []item{{lex: d.lex, id: id, name: id}}
			}
			res := d.result(c.ID, i, end)
			if !res.ok() {
				continue
			}
			if id, ok := within(res.Data, f.Name); ok && !s.latest() {
				return []item{{lex: d.lex, id: id, name: id}}
			}
			if items := listAt(d.lex, res.Data, f.LookupList); c.Tool == tool.Name && len(items) > 0 && !given {
				return asked(items, c)
			}
		}
	}
	return nil
}

// within finds an id in a result or in a part of it.
func within(data json.RawMessage, name string) (string, bool) {
	if id, ok := stringAt(data, name); ok {
		return id, true
	}
	var parts map[string]json.RawMessage
	_ = json.Unmarshal(data, &parts) // anything else has no parts
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		if id, ok := stringAt(parts[key], name); ok {
			return id, true
		}
	}
	return "", false
}

// asked keeps the item that was searched for by name, when a search has found others beside it.
func asked(items []item, search model.Call) []item {
	query, _ := stringAt(search.Arguments, "query")
	if top := pick(items, text.Words(query)); query != "" && len(top) == 1 {
		return top
	}
	return items
}

// ownersOf adds to what is known who "her" and "his" are, where the look-up can be narrowed to a person.
func (d *dialogue) ownersOf(tool model.Tool, s slotText, args map[string]any, from, end int) map[string]any {
	known := maps.Clone(args)
	if !slices.ContainsFunc(s.lead, func(t lexicon.Token) bool { return owners[t.Word] }) {
		return known // it belongs to no third person
	}
	for _, in := range readSchema(d.lex, tool.Input, tool.Sources) {
		if _, have := known[in.Name]; have || in.Lookup == "" {
			continue
		}
		if who := d.recall(in, slotText{tokens: s.lead}, from, end); len(who) == 1 {
			known[in.Name] = who[0].id
		}
	}
	return known
}

// newestOf picks the item with the latest date; false when they have none, or share it.
func newestOf(items []item) (item, bool) {
	var top item
	var at time.Time
	tie := false
	for _, it := range items {
		t, ok := it.when()
		switch {
		case !ok:
			return item{}, false
		case top.id == "" || t.After(at):
			top, at, tie = it, t, false
		case t.Equal(at):
			tie = true
		}
	}
	return top, len(items) > 0 && !tie
}

// when is the moment of an item: a time in milliseconds if it has one, else a day; of
// several the first by the name of its field.
func (it item) when() (time.Time, bool) {
	var day time.Time
	for _, k := range slices.Sorted(maps.Keys(it.fields)) {
		switch t := it.fields[k].(type) {
		case float64:
			if moment, ok := millis(t); ok {
				return moment, true
			}
		case string:
			if d, err := time.Parse(time.DateOnly, t); err == nil && day.IsZero() {
				day = d
			}
		}
	}
	return day, !day.IsZero()
}

// millis reads a number as milliseconds since 1970 when it can hardly be anything
// else: whole, and between 2001 and 2286.
func millis(n float64) (time.Time, bool) {
	if n < 1e12 || n >= 1e13 || n != float64(int64(n)) {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(n)), true
}
