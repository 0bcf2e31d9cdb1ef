package pgjournal

import (
	"cmp"
	"context"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/deskhand/deskhand/agent/policy"
)

var _ policy.Shared = (*Journal)(nil)

// UpdateBridge implements [policy.Database].
func (j *Journal) UpdateBridge(ctx context.Context, run func(context.Context) error) error {
	if t := running(ctx); t != nil && !t.readOnly {
		return run(ctx)
	}
	return j.transact(ctx, func(whole context.Context, tx pgx.Tx) error {
		t := &Txn{tx: tx}
		err := run(context.WithValue(ctx, txnKey{}, t))
		return cmp.Or(t.end(), err)
	})
}

// Query implements [policy.Database].
func (j *Journal) Query(ctx context.Context, each func(scan func(...any) error) error, query string,
	args ...any) error {
	return Tx(ctx).Run(ctx, func(row pgx.CollectableRow) error { return each(row.Scan) }, query, args...)
}

// Exec implements [policy.Database]: triggers say which tables have effects.
func (j *Journal) Exec(ctx context.Context, query string, args ...any) error {
	return Tx(ctx).Run(ctx, nil, query, args...)
}

// Program implements [policy.Shared].
func (j *Journal) Program() (string, error) { return strconv.Itoa(int(j.program)), nil }

// ProgramEnded implements [policy.Shared]. It may be asked inside a snapshot, so it takes no connection of the pool.
func (j *Journal) ProgramEnded(program string) (ended bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	err = j.alive.QueryRow(context.Background(), "SELECT NOT journal_lives($1::text::int)", program).Scan(&ended)
	return ended, err
}

// Changes implements [policy.Shared]: it tells four times a second that there may be something. LISTEN would tell at
// once, and take a connection of its own.
func (j *Journal) Changes(ctx context.Context) <-chan struct{} {
	changes := make(chan struct{})
	go func() {
		for ctx.Err() == nil {
			select {
			case <-time.After(250 * time.Millisecond):
			case <-ctx.Done():
			}
			select {
			case changes <- struct{}{}:
			case <-ctx.Done():
			}
		}
	}()
	return changes
}
