package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

const (
	// maxReaders limits the read snapshots that are open at once.
	maxReaders = 8
	// maxLookups limits the connections for look-ups of idempotency keys, which never wait: a few serve many look-ups,
	// and keep their pages cached.
	maxLookups = 2
)

// readerPool hands out read-only connections.
type readerPool struct {
	db       *sql.DB // for the journal's single queries
	slots    chan struct{}
	sessions chan *session // idle ones
}

func newReaderPool(dsn string, size int) *readerPool {
	db, err := sql.Open("sqlite", dsn)
	if err != nil {
		panic(fmt.Sprintf("audit: the driver is not registered: %v", err))
	}
	db.SetMaxIdleConns(2 * size)
	return &readerPool{db: db, slots: make(chan struct{}, size), sessions: make(chan *session, size)}
}

// take returns an idle session, or a new one. If all are in use it waits until one is free or ctx ends.
func (p *readerPool) take(ctx context.Context) (*session, error) {
	select {
	case p.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	select {
	case s := <-p.sessions:
		return s, nil
	default:
	}
	conn, err := p.db.Conn(context.WithoutCancel(ctx))
	if err != nil {
		<-p.slots
		return nil, err
	}
	return newSession(conn), nil
}

// give returns a session to the pool, or closes it if its query was interrupted.
func (p *readerPool) give(s *session, usable bool) {
	if usable {
		p.sessions <- s
	} else {
		_ = s.close() // it holds nothing
	}
	<-p.slots
}

func (p *readerPool) close() error {
	var err error
	for {
		select {
		case s := <-p.sessions:
			err = errors.Join(err, s.close())
			continue
		default:
		}
		return errors.Join(err, p.db.Close())
	}
}

// View implements [bus.Journal]. The snapshot begins with the first query; inside another run of the same log it is
// that run's state.
func (l *Log) View(ctx context.Context, run func(context.Context) error) error {
	if t, ok := ctx.Value(txnKey{}).(*Txn); ok && t.checked == &l.checked && t.live() {
		return run(ctx)
	}
	var used *session
	txn := &Txn{checked: &l.checked}
	txn.acquire = func() (*session, error) {
		s, err := l.readers.take(ctx)
		if err != nil {
			return nil, fmt.Errorf("audit: begin to read: %w", err)
		}
		if _, err := s.exec("BEGIN"); err != nil {
			l.readers.give(s, false)
			return nil, fmt.Errorf("audit: begin to read: %w", err)
		}
		used = s
		return s, nil
	}
	defer func() {
		txn.end()
		if used != nil {
			_, err := used.exec("ROLLBACK")
			l.readers.give(used, err == nil && ctx.Err() == nil)
		}
	}()
	return l.explain(run(withTxn(ctx, txn)))
}
