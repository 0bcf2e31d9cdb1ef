package builtin

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// days is a stretch of days. A zero end is open; a name is the one that closed sets of periods have for it.
type days struct {
	from, to time.Time
	name     string
	since    bool
}

// daysAt reads talk of days that begins at a word: how many words it has, 0 for none.
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

// stretch reads one stretch of days: a named one, a counted one, a weekday, a month, a date, a year.
func (s *sentence) stretch(i int) (int, days) {
	if i >= len(s.list) || s.list[i].quoted {
		return 0, days{}
	}
	if n, value := s.lang.at("days", s.list, i); n > 0 {
		unit, offset, _ := strings.Cut(value, " ")
		by, _ := strconv.Atoi(offset) // of a file of words
		return n, s.span(unit, by)
	}
	if n, d := s.counted(i); n > 0 {
		return n, d
	}
	n, _ := s.lang.at("latest", s.list, i)
	for _, skip := range []int{n, 0} {
		if i+skip >= len(s.list) {
			continue
		}
		if m, d := s.dated(i+skip, skip > 0); m > 0 {
			return skip + m, d
		}
	}
	return 0, days{}
}

func (s *sentence) day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, s.today.Location())
}

// span is the day, week, month or year so many before the present one, up to today.
func (s *sentence) span(unit string, by int) (d days) {
	t := s.today
	switch unit {
	case "day":
		d = days{from: t.AddDate(0, 0, by), to: t.AddDate(0, 0, by), name: "today"}
		if by == -1 {
			d.name = "yesterday"
		}
		return d
	case "weekend":
		sunday := t.AddDate(0, 0, -int(t.Weekday()))
		return days{from: sunday.AddDate(0, 0, -1), to: sunday}
	case "week":
		from := t.AddDate(0, 0, 7*by-(int(t.Weekday())+6)%7)
		d = days{from: from, to: from.AddDate(0, 0, 6)}
	case "month":
		from := s.day(t.Year(), t.Month()+time.Month(by), 1)
		d = days{from: from, to: from.AddDate(0, 1, -1)}
	case "year":
		from := s.day(t.Year()+by, 1, 1)
		d = days{from: from, to: from.AddDate(1, 0, -1)}
	}
	d.name = unit
	if by < 0 {
		d.name = "last " + unit
	}
	if d.to.After(t) {
		d.to = t
	}
	return d
}

// counted reads "last 7 days" and "3 days ago".
func (s *sentence) counted(i int) (int, days) {
	skip, _ := s.lang.at("past spans", s.list, i)
	before, _ := s.lang.at("ago", s.list, i) // German says it in front
	at := i + max(skip, before)
	if at >= len(s.list) {
		return 0, days{}
	}
	n, value := s.numeral(at)
	if n == 0 {
		if n, _ = s.lang.at("one", s.list, at); n > 0 {
			value = "1"
		}
	}
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

var (
	dayForm     = regexp.MustCompile(`^(\d{1,2})(?:st|nd|rd|th|\.)?$`)
	writtenForm = regexp.MustCompile(`^(\d{1,2})\.(\d{1,2})\.?(\d{4})?$`) // 24.11. and 24.11.2026
)

// dated reads a weekday, a month, a date or a year: the latest that is not to come.
func (s *sentence) dated(i int, latest bool) (int, days) {
	word := s.list[i].word
	one := func(d time.Time) days { return days{from: d, to: d} }
	if d, err := time.ParseInLocation(time.DateOnly, word, s.today.Location()); err == nil {
		return 1, one(d)
	}
	if m := writtenForm.FindStringSubmatch(word); m != nil && s.lang.name != "en" {
		day, _ := strconv.Atoi(m[1])
		month, _ := strconv.Atoi(m[2])
		return 1, one(s.past(m[3], time.Month(month), day))
	}
	if value, is := s.lang.word("weekdays", word); is {
		at, _ := strconv.Atoi(value) // of a file of words
		ago := (int(s.today.Weekday()) - at + 7) % 7
		if ago == 0 && latest {
			ago = 7
		}
		return 1, one(s.today.AddDate(0, 0, -ago))
	}
	if n, d := s.monthOrDay(i); n > 0 {
		return n, d
	}
	if y, err := strconv.Atoi(word); err == nil && latest && y >= 2000 && y <= s.today.Year() {
		return 1, days{from: s.day(y, 1, 1), to: s.day(y, 12, 31)}
	}
	return 0, days{}
}

// monthOrDay reads "May", "May 2026", "May 1", "1 May", "the 1st of May".
func (s *sentence) monthOrDay(i int) (int, days) {
	word := func(at int) string {
		if at < len(s.list) && !s.list[at].quoted {
			return s.list[at].word
		}
		return ""
	}
	month := func(at int) time.Month {
		value, _ := s.lang.word("months", word(at))
		m, _ := strconv.Atoi(value) // of a file of words
		return time.Month(m)
	}
	year := func(at int) string {
		if y, err := strconv.Atoi(word(at)); err == nil && y >= 2000 && y <= s.today.Year()+1 {
			return word(at)
		}
		return ""
	}
	dayOf := func(at int) int {
		if m := dayForm.FindStringSubmatch(word(at)); m != nil {
			d, _ := strconv.Atoi(m[1])
			return d
		}
		return 0
	}
	m, day, n := month(i), dayOf(i+1), 2
	if m == 0 {
		day = dayOf(i)
		if n = 2; s.lang.has("containers", word(i+1)) {
			n = 3
		}
		m = month(i + n - 1)
	}
	switch {
	case m == 0:
		return 0, days{}
	case day > 0 && day < 32:
		y := year(i + n)
		if y != "" {
			n++
		}
		d := s.past(y, m, day)
		return n, days{from: d, to: d}
	}
	d := days{from: s.past(year(i+1), m, 1), name: strings.ToLower(m.String())}
	d.to = d.from.AddDate(0, 1, -1)
	if year(i+1) != "" {
		d.name = ""
		return 2, d
	}
	return 1, d
}

// past is a day of a year, or the latest one that is not to come.
func (s *sentence) past(year string, month time.Month, day int) time.Time {
	if y, err := strconv.Atoi(year); err == nil {
		return s.day(y, month, day)
	}
	d := s.day(s.today.Year(), month, day)
	if d.After(s.today) {
		d = d.AddDate(-1, 0, 0)
	}
	return d
}

// leadsDays reports whether a word before days belongs to them: "since", "from", "in".
func (l *language) leadsDays(word string) bool {
	return l.has("since", word) || l.has("from", word) || l.has("latest", word) || l.has("to", word)
}
