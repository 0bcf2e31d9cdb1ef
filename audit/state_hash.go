package audit

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/audit/chain"
)

// StateHash is SHA-256, in hex, over every row of every domain table in one
// snapshot: two files with the same rows have the same hash, however the rows
// came to be and wherever they lie. Inside a handler it covers what the handler
// sees.
//
// Hashed are, for each table by name: its name, the number of its columns and
// their names; then for each row, by primary key, 'r' and its values; then 'e'.
// Values are encoded as [chain.AppendValue] does.
func (l *Log) StateHash(ctx context.Context) (string, error) {
	sum := sha256.New()
	err := l.View(ctx, func(ctx context.Context) error {
		for _, name := range slices.Sorted(maps.Keys(l.store.tables)) {
			if err := l.store.tables[name].hashRows(ctx, sum); err != nil {
				return fmt.Errorf("audit: hash table %s: %w", name, err)
			}
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

func (t *table) hashRows(ctx context.Context, sum hash.Hash) error {
	buf := chain.AppendValue(chain.AppendValue(nil, t.name), int64(len(t.columns)))
	for _, column := range t.columns {
		buf = chain.AppendValue(buf, column)
	}
	sum.Write(buf)
	row := make([]any, len(t.columns))
	into := make([]any, len(row))
	for i := range row {
		into[i] = &row[i]
	}
	rows, err := Tx(ctx).Query(ctx, t.selectRows())
	err = each(rows, err, func() error {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		buf = append(buf[:0], 'r')
		for _, v := range row {
			buf = chain.AppendValue(buf, v)
		}
		sum.Write(buf)
		return nil
	})
	sum.Write([]byte{'e'})
	return err
}

// selectRows lists all rows by key. Where a key does not distinguish rows (one
// that holds NULL does not) the other columns do.
func (t *table) selectRows() string {
	order := make([]string, 0, len(t.columns))
	for _, i := range t.key {
		order = append(order, quoteName(t.columns[i]))
	}
	for i, column := range t.columns {
		if !slices.Contains(t.key, i) {
			order = append(order, quoteName(column))
		}
	}
	return "SELECT " + t.values() + " FROM " + quoteName(t.name) + " ORDER BY " + strings.Join(order, ", ")
}

// values lists the columns. The plus signs remove the declared types, by which
// the driver would turn texts into dates.
func (t *table) values() string {
	values := make([]string, len(t.columns))
	for i, column := range t.columns {
		values[i] = "+" + quoteName(column)
	}
	return strings.Join(values, ", ")
}

// quoteName quotes an identifier.
func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
