package lexicon

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// days is a stretch of days that words speak of. A zero end is open.
type days struct{ From, To time.Time }

// DaysIn finds the longest talk of days in a sentence: words from i to j, seen from
// a day. The 's behind it belongs to it.
func DaysIn(list []Token, today time.Time) (found days, i, j int, ok bool) {
	for at := 0; at < len(list) && !today.IsZero(); at++ {
		if list[at].Quoted {
			continue
		}
		if d, n := daysAt(list[at:], today); n > j-i {
			found, i, j, ok = d, at, at+n, true
		}
	}
	if ok && j < len(list) && list[j].Word == "'s" {
		j++
	}
	return found, i, j, ok
}

// daysAt reads days from the first n words: "since Monday", "from May 1 to May 5",
// "between 1 May and 5 May", or one stretch.
func daysAt(list []Token, today time.Time) (days, int) {
	switch list[0].Word {
	case "since", "after":
		if d, n := stretch(list[1:], today); n > 0 {
			if list[0].Word == "after" {
				d.From = d.To.AddDate(0, 0, 1)
			}
			return days{From: d.From}, n + 1
		}
		return days{}, 0
	case "until", "till", "before":
		return days{}, 0 // a condition more often than a date
	case "from", "between":
		first, n := stretch(list[1:], today)
		if at := n + 1; n > 0 && at+1 < len(list) && (list[at].Word == "to" || list[at].Word == "till" || list[at].Word == "until" || list[at].Word == "and") {
			if last, m := stretch(list[at+1:], today); m > 0 {
				return days{first.From, last.To}, at + 1 + m
			}
		}
		return days{}, 0
	}
	return stretch(list, today)
}

// stretch reads one stretch of days from the first n words.
func stretch(list []Token, today time.Time) (days, int) {
	if len(list) == 0 {
		return days{}, 0 // "who is this from"
	}
	words := PlainWords(list[:min(len(list), 5)])
	skipped := 0
	for len(words) > 1 && words[0] == "the" {
		words, skipped = words[1:], skipped+1
	}
	for _, read := range []func([]string, time.Time) (days, int){countedDays, namedDays, writtenDay, namedMonth} {
		if d, n := read(words, today); n > 0 {
			return d, n + skipped
		}
	}
	return days{}, 0
}

func oneDay(d time.Time) days { return days{d, d} }

// span is the day, week, month or year that a day lies in.
func span(unit string, day time.Time) (days, bool) {
	switch strings.TrimSuffix(unit, "s") {
	case "day":
		return oneDay(day), true
	case "week":
		from := day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
		return days{from, from.AddDate(0, 0, 6)}, true
	case "month":
		from := day.AddDate(0, 0, 1-day.Day())
		return days{from, from.AddDate(0, 1, -1)}, true
	case "year":
		from := date(day.Year(), 1, 1, day)
		return days{from, from.AddDate(1, 0, -1)}, true
	}
	return days{}, false
}

// back goes n units back.
func back(day time.Time, n int, unit string) (time.Time, bool) {
	switch strings.TrimSuffix(unit, "s") {
	case "day":
		return day.AddDate(0, 0, -n), true
	case "week":
		return day.AddDate(0, 0, -7*n), true
	case "month":
		return day.AddDate(0, -n, 1-day.Day()), true
	case "year":
		return day.AddDate(-n, 0, 0), true
	}
	return day, false
}

// countedDays reads "last 7 days" and "3 days ago".
func countedDays(w []string, today time.Time) (days, int) {
	if len(w) >= 3 && (w[0] == "last" || w[0] == "past") {
		if n, is := Number(w[1:2]); is && n >= 1 && n < 1000 {
			unit := strings.TrimSuffix(w[2], "s")
			from, known := back(today, int(n), unit)
			if unit == "month" {
				from = today.AddDate(0, -int(n), 0)
			}
			if known {
				return days{from.AddDate(0, 0, 1), today}, 3
			}
		}
	}
	if len(w) >= 3 && w[2] == "ago" {
		n, is := Number(w[:1])
		if w[0] == "a" || w[0] == "an" {
			n, is = 1, true
		}
		if at, known := back(today, int(n), w[1]); is && known {
			if unit := strings.TrimSuffix(w[1], "s"); unit == "month" || unit == "year" {
				d, _ := span(unit, at)
				return d, 3
			}
			return oneDay(at), 3
		}
	}
	return days{}, 0
}

// namedDays reads today, yesterday, this week, last month, last Saturday, the weekend.
func namedDays(w []string, today time.Time) (days, int) {
	last := len(w) > 1 && (w[0] == "last" || w[0] == "past" || w[0] == "previous")
	this := len(w) > 1 && (w[0] == "this" || w[0] == "current")
	n := 1
	name := w[0]
	if last || this {
		n, name = 2, w[1]
	}
	switch {
	case name == "today", this && name == "morning", this && name == "afternoon":
		return oneDay(today), n
	case name == "yesterday", last && name == "night":
		return oneDay(today.AddDate(0, 0, -1)), n
	case name == "weekend":
		sunday := today.AddDate(0, 0, -int(today.Weekday()))
		return days{sunday.AddDate(0, 0, -1), sunday}, n
	}
	if day, is := weekdays[name]; is {
		ago := (int(today.Weekday()) - day + 7) % 7
		if ago == 0 && last {
			ago = 7
		}
		return oneDay(today.AddDate(0, 0, -ago)), n
	}
	if !last && !this {
		return days{}, 0
	}
	day := today
	if last {
		day, _ = back(today, 1, name)
	}
	d, is := span(name, day)
	if !is {
		return days{}, 0
	}
	if this && d.To.After(today) {
		d.To = today
	}
	return d, n
}

// namedMonth reads "May", "last May", "May 2026", "2026": the latest that has begun.
func namedMonth(w []string, today time.Time) (days, int) {
	n := 0
	if len(w) > 1 && (w[0] == "last" || w[0] == "this") {
		w, n = w[1:], 1
	}
	month, is := months[w[0]]
	if !is {
		if y := yearAt(w, 0, today.Year()); y > 0 && n == 0 {
			d, _ := span("year", date(y, 1, 1, today))
			return d, 1
		}
		return days{}, 0
	}
	year := yearAt(w, 1, today.Year())
	switch {
	case year > 0:
		n++
	case month > int(today.Month()):
		year = today.Year() - 1
	default:
		year = today.Year()
	}
	d, _ := span("month", date(year, month, 1, today))
	return d, n + 1
}

// yearAt reads a word as a year up to the last one, 0 for none.
func yearAt(w []string, i, last int) int {
	if i >= len(w) {
		return 0
	}
	if y, err := strconv.Atoi(w[i]); err == nil && y >= 2000 && y <= last {
		return y
	}
	return 0
}

// date is the beginning of a day where today is.
func date(year, month, day int, today time.Time) time.Time {
	return time.Date(year, time.Month(month), day, 0, 0, 0, 0, today.Location())
}

// writtenDay reads 2026-05-01, "May 1", "1 May", "the 1st of May", with or without a
// year: the latest that is not to come.
func writtenDay(w []string, today time.Time) (days, int) {
	if d, err := time.ParseInLocation(time.DateOnly, w[0], today.Location()); err == nil {
		return oneDay(d), 1
	}
	parts := slices.DeleteFunc(slices.Clone(w[:min(len(w), 3)]), func(s string) bool { return s == "of" })
	if len(parts) < 2 {
		return days{}, 0
	}
	month, first := months[parts[0]]
	day, used := parts[1], 2
	if !first {
		month, day, used = months[parts[1]], parts[0], 2+min(len(w), 3)-len(parts)
	}
	n, err := strconv.Atoi(strings.TrimRight(day, "stndrh"))
	if month == 0 || err != nil || n < 1 || n > 31 {
		return days{}, 0
	}
	if y := yearAt(w, used, today.Year()+1); y > 0 {
		return oneDay(date(y, month, n, today)), used + 1
	}
	d := date(today.Year(), month, n, today)
	if d.After(today) {
		d = d.AddDate(-1, 0, 0)
	}
	return oneDay(d), used
}
