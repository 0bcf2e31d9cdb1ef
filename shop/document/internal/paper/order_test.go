package paper

import "testing"

// TestLinesAreInTheOrderTheyAreSeen: capitals stand for Hebrew, as in UAX #9.
func TestLinesAreInTheOrderTheyAreSeen(t *testing.T) {
	hebrew := func(s string) []rune {
		out := []rune(s)
		for i, r := range out {
			if r >= 'A' && r <= 'Z' {
				out[i] = r - 'A' + 'א'
			}
		}
		return out
	}
	for _, tt := range []struct {
		line string
		rtl  bool
		want string
	}{
		{"car means CAR.", false, "car means RAC."},
		{"car MEANS CAR.", true, ".RAC SNAEM car"},
		{"DEF 123 GHI", true, "IHG 123 FED"},
		{"abc DEF 123 GHI xyz", false, "abc IHG 123 FED xyz"},
		{"ABC (DEF)", true, "(FED) CBA"},
		{"2 x ABC", false, "2 x CBA"},
		{"ABC 5%", true, "5% CBA"},
		{"ABC 1,234.50", true, "1,234.50 CBA"},
		{"plain 12", false, "plain 12"},
		{"", true, ""},
	} {
		if got := string(visual(hebrew(tt.line), tt.rtl)); got != string(hebrew(tt.want)) {
			t.Errorf("%q is seen as %q, want %q", tt.line, got, string(hebrew(tt.want)))
		}
	}
	if got := visual([]rune("ab אֲב"), false); string(got) != "ab באֲ" {
		t.Errorf("a mark left its letter: %q", string(got))
	}
}

func TestArabicLettersAreJoined(t *testing.T) {
	for word, want := range map[string]string{
		"محمد":   "\ufee3\ufea4\ufee4\ufeaa",
		"سلام":   "\ufeb3\ufefc\ufee1",
		"لا":     "\ufefb",
		"دار":    "\ufea9\ufe8d\ufead",
		"پنج":    "\ufb58\ufee8\ufe9e",
		"Anna ب": "Anna \ufe8f",
		"بَب":    "\ufe91\u064e\ufe90",
	} {
		if got := string(joined([]rune(word))); got != want {
			t.Errorf("%s is written %+q, want %+q", word, got, want)
		}
	}
}

func TestAParagraphRunsAsItsFirstLetter(t *testing.T) {
	for text, want := range map[string]bool{"12 שלום abc": true, "abc שלום": false, "محمد": true, "123": false,
		"": false} {
		if rightToLeft(text) != want {
			t.Errorf("%q from right to left: %v", text, !want)
		}
	}
}
