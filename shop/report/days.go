package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/deskhand/deskhand/shop/internal/core"
	"github.com/deskhand/deskhand/shop/order"
)

// Days are the days that a report is about. People say them in words and
// programs as dates; a report says which days it took.
type Days struct {
	From string `json:"from,omitempty" jsonschema:"format=date"`
	To   string `json:"to,omitempty" jsonschema:"format=date" doc:"Last day, in the shop's time zone. Absent: today."`

	Period string `json:"period,omitempty"`
	Since  string `json:"since,omitempty"`
}

func (Days) TagFields() map[string]string {
	return map[string]string{
		"period": `jsonschema:"enum=today,enum=yesterday,enum=week,enum=last week,enum=month,enum=last month,` +
			`enum=year,enum=last year,enum=january,enum=february,enum=march,enum=april,enum=may,enum=june,enum=july,` +
			`enum=august,enum=september,enum=october,enum=november,enum=december"`,
		"since": `jsonschema:"enum=yesterday,enum=last week,enum=last month,enum=last year,enum=january,enum=february,` +
			`enum=march,enum=april,enum=may,enum=june,enum=july,enum=august,enum=september,enum=october,enum=november,` +
			`enum=december"`,
	}
}

// defaultDays is how many days a report covers unless days are given.
const defaultDays = 30

// Within is the first and the last day that is meant.
func (in Days) Within(today time.Time) (from, to time.Time, err error) {
	to = today
	switch {
	case in.Period != "" && in.From+in.To+in.Since != "":
		return from, to, core.Invalid("/period", "Give a period, or where it begins and ends, not both.")
	case in.Since != "" && in.From != "":
		return from, to, core.Invalid("/since", "Give either since or from.")
	case in.Period != "":
		from, to = named(in.Period, today)
		return from, to, nil
	}
	if in.To != "" {
		if to, err = time.Parse(time.DateOnly, in.To); err != nil {
			return from, to, core.Invalid("/to", "%q is not a day such as 2026-01-31.", in.To)
		}
	}
	switch {
	case in.Since != "":
		from, _ = named(in.Since, today)
	case in.From == "":
		from = to.AddDate(0, 0, 1-defaultDays)
	default:
		if from, err = time.Parse(time.DateOnly, in.From); err != nil {
			return from, to, core.Invalid("/from", "%q is not a day such as 2026-01-31.", in.From)
		}
	}
	if to.Before(from) {
		return from, to, core.Invalid("/to", "The last day, %s, is before the first, %s.", core.ISODay(to), core.ISODay(from))
	}
	return from, to, nil
}

// named are the days of a period by its name, none after today. A week begins on Monday.
func named(name string, today time.Time) (from, to time.Time) {
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	first, january := core.Date(today.Year(), today.Month(), 1), core.Date(today.Year(), time.January, 1)
	switch name {
	case "today":
		return today, today
	case "yesterday":
		return today.AddDate(0, 0, -1), today.AddDate(0, 0, -1)
	case "week":
		return monday, today
	case "last week":
		return monday.AddDate(0, 0, -7), monday.AddDate(0, 0, -1)
	case "month":
		return first, today
	case "last month":
		return first.AddDate(0, -1, 0), first.AddDate(0, 0, -1)
	case "year":
		return january, today
	case "last year":
		return january.AddDate(-1, 0, 0), january.AddDate(0, 0, -1)
	}
	from = first
	for !strings.EqualFold(from.Month().String(), name) {
		from = from.AddDate(0, -1, 0) // the schema has no name but these and the twelve months
	}
	to = from.AddDate(0, 1, -1)
	if to.After(today) {
		to = today
	}
	return from, to
}

// How days are put together.
const (
	ByDay   = "day"
	byWeek  = "week"
	ByMonth = "month"
)

// span is some days of a report on end.
type span struct {
	name       string    // 2026-03-12, 2026-W11 or 2026-03
	from, to   time.Time // dates, both belong to it
	start, end int64     // milliseconds; the end is the first that does not
}

// hour is the milliseconds that a row of derived_hours is about.
const hour = 3_600_000

// hours are the first hour that lies in a span as a whole, counted from 1970, and the first after it that does not.
func (p span) hours() (first, last int64) {
	first = (p.start + hour - 1) / hour
	return first, max(first, p.end/hour)
}

// besideHours is the condition for the orders o of a span (?1 until ?2) that lie in
// none of its whole hours (?3 until ?4).
const besideHours = `(o.placed_at >= ?1 AND o.placed_at < min(?2, ?3 * 3600000)
	OR o.placed_at >= max(?1, ?4 * 3600000) AND o.placed_at < ?2) AND o.status <> '` + order.StatusCancelled + `'`

// words are the days of a span for people: Thursday, 12 March 2026, or 9 to 12 March 2026.
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

// maxSpans is three years of days, and more than anybody reads.
const maxSpans = 1100

// spans cuts the days from one to another into days, ISO weeks or months of the
// shop's time zone. The first and the last may be cut off.
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

// beginning is the first millisecond of a day in a zone. Where clocks are changed
// at midnight, midnight may not be there, or twice.
func beginning(day time.Time, zone *time.Location) int64 {
	t := time.Date(day.Year(), day.Month(), day.Day(), 0, 0, 0, 0, zone)
	if core.DateOf(t).Before(day) {
		_, t = t.ZoneBounds()
	} else if earlier := t.Add(-time.Hour); core.DateOf(earlier).Equal(day) {
		t = earlier
	}
	return t.UnixMilli()
}

// spanOf is the index of the span that a moment lies in.
func spanOf(all []span, at int64) int {
	i, _ := slices.BinarySearchFunc(all, at+1, func(p span, after int64) int { return cmp.Compare(p.end, after) })
	return i
}
