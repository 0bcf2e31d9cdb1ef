package builtin

import (
	"slices"
	"time"

	"github.com/deskhand/deskhand/agent/builtin/internal/lexicon"
)

// daysWorth is the score of dates that a command has fields for.
const daysWorth = 6

// dayReadings are the readings of a sentence without its talk of days, for a command that takes a first and a last day.
func (p *pattern) dayReadings(text string, list []lexicon.Token, today time.Time) []reading {
	from, to := p.field("from"), p.field("to")
	if from == nil || to == nil || from.Format != "date" || to.Format != "date" {
		return nil
	}
	d, i, j, ok := lexicon.DaysIn(list, today)
	if !ok {
		return nil
	}
	for _, f := range p.fields { // "last week" may be a value of its own
		if _, is := f.choice(lexicon.PlainWords(list[i:j])); len(f.Enum) > 0 && is {
			return nil
		}
	}
	found := p.readings(text, slices.Concat(list[:i], list[j:]))
	for i > 0 && lexicon.BeforeDays[list[i-1].Word] {
		i--
		found = append(found, p.readings(text, slices.Concat(list[:i], list[j:]))...)
	}
	all := make([]reading, 0, len(found))
	for _, r := range found {
		if _, bound := r.slots["from"]; bound {
			continue
		}
		r = r.bind("from", slotText{text: d.From.Format(time.DateOnly)})
		if !d.To.IsZero() {
			r = r.bind("to", slotText{text: d.To.Format(time.DateOnly)})
		}
		r.score += daysWorth
		r.said = list
		all = append(all, r)
	}
	return all
}
