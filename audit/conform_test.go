package audit_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"

	"github.com/deskhand/deskhand/audit"
	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/bus/bustest"
)

func TestTheLogConforms(t *testing.T) {
	bustest.ConformJournal(t, func(t testing.TB) bustest.JournalFixture {
		path, clock := filepath.Join(t.TempDir(), "log.db"), bustest.NewClock()
		o := options()
		o.Clock = clock.Now
		o.Migrations = domain(`-- +goose Up
			CREATE TABLE numbers (name TEXT PRIMARY KEY, value INTEGER NOT NULL CHECK (value >= 0)) STRICT;`)
		l := open(t, path, o)
		return bustest.JournalFixture{
			Journal: l,
			Write: func(ctx context.Context, name string, value int) error {
				_, err := audit.Tx(ctx).ExecContext(ctx, `INSERT INTO numbers VALUES (?1, ?2)
					ON CONFLICT (name) DO UPDATE SET value = ?2`, name, value)
				return err
			},
			Read: func(ctx context.Context, name string) (value int, err error) {
				err = audit.Tx(ctx).QueryRowContext(ctx, `SELECT value FROM numbers WHERE name = ?`, name).Scan(&value)
				if errors.Is(err, sql.ErrNoRows) {
					err = nil
				}
				return value, err
			},
			Records: func(ctx context.Context, requestID string) (list []bus.Result, err error) {
				page, err := l.Search(ctx, audit.Query{RequestID: requestID})
				for _, r := range page.Records {
					result := bus.Result{Status: r.Status}
					if r.Code != "" {
						result.Err = bus.Errorf(r.Code, r.Reason, "")
					}
					list = append(list, result)
				}
				return list, err
			},
			Another: func(ctx context.Context) (bus.Journal, func(), error) {
				other, err := audit.Open(ctx, path, o)
				if err != nil {
					return nil, nil, err
				}
				return other, func() { _ = other.Close() }, nil
			},
			Advance: clock.Advance,
			Fault:   func(n int) func() bool { return audit.Fault(t, l, n) },
		}
	})
}
