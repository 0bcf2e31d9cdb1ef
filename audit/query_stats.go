package audit

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/histogram"
)

// Stats are the statistics of a period, from counts that are kept with the records: reading them has the same cost for
// any number of records.
type Stats struct {
	// ms since 1970: the beginning of the first hour counted
	From int64 `json:"from" jsonschema_extras:"x-time=true"`
	// the end of the last hour; absent: until now
	To           int64             `json:"to,omitempty" jsonschema_extras:"x-time=true"`
	Capabilities []CapabilityStats `json:"capabilities"` // most called first
	Trust        Trust             `json:"trust"`
}

// CapabilityStats counts the calls of one capability by one kind of caller. Durations are in ms, rounded up by at most
// a third, without replays and dry runs. A step of a plan also counts as a call, without a duration.
type CapabilityStats struct {
	Capability string             `json:"capability"`
	Caller     string             `json:"caller"`
	Calls      int64              `json:"calls"`
	Failures   map[bus.Code]int64 `json:"failures,omitempty"`
	P50        int64              `json:"p50Ms"`
	P95        int64              `json:"p95Ms"`
}

// Trust counts the requests of agents and the answers of people.
type Trust struct {
	Turns    int64 `json:"turns"`    // sentences to agents: see Options.Turn
	Calls    int64 `json:"calls"`    // by agents, of any kind; a plan counts as one
	Risky    int64 `json:"risky"`    // network or destructive calls of agents, or plans with such a step
	Asked    int64 `json:"asked"`    // number of questions to people
	Allowed  int64 `json:"allowed"`  // number of these answers:
	Edited   int64 `json:"edited"`   //
	Declined int64 `json:"declined"` //
	Expired  int64 `json:"expired"`  // not answered in time
	Nobody   int64 `json:"nobody"`   // no person could be asked
	Grants   int64 `json:"grants"`   // calls that a standing grant allowed without a question
	// MedianToDecide is the median time to an answer in ms, rounded up by at most a third.
	MedianToDecide int64 `json:"medianToDecideMs"`
	// ByCapability has the same numbers for each capability with questions, most first.
	ByCapability []CapabilityTrust `json:"byCapability"`
}

// CapabilityTrust counts the answers about one capability.
type CapabilityTrust struct {
	Capability string           `json:"capability"`
	SideEffect string           `json:"sideEffect"`
	Answers    map[string]int64 `json:"answers"` // by [bus.Answer], such as "allow"
}

// Stats reports the UTC hours that overlap the time from (ms since 1970, inclusive) to to (exclusive; 0 means no end),
// which is exact for days in most time zones. It counts people's reads too.
func (l *Log) Stats(ctx context.Context, from, to int64) (_ Stats, err error) {
	defer func() { err = l.explain(err) }()
	if _, err := l.writer.countTail(ctx); err != nil {
		return Stats{}, err
	}
	parts, covered := periods(from, to)
	out := Stats{From: covered.from, To: covered.to, Capabilities: []CapabilityStats{}}
	sum := statsSum{rows: map[statsKey]*CapabilityStats{}, durations: map[statsKey]histogram.Counts{},
		answers: map[about]map[string]int64{}, took: histogram.Counts{}}
	for _, days := range parts {
		if err := cmp.Or(l.sumCounts(ctx, days, &sum, &out.Trust), l.sumDurations(ctx, days, &sum),
			l.sumAnswers(ctx, days, &sum, &out.Trust)); err != nil {
			return Stats{}, fmt.Errorf("audit: statistics: %w", err)
		}
	}
	sum.fillTrust(&out.Trust)
	for k, row := range sum.rows {
		row.P50, row.P95 = sum.durations[k].Quantile(0.5), sum.durations[k].Quantile(0.95)
		out.Capabilities = append(out.Capabilities, *row)
	}
	slices.SortStableFunc(out.Capabilities, func(a, b CapabilityStats) int {
		return cmp.Or(cmp.Compare(b.Calls, a.Calls), cmp.Compare(a.Capability, b.Capability), cmp.Compare(a.Caller, b.Caller))
	})
	return out, nil
}

type statsKey struct{ capability, caller string }

// about identifies the subject of a question.
type about struct{ capability, effect string }

type statsSum struct {
	rows      map[statsKey]*CapabilityStats
	durations map[statsKey]histogram.Counts
	answers   map[about]map[string]int64
	took      histogram.Counts // time that people took to answer
}

// sumCounts adds the calls and failures of a period, and the calls of agents to trust.
func (l *Log) sumCounts(ctx context.Context, days span, sum *statsSum, trust *Trust) error {
	rows, err := l.readers.db.QueryContext(ctx,
		`SELECT coalesce(c.name, ''), k.caller_type, k.side_effect, k.code, k.stream IN ('main', 'reads'), sum(k.calls)
		FROM audit_counts k LEFT JOIN audit_capabilities c ON c.id = k.capability
		WHERE k.day >= ? AND k.day < ? GROUP BY k.capability, 2, 3, 4, 5`, days.from, days.to)
	return each(rows, err, func() error {
		var k statsKey
		var effect, code string
		var record bool // not a step of one
		var calls int64
		if err := rows.Scan(&k.capability, &k.caller, &effect, &code, &record, &calls); err != nil {
			return err
		}
		row := sum.rows[k]
		if row == nil {
			row = &CapabilityStats{Capability: k.capability, Caller: k.caller}
			sum.rows[k] = row
		}
		row.Calls += calls
		if code != "" {
			if row.Failures == nil {
				row.Failures = map[bus.Code]int64{}
			}
			row.Failures[bus.Code(code)] += calls
		}
		switch agents := record && k.caller == string(bus.CallerAgent); {
		case agents && k.capability == l.o.Turn:
			trust.Turns += calls
		case agents:
			trust.Calls += calls
			if effect == string(bus.Network) || effect == string(bus.Destructive) {
				trust.Risky += calls
			}
		}
		return nil
	})
}

// sumDurations adds the histograms of the durations in a period.
func (l *Log) sumDurations(ctx context.Context, days span, sum *statsSum) error {
	rows, err := l.readers.db.QueryContext(ctx, `SELECT coalesce(c.name, ''), k.caller_type, k.bucket, sum(k.calls)
		FROM audit_durations k LEFT JOIN audit_capabilities c ON c.id = k.capability
		WHERE k.day >= ? AND k.day < ? GROUP BY k.capability, 2, 3`, days.from, days.to)
	return each(rows, err, func() error {
		var k statsKey
		var bucket, calls int64
		if err := rows.Scan(&k.capability, &k.caller, &bucket, &calls); err != nil {
			return err
		}
		if sum.durations[k] == nil {
			sum.durations[k] = histogram.Counts{}
		}
		sum.durations[k][bucket] += calls
		return nil
	})
}

// sumAnswers adds the answers to cards in a period, and the time that people took.
func (l *Log) sumAnswers(ctx context.Context, days span, sum *statsSum, trust *Trust) error {
	rows, err := l.readers.db.QueryContext(ctx,
		`SELECT coalesce(c.name, ''), k.side_effect, k.answer, k.bucket, sum(k.calls)
		FROM audit_answers k LEFT JOIN audit_capabilities c ON c.id = k.capability
		WHERE k.day >= ? AND k.day < ? GROUP BY k.capability, 2, 3, 4`, days.from, days.to)
	return each(rows, err, func() error {
		var a about
		var answer string
		var bucket, calls int64
		if err := rows.Scan(&a.capability, &a.effect, &answer, &bucket, &calls); err != nil {
			return err
		}
		if trust.count(bus.Answer(answer), calls) {
			sum.took[bucket] += calls
		}
		if sum.answers[a] == nil {
			sum.answers[a] = map[string]int64{}
		}
		sum.answers[a][answer] += calls
		return nil
	})
}

func (sum *statsSum) fillTrust(trust *Trust) {
	trust.MedianToDecide, trust.ByCapability = sum.took.Quantile(0.5), []CapabilityTrust{}
	for a, n := range sum.answers {
		trust.ByCapability = append(trust.ByCapability, CapabilityTrust{a.capability, a.effect, n})
	}
	slices.SortStableFunc(trust.ByCapability, func(a, b CapabilityTrust) int {
		return cmp.Or(cmp.Compare(total(b.Answers), total(a.Answers)), cmp.Compare(a.Capability, b.Capability),
			cmp.Compare(a.SideEffect, b.SideEffect))
	})
}

func total(answers map[string]int64) (n int64) {
	for count := range maps.Values(answers) {
		n += count
	}
	return n
}

// count adds answers of one kind; it returns true if a person gave them.
func (t *Trust) count(answer bus.Answer, n int64) bool {
	if answer == bus.AnswerGrant {
		t.Grants += n
		return false
	}
	t.Asked += n
	switch answer {
	case bus.AnswerAllow:
		t.Allowed += n
	case bus.AnswerEdit:
		t.Edited += n
	case bus.AnswerDeny:
		t.Declined += n
	case bus.AnswerExpired:
		t.Expired += n
	case bus.AnswerNobody:
		t.Nobody += n
	}
	return answer == bus.AnswerAllow || answer == bus.AnswerEdit || answer == bus.AnswerDeny
}

// each calls f for every row of a query's result and closes it. It returns an error of the query.
func each(rows *sql.Rows, err error, f func() error) error {
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(); err != nil {
			return err
		}
	}
	return rows.Err()
}

// collect reads every row of a query's result into the columns of a T. The list is never nil.
func collect[T any](rows *sql.Rows, err error, columns func(*T) []any) ([]T, error) {
	all := []T{}
	err = each(rows, err, func() error {
		var v T
		err := rows.Scan(columns(&v)...)
		all = append(all, v)
		return err
	})
	return all, err
}
