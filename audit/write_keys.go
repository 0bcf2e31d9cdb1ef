package audit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/uuid"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

// keyName is a key's position in the order of keys, followed by the digest of its scope. The position of a UUID that
// begins with the time (version 7) is the UUID itself, so that the latest keys are adjacent and a commit writes few
// pages. For other keys it is zero.
type keyName [placeSize + sha256.Size]byte

const placeSize = 16

func nameOf(k bus.Key) (name keyName) {
	buf := make([]byte, 0, 256)
	for _, part := range []string{string(k.CallerType), k.Source, k.Capability, k.Value} {
		buf = chain.AppendValue(buf, part)
	}
	digest := sha256.Sum256(buf)
	copy(name[placeSize:], digest[:])
	if id, err := uuid.Parse(k.Value); err == nil && id.Version() == 7 {
		copy(name[:], id[:])
	}
	return name
}

// nameOf caches the last name: a run's key is looked up and then stored.
func (b *batch) nameOf(k *bus.Key) keyName {
	if b.named != k {
		b.named, b.name = k, nameOf(*k)
	}
	return b.name
}

// Lookup implements [bus.Journal].
func (l *Log) Lookup(ctx context.Context, key bus.Key) (*bus.Stored, error) {
	s, err := l.lookups.take(ctx)
	if err != nil {
		return nil, fmt.Errorf("audit: look up an idempotency key: %w", err)
	}
	defer l.lookups.give(s, true)
	return l.stored(s, nameOf(key))
}

// prior is Lookup inside the transaction.
func (b *batch) prior(key *bus.Key) (*bus.Stored, error) {
	name := b.nameOf(key)
	if b.w.recentKeys.free(name) {
		return nil, nil
	}
	return b.w.l.stored(b.w.session, name)
}

// stored returns the result under a key, nil if there is none. A key without a result has an unknown outcome.
func (l *Log) stored(c *session, name keyName) (*bus.Stored, error) {
	var s bus.Stored
	var result []byte
	err := c.scan("SELECT arguments, request_id, result FROM audit_keys WHERE key = ? AND (expires IS NULL OR expires "+
		"> ?)",
		[]any{name[:], l.o.Clock().UnixMilli()}, &s.Arguments, &s.RequestID, &result)
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

// errTaken is the error for a run whose key was used while it ran. This happens only with a bus that does not call
// Prior.
var errTaken = bus.Errorf(bus.Conflict, bus.ReasonBusy, "The same request was carried out in the meantime.").
	WithHint("Send it again with the same key to get its result.")

// claim checks, before a run's effects are kept, that its key is free.
func (b *batch) claim(e *bus.Entry) error {
	if !e.StoresResult() {
		return nil
	}
	prior, err := b.prior(e.Key)
	if err == nil && prior != nil {
		err = errTaken
	}
	return err
}

// storeResult stores a success under its key, unless one is stored.
func (b *batch) storeResult(e *bus.Entry, seq int64) error {
	if e == nil || !e.StoresResult() {
		return nil
	}
	whole := e.Result
	if e.Stored != nil {
		whole.Data = e.Stored
	}
	result, err := whole.MarshalJSON() // not json.Marshal, which would parse it all again
	if err != nil {
		return fmt.Errorf("write the result for an idempotency key: %w", err)
	}
	name := b.nameOf(e.Key)
	return b.storeKey(name[:], e.Key.Arguments, e.Invocation.RequestID, seq, result, b.expiry(e.Key))
}

// expiry returns the time after which a key's result may be deleted; nil means never.
func (b *batch) expiry(k *bus.Key) any {
	if k.Window <= 0 {
		return nil
	}
	return b.w.l.o.Clock().Add(k.Window).UnixMilli()
}

// storeKey stores a key in a row with the number of its record. A later result has a higher number than all earlier
// ones, and an erasure relies on that.
func (b *batch) storeKey(key []byte, arguments, request string, seq int64, result []byte, expires any) error {
	_, err := b.w.session.exec(
		`INSERT INTO audit_keys (rowid, key, arguments, request_id, seq, result, expires)
			VALUES (?4, ?1, ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT (key) DO UPDATE SET rowid = excluded.rowid, arguments = excluded.arguments,
			request_id = excluded.request_id, seq = excluded.seq, result = excluded.result,
			expires = excluded.expires WHERE expires <= ?7`,
		key, arguments, request, seq, result, expires, b.w.l.o.Clock().UnixMilli())
	if err != nil {
		return fmt.Errorf("store an idempotency key: %w", err)
	}
	if len(key) == len(keyName{}) { // another program may have edited the row
		b.w.recentKeys.add(keyName(key))
	}
	if b.w.keys++; b.w.keys%forgetEvery == 1 {
		return b.forgetKeys()
	}
	return nil
}

// Expired results are deleted along the way, some at a time, because they contain values that are redacted in other
// places. Keys expire in the order of storage as long as the window stays the same, so that they need no index. After
// the window is shortened, they wait for those before them.
const (
	forgetEvery  = 256
	forgetAtOnce = 4 * forgetEvery
)

// forgetKeys deletes expired results in the next range of rows, up to the first result that has not expired.
func (b *batch) forgetKeys() error {
	h, err := b.head(mainStream)
	if err != nil {
		return err
	}
	now := b.w.l.o.Clock().UnixMilli()
	last := min(h.swept+forgetAtOnce, h.seq)
	var kept int64
	err = b.w.session.scan("SELECT rowid FROM audit_keys WHERE rowid > ? AND rowid <= ? AND expires > ? ORDER BY rowid "+
		"LIMIT 1", []any{h.swept, last, now}, &kept)
	switch {
	case err == nil:
		last = kept - 1
	case !errors.Is(err, sql.ErrNoRows):
		return fmt.Errorf("look for expired idempotency keys: %w", err)
	}
	if _, err := b.w.session.exec("DELETE FROM audit_keys WHERE rowid > ? AND rowid <= ? AND expires <= ?", h.swept, last,
		now); err != nil {
		return fmt.Errorf("forget expired idempotency keys: %w", err)
	}
	h.swept = last
	return nil
}

// recentKeys knows the end of the order of keys, so that most new ones need no look-up: every stored key above floor is
// one of the latest.
type recentKeys struct {
	floor           keyName
	latest, earlier map[keyName]struct{}
}

// maxGeneration is the number of keys in one generation. Keys that callers draw at the same time arrive in another
// sequence; this limits their distance.
const maxGeneration = 2048

// free reports that no result is stored under name. A false result says nothing.
func (k *recentKeys) free(name keyName) bool {
	if bytes.Compare(name[:], k.floor[:]) <= 0 {
		return false
	}
	_, latest := k.latest[name]
	_, earlier := k.earlier[name]
	return !latest && !earlier
}

// add is called for every stored key, even if it is rolled back later.
func (k *recentKeys) add(name keyName) {
	if len(k.latest) >= maxGeneration {
		for older := range k.earlier {
			k.raise(older)
		}
		k.latest, k.earlier = nil, k.latest
	}
	if k.latest == nil {
		k.latest = make(map[keyName]struct{}, maxGeneration)
	}
	k.latest[name] = struct{}{}
}

func (k *recentKeys) raise(name keyName) {
	if bytes.Compare(name[:], k.floor[:]) > 0 {
		k.floor = name
	}
}

// learn starts again with the highest stored key, inside a transaction that may write.
func (k *recentKeys) learn(s *session) error {
	*k = recentKeys{}
	var last []byte
	if err := s.scan("SELECT max(key) FROM audit_keys", nil, &last); err != nil {
		return err
	}
	copy(k.floor[:], last)
	if len(last) > len(k.floor) {
		return errors.New("audit: a key is too long")
	}
	return nil
}
