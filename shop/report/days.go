package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/deskhand/deskhand/bus"
	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/order"
)

// The ways in which a report groups days.
const (
	ByDay   = "day"
	byWeek  = "week"
	ByMonth = "month"
)

// span is a range of consecutive days in a report.
type span struct {
	name       string    // 2026-03-12, 2026-W11 or 2026-03
	from, to   time.Time // dates of the first and the last day
	start, end int64     // Unix milliseconds; end is exclusive
}

// hour is the length of a row of derived_hours in milliseconds.
const hour = 3_600_000

// hours returns the range of whole hours within the span, counted from 1970. last is exclusive.
func (p span) hours() (first, last int64) {
	first = (p.start + hour - 1) / hour
	return first, max(first, p.end/hour)
}

// besideHours is the condition for orders o between ?1 and ?2 that are outside the whole hours from ?3 to ?4.
const besideHours = `(o.placed_at >= ?1 AND o.placed_at < min(?2, ?3 * 3600000)
	OR o.placed_at >= max(?1, ?4 * 3600000) AND o.placed_at < ?2) AND o.status <> '` + order.StatusCancelled + `'`

// words describes the days of a span for display: Thursday, 12 March 2026, or 9 to 12 March 2026.
func (p span) words() string {
	switch from, to := p.from, p.to; {
	case from.Equal(to):
		return from.Format("Monday, 2 January 2006")
	case from.Year() != to.Year():
		return from.Format("2 January 2006") + " to " + to.Format("2 January 2006")
	case from.Month() != to.Month():
		return from.Format("2 January") + " to " + to.Format("2 January 2006")
	default:
		return from.Format("2") + " to " + to.Format("2 January 2006")
	}
}

// maxSpans limits the rows of a report to about three years of days, more than a person reads.
const maxSpans = 1100

// spans divides a range into days, ISO weeks or months of the shop's time zone. The first and the last span may be
// shortened by the range.
func spans(s *core.Shop, from, to time.Time, by string) ([]span, error) {
	zone := s.Zone()
	var all []span
	for day := from; !day.After(to); {
		if len(all) == maxSpans {
			return nil, core.Invalid("/by", "From %s to %s there are more than %d of these; take longer ones or fewer days.",
				core.ISODay(from), core.ISODay(to), maxSpans)
		}
		p := span{name: core.ISODay(day), from: day, to: day}
		switch by {
		case byWeek:
			year, week := day.ISOWeek()
			p.name, p.to = fmt.Sprintf("%04d-W%02d", year, week), day.AddDate(0, 0, (7-int(day.Weekday()))%7)
		case ByMonth:
			p.name, p.to = day.Format("2006-01"), core.Date(day.Year(), day.Month()+1, 0)
		}
		if p.to.After(to) {
			p.to = to
		}
		day = p.to.AddDate(0, 0, 1)
		p.start, p.end = beginning(p.from, zone), beginning(day, zone)
		all = append(all, p)
	}
	return all, nil
}

// whole returns the range of days as one span.
func whole(s *core.Shop, from, to time.Time) span {
	zone := s.Zone()
	return span{from: from, to: to, start: beginning(from, zone), end: beginning(to.AddDate(0, 0, 1), zone)}
}

// reported returns the requested days as one span and stores its first and last day in from and to.
func reported(s *core.Shop, call *bus.Call, days core.Days, from, to *string) (p span, err error) {
	first, last, err := days.Within(s.Today(call.Now))
	if err != nil {
		return p, err
	}
	*from, *to = core.ISODay(first), core.ISODay(last)
	return whole(s, first, last), nil
}

// beginning returns the first millisecond of a day in a zone. When clocks change at midnight, midnight may be missing
// or occur twice.
func beginning(day time.Time, zone *time.Location) int64 {
	t := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone)
	if core.DateOf(t).Before(day) {
		_, t = t.ZoneBounds()
	} else if earlier := t.Add(-time.Hour); core.DateOf(earlier).Equal(day) {
		t = earlier
	}
	return t.UnixMilli()
}

// spanOf returns the index of the span that contains a moment.
func spanOf(all []span, at int64) int {
	i, _ := slices.BinarySearchFunc(all, at+1, func(p span, after int64) int { return cmp.Compare(p.end, after) })
	return i
}
