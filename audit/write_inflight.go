package audit

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/deskhand/deskhand/audit/chain"
	"github.com/deskhand/deskhand/bus"
)

// inflightRow is the record of a network step whose program dies. It is written before the step starts, as JSON.
type inflightRow struct {
	Time       int64           `json:"time"`
	Kind       string          `json:"kind"`
	Request    string          `json:"request"`
	Trace      string          `json:"trace,omitempty"`
	Parent     string          `json:"parent,omitempty"`
	Convo      string          `json:"convo,omitempty"`
	CallerType string          `json:"caller_type,omitempty"`
	Person     string          `json:"person,omitempty"`
	Capability string          `json:"capability,omitempty"`
	SideEffect string          `json:"side_effect,omitempty"`
	Status     string          `json:"status"`
	Code       string          `json:"code,omitempty"`
	Detail     json.RawMessage `json:"detail"`
	Body       json.RawMessage `json:"body"`
}

func inflightRowOf(r *row) inflightRow {
	return inflightRow{Time: r.Time, Kind: r.Kind, Request: r.RequestID, Trace: r.TraceID, Parent: r.ParentRequestID,
		Convo: r.ConversationID, CallerType: r.CallerType, Person: r.Person, Capability: r.Capability,
		SideEffect: r.SideEffect, Status: r.Status, Code: r.Code, Detail: json.RawMessage(r.Detail), Body: r.body}
}

func (n *inflightRow) row() (*row, error) {
	var d detail
	if err := decode(n.Detail, &d); err != nil {
		return nil, err
	}
	return &row{stream: mainStream, body: n.Body, figures: figuresOf(&d),
		Header: chain.Header{Time: n.Time, Kind: n.Kind, RequestID: n.Request, TraceID: n.Trace,
			ParentRequestID: n.Parent, ConversationID: n.Convo, CallerType: n.CallerType, Person: n.Person,
			Capability: n.Capability, SideEffect: n.SideEffect, Status: n.Status, Code: n.Code, Detail: string(n.Detail)}}, nil
}

// Begin implements [bus.Journal]. Beginning the same request again, for another attempt, keeps its row. A key that is
// stored, or in flight in another program, is a CONFLICT.
func (l *Log) Begin(ctx context.Context, e *bus.Entry) error {
	if l.store.archive {
		return errArchive()
	}
	owner, err := l.liveness.ID()
	if err != nil {
		return fmt.Errorf("audit: begin a network step: %w", err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.Key != nil {
		if err := l.settleInterrupted(); err != nil {
			return err
		}
	}
	r, err := l.newRow(e.Interrupted(), nil, nil)
	if err != nil {
		return err
	}
	entry, err := json.Marshal(inflightRowOf(r))
	if err != nil {
		return fmt.Errorf("audit: note a network step: %w", err)
	}
	return l.writer.bookkeep(func(b *batch) error { return b.storeInflight(e, owner, r.Time, entry) })
}

// storeInflight stores the row of a network step, after checking that its key is free and taking its token.
func (b *batch) storeInflight(e *bus.Entry, owner string, started int64, entry []byte) error {
	var key []byte
	var arguments, expires any
	if e.Key != nil {
		prior, err := b.prior(e.Key)
		if err != nil {
			return err
		}
		if prior != nil {
			return errTaken
		}
		name := nameOf(*e.Key)
		key, arguments, expires = name[:], e.Key.Arguments, b.expiry(e.Key)
		var other string
		switch err := b.w.session.scan("SELECT request_id FROM audit_inflight WHERE key = ? AND request_id <> ?",
			[]any{key, e.Invocation.RequestID}, &other); {
		case err == nil:
			return errTaken
		case !errors.Is(err, sql.ErrNoRows):
			return err
		}
	}
	if err := b.takeToken(e); err != nil {
		return err
	}
	_, err := b.w.session.exec(`INSERT INTO audit_inflight (request_id, owner, started, entry, key, arguments, expires)
		VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (request_id) DO UPDATE SET owner = excluded.owner, entry = excluded.entry`,
		e.Invocation.RequestID, owner, started, entry, key, arguments, expires)
	b.wrote = true
	return err
}

// Finish implements [bus.Journal]. A step that was abandoned in flight may have reached its goal, so its key is kept as
// unknown.
func (l *Log) Finish(_ context.Context, e *bus.Entry) error {
	r, err := l.newRow(e, nil, nil)
	if err != nil {
		return err
	}
	r.stream = mainStream
	return l.writer.submit(&work{kind: workBookkeeping, by: l, bookkeeping: func(b *batch) error {
		if err := b.record(r, e); err != nil {
			return err
		}
		if _, err := b.w.session.exec("DELETE FROM audit_inflight WHERE request_id = ?", r.RequestID); err != nil {
			return err
		}
		if e.Key == nil || !e.OutcomeUnknown() {
			return nil
		}
		name := nameOf(*e.Key)
		return b.storeKey(name[:], e.Key.Arguments, r.RequestID, r.Seq, nil, b.expiry(e.Key))
	}})
}

// inflightStep is a stored row whose program may be dead.
type inflightStep struct {
	request, owner string
	entry, key     []byte
	arguments      sql.NullString
	expires        sql.NullInt64
}

// settleInterrupted records the unfinished steps of dead programs. Usually there are none, and it does not take the
// write lock.
func (l *Log) settleInterrupted() error {
	var notes int
	if err := l.readers.db.QueryRow("SELECT count(*) FROM audit_inflight").Scan(&notes); err != nil || notes == 0 {
		return err
	}
	return l.writer.bookkeep(func(b *batch) error {
		list, err := b.inflightRows()
		if err != nil {
			return err
		}
		for _, a := range list {
			gone, err := l.liveness.Gone(a.owner)
			if err != nil {
				return fmt.Errorf("look for the program that began %s: %w", a.request, err)
			}
			if !gone {
				continue
			}
			if err := b.interrupt(a); err != nil {
				return err
			}
			l.o.Logger.Warn("audit: recorded as interrupted", "request_id", a.request)
		}
		return nil
	})
}

func (b *batch) inflightRows() ([]inflightStep, error) {
	rows, err := b.w.session.conn.QueryContext(context.Background(),
		"SELECT request_id, owner, entry, key, arguments, expires FROM audit_inflight ORDER BY started, request_id")
	return collect(rows, err, func(a *inflightStep) []any {
		return []any{&a.request, &a.owner, &a.entry, &a.key, &a.arguments, &a.expires}
	})
}

// interrupt records the step of a dead program. Its outcome is unknown, so its key stays used.
func (b *batch) interrupt(a inflightStep) error {
	var n inflightRow
	if err := json.Unmarshal(a.entry, &n); err != nil {
		return fmt.Errorf("read the note of %s: %w", a.request, err)
	}
	r, err := n.row()
	if err != nil {
		return fmt.Errorf("read the note of %s: %w", a.request, err)
	}
	if err := b.record(r, nil); err != nil {
		return err
	}
	if a.key != nil {
		if err := b.storeKey(a.key, a.arguments.String, a.request, r.Seq, nil, a.expires); err != nil {
			return err
		}
	}
	_, err = b.w.session.exec("DELETE FROM audit_inflight WHERE request_id = ?", a.request)
	return err
}
