// Package period handles periods in words or dates: "last week", "march", or from one date to another.
package period

import (
	"fmt"
	"strings"
	"time"
)

// Enum lists the names of periods, in the form of a schema's tag.
const Enum = "enum=today,enum=yesterday,enum=week,enum=last week,enum=month,enum=last month," +
	"enum=year,enum=last year,enum=january,enum=february,enum=march,enum=april,enum=may,enum=june,enum=july," +
	"enum=august,enum=september,enum=october,enum=november,enum=december"

// Doc describes a period.
const Doc = "Instead of from and to. Up to today; a month is the latest of that name."

// Days selects the days of a query.
type Days struct {
	From   string `json:"from,omitempty" jsonschema:"format=date" jsonschema_description:"First day."`
	To     string `json:"to,omitempty" jsonschema:"format=date" jsonschema_description:"Last day."`
	Period string `json:"period,omitempty"`
}

// TagFields describes the fields to callers of capabilities.
func (Days) TagFields() map[string]string {
	return map[string]string{"period": fmt.Sprintf(`doc:"%s" jsonschema:"%s"`, Doc, Enum)}
}

// Moments returns the first millisecond of the days in the zone of now and the first one after them, 0 for no bound.
// problem is a sentence, or "".
func (d Days) Moments(now time.Time) (from, until int64, problem string) {
	if d.Period != "" {
		if d.From+d.To != "" {
			return 0, 0, "Give a period, or where it begins and ends, not both."
		}
		year, month, day := now.Date()
		first, last := Named(d.Period, time.Date(year, month, day, 0, 0, 0, 0, time.UTC))
		d.From, d.To = first.Format(time.DateOnly), last.Format(time.DateOnly)
	}
	at := func(date string, after int) int64 {
		day, err := time.ParseInLocation(time.DateOnly, date, now.Location())
		if date != "" && err != nil {
			problem = fmt.Sprintf("%q is not a day such as 2026-01-31.", date)
		}
		if date == "" || err != nil {
			return 0
		}
		return day.AddDate(0, 0, after).UnixMilli()
	}
	if from, until = at(d.From, 0), at(d.To, 1); problem == "" && until > 0 && until <= from {
		problem = "The last day is before the first."
	}
	return from, until, problem
}

// Named returns the days of a period by its name, none after today, which is a date in UTC. A week begins on Monday.
func Named(name string, today time.Time) (from, to time.Time) {
	monday := today.AddDate(0, 0, -(int(today.Weekday())+6)%7)
	first := today.AddDate(0, 0, 1-today.Day())
	january := time.Date(today.Year(), time.January, 1, 0, 0, 0, 0, time.UTC)
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
		from = from.AddDate(0, -1, 0) // the schema only has these names and the twelve months
	}
	if to = from.AddDate(0, 1, -1); to.After(today) {
		to = today
	}
	return from, to
}
