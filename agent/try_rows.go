package agent

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
)

// rowChange is the combined change of one row by the calls of a turn.
type rowChange struct {
	table       string
	key         map[string]any
	first, last map[string]any // the changed values, before and after
	made, gone  bool
	by          []string // the capabilities that changed it
}

// moment is a value that may be a time: the value, and its distance from the time of the call that wrote it.
type moment struct{ at, since int64 }

// firstMoment is September 2001 in milliseconds. A smaller number is no time, and amounts of money are smaller.
const firstMoment = 1_000_000_000_000

// add copies values into a row: all of them, or only those that the row lacks.
func add(row, values map[string]any, called int64, all bool) {
	for column, v := range values {
		if _, is := row[column]; is && !all {
			continue
		}
		row[column] = v
		if _, text := v.(string); text {
			continue
		}
		if n, err := strconv.ParseInt(fmt.Sprint(v), 10, 64); err == nil && n >= firstMoment {
			row[column] = moment{n, n - called}
		}
	}
}

// same reports whether two values are equal. Two times are also equal if they have the same distance from their calls.
func same(a, b any) bool {
	x, one := a.(moment)
	y, other := b.(moment)
	return one && other && (x.at == y.at || x.since == y.since) || reflect.DeepEqual(a, b)
}

// rowsOf combines the changes of a turn's calls row by row, in the order of the first change.
func rowsOf(records []audit.Record) (list []*rowChange) {
	known := map[string]*rowChange{}
	for i := range records {
		r := &records[i]
		for _, e := range r.Effects {
			key, _ := json.Marshal(e.Key) // as recorded
			c := known[e.Table+string(key)]
			if c == nil {
				c = &rowChange{table: e.Table, key: e.Key, first: map[string]any{}, last: map[string]any{},
					made: e.Op == bus.Insert}
				known[e.Table+string(key)], list = c, append(list, c)
			}
			add(c.first, e.Before, r.Time, false)
			add(c.last, e.After, r.Time, true)
			if c.gone = e.Op == bus.Delete; c.gone {
				clear(c.last)
			}
			c.by = append(append(c.by, r.Capability), r.Steps...)
		}
	}
	return slices.DeleteFunc(list, func(c *rowChange) bool {
		if !c.made {
			maps.DeleteFunc(c.last, func(column string, v any) bool { return same(v, c.first[column]) })
		}
		return c.made && c.gone || !c.made && !c.gone && len(c.last) == 0
	})
}

// pairing compares the changes of two turns from the same starting state.
type pairing struct {
	calls [2][]audit.Record
	ids   map[string]string // ids that the second turn created, by the ids that the first created in their place
}

// differ lists the rows that only the first of two turns changed, and those that only the second did.
func differ(then, now []audit.Record) (missing, extra []*rowChange) {
	p := pairing{[2][]audit.Record{then, now}, map[string]string{}}
	extra = rowsOf(now)
	for _, c := range rowsOf(then) {
		at := slices.IndexFunc(extra, func(o *rowChange) bool { return p.sameRow(c, o) })
		if at < 0 {
			missing = append(missing, c)
			continue
		}
		extra = slices.Delete(extra, at, at+1)
	}
	return missing, extra
}

// sameRow reports whether two rows have the same change. If so, it pairs the ids that the turns created in them.
func (p *pairing) sameRow(a, b *rowChange) bool {
	if a.table != b.table || a.made != b.made || a.gone != b.gone || len(a.last) != len(b.last) || len(a.key) == 0 {
		return false // a bulk change names no row
	}
	before := maps.Clone(p.ids)
	if p.sameValues(a.key, b.key) && p.sameValues(a.last, b.last) {
		return true
	}
	p.ids = before
	return false
}

func (p *pairing) sameValues(a, b map[string]any) bool {
	for column, v := range a {
		x, one := v.(string)
		y, other := b[column].(string)
		if !same(v, b[column]) && (!one || !other || !p.sameText(x, y)) {
			return false
		}
	}
	return true
}

// sameText reports whether two texts are equal once paired ids count as equal, also in their folded form for search.
func (p *pairing) sameText(a, b string) bool {
	for x, y := range p.ids {
		folded := func(id string) string { return strings.ToLower(strings.Trim(id, "#")) }
		b = strings.ReplaceAll(strings.ReplaceAll(b, y, x), folded(y), folded(x))
	}
	if _, taken := p.ids[a]; a != b && !taken && p.made(0, a) && p.made(1, b) {
		p.ids[a] = b
		return true
	}
	return a == b
}

func (p *pairing) made(turn int, id string) bool {
	return slices.ContainsFunc(p.calls[turn], func(r audit.Record) bool { return r.Made(id) })
}

// beyond reports whether only the second turn changed a row whose table, or whose capabilities, the first did not
// touch.
func beyond(then []audit.Record, extra []*rowChange) bool {
	return slices.ContainsFunc(extra, func(c *rowChange) bool {
		return !slices.ContainsFunc(rowsOf(then), func(o *rowChange) bool { return o.table == c.table }) ||
			!slices.ContainsFunc(rowsOf(then), func(o *rowChange) bool {
				return slices.ContainsFunc(o.by, func(name string) bool { return slices.Contains(c.by, name) })
			})
	})
}
