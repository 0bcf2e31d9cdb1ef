// Package sentence converts formats of fmt to keys of a catalogue and renders keys with their values in English.
package sentence

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// Format is a format of fmt in the notation of a catalogue: "%s has %d left." is "{0} has {1, number} left.".
type Format struct {
	Key   string
	Verbs []Verb // by the number of the gap, which is that of the argument
}

// Verb is the first verb that formats an argument; the zero Verb if there is none.
type Verb struct {
	Letter byte
	Text   string // the whole verb, such as %.2f
}

var formats sync.Map // of *Format, by the format

// Parse returns the key and the verbs of a format.
func Parse(format string) *Format {
	if known, ok := formats.Load(format); ok {
		return known.(*Format)
	}
	known, _ := formats.LoadOrStore(format, parse(format))
	return known.(*Format)
}

var verb = regexp.MustCompile(`%[-+# 0]*(?:\[(\d+)\])?[0-9.]*([a-zA-Z%])`)

func parse(format string) *Format {
	var key strings.Builder
	var f Format
	next := 0
	for rest := format; rest != ""; {
		at := verb.FindStringSubmatchIndex(rest)
		if at == nil {
			key.WriteString(Escape(rest))
			break
		}
		key.WriteString(Escape(rest[:at[0]]))
		letter, text := rest[at[4]], rest[at[0]:at[1]]
		if at[2] >= 0 {
			n, _ := strconv.Atoi(rest[at[2]:at[3]])
			next = max(n-1, 0)
			text = text[:at[2]-at[0]-1] + text[at[3]-at[0]+1:]
		}
		rest = rest[at[1]:]
		if letter == '%' {
			key.WriteByte('%')
			continue
		}
		switch letter {
		case 'd':
			fmt.Fprintf(&key, "{%d, number}", next)
		case 'q':
			fmt.Fprintf(&key, `"{%d}"`, next)
		default:
			fmt.Fprintf(&key, "{%d}", next)
		}
		for len(f.Verbs) <= next {
			f.Verbs = append(f.Verbs, Verb{})
		}
		f.Verbs[next] = cmp.Or(f.Verbs[next], Verb{letter, text})
		next++
	}
	f.Key = key.String()
	return &f
}

var special = regexp.MustCompile(`[{}]+`)

// Escape quotes braces, which a catalogue would read as gaps.
func Escape(text string) string { return special.ReplaceAllString(text, `'$0'`) }

var token = regexp.MustCompile(`'([{}]+)'|\{(\d+)(?:, number)?\}`)

// Render renders a key in English. value returns the words for a gap.
func Render(key string, value func(gap int) string) string {
	var b strings.Builder
	for key != "" {
		at := token.FindStringSubmatchIndex(key)
		if at == nil {
			break
		}
		b.WriteString(key[:at[0]])
		if at[2] >= 0 {
			b.WriteString(key[at[2]:at[3]])
		} else {
			gap, _ := strconv.Atoi(key[at[4]:at[5]])
			b.WriteString(value(gap))
		}
		key = key[at[1]:]
	}
	return b.String() + key
}
