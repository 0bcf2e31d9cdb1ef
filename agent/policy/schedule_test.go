package policy

import (
	"testing"
	"time"
)

// holds: A23
func TestA23TheLatestMomentOfARoutine(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at        routineAt
		now, want string
	}{
		{routineAt{Time: "18:00"}, "2026-11-26 17:59", "2026-11-25 18:00"},
		{routineAt{Time: "18:00"}, "2026-11-26 18:00", "2026-11-26 18:00"},
		{routineAt{Time: "18:00"}, "2026-12-01 00:00", "2026-11-30 18:00"},
		{routineAt{Time: "00:00"}, "2026-11-26 00:00", "2026-11-26 00:00"},
		{routineAt{Time: "18:00", Days: []int{7, 1}}, "2026-11-26 18:00", "2026-11-23 18:00"}, // of a Thursday: Monday
		{routineAt{Time: "18:00", Days: []int{4}}, "2026-11-26 17:00", "2026-11-19 18:00"},
		{routineAt{Time: "18:00", Days: []int{7}}, "2026-11-26 17:00", "2026-11-22 18:00"},
		{routineAt{Time: "02:30"}, "2026-03-29 12:00", "2026-03-29 03:30"}, // there is no half past two
		{routineAt{Time: "02:30"}, "2026-10-25 12:00", "2026-10-25 02:30"}, // there are two
	} {
		now, err := time.ParseInLocation("2006-01-02 15:04", c.now, berlin)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.at.last(now).Format("2006-01-02 15:04"); got != c.want {
			t.Errorf("%+v at %s: %s, want %s", c.at, c.now, got, c.want)
		}
	}
}
