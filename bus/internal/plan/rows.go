// Package plan holds the parts of plans that are independent of a bus: references in the arguments of steps, lists of
// rows for steps, and comparisons of changed rows.
package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"

	"github.com/deskhand/deskhand/bus/internal/schema"
)

// Change is a change of a row, with JSON values.
type Change struct {
	Table  string         `json:"table"`
	Key    map[string]any `json:"key"`
	Op     string         `json:"op"`
	Before map[string]any `json:"before"`
	After  map[string]any `json:"after"`
}

// The operations of a Change.
const (
	insert = "insert"
	update = "update"
	remove = "delete"
)

// Row is the net change of a row by several changes, with the time at which each column was written.
type Row struct {
	Change
	at map[string]int64 // Unix milliseconds
}

// Then returns the net change of a row after a further change. f may be nil.
func (f *Row) Then(e *Change, at int64) *Row {
	n := &Row{Change: *e, at: map[string]int64{}}
	if f != nil && !f.IsNothing() {
		n.Before, n.After = maps.Clone(e.Before), maps.Clone(f.After)
		maps.Copy(n.at, f.at)
		if n.After == nil {
			n.After = map[string]any{}
		}
		maps.Copy(n.After, e.After)
		if n.Before == nil {
			n.Before = map[string]any{}
		}
		maps.Copy(n.Before, f.Before)
		switch {
		case f.Op == insert:
			n.Op, n.Before = insert, nil
		case e.Op == insert: // a deleted row was inserted again
			n.Op = update
		}
		if e.Op == remove {
			n.Op, n.After = remove, nil
			if f.Op == insert {
				return &Row{}
			}
		}
	}
	for column := range e.After {
		n.at[column] = at
	}
	if n.Op == update { // a column with its old value has not changed
		for column, v := range n.After {
			if was, has := n.Before[column]; has && reflect.DeepEqual(v, was) {
				delete(n.After, column)
				delete(n.Before, column)
			}
		}
		if len(n.After) == 0 {
			return &Row{}
		}
	}
	return n
}

// IsNothing reports whether the row is unchanged.
func (f *Row) IsNothing() bool { return f == nil || f.Op == "" }

// Agrees compares the changes of a row in two places. moved means that only numbers differ, and that both changed by
// the same amount.
func (f *Row) Agrees(here *Row, now int64) (same, moved bool) {
	if len(f.Before) != len(here.Before) || len(f.After) != len(here.After) {
		return false, false
	}
	same = true
	for column, was := range f.Before {
		if reflect.DeepEqual(was, here.Before[column]) {
			continue
		}
		same = false
		to, other := f.After[column], here.After[column]
		if f.Op != update || !sameStep(was, to, here.Before[column], other) && !f.sameTime(column, other, now) {
			return false, false
		}
	}
	for column, v := range f.After {
		other, has := here.After[column]
		switch {
		case has && reflect.DeepEqual(v, other), f.sameTime(column, other, now):
		case f.Op == update && sameStep(f.Before[column], v, here.Before[column], other):
			same = false
		default:
			return false, false
		}
	}
	return same, !same
}

// sameTime reports whether a column contains a time from the clock in both places, such as the time of the last use:
// both have the same distance from the clock of their transaction. A later time overwrites no decision of a person.
func (f *Row) sameTime(column string, other any, now int64) bool {
	return sameStep(json.Number(fmt.Sprint(f.at[column])), f.After[column], json.Number(fmt.Sprint(now)), other)
}

// sameStep reports whether two pairs of whole numbers have the same difference.
func sameStep(from, to, from2, to2 any) bool {
	var n [4]int64
	for i, v := range []any{from, to, from2, to2} {
		number, is := v.(json.Number)
		var err error
		if n[i], err = number.Int64(); !is || err != nil {
			return false
		}
	}
	return n[1]-n[0] == n[3]-n[2]
}

// Changes converts the effects of a journal.
func Changes(effects any) (changes []Change) {
	text, err := json.Marshal(effects)
	if err == nil {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber()
		err = d.Decode(&changes)
	}
	if err != nil {
		panic(err) // they came from a journal
	}
	return changes
}

// Row returns a key for the row of a change.
func (e *Change) Row() string {
	key, _ := schema.AppendCanonical(nil, e.Key) // values of JSON
	return e.Table + " " + string(key)
}
