package period

import (
	"testing"
	"time"
)

func TestPeriodsEndTodayInTheirZone(t *testing.T) {
	zone := time.FixedZone("", 3600)
	now := time.Date(2026, 3, 11, 0, 30, 0, 0, zone) // a Wednesday; in UTC it is the day before
	at := func(day string) int64 {
		d, err := time.ParseInLocation(time.DateOnly, day, zone)
		if day != "" && err != nil {
			t.Fatal(err)
		}
		if day == "" {
			return 0
		}
		return d.UnixMilli()
	}
	for _, c := range []struct {
		days        Days
		from, until string
	}{
		{Days{Period: "today"}, "2026-03-11", "2026-03-12"},
		{Days{Period: "yesterday"}, "2026-03-10", "2026-03-11"},
		{Days{Period: "week"}, "2026-03-09", "2026-03-12"},
		{Days{Period: "last week"}, "2026-03-02", "2026-03-09"},
		{Days{Period: "last month"}, "2026-02-01", "2026-03-01"},
		{Days{Period: "march"}, "2026-03-01", "2026-03-12"},
		{Days{Period: "december"}, "2025-12-01", "2026-01-01"},
		{Days{Period: "last year"}, "2025-01-01", "2026-01-01"},
		{Days{From: "2026-03-01"}, "2026-03-01", ""},
		{Days{To: "2026-03-01"}, "", "2026-03-02"},
		{Days{}, "", ""},
	} {
		from, until, problem := c.days.Moments(now)
		if problem != "" || from != at(c.from) || until != at(c.until) {
			t.Errorf("%+v: %d to %d, %q", c.days, from, until, problem)
		}
	}
	for _, wrong := range []Days{{Period: "week", To: "2026-03-01"}, {From: "2026-03-02", To: "2026-03-01"}, {From: "soon"}} {
		if _, _, problem := wrong.Moments(now); problem == "" {
			t.Errorf("%+v is taken", wrong)
		}
	}
}
