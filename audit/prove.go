package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/audit/internal/heads"
	"github.com/deskhand/deskhand/audit/internal/tiles"
	"github.com/deskhand/deskhand/bus"
)

// headSigner signs the head of the log in the background: a keychain may be slow. A nil one does nothing.
type headSigner struct {
	l                 *Log
	wake, quit, ended chan struct{}
}

func startSigner(l *Log) *headSigner {
	if l.o.Key == nil || l.store.archive {
		return nil
	}
	s := &headSigner{l, make(chan struct{}, 1), make(chan struct{}), make(chan struct{})}
	go s.run()
	return s
}

func (s *headSigner) run() {
	defer close(s.ended)
	for {
		select {
		case <-s.wake:
			s.sign()
		case <-s.quit:
			select {
			case <-s.wake:
				s.sign()
			default:
			}
			return
		}
	}
}

func (s *headSigner) sign() {
	seed, key, err := s.l.key()
	if err != nil {
		s.l.o.Logger.Debug("audit: there is no key to sign the head", "error", err)
		return
	}
	if err := s.l.signHead(seed, key); err != nil {
		s.l.o.Logger.Error("audit: the head was not signed", "error", err)
	}
}

// signal has the head signed soon, at the latest when the log is closed.
func (s *headSigner) signal() {
	if s == nil {
		return
	}
	select {
	case s.wake <- struct{}{}:
	default: // signalled already
	}
}

// stop signs the head if that was signalled, and ends the goroutine.
func (s *headSigner) stop() {
	if s == nil {
		return
	}
	close(s.quit)
	<-s.ended
}

// signHead signs the present head. A log whose tree is damaged has none: Verify names the damage.
func (l *Log) signHead(seed []byte, key string) error {
	return l.writer.bookkeep(func(b *batch) error {
		h, err := b.head(mainStream)
		if err != nil || h.seq == h.tree {
			return err
		}
		root, err := b.tree(h).root(h.seq)
		if errors.Is(err, tiles.ErrMissing) {
			return errNotWhole()
		}
		if err != nil {
			return err
		}
		head := heads.Head{Size: h.seq - h.tree, Root: [chain.Size]byte(root), After: h.tree}
		checkpoint, err := head.Sign(seed)
		if err != nil {
			return err
		}
		b.wrote = true
		_, err = b.w.session.exec("INSERT INTO audit_signed (size, key, checkpoint) VALUES (?, ?, ?) ON CONFLICT (size) "+
			"DO UPDATE SET key = excluded.key, checkpoint = excluded.checkpoint", head.Size, key, checkpoint)
		return err
	})
}

func errNotWhole() error {
	return bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The log is not whole.").WithHint("Verify the log.")
}

// signEvery is the longest time for which a growing log has no new signed head.
const signEvery = 24 * time.Hour

// SignIfDue signs the head of the log in the background if the last signed record is more than a day old and others
// have followed it.
func (l *Log) SignIfDue(ctx context.Context) error {
	var last, signed int64
	err := l.readers.db.QueryRowContext(ctx, `SELECT h.seq, coalesce((SELECT time FROM audit_records WHERE seq = h.tree +
		(SELECT max(size) FROM audit_signed)), 0) FROM audit_heads h WHERE h.stream = 'main'`).Scan(&last, &signed)
	if err != nil {
		return fmt.Errorf("audit: look for signed heads: %w", l.explain(err))
	}
	if last > 0 && l.o.Clock().Sub(time.UnixMilli(signed)) > signEvery {
		l.signer.signal()
	}
	return nil
}

// PublicKey returns the public key that others check proofs with, a verifier key of golang.org/x/mod/sumdb/note, or the
// error of [Options].Key.
func (l *Log) PublicKey() (string, error) {
	_, key, err := l.key()
	return key, err
}

// key finds the key of the log.
func (l *Log) key() (seed []byte, public string, err error) {
	if l.o.Key == nil {
		return nil, "", bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "There is no key that signs the log.")
	}
	if seed, err = l.o.Key(); err == nil {
		public, err = heads.Key(seed)
	}
	return seed, public, err
}

// Prove returns the proof of the record of a request as a text for others, who check it with [chain.CheckProof] and the
// public key of the log. disclose adds the payload. The first signed head behind the record is taken; if there is none
// it is signed now, which needs [Options].Key.
//
// Records of people's look-ups are in no tree, so there is no proof of them.
func (l *Log) Prove(ctx context.Context, requestID string, disclose bool) (_ []byte, err error) {
	defer func() { err = l.explain(err) }()
	seed, key, keyless := l.key()
	text, err := l.prove(ctx, requestID, key, disclose)
	if !errors.Is(err, errUnsigned) {
		return text, err
	}
	if keyless != nil {
		return nil, keyless
	}
	if err := l.signHead(seed, key); err != nil {
		return nil, err
	}
	return l.prove(ctx, requestID, key, disclose)
}

// errUnsigned reports that no signed head covers a record.
var errUnsigned = errors.New("audit: no signed head has the record")

// prove makes a proof by the first head that a key has signed behind the record; "" is any key.
func (l *Log) prove(ctx context.Context, requestID, key string, disclose bool) ([]byte, error) {
	tx, err := l.readers.db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }() // it only read
	var seq int64
	t := tree{q: tx}
	err = tx.QueryRowContext(ctx, `SELECT r.seq, h.tree FROM audit_records r, audit_heads h
		WHERE r.request_id = ? AND h.stream = 'main' ORDER BY r.kind <> 'invocation', r.seq LIMIT 1`, requestID).
		Scan(&seq, &t.base)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, bus.Errorf(bus.NotFound, bus.ReasonRecord, "The log has no record of request %s that can be proved.",
			requestID).WithHint("Look-ups of people and removed records cannot be proved.")
	}
	if err != nil {
		return nil, err
	}
	found, err := chained(ctx, tx, seq-1, 1, 1)
	if err != nil {
		return nil, err
	}
	r := &found[0]
	p := chain.Proof{Header: r.Header, Prev: r.Prev, Index: seq - t.base - 1}
	if disclose && r.Salt == nil {
		return nil, bus.Errorf(bus.PreconditionFailed, bus.ReasonState, "The payload of this record was erased.").
			WithHint("Prove the record without its payload.")
	}
	if disclose {
		p.Salt, p.Payload = r.Salt, r.Body
	}
	err = tx.QueryRowContext(ctx, `SELECT key, checkpoint FROM audit_signed WHERE size > ? AND (key = ? OR ? = '')
		ORDER BY size LIMIT 1`, p.Index, key, key).Scan(&key, &p.Checkpoint)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errUnsigned
	}
	if err != nil {
		return nil, err
	}
	head, err := heads.Open(key, p.Checkpoint)
	if err != nil {
		return nil, errNotWhole()
	}
	path, err := tiles.Read(t.Read).Prove(head.Size, p.Index)
	if err != nil && !errors.Is(err, tiles.ErrMissing) {
		return nil, err
	}
	for _, hash := range path {
		p.Path = append(p.Path, hash)
	}
	text := p.Text()
	if _, err := chain.CheckProof(key, text); err != nil {
		return nil, errNotWhole()
	}
	return text, nil
}
