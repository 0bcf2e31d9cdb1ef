package core

import (
	"math"
	"time"

	"github.com/deskhand/deskhand/internal/period"
)

// Days selects a range of days. A person names a period in words, and a program passes dates. The response contains the
// dates.
type Days struct {
	From string `json:"from,omitempty" jsonschema:"format=date"`
	To   string `json:"to,omitempty" jsonschema:"format=date" doc:"Last day, in the shop's time zone. Absent: today."`

	Period string `json:"period,omitempty"`
	Since  string `json:"since,omitempty"`
}

// TagFields describes the fields: see bus.Define.
func (Days) TagFields() map[string]string {
	return map[string]string{
		"from":   `doc:"First day, in the shop's time zone. Absent: 30 days up to the last one; of a list the first of all."`,
		"period": `doc:"` + period.Doc + `" jsonschema:"` + period.Enum + `"`,
		"since": `doc:"Instead of from: the first day of the latest of that name." ` +
			`jsonschema:"enum=yesterday,enum=last week,enum=last month,enum=last year,enum=january,enum=february,` +
			`enum=march,enum=april,enum=may,enum=june,enum=july,enum=august,enum=september,enum=october,enum=november,` +
			`enum=december"`,
	}
}

// defaultDays is the length of the range when the request names no days.
const defaultDays = 30

// Within returns the first and the last day of the range.
func (in Days) Within(today time.Time) (from, to time.Time, err error) {
	to = today
	switch {
	case in.Period != "" && in.From+in.To+in.Since != "":
		return from, to, Invalid("/period", "Give a period, or where it begins and ends, not both.")
	case in.Since != "" && in.From != "":
		return from, to, Invalid("/since", "Give either since or from.")
	case in.Period != "":
		from, to = period.Named(in.Period, today)
		return from, to, nil
	}
	if in.To != "" {
		if to, err = time.Parse(time.DateOnly, in.To); err != nil {
			return from, to, Invalid("/to", "%q is not a day such as 2026-01-31.", in.To)
		}
	}
	switch {
	case in.Since != "":
		from, _ = period.Named(in.Since, today)
	case in.From == "":
		from = to.AddDate(0, 0, 1-defaultDays)
	default:
		if from, err = time.Parse(time.DateOnly, in.From); err != nil {
			return from, to, Invalid("/from", "%q is not a day such as 2026-01-31.", in.From)
		}
	}
	if to.Before(from) {
		return from, to, Invalid("/to", "The last day, %s, is before the first, %s.", ISODay(to), ISODay(from))
	}
	return from, to, nil
}

// Dated replaces a period by its dates. Days that the request leaves out stay empty, so that a list has no bounds.
func (in Days) Dated(today time.Time) (Days, error) {
	if in.Period+in.Since == "" {
		return in, nil
	}
	from, to, err := in.Within(today)
	return Days{From: ISODay(from), To: ISODay(to)}, err
}

// Moments returns the first millisecond of the dated days and the first millisecond after them. Missing days set no
// bound.
func (s *Shop) Moments(in Days) (from, to int64, err error) {
	from, to = math.MinInt64, math.MaxInt64
	if in.From != "" {
		day, err := s.StartOf(in.From, "/from")
		if err != nil {
			return from, to, err
		}
		from = day.UnixMilli()
	}
	if in.To != "" {
		day, err := s.StartOf(in.To, "/to")
		if err != nil {
			return from, to, err
		}
		to = day.AddDate(0, 0, 1).UnixMilli()
	}
	if to <= from {
		err = Invalid("/to", "The last day, %s, is before the first, %s.", in.To, in.From)
	}
	return from, to, err
}
