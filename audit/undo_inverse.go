package audit

import (
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/deskhand/deskhand/bus"
)

// step reverses the change of one row.
type step struct {
	table  *table
	op     bus.Op         // the operation of the step
	key    map[string]any // of the present row, or of the restored one
	have   map[string]any // values that the row must still have; nil: it must not exist
	become map[string]any // values to give the row
}

// inverse returns the step that reverses an effect.
func (l *Log) inverse(e *bus.Effect) (*step, error) {
	if why := hidesRows(e); why != "" {
		return nil, notUndoable(why)
	}
	t := l.store.tables[e.Table]
	if t == nil {
		return nil, notAsItWas("The table %s is no longer there.", e.Table)
	}
	key, err := t.stored(e.Key)
	if err != nil {
		return nil, err
	}
	before, err := t.stored(e.Before)
	if err != nil {
		return nil, err
	}
	after, err := t.stored(e.After)
	if err != nil {
		return nil, err
	}
	s := &step{table: t, key: key, have: after, become: before}
	switch e.Op {
	case bus.Insert:
		s.op = bus.Delete
	case bus.Delete:
		s.op = bus.Insert
	case bus.Update:
		s.op = bus.Update
		for column := range key {
			if moved, ok := after[column]; ok {
				key[column] = moved
			}
		}
	default:
		return nil, notUndoable("It did what this program does not know: " + string(e.Op) + ".")
	}
	return s, nil
}

// hidesRows returns the reason why an effect lacks the values of its rows; "" if it has them.
func hidesRows(e *bus.Effect) string {
	switch {
	case e.Op == bus.Bulk:
		return "Its record does not keep the rows that it changed."
	case e.Before == nil && e.After == nil:
		return "It erased a person: its record names the rows and not what was in them."
	}
	return ""
}

func notAsItWas(format string, args ...any) error {
	return notUndoable("The data is organised differently now. " + fmt.Sprintf(format, args...))
}

// stored converts values of a record to values of columns.
func (t *table) stored(values map[string]any) (map[string]any, error) {
	if !t.strict {
		return nil, notUndoable("The columns of " + t.name +
			" may hold values of any type, which a record does not tell apart.")
	}
	out := make(map[string]any, len(values))
	for _, column := range slices.Sorted(maps.Keys(values)) {
		i, v := slices.Index(t.columns, column), values[column]
		if i < 0 {
			return nil, notAsItWas("The column %s of %s is no longer there.", column, t.name)
		}
		var err error
		if out[column], err = storedValue(t.types[i], v); err != nil {
			return nil, notAsItWas("The column %s of %s holds something else: %v.", column, t.name, err)
		}
	}
	return out, nil
}

// storedValue converts a JSON value to the value of a column of a STRICT table. A blob is base64 in JSON, and an
// infinite number a text.
func storedValue(kind string, v any) (any, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case string:
		switch kind {
		case "TEXT":
			return v, nil
		case "BLOB":
			return base64.StdEncoding.DecodeString(v)
		case "REAL":
			return strconv.ParseFloat(v, 64)
		}
	case json.Number:
		switch kind {
		case "INT", "INTEGER":
			return v.Int64()
		case "REAL":
			return v.Float64()
		}
	}
	return nil, fmt.Errorf("%T in a column of type %s", v, kind)
}

// where returns the condition that identifies the row, with its arguments.
func (s *step) where() (string, []any) {
	var terms []string
	var args []any
	for _, i := range s.table.key {
		column := s.table.columns[i]
		terms, args = append(terms, quoteName(column)+" = ?"), append(args, s.key[column])
	}
	return " WHERE " + strings.Join(terms, " AND "), args
}

// named lists the columns of values that a statement may set, in the table's order, so that equal statements have equal
// texts.
func (s *step) named(values map[string]any) (columns []string, args []any) {
	for i, column := range s.table.columns {
		if v, ok := values[column]; ok && !s.table.generated[i] {
			columns, args = append(columns, quoteName(column)), append(args, v)
		}
	}
	return columns, args
}

// compare refuses a row that is not as the record left it.
func (s *step) compare(ctx context.Context) error {
	where, args := s.where()
	want := maps.Clone(s.key)
	maps.Copy(want, s.have)
	var columns []string
	for _, column := range s.table.columns {
		if _, ok := want[column]; ok {
			columns = append(columns, column)
		}
	}
	now := make([]any, len(columns))
	into, list := make([]any, len(columns)), make([]string, len(columns))
	for i, column := range columns {
		into[i], list[i] = &now[i], quoteName(column)
	}
	err := Tx(ctx).QueryRowContext(ctx, "SELECT "+strings.Join(list, ", ")+" FROM "+quoteName(s.table.name)+where,
		args...).
		Scan(into...)
	switch {
	case errors.Is(err, sql.ErrNoRows) && s.op == bus.Insert:
		return nil
	case errors.Is(err, sql.ErrNoRows) || err == nil && s.op == bus.Insert:
		return errChangedSince
	case err != nil:
		return err
	}
	for i, column := range columns {
		if !equalValues(now[i], want[column]) {
			return errChangedSince
		}
	}
	return nil
}

// apply runs the step. A row that was deleted with its parent needs no step.
func (s *step) apply(ctx context.Context) error {
	name := quoteName(s.table.name)
	where, key := s.where()
	columns, values := s.named(s.become)
	switch s.op {
	case bus.Delete:
		_, err := Tx(ctx).ExecContext(ctx, "DELETE FROM "+name+where, key...)
		return err
	case bus.Insert:
		marks := strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ")
		_, err := Tx(ctx).ExecContext(ctx, "INSERT INTO "+name+" ("+strings.Join(columns, ", ")+") VALUES ("+marks+")",
			values...)
		return err
	}
	_, err := Tx(ctx).ExecContext(ctx, "UPDATE "+name+" SET "+strings.Join(columns, " = ?, ")+" = ?"+where,
		slices.Concat(values, key)...)
	return err
}
