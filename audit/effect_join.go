package audit

import (
	"bytes"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

// effects joins the changes of each row into one effect, in the order in which rows were first changed.
func (c *capture) effects() []bus.Effect {
	if c.bulk != nil {
		return c.bulk.effects()
	}
	if len(c.changes) == 1 {
		f := fate{c.changes[0].table, c.changes[0].before, c.changes[0].after}
		if e, ok := f.effect(); ok {
			return []bus.Effect{e}
		}
		return nil
	}
	j := joiner{live: map[string]*fate{}, gone: map[string]*fate{}}
	for _, ch := range c.changes {
		j.add(ch)
	}
	var out []bus.Effect
	for _, f := range j.order {
		if e, ok := f.effect(); ok {
			out = append(out, e)
		}
	}
	return out
}

// fate is the first and the last image of one row.
type fate struct {
	table *table
	first []any // nil if the row did not exist
	last  []any // nil if the row no longer exists
}

// joiner follows rows through changes of their key.
type joiner struct {
	order []*fate
	live  map[string]*fate // by the present key
	gone  map[string]*fate // deleted rows, by their first key
}

// add applies one change to the row that it concerns.
func (j *joiner) add(ch change) {
	f := j.find(ch)
	f.last = ch.after
	if ch.after != nil {
		j.live[ch.table.identity(ch.after)] = f
		return
	}
	if f.first != nil {
		j.gone[ch.table.identity(f.first)] = f
	}
}

// find takes the row's fate out of the index, or begins one.
func (j *joiner) find(ch change) *fate {
	index, image := j.live, ch.before
	if ch.before == nil {
		index, image = j.gone, ch.after // an insert may restore a deleted row
	}
	id := ch.table.identity(image)
	if f, ok := index[id]; ok {
		delete(index, id)
		return f
	}
	f := &fate{table: ch.table, first: ch.before}
	j.order = append(j.order, f)
	return f
}

// effect returns false if the changes cancel out.
func (f *fate) effect() (bus.Effect, bool) {
	e := bus.Effect{Table: f.table.name}
	switch {
	case f.first == nil && f.last == nil:
		return e, false
	case f.first == nil:
		e.Op, e.Key, e.After = bus.Insert, f.table.keyOf(f.last), f.table.named(f.last, nil)
	case f.last == nil:
		e.Op, e.Key, e.Before = bus.Delete, f.table.keyOf(f.first), f.table.named(f.first, nil)
	default:
		e.Op, e.Key = bus.Update, f.table.keyOf(f.first)
		e.Before, e.After = f.table.named(f.first, f.last), f.table.named(f.last, f.first)
		return e, len(e.After) > 0
	}
	return e, true
}

// keyOf returns the values of the primary key's columns, by name.
func (t *table) keyOf(row []any) map[string]any {
	key := make(map[string]any, len(t.key))
	for _, i := range t.key {
		key[t.columns[i]] = row[i]
	}
	return key
}

// named maps columns to a row's values; with other, only the values that differ from it.
func (t *table) named(row, other []any) map[string]any {
	out := make(map[string]any, len(row))
	for i, v := range row {
		if other == nil || !equalValues(v, other[i]) {
			out[t.columns[i]] = v
		}
	}
	return out
}

// equalValues compares two column values; blobs are compared by content.
func equalValues(a, b any) bool {
	x, ok := a.([]byte)
	if !ok {
		return a == b
	}
	y, ok := b.([]byte)
	return ok && bytes.Equal(x, y)
}

// identity encodes the row's table and key: different rows have different ones.
func (t *table) identity(row []any) string {
	buf := append([]byte(t.name), 0)
	for _, i := range t.key {
		buf = chain.AppendValue(buf, row[i])
	}
	return string(buf)
}
