package audit

import (
	"fmt"
	"math"
	"slices"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/internal/histogram"
)

// Lengths of the periods of the roll-ups in ms.
const (
	dayMS  = 24 * 60 * 60 * 1000
	hourMS = 60 * 60 * 1000

	hoursOfDay = 24
)

// A count belongs to a period: a UTC day, in days since 1970; all days together; or a UTC hour, in hours since 1970,
// from firstHour downwards.
const (
	allDays   = -1
	firstHour = -2
)

// hourly returns the range of periods for a range of hours.
func hourly(from, to int64) span { return span{firstHour - to + 1, firstHour - from + 1} }

// periods returns few periods that cover the hours in a range of times (ms since 1970, to exclusive; 0 means no end):
// whole UTC days, and hours before and after them. It also returns the time that they cover.
func periods(from, to int64) (parts []span, covered span) {
	if from <= 0 && to <= 0 {
		return []span{{allDays, allDays + 1}}, span{}
	}
	first, last := max(from, 0)/hourMS, int64(math.MaxInt64)
	covered.from = first * hourMS
	firstDay, lastDay := (first+hoursOfDay-1)/hoursOfDay, int64(math.MaxInt64)
	if to > 0 {
		last = (to + hourMS - 1) / hourMS
		lastDay, covered.to = last/hoursOfDay, last*hourMS
	}
	if firstDay >= lastDay {
		return []span{hourly(first, last)}, covered
	}
	parts = []span{{firstDay, lastDay}}
	if first < firstDay*hoursOfDay {
		parts = append(parts, hourly(first, firstDay*hoursOfDay))
	}
	if to > 0 && lastDay*hoursOfDay < last {
		parts = append(parts, hourly(lastDay*hoursOfDay, last))
	}
	return parts, covered
}

// The steps of plans count as calls of their capabilities in separate streams: the first step of a capability in a
// plan, and further ones.
const (
	countedSteps   = "steps"
	countedRepeats = "repeats"
)

// figures are the parts of a record's detail that the roll-ups count.
type figures struct {
	duration int64 // ms
	timed    bool  // it ran: neither a replay nor a dry run
	answer   bus.Answer
	asked    int64    // ms
	steps    []string // of a plan
}

func figuresOf(d *detail) figures {
	f := figures{duration: d.DurationMS, timed: !d.Replayed && !d.DryRun, steps: d.Steps}
	if d.Decision != nil {
		f.answer, f.asked = d.Decision.Answer, d.Decision.Asked.Milliseconds()
		if d.Decision.GrantID != "" {
			f.answer = bus.AnswerGrant
		}
	}
	return f
}

// Keys of the roll-ups, as in their tables except for the hour (UTC, since 1970), which belongs to three periods.
type (
	countKey struct {
		stream                           string
		hour, capability                 int64
		callerType, person, effect, code string
		step                             string // the capability's name in place of a number
	}
	durationKey struct {
		hour, capability int64
		callerType       string
		bucket           int64
	}
	answerKey struct {
		hour, capability int64
		effect, answer   string
		bucket           int64
	}
)

// rollup collects the additions of records to the roll-ups, so that each key costs a statement, not each record.
type rollup struct {
	records   int
	counts    map[countKey]int64
	durations map[durationKey]int64
	answers   map[answerKey]int64
}

func (u *rollup) add(r *row, capability int64) {
	if u.counts == nil {
		u.counts, u.durations, u.answers = map[countKey]int64{}, map[durationKey]int64{}, map[answerKey]int64{}
	}
	u.records++
	hour := r.Time / hourMS
	k := countKey{stream: r.stream.name, hour: hour, capability: capability, callerType: r.CallerType, person: r.Person,
		effect: r.SideEffect, code: r.Code}
	u.counts[k]++
	for i, name := range r.steps {
		k.stream, k.capability, k.step = countedSteps, 0, name
		if slices.Contains(r.steps[:i], name) {
			k.stream = countedRepeats
		}
		u.counts[k]++
	}
	if r.timed {
		u.durations[durationKey{hour, capability, r.CallerType, histogram.Bucket(r.duration)}]++
	}
	if r.answer != "" && r.CallerType == string(bus.CallerAgent) {
		u.answers[answerKey{hour, capability, r.SideEffect, string(r.answer), histogram.Bucket(r.asked)}]++
	}
}

// merge adds another rollup.
func (u *rollup) merge(other *rollup) {
	if u.counts == nil {
		*u = rollup{counts: map[countKey]int64{}, durations: map[durationKey]int64{}, answers: map[answerKey]int64{}}
	}
	u.records += other.records
	addTo(u.counts, other.counts)
	addTo(u.durations, other.durations)
	addTo(u.answers, other.answers)
}

func addTo[K comparable](sums, more map[K]int64) {
	for k, n := range more {
		sums[k] += n
	}
}

// Each statement adds to the count of a day, to that of all days and to that of an hour.
const (
	addCount = `INSERT INTO audit_counts VALUES (?1, ?2 / 24, ?3, ?4, ?5, ?6, ?7, ?8),
			(?1, -1, ?3, ?4, ?5, ?6, ?7, ?8), (?1, -2 - ?2, ?3, ?4, ?5, ?6, ?7, ?8)
		ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`
	addDuration = `INSERT INTO audit_durations VALUES (?1 / 24, ?2, ?3, ?4, ?5),
			(-1, ?2, ?3, ?4, ?5), (-2 - ?1, ?2, ?3, ?4, ?5)
		ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`
	addAnswer = `INSERT INTO audit_answers VALUES (?1 / 24, ?2, ?3, ?4, ?5, ?6),
			(-1, ?2, ?3, ?4, ?5, ?6), (-2 - ?1, ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`
)

// store adds the collected values to the tables.
func (u *rollup) store(s *session) error {
	for k, n := range u.counts {
		if k.step != "" {
			if err := s.scan("SELECT id FROM audit_capabilities WHERE name = ?", []any{k.step}, &k.capability); err != nil {
				return fmt.Errorf("count the step %q: %w", k.step, err)
			}
		}
		if _, err := s.exec(addCount, k.stream, k.hour, k.capability, k.callerType, k.person, k.effect, k.code, n); err !=
			nil {
			return fmt.Errorf("count: %w", err)
		}
	}
	for k, n := range u.durations {
		if _, err := s.exec(addDuration, k.hour, k.capability, k.callerType, k.bucket, n); err != nil {
			return fmt.Errorf("count durations: %w", err)
		}
	}
	for k, n := range u.answers {
		if _, err := s.exec(addAnswer, k.hour, k.capability, k.effect, k.answer, k.bucket, n); err != nil {
			return fmt.Errorf("count answers: %w", err)
		}
	}
	return nil
}
