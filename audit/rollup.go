package audit

import (
	"fmt"

	"github.com/deskhand/deskhand/bus"
)

// Lengths in ms of what the roll-ups are kept by.
const (
	dayMS  = 24 * 60 * 60 * 1000
	hourMS = 60 * 60 * 1000
)

// allDays is the day of a count over all days.
const allDays = -1

// answerGrant stands for a standing grant that spared a person the question.
const answerGrant = "grant"

// figures are what the roll-ups take from a record's detail.
type figures struct {
	duration int64 // ms
	timed    bool  // it ran: neither a replay nor a dry run
	answer   string
	asked    int64 // ms
}

func figuresOf(d *detail) figures {
	f := figures{duration: d.DurationMS, timed: !d.Replayed && !d.DryRun}
	if d.Decision != nil {
		f.answer, f.asked = d.Decision.Answer, d.Decision.AskedMS
		if d.Decision.GrantID != "" {
			f.answer = answerGrant
		}
	}
	return f
}

// Keys of the roll-ups, as their tables have them; the counts over all days have
// the same ones.
type (
	countKey struct {
		stream                           string
		day, capability                  int64
		callerType, person, effect, code string
	}
	durationKey struct {
		day, capability int64
		callerType      string
		bucket          int64
	}
	answerKey struct {
		day, capability int64
		effect, answer  string
		bucket          int64
	}
)

// rollup collects what one transaction adds to the roll-ups, so that it costs a
// statement for each key and not for each record.
type rollup struct {
	counts    map[countKey]int64
	durations map[durationKey]int64
	answers   map[answerKey]int64
}

func (u *rollup) add(r *row, capability int64) {
	if u.counts == nil {
		u.counts, u.durations, u.answers = map[countKey]int64{}, map[durationKey]int64{}, map[answerKey]int64{}
	}
	day := r.time / dayMS
	u.counts[countKey{r.stream.name, day, capability, r.callerType, r.person, r.sideEffect, r.code}]++
	if r.timed {
		u.durations[durationKey{day, capability, r.callerType, bucketOf(r.duration)}]++
	}
	if r.answer != "" && r.callerType == string(bus.CallerAgent) {
		u.answers[answerKey{day, capability, r.sideEffect, r.answer, bucketOf(r.asked)}]++
	}
}

// Each adds to the count of a day and, day -1, to that of all days.
const (
	addCount = `INSERT INTO audit_counts VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8), (?1, -1, ?3, ?4, ?5, ?6, ?7, ?8)
		ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`
	addDuration = `INSERT INTO audit_durations VALUES (?1, ?2, ?3, ?4, ?5), (-1, ?2, ?3, ?4, ?5)
		ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`
	addAnswer = `INSERT INTO audit_answers VALUES (?1, ?2, ?3, ?4, ?5, ?6), (-1, ?2, ?3, ?4, ?5, ?6)
		ON CONFLICT DO UPDATE SET calls = calls + excluded.calls`
)

func (u *rollup) store(s *session) error {
	for k, n := range u.counts {
		if _, err := s.exec(addCount, k.stream, k.day, k.capability, k.callerType, k.person, k.effect, k.code, n); err != nil {
			return fmt.Errorf("count: %w", err)
		}
	}
	for k, n := range u.durations {
		if _, err := s.exec(addDuration, k.day, k.capability, k.callerType, k.bucket, n); err != nil {
			return fmt.Errorf("count durations: %w", err)
		}
	}
	for k, n := range u.answers {
		if _, err := s.exec(addAnswer, k.day, k.capability, k.effect, k.answer, k.bucket, n); err != nil {
			return fmt.Errorf("count answers: %w", err)
		}
	}
	return nil
}

// onTime notes the first record of an hour, and a record that comes after one of
// a later hour: by that a time is found in the order of the log.
func (b *batch) onTime(s *stream, h *head, seq, time int64) error {
	hour := time / hourMS
	var err error
	switch {
	case hour > h.hour:
		h.hour = hour
		_, err = b.w.session.exec("INSERT INTO audit_hours VALUES (?, ?, ?)", s.name, hour, seq)
	case hour < h.hour:
		_, err = b.w.session.exec("INSERT INTO audit_late VALUES (?, ?)", s.name, seq)
	}
	if err != nil {
		return fmt.Errorf("note the hour: %w", err)
	}
	return nil
}
