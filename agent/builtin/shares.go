package builtin

import (
	"maps"

	"github.com/deskhand/deskhand/agent/internal/schema"
)

// share is one part of an amount that several records split: "20 cash, the rest by card".
type share struct {
	record any // the value that its words mean
	amount any // an amount, a [bareAmount], or nil for the rest
}

// sharing returns the field of a list's entries that names a record by words of a closed set, the slot with these
// words, and the field for the amount.
func (a *action) sharing(sl *slot) (of *slot, record, amount schema.Field) {
	for _, e := range sl.entry {
		if named := a.slot(e.Name); e.Entity != "" && named != nil && len(named.values) > 0 {
			of, record = named, e
		}
		if e.Money {
			amount = e
		}
	}
	return of, record, amount
}

// shares reads the parts of an amount that begin at a word.
func (s *sentence) shares(of *slot, i int) []scored {
	var parts []share
	amounts, end := 0, i
	for {
		one, j := s.share(of, end)
		if j == end {
			break
		}
		if one.amount != nil {
			amounts++
		}
		parts, end = append(parts, one), j
	}
	if len(parts) < 2 || amounts < len(parts)-1 && !s.halved(i, end) {
		return nil
	}
	return []scored{{span{i, end, parts, true}, 0.9 + 0.85*float64(end-i)}}
}

// share reads one part: a record with an amount or a word such as rest, in either order.
func (s *sentence) share(of *slot, i int) (one share, j int) {
	sized := false
	for k := i; k < len(s.list) && (one.record == nil || !sized); {
		value, to := s.valueAt(of, k)
		amount, n := s.partAt(k)
		switch {
		case to > k && one.record == nil:
			one.record, k = value, to
		case n > 0 && !sized:
			one.amount, sized, k = amount, true, k+n
		case to == 0 && n == 0 && (s.list[k].noise || s.list[k].common || s.joins(k)):
			k++
			continue
		default:
			return share{}, i
		}
		j = k
	}
	if one.record == nil || !sized {
		return share{}, i
	}
	return one, j
}

// partAt reads an amount, or a word for a part, at a word.
func (s *sentence) partAt(k int) (amount any, n int) {
	if f, is := s.findsAt(anAmount, k); is {
		return f.value, f.j - k
	}
	if f, is := s.findsAt(aNumber, k); is {
		return bareOf(f.value), f.j - k
	}
	n, _ = s.lang.at("parts", s.list, k)
	return nil, n
}

// valueAt returns the value of the longest run of words at an index that means a value of a slot.
func (s *sentence) valueAt(of *slot, k int) (value any, to int) {
	for _, v := range of.values {
		if j := s.matches(v.stems, k); j > to {
			value, to = v.value, j
		}
	}
	return value, to
}

// halved reports whether a range of words names a part by its share and not by an amount.
func (s *sentence) halved(i, j int) bool {
	for k := i; k < j; k++ {
		if n, value := s.lang.at("parts", s.list, k); n > 0 && value != "" {
			return true
		}
	}
	return false
}

// shared determines a list of the parts that records split.
func (t *talk) shared(g *guess, sl *slot, parts []share, r *resolution) {
	_, record, amount := g.action.sharing(sl)
	var out []any
	for _, one := range parts {
		entry := &resolution{from: r.from, end: r.end, args: maps.Clone(r.args), names: map[string]string{}}
		if src, known := t.source(g.action.tool, record.Entity); known {
			t.ofKind(g, record, span{value: one.record}, src, entry)
		}
		of := map[string]any{record.Name: one.record}
		if id, is := entry.args[record.Name]; is {
			of[record.Name] = id
		}
		r.need = append(r.need, entry.need...)
		r.ask(entry.asked)
		if one.amount != nil {
			said := &resolution{from: r.from, end: r.end, args: map[string]any{}}
			t.money(g, amount, one.amount, said)
			of[amount.Name] = said.args[amount.Name]
			r.need = append(r.need, said.need...)
			r.ask(said.asked)
		}
		out = append(out, of)
	}
	r.args[sl.name] = out
}
