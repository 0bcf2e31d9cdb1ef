package audit

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/sqllex"
)

// schemaObject identifies a table, an index, a trigger or a view.
type schemaObject struct{ kind, name string }

// schema holds the tables, indexes, triggers and views of a file.
type schema struct {
	objects  map[schemaObject]definition
	versions map[string]string // the applied migrations, by the table that lists them
}

// definition is the SQL of an object.
type definition struct {
	table string // to which it belongs
	text  string // without comments; empty for SQLite's automatic indexes
}

// readSchema reads the schema of a file, except SQLite's internal tables.
func readSchema(ctx context.Context, db querier) (*schema, error) {
	out := &schema{map[schemaObject]definition{}, map[string]string{}}
	rows, err := db.QueryContext(ctx, `SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_schema
		WHERE type <> 'table' OR name NOT GLOB 'sqlite_*'`)
	err = each(rows, err, func() error {
		var o schemaObject
		var d definition
		err := rows.Scan(&o.kind, &o.name, &d.table, &d.text)
		d.text = sqllex.Compact(d.text)
		out.objects[o] = d
		if o.kind == "table" && (strings.HasPrefix(o.name, "goose_") || o.name == "audit_schema") {
			out.versions[o.name] = ""
		}
		return err
	})
	for _, name := range slices.Sorted(maps.Keys(out.versions)) {
		if err != nil {
			break
		}
		rows, err = db.QueryContext(ctx, "SELECT +version_id || ' ' || +is_applied FROM "+quoteName(name)+" ORDER BY id")
		err = each(rows, err, func() error {
			var version sql.NullString
			err := rows.Scan(&version)
			out.versions[name] += version.String + "\n"
			return err
		})
	}
	return out, err
}

// wantedSchema runs the migrations in memory and returns their schema.
func (l *Log) wantedSchema(ctx context.Context) (made *schema, err error) {
	if made = l.schema.Load(); made != nil {
		return made, nil
	}
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	s := &store{path: l.store.path, db: db}
	if err := s.migrateAll(ctx, l.o); err != nil {
		return nil, err
	}
	if l.store.archive {
		if _, err := db.ExecContext(ctx, archiveTable); err != nil {
			return nil, err
		}
	}
	if made, err = readSchema(ctx, db); err == nil {
		l.schema.Store(made)
	}
	return made, err
}

// differences returns the objects of have that differ from want, sorted by name.
func (want *schema) differences(have *schema) (objects []schemaObject) {
	all := maps.Clone(want.objects)
	maps.Copy(all, have.objects)
	for _, o := range slices.SortedFunc(maps.Keys(all), func(a, b schemaObject) int {
		return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.kind, b.kind))
	}) {
		is, there := have.objects[o]
		must, known := want.objects[o]
		if is == must && there == known {
			continue
		}
		objects = append(objects, o)
	}
	for _, name := range slices.Sorted(maps.Keys(want.versions)) {
		if is, there := have.versions[name]; there && is != want.versions[name] {
			objects = append(objects, schemaObject{"rows", name})
		}
	}
	return objects
}

// compareSchema returns the objects that differ from those of the migrations.
func (l *Log) compareSchema(ctx context.Context, db querier) (want *schema, wrong []schemaObject, err error) {
	if want, err = l.wantedSchema(ctx); err != nil {
		return nil, nil, fmt.Errorf("make the schema: %w", err)
	}
	have, err := readSchema(ctx, db)
	if err != nil {
		return nil, nil, fmt.Errorf("read the schema: %w", err)
	}
	return want, want.differences(have), nil
}

// verifySchema reports objects that differ from those of the migrations.
func (l *Log) verifySchema(ctx context.Context, v *Verdict) error {
	_, wrong, err := l.compareSchema(ctx, l.readers.db)
	if err != nil || len(wrong) == 0 {
		return err
	}
	v.Schema = len(wrong)
	v.Problem = fmt.Sprintf("The schema was changed by another program: %s.", listed(wrong))
	v.Remedy = "Restore indexes, triggers and views with audit.rebuildRollups. Then compare the rows with the log."
	if slices.ContainsFunc(wrong, func(o schemaObject) bool { return !o.follows() }) {
		v.Remedy = "A table cannot be made again: restore a copy from before the change."
	}
	return nil
}

// listed names the first few of some objects, without words of a language.
func listed(wrong []schemaObject) string {
	const most = 3
	var names []string
	for _, o := range wrong[:min(most, len(wrong))] {
		names = append(names, o.kind+" "+o.name)
	}
	if more := len(wrong) - most; more > 0 {
		names = append(names, fmt.Sprintf("+%d", more))
	}
	return strings.Join(names, ", ")
}

// follows reports whether an object has no rows, so that it can be created again.
func (o schemaObject) follows() bool {
	return o.kind == "trigger" || o.kind == "view" || o.kind == "index" && !strings.HasPrefix(o.name, "sqlite_")
}

// rebuildSchema restores the indexes, triggers and views of the migrations, and returns the number of wrong ones.
func (b *batch) rebuildSchema(ctx context.Context) (int, error) {
	want, wrong, err := b.w.l.compareSchema(ctx, b.w.session.conn)
	if err != nil {
		return 0, err
	}
	for _, o := range wrong {
		if !o.follows() {
			return 0, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The schema was changed by another program: %s.",
				listed([]schemaObject{o})).
				WithHint("A table cannot be made again: restore a copy from before the change.")
		}
		if _, err := b.w.session.exec("DROP " + o.kind + " IF EXISTS " + quoteName(o.name)); err != nil {
			return 0, err
		}
	}
	for _, o := range wrong { // after all are gone: a trigger may refer to a view
		if d, known := want.objects[o]; known {
			if _, err := b.w.session.exec(d.text); err != nil {
				return 0, fmt.Errorf("make the %s %s: %w", o.kind, o.name, err)
			}
		}
	}
	return len(wrong), nil
}

// rebuildDerived fills the application's derived tables from its rows if they differ, and returns the number of
// differences.
func (b *batch) rebuildDerived(ctx context.Context) (found int, err error) {
	o := &b.w.l.o
	if o.Check == nil {
		return 0, nil
	}
	last := ""
	count := func(sentence string) { found, last = found+1, sentence }
	if err := o.Check(ctx, count); err != nil || found == 0 {
		return 0, err
	}
	before := found
	for _, text := range o.Rebuild {
		if !changesDerived(sqllex.Tokens(text)) {
			return 0, fmt.Errorf("%q changes more than a table %s…", text, derivedPrefix)
		}
		if _, err := b.w.session.exec(text); err != nil {
			return 0, err
		}
	}
	found = 0
	if err := o.Check(ctx, count); err == nil && found > 0 {
		return 0, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The rows do not fit together. %s", last).
			WithHint("Restore a copy from before the change.")
	}
	return before, err
}
