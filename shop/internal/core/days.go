package core

import (
	"time"
	_ "time/tzdata"
)

// Zone returns the shop's time zone, in which its days begin. The name was checked when it was stored.
func (s *Shop) Zone() *time.Location {
	if s.zone != nil {
		return s.zone
	}
	z, err := time.LoadLocation(s.TimeZone)
	if err != nil {
		return time.UTC
	}
	return z
}

// Day returns the date of t in the shop's time zone.
func (s *Shop) Day(t time.Time) string { return t.In(s.Zone()).Format(time.DateOnly) }

// BusinessDay returns the date n business days after t, without Saturdays and Sundays.
func (s *Shop) BusinessDay(t time.Time, n int64) string {
	local := t.In(s.Zone())
	for n > 0 {
		local = local.AddDate(0, 0, 1)
		if d := local.Weekday(); d != time.Saturday && d != time.Sunday {
			n--
		}
	}
	return local.Format(time.DateOnly)
}

// StartOf returns the first instant of a day in the shop's time zone.
func (s *Shop) StartOf(day, path string) (time.Time, error) {
	t, err := time.ParseInLocation(time.DateOnly, day, s.Zone())
	if err != nil {
		return t, Invalid(path, "%q is not a day such as 2026-01-31.", day)
	}
	return t, nil
}

// Date returns a day without a time zone as midnight UTC, so that days can be counted.
func Date(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// DateOf returns the day of t in t's location.
func DateOf(t time.Time) time.Time { return Date(t.Date()) }

// ISODay formats a day as in 2026-01-31.
func ISODay(day time.Time) string { return day.Format(time.DateOnly) }

// Today returns the current day in the shop's time zone.
func (s *Shop) Today(now time.Time) time.Time { return DateOf(now.In(s.Zone())) }

// Local converts Unix milliseconds to a time in the shop's time zone.
func (s *Shop) Local(ms int64) time.Time { return time.UnixMilli(ms).In(s.Zone()) }
