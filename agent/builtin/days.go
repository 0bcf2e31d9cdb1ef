package builtin

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/deskhand/deskhand/internal/period"
)

// days is a period of days. A zero end is open; name is its name in closed sets of periods.
type days struct {
	from, to time.Time
	name     string
	since    bool
}

// dayOf returns the day of a time, as a date in UTC.
func dayOf(at time.Time) time.Time {
	if at.IsZero() {
		return at
	}
	return time.Date(at.Year(), at.Month(), at.Day(), 0, 0, 0, 0, time.UTC)
}

// daysAt reads words for days that begin at a word. It returns the number of words, 0 for none.
func (s *sentence) daysAt(i int) (int, days) {
	if s.today.IsZero() {
		return 0, days{}
	}
	if n, _ := s.lang.at("since", s.list, i); n > 0 {
		if m, d := s.stretch(i + n); m > 0 {
			return n + m, days{from: d.from, name: d.name, since: true}
		}
	}
	if n, _ := s.lang.at("from", s.list, i); n > 0 {
		first, d := s.stretch(i + n)
		at := i + n + first
		if to, _ := s.lang.at("to", s.list, at); first > 0 && to > 0 {
			if last, e := s.stretch(at + to); last > 0 {
				return at + to + last - i, days{from: d.from, to: e.to}
			}
		}
	}
	return s.stretch(i)
}

// stretch reads one period: a named one, a counted one, a weekday, a month, a date or a year.
func (s *sentence) stretch(i int) (int, days) {
	if i >= len(s.list) || s.list[i].quoted {
		return 0, days{}
	}
	if n, name := s.lang.at("days", s.list, i); n > 0 {
		return n, s.named(name)
	}
	if n, d := s.counted(i); n > 0 {
		return n, d
	}
	n, _ := s.lang.at("latest", s.list, i)
	for _, skip := range slices.Compact([]int{n, 0}) {
		if m, d := s.dated(i+skip, skip > 0); m > 0 {
			return skip + m, d
		}
	}
	return 0, days{}
}

func (s *sentence) named(name string) days {
	if name == "weekend" {
		sunday := s.today.AddDate(0, 0, -int(s.today.Weekday()))
		return days{from: sunday.AddDate(0, 0, -1), to: sunday}
	}
	from, to := period.Named(name, s.today)
	return days{from: from, to: to, name: name}
}

// counted reads "last 7 days" and "3 days ago".
func (s *sentence) counted(i int) (int, days) {
	skip, _ := s.lang.at("past spans", s.list, i)
	before, _ := s.lang.at("ago", s.list, i) // in German it comes first
	at := i + max(skip, before)
	n, value := s.quantity(at)
	count, err := strconv.Atoi(value)
	if n == 0 || err != nil || count > 1000 || at+n >= len(s.list) {
		return 0, days{}
	}
	unit, is := s.lang.word("spans", s.list[at+n].word)
	if !is {
		return 0, days{}
	}
	step := map[string][3]int{"day": {0, 0, 1}, "week": {0, 0, 7}, "month": {0, 1, 0}, "year": {1, 0, 0}}[unit]
	from := s.today.AddDate(-count*step[0], -count*step[1], -count*step[2])
	if skip > 0 {
		return at + n + 1 - i, days{from: from.AddDate(0, 0, 1), to: s.today}
	}
	after, _ := s.lang.at("ago", s.list, at+n+1)
	if before == 0 && after == 0 {
		return 0, days{}
	}
	return at + n + 1 + after - i, days{from: from, to: from}
}

// dateForms are the formats of spoken dates, with months in English.
var dateForms = []string{time.DateOnly, "January 2 2006", "2 January 2006", "January 2006", "January 2", "2 January",
	"2.1.2006", "2.1"}

// dated reads a weekday, a month, a date or a year as the latest one that is not in the future.
func (s *sentence) dated(i int, latest bool) (int, days) {
	if i >= len(s.list) {
		return 0, days{}
	}
	if at, is := s.lang.word("weekdays", s.list[i].word); is {
		weekday, _ := strconv.Atoi(at) // from the file of words
		ago := (int(s.today.Weekday()) - weekday + 7) % 7
		if ago == 0 && latest {
			ago = 7
		}
		day := s.today.AddDate(0, 0, -ago)
		return 1, days{from: day, to: day}
	}
	for n := min(4, len(s.list)-i); n > 0; n-- {
		for _, form := range dateForms {
			if day, err := time.Parse(form, s.asDate(i, n)); err == nil && (form != "2.1" || s.lang.name != "en") {
				return n, s.past(day, form == "January 2006")
			}
		}
	}
	word := s.list[i].word
	if month, is := s.lang.word("months", word); is {
		d := s.named(strings.ToLower(month))
		d.to = d.from.AddDate(0, 1, -1)
		return 1, d
	}
	if y, err := time.Parse("2006", word); err == nil && latest && y.Year() >= 2000 && y.Year() <= s.today.Year() {
		return 1, days{from: y, to: y.AddDate(1, 0, -1)}
	}
	return 0, days{}
}

// asDate rewrites words to match dateForms: without "of" and the endings of ordinal numbers.
func (s *sentence) asDate(i, n int) string {
	var parts []string
	for _, t := range s.list[i : i+n] {
		word := strings.TrimRight(t.word, ".")
		if month, is := s.lang.word("months", word); is {
			word = month
		} else if word[:min(1, len(word))] >= "0" && word[:min(1, len(word))] <= "9" {
			word = strings.TrimRight(word, "sthndr")
		}
		if !s.lang.has("containers", word) || t.quoted {
			parts = append(parts, word)
		}
	}
	return strings.Join(parts, " ")
}

// past returns a day or its whole month. Without a year it is the latest one that is not in the future.
func (s *sentence) past(day time.Time, month bool) days {
	if day.Year() == 0 {
		if day = day.AddDate(s.today.Year(), 0, 0); day.After(s.today) {
			day = day.AddDate(-1, 0, 0)
		}
	}
	if month {
		return days{from: day, to: day.AddDate(0, 1, -1)}
	}
	return days{from: day, to: day}
}

// introducesDays reports whether a word before days belongs to them: "since", "from", "in".
func (l *language) introducesDays(word string) bool {
	return l.has("since", word) || l.has("from", word) || l.has("latest", word) || l.has("to", word)
}
