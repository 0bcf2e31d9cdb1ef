package audit

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/deskhand/deskhand/bus"
)

const (
	// seekStep is how many rows are looked through at a time: a long read would
	// keep the file from being tidied up.
	seekStep = 2000
	// seekAttempts bounds how often a run is given up to look for more terms.
	seekAttempts = 4
)

// mentions is where the log mentions somebody: all of it but what was written
// later.
type mentions struct {
	terms   []string
	upTo    map[*stream]int64 // the last record that was looked at
	records map[*stream][]int64
	results []int64 // rows of audit_keys
}

func (m *mentions) covers(terms []string) bool {
	if m == nil {
		return false
	}
	return !slices.ContainsFunc(terms, func(term string) bool { return !slices.Contains(m.terms, term) })
}

// unsoughtError gives up a run that needs to know where terms are mentioned.
type unsoughtError struct{ terms []string }

// Error implements error.
func (e *unsoughtError) Error() string {
	return "audit: the log was not looked through for these terms"
}

// Unwrap is what a bus is told, and its caller if it happens too often: whom it
// is about changes faster than the log can be looked through.
func (e *unsoughtError) Unwrap() error {
	return bus.Errorf(bus.Conflict, bus.ReasonBusy, "Who is to be erased changed meanwhile.").WithHint("Try again.")
}

// submitSeeking runs work that may erase: the log is looked through while others
// write, between a run that finds out what for and one that erases.
func (l *Log) submitSeeking(k *work) error {
	for attempt := 1; ; attempt++ {
		err := l.writer.submit(k)
		var unsought *unsoughtError
		if !errors.As(err, &unsought) || attempt == seekAttempts {
			return err
		}
		terms := slices.Clone(unsought.terms)
		if k.sought != nil {
			terms = append(terms, k.sought.terms...)
		}
		if k.sought, err = l.seek(k.ctx, terms); err != nil {
			return err
		}
	}
}

// seek looks for terms in everything that is erased by them.
func (l *Log) seek(ctx context.Context, terms []string) (*mentions, error) {
	m := &mentions{terms: terms, upTo: map[*stream]int64{}, records: map[*stream][]int64{}}
	about := newNames(terms)
	for _, s := range []*stream{readsStream, mainStream} {
		var last int64
		if err := l.readers.db.QueryRowContext(ctx, "SELECT seq FROM audit_heads WHERE stream = ?", s.name).Scan(&last); err != nil {
			return nil, fmt.Errorf("audit: look for mentions: %w", err)
		}
		m.upTo[s] = last
		for after := int64(0); after < last; after += seekStep {
			found, err := about.among(ctx, l.readers.db, "SELECT seq, body FROM "+s.payloads+" WHERE seq > ? AND seq <= ?", after, min(last, after+seekStep))
			if err != nil {
				return nil, fmt.Errorf("audit: look for mentions: %w", err)
			}
			m.records[s] = append(m.records[s], found...)
		}
	}
	return m, l.seekResults(ctx, m, about)
}

// seekResults finds the results that mention somebody, and those of records that
// do. No row is above the number of the last record, see storeKey.
func (l *Log) seekResults(ctx context.Context, m *mentions, about *names) error {
	for after := int64(0); after < m.upTo[mainStream]; after += seekStep {
		rows, err := l.readers.db.QueryContext(ctx, "SELECT rowid, seq, result FROM audit_keys WHERE rowid > ? AND rowid <= ? AND result IS NOT NULL", after, after+seekStep)
		if err != nil {
			return fmt.Errorf("audit: look for mentions: %w", err)
		}
		err = each(rows, func() error {
			var row, seq int64
			var result []byte
			if err := rows.Scan(&row, &seq, &result); err != nil {
				return err
			}
			if _, erased := slices.BinarySearch(m.records[mainStream], seq); erased || about.in(result) {
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
