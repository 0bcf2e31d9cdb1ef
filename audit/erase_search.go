package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

const (
	// erasureStep is the number of rows searched at a time, because a long read would prevent checkpoints of the
	// write-ahead log.
	erasureStep = 2000
	// erasureAttempts limits the searches and restarts of a run.
	erasureAttempts = 3
)

// erasureSearch lists the records with the terms, except those written after the search.
type erasureSearch struct {
	terms   []string
	upTo    map[*stream]int64 // the last record searched
	records map[*stream][]int64
	results []int64 // rows of audit_keys
}

func (m *erasureSearch) covers(terms []string) bool {
	if m == nil {
		return false
	}
	return !slices.ContainsFunc(terms, func(term string) bool { return !slices.Contains(m.terms, term) })
}

// needsSearchError aborts a run so that the log can be searched for these terms first.
type needsSearchError struct{ terms []string }

// Error implements error.
func (e *needsSearchError) Error() string {
	return "audit: the log was not looked through for these terms"
}

// Unwrap returns the caller's error for terms that change faster than the log can be searched.
func (e *needsSearchError) Unwrap() error {
	return bus.Errorf(bus.Conflict, bus.ReasonBusy, "Who is to be erased changed meanwhile.").WithHint("Try again.")
}

func needsSearch(err error) bool { return errors.As(err, new(*needsSearchError)) }

// searchAndErase continues work that was aborted with a needsSearchError: it searches the log while other calls write
// and runs the work again, and repeats both for a run with other terms. It returns when the file is scrubbed.
func (l *Log) searchAndErase(k *work, aborted error) error {
	for range erasureAttempts {
		var needs *needsSearchError
		if !errors.As(aborted, &needs) {
			break
		}
		terms := slices.Clone(needs.terms)
		if k.search != nil {
			terms = append(terms, k.search.terms...)
		}
		var err error
		if k.search, err = l.searchForErasure(k.ctx, terms); err != nil {
			return err
		}
		aborted = l.writer.submit(k)
	}
	if aborted == nil && k.erased {
		l.scrubber.wait()
	}
	return aborted
}

// searchForErasure searches all data that Erase would delete for the terms.
func (l *Log) searchForErasure(ctx context.Context, terms []string) (*erasureSearch, error) {
	m := &erasureSearch{terms: terms, upTo: map[*stream]int64{}, records: map[*stream][]int64{}}
	about := newErasureTerms(terms)
	for _, s := range []*stream{readsStream, mainStream} {
		head, err := l.lastHead(ctx, s)
		if err != nil {
			return nil, fmt.Errorf("audit: look for mentions: %w", err)
		}
		last := head.seq
		m.upTo[s] = last
		for after := int64(0); after < last; after += erasureStep {
			found, err := about.rowsMentioning(ctx, l.readers.db,
				"SELECT seq, body FROM "+s.payloads+" WHERE seq > ? AND seq <= ?", after, min(last, after+erasureStep))
			if err != nil {
				return nil, fmt.Errorf("audit: look for mentions: %w", err)
			}
			m.records[s] = append(m.records[s], found...)
		}
	}
	return m, l.searchResults(ctx, m, about)
}

// searchResults finds the idempotency results that contain a term, and those of records that do. No row number exceeds
// the number of the last record, see storeKey.
func (l *Log) searchResults(ctx context.Context, m *erasureSearch, about *erasureTerms) error {
	for after := int64(0); after < m.upTo[mainStream]; after += erasureStep {
		rows, err := l.readers.db.QueryContext(ctx,
			"SELECT rowid, seq, result FROM audit_keys WHERE rowid > ? AND rowid <= ? AND result IS NOT NULL", after,
			after+erasureStep)
		err = each(rows, err, func() error {
			var row, seq int64
			var result []byte
			if err := rows.Scan(&row, &seq, &result); err != nil {
				return err
			}
			if _, erased := slices.BinarySearch(m.records[mainStream], seq); erased || about.mentionedIn(result) {
				m.results = append(m.results, row)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("audit: look for mentions: %w", err)
		}
	}
	return nil
}
