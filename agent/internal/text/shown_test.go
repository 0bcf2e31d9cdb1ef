package text

import (
	"strings"
	"testing"
)

// TestNothingChangesUnseenOnACard: invisible characters are escaped, and every other character stays as it is.
//
// holds: A7
func TestNothingChangesUnseenOnACard(t *testing.T) {
	for written, shown := range map[string]string{
		"Ana Ruiz":                    "Ana Ruiz",
		"two  spaces, and one after ": "two  spaces, and one after ",
		"first\nsecond":               "first↵second",
		"safe\u202etxt.exe":           `safe\u202etxt.exe`,
		"no\u200bbody":                `no\u200bbody`,
		"\x1b[2Jgone\t":               `\u001b[2Jgone\u0009`,
		"tag\U000e0041":               `tag\udb40\udc41`,
		"I ❤\ufe0f tea":               "I ❤\ufe0f tea",
		"❤\ufe0f\ufe0f":               "❤\ufe0f" + `\ufe0f`,
		"раураl":                      "раураl",
		"\xff":                        `\ufffd`,
		"constructor":                 "constructor",
	} {
		if got := Shown(written, 100); got != shown {
			t.Errorf("%q is shown as %q, want %q", written, got, shown)
		}
	}
	for _, tc := range []struct{ got, want string }{
		{Value(map[string]any{"note": "tea & <milk>"}), `{"note":"tea & <milk>"}`},
		{Value([]any{"a\u200b"}), `["a\u200b"]`},
		{Sentence("sold out"), "Sold out."},
		{Sentence("sold out?"), "Sold out?"},
		{Sentence(strings.Repeat("é", 501)), "É" + strings.Repeat("é", 499) + "…"},
		{Capitalize("\xffa"), "\xffa"},
		{Capitalize(""), ""},
	} {
		if got, want := tc.got, tc.want; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := Shown(strings.Repeat("é", 11), 10); got != strings.Repeat("é", 10)+"…" {
		t.Errorf("%q", got)
	}
}
