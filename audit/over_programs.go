package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/filelock"
)

// Bucket reads the bucket of a capability's rate limit, as [bus.Journal] describes.
func (l *Log) Bucket(ctx context.Context, capability string) (bus.Bucket, error) {
	s, err := l.lookups.take(ctx)
	if err != nil {
		return bus.Bucket{}, fmt.Errorf("audit: read a rate limit: %w", err)
	}
	defer l.lookups.give(s, true)
	return bucket(s, capability)
}

// Bucket is [Log.Bucket] inside the transaction.
func (x *exec) Bucket(_ context.Context, capability string) (bus.Bucket, error) {
	x.txn.mu.Lock()
	defer x.txn.mu.Unlock()
	if x.txn.ended != nil {
		return bus.Bucket{}, x.txn.ended
	}
	return bucket(x.b.w.session, capability)
}

func bucket(s *session, capability string) (b bus.Bucket, err error) {
	err = s.scan("SELECT full_at, used_at FROM audit_buckets WHERE capability = ?", []any{capability}, &b.FullAt,
		&b.UsedAt)
	if errors.Is(err, sql.ErrNoRows) {
		return bus.Bucket{}, nil
	}
	if err != nil {
		return b, fmt.Errorf("audit: read the rate limit of %s: %w", capability, err)
	}
	return b, nil
}

// tokenTaken is the bucket without the token of an entry; a coded error says that there is none.
func (b *batch) tokenTaken(e *bus.Entry) (bus.Bucket, error) {
	left, err := bucket(b.w.session, e.Invocation.Capability)
	if err == nil {
		left, err = e.Token(left)
	}
	return left, err
}

// takeToken takes the token of an entry, if it has one; a coded error says that there is none.
func (b *batch) takeToken(e *bus.Entry) error {
	if e == nil || e.Token == nil {
		return nil
	}
	left, err := b.tokenTaken(e)
	if err != nil {
		return err
	}
	_, err = b.w.session.exec("INSERT INTO audit_buckets (capability, full_at, used_at) VALUES (?1, ?2, ?3) "+
		"ON CONFLICT (capability) DO UPDATE SET full_at = ?2, used_at = ?3", e.Invocation.Capability, left.FullAt,
		left.UsedAt)
	return err
}

// Slot waits for the turn of a concurrency group among all programs on the log, as [bus.Journal] describes.
func (l *Log) Slot(ctx context.Context, group string, depth int) (give func(), err error) {
	f, err := filelock.NewQueue(l.store.path, group).Enter(ctx, depth)
	if err != nil {
		return nil, fmt.Errorf("audit: wait for %s: %w", group, err)
	}
	if f == nil {
		return nil, nil
	}
	return func() { _ = f.Close() }, nil // a lock that was not written to
}

// SlotFull reports whether a call of a group could neither run nor wait.
func (l *Log) SlotFull(group string, depth int) (bool, error) {
	return filelock.NewQueue(l.store.path, group).Full(depth)
}

// Program names this program among those that have the log open, for rows that belong to a program.
func (l *Log) Program() (string, error) { return l.liveness.ID() }

// ProgramEnded reports whether the program of that name has ended, also by being killed.
func (l *Log) ProgramEnded(program string) (bool, error) { return l.liveness.Gone(program) }

// DataVersion names the present state of the domain's tables, as [bus.Journal] describes: the number of the last record
// in the main stream, since nothing changes without one, whichever program did it. What people only looked at lies in
// another stream and changes nothing.
func (l *Log) DataVersion(ctx context.Context) (string, error) {
	s, err := l.readers.take(ctx)
	if err != nil {
		return "", fmt.Errorf("audit: read the version: %w", err)
	}
	var seq int64
	err = s.scan("SELECT seq FROM audit_heads WHERE stream = ?", []any{mainStream.name}, &seq)
	l.readers.give(s, err == nil)
	if err != nil {
		return "", fmt.Errorf("audit: read the version: %w", err)
	}
	return strconv.FormatInt(seq, 10), nil
}
