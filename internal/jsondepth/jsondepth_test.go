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
