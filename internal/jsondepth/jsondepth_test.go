package jsondepth

import (
	"strings"
	"testing"
)

func TestExceeds(t *testing.T) {
	deep := func(open, end string, n int) string { return strings.Repeat(open, n) + strings.Repeat(end, n) }
	for text, want := range map[string]bool{
		"":                                    false,
		deep("[", "]", Limit):                 false,
		deep("[", "]", Limit+1):               true,
		deep(`{"a":`, "}", Limit+1):           true,
		strings.Repeat("[", Limit+1):          true, // no JSON, and not to be decoded to find out
		`"` + deep("[", "]", Limit+1) + `"`:   false,
		`"\"` + deep("[", "]", Limit+1) + `"`: false,
		strings.Repeat("[],", 10*Limit):       false,
	} {
		if got := Exceeds([]byte(text), Limit); got != want {
			t.Errorf("%.40s: %v", text, got)
		}
	}
}

func TestMeter(t *testing.T) {
	for text, want := range map[string]bool{
		"":                         false,
		"  ":                       false,
		"null":                     false, // neither brackets nor quotes: its end cannot be told
		`{"a":[1,"}"]}`:            true,
		`{"a":[1,"}"]`:             false,
		`{"a":"\"}`:                false,
		`{"a":"\\"}`:               true,
		`"{\"a\":1}"`:              true,
		`"{\"a\":1}`:               false,
		`{"a":1}}`:                 true,
		`{"a":"` + "\u2028" + `"}`: true,
	} {
		for n := range len(text) + 1 { // in two pieces, cut anywhere
			var m Meter
			m.Add(text[:n])
			m.Add(text[n:])
			if got := m.Whole(); got != want {
				t.Errorf("%q cut at %d: %v", text, n, got)
			}
		}
	}
}
