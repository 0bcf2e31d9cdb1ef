package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// Erased counts the deletions of Erase.
type Erased struct {
	Records int `json:"records"` // with deleted payloads
	Results int `json:"results"` // idempotency results
}

// minTerm is the length of the shortest allowed term.
const minTerm = 3

// Erase deletes the data about a person in the log. It is part of the transaction of ctx, which must belong to a
// handler that writes. It deletes the payloads of all records that contain one of the terms as a whole word, in any
// case, and such idempotency results. Terms are ids, e-mail addresses, numbers and names that identify only this
// person, exactly as written. Before the caller gets the answer, the deleted bytes are overwritten in the file. If
// another program prevents that, the log retries every second, and when it is opened the next time.
//
// Headers and digests stay, so the log verifies, and the verdict counts the erased payloads with their requests. A key
// whose result was deleted stays used: later calls with it are refused. The record of the erasing request names the
// changed rows without their values, and has no summary and none of the texts. An id in it that contains a word of a
// name or address among the terms is replaced.
//
// The log is searched for the terms while other calls write. A run that uses terms without a search is aborted, rolled
// back, and started again after the search. If a network step about the person is in flight, Erase returns CONFLICT.
func (l *Log) Erase(ctx context.Context, terms ...string) (Erased, error) {
	var gone Erased
	for _, term := range terms {
		if len(term) < minTerm {
			return gone, bus.Errorf(bus.Validation, bus.ReasonArguments, "%q is too short to tell one person from others.",
				term).
				WithHint("Name at least %d characters, such as an id or an e-mail address.", minTerm)
		}
	}
	t := Tx(ctx)
	err := t.ownChange(ctx, func(b *batch) error {
		if !t.search.covers(terms) {
			return &needsSearchError{terms}
		}
		t.erased = true
		about := newErasureTerms(terms)
		if err := b.refuseInflight(about); err != nil {
			return err
		}
		reads, _, err := b.eraseRecords(readsStream, t, about)
		if err != nil {
			return err
		}
		records, since, err := b.eraseRecords(mainStream, t, about)
		if err != nil {
			return err
		}
		gone.Records = reads + records
		if gone.Results, err = b.eraseResults(t.search, about, since); err != nil {
			return err
		}
		if err := b.eraseFilters(about); err != nil {
			return err
		}
		return b.requestScrub()
	})
	if err != nil {
		return Erased{}, fmt.Errorf("audit: erase: %w", err)
	}
	return gone, nil
}

// refuseInflight returns CONFLICT if a network step in flight mentions the person.
func (b *batch) refuseInflight(about *erasureTerms) error {
	found, err := about.rowsMentioning(context.Background(), b.w.session.conn, "SELECT 1, entry FROM audit_inflight")
	if err == nil && len(found) > 0 {
		err = bus.Errorf(bus.Conflict, bus.ReasonBusy, "A step that is about them is still under way.").
			WithHint("Wait until it has ended and try again.")
	}
	return err
}

// eraseRecords erases the payloads that the search found, and newer ones, whose numbers it returns.
func (b *batch) eraseRecords(s *stream, t *Txn, about *erasureTerms) (n int, since []int64, err error) {
	since, err = about.rowsMentioning(context.Background(), b.w.session.conn,
		"SELECT seq, body FROM "+s.payloads+" WHERE seq > ?", t.search.upTo[s])
	if err != nil {
		return 0, nil, err
	}
	for _, seq := range slices.Concat(t.search.records[s], since) {
		was, err := b.erasePayload(s, seq, t)
		if err != nil {
			return 0, nil, err
		}
		if was {
			n++
		}
	}
	return n, since, nil
}

// erasePayload deletes a record's payload and stores the request. It returns false if the payload was deleted before.
func (b *batch) erasePayload(s *stream, seq int64, t *Txn) (bool, error) {
	if err := b.queueTextErasure(s, seq-1, seq); err != nil {
		return false, err
	}
	var body []byte
	err := b.w.session.conn.QueryRowContext(context.Background(),
		"DELETE FROM "+s.payloads+" WHERE seq = ? RETURNING body", seq).Scan(&body)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	t.noteErased(s, seq, body)
	_, err = b.w.session.exec("INSERT INTO audit_erasures (stream, seq, request_id) VALUES (?, ?, ?)", s.name, seq,
		t.entry.Invocation.RequestID)
	return true, err
}

// noteErased records that the run erased a payload, for the record of its request.
func (t *Txn) noteErased(s *stream, seq int64, body []byte) {
	if t.erasedNumbers == nil {
		t.erasedNumbers, t.erasedRows = erasedNumbers{}, erasedRows{}
	}
	t.erasedNumbers.add(s, seq)
	if s == mainStream {
		t.erasedRows.addPayload(body)
	}
}

// eraseResults blanks the results that the search found, and newer ones that contain a term or belong to an erased
// record. Their keys stay, with a digest that no arguments have, so that a call never runs twice.
func (b *batch) eraseResults(m *erasureSearch, about *erasureTerms, erased []int64) (n int, err error) {
	since, err := about.rowsMentioning(context.Background(), b.w.session.conn,
		"SELECT rowid, result FROM audit_keys WHERE rowid > ? AND result IS NOT NULL", m.upTo[mainStream])
	if err != nil {
		return 0, err
	}
	for _, row := range slices.Concat(m.results, since, erased) {
		blanked, err := b.w.session.exec("UPDATE audit_keys SET arguments = 'erased', result = NULL WHERE rowid = ? AND "+
			"result IS NOT NULL", row)
		if err != nil {
			return 0, err
		}
		was, err := blanked.RowsAffected()
		if err != nil {
			return 0, err
		}
		n += int(was)
	}
	return n, nil
}

// erasedText replaces text that identifies the erased person.
const erasedText = "[erased]"

// stripContent removes the erased data from the record of the erasing request: it keeps the names of the rows without
// their values, and none of the texts.
func stripContent(e *bus.Entry, about *erasureTerms) {
	effects := make([]bus.Effect, len(e.Effects))
	for i, f := range e.Effects {
		effects[i] = bus.Effect{Table: f.Table, Key: f.Key, Op: f.Op}
	}
	caller, result, tells := &e.Invocation.Caller, &e.Result, about.identifying()
	e.Effects, e.Summary, caller.TriggeringMessage, caller.Reasoning = withoutIn(tells, effects), "", "", ""
	e.Texts, result.Texts = nil, nil
	if e.Decision != nil {
		decision := *e.Decision
		decision.Reason, e.Decision = "", &decision
	}
	e.Invocation.Arguments, e.Stored = withoutIn(tells, e.Invocation.Arguments), withoutIn(tells, e.Stored)
	result.Data, result.Facts = withoutIn(tells, result.Data), withoutIn(tells, result.Facts)
	result.Events = withoutIn(tells, result.Events)
}
