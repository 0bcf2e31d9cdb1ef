package cases

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/desk"
)

// Keep makes a case of the turn that a request of an assistant belongs to, with placeholders for personal values. The
// case contains the rows that the calls name or change, and the rows related to these.
func Keep(ctx context.Context, d *desk.Desk, requestID string) (*Case, error) {
	page, err := d.Log.Search(ctx, audit.Query{RequestID: requestID, Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(page.Records) == 0 {
		return nil, fmt.Errorf("there is no request %s: deskhand audit tail lists the latest", requestID)
	}
	turn := page.Records[0].TraceID
	calls, err := writesOf(ctx, d.Log, turn)
	if err != nil {
		return nil, err
	}
	if err := keepable(calls); err != nil {
		return nil, fmt.Errorf("%s cannot be kept: %w", requestID, err)
	}
	c := &Case{Format: format, Version: version, Said: calls[0].TriggeringMessage, At: calls[0].Time}
	for _, r := range calls {
		c.Calls = append(c.Calls, Call{Capability: r.Capability, Arguments: r.Arguments})
	}
	if c.Before, err = rowsBefore(ctx, d, calls); err != nil {
		return nil, err
	}
	schemaOf := func(name string) json.RawMessage {
		if known, is := d.Bus.Lookup(name); is {
			return known.InputSchema
		}
		return json.RawMessage("{}")
	}
	if c, err = withoutPersonal(c, calls[0].Caller.Person, schemaOf); err != nil {
		return nil, err
	}
	if err := c.run(ctx, calls); err != nil {
		return nil, fmt.Errorf("%s cannot be kept: %w", requestID, err)
	}
	return c, nil
}

// keepable returns the reason why calls of a turn cannot form a case.
func keepable(calls []audit.Record) error {
	if len(calls) == 0 {
		return errors.New("no assistant changed anything in that turn")
	}
	for _, r := range calls {
		switch {
		case r.Erased || r.Unreadable != "" || len(r.Redacted) > 0 || r.TriggeringMessage == "":
			return errors.New("a part of it was erased")
		case bus.SideEffect(r.SideEffect) == bus.Network:
			return fmt.Errorf("%s reaches outside", r.Capability)
		case slices.ContainsFunc(r.Effects, func(e bus.Effect) bool { return e.Op == bus.Bulk }):
			return fmt.Errorf("%s changed too many rows", r.Capability)
		}
	}
	return nil
}

// run makes the calls on a copy and records the rows that they change. These must match the original.
func (c *Case) run(ctx context.Context, original []audit.Record) (err error) {
	s, err := NewStage(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	d, there, err := s.open(ctx, c, nil)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	for i, call := range there.Calls {
		r, err := d.Invoke(ctx, call.Capability, call.Arguments, "keep")
		if err == nil && !r.OK() {
			err = r.Err
		}
		if err != nil {
			return fmt.Errorf("on a copy with its rows %s fails: %w", call.Capability, err)
		}
		page, err := d.Log.Search(ctx, audit.Query{RequestID: r.RequestID, Limit: 1})
		if err != nil || len(page.Records) == 0 {
			return errors.Join(err, errors.New("the copy has no record of it"))
		}
		made := page.Records[0]
		if shape(made.Effects) != shape(original[i].Effects) {
			return fmt.Errorf("on a copy with its rows %s changes %s in place of %s", call.Capability, shape(made.Effects),
				shape(original[i].Effects))
		}
		raw, err := json.Marshal(made.Effects)
		if err != nil {
			return err
		}
		raw = []byte(strings.ReplaceAll(string(raw), fmt.Sprintf("%q", d.Person.ID), fmt.Sprintf("%q", person)))
		if err := json.Unmarshal(raw, &c.Calls[i].After); err != nil {
			return err
		}
		c.Calls[i].Time, c.Calls[i].Seed, c.Calls[i].Steps = made.Time, made.Seed, made.Steps
	}
	return nil
}

// shape lists the tables and operations of effects.
func shape(effects []bus.Effect) string {
	var list []string
	for _, e := range effects {
		list = append(list, string(e.Op)+" "+e.Table)
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// maxRows limits the rows of a case.
const maxRows = 2000

// collector collects the rows of a case in a copy of the shop.
type collector struct {
	columns map[string][]string
	keys    map[string][]string         // columns of the primary key
	refs    []reference                 // from one table to another
	rows    map[string][]map[string]any // by table
	has     map[string]bool             // by table and key
}

type reference struct {
	from, column, to string
	part             bool // rows of from are parts of those of to
}

// moves are dependents of their order only, because a variant has years of them.
const moves = "stock_movements"

// rowsBefore reads the rows as they were before the first call.
func rowsBefore(ctx context.Context, d *desk.Desk, calls []audit.Record) (_ map[string][]map[string]any, err error) {
	r, err := d.Replica(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	if err := r.Rewind(ctx, calls[0].Seq-1); err != nil {
		return nil, err
	}
	var ids []any
	for _, call := range calls {
		var arguments any
		if err := json.Unmarshal(call.Arguments, &arguments); err != nil {
			return nil, err
		}
		ids = append(ids, textsOf(arguments)...)
		for _, e := range call.Effects {
			for _, v := range e.Key {
				ids = append(ids, textsOf(v)...)
			}
		}
	}
	c := &collector{rows: map[string][]map[string]any{}, has: map[string]bool{}}
	err = r.Log.View(ctx, func(ctx context.Context) error {
		if err := c.readSchema(ctx); err != nil {
			return err
		}
		for _, whole := range []string{"shop", "tax_classes", "shipping_methods"} {
			if err := c.take(ctx, whole, "", nil); err != nil {
				return err
			}
		}
		if err := c.take(ctx, "current_carts", "person", calls[0].Caller.Person); err != nil {
			return err
		}
		for _, id := range ids {
			for _, name := range tables {
				if len(c.keys[name]) == 0 {
					continue
				}
				if err := c.take(ctx, name, c.keys[name][0], id); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return c.rows, err
}

// textsOf lists the texts in a value.
func textsOf(v any) (list []any) {
	switch v := v.(type) {
	case string:
		list = append(list, v)
	case []any:
		for _, one := range v {
			list = append(list, textsOf(one)...)
		}
	case map[string]any:
		for _, one := range v {
			list = append(list, textsOf(one)...)
		}
	}
	return list
}

// readSchema reads columns, keys and references of the tables.
func (c *collector) readSchema(ctx context.Context) error {
	c.columns, c.keys = map[string][]string{}, map[string][]string{}
	for _, name := range tables {
		err := query(ctx, func(scan func(...any) error) error {
			var column string
			var key int
			if err := scan(&column, &key); err != nil {
				return err
			}
			c.columns[name] = append(c.columns[name], column)
			to, names := strings.CutSuffix(column, "_id") // orders name rows that may be gone
			if names && slices.Contains(tables, to+"s") {
				c.refs = append(c.refs, reference{name, column, to + "s", name == moves && to == "order"})
			}
			if key > 0 {
				c.keys[name] = append(c.keys[name], column)
			}
			return nil
		}, `SELECT name, pk FROM pragma_table_info($1) ORDER BY cid`, name)
		if err != nil {
			return err
		}
		err = query(ctx, func(scan func(...any) error) error {
			ref := reference{from: name}
			var rule string
			err := scan(&ref.column, &ref.to, &rule)
			ref.part = rule == "CASCADE" && name != moves
			c.refs = append(c.refs, ref)
			return err
		}, `SELECT "from", "table", on_delete FROM pragma_foreign_key_list($1)`, name)
		if err != nil {
			return err
		}
	}
	return nil
}

// take adds the rows of a table in which a column, "" for all, has a value, with their parts and the rows that these
// refer to.
func (c *collector) take(ctx context.Context, name, column string, value any) error {
	if len(c.columns[name]) == 0 {
		return nil // a reference to a table that no case has
	}
	statement, args := `SELECT "`+strings.Join(c.columns[name], `", "`)+`" FROM `+name, []any{}
	if column != "" {
		statement, args = statement+` WHERE "`+column+`" = $1`, append(args, value)
	}
	var found []map[string]any
	err := query(ctx, func(scan func(...any) error) error {
		values, into := make([]any, len(c.columns[name])), make([]any, len(c.columns[name]))
		for i := range values {
			into[i] = &values[i]
		}
		if err := scan(into...); err != nil {
			return err
		}
		row := map[string]any{}
		for i, v := range values {
			row[c.columns[name][i]] = v
		}
		found = append(found, row)
		return nil
	}, statement, args...)
	if err != nil {
		return err
	}
	for _, row := range found {
		id := name
		for _, key := range c.keys[name] {
			id += fmt.Sprintf("\x00%v", row[key])
		}
		if c.has[id] {
			continue
		}
		c.has[id] = true
		if c.rows[name] = append(c.rows[name], row); len(c.has) > maxRows {
			return fmt.Errorf("it takes more than %d rows", maxRows)
		}
		for _, ref := range c.refs {
			switch {
			case ref.from == name && row[ref.column] != nil:
				err = c.take(ctx, ref.to, c.keys[ref.to][0], row[ref.column])
			case ref.to == name && ref.part && row[c.keys[name][0]] != nil:
				err = c.take(ctx, ref.from, ref.column, row[c.keys[name][0]])
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func query(ctx context.Context, each func(scan func(...any) error) error, statement string, args ...any) (err error) {
	rows, err := audit.Tx(ctx).QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := each(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}
