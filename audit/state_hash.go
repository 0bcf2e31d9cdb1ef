package audit

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

// StateHash returns SHA-256, in hex, over every row of every domain table in one snapshot. Two files with the same rows
// have the same hash, regardless of the history and the places of the rows. Inside a handler it covers the state that
// the handler sees.
//
// The hash covers, for each table by name: its name, the number of its columns and their names; then for each row, by
// primary key, 'r' and its values; then 'e'. Values are encoded as [chain.AppendValue] does.
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
	rows, err := Tx(ctx).QueryContext(ctx, t.selectRows())
	err = t.eachRow(rows, err, func(row []any) bool {
		buf = append(buf[:0], 'r')
		for _, v := range row {
			buf = chain.AppendValue(buf, v)
		}
		sum.Write(buf)
		return true
	})
	sum.Write([]byte{'e'})
	return err
}

// eachRow calls f for the rows of [table.selectRows] or [table.selectAll] until it returns false. It reuses the row.
func (t *table) eachRow(rows *sql.Rows, err error, f func(row []any) bool) error {
	row, into := make([]any, len(t.columns)), make([]any, len(t.columns))
	for i := range row {
		into[i] = &row[i]
	}
	err = each(rows, err, func() error {
		if err := rows.Scan(into...); err != nil {
			return err
		}
		if !f(row) {
			return errEnough
		}
		return nil
	})
	if errors.Is(err, errEnough) {
		err = nil
	}
	return err
}

var errEnough = errors.New("audit: enough rows")

// stateSum is a digest of the rows of a table, independent of their order: the sum of their SHA-512.
type stateSum struct {
	sum [sha512.Size / 8]uint64
	buf []byte
}

func (s *stateSum) add(row []any) {
	s.buf = s.buf[:0]
	for _, v := range row {
		s.buf = chain.AppendValue(s.buf, v)
	}
	hash, carry := sha512.Sum512(s.buf), uint64(0)
	for i := range s.sum {
		s.sum[i], carry = bits.Add64(s.sum[i], binary.LittleEndian.Uint64(hash[8*i:]), carry)
	}
}

// String returns the digest of the sum, hex.
func (s *stateSum) String() string {
	hash := sha256.Sum256(fmt.Appendf(nil, "%x", s.sum))
	return hex.EncodeToString(hash[:])
}

// fewRows limits the rows that a small bulk change reads for the digest of a table. A larger change may read up to
// twice the number of rows that it changed.
const fewRows = 5000

// addStates adds the digests of tables to their bulk effects, if reading a table is cheap compared with the change.
func (b *batch) addStates(effects []bus.Effect) error {
	for i := range effects {
		e := &effects[i]
		t := b.w.l.store.tables[e.Table]
		if e.Op != bus.Bulk || t == nil || !t.strict {
			continue
		}
		left := int64(fewRows)
		for _, n := range []string{"inserted", "updated"} {
			changed, _ := e.After[n].(int64)
			left = max(left, 2*changed)
		}
		var sum stateSum
		rows, err := b.w.session.conn.QueryContext(context.Background(), t.selectAll())
		err = t.eachRow(rows, err, func(row []any) bool {
			sum.add(row)
			left--
			return left >= 0
		})
		if err != nil {
			return fmt.Errorf("digest of %s: %w", t.name, err)
		}
		if left >= 0 {
			e.After["state"] = sum.String()
		}
	}
	return nil
}

func (t *table) selectAll() string { return "SELECT " + t.values() + " FROM " + quoteName(t.name) }

// selectRows lists all rows by key. For rows that the key does not distinguish, because it contains NULL, the other
// columns determine the order.
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
	return t.selectAll() + " ORDER BY " + strings.Join(order, ", ")
}

// values lists the columns. The plus signs remove the declared types, by which the driver would turn texts into dates.
func (t *table) values() string {
	values := make([]string, len(t.columns))
	for i, column := range t.columns {
		values[i] = "+" + quoteName(column)
	}
	return strings.Join(values, ", ")
}

// quoteName quotes an identifier.
func quoteName(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
