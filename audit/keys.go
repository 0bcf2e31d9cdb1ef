package audit

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/deskhand/deskhand/bus"
)

// keyDigest names a key in its scope.
func keyDigest(k bus.Key) []byte {
	var buf []byte
	for _, part := range []string{string(k.CallerType), k.Source, k.Capability, k.Value} {
		buf = appendText(buf, part)
	}
	sum := sha256.Sum256(buf)
	return sum[:]
}

const selectKey = "SELECT arguments, request_id, result FROM audit_keys WHERE key = ? AND (expires IS NULL OR expires > ?)"

// Lookup implements [bus.Journal].
func (l *Log) Lookup(ctx context.Context, key bus.Key) (*bus.Stored, error) {
	s, err := l.lookups.take(ctx)
	if err != nil {
		return nil, fmt.Errorf("audit: look up an idempotency key: %w", err)
	}
	defer l.lookups.give(s, true)
	return s.stored(key, l.o.Clock())
}

// prior is Lookup inside the transaction.
func (b *batch) prior(key bus.Key) (*bus.Stored, error) {
	return b.w.session.stored(key, b.w.l.o.Clock())
}

func (c *session) stored(key bus.Key, now time.Time) (*bus.Stored, error) {
	var s bus.Stored
	var result []byte
	err := c.scan(selectKey, []any{keyDigest(key), now.UnixMilli()}, &s.Arguments, &s.RequestID, &result)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("audit: look up an idempotency key: %w", err)
	case result == nil:
		s.Unknown = true
		return &s, nil
	}
	if err := json.Unmarshal(result, &s.Result); err != nil {
		return nil, fmt.Errorf("audit: read the result stored by request %s: %w", s.RequestID, err)
	}
	return &s, nil
}

// errTaken is the answer to a run whose key was used while it ran, which only a
// bus that does not ask Prior can bring about.
var errTaken = bus.Errorf(bus.Conflict, bus.ReasonBusy, "The same request was carried out in the meantime.").
	WithHint("Send it again with the same key to get its result.")

// claim makes sure, before its effects are kept, that a run's key is free.
func (b *batch) claim(e *bus.Entry) error {
	if !storesResult(e) {
		return nil
	}
	prior, err := b.prior(*e.Key)
	if err == nil && prior != nil {
		err = errTaken
	}
	return err
}

func storesResult(e *bus.Entry) bool {
	return e.Key != nil && e.Result.OK() && !e.Result.Replayed && !e.Result.DryRun
}

// storeResult stores a success under its key; one that is stored already stays.
func (b *batch) storeResult(e *bus.Entry, seq int64) error {
	if e == nil || !storesResult(e) {
		return nil
	}
	whole := e.Result
	if e.Stored != nil {
		whole.Data = e.Stored
	}
	result, err := json.Marshal(whole)
	if err != nil {
		return fmt.Errorf("write the result for an idempotency key: %w", err)
	}
	return b.storeKey(keyDigest(*e.Key), e.Key.Arguments, e.Invocation.RequestID, seq, result, b.expiry(e.Key))
}

// expiry is when a key's result may be forgotten; nil is never.
func (b *batch) expiry(k *bus.Key) any {
	if k.Window <= 0 {
		return nil
	}
	return b.w.l.o.Clock().Add(k.Window).UnixMilli()
}

// storeKey keeps a key in a row that has the number of its record: a result that
// is stored later lies behind all there were, which an erasure relies on. The
// rows of earlier programs were numbered without gaps, and so before it.
func (b *batch) storeKey(key []byte, arguments, request string, seq int64, result []byte, expires any) error {
	_, err := b.w.session.exec(`INSERT INTO audit_keys (rowid, key, arguments, request_id, seq, result, expires) VALUES (?4, ?1, ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT (key) DO UPDATE SET rowid = excluded.rowid, arguments = excluded.arguments, request_id = excluded.request_id, seq = excluded.seq,
			result = excluded.result, expires = excluded.expires WHERE expires <= ?7`,
		key, arguments, request, seq, result, expires, b.w.l.o.Clock().UnixMilli())
	if err != nil {
		return fmt.Errorf("store an idempotency key: %w", err)
	}
	if b.w.keys++; b.w.keys%forgetEvery == 1 {
		return b.forgetKeys()
	}
	return nil
}

// Expired results are deleted in passing, some at a time: they hold what was
// redacted elsewhere.
const (
	forgetEvery  = 256
	forgetAtOnce = 4 * forgetEvery
)

func (b *batch) forgetKeys() error {
	_, err := b.w.session.exec("DELETE FROM audit_keys WHERE rowid IN (SELECT rowid FROM audit_keys WHERE expires <= ? LIMIT ?)",
		b.w.l.o.Clock().UnixMilli(), forgetAtOnce)
	if err != nil {
		return fmt.Errorf("forget expired idempotency keys: %w", err)
	}
	return nil
}
