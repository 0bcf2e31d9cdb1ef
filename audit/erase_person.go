package audit

import (
	"context"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

// Erased counts what Erase deleted.
type Erased struct {
	Records int `json:"records"` // whose payloads are gone
	Results int `json:"results"` // idempotency results
}

// minTerm is the length of the shortest term.
const minTerm = 3

// Erase deletes what the log holds about a person, as a part of the transaction of ctx, which must be that of a handler
// that writes: the payloads of all records that contain one of the terms as a whole word, in capitals or not, and the
// idempotency results that do. Terms are ids, e-mail addresses, numbers, names: what means this person only, exactly as
// it was written. Before the caller gets the answer the deleted bytes are overwritten in the file; while another
// program prevents that, it is tried again every second, and when the log is opened the next time.
//
// Headers and digests stay, so the log verifies, and says how much was erased and by which request. A key whose result
// is gone stays used: it is refused from then on. The record of the erasing request names the rows it changed without
// their values, and has no summary and none of the words said; an id in it that has a word of a name or address among
// the terms is replaced.
//
// The whole log is searched for the terms while others write: a run that asks for terms which were not searched for is
// aborted, taken back, and started again after the search. While a network step about the person is in flight it is a
// CONFLICT.
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

func (b *batch) refuseInflight(about *erasureTerms) error {
	found, err := about.rowsMentioning(context.Background(), b.w.session.conn, "SELECT 1, entry FROM audit_inflight")
	if err == nil && len(found) > 0 {
		err = bus.Errorf(bus.Conflict, bus.ReasonBusy, "A step that is about them is still under way.").
			WithHint("Wait until it has ended and try again.")
	}
	return err
}

// eraseRecords erases the payloads that the search found, and those written since, which it returns.
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

// erasePayload deletes a record's payload and notes which request asked for it.
// It is false when there was none any more.
func (b *batch) erasePayload(s *stream, seq int64, t *Txn) (bool, error) {
	if err := b.queueTextErasure(s, seq-1, seq); err != nil {
		return false, err
	}
	deleted, err := b.w.session.exec("DELETE FROM "+s.payloads+" WHERE seq = ?", seq)
	if err != nil {
		return false, err
	}
	if n, err := deleted.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	t.noteErased(s, seq)
	_, err = b.w.session.exec("INSERT INTO audit_erasures (stream, seq, request_id) VALUES (?, ?, ?)", s.name, seq,
		t.entry.Invocation.RequestID)
	return true, err
}

// noteErased notes that the run erased a payload, for its record.
func (t *Txn) noteErased(s *stream, seq int64) {
	if t.erasedNumbers == nil {
		t.erasedNumbers = erasedNumbers{}
	}
	t.erasedNumbers.add(s, seq)
}

// eraseResults blanks the results that the search found, and those stored since that contain a term or belong to an
// erased record. Their keys stay, with a digest that no arguments have: what ran once must not run again.
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

// erasedText replaces what told who was erased.
const erasedText = "[erased]"

// stripContent removes from an erasing request's record what it erased: the
// rows are named, their values are not, nor is what was said.
func stripContent(e *bus.Entry, about *erasureTerms) {
	effects := make([]bus.Effect, len(e.Effects))
	for i, f := range e.Effects {
		effects[i] = bus.Effect{Table: f.Table, Key: f.Key, Op: f.Op}
	}
	caller, result, tells := &e.Invocation.Caller, &e.Result, about.telling()
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
